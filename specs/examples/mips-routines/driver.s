# The course's driver: tries the functions. Change it as you like; it is not handed in.
        .data
text:   .asciiz "-42"
left:   .word 1, 2, 3, 4
right:  .word 5, 6, 7, 8
out:    .space 16
        .text
        .globl main
main:   li   $a0, 4071
        jal  digit_sum
        jal  show               # 12
        la   $a0, text
        jal  length
        jal  show               # 3
        la   $a0, text
        jal  number
        jal  show               # -42
        addi $sp, $sp, -24
        la   $a0, left
        la   $a1, right
        la   $a2, out
        li   $a3, 2
        sw   $a3, 16($sp)
        sw   $a3, 20($sp)
        jal  product
        addi $sp, $sp, 24
        lw   $v0, out
        jal  show               # 19
        li   $v0, 10
        syscall
show:   move $a0, $v0
        li   $v0, 1
        syscall
        li   $a0, 10
        li   $v0, 11
        syscall
        jr   $ra

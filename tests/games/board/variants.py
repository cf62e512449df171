"""Programs that play something else, or behave badly: small ones, written out in MIPS assembly."""

from __future__ import annotations

_BOARD = """
        .data
hello:  .asciiz "{hello}"
ask:    .asciiz "Player "
which:  .asciiz "{which}"
bad:    .asciiz "Not there.\\n"
won:    .asciiz " wins!\\n"
tie:    .asciiz "Nobody wins.\\n"
line:   .asciiz "\\n"
cells:  .ascii ".XO"
board:  .space {space}
        .text
        .globl main
main:   la   $a0, hello
        li   $v0, 4
        syscall
        {before}
        li   $a1, 2
        li   $v0, 42
        syscall
        move $s0, $a0                   # who moves: 0 or 1
        li   $s3, 0                     # pieces
next:   li   $s1, {top}                 # draw the board, the highest row first
row:    li   $s2, 0
cell:   mul  $t0, $s1, {columns}
        add  $t0, $t0, $s2
        lb   $t1, board($t0)
        lb   $a0, cells($t1)
        li   $v0, 11
        syscall
        addi $s2, $s2, 1
        blt  $s2, {columns}, cell
        la   $a0, line
        li   $v0, 4
        syscall
        addi $s1, $s1, -1
        bgez $s1, row
        bnez $s7, over
turn:   la   $a0, ask
        li   $v0, 4
        syscall
        addi $a0, $s0, 1
        li   $v0, 1
        syscall
        la   $a0, which
        li   $v0, 4
        syscall
        li   $v0, 5
        syscall
        addi $t2, $v0, -1
        {rule}
        bltz $t2, no
        bge  $t2, {columns}, no
        li   $t3, 0                     # the lowest free row
free:   bge  $t3, {rows}, no
        mul  $t0, $t3, {columns}
        add  $t0, $t0, $t2
        lb   $t1, board($t0)
        beqz $t1, drop
        addi $t3, $t3, 1
        b    free
no:     la   $a0, bad
        li   $v0, 4
        syscall
        b    turn
drop:   addi $t1, $s0, 1
        sb   $t1, board($t0)
        addi $s3, $s3, 1
        la   $t9, steps                 # four directions: count to both sides
dir:    lw   $t4, 0($t9)
        lw   $t5, 4($t9)
        li   $t6, 1
        li   $t7, 1
side:   move $s4, $t2
        move $s5, $t3
walk:   mul  $t0, $t4, $t7
        add  $s4, $s4, $t0
        mul  $t0, $t5, $t7
        add  $s5, $s5, $t0
        bltz $s4, stop
        bge  $s4, {columns}, stop
        bltz $s5, stop
        bge  $s5, {rows}, stop
        mul  $t0, $s5, {columns}
        add  $t0, $t0, $s4
        lb   $t0, board($t0)
        bne  $t0, $t1, stop
        addi $t6, $t6, 1
        b    walk
stop:   neg  $t7, $t7
        bltz $t7, side
        bge  $t6, {line}, win
        addi $t9, $t9, 8
        la   $t0, steps+32
        blt  $t9, $t0, dir
        li   $t0, {cells}
        beq  $s3, $t0, full
        xori $s0, $s0, 1
        b    next
win:    li   $s7, 1
        b    next
full:   li   $s7, 2
        b    next
over:   beq  $s7, 2, drawn
        la   $a0, ask
        li   $v0, 4
        syscall
        addi $a0, $s0, 1
        li   $v0, 1
        syscall
        la   $a0, won
        b    bye
drawn:  la   $a0, tie
bye:    li   $v0, 4
        syscall
        li   $v0, 10
        syscall
        .data
        .align 2
steps:  .word 1, 0, 0, 1, 1, 1, 1, -1
"""


def board(columns: int = 7, rows: int = 6, line: int = 4, *, rule: str = "", before: str = "", **texts: str) -> str:
    """A game without undos and violations, of any size; ``rule`` is code that looks at the column in ``$t2``, ``before`` comes first."""
    return _BOARD.format(
        hello=texts.get("hello", f"{line} in a row\\n"),
        which=texts.get("which", ", column: "),
        columns=columns,
        rows=rows,
        top=rows - 1,
        cells=columns * rows,
        space=columns * rows,
        line=line,
        rule=rule,
        before=before,
    )


def with_menu(source: str) -> str:
    """A game with a menu behind each piece that was drawn: only 1 goes on."""
    menu = "menu: la $a0, items\n li $v0, 4\n syscall\n li $v0, 5\n syscall\n bne $v0, 1, menu\n"
    items = 'items: .asciiz "1 End my turn\\n2 Show nothing\\nChoice: "\n'
    behind = f"        beqz $s3, turn\n        bnez $s7, over\n{menu}        xori $s0, $s0, 1\nturn:   la   $a0, ask"
    changed = (
        source.replace("        .data\nhello:", f"        .data\n{items}hello:")
        .replace("        bnez $s7, over\nturn:   la   $a0, ask", behind)
        .replace("        xori $s0, $s0, 1\n        b    next", "        b    next")
    )
    assert changed.count("items") == 2
    assert changed.count("xori") == source.count("xori")
    return changed


TIC_TAC_TOE = """
        .data
board:  .ascii "123456789"
ask:    .asciiz "Cell (1-9)? "
bad:    .asciiz "Taken.\\n"
line:   .asciiz "\\n"
done:   .asciiz "Game over.\\n"
        .text
        .globl main
main:   li   $s0, 88
        li   $s3, 0
next:   li   $t0, 0
draw:   lb   $a0, board($t0)
        li   $v0, 11
        syscall
        addi $t0, $t0, 1
        rem  $t1, $t0, 3
        bnez $t1, more
        la   $a0, line
        li   $v0, 4
        syscall
more:   blt  $t0, 9, draw
turn:   beq  $s3, 9, over
        la   $a0, ask
        li   $v0, 4
        syscall
        li   $v0, 5
        syscall
        addi $t0, $v0, -1
        bltz $t0, no
        bge  $t0, 9, no
        lb   $t1, board($t0)
        bge  $t1, 65, no
        sb   $s0, board($t0)
        xori $s0, $s0, 23               # X and O in turn
        addi $s3, $s3, 1
        b    next
no:     la   $a0, bad
        li   $v0, 4
        syscall
        b    turn
over:   la   $a0, done
        li   $v0, 4
        syscall
        li   $v0, 10
        syscall
"""

GUESS = """
        .data
ask:    .asciiz "Guess my number (1-100): "
low:    .asciiz "Too low.\\n"
high:   .asciiz "Too high.\\n"
yes:    .asciiz "Right!\\n"
        .text
        .globl main
main:   li   $a1, 100
        li   $v0, 42
        syscall
        addi $s0, $a0, 1
next:   la   $a0, ask
        li   $v0, 4
        syscall
        li   $v0, 5
        syscall
        la   $a0, low
        blt  $v0, $s0, say
        la   $a0, high
        bgt  $v0, $s0, say
        la   $a0, yes
        li   $v0, 4
        syscall
        li   $v0, 10
        syscall
say:    li   $v0, 4
        syscall
        b    next
"""

FLOOD = """
        li   $t8, 65536
flood:  li   $a0, 46
        li   $v0, 11
        syscall
        addi $t8, $t8, -1
        bgtz $t8, flood
"""
"""Prints 64 KiB in one line."""

QUESTIONS = """
        li   $t8, 1000
quiz:   la   $a0, which
        li   $v0, 4
        syscall
        li   $v0, 5
        syscall
        addi $t8, $t8, -1
        bgtz $t8, quiz
"""
"""A thousand questions."""

FORCED = """
        bnez $s3, any
        bne  $t2, 3, no                 # the first piece must go to the middle
any:
"""

CHANCE = """
        li   $a1, 3
        li   $v0, 42
        syscall
        beqz $a0, no                    # one column of three is refused by chance
"""


WORDS = """
        li   $t8, 12
word:   li   $a1, 26
        li   $v0, 42
        syscall
        addi $a0, $a0, 97
        li   $v0, 11
        syscall
        addi $t8, $t8, -1
        bgtz $t8, word
"""
"""Prints a word of letters drawn by chance."""

; The course's driver: sorts a list and multiplies. Change it as you like; it is not handed in.
        .ORIG x3000
MAIN    LD R6, STACK
        LEA R0, FIRST
        JSR SORT
        LDR R1, R0, #0          ; the least number, 1
        LEA R0, TEXT
        JSR ATOI                ; 12
        JSR MULT
        ST R0, RESULT           ; 12 again
        HALT
STACK   .FILL xF000
TEXT    .STRINGZ "12"
RESULT  .BLKW 1
FIRST   .FILL 3
        .FILL SECOND
SECOND  .FILL 1
        .FILL THIRD
THIRD   .FILL 2
        .FILL 0
        .END

; asks for keys, and says of each digit whether it is even
        .ORIG x3000
AGAIN   LEA R0, ASK
        PUTS
        GETC
        OUT
        ADD R1, R0, #0      ; the key
        LD R0, NEWLINE
        OUT
        LD R2, MINUS_Q
        ADD R2, R1, R2
        BRz DONE
        LD R2, MINUS_0
        ADD R2, R1, R2      ; its value, if it is a digit
        BRn WRONG
        ADD R3, R2, #-9
        BRp WRONG
        LEA R0, EVEN
        AND R2, R2, #1
        BRz SAY
        LEA R0, ODD
SAY     PUTS
        BRnzp AGAIN
WRONG   LEA R0, NO
        BRnzp SAY
DONE    LEA R0, BYE
        PUTS
        HALT
ASK     .STRINGZ "Digit: "
EVEN    .STRINGZ "Even\n"
ODD     .STRINGZ "Odd\n"
NO      .STRINGZ "That is no digit\n"
BYE     .STRINGZ "Bye"
NEWLINE .FILL x0A
MINUS_Q .FILL #-113
MINUS_0 .FILL #-48
        .END

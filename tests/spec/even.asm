; asks for keys, and says of each digit whether it is even
        .ORIG x3000
ASK     LEA R0, QUESTION
        PUTS
        GETC
        OUT
        ADD R1, R0, #0
        LD R0, NEWLINE
        OUT
        LD R2, MINUSQ
        ADD R2, R1, R2
        BRz DONE
        LD R2, MINUS0
        ADD R1, R1, R2
        BRn BAD
        ADD R2, R1, #-9
        BRp BAD
        AND R2, R1, #1
        BRz EVEN
        LEA R0, ODDTEXT
        BR SAY
EVEN    LEA R0, EVENTEXT
        BR SAY
BAD     LEA R0, BADTEXT
SAY     PUTS
        BR ASK
DONE    LEA R0, BYE
        PUTS
        HALT
NEWLINE  .FILL x0A
MINUSQ   .FILL #-113
MINUS0   .FILL #-48
QUESTION .STRINGZ "Digit: "
EVENTEXT .STRINGZ "Even\n"
ODDTEXT  .STRINGZ "Odd\n"
BADTEXT  .STRINGZ "That is no digit\n"
BYE      .STRINGZ "Bye"
        .END

        .ORIG x3000
        LEA R0, T
        PUTS
        HALT
T       .STRINGZ "hello\n"
        .END

        .ORIG x3000
        LEA R0, T
        PUTS
        HALT
T       .STRINGZ "hallo\n"
        .END

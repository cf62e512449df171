"""Learning the dialect of one program, for all families of games."""

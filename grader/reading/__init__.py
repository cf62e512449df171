"""What a program says, read from its text, whoever asks: a comparison with the reference, or a referee who follows a game."""

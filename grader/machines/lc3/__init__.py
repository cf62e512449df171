"""The LC-3: a 16-bit teaching machine (Patt and Patel, *Introduction to Computing Systems*)."""

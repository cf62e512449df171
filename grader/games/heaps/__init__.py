"""Games of three heaps against the computer, in words that nobody foresaw: how such a program talks is learned by playing it."""

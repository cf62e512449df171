"""Games of one program: followed by a referee, drawn by a seed, led into every position, forked, and shrunk."""

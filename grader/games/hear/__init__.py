"""The statements of a program, in any wording: runs of it, states by their futures, numbers, names, heaps, and the words of all languages."""

"""The beginning of a course's work: a spec made of the sample run of a handout, and transcripts written by playing a program."""

"""Grading many submissions: plans, grades in worker processes, stores each grade at once, writes reports."""

"""The games that the grader knows, one in each package: its rules, its faults, and the games that are played."""

"""Specs of courses: the model, the expectations of a program, and the loader."""

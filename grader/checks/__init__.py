"""Expectation and evidence in, findings out. Pure: no clock, no files, no environment."""

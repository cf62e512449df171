"""Grading many submissions: ``run_batch`` plans, grades in worker processes, stores each grade at once, writes reports."""

from grader.batch.runner import Progress, Summary, run_batch

__all__ = ["Progress", "Summary", "run_batch"]

"""The whole grader, imported and warm: what a process has that is forked for each command of a test."""

import gc
from importlib import import_module
from pkgutil import walk_packages

import pytest  # noqa: F401 -- workers import the tests that say what they do

import grader
from grader.report.page import student_page
from grader.report.record import dump
from tests.report.sample_grades import full_marks

for module in walk_packages(grader.__path__, "grader."):
    if module.name not in ("grader.__main__", "grader.pytest_plugin") and not module.name.startswith(
        "grader.kit.browser"
    ):
        import_module(module.name)

# What the first page and the first record of a process make ready takes ten times what each further one does.
student_page(full_marks(), audience="student")
dump(full_marks())

gc.freeze()  # none of it is garbage in a process that is forked from here

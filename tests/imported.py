"""The whole grader, imported: what a process has that is forked for each command of a test."""

from importlib import import_module
from pkgutil import walk_packages

import grader

for module in walk_packages(grader.__path__, "grader."):
    if module.name not in ("grader.__main__", "grader.pytest_plugin") and not module.name.startswith(
        "grader.kit.browser"
    ):
        import_module(module.name)

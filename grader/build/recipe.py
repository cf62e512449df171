"""How programs in one language are made and started: one value for each language that needs no machine of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path

from grader.build import sanitizer
from grader.build.task import Task
from grader.build.tool import Product
from grader.build.workshop import Workshop
from grader.sessions.native import Explain
from grader.source import Diagnostic, SourceFile
from grader.spec.kinds.tests import UnitTests
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Recipe:
    """One language.

    ``name`` changes when what ``make`` does changes; ``version(workshop)`` is that of the tool.
    ``make(task, tests)`` builds the sources of a task, along with tests of the course where there are some. ``read(product, texts)``
    are the tool's messages with their places in ``texts``, which are named as they were compiled.
    ``readable()`` is what the cage of a program must show; it raises JudgeError where the language is not installed.
    ``command(main)`` starts the program whose main source is ``main``, ``explain`` knows the language's own endings.
    ``notes`` is the file of the program, where it can note the lines at which it breaks (``build.notes``); empty elsewhere.
    """

    name: str
    version: Callable[[Workshop], str]
    make: Callable[[Task, UnitTests | None], Product]
    read: Callable[[Product, Mapping[str, SourceFile]], tuple[Diagnostic, ...]]
    readable: Callable[[], tuple[Path, ...]] = tuple
    environment: Mapping[str, str] = field(default_factory=dict)
    command: Callable[[str], tuple[str, ...]] = lambda _: ()
    explain: Explain | None = None
    notes: str = ""

    def explains(self, task: Task) -> Explain | None:
        """What tells of the endings of a task's program."""
        return sanitizer.explains(task.sources, self.explain) if task.spec.program.sanitize else self.explain

"""Programs in C that run in cages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pytest

from grader.build.native import build_native
from grader.build.workshop import Workshop
from grader.sessions.native import NativeProgram
from tests.build.conftest import spec
from tests.graded import handed_in


@pytest.fixture
def program_of(workshop: Workshop) -> Iterator[Callable[..., NativeProgram]]:
    """``program_of(source, limits, terminal=False)`` makes a program."""
    made = []

    def make(source: str, limits: Mapping[str, object], *, terminal: bool = False) -> NativeProgram:
        told = spec(language="c", sources=["main.c"], terminal=terminal)
        told = told.model_copy(update={"limits": type(told.limits).model_validate(limits)})
        built = build_native(told, (), handed_in({"main.c": source}), workshop)
        assert built.programs, built.diagnostics
        made.append(built)
        return next(iter(built.programs.values()))

    yield make
    for built in made:
        built.close()

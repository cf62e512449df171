"""Programs in C that run in cages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pytest

from grader.build.native import build_native
from grader.build.workshop import Workshop
from grader.sandbox import best_tier
from grader.sessions.native import NativeProgram
from tests.build.conftest import spec
from tests.graded import handed_in


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    """One workshop for all programs of a module."""
    with Workshop(best_tier(), tmp_path_factory.mktemp("products")) as opened:
        yield opened


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

"""The keys of a `tests` case: a course's own unit tests, and which of them there must be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from grader.spec.values import Points, Slug, SpecModel, read_fraction

RUNNERS: Mapping[str, tuple[str, ...]] = {
    "c": ("./program",),
    "cpp": ("./program",),
    "java": ("java",),
    "python": ("pytest", "python"),
}
"""By which word the command of tests can begin, for each language."""

CLASSES = "classes"
"""The folder in which compiled Java classes lie for tests."""

LARGEST_REPORT = 8 << 20
"""How many bytes the results of one run may have."""


def read_expected(value: object) -> dict[str, Fraction]:
    """Names of tests, or a mapping from names to what each counts, as the latter. Raises ValueError."""
    if isinstance(value, list | tuple):
        names = [name for name in value if isinstance(name, str)]
        if len(names) < len(value):
            raise ValueError("names of tests are expected, such as test_gcd_of_zero, or `NAME: POINTS` for each")
        twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
        if twice is not None:
            raise ValueError(f"the test {twice!r} is listed twice")
        return dict.fromkeys(names, Fraction(1))
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
        return {name: read_fraction(points) for name, points in value.items()}
    raise ValueError("names of tests are expected, or `NAME: POINTS` for each")


Expected = Annotated[
    dict[str, Points],
    BeforeValidator(read_expected),
    Field(min_length=1),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "array", "minItems": 1, "items": {"type": "string"}},
                {"type": "object", "minProperties": 1, "additionalProperties": {"type": ["number", "string"]}},
            ]
        }
    ),
]


def renamed(word: str, name: str, new: str) -> str:
    """A word of a command with another name for a file: ``report`` in ``--reports-dir=report`` is the one at the end."""
    return re.sub(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", lambda _: new, word)


class UnitTests(SpecModel):
    """Unit tests of the course's own, run in a cage together with what was handed in: each that is expected is a case by itself."""

    run: tuple[str, ...] = ()
    """The command that runs the tests, word by word: it begins with `pytest`, `python`, `java` or `./program`, which is what
    the compiler made of the files in C or C++. The name in `junit` stands in it, and is replaced by one drawn at random."""
    files: tuple[str, ...] = ()
    """The files of the tests, by paths relative to the spec, built along in these runs alone: tests, drivers, headers, data, jars. They
    are laid beside what was handed in, and replace what has their name."""
    junit: str | None = Field(default=None, min_length=1)
    """The file that the command writes its results to, as JUnit XML: pytest, JUnit, GoogleTest and Criterion can."""
    prints: Literal["tap", "unity"] | None = None
    """What the command prints its results as, where it writes no file: lines such as `ok 1 - NAME` (`tap`), or those of Unity."""
    expects: Expected
    """The names of all tests that there must be, with or without their class: a list, in which all count alike, or what each
    counts beside the others of its criterion. One that is missing, or is there besides, is nobody's loss: a person looks."""
    guards: tuple[str, ...] = ()
    """Tests that are written to fail. Where one of them passes the results were made up, and a person looks."""
    run_of: Slug | None = None
    """The case whose command runs these tests, too: instead of `run` and what belongs to it, for tests of another criterion."""

    @property
    def same_run(self) -> tuple[object, ...]:
        """What tells one run of tests from another: cases with equal values share it."""
        return (self.run, self.files, self.junit, self.prints, self.guards)

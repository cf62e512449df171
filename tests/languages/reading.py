"""The sentences of ours in a grade as its student may see it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.results import Grade, for_student

_FOREIGN = re.compile(
    r"[‘’`']|^cannot find symbol|: No such file|^Runtime exception|symbol: |\(\w+\.java:\d+\)|^expected an indented"
)

_OF_TESTS = ("test-failed", "test-error")
"""The findings whose words are those of a test of the course."""


def said(grade: Grade) -> Iterator[str]:
    """Every sentence that the grader may have made, in no order: what a course wrote is among the hints."""
    seen = for_student(grade)
    for criterion in seen.criteria:
        yield criterion.reason
        yield from (charge.message for charge in criterion.charges)
    yield from (lesson.sentence for lesson in seen.learned)
    for case in seen.cases:
        yield case.ending
        yield from (occasion.label for occasion in case.occasions)
        if case.proof is not None:
            yield from (case.proof.label, case.proof.why, case.proof.sentence)
        for finding in case.findings:
            if finding.code not in _OF_TESTS:
                yield finding.message
            yield from (finding.hint, *finding.reading, *finding.steps)
            yield finding.place if " " in finding.place else ""
    for diagnostic in seen.diagnostics:
        head, *more = diagnostic.split("\n")
        yield re.sub(r"^(.+?:\d+(:\d+)?: )?(error|warning|note): ", "", head)
        yield from (line.removeprefix("  hint: ") for line in more if line.startswith("  hint: "))


def by_a_tool(sentence: str) -> bool:
    """Whether a compiler or a machine said it rather than we: its words stay, as students look them up."""
    return bool(_FOREIGN.search(sentence))

"""The look of a source, from both sides of each rule."""

from __future__ import annotations

import pytest

from grader.build import Built
from grader.build.simulated import build_simulated as build
from grader.checks.source import check
from grader.checks.syntax import SIZE_LIMIT
from grader.results import Verdict
from grader.source import SourceFile
from grader.spec.kinds.handed_in import SourceRules
from grader.spec.model import Spec
from tests.grading.small import submission

SPEC = Spec.model_validate(
    {
        "assignment": "x",
        "title": "X",
        "program": {"language": "lc3", "sources": ["p.asm"]},
        "rubric": [{"id": "a", "title": "A", "points": 1}],
        "cases": [{"id": "c", "title": "C", "source": {"builds": True}}],
    }
)
SOURCE = """.ORIG x3000
; says hello
START  lea r0, TEXT
       puts        ; print it
       brnzp START
TEXT   .stringz "x"
       .END
"""


def codes(source: str = SOURCE, **rules):
    """The slugs of what the rules find."""
    return [f.code for f in check(SourceRules.model_validate(rules), build(SPEC, submission(source)))[1]]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({"required": ["PUTS", "BRnzp", ".STRINGZ"]}, []),
        ({"required": ["JSR"]}, ["missing-construct"]),
        ({"forbidden": ["IN"]}, []),
        ({"forbidden": ["puts"]}, ["forbidden-construct"]),
        ({"labels": ["start", "TEXT"]}, []),
        ({"labels": ["MAIN"]}, ["missing-label"]),
        ({"comments": "1/2"}, []),
        ({"comments": "3/4"}, ["few-comments"]),
    ],
)
def test_rules(rules, expected):
    """Constructs, labels and the share of comments are found whatever their case."""
    assert codes(**rules) == expected


def test_a_forbidden_construct_has_a_place():
    """The finding points at the first use."""
    (finding,) = check(SourceRules(forbidden=("PUTS",)), build(SPEC, submission(SOURCE)))[1]
    assert finding.place == "p.asm:4:8"


def test_what_does_not_build_has_its_diagnostics():
    """Only a case that asks whether it builds fails by that; others still read the source."""
    broken = build(SPEC, submission(SOURCE.replace("TEXT   ", "TXT    ")))
    assert check(SourceRules(builds=True), broken)[0] is Verdict.COMPILE_ERROR
    assert check(SourceRules(required=("PUTS",)), broken)[0] is Verdict.ACCEPTED


def test_sources_of_other_languages_are_read_by_their_syntax():
    """All files of the program together, whether or not they build."""
    sources = (SourceFile("main.c", "int main(void) { return f(); }"), SourceFile("f.c", "int f(void) { return 0; }"))
    for verdict in (Verdict.ACCEPTED, Verdict.COMPILE_ERROR):
        built = Built(verdict, "c", sources=sources)
        assert check(SourceRules(functions=1), built) == (Verdict.ACCEPTED, ())
        (finding,) = check(SourceRules(functions=2), built)[1]
        assert finding.code == "few-functions"
        assert check(SourceRules(functions=2), built)[0] is Verdict.WRONG_ANSWER


def test_a_source_that_cannot_be_read_needs_a_person():
    """It may well keep the rules, so it loses nothing."""
    built = Built(Verdict.ACCEPTED, "c", sources=(SourceFile("main.c", " " * (SIZE_LIMIT + 1)),))
    verdict, findings = check(SourceRules(functions=1), built)
    assert verdict is Verdict.NEEDS_REVIEW
    assert [finding.code for finding in findings] == ["unread-source"]

"""The same mistake in several submissions, and one decision for all."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.batch.decisions import FILE_NAME, load_decisions
from grader.batch.engine import engine
from grader.batch.inputs import Inputs
from grader.batch.store import open_store
from grader.batch.values import Call, Graded, Owner
from grader.cli.main import cli
from grader.errors import GraderError, SpecError
from grader.grading.deciding import Decision, decide, key_of, mistakes
from grader.grading.rescoring import Scoring
from grader.grading.trial import unmet
from grader.report.record import dump
from grader.results import CaseResult, Finding, Grade, Provenance, Verdict, Visibility, Weight
from grader.scoring import score
from grader.spec.loader import Assignment, load_assignment

SPEC = """
assignment: small
title: The first board
submission: {required: [nim.asm]}
program: {language: lc3, sources: [nim.asm]}
rubric:
  - {id: board, points: 6, title: The board}
  - {id: after, points: 4, title: What comes after}
cases:
  - {id: board, title: The board is shown, criterion: board, transcript: "A"}
  - {id: after, title: It goes on, criterion: after, requires: [board], transcript: "B"}
"""
WRONG = Finding("text", "the text differs, after B2", 2, expected="ROW·A", actual="ROW·B")


@pytest.fixture
def assignment(tmp_path) -> Assignment:
    """A case that requires another."""
    path = tmp_path / "small.yaml"
    path.write_text(SPEC, encoding="utf-8")
    return load_assignment(path)


def failed(assignment: Assignment, *findings: Finding) -> tuple[CaseResult, ...]:
    """The first case failed, the second was not run for that."""
    board, after = assignment.spec.cases
    skipped = Finding("skipped", "not run: it requires “The board is shown” (board)")
    return unmet(board, Verdict.WRONG_ANSWER, *(findings or (WRONG,))), unmet(after, Verdict.SKIPPED, skipped)


def test_findings_that_are_alike_have_one_name(assignment):
    """What was typed before does not count, nor numbers in a message; the difference and the criterion do."""
    board, after = failed(assignment)
    later = replace(WRONG, message="the text differs, after C3, A1", turn=3, typed=("C3", "A1"))
    assert key_of(board, WRONG) == key_of(board, later)
    assert key_of(board, WRONG) != key_of(board, replace(WRONG, actual="ROW·C"))
    assert key_of(board, WRONG) != key_of(after, WRONG)
    bare = replace(WRONG, expected="", actual="", message="takes 3 of 5 stones, after B2")
    other = replace(bare, message="takes 4 of 7 stones, at the start")
    assert key_of(board, bare) == key_of(board, other)
    assert [one.key for one in mistakes(failed(assignment, WRONG, later))] == [key_of(board, WRONG)]


def test_an_accepted_mistake_fails_nothing(assignment):
    """The case is met, the grade says so, and what was not run since it required the case is for a person."""
    cases = failed(assignment)
    assert score(assignment.spec, cases).score == 0
    done = decide(assignment.spec, cases, {key_of(cases[0], WRONG): Decision(accept=True, why="left open")})
    assert [(case.verdict, case.met) for case in done.cases] == [
        (Verdict.ACCEPTED, True),
        (Verdict.NEEDS_REVIEW, False),
    ]
    assert "accepted, “left open”" in done.said[0].message
    points = score(assignment.spec, done.cases, prices=done.prices)
    assert (points.score, points.open_points) == (6, 4)


def test_a_priced_mistake_costs_its_price_once(assignment):
    """The case counts as met, and the price is taken off its criterion."""
    cases = failed(assignment)
    done = decide(assignment.spec, cases, {key_of(cases[0], WRONG): Decision(price=Fraction(3, 2))})
    points = score(assignment.spec, done.cases, prices=done.prices)
    assert points.score == 4.5
    assert points.criteria[0].reason == "1.5 taken off by a decision of staff"


def test_a_comment_changes_no_points(assignment):
    """It stands beside the finding, and in the grade."""
    cases = failed(assignment)
    done = decide(assignment.spec, cases, {key_of(cases[0], WRONG): Decision(comment="See the example.")})
    assert [case.verdict for case in done.cases] == [Verdict.WRONG_ANSWER, Verdict.SKIPPED]
    assert "See the example." in done.cases[0].findings[0].message


def test_another_mistake_in_the_case_still_fails_it(assignment):
    """A decision speaks of one mistake alone; where later turns differ as well a person decides."""
    other = replace(WRONG, code="missing-row", actual="")
    later = Finding("later-turns", "2 later turns differ, too", weight=Weight.NOTE)
    for findings, verdict in (((WRONG, other), Verdict.WRONG_ANSWER), ((WRONG, later), Verdict.NEEDS_REVIEW)):
        cases = failed(assignment, *findings)
        done = decide(assignment.spec, cases, {key_of(cases[0], WRONG): Decision(accept=True)})
        assert (done.cases[0].verdict, done.cases[0].met) == (verdict, False)


def test_a_decision_on_a_hidden_case_gives_nothing_of_it_away(assignment):
    """What the grade says of it is for the student, too."""
    cases = [replace(case, visibility=Visibility.HIDDEN) for case in failed(assignment)]
    done = decide(assignment.spec, cases, {key_of(cases[0], WRONG): Decision(accept=True)})
    assert "the text differs" not in done.said[0].message
    assert "The board is shown" in done.said[0].message


def test_what_is_not_concerned_is_untouched(assignment):
    """A decision on another mistake leaves the results as they are."""
    cases = failed(assignment)
    done = decide(assignment.spec, cases, {"m0000000": Decision(accept=True)})
    assert (done.cases, done.prices, done.said) == (cases, {}, ())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("m1: {accept: perhaps}\n", "`accept` is true or false"),
        ("m1: {accept: true, price: 1}\n", "either accepted or has a price"),
        ("m1: {price: much}\n", "is not a number"),
        ("m1: {why: so}\n", "nothing is decided"),
        ("m1: {acept: true, comment: x}\n", "`acept` is no part of a decision"),
        ("m1: yes\n", "needs a decision"),
        ("- m1\n", "names of mistakes are expected"),
    ],
)
def test_a_wrong_file_is_refused_with_its_place(tmp_path, text, said):
    """Every problem is named."""
    path = tmp_path / FILE_NAME
    path.write_text(text)
    with pytest.raises(SpecError, match=said) as refused:
        load_decisions(path)
    assert f"{FILE_NAME}:1:" in str(refused.value)


def batch_of(folder: Path, assignment: Assignment, names: list[str]) -> Path:
    """The folder of a batch in which all of these made the same mistake."""
    out, scoring = folder / "out", Scoring(assignment)
    out.mkdir()
    provenance = Provenance("", "", "1", 0)
    judged = Grade("small", "", "x", "", 0, 0, False, 0, (), failed(scoring.judged), provenance)
    inputs = Inputs("small", assignment.fingerprint, scoring.judged.fingerprint, engine(), {n: n for n in names})
    owners = tuple(Owner(name, name, name, "", name) for name in names)
    with open_store(out / "grades.db") as store:
        store.begin(Call(inputs, owners, str(assignment.path), (str(folder),)))
        for name in names:
            store.add(Graded(name, name, False, dump(judged), "page", 0.0))
    return out


def test_one_decision_serves_all(tmp_path, assignment):
    """The command lists the mistake with its number, decides, and writes reports in which each grade says so; later calls keep it."""
    out = batch_of(tmp_path, assignment, ["PB1", "PB2", "PB3"])
    key = key_of(failed(assignment)[0], WRONG)
    runner = CliRunner()
    listed = runner.invoke(cli, ["decide", str(out)], catch_exceptions=False).output
    assert f"{key}  3 submissions: the text differs" in listed
    assert "expected ROW·A │ found ROW·B" in listed
    words = ["decide", str(out), key, "--price", "1.5", "--why", 'the text is "vague": # see']
    assert "3 submissions: PB1, PB2, PB3" in runner.invoke(cli, words, catch_exceptions=False).output
    assert load_decisions(out / FILE_NAME)[key] == Decision(price=Fraction(3, 2), why='the text is "vague": # see')
    for name in ("students/PB2.html", "staff/PB3.html", "grades.csv", "grades.json", "index.html"):
        assert "costs 1.5" in (out / name).read_text("utf-8")
    assert (out / "grades.csv").read_text("utf-8").count(",4.5,10,") == 3
    before = {path: path.read_bytes() for path in out.rglob("*.*ml")}
    runner.invoke(cli, ["mark", str(out), "--no-ask"], catch_exceptions=False)
    assert {path: path.read_bytes() for path in out.rglob("*.*ml")} == before
    with pytest.raises(GraderError, match="there is a decision"):
        runner.invoke(cli, words, catch_exceptions=False, standalone_mode=False)
    with pytest.raises(GraderError, match="no mistake is called m9"):
        runner.invoke(cli, ["decide", str(out), "m9", "--accept"], catch_exceptions=False, standalone_mode=False)

"""Sentences that several reports share."""

from dataclasses import replace

import pytest

from grader import results
from grader.report import words
from grader.results import Charge, CriterionResult, Finding, Status, Verdict, Visibility, Weight
from tests.report.sample_grades import (
    case,
    compile_error,
    complete,
    full_marks,
    judge_error,
    runtime_error,
    wrong_answer,
)

CRITERION = CriterionResult("c", "C", 4.5, 6, Status.GRADED, reason="1 of 4 cases failed")


@pytest.mark.parametrize(
    ("points", "text"), [(20, "20"), (20.0, "20"), (17.5, "17.5"), (0, "0"), (-0.0, "0"), (-2, "-2")]
)
def test_points_are_written_as_people_do(points: float, text: str) -> None:
    """A whole number has no decimals."""
    assert words.number(points) == text


def test_differences_of_points_are_exact() -> None:
    """20 less 17.9 is 2.1, and 1 less 0.9 and 0.1 is the whole number 0."""
    assert results.exact(20, 17.9) == 2.1
    assert repr(results.exact(1, 0.9, 0.1)) == "0"


@pytest.mark.parametrize(
    ("change", "text", "loses"),
    [
        ({}, "4.5 / 6", True),
        ({"points": 6}, "6 / 6", False),
        ({"points": None, "status": Status.MANUAL}, "open / 6", False),
        ({"kind": "bonus", "points": 0}, "+0 / 6", False),
        ({"kind": "deduction"}, "-1.5", True),
        ({"kind": "deduction", "points": 6}, "0", False),
    ],
)
def test_points_of_every_kind_of_criterion(change: dict[str, object], text: str, loses: bool) -> None:
    """Points, open points, a bonus and a deduction each have their form, and a bonus is never lost."""
    criterion = replace(CRITERION, **change)  # type: ignore[arg-type]
    assert words.points_of(criterion) == text
    assert words.loses(criterion) is loses


def test_the_reason_is_told_only_where_points_are_missing() -> None:
    """Full points need no reason; open ones always have one."""
    assert words.why(CRITERION) == "1 of 4 cases failed"
    assert words.why(replace(CRITERION, points=6)) == ""
    assert words.why(replace(CRITERION, points=None, status=Status.MANUAL, reason="")) == "A person grades this"


@pytest.mark.parametrize(
    ("grade", "text"),
    [
        (full_marks(), "90 of 100 points, 10 still open"),
        (complete(), "100 of 100 points"),
        (replace(full_marks(), open_points=0), "90 of 100 points; not complete"),
        (replace(complete(), score=1, max_points=1), "1 of 1 point"),
    ],
)
def test_the_score_says_what_is_open(grade: object, text: str) -> None:
    """A score that is not final says so."""
    assert words.score_line(grade) == text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("most", "later", "text"),
    [
        (10, 10, "8 of 10 points; 10 more are judged after you hand in"),
        (10, 0, "8 of 10 points"),
        (0, 20, "no points are judged before you hand in, and 20 points after"),
    ],
)
def test_the_score_says_what_is_judged_later(most: int, later: int, text: str) -> None:
    """If nothing is judged before the handing in, it is not called 0 of 0."""
    assert words.score_line(replace(complete(), score=min(8, most), max_points=most), later=later) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("the text differs", "The text differs"),
        ("nothing", "Nothing"),
        ("nim.asm is missing", "nim.asm is missing"),
        ("", ""),
    ],
)
def test_a_name_keeps_its_case(text: str, said: str) -> None:
    """A sentence begins with a capital, unless it begins with the name of a file."""
    assert words.sentence(text) == said


def test_a_program_that_does_not_build_comes_first() -> None:
    """What keeps everything from running is to be fixed before a case that stands earlier."""
    early = case("early", Verdict.WRONG_ANSWER)
    grade = compile_error()
    advice = words.fix_first(replace(grade, cases=(early, *grade.cases)))
    assert advice is not None
    assert advice.case.verdict is Verdict.COMPILE_ERROR


def test_a_defect_comes_before_slips() -> None:
    """A case that fails is to be fixed before cases with nothing but slips."""
    advice = words.fix_first(wrong_answer())
    assert advice is not None
    assert advice.case.id == "refuses-wrong-row"
    assert advice.finding is not None
    assert advice.finding.weight is Weight.DEFECT


def test_a_visible_case_comes_before_a_hidden_one() -> None:
    """A case that the student cannot see is no use as the first thing to fix."""
    hidden = case("hidden", Verdict.WRONG_ANSWER, visibility=Visibility.HIDDEN)
    advice = words.fix_first(replace(full_marks(), cases=(hidden, case("seen", Verdict.WRONG_ANSWER))))
    assert advice is not None
    assert advice.case.id == "seen"


def test_the_dearest_case_comes_first() -> None:
    """A case without a criterion on which many rest comes before an earlier and cheaper one, whatever is a slip."""
    cheap, dear = case("cheap", Verdict.WRONG_ANSWER, price=2), case("plays", Verdict.NOT_SHOWN, price=60)
    slips = case("echo", Verdict.FORM, met=True, price=3)
    for cases, first in (
        ((cheap, slips, dear), "plays"),
        ((cheap, slips), "echo"),
        ((cheap, replace(slips, price=2)), "cheap"),
    ):
        advice = words.fix_first(replace(full_marks(), cases=cases))
        assert advice is not None
        assert advice.case.id == first


def test_of_one_slip_the_case_that_is_there_for_it_comes_first() -> None:
    """Several cases show the slip at one price: the one whose criterion pays for it has the hint."""
    charge = Charge("echo", 3, ("first-move", "echo"), "“C1” does not appear when it is typed")
    paying = CriterionResult("echo", "Echo", 0, 3, Status.GRADED, (charge,))
    cases = (
        case("first-move", Verdict.FORM, met=True, price=3, criterion="format"),
        case("echo", Verdict.FORM, met=True, price=3, criterion="echo"),
    )
    advice = words.fix_first(replace(full_marks(), criteria=(paying,), cases=cases))
    assert advice is not None
    assert advice.case.id == "echo"


def test_a_place_stands_first() -> None:
    """A crash names its line before all else; a message that begins with it does not say it twice."""
    crash = Finding("exception", "uncaught exception: X", turn=6, place="Nim.java:158")
    pdf = Finding("broken-pdf", "report.pdf cannot be opened as a PDF", place="report.pdf")
    note = Finding("wunused", "unused variable", weight=Weight.NOTE, place="main.c:3:1")
    failed = case("a", Verdict.RUNTIME_ERROR, findings=(crash, pdf, note), again="", ending="")
    assert [line.text for line in words.tell(failed)] == [
        "Nim.java:158: turn 6: uncaught exception: X",
        "report.pdf cannot be opened as a PDF",
        "note: main.c:3:1: unused variable",
    ]


def test_a_proof_of_nothing_is_not_told() -> None:
    """“Proved over all 0 positions” read as if there were something to judge."""
    occasions = (results.Occasion("turns", 0, 3),)
    one = case("a", Verdict.UNJUDGED, occasions=occasions, proof=results.Proof("positions", 1, 1))
    assert words.basis(one).startswith("proved over all 1 positions")
    assert words.basis(replace(one, proof=results.Proof("positions", 0, 0))) == "not seen: turns"


def test_what_is_not_seen_is_told_where_a_case_lacks_it() -> None:
    """A fault that a game shows stands without it: a crash at a move was told beside “not seen: moves”."""
    occasions = (results.Occasion("moves", 0, 3),)
    shows = case(
        "a", Verdict.OUTPUT_LIMIT, findings=(Finding("output-limit", "it prints", turn=2),), occasions=occasions
    )
    lacks = replace(shows, findings=(Finding(results.NOT_SHOWN, "too few moves"),))
    assert [words.basis(one) for one in (shows, lacks)] == ["", "not seen: moves"]


def test_what_nobody_said_is_not_shown_as_nothing() -> None:
    """If it is not known what is expected, only the output stands there."""
    failed = case(
        "a", Verdict.WRONG_ANSWER, findings=(Finding("not-said", "it differs", actual="got·a"),), again="", ending=""
    )
    assert [line.role for line in words.tell(failed)] == ["finding", "actual"]


def test_remarks_are_the_notes_on_accepted_cases() -> None:
    """Each once, and none on how the program was understood; notes on failed cases stand there."""
    warning = Finding(
        "wunused", "unused variable", weight=Weight.NOTE, place="main.c:3:1", hint="Use it.", excerpt="3 | int a;"
    )
    learned = Finding("own-words", "it is followed in words of its own", weight=Weight.NOTE)
    cases = (
        case("compiles", findings=(warning, learned)),
        case("again", findings=(warning,)),
        case("failed", Verdict.WRONG_ANSWER, findings=(replace(warning, message="other"),)),
    )
    ((of, finding),) = words.remarks(replace(full_marks(), cases=cases))
    assert (of.id, finding) == ("compiles", warning)
    assert [line.text for line in words.remark(finding)] == [
        "note: main.c:3:1: unused variable",
        "3 | int a;",
        "hint: Use it.",
    ]


@pytest.mark.parametrize("grade", [full_marks(), judge_error()])
def test_nothing_to_fix(grade: object) -> None:
    """Neither full marks nor our own error leave anything for the student to fix."""
    assert words.fix_first(grade) is None  # type: ignore[arg-type]


def test_a_case_is_told_in_full() -> None:
    """An account holds turn, inputs, place, source, steps, hint, ending and the command."""
    roles = [line.role for line in words.tell(runtime_error().cases[2])]
    assert roles == [
        "finding",
        "inputs",
        "source",
        "source",
        "step",
        "step",
        "step",
        "step",
        "hint",
        "ending",
        "again",
    ]


def test_many_inputs_are_cut_at_the_front() -> None:
    """The last dozen of more inputs are told."""
    twelve, thirteen = (Finding("x", "y", typed=tuple(map(str, range(n)))) for n in (12, 13))
    assert words.inputs(twelve) == "0 1 2 3 4 5 6 7 8 9 10 11"
    assert words.inputs(thirteen) == "… 1 2 3 4 5 6 7 8 9 10 11 12"


def test_every_verdict_has_a_phrase() -> None:
    """No verdict is without words."""
    assert set(words.PHRASES) == set(Verdict)


def test_an_ending_is_not_told_twice() -> None:
    """How a run ended is a line of its own only where no finding says the same."""
    crashed = case("a", Verdict.RUNTIME_ERROR, findings=(Finding("signal", "it was ended"),), ending="it was ended")
    assert [line.text for line in words.tell(crashed)] == [
        "it was ended",
        "see it again: grader run nim.asm --input B2A1",
    ]
    assert "ending: it waits" in [line.text for line in words.tell(replace(crashed, ending="it waits"))]


def test_what_is_the_same_is_told_once() -> None:
    """Cases that wait for a person by one finding are told together, and so are errors of ours."""
    unread = Finding("unread", "what it asks for could not be read: “Bid?”")
    waiting = [case(name, Verdict.NEEDS_REVIEW, findings=(unread,)) for name in ("one", "two")]
    other = case("three", Verdict.NEEDS_REVIEW, findings=(replace(unread, message="something else"),))
    ours = case("four", Verdict.JUDGE_ERROR, findings=(unread,))
    silent = [case(name, Verdict.NEEDS_REVIEW) for name in ("five", "six")]
    groups = words.once([*waiting, other, ours, *silent])
    assert [(g.case.id, [c.id for c in g.alike], g.number) for g in groups] == [
        ("one", ["two"], 2),
        ("three", [], 1),
        ("four", [], 1),
        ("five", [], 1),
        ("six", [], 1),
    ]

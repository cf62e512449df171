"""The same mistake in several submissions, and one decision for all."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.batch.decisions import FILE_NAME, decisions_in
from grader.batch.opening import opened_batch
from grader.batch.summary import Summary
from grader.bundled import spec_path
from grader.cli.main import cli
from grader.errors import GraderError, SpecError
from grader.grading.deciding import Decision, Decisions, Names, Scoring, decide, mistakes
from grader.grading.trial import unmet
from grader.results import CaseResult, Finding, Grade, Provenance, Verdict, Visibility, Weight
from grader.scoring import score
from grader.spec.loader import Assignment, load_assignment
from tests.batch.judged import batch_of

KEPT = Path(__file__).parent / "kept"
"""Decisions as the first version wrote them, whose names were made of our sentences."""

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


def key_of(assignment: Assignment, case: CaseResult, finding: Finding) -> str:
    """The name of the variant that a finding is of."""
    return Names(assignment.spec).variant(case, finding)


def test_variants_are_told_apart_by_the_texts_of_the_program(assignment):
    """Texts and names such as a label count; our sentence and what was typed before do not."""
    board, after = failed(assignment)
    later = replace(WRONG, message="another sentence, after C3, A1", turn=3, typed=("C3", "A1"))
    assert key_of(assignment, board, WRONG) == key_of(assignment, board, later)
    assert key_of(assignment, board, WRONG) != key_of(assignment, board, replace(WRONG, actual="ROW·C"))
    assert key_of(assignment, board, WRONG) != key_of(assignment, after, WRONG)
    bare = replace(WRONG, expected="", actual="", message="takes 3 of 5 stones, after B2")
    assert key_of(assignment, board, bare) == key_of(assignment, board, replace(bare, message="3 stones are gone"))
    label = replace(bare, subject=("SHOWROW", "R1"))
    assert key_of(assignment, board, label) != key_of(assignment, board, replace(label, subject=("SHOWROW", "R2")))
    assert [one.key for one in mistakes(assignment.spec, failed(assignment, WRONG, later))] == [
        key_of(assignment, board, WRONG)
    ]


def test_variants_of_a_group_share_its_name(assignment):
    """The code, the criterion and the kind of defect make a group, whatever the texts are."""
    names = Names(assignment.spec)
    board, after = failed(assignment)
    assert names.group(board, WRONG) == names.group(board, replace(WRONG, actual="ROW·C", subject=("A",)))
    assert names.group(board, WRONG) != names.group(board, replace(WRONG, code="missing-row"))
    assert names.group(board, WRONG) != names.group(after, WRONG)


def test_words_that_could_not_be_read_are_a_matter_of_their_own(assignment):
    """Two programs whose words nobody could read are no variant of one mistake, though we say the same of both."""
    board, _ = failed(assignment)
    unread = [Finding("unread", f"no winner could be read in “{words}”") for words in ("Bravo!", "Fertig!")]
    open_case = replace(board, verdict=Verdict.NEEDS_REVIEW, findings=tuple(unread))
    assert len(mistakes(assignment.spec, [open_case])) == 2


def test_an_accepted_mistake_fails_nothing(assignment):
    """The case is met, the grade says so, and what was not run since it required the case is for a person."""
    cases = failed(assignment)
    assert score(assignment.spec, cases).score == 0
    done = decide(assignment.spec, cases, {key_of(assignment, cases[0], WRONG): Decision(accept=True, why="left open")})
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
    done = decide(assignment.spec, cases, {key_of(assignment, cases[0], WRONG): Decision(price=Fraction(3, 2))})
    points = score(assignment.spec, done.cases, prices=done.prices)
    assert points.score == 4.5
    assert points.criteria[0].reason == "1.5 taken off by a decision of staff"


def test_a_comment_changes_no_points(assignment):
    """It stands beside the finding, and in the grade."""
    cases = failed(assignment)
    done = decide(assignment.spec, cases, {key_of(assignment, cases[0], WRONG): Decision(comment="See the example.")})
    assert [case.verdict for case in done.cases] == [Verdict.WRONG_ANSWER, Verdict.SKIPPED]
    assert "See the example." in done.cases[0].findings[0].message


def test_another_mistake_in_the_case_still_fails_it(assignment):
    """A decision speaks of one mistake alone; where later turns differ as well a person decides."""
    other = replace(WRONG, code="missing-row", actual="")
    later = Finding("later-turns", "2 later turns also differ", weight=Weight.NOTE)
    for findings, verdict in (((WRONG, other), Verdict.WRONG_ANSWER), ((WRONG, later), Verdict.NEEDS_REVIEW)):
        cases = failed(assignment, *findings)
        done = decide(assignment.spec, cases, {key_of(assignment, cases[0], WRONG): Decision(accept=True)})
        assert (done.cases[0].verdict, done.cases[0].met) == (verdict, False)


def test_a_decision_on_a_hidden_case_gives_nothing_of_it_away(assignment):
    """The student also reads the note in the grade."""
    cases = [replace(case, visibility=Visibility.HIDDEN) for case in failed(assignment)]
    done = decide(assignment.spec, cases, {key_of(assignment, cases[0], WRONG): Decision(accept=True)})
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
        decisions_in(tmp_path)
    assert f"{FILE_NAME}:1:" in str(refused.value)


def class_of(folder: Path, assignment: Assignment, names: list[str]) -> Path:
    """The folder of a batch in which all of these made the same mistake."""
    provenance = Provenance("", "", "1", 0)
    cases = failed(Scoring(assignment).judged)
    grade = Grade("small", "", "x", "", 0, 0, False, 0, (), cases, provenance)
    return batch_of(folder, assignment, dict.fromkeys(names, grade))


def invoke(*words: object) -> str:
    """The output of a command; a refusal is raised."""
    done = CliRunner().invoke(cli, [*map(str, words)], catch_exceptions=False, standalone_mode=False)
    return done.output


def test_one_decision_serves_all(tmp_path, assignment):
    """The command lists the mistake with its number, decides, and writes reports in which each grade says so; later calls keep it."""
    out = class_of(tmp_path, assignment, ["PB1", "PB2", "PB3"])
    key = key_of(assignment, failed(assignment)[0], WRONG)
    listed = invoke("decide", out)
    assert f"{key}  30 points, 3 submissions: the text differs" in listed
    assert "expected ROW·A │ found ROW·B" in listed
    words = ("decide", out, key, "--price", "1.5", "--why", 'the text is "vague": # see')
    said = invoke(*words)
    assert said.splitlines()[:3] == [f"PB{n}: 0 (0 open) → 4.5 (4 open)" for n in (1, 2, 3)]
    assert "3 submissions: PB1, PB2, PB3" in said
    made = decisions_in(out)[key]
    assert (made.price, made.why) == (Fraction(3, 2), 'the text is "vague": # see')
    for name in ("students/PB2.html", "staff/PB3.html", "grades.csv", "grades.json", "index.html"):
        assert "costs 1.5" in (out / name).read_text("utf-8")
    assert (out / "grades.csv").read_text("utf-8").count(",4.5,10,") == 3
    before = {path: path.read_bytes() for path in out.rglob("*.*ml")}
    invoke("mark", out, "--no-ask")
    assert {path: path.read_bytes() for path in out.rglob("*.*ml")} == before
    with pytest.raises(GraderError, match="there is a decision"):
        invoke(*words)
    with pytest.raises(GraderError, match="no mistake is called m9"):
        invoke("decide", out, "m9", "--accept")


# ---------------------------------------------------------------------------------- a mistake that several cases show


@pytest.fixture(scope="module")
def nim() -> Assignment:
    """The bundled assignment, whose criterion `invalid` has kinds of defects with two cases each."""
    return load_assignment(spec_path("lc3-nim"))


def results(nim: Assignment, **findings: Finding | tuple[Finding, ...]) -> tuple[CaseResult, ...]:
    """All its cases: accepted, except those with findings."""
    found = {name.replace("_", "-"): one if isinstance(one, tuple) else (one,) for name, one in findings.items()}
    return tuple(
        unmet(case, Verdict.WRONG_ANSWER, *found[case.id])
        if case.id in found
        else replace(unmet(case, Verdict.ACCEPTED), met=True)
        for case in nim.spec.cases
    )


def taken(move: str) -> Finding:
    """The finding where zero rocks are taken."""
    return Finding("zero-taken", f"the program accepts {move}: zero rocks is no valid move", 2, typed=(move,))


def points(nim: Assignment, cases: tuple[CaseResult, ...], decisions: Decisions, criterion: str) -> float | None:
    """The points of a criterion with these decisions."""
    done = decide(nim.spec, cases, decisions)
    return next(c.points for c in score(nim.spec, done.cases, prices=done.prices).criteria if c.id == criterion)


def test_a_decision_holds_in_every_case_of_the_criterion(nim):
    """One point in place of two: the same mistake is not charged once more through the other case that shows it."""
    cases = results(nim, zero=taken("C0"), zero_more=taken("A0"))
    (mistake,) = mistakes(nim.spec, cases)
    assert mistake.cases == ("zero", "zero-more")
    assert points(nim, cases, {}, "invalid") == 27
    assert points(nim, cases, {mistake.key: Decision(price=Fraction(1))}, "invalid") == 28
    assert points(nim, cases, {mistake.key: Decision(accept=True)}, "invalid") == 29


def test_a_slip_is_settled_in_all_cases_at_once(nim):
    """It is charged once to the criterion that pays for it, in whatever cases it is seen, and so it is one variant."""
    slip = Finding("wording", "said otherwise, at the start", weight=Weight.SLIP, expected="choose", actual="chose")
    cases = tuple(
        replace(case, verdict=Verdict.FORM, met=True) if case.findings else case
        for case in results(nim, opening=slip, echo=slip, sample_run=slip)
    )
    (mistake,) = mistakes(nim.spec, cases)
    assert (mistake.criterion, points(nim, cases, {}, "format")) == ("format", 7)
    assert points(nim, cases, {mistake.key: Decision(price=Fraction(1, 2))}, "format") == 7.5
    other = replace(slip, actual="pick")
    assert {one.key for one in mistakes(nim.spec, results(nim, opening=(slip, other)))} > {mistake.key}


def test_a_missing_echo_is_one_mistake_whatever_was_typed(nim):
    """Which key did not appear, and how that is shown, tells nothing apart."""
    told = [
        Finding("echo", f"“{key}” does not appear when it is typed", weight=Weight.SLIP, expected=text, actual=nothing)
        for key, text, nothing in (("C1", "(nothing)", "(nothing)"), ("B2", "B2", ""), ("A1", "A1", "ROW·A:·oo"))
    ]
    (mistake,) = mistakes(nim.spec, results(nim, echo=told[0], first_move=told[1], sample_run=told[2]))
    assert set(mistake.cases) == {"echo", "first-move", "sample-run"}


def clobbered(label: str, registers: str) -> Finding:
    """The finding on a subroutine that does not put registers back."""
    said = f"{label}: {registers} is changed and not restored"
    return Finding("clobbered-register", said, subject=(label, registers))


def test_a_group_is_decided_and_paid_as_one(nim):
    """A decision on a variant settles that alone; one on the group settles all others at one price."""
    cases = results(nim, saved_registers=(clobbered("SHOWROW", "R1"), clobbered("NEXT", "R2")))
    first, second = mistakes(nim.spec, cases)
    assert first.group == second.group
    assert points(nim, cases, {first.key: Decision(accept=True)}, "registers") == 0
    assert points(nim, cases, {first.group: Decision(price=Fraction(1, 2))}, "registers") == 1.5
    both = {first.group: Decision(price=Fraction(1, 2)), second.key: Decision(accept=True)}
    assert points(nim, cases, both, "registers") == 1.5
    assert (
        points(nim, cases, {first.key: Decision(accept=True), second.key: Decision(comment="mind")}, "registers") == 0
    )


def test_a_price_is_not_paid_where_nothing_is_given_back(nim):
    """Another mistake fails the case still: the price would come on top of what is lost anyway."""
    cases = results(nim, saved_registers=(clobbered("SHOWROW", "R1"), clobbered("NEXT", "R2")), too_many=taken("C9"))
    key = mistakes(nim.spec, cases)[-1].key
    only = {key: Decision(price=Fraction(1))}
    assert decide(nim.spec, cases, only).prices == {}


def sentences_of_old() -> dict[str, Finding]:
    """The findings on which the kept decisions were made, as they were told then."""
    return {
        "zero": taken("C0"),
        "saved_registers": replace(clobbered("SHOWBOARD", "R1"), subject=()),
        "echo": Finding("echo", "“C1” does not appear", weight=Weight.SLIP, expected="(nothing)", actual="(nothing)"),
        "opening": Finding("trailing-blank", "x", weight=Weight.SLIP, expected="ROW·A:·ooo", actual="ROW·A:·ooo·"),
    }


@pytest.mark.parametrize("reworded", [False, True])
def test_decisions_of_an_earlier_version_hold(nim, reworded):
    """Their names were made of our sentences; they are found by what they are about, also where we say it in other words now."""
    held = sentences_of_old()
    if reworded:
        held = {name: replace(one, message="We say it in other words now") for name, one in held.items()}
        held["saved_registers"] = replace(held["saved_registers"], subject=("SHOWBOARD", "R1"))
        held["echo"] = replace(held["echo"], expected="C1", actual="ROW·A:")
    done = decide(nim.spec, results(nim, **held), decisions_in(KEPT))
    assert [len(case.findings) for case in done.cases if case.findings and case.met] == [1, 1, 1, 1]
    assert len(done.said) == 4
    other = replace(clobbered("NEXT", "R1"), message="We say it in other words now")
    assert decide(nim.spec, results(nim, saved_registers=other), decisions_in(KEPT)).said == ()


def graded(folder: Path, nim: Assignment, handed_in: dict[str, tuple[CaseResult, ...]]) -> Path:
    """The folder of a batch with these results."""
    judged = {}
    for name, cases in handed_in.items():
        flagged = [one for one in cases if one.verdict is Verdict.NEEDS_REVIEW and one.criterion is None]
        review = tuple(f"{one.title}: {one.findings[0].message}" for one in flagged)
        provenance = Provenance("", "", "1", 0)
        judged[name] = Grade(nim.id, "", name, "", 0, 0, False, 0, (), cases, provenance, review=review)
    return batch_of(folder, nim, judged)


def test_the_list_groups_and_tells_the_dearest_first(tmp_path, nim):
    """Variants stand below their group; what costs nothing has a heading of its own, and what most of a class has comes last."""
    label = replace(unmet(nim.spec.case("archive-name"), Verdict.NEEDS_REVIEW), findings=())
    named = Finding("archive-name", "it was handed in as “nim”", subject=("nim",))
    ended = Finding("ended-early", "the program ends where it should ask for input")

    def handed_in(**findings):
        cases = results(nim, **findings)
        return tuple(replace(label, findings=(named,)) if one.id == "archive-name" else one for one in cases)

    out = graded(
        tmp_path,
        nim,
        {
            "a": handed_in(saved_registers=clobbered("SHOWROW", "R1")),
            "b": handed_in(saved_registers=clobbered("NEXT", "R1"), sample_run=ended),
            "c": handed_in(zero=taken("C0"), zero_more=taken("A0"), sample_run=ended),
            "d": handed_in(winner=Finding("wrong-winner", "the wrong player wins")),
            "e": handed_in(),
        },
    )
    lines = invoke("decide", out).splitlines()
    heads = [
        line.split("  ", 1)[1] if line.startswith(("m", "g")) and "  " in line else line
        for line in lines
        if line[:1].strip()
    ]
    assert heads == [
        "9 points, 1 submission: the wrong player wins",
        "4 points, 2 submissions: 2 variants of clobbered-register, registers",
        "2 points, 1 submission: the program accepts C0: zero rocks is no valid move",
        "at no cost:",
        "2 submissions: the program ends where it should ask for input",
        "most of the class, at no cost:",
        "5 submissions: it was handed in as “nim”",
    ]
    assert sum(line.startswith("  m") for line in lines) == 2
    assert invoke("decide", out, lines[3].split()[0], "--all", "--accept", "--why", "advice").splitlines() == [
        "a: 88 → 90",
        "b: 88 → 90",
        "decided for 2 submissions: a, b",
    ]


def test_a_price_that_lowers_a_grade_wants_to_be_said_twice(tmp_path, nim):
    """It is refused with the grades that would fall, and nothing is written; with `--yes` it is decided."""
    out = graded(tmp_path, nim, {"a": results(nim, zero=taken("C0")), "b": results(nim)})
    (mistake,) = mistakes(nim.spec, results(nim, zero=taken("C0")))
    words = ["decide", out, mistake.key, "--price", "5"]
    refused = CliRunner().invoke(cli, [*map(str, words)])
    assert isinstance(refused.exception, GraderError) or refused.exit_code == 2
    assert "a: 88 → 85" in refused.output
    assert not (out / FILE_NAME).exists()
    assert invoke(*words, "--yes").splitlines()[0] == "a: 88 → 85"
    assert decisions_in(out)[mistake.key].price == 5


def test_to_look_at_means_a_decision(tmp_path, nim):
    """Both pages tell once what most of a class has, and it counts for nobody; a zero waits for a person."""
    named = Finding("archive-name", "it was handed in as “nim”", subject=("nim",))
    label = Finding("undefined-label", "there is no label RERTY", subject=("RERTY",))
    archive = replace(unmet(nim.spec.case("archive-name"), Verdict.NEEDS_REVIEW), findings=(named,))
    right = tuple(archive if one.id == "archive-name" else one for one in results(nim))
    broken = tuple(
        replace(one, verdict=Verdict.COMPILE_ERROR, met=False, findings=(label,))
        if one.id == "assembles"
        else replace(one, verdict=Verdict.SKIPPED, met=False, findings=())
        for one in right
    )
    out = graded(tmp_path, nim, {"a": right, "b": right, "c": right, "d": right, "e": results(nim), "f": broken})
    invoke("mark", out, "--no-ask")
    pages = {name: (out / name).read_text("utf-8") for name in ("index.html", "review.html")}
    for text in pages.values():
        assert "<li>4 of 6: " in text
        assert text.count("it was handed in as “nim”") == 1
        assert 'There is no label RERTY</bdi>: <a href="staff/f.html">' in text
    assert '<dt>to look at</dt><dd class="open">1</dd>' in pages["index.html"]
    with opened_batch(out) as opened:
        summary = Summary.of(opened, 1)
    assert "6 submissions graded, 1 to look at" in summary.sentence()


def test_another_finding_is_another_item(tmp_path, nim):
    """A report that cannot be opened is not “the same” as one that is missing, whatever case both belong to."""
    kinds = {"a": ("missing-file", "report.pdf is missing"), "b": ("broken-pdf", "report.pdf cannot be opened")}
    kinds |= {"c": kinds["a"]}
    handed = {}
    for name, (code, message) in kinds.items():
        found = replace(unmet(nim.spec.case("report-pdf"), Verdict.NEEDS_REVIEW), findings=(Finding(code, message),))
        handed[name] = tuple(found if one.id == "report-pdf" else one for one in results(nim))
    out = graded(tmp_path, nim, handed)
    invoke("mark", out, "--no-ask")
    text = (out / "review.html").read_text("utf-8")
    assert "report.pdf cannot be opened" in text.casefold()
    assert text.count("The same for") == 1
    assert 'The same for <a href="staff/c.html">' in text

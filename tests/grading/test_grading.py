"""Grading a submission: building, requirements, profiles, choices of cases, and faults of ours."""

from __future__ import annotations

import pytest

from grader.results import Status, Verdict, Weight, for_student
from grader.submission import Form, Submission, SubmittedFile
from tests.grading.small import PROGRAM, REFERENCE, SPEC, grading, submission


def verdicts(grade):
    """Each case's verdict."""
    return {case.id: str(case.verdict) for case in grade.cases}


def test_a_right_program_earns_everything(tmp_path):
    """The reference's twin gets the full score, and the build is the first case of the grade."""
    grade = grading(tmp_path).grade(submission())
    assert (grade.score, grade.max_points, grade.complete) == (10, 10, True)
    assert set(verdicts(grade).values()) == {"accepted"}
    assert list(verdicts(grade)) == ["builds", "start", "two", "ends", "games"]


def test_two_gradings_are_equal(tmp_path):
    """The same submission gets the same grade, in the same process and in a new grading."""
    one = grading(tmp_path)
    assert one.grade(submission()) == one.grade(submission()) == grading(tmp_path).grade(submission())


def test_what_does_not_assemble_says_why_and_skips_the_rest(tmp_path):
    """A compile error is one case's verdict with place and excerpt; the cases that need the program are skipped."""
    grade = grading(tmp_path).grade(submission(PROGRAM.replace("BRz DONE", "BRz DNOE")))
    assert verdicts(grade) == {
        "builds": "compile-error", "start": "skipped", "two": "skipped", "ends": "skipped", "games": "skipped",
    }  # fmt: skip
    finding = grade.cases[0].findings[0]
    assert finding.place == "p.asm:12:13"
    assert "DONE" in finding.hint
    assert "DNOE" in finding.excerpt
    assert grade.score == 0
    assert any("DNOE" in text for text in grade.diagnostics)


@pytest.mark.parametrize(
    ("files", "folders", "hint"),
    [
        ((), (), "put p.asm into"),
        (
            (SubmittedFile("p.exe", b"x"), SubmittedFile("p.asm.txt", b"y")),
            (),
            "there is only p.asm.txt, p.exe; put p.asm",
        ),
        (tuple(SubmittedFile(f"{n}.txt", b"x") for n in range(7)), (), "3.txt, 4.txt, 2 more; put p.asm"),
        ((SubmittedFile("p.asm/readme.txt", b"x"),), ("p.asm",), "is a folder"),
    ],
)
def test_a_missing_file_is_named(tmp_path, files, folders, hint):
    """Without the source the verdict is missing-file, with a hint at what is there instead."""
    grade = grading(tmp_path).grade(Submission("s1", "S", files, folders=folders))
    assert grade.cases[0].verdict is Verdict.MISSING_FILE
    assert hint in grade.cases[0].findings[0].hint


def test_nothing_is_lost_where_there_are_several_programs(tmp_path):
    """If two programs have other names, none is guessed to be the one: all is open, and a person says which counts."""
    two = (SubmittedFile("one.asm", PROGRAM.encode()), SubmittedFile("two.asm", b".ORIG x3000\nHALT\n.END\n"))
    grade = grading(tmp_path).grade(Submission("s1", "S", two))
    assert {case.verdict for case in grade.cases} == {Verdict.NEEDS_REVIEW, Verdict.UNJUDGED}
    assert (grade.open_points, grade.score, {c.points for c in grade.criteria}) == (10, 0, {None})
    assert "one.asm, two.asm" in grade.review[0]


def test_the_case_of_the_name_is_forgiven_and_noted(tmp_path):
    """P.ASM is graded as p.asm, and staff are told."""
    grade = grading(tmp_path).grade(submission(name="P.ASM"))
    assert grade.score == 10
    assert "P.ASM was graded as p.asm" in grade.review[0]


def test_of_two_candidates_the_shallowest_is_graded_and_both_are_named(tmp_path):
    """Different files of one name are for staff to look at; identical ones are one."""
    good, bad = SubmittedFile("a/p.asm", PROGRAM.encode()), SubmittedFile("a/old/p.asm", b".ORIG x3000\nHALT\n.END\n")
    grade = grading(tmp_path).grade(Submission("s1", "S", (bad, good)))
    assert grade.score == 10
    assert "a/old/p.asm" in grade.review[0]
    same = SubmittedFile("b/old/p.asm", PROGRAM.encode())
    assert grading(tmp_path).grade(Submission("s1", "S", (good, same))).review == ()


def test_the_only_program_is_graded_under_another_name(tmp_path):
    """A wrong name is for staff to judge: the program is graded, and they are told."""
    grade = grading(tmp_path).grade(submission(name="lab4.asm"))
    assert grade.score == 10
    assert "lab4.asm was graded as p.asm" in grade.review[0]


def test_a_single_file_may_have_any_name(tmp_path):
    """A student who tries my_nim.asm need not rename it first."""
    assert grading(tmp_path).grade(submission(name="mine.asm", form=Form.FILE)).score == 10


def test_a_slip_is_charged_once_and_the_other_criteria_go_on(tmp_path):
    """A program in upper case loses the price of case once, and all cases count as met."""
    grade = grading(tmp_path).grade(submission(PROGRAM.replace('"bye"', '"BYE"').replace('"got "', '"GOT "')))
    assert grade.score == 9
    assert all(case.met for case in grade.cases)
    assert verdicts(grade)["two"] == "form"


def test_a_failing_case_skips_what_requires_it(tmp_path):
    """A case whose requirement is not met is skipped, and says which."""
    grade = grading(tmp_path).grade(submission(PROGRAM.replace('"got "', '"no "')))
    assert verdicts(grade)["ends"] == "skipped"
    assert "start" in grade.cases[3].findings[0].message


def test_a_game_that_fails_is_shrunk(tmp_path):
    """The smallest game that shows the defect is reported, with how it was found and the command to see it."""
    bad = PROGRAM.replace('NO      .STRINGZ "bad\\n"', 'NO      .STRINGZ "fine\\n"')
    games = grading(tmp_path).grade(submission(bad)).cases[-1]
    assert games.verdict is Verdict.WRONG_ANSWER
    assert [turn.typed for turn in games.turns][:-1] in ([k] for k in "cdef")
    assert games.findings[0].code == "missing-refusal"
    assert "shrunk" in games.findings[-1].message
    assert games.again.startswith("grader run p.asm --input ")


@pytest.mark.parametrize(
    ("broken", "verdict", "code"),
    [
        ("BRnzp LOOP\nBAD", "BRnzp #-1\nBAD", "not-terminating never-ends"),
        ("DONE    LEA R0, BYE", "DONE    LD R0, ASK\n OUT\n BRnzp DONE", "output-limit output-limit"),
        ("        HALT\n", "", "runtime-error data-executed"),
    ],
)
def test_endings_become_verdicts(tmp_path, broken, verdict, code):
    """A loop that is proved endless, a flood, and running into data each have a verdict and a place in the source."""
    grade = grading(tmp_path).grade(submission(PROGRAM.replace(broken, verdict)))
    wanted, slug = code.split()
    result = next(c for c in grade.cases if c.verdict == wanted)
    finding = result.findings[0]
    assert finding.code == slug
    assert finding.place.startswith("p.asm:")
    assert finding.steps


def test_a_flood_is_cut_in_the_result(tmp_path):
    """The kept part of an endless output is bounded and says so."""
    one = grading(tmp_path, spec=SPEC.replace("output: 2000", "output: 20000"))
    grade = one.grade(submission(PROGRAM.replace("DONE    LEA R0, BYE", "DONE    LD R0, ASK\n OUT\n BRnzp DONE")))
    flood = next(c for c in grade.cases if c.verdict is Verdict.OUTPUT_LIMIT)
    assert "characters more" in flood.turns[-1].output
    assert len(flood.turns[-1].output) < 5000


def test_right_under_another_edition_is_right(tmp_path):
    """A program that relies on LEA setting condition codes passes under classic, and the finding names the edition."""
    lea = PROGRAM.replace("LOOP    LEA R0, ASK\n", "LOOP    AND R0, R0, #0\n LEA R0, ASK\n BRz BAD\n")
    grade = grading(tmp_path).grade(submission(lea))
    assert grade.score == 10
    noted = grade.cases[1]
    assert (noted.profile, noted.findings[-1].weight) == ("classic", Weight.NOTE)
    assert "classic" in noted.findings[-1].message
    only_default = grading(tmp_path, spec=SPEC.replace("[default, classic]", "[default]"))
    assert only_default.grade(submission(lea)).score == 0


def test_a_crashing_reference_is_our_fault(tmp_path):
    """A failure on our side is a judge error: the points that rest on it stay open, and no point is lost."""
    grade = grading(tmp_path, reference=REFERENCE.replace('yield "bye"', "raise KeyError(1)")).grade(submission())
    assert verdicts(grade)["ends"] == "judge-error"
    assert verdicts(grade)["two"] == "accepted"
    play = grade.criteria[1]
    assert (play.points, play.open, play.status, grade.open_points) == (2, 4, Status.JUDGE_ERROR, 4)
    assert grade.has_judge_error
    assert not grade.points_lost


def test_a_fault_of_ours_while_building_is_a_judge_error(tmp_path, monkeypatch):
    """The case that builds says what went wrong and where, no other case is skipped, and no point is lost."""

    def broken(*_: object) -> None:
        raise KeyError("a table of ours")

    monkeypatch.setattr("grader.grading.build", broken)
    grade = grading(tmp_path).grade(submission())
    assert set(verdicts(grade).values()) == {"judge-error"}
    assert (grade.points_lost, grade.open_points) == (False, 10)
    (said,) = grade.cases[0].findings
    assert said.message == "the grader failed: KeyError: 'a table of ours'"
    assert said.steps[-1].startswith("broken, line")


def test_many_judge_errors_are_an_alarm(tmp_path):
    """Its place is before all else that staff should look at; a student is told of none."""
    broken = grading(tmp_path, reference=REFERENCE.replace('yield "? "', "raise KeyError(1)")).grade(submission())
    assert broken.review[0] == broken.alarm
    assert broken.alarm.startswith("alarm: the grader failed on 4 of 5 cases, first with “the grader failed: ")
    assert for_student(broken).review == ()
    once = grading(tmp_path, reference=REFERENCE.replace('yield "bye"', "raise KeyError(1)")).grade(submission())
    assert (once.alarm, once.has_judge_error) == ("", True)


def test_what_requires_a_judge_error_is_not_lost_either(tmp_path):
    """A case that could not be run because we failed before is our fault, too, and not skipped."""
    spec = SPEC.replace("requires: [start]", "requires: [two]").replace("id: start", "id: first")
    broken = REFERENCE.replace('key in "ab" else', 'key == "a" else [][0] if key == "b" else')
    assert verdicts(grading(tmp_path, spec=spec, reference=broken).grade(submission()))["ends"] == "judge-error"


def test_chosen_cases_run_alone_with_what_they_require(tmp_path):
    """Only the chosen cases are in the grade; their requirements run silently."""
    one = grading(tmp_path)
    assert verdicts(one.grade(submission(), only={"ends"})) == {"ends": "accepted"}
    failing = submission(PROGRAM.replace('"got "', '"no "'))
    assert verdicts(one.grade(failing, only={"ends"})) == {"ends": "skipped"}


def test_a_case_for_review_costs_nothing(tmp_path):
    """Remarks for staff are needs-review and stand on the review list."""
    spec = SPEC + "  - {id: name, title: Name, review: true, files: {handed_in_as: 'X.*'}}\n"
    grade = grading(tmp_path, spec=spec).grade(submission(handed_in_as="Y.zip", form=Form.ARCHIVE))
    assert (grade.score, grade.complete) == (10, True)
    assert verdicts(grade)["name"] == "needs-review"
    assert "Y" in grade.review[0]
    single = grading(tmp_path, spec=spec).grade(submission(form=Form.FILE))
    assert verdicts(single)["name"] == "unjudged"


def test_a_manual_case_waits_for_a_person(tmp_path):
    """A question for a person leaves its criterion open."""
    spec = SPEC.replace("cases:", "  - {id: report, points: 5, title: Report}\ncases:")
    spec += "  - {id: read, title: Read it, criterion: report, manual: Is it good?}\n"
    grade = grading(tmp_path, spec=spec).grade(submission())
    assert (grade.score, grade.open_points, grade.criteria[2].status) == (10, 5, Status.MANUAL)


def test_other_contents_at_the_start(tmp_path):
    """A program that counts on zeros is told the turn, and the seed that shows it; one that does not is accepted."""
    spec = SPEC + "  - {id: random, title: Random, criterion: play, machine: {play: [a b], start_seeds: [1, 2]}}\n"
    assert grading(tmp_path, spec=spec).grade(submission()).score == 10
    lazy = PROGRAM.replace("LOOP    LEA R0, ASK", "LOOP    ADD R5, R5, #0\n BRnp BAD\n LEA R0, ASK")
    grade = grading(tmp_path, spec=spec).grade(submission(lazy))
    assert verdicts(grade)["two"] == "accepted"
    failed = grade.cases[-1]
    assert (failed.verdict, failed.findings[0].code, failed.findings[0].turn) == ("wrong-answer", "start-dependent", 1)
    assert failed.turns[0].expected == "? "
    assert "--seed 1" in failed.again


WRONG_KEY = PROGRAM.replace(
    "ADD R0, R1, #0\n        OUT\n        LD R0, NL",
    "LD R0, NEGA\n        NOT R0, R0\n        ADD R0, R0, #1\n        OUT\n        LD R0, NL",
)
FORM_ALONE = SPEC.replace("play: a}", "play: b, facts: []}")


@pytest.mark.parametrize(("judging", "failed"), [("", {"two"}), (", facts: []", {"start", "two"})])
def test_what_no_case_charges_is_charged_where_it_is_seen(tmp_path, judging, failed):
    """A case that judges form alone leaves “got a” for “got b” to others; where each of them finds nothing it is charged there."""
    spec = (
        FORM_ALONE.replace("play: a b}", f"play: a b{judging}}}")
        .replace("  - {id: ends", "  #")
        .replace("  - {id: games", "  #")
    )
    grade = grading(tmp_path, spec=spec).grade(submission(WRONG_KEY))
    assert {case.id for case in grade.cases if case.verdict is Verdict.WRONG_ANSWER} == failed
    start = next(case for case in grade.cases if case.id == "start")
    assert [finding.weight for finding in start.findings] == [Weight.DEFECT if "start" in failed else Weight.NOTE]


@pytest.mark.parametrize(("played", "form"), [("a", ("accepted", 4, 0)), ("b", ("unjudged", None, 4))])
def test_a_play_costs_nothing_where_it_shows_only_the_mistake_of_another_case(tmp_path, played, form):
    """“got a” for “got b” is charged by the case of the rule. A play of another turn is right, and one of that turn is not judged."""
    spec = SPEC.replace("play: a}", f"play: {played}, unless: [two]}}").replace("requires: [start]", "requires: [two]")
    grade = grading(tmp_path, spec=spec).grade(submission(WRONG_KEY))
    start, criterion = verdicts(grade)["start"], grade.criteria[0]
    assert (start, criterion.points, criterion.open) == form
    assert verdicts(grade)["two"] == "wrong-answer"


def test_what_is_charged_where_it_is_seen_is_no_slip_of_an_example_as_well(tmp_path):
    """“got a” for “got b” costs the points of the case that saw it, or is a slip of the example if no other case sees it."""
    example = (
        "  - id: example\n    title: Example\n    transcript: |\n      ? ‹b›\n      got b\n      ? ‹q›\n      bye\n"
    )
    alone = SPEC.replace("spacing: 1,", "spacing: 1, wording: 2,")
    alone = alone.replace("play: a}", "play: a, facts: []}").replace("play: a b}", "play: a}")
    alone = alone.replace("  - {id: ends", "  #").replace("  - {id: games", "  #") + example
    seen = alone.replace("play: a, facts: []}", "play: b, facts: []}")
    judged = [grading(tmp_path, spec=spec).grade(submission(WRONG_KEY)) for spec in (alone, seen)]
    assert [[str(one.verdict) for one in grade.cases] for grade in judged] == [
        ["accepted", "accepted", "accepted", "form"],
        ["accepted", "wrong-answer", "accepted", "wrong-answer"],
    ]
    assert [grade.score for grade in judged] == [8, 6]

"""The output of the commands."""

import re
from dataclasses import replace

import pytest

from grader.report import console
from grader.report.document import Later, Look
from grader.results import CHARGED_ELSEWHERE, MANY_ERRORS, Finding, Verdict, Weight, for_student
from tests.report.sample_grades import SAMPLES, case, complete, full_marks, hostile, needs_review, wrong_answer

COLOUR = re.compile("\x1b\\[[0-9;]*m")


@pytest.mark.parametrize("name", SAMPLES)
def test_without_colour_there_is_no_control_code(name: str) -> None:
    """Plain text holds line ends and no other control character, whatever a student printed."""
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", console.render(SAMPLES[name](), verbose=True))


@pytest.mark.parametrize("name", SAMPLES)
def test_colour_changes_no_text(name: str) -> None:
    """Coloured output is the plain one with colour codes, and no code is the student's."""
    plain, coloured = (console.render(SAMPLES[name](), Look(colour=colour)) for colour in (False, True))
    assert COLOUR.search(coloured)
    stripped = COLOUR.sub("", coloured)
    assert [line.rstrip() for line in stripped.splitlines()] == plain.splitlines()
    assert "\x1b" not in stripped


@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_is_wider_than_asked(width: int) -> None:
    """Lines are broken at the width, except commands, which must stay one line to be pasted."""
    lines = console.render(hostile(), Look(width=width)).splitlines()
    assert max(len(line) for line in lines if "see it again: " not in line) <= width


def test_what_to_fix_first_stands_before_the_rest() -> None:
    """The case to fix first is told before an earlier one with slips, and once."""
    text = console.render(wrong_answer())
    assert text.index("What to fix first") < text.index("refuses-wrong-row wrong answer") < text.index("And then")
    assert text.count("refuses-wrong-row wrong answer") == 1


def test_a_long_title_of_a_case_stays_below_its_beginning() -> None:
    """Its second line is indented as the first is."""
    grade = wrong_answer()
    longer = tuple(replace(one, title="a title of many words " * 5) for one in grade.cases)
    lines = console.render(replace(grade, cases=longer), Look(width=60)).split("\n")
    at = next(n for n, line in enumerate(lines) if "a title of" in line)
    assert [line[:2] for line in lines[at : at + 2]] == ["  ", "  "]
    assert lines[at + 1].strip()


def test_a_slip_is_told_once() -> None:
    """A kind of slip that was told is not told again: further cases with no other are named together."""
    text = console.render(wrong_answer())
    assert text.count("slip: turn 2: a blank line is missing") == 1
    assert "the same slips, at no further cost, in long-game" in text


def test_only_some_cases_are_told_in_full() -> None:
    """After six accounts the other cases that failed are a line each."""
    finding = Finding("x", "the text differs", weight=Weight.DEFECT)
    cases = tuple(case(f"c{n}", Verdict.WRONG_ANSWER, findings=(finding,)) for n in range(20))
    text = console.render(replace(full_marks(), cases=cases))
    assert text.count("the text differs") == 6
    assert text.count("wrong answer: C") == 20


def test_cases_whose_mistake_is_charged_elsewhere_are_one_line() -> None:
    """They cost nothing: accounts of their own hid those of the mistake that is charged."""
    elsewhere = Finding(CHARGED_ELSEWHERE, "not tried: “A row” (wrong-row) failed, and the mistake is charged there")
    cases = tuple(case(name, Verdict.UNJUDGED, findings=(elsewhere,)) for name in ("echo", "after-refusal"))
    text = console.render(replace(full_marks(), cases=cases))
    assert "not judged, since the mistake is charged elsewhere: echo, after-refusal" in text
    assert "not tried" not in text


def test_accepted_cases_are_named_on_demand() -> None:
    """Accepted cases are named in verbose output alone."""
    assert "shortest-game accepted" not in console.render(full_marks())
    assert "shortest-game accepted" in console.render(full_marks(), verbose=True)


def test_notes_for_staff_are_told() -> None:
    """Remarks for a person stand at the end."""
    assert console.render(needs_review()).splitlines()[-1].startswith("look at: Two candidates")


def test_the_environment_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither NO_COLOR nor COLUMNS nor TERM changes what is printed."""
    before = console.render(wrong_answer(), Look(colour=True))
    for name, value in {"NO_COLOR": "1", "COLUMNS": "20", "TERM": "dumb", "FORCE_COLOR": "1"}.items():
        monkeypatch.setenv(name, value)
    assert console.render(wrong_answer(), Look(colour=True)) == before


def test_many_judge_errors_are_an_alarm_for_staff() -> None:
    """It stands apart from the notes, with how many cases, the first message and what to do; the student's report has none."""
    wrong = Finding("judge-error", "the grader failed: ValueError: \x1b[2J", steps=("hear, line 7",))
    cases = tuple(case(f"case-{n}", Verdict.JUDGE_ERROR, findings=(wrong,)) for n in range(MANY_ERRORS))
    grade = replace(full_marks(), cases=cases, review=("several programs",))
    grade = replace(grade, review=(grade.alarm, *grade.review))
    text = " ".join(console.render(grade).split())
    assert "look at: several programs" in text
    assert "look at: alarm" not in text
    assert "alarm: the grader failed on 3 of 3 cases, first with “the grader failed: ValueError: ⟨ESC⟩[2J”" in text
    assert "look at it by hand before they are given" in text
    assert "alarm" not in console.render(for_student(grade))
    assert replace(grade, cases=cases[1:]).alarm == ""


def test_who_asks_for_more_sees_how_the_program_was_understood():
    """The lessons from the wording are shown with its words, and only on demand."""
    assert "thắng" not in console.render(wrong_answer())
    text = console.render(wrong_answer(), verbose=True)
    assert "who made the last move has won\n    “Chúc mừng! Người chơi 2 thắng.”\n" in text


@pytest.mark.parametrize("name", sorted(set(SAMPLES) - {"hostile"}))
def test_the_gist_is_ten_lines(name: str) -> None:
    """What to fix first with its command, and how much else there is; whoever fails nothing is told so."""
    grade = for_student(SAMPLES[name]())
    lines = console.brief(grade, more="grader check --all lc3-nim nim.asm").splitlines()
    assert len(lines) <= 10
    failed = [case for case in grade.cases if case.verdict.blames_student]
    assert ("What to fix first" in lines) == bool(failed)
    assert any(line.startswith("Nothing to fix") for line in lines) != bool(failed)
    assert any("grader check --all" in line for line in lines) == (
        len(failed) > 1 or any(not case.verdict.blames_student and case.verdict != "accepted" for case in grade.cases)
    )


@pytest.mark.parametrize("width", [40, 80, 100])
def test_place_hint_and_command_stay_where_ten_lines_are_too_few(width: int) -> None:
    """The evidence goes first: what was written aside, then the line of the source, then both texts."""
    crash = Finding(
        "exception", "uncaught exception: NoSuchElementException: X", place="Nim.java:158", hint="Look at the index.",
        expected="a\nb", actual="c\nd", excerpt="  158 | first\n      | ^^^^^\n  159 | " + "second " * 20,
    )  # fmt: skip
    failed = case("over", Verdict.RUNTIME_ERROR, findings=(crash,), errors="at a\nat b", title="Every game is over")
    lines = console.brief(
        replace(full_marks(), cases=(failed, failed)), Look(width=width), more="grader check --all"
    ).splitlines()
    assert len(lines) <= 10
    text = " ".join(line.strip() for line in lines)
    for part in ("Nim.java:158: uncaught exception", "hint: Look at the index.", "see it again: grader run nim.asm"):
        assert part in text
    assert ("expected" in text) == (width > 40)
    assert "stderr" not in text


def test_remarks_are_told_and_counted_where_there_is_no_room() -> None:
    """Three in the short report of a program that has nothing to fix, all in the long one, and else how many there are."""
    notes = tuple(
        Finding(f"w{n}", f"warning {n}", weight=Weight.NOTE, place=f"main.c:{n}", hint="Mend it.") for n in range(5)
    )
    grade = replace(complete(), cases=(case("compiles", findings=notes),))
    assert console.brief(grade, more="grader check --all c-nim main.c").splitlines()[1:] == [
        "Nothing to fix",
        *(f"  note: main.c:{n}: warning {n}" for n in range(3)),
        "2 remarks: grader check --all c-nim main.c",
    ]
    long = replace(grade, cases=(case("compiles", findings=(replace(notes[0], message=f"{'warning ' * 30}at R4"),)),))
    line, last = console.brief(long, Look(width=400), more="grader check --all c-nim main.c").splitlines()[2:]
    assert line.endswith("…")  # what is cut off can be read there
    assert last == "1 remark: grader check --all c-nim main.c"
    text = console.render(grade)
    assert text.index("Remarks, which cost nothing") < text.index("note: main.c:4: warning 4") < text.rindex("Mend it.")
    full = replace(wrong_answer(), cases=(*wrong_answer().cases, *grade.cases))
    lines = console.brief(full, Look(width=80), more="grader check --all c-nim main.c").splitlines()
    assert len(lines) <= 10
    assert ", 5 remarks: grader check" in lines[-1]


def test_what_is_judged_after_the_handing_in_is_no_promise() -> None:
    """Neither report says that there is nothing to fix where no point is judged yet; both say what is judged later."""
    grade = replace(complete(), score=0, max_points=0, criteria=(), cases=(case("builds"),))
    for render in (console.brief, console.render):
        text = render(grade, Look(later=Later(20, 3)))
        assert "no points are judged before you hand in, and 20 points after" in text
        assert "3 cases are judged after you hand in" in text
        assert "Nothing to fix" not in text
        assert "0 of 0" not in text


def test_further_slips_are_not_called_failures() -> None:
    """They count as met, and stand beside the cases that failed, before the command that shows both."""
    grade = replace(
        full_marks(), cases=(case("a", Verdict.WRONG_ANSWER), case("b", Verdict.WRONG_ANSWER), case("c", Verdict.FORM))
    )
    last = console.brief(grade, Look(later=Later(20, 3)), more="grader check --all").splitlines()[-1]
    assert (
        last
        == "3 cases are judged after you hand in, 1 more case failed, 1 more case has slips of form: grader check --all"
    )

"""Grades built by hand, one for each thing that a report must be able to say."""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from grader.report.document import View
from grader.results import (
    CaseResult,
    Charge,
    CriterionResult,
    Finding,
    Grade,
    JudgedTurn,
    Lesson,
    Provenance,
    Status,
    Verdict,
    Visibility,
    Weight,
)
from grader.spec.model import Spec
from grader.transcript import Usage

NOW = "2026-11-23T02:39:01Z"
BOARD = "ROW A: ooo\nROW B: ooooo\nROW C: oooooooo\n"
ASK = "Player {}, choose a row and number of rocks: "
SHA = "3f2a9c0d51e7b84c6f10a2d3e4b5968778695a4b3c2d1e0f9a8b7c6d5e4f3a2b"
HOSTILE = (
    "<script>alert('x')</script>\x00\x1b[31mred\x1b[0m \u202egnp.exe\u2066 \ufffe\uffff\ud800 ``` ]]> --> "
    "::error::owned %0A &amp; {{ 7 * 7 }} {% raw %} \r\x07\x9b2J\u200b|cell|"
)

CRITERIA = (
    CriterionResult("assembles", "Assembles without errors", 10, 10, Status.GRADED),
    CriterionResult("format", "Output exactly as in the example", 30, 30, Status.GRADED),
    CriterionResult("invalid", "Invalid moves are refused and asked again", 25, 25, Status.GRADED),
    CriterionResult("winner", "The right player wins", 20, 20, Status.GRADED),
    CriterionResult("registers", "Subroutines keep the registers that they use", 5, 5, Status.GRADED),
    CriterionResult("report", "The report has its three parts", None, 10, Status.MANUAL, reason="", open=10),
)


def view(grade: Grade, environment: Mapping[str, str] = {}) -> View:
    """A grade as the command line hands it to a form of report."""
    return View(grade, grade, "student", Fraction(1, 100), {}, environment, NOW)


def _dialogue(*keys: str) -> tuple[JudgedTurn, ...]:
    """Turns that are as expected: the board, a question, a key; then the echo and the next board."""
    turns = [JudgedTurn(BOARD + ASK.format(1), keys[0])]
    for player, (before, key) in enumerate(itertools.pairwise(keys)):
        turns.append(JudgedTurn(f"{before}\n\n{BOARD}{ASK.format(1 + (player + 1) % 2)}", key))
    return (*turns, JudgedTurn(f"{keys[-1]}\n\nPlayer 2 Wins.", None))


def case(name: str, verdict: Verdict = Verdict.ACCEPTED, **fields: object) -> CaseResult:
    """A case with plausible fields, which can all be given."""
    given: dict[str, object] = {
        "title": name.replace("-", " ").capitalize(),
        "kind": "transcript",
        "criterion": "format",
        "visibility": Visibility.VISIBLE,
        "met": verdict is Verdict.ACCEPTED,
        "ending": "the program ended normally, with HALT",
        "again": "grader run nim.asm --input B2A1",
        "usage": Usage(18_204, 7, 1_204),
    }
    return CaseResult(id=name, verdict=verdict, **{**given, **fields})  # type: ignore[arg-type]


ACCEPTED = (
    case("assembles", kind="build", criterion="assembles", again="", ending="", usage=Usage()),
    case("sample-run", turns=_dialogue("B2", "A1", "C6")),
    case("shortest-game", criterion="winner", turns=_dialogue("A3", "B5", "C7", "C1")),
    case("keeps-registers", kind="machine", criterion="registers", visibility=Visibility.STAFF),
)


LEARNED = (
    Lesson("columns", "1-7", "the columns are typed as 1 to 7"),
    Lesson("winner", "mover", "who made the last move has won", "Chúc mừng! Người chơi 2 thắng."),
)


def full_marks() -> Grade:
    """Every judged point; the report is open."""
    return Grade(
        assignment="lc3-nim",
        title="LAB 04: The Game of Nim",
        submission="PB07210340",
        student="张海博",
        score=90,
        max_points=100,
        complete=False,
        open_points=10,
        criteria=CRITERIA,
        cases=ACCEPTED,
        provenance=Provenance(SHA, SHA[::-1], "0.1.0", 7),
        student_id="PB07210340",
        handed_in_as="PB07210340 张海博 LAB04.zip",
    )


def complete() -> Grade:
    """Every point, nothing open."""
    criteria = (*CRITERIA[:-1], replace(CRITERIA[-1], points=10, open=0, status=Status.GRADED, reason=""))
    return replace(full_marks(), submission="ada", student="Ada Lovelace", student_id="", criteria=criteria, score=100,
                   complete=True, open_points=0)  # fmt: skip


def wrong_answer() -> Grade:
    """A move that is refused too late, with its dialogue, a slip in two cases, and a hidden case."""
    turns = (
        *_dialogue("B2", "A1")[:2],
        JudgedTurn(f"A1\n\n{BOARD}{ASK.format(1)}", "D4"),
        JudgedTurn(
            f"D4\nInvalid move!\n{ASK.format(2)}", "A9", f"D4\nInvalid move. Try again.\n{ASK.format(1)}"
        ),
        JudgedTurn("A9\n", None, f"A9\nInvalid move. Try again.\n{ASK.format(1)}"),
    )  # fmt: skip
    findings = (
        Finding(
            "wrong-text",
            "“player 2” instead of “player 1”, after B2, A1, D4",
            turn=4,
            hint="Print “Invalid move. Try again.” and ask the same player once more; change players only after a valid move.",
            typed=("B2", "A1", "D4"),
            expected="Invalid·move.·Try·again.⏎\nPlayer·1,·choose",
            actual="Invalid·move!⏎\nPlayer·2,·choose",
        ),
        Finding("still-waiting", "the program waits for more input, after A1, D4, A9", turn=5, typed=("A9",)),
    )
    slip = Finding(
        "blank-lines",
        "a blank line is missing, after B2",
        turn=2,
        weight=Weight.SLIP,
        typed=("B2",),
        expected="B2⏎\n⏎\nROW·A",
        actual="B2⏎\nROW·A",
    )
    charge = Charge("blank-lines", 7.5, ("sample-run", "long-game"), "a blank line is missing, after B2")
    criteria = list(CRITERIA)
    criteria[1] = replace(criteria[1], points=22.5, charges=(charge,), reason="")
    criteria[2] = replace(criteria[2], points=6.25, reason="2 of 3 cases failed, 1 skipped")
    failed = (
        case("sample-run", Verdict.FORM, met=True, findings=(slip,), turns=_dialogue("B2", "A1", "C6")),
        case("long-game", Verdict.FORM, met=True, findings=(slip,)),
        case(
            "refuses-wrong-row",
            Verdict.WRONG_ANSWER,
            criterion="invalid",
            findings=findings,
            turns=turns,
            ending="the program still waits for input",
        ),
        case(
            "refuses-lower-case",
            Verdict.WRONG_ANSWER,
            criterion="invalid",
            visibility=Visibility.HIDDEN,
            findings=(Finding("wrong-text", "nothing is refused, after b2", turn=1, typed=("b2",)),),
        ),
        case("refuses-zero", Verdict.SKIPPED, criterion="invalid", ending="", again="",
             findings=(Finding("requires", "it needs refuses-wrong-row, which failed", weight=Weight.NOTE),)),
    )  # fmt: skip
    return replace(full_marks(), submission="PB07210341", student="李雷", student_id="PB07210341", score=63.75,
                   criteria=tuple(criteria), cases=(ACCEPTED[0], *failed, *ACCEPTED[2:]),
                   learned=LEARNED, wording=SHA[16:32])  # fmt: skip


def runtime_error() -> Grade:
    """An illegal instruction with its place and the last steps, and a run that never ends."""
    crash = Finding(
        "illegal-instruction",
        "the program ran into data: the word xABCD at x3052 is no instruction",
        turn=3,
        hint="The subroutine CHECK falls through into its data: it has no RET.",
        typed=("B2", "A1"),
        place="nim.asm:88:9",
        excerpt="   88 | MINUSA  .FILL xFFBF     ; -'A'\n      |         ^^^^^",
        steps=(
            "x304F  ADD R0, R0, R1   R0 = x0001",
            "x3050  BRz #-4            not taken",
            "x3051  STR R0, R6, #0   [xFDFF] = x0001",
        ),
    )
    loop = Finding("loop", "the program came back to an equal state: it can never end", turn=1, place="nim.asm:40:1")
    criteria = [
        replace(c, points=0, reason="1 of 1 cases failed") if c.id in ("invalid", "winner") else c for c in CRITERIA
    ]
    cases = (
        *ACCEPTED[:2],
        case(
            "refuses-count",
            Verdict.RUNTIME_ERROR,
            criterion="invalid",
            findings=(crash,),
            ending="the program ran into data at x3052",
            turns=(JudgedTurn(f"{BOARD}{ASK.format(1)}", "B2"), JudgedTurn("B2\n", None, f"B2\n\n{BOARD}")),
            profile="lc3tools",
        ),
        case("winner", Verdict.NOT_TERMINATING, criterion="winner", findings=(loop,), ending="it never ends"),
    )
    return replace(full_marks(), submission="PB07210342", student="Mia Müller", student_id="PB07210342", score=45,
                   criteria=tuple(criteria), cases=cases)  # fmt: skip


def compile_error() -> Grade:
    """It does not assemble: diagnostics, one case that says so, and the rest skipped."""
    diagnostics = (
        (
            "nim.asm:12:9: error: no label is called LOOPX\n   12 |         BRnzp LOOPX\n      |               ^^^^^\n"
            "  hint: did you mean LOOP?"
        ),
        (
            "nim.asm:30:9: error: the constant 40 does not fit into 5 bits (-16 to 15)\n"
            "   30 |         ADD R0, R0, #40\n      |                     ^^^"
        ),
    )
    built = Finding("unknown-label", "no label is called LOOPX", place="nim.asm:12:15", hint="did you mean LOOP?")
    note = Finding("requires", "it needs assembles, which failed", weight=Weight.NOTE)
    cases = (
        case("assembles", Verdict.COMPILE_ERROR, kind="build", criterion="assembles", findings=(built,), ending="",
             again="grader assemble nim.asm", usage=Usage()),
        *(case(name, Verdict.SKIPPED, findings=(note,), ending="", again="", usage=Usage())
          for name in ("sample-run", "refuses-wrong-row", "shortest-game")),
    )  # fmt: skip
    criteria = tuple(c if c.points is None else replace(c, points=0, reason="1 of 1 cases failed") for c in CRITERIA)
    return replace(full_marks(), submission="PB07210343", student="O'Brien, \"Pat\"", student_id="PB07210343", score=0,
                   criteria=criteria, cases=cases, diagnostics=diagnostics)  # fmt: skip


def needs_review() -> Grade:
    """A program in its own words, a criterion that is open in part, and an archive with a name that a person must judge."""
    unread = Finding("unread", "no announcement of a winner could be read, after A1", turn=6, typed=("A1",),
                     expected="Player·2·Wins.⏎",
        actual="Bravo,·Spieler·2!⏎")  # fmt: skip
    criteria = list(CRITERIA)
    unheard = Finding("unread", "what it says to a wrong row could not be read, after D1", turn=2, typed=("D1",))
    criteria[2] = replace(criteria[2], points=15, open=5, status=Status.NEEDS_REVIEW, reason="1 of 3 cases failed")
    criteria[3] = replace(
        criteria[3], points=None, open=20, status=Status.NEEDS_REVIEW, reason="we could not read who wins"
    )
    cases = (
        *ACCEPTED[:2],
        case("wrong-row", Verdict.NEEDS_REVIEW, criterion="invalid", findings=(unheard,)),
        case("winner", Verdict.NEEDS_REVIEW, criterion="winner", findings=(unread,)),
    )
    review = (
        "Wrong row (wrong-row): what it says to a wrong row could not be read, after D1",
        "Winner (winner): no announcement of a winner could be read, after A1",
        "The archive is called lab4.zip; the text asks for `<student number> <name> LAB04.zip`.",
        "Two candidates for nim.asm: nim.asm and old/NIM.ASM; the first was graded.",
    )
    return replace(full_marks(), submission="PB07210344", student="Zoë Ångström", student_id="PB07210344", score=60,
                   open_points=35, criteria=tuple(criteria), cases=cases, review=review, handed_in_as="lab4.zip")  # fmt: skip


def spec_of(grade: Grade) -> Spec:
    """A spec with the criteria and the cases of a grade, each case a kind of its own."""
    return Spec.model_validate(
        {
            "assignment": "lc3-nim",
            "title": grade.title,
            "program": {"language": "lc3", "sources": ["nim.asm"]},
            "rubric": [
                {
                    "id": one.id,
                    "title": "T",
                    "points": one.max_points,
                    "counts": "kinds",
                    "manual": one.status == "manual",
                }
                for one in grade.criteria
            ],
            "cases": [
                {"id": one.id, "title": "T", "criterion": one.criterion, "defect": one.id, "play": "A1"}
                for one in grade.cases
            ],
        }
    )


def judge_error() -> Grade:
    """The reference crashed in one case: our fault, loud, and no point lost."""
    fault = Finding("judge-error", "the reference lc3_nim.py raised IndexError in move 3", turn=3)
    criteria = list(CRITERIA)
    criteria[3] = replace(
        criteria[3], points=None, open=20, status=Status.JUDGE_ERROR, reason="one case could not be judged"
    )
    cases = (
        *ACCEPTED[:2],
        case("winner", Verdict.JUDGE_ERROR, criterion="winner", findings=(fault,), ending="", again=""),
    )
    return replace(full_marks(), submission="PB07210345", student="Noor", student_id="", score=70, open_points=30,
                   criteria=tuple(criteria), cases=cases)  # fmt: skip


def hostile() -> Grade:
    """Everything that a student can choose attacks the report."""
    finding = Finding("wrong-text", HOSTILE, turn=1, hint=HOSTILE, typed=(HOSTILE,), expected="Hello⏎\n", actual=HOSTILE,
                      place=f"{HOSTILE}:1:1", excerpt=HOSTILE, steps=(HOSTILE,))  # fmt: skip
    failed = case("hostile", Verdict.WRONG_ANSWER, findings=(finding,), ending=f"it ends: {HOSTILE}", again=shlex.join(("grader", "run", HOSTILE)), profile=HOSTILE,
                  title=HOSTILE, turns=(JudgedTurn(HOSTILE, HOSTILE), JudgedTurn(HOSTILE, None, f"Hello {HOSTILE}")))  # fmt: skip
    criteria = (CRITERIA[0], replace(CRITERIA[1], points=0, title=HOSTILE, reason=HOSTILE), *CRITERIA[2:])
    return replace(full_marks(), submission="hostile", student=f"=HYPERLINK(1){HOSTILE}", student_id="+1234", score=60,
                   max_points=100, criteria=criteria, cases=(failed,), diagnostics=(HOSTILE,), review=(HOSTILE, "=1+1"),
                   handed_in_as=f"{HOSTILE}.zip", learned=(Lesson(HOSTILE, HOSTILE, HOSTILE, HOSTILE),), wording=SHA[:16])  # fmt: skip


SAMPLES = {
    "full-marks": full_marks,
    "complete": complete,
    "wrong-answer": wrong_answer,
    "runtime-error": runtime_error,
    "compile-error": compile_error,
    "needs-review": needs_review,
    "judge-error": judge_error,
    "hostile": hostile,
}


def all_grades() -> tuple[Grade, ...]:
    """One grade of each kind, in a fixed order."""
    return tuple(build() for build in SAMPLES.values())

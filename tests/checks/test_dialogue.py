"""Dialogues judged turn by turn: resynchronising, choices, endings."""

from __future__ import annotations

import pytest

from grader.checks.dialogue import Scope, judge
from grader.checks.facts import Judging
from grader.results import Verdict, Weight
from grader.spec.expectations import Choice, ExpectedTurn, Script
from grader.spec.kinds.runs import BOTH, Judged
from grader.spec.model import TextRules
from grader.transcript import Ending, EndingKind, Transcript, Turn, Usage

RULES = TextRules.model_validate(
    {
        "criterion": "format",
        "choices": {"gap": ["\n", ""]},
        "facts": [{"name": "number", "pattern": r"(?P<value>\d+)"}],
        "slips": {"case": 1, "wording": 2, "trailing-blank": "forgive", "blank-line": 1},
    }
)
GAP = Choice("gap", "\n")
SCRIPT = Script(
    (
        ExpectedTurn(("How many? 1\n",), "a"),
        ExpectedTurn((GAP, "Now 2\n"), "b"),
        ExpectedTurn((GAP, "Now 3\n"), "c"),
        ExpectedTurn(("Bye 4\n",)),
    ),
    ends=True,
)
ENDED = Ending(EndingKind.ENDED, "halted")


def run(*outputs, ending=ENDED):
    """A transcript with these outputs; the inputs are those of the script."""
    turns = tuple(Turn(text, typed) for text, typed in zip(outputs, ("a", "b", "c", None), strict=False))
    return Transcript(turns, ending, Usage())


GOOD = ("How many? 1\n", "\nNow 2\n", "\nNow 3\n", "Bye 4\n")


def judged(*outputs, ending=ENDED, judges=BOTH, bindings=None):
    """The judgement of a run with these outputs."""
    return judge(SCRIPT, run(*outputs, ending=ending), RULES, bindings or {}, Scope(judges))


def test_an_exact_dialogue_is_accepted():
    """Equal turns and the right ending leave nothing to say, and bind the choice."""
    result = judged(*GOOD)
    assert (result.verdict, result.met, result.findings) == (Verdict.ACCEPTED, True, ())
    assert result.bindings == {"gap": "\n"}


def test_either_alternative_is_right_throughout():
    """A program that never prints the blank line is as right as one that always does."""
    result = judged("How many? 1\n", "Now 2\n", "Now 3\n", "Bye 4\n")
    assert result.verdict is Verdict.ACCEPTED
    assert result.bindings == {"gap": ""}


def test_a_choice_stays_bound():
    """A choice that a program makes first holds everywhere: the other alternative is then a slip."""
    result = judged("How many? 1\n", "Now 2\n", "\nNow 3\n", "Bye 4\n")
    assert [(f.code, f.turn, f.weight) for f in result.findings] == [("blank-line", 3, Weight.SLIP)]
    assert judged(*GOOD, bindings={"gap": ""}).verdict is Verdict.FORM


@pytest.mark.parametrize("marks", [("*", "+", "-"), ("*", "/", "=", "%", "#", "@", "+", "-")])
def test_a_slip_does_not_hide_what_was_chosen(marks):
    """Each of several open choices is found beside a slip, and stays bound; also where not all readings are weighed."""
    choices = {"start": marks, "middle": marks, "end": marks}
    rules = TextRules.model_validate({"criterion": "format", "choices": choices, "slips": {"case": 1}})
    start, middle, end = (Choice(name, "*") for name in choices)
    script = Script((ExpectedTurn((start, " one ", middle, " two ", end, "\n")),), ends=True)
    transcript = Transcript((Turn("+ ONE - two +\n"),), ENDED, Usage())
    result = judge(script, transcript, rules, {}, Scope(BOTH))
    assert [(f.code, f.weight) for f in result.findings] == [("case", Weight.SLIP)]
    assert result.bindings == {"start": "+", "middle": "-", "end": "+"}


def test_a_slip_does_not_disturb_later_turns():
    """The comparison resynchronises at the next turn: one slip is one finding, and the case counts as met."""
    result = judged("how many? 1\n", *GOOD[1:])
    assert [(f.code, f.turn, f.typed) for f in result.findings] == [("case", 1, ())]
    assert (result.verdict, result.met) == (Verdict.FORM, True)
    assert result.differences == {1: "How many? 1\n"}


def test_the_same_slip_is_one_finding():
    """However often a kind of slip is seen in a run, it is told once, at its first turn."""
    result = judged("how many? 1\n", "\nNOW 2\n", "\nnow 3\n", "BYE 4\n")
    assert [(f.code, f.turn) for f in result.findings] == [("case", 1)]


def test_a_forgiven_slip_is_a_note():
    """A difference that the spec forgives is told and costs nothing."""
    result = judged("How many? 1 \n", *GOOD[1:])
    assert result.verdict is Verdict.ACCEPTED
    assert [f.weight for f in result.findings] == [Weight.NOTE]


def test_an_unpriced_slip_is_a_defect():
    """Text is exact, except for slips that the spec prices: punctuation has no price here."""
    assert not judged("How many! 1\n", *GOOD[1:]).met


def test_the_first_defect_is_told_with_turn_and_inputs():
    """The finding names the turn, the inputs that led there, and both texts; what follows is counted."""
    result = judged("How many? 1\n", "\nNow 7\n", "\nNow 8\n", "Bye 4\n")
    first, later = result.findings
    assert (first.code, first.turn, first.typed) == ("wrong-number", 2, ("a",))
    assert (first.expected, first.actual) == ("Now·2⏎", "Now·7⏎")
    assert (later.code, later.weight) == ("later-turns", Weight.NOTE)
    assert (result.verdict, result.met) == (Verdict.WRONG_ANSWER, False)


@pytest.mark.parametrize(
    ("kind", "verdict"),
    [
        (EndingKind.BUDGET, Verdict.TIME_LIMIT),
        (EndingKind.NEVER_ENDS, Verdict.NOT_TERMINATING),
        (EndingKind.DATA_EXECUTED, Verdict.RUNTIME_ERROR),
        (EndingKind.STILL_WAITING, Verdict.WRONG_ANSWER),
    ],
)
def test_a_bad_ending_decides_the_verdict_where_it_is_judged(kind, verdict):
    """The table of endings decides, unless the case judges text alone and all text is there."""
    ending = Ending(kind, "it broke", place="nim.asm:3:1")
    result = judged(*GOOD, ending=ending)
    assert (result.verdict, result.findings[0].code) == (verdict, str(kind))
    assert judged(*GOOD, ending=ending, judges=(Judged.TEXT,)).verdict is Verdict.ACCEPTED


def test_a_run_that_breaks_early_fails_even_where_only_text_is_judged():
    """Text that was never printed is missing; the ending says why, and the printed part is not blamed."""
    ending = Ending(EndingKind.ILLEGAL_INSTRUCTION, "no such instruction", place="nim.asm:3:1")
    result = judged("How many? 1\n", "\nNo", ending=ending, judges=(Judged.TEXT,))
    assert [f.code for f in result.findings] == ["illegal-instruction"]
    assert (result.verdict, result.met) == (Verdict.RUNTIME_ERROR, False)


def test_a_last_turn_that_was_cut_is_not_all_text():
    """If the ending is not judged, nothing else says that the rest is missing, all of it or a part."""
    ending = Ending(EndingKind.ILLEGAL_INSTRUCTION, "no such instruction", place="nim.asm:3:1")
    for last in ("", "By"):
        result = judged(*GOOD[:-1], last, ending=ending, judges=(Judged.TEXT,))
        assert (result.verdict, result.met) == (Verdict.WRONG_ANSWER, False), last
        assert [f.code for f in judged(*GOOD[:-1], last, ending=ending).findings] == ["illegal-instruction"]


def test_a_program_that_ends_too_early_is_told_so():
    """Ending where input should be asked for is a defect with its turn."""
    result = judged("How many? 1\n", "\nNow 2\n")
    assert [(f.code, f.turn) for f in result.findings] == [("ended-early", 2)]


def test_ending_alone_can_be_judged():
    """A case that judges the ending does not look at the text."""
    assert judged("?", "?", "?", "?", judges=(Judged.ENDING,)).verdict is Verdict.ACCEPTED


def test_what_other_cases_judge_is_neither_defect_nor_slip():
    """A case that judges no values lets another number pass, and still sees slips, silence and what is not said."""
    scope = Scope(facts=Judging())
    other = judge(SCRIPT, run("How many? 1\n", "\nNow 7\n", "\nnow 3\n", "Bye 4\n"), RULES, {}, scope)
    assert [(f.code, f.turn, f.weight) for f in other.findings] == [
        ("case", 3, Weight.SLIP),
        ("judged-elsewhere", 2, Weight.NOTE),
    ]
    silent = judge(SCRIPT, run("How many? 1\n", "", "\nNow 3\n", "Bye 4\n"), RULES, {}, scope)
    assert [(f.code, f.turn) for f in silent.findings] == [("no-output", 2)]
    unsaid = judge(SCRIPT, run("How many? 1\n", "\nNow\n", "\nNow 3\n", "Bye 4\n"), RULES, {}, scope)
    assert [(f.code, f.turn) for f in unsaid.findings] == [("wording", 2)]


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("\nNow 7\n", "wrong-number", "“7” stands where “2” is expected"),
        ("\nNow\n", "missing-number", "“2” is missing"),
        ("\nNow 2 3\n", "extra-number", "“3” does not belong there"),
    ],
)
def test_what_differs_is_said_in_facts(text, code, said):
    """The message quotes the first fact that differs, and names the inputs that led there."""
    finding = judged("How many? 1\n", text, *GOOD[2:]).findings[0]
    assert (finding.code, finding.message) == (code, f"{said}, after a")


def test_two_facts_in_equal_words_are_told_apart_by_their_lines():
    """“Player 2” should win, and “Player 2” is asked."""
    facts = [
        {"name": name, "pattern": rf"player (?P<who>\d)(?={after})"} for name, after in (("asks", ","), ("wins", " w"))
    ]
    rules = TextRules.model_validate({"criterion": "format", "facts": facts, "slips": {}})
    asks = Transcript((Turn("Player 2, your move: "),), ENDED, Usage())
    finding = judge(Script((ExpectedTurn(("Player 2 wins.\n",)),), ends=True), asks, rules, {}, Scope()).findings[0]
    assert finding.message == "“Player 2, your move:” stands where “Player 2 wins.” is expected, at the start"


def test_a_line_behind_the_end_is_not_missing_as_well():
    """A program that ends before it asks is charged for that, and for the capitals before it, and not for the line that it never reached."""
    rules = TextRules.model_validate(
        {
            "criterion": "format",
            "facts": [{"name": "n", "pattern": r"(?P<value>\d+)"}],
            "slips": {"case": 1, "missing": 2},
        }
    )
    script = Script((ExpectedTurn(("Now 2\nYour turn!\n",), "a"), ExpectedTurn(("Bye 4\n",))), ends=True)
    turns = [(Turn("NOW 2\n"),), (Turn("NOW 2\n", "a"), Turn("Bye 4\n"))]
    early, late = (judge(script, Transcript(some, ENDED, Usage()), rules, {}, Scope(BOTH)) for some in turns)
    assert [f.code for f in early.findings] == ["ended-early", "case"]
    assert [f.code for f in late.findings] == ["case", "missing"]


def test_a_program_that_should_wait_must_not_end():
    """If the reference waits for more, an ended program is wrong, and a waiting one right."""
    script = Script((ExpectedTurn(("Q 1\n",)),), ends=False)
    waiting = Transcript((Turn("Q 1\n"),), Ending(EndingKind.STILL_WAITING, "waits"), Usage())
    ended = Transcript((Turn("Q 1\n"),), ENDED, Usage())
    assert judge(script, waiting, RULES, {}, Scope()).verdict is Verdict.ACCEPTED
    assert [f.code for f in judge(script, ended, RULES, {}, Scope()).findings] == ["ended-early"]


def test_another_number_behind_a_defect_is_no_wording():
    """A value that no fact reads may follow from the defect; without one before it, and with other words, it is a slip."""
    rules = TextRules.model_validate(
        {"criterion": "format", "facts": [{"name": "n", "pattern": r"N(?P<value>\d+)"}], "slips": {"wording": 1}}
    )
    script = Script((ExpectedTurn(("N1\n",), "a"), ExpectedTurn(("Player 1\nN2\n",))), ends=True)
    for first, second, code in (
        ("N7", "Player 2", "wrong-n"),
        ("N1", "Player 2", "wording"),
        ("N7", "User 1", "wording"),
    ):
        run_so = Transcript((Turn(f"{first}\n", "a"), Turn(f"{second}\nN2\n")), ENDED, Usage())
        assert judge(script, run_so, rules, {}, Scope(BOTH)).findings[-1].code == code


def test_a_line_that_is_printed_later_is_one_slip():
    """It is missing where it should stand, and is no line too many where it does."""
    rules = TextRules.model_validate(
        {
            "criterion": "format",
            "facts": [{"name": "n", "pattern": r"(?P<value>\d+)"}],
            "slips": {"missing": 1, "extra": 1},
        }
    )
    script = Script((ExpectedTurn(("Nim\n1\n",), "a"), ExpectedTurn(("2\n",))), ends=True)
    late = Transcript((Turn("1\n", "a"), Turn("Nim\n2\n")), ENDED, Usage())
    assert [f.code for f in judge(script, late, rules, {}, Scope(BOTH)).findings] == ["missing"]
    other = Transcript((Turn("1\n", "a"), Turn("Nam\n2\n")), ENDED, Usage())
    assert [f.code for f in judge(script, other, rules, {}, Scope(BOTH)).findings] == ["missing", "extra"]

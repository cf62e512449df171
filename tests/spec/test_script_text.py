"""Transcripts as scripts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.bundled import spec_path
from grader.errors import SpecError, UsageError
from grader.sessions import reference
from grader.spec.expectations import Choice, ExpectedTurn, Script, merged
from grader.spec.loader import load_assignment
from grader.spec.model import TextRules
from grader.spec.script_text import read_script, read_tokens, write_script

RULES = TextRules(echo="program", choices={"gap": (" ", ""), "end": ("\n", "")})
SILENT = TextRules(choices=RULES.choices)


def turns(text: str, rules: TextRules = RULES) -> tuple[ExpectedTurn, ...]:
    """The turns of a transcript."""
    return read_script(text, rules, ends=None).turns


def test_the_sample_run_is_what_the_reference_prints() -> None:
    """Transcript and reference of the bundled spec give equal turns, and so does its opening."""
    assignment = load_assignment(spec_path("lc3-nim"))
    play = reference.load(assignment.reference or spec_path("lc3-nim")).play
    for case in assignment.spec.cases:
        if case.transcript is not None:
            found = read_script(case.transcript, assignment.spec.text, ends=None)
            told = reference.script(play, found.inputs, echo=True)
            assert found.turns == tuple(ExpectedTurn(merged(t.pieces), t.typed, t.echo) for t in told.turns)


def test_a_text_without_marks_is_one_turn() -> None:
    """It is printed as it stands, except the newline at its very end."""
    assert turns("a  b\n\n c\n") == (ExpectedTurn(("a  b\n\n c",)),)


@pytest.mark.parametrize(
    ("text", "printed"), [("a", "a"), ("a\n", "a"), ("a\n\n", "a\n"), ("\n", ""), ("\n\na\n", "\n\na")]
)
def test_one_newline_at_the_end_is_the_blocks(text: str, printed: str) -> None:
    """Exactly one is dropped, if there is one."""
    assert turns(text) == (ExpectedTurn((printed,) if printed else ()),)


def test_an_input_ends_a_turn_and_is_echoed_in_the_next() -> None:
    """The line end after it belongs to what is printed then."""
    assert turns("a: ‹B2›\nb: ‹x y›\n") == (
        ExpectedTurn(("a: ",), "B2", ""),
        ExpectedTurn(("\nb: ",), "x y", "B2"),
        ExpectedTurn((), None, "x y"),
    )


def test_without_echo_nothing_is_expected_again() -> None:
    """``echo: none`` leaves every echo empty."""
    assert [turn.echo for turn in turns("a‹B2›b‹C1›c", SILENT)] == ["", "", ""]


def test_enter_is_a_key_as_any_other() -> None:
    """A program that reads keys gets it where it is written; where Enter ends each input anyway it is typed once."""
    assert [turn.typed for turn in turns("a‹5⏎›b‹⏎›")] == ["5\n", "\n", None]
    assert [turn.typed for turn in turns("a‹5⏎›b‹⏎›c‹5›", TextRules(echo="terminal"))] == ["5\n", "\n", "5\n", None]


def test_the_line_end_behind_a_typed_enter_is_its_echo() -> None:
    """A program that shows what is typed shows Enter as well: told once, with the line end written behind it or not."""
    for text in ("Name: ‹Ada⏎›\nHello\n", "Name: ‹Ada⏎›Hello\n"):
        assert turns(text) == (ExpectedTurn(("Name: ",), "Ada\n", ""), ExpectedTurn(("Hello",), None, "Ada\n"))
    blank = turns("Name: ‹Ada⏎›\n\nHello\n")
    assert blank[1] == ExpectedTurn(("\nHello",), None, "Ada\n")
    assert write_script(Script(blank, None), RULES) == "Name: ‹Ada⏎›\n\nHello"
    assert turns("Name: ‹Ada⏎›\nHello\n", SILENT)[1].pieces == ("\nHello",)


def test_inputs_may_follow_each_other() -> None:
    """A turn may print nothing."""
    assert [(t.pieces, t.typed) for t in turns("‹a›‹b›")] == [((), "a"), ((), "b"), ((), None)]


def test_a_choice_stands_with_its_first_alternative() -> None:
    """That is what a transcript means where the assignment leaves it open."""
    assert turns("a«gap»b«end»\n") == (ExpectedTurn(("a", Choice("gap", " "), "b", Choice("end", "\n"))),)


def test_a_blank_mark_is_a_blank_wherever_it_stands() -> None:
    """At the end of a line, within one, and in what is typed."""
    assert turns("a:·\n·b·c‹·1›\n") == (ExpectedTurn(("a: \n b c",), " 1", ""), ExpectedTurn((), None, " 1"))
    other = TextRules(blank="␣")
    assert turns("a:␣\n·", other) == (ExpectedTurn(("a: \n·",)),)


@pytest.mark.parametrize("ends", [True, False, None])
def test_whether_it_ends_is_passed_on(ends: bool | None) -> None:
    """A text alone does not know."""
    assert read_script("a", RULES, ends=ends) == Script((ExpectedTurn(("a",)),), ends)


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("a‹B2", [("mark", 1, 2, 3)]),
        ("aB2›", [("mark", 1, 4, 5)]),
        ("‹B2\n›", [("mark", 1, 1, 2), ("mark", 2, 1, 2)]),
        ("‹a‹b›", [("mark", 1, 1, 2)]),
        ("‹a«gap»b›", [("mark", 1, 1, 2), ("mark", 1, 9, 10)]),
        ("«gap", [("mark", 1, 1, 2)]),
        ("«gap›", [("mark", 1, 1, 2), ("mark", 1, 5, 6)]),
        ("x\n\n y«gub»", [("unknown-choice", 3, 3, 8)]),
        ("«»", [("unknown-choice", 1, 1, 3)]),
        ("‹›", [("empty-input", 1, 1, 3)]),
        ("a \nb", [("bare-blank", 1, 2, 3)]),
        ("a\t \nb", [("bare-blank", 1, 2, 4)]),
        ("a\n  \nb", [("bare-blank", 2, 1, 3)]),
        ("a ", [("bare-blank", 1, 2, 3)]),
        ("a‹b› \n", [("bare-blank", 1, 5, 6)]),
    ],
)
def test_problems_have_their_place_within_the_text(text: str, problems: list[tuple[str, int, int, int]]) -> None:
    """Each is told at its own line and column, all of them at once."""
    found = read_tokens(text, RULES)[1]
    assert [(p.code, p.line, p.column, p.end_column) for p in found] == problems
    with pytest.raises(SpecError) as caught:
        read_script(text, RULES, ends=None)
    assert [d.code for d in caught.value.diagnostics] == [code for code, *_ in problems]


@pytest.mark.parametrize("text", ["a b", " a", "a\n\nb", "a ‹b›", "a «gap»", "a·", "\ta", "a ·"])
def test_blanks_that_can_be_seen_are_fine(text: str) -> None:
    """Only a blank with nothing after it on its line is refused."""
    assert read_tokens(text, RULES)[1] == []


@given(st.text(alphabet="ab ·\n‹›«»\tgp", max_size=40))
def test_any_text_is_read_or_has_problems(text: str) -> None:
    """Nothing is lost: what is read can be written again as the same text; what is not has problems inside it."""
    tokens, problems = read_tokens(text, RULES)
    lines = text.split("\n")
    for problem in problems:
        assert lines[problem.line - 1][problem.column - 1 : problem.end_column - 1]
    if problems:
        return
    shapes = {"text": "{}", "typed": "‹{}›", "choice": "«{}»"}
    written = "".join(shapes[token.part.value].format(token.value) for token in tokens)
    assert written == text.removesuffix("\n").replace("·", " ")


def test_merged_pieces_are_equal_when_the_dialogues_are() -> None:
    """Neighbouring texts are joined, empty ones dropped, choices kept apart."""
    gap = Choice("gap", "")
    assert merged(["a", "", "b", gap, "", gap, "c"]) == ("ab", gap, gap, "c")
    assert merged(["", ""]) == ()


def test_a_terminal_shows_what_is_typed_and_its_enter() -> None:
    """With ``echo: terminal`` the line end after an input is typed, not printed; a blank line after it is printed."""
    read = read_script("Go? ‹c2›\n\nBye\n", TextRules(echo="terminal"), ends=True)
    assert read.turns == (ExpectedTurn(("Go? ",), "c2\n"), ExpectedTurn(("\nBye",), None))


PRINTED = st.text(st.sampled_from("ab \n:·"), max_size=12)
KEYS = st.text(st.sampled_from("ab1\n"), min_size=1, max_size=3)


@given(st.lists(st.tuples(PRINTED, KEYS)), PRINTED, st.sampled_from(["program", "terminal", "none"]))
def test_a_dialogue_is_read_as_it_was_written(dialogue, last, echo) -> None:
    """Blanks and line ends, Enter among keys and a choice at the end come back as they were, unless a mark is printed."""
    rules = TextRules(echo=echo, choices={"end": ("\n", "")})
    keys = [typed.removesuffix("\n").replace("\n", "") + "\n" if echo == "terminal" else typed for _, typed in dialogue]
    echoes = ["", *(typed if echo == "program" else "" for typed in keys)]
    turns = [
        ExpectedTurn(merged([text]), typed, before)
        for (text, _), typed, before in zip(dialogue, keys, echoes, strict=False)
    ]
    script = Script((*turns, ExpectedTurn(merged([last, Choice("end", "\n")]), None, echoes[-1])))
    if any("·" in text for text in (*(text for text, _ in dialogue), last)):
        with pytest.raises(UsageError, match="the mark ·"):
            write_script(script, rules)
    else:
        assert read_script(write_script(script, rules) + "\n", rules, ends=None) == script

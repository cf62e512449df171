"""Problems of a spec that only show by playing the reference, or knowing the machine."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from grader.bundled import spec_path
from grader.errors import UsageError
from grader.lint import examine, summary
from grader.lint.transcripts import transcript_problems
from grader.sessions.reference import Line, Play
from grader.spec.model import TextRules

REFERENCE = dedent(
    """\
    from grader.sessions.reference import Choice, Keys

    def play():
        yield "Name? "
        name = yield Keys(2, legal=("ab", "cd"))
        while name not in ("ab", "cd"):
            yield "\\nNo. Name? "
            name = yield Keys(2, legal=("ab", "cd"))
        yield "\\n"
        yield Choice("gap", " ")
        yield f"Hi {name}"
        yield Choice("end", "\\n")
    """
)

SPEC = dedent(
    """\
    assignment: names
    title: Names
    submission: {required: [a.asm]}
    program: {language: lc3, sources: [a.asm]}
    reference: names.py
    text:
      echo: program
      choices: {gap: [" ", ""], end: ["\\n", ""]}
    rubric:
      - {id: works, points: 3, title: Works}
    cases:
      - id: sample
        title: Sample
        criterion: works
        transcript: |
          Name? ‹xx›
          No. Name? ‹ab›
          «gap»Hi ab«end»
      - {id: start, title: Start, criterion: works, transcript: "Name?·"}
      - {id: played, title: Played, criterion: works, play: ab}
      - {id: over, title: Over, criterion: works, play: cd, judges: [ending]}
      - {id: random, title: Random, criterion: works, differential: {games: 3, illegal: ['[x-z]y']}}
      - id: seen
        title: Seen
        criterion: works
        machine: {play: [ab, xx cd], callee_saved: true, results: [R0], registers: {r7: 0}, forbidden_traps: [x23, xFF]}
      - {id: look, title: Look, criterion: works, source: {required: [jsr, .FILL], forbidden: [IN]}}
    """
)


REFEREE = dedent(
    """\
    from grader.games.referee import Answers, Fault, Ruling
    from grader.sessions.reference import Line

    START = (3, False)
    FAULTS = ("wrong-count", "not-refused")
    OCCASIONS = {"count": "counts", "refusal": "refusals"}
    OCCASIONS_OF = {"wrong-count": ("count",), "not-refused": ("refusal",)}

    def play():
        left = 3
        while left:
            yield f"{left} left, take? "
            taken = yield Line(legal=("1",))
            if taken == "1":
                left -= 1
            else:
                yield "No such number.\\n"
        yield "0 left"

    def hear(state, heard):
        left, wrong = state
        names = [said.name for said in heard.facts]
        faults = [Fault("not-refused", "a wrong number is taken")] if wrong and "refused" not in names else []
        if any(said.number("count") != left for said in heard.facts if said.name == "left"):
            faults.append(Fault("wrong-count", "the count is wrong", stops=True))
        return Ruling((left, False), tuple(faults), (*["count" for name in names if name == "left"], *["refusal"] * wrong))

    def answers(state, question):
        return Answers(("1",), ("0", "2"))

    def answer(state, question, text):
        left, _ = state
        return (left - 1, False) if text == "1" else (left, True)
    """
)

GAMES = dedent(
    """\
    assignment: pile
    title: Pile
    submission: {required: [pile.c]}
    program: {language: c, sources: [pile.c]}
    reference: pile.py
    text:
      echo: terminal
      facts: [{name: left, pattern: '(?P<count>\\d) left'}, {name: refused, pattern: no such}]
      questions: [{name: take, pattern: 'take\\?'}]
    rubric:
      - {id: works, points: 3, title: Works}
    games: {few: {games: 9, illegal: 1/2}}
    cases:
      - id: sample
        title: Sample
        criterion: works
        transcript: |
          3 left, take? ‹2›
          No such number.
          3 left, take? ‹1›
          2 left, take?·
      - {id: fair, title: Fair, criterion: works, game: few, faults: [wrong-count, not-refused]}
      - id: look
        title: Look
        criterion: works
        source: {functions: 1, constructs: [{name: a goto, query: (goto_statement), most: 0}]}
    """
)


class Workshop:
    """A folder with a spec and its reference, each to be changed in one place."""

    def __init__(self, folder: Path, spec: str = SPEC, reference: str = REFERENCE) -> None:
        name = "names" if spec is SPEC else "pile"
        self.spec, self.reference = folder / f"{name}.yaml", folder / f"{name}.py"
        self.right_spec, self.right_reference = spec, reference
        self.reference.write_text(reference, encoding="utf-8")

    def problems(self, before: str = "", after: str = "") -> list[tuple[str, str, str, str]]:
        """Severity, code, place and message of each problem of the spec after one replacement."""
        assert before in self.right_spec
        text = self.right_spec.replace(before, after, 1) if before else self.right_spec
        self.spec.write_text(text, encoding="utf-8")
        found = examine(self.spec).diagnostics
        return [(d.severity, d.code, f"{d.span.line}:{d.span.column}" if d.span else "", d.message) for d in found]

    def refer(self, before: str, after: str) -> None:
        """Change the reference."""
        assert before in self.right_reference
        self.reference.write_text(self.right_reference.replace(before, after), encoding="utf-8")


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    """A right spec beside its reference."""
    return Workshop(tmp_path)


@pytest.fixture
def games(tmp_path: Path) -> Workshop:
    """A right spec of a game beside its referee."""
    return Workshop(tmp_path, GAMES, REFEREE)


EXPLORED = dedent(
    """\
    assignment: pile
    title: Pile
    submission: {required: [pile.c]}
    program: {language: c, sources: [pile.c]}
    reference: pile.py
    text: {echo: terminal}
    game: {pile: {plan: {proved_to: 12}}}
    rubric:
      - {id: works, points: 3, title: Works}
    cases:
      - {id: plays, title: Plays, game: explored, shows: {computer: 5, taken: 5}}
      - {id: best, title: Best, criterion: works, game: explored, faults: [poor-move-0], requires: [plays]}
    """
)


@pytest.fixture
def explored(tmp_path: Path) -> Workshop:
    """A right spec of a game that is explored, beside its reference."""
    reference = spec_path("pile-nim").parents[1] / "reference" / "pile_nim.py"
    return Workshop(tmp_path, EXPLORED, reference.read_text(encoding="utf-8"))


def test_a_reference_is_explored_as_programs_are(explored: Workshop) -> None:
    """It plays well, and what cases want to see comes about; one case alone gives points to a program that plays no game."""
    criterion = "  - {id: lax, points: 1, title: Lax}\n"
    case = "  - {id: naive, title: Naive, criterion: lax, game: explored, faults: [poor-move-0], shows: 0}\n"
    (severity, code, _, said), *others = explored.problems("cases:\n", f"{criterion}cases:\n{case}")
    assert (severity, code, others) == ("warning", "given-away", [])
    assert said.endswith("earns 25 % of what is judged automatically, by naive")


@pytest.mark.parametrize(
    ("before", "after", "code", "said"),
    [
        ("[poor-move-0]", "[poor-mov-0]", "unknown-fault", "the exploration knows no fault `poor-mov-0`"),
        ("computer: 5", "compute: 5", "unknown-occasion", "the exploration knows no occasion `compute`"),
        ("computer: 5", "computer: 5000", "too-few-occasions", "even the reference shows only"),
    ],
)
def test_what_cannot_be_seen_of_a_game_is_told(
    before: str, after: str, code: str, said: str, explored: Workshop
) -> None:
    """Names are checked against what a pile may show, and numbers against what the reference shows."""
    found = [problem for problem in explored.problems(before, after) if problem[1] == code]
    assert found
    assert said in found[0][3]


def test_a_reference_that_plays_badly_is_told(explored: Workshop) -> None:
    """A fault that the exploration finds in the reference is a fault of the spec's."""
    explored.refer(
        'yield f"The computer takes {move}.\\n"', 'move = 1\n            yield f"The computer takes {move}.\\n"'
    )
    assert [problem[1] for problem in explored.problems()] == ["reference"]


def test_rules_that_are_missing_are_told(explored: Workshop) -> None:
    """The reference has the rules: without one of them nothing is explored."""
    explored.refer("def best(", "def better(")
    assert [problem[3].split(", in ")[0] for problem in explored.problems()] == ["the reference has no best"]


@pytest.mark.parametrize(("typed", "codes"), [("xx", ["unsaid-fact"]), ("xx ab", [])])
def test_a_case_that_judges_facts_hears_one_of_them(typed: str, codes: list[str], workshop: Workshop) -> None:
    """The reference greets only behind a right name: a program that greets nobody would earn the points of the case."""
    workshop.right_spec = workshop.right_spec.replace("choices:", "facts: [{name: greeting, pattern: Hi}]\n  choices:")
    problems = workshop.problems("play: ab}", f"play: {typed}, facts: [greeting]}}")
    assert [problem[1] for problem in problems] == codes


def test_a_right_spec_has_no_problems(workshop: Workshop) -> None:
    """The spec that the other tests change is whole, and is summed up in one line."""
    assert workshop.problems() == []
    assert summary(examine(workshop.spec)) == "names: no problems, 7 cases, 3 points"


def test_the_bundled_spec_has_no_problems() -> None:
    """Its reference takes every input, prints every transcript and meets every choice."""
    reading = examine(spec_path("lc3-nim"))
    assert reading.diagnostics == ()
    assert summary(reading).startswith("lc3-nim: no problems, ")


@pytest.mark.parametrize(
    ("before", "after", "place", "said"),
    [
        ("No. Name?", "No, Name?", "17:9", "first difference “,·Name?·‹ab›⏎” instead of “.·Name?·‹ab›⏎”"),
        ("Name? ‹xx›", "Name:·‹xx›", "16:11", "first difference “:·‹xx›⏎” instead of “?·‹xx›⏎”"),
        ("«gap»Hi", "Hi", "18:7", "first difference “Hi·ab«end»” instead of “«gap»Hi·ab«end»”"),
        ("«gap»Hi", "«end»Hi", "18:7", "first difference “«end»Hi·ab«end»” instead of “«gap»Hi·ab«end»”"),
        ("Hi ab«end»", "Hi ab", "18:17", "first difference the end instead of “«end»”"),
        ("Hi ab«end»", "Hi ab«end»!", "18:22", "first difference “!” instead of the end"),
        ('"Name?·"', '"Name?"', "19:61", "first difference the end instead of “·”"),
    ],
)
def test_a_transcript_is_what_the_reference_prints(
    before: str, after: str, place: str, said: str, workshop: Workshop
) -> None:
    """The first difference is told at its own line and column, with both sides."""
    found = [problem for problem in workshop.problems(before, after) if problem[1] == "transcript"]
    assert [(severity, at) for severity, _, at, _ in found] == [("error", place)]
    assert said in found[0][3]
    assert found[0][3].startswith("the transcript is not what the reference prints")


@pytest.mark.parametrize(
    ("echo", "text", "hint"),
    [
        ("terminal", "Year: ‹5›\nYear: ‹0›\n", ""),
        ("terminal", "Year: 5\nYear: ‹0›\n", "if it is typed, write ‹5›"),
        ("none", "Year: ‹5›\nYear: ‹0›\n", "write `echo: terminal` in `text`"),
    ],
)
def test_a_transcript_with_a_common_mistake_gets_advice(echo: str, text: str, hint: str) -> None:
    """Marks that are missing around an input, and an echo of another kind, are what first specs get wrong."""

    def play() -> Play:
        for _ in range(2):
            yield "Year: "
            yield Line()

    found = list(transcript_problems(TextRules(echo=echo), text, (), play))
    assert [hint in problem.hint for problem in found] == ([True] if hint else [])


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (
            "play: ab}",
            "play: abc}",
            ("error", "input", "20:57", "for input 1 the reference asks for 2 keys, and 'abc' has 3"),
        ),
        (
            "play: ab}",
            "play: xx a}",
            ("error", "input", "20:57", "for input 2 the reference asks for 2 keys, and 'a' has 1"),
        ),
        (
            "play: ab}",
            "play: ab cd}",
            ("warning", "never-typed", "20:57", "the reference has ended before input 2, 'cd': it is never typed"),
        ),
        ("xx cd]", "xx c]", ("error", "input", "26:25", "for input 2 the reference asks for 2 keys, and 'c' has 1")),
        ("‹ab›", "‹abc›", ("error", "input", "15:17", "for input 2 the reference asks for 2 keys, and 'abc' has 3")),
        (
            "play: cd,",
            "play: xx,",
            (
                "warning",
                "no-ending",
                "21:61",
                "`over` judges only the ending, but the reference still waits for input",
            ),
        ),
        ("'[x-z]y'", "'x{2}'", ("error", "shape", "", "the reference asks for 2 keys, and 'x{2}' has 4")),
        ("'[x-z]y'", "'[]x]y'", ("error", "shape", "22:90", "'[]x]y' is no shape of inputs")),
        ("'[x-z]y'", "'[x-z]'", ("error", "shape", "", "the reference asks for 2 keys, and 'x' has 1")),
        (
            "sources: [a.asm]",
            "sources: [a.asm], dialect: lc3tool",
            ("error", "unknown-word", "4:58", "there is no dialect `lc3tool`"),
        ),
        (
            "required: [jsr,",
            "required: [jrs,",
            ("error", "unknown-word", "27:71", "there is no mnemonic or directive `jrs`"),
        ),
        (
            "forbidden: [IN]",
            "forbidden: [INN]",
            ("error", "unknown-word", "27:95", "there is no mnemonic or directive `INN`"),
        ),
        ("results: [R0]", "results: [R8]", ("error", "unknown-word", "26:66", "there is no register `R8`")),
        (
            "registers: {r7: 0}",
            "memory: {40A0: 1}",
            ("error", "unknown-word", "26:85", "`40A0` is no place in memory"),
        ),
        ("{r7: 0}", "{PC: 0}", ("error", "unknown-word", "26:88", "there is no register `PC`")),
        ("xFF]", "x100]", ("error", "unknown-word", "26:118", "there is no trap x100")),
    ],
)
def test_what_reference_and_machine_do_not_know_is_told(
    before: str, after: str, expected: tuple[str, str, str, str], workshop: Workshop
) -> None:
    """An input of the wrong size, one after the end, an invalid shape, a word that the machine does not have."""
    found = [p for p in workshop.problems(before, after) if p[1] == expected[1]]
    assert len(found) == 1, workshop.problems(before, after)
    assert found[0][:2] == expected[:2]
    assert found[0][3].startswith(expected[3])


def test_blanks_that_a_fact_loses_are_told(workshop: Workshop) -> None:
    """If the reference itself says two things that differ in blanks alone, a program may confuse them, and the fact does not tell."""
    fact = '  facts: [{{name: hello, pattern: "name\\\\?(?P<after>{})"}}]\n  echo: program\n'
    workshop.refer('yield "\\nNo. Name? "', 'yield "\\nNo. Name?  "')
    workshop.right_spec = SPEC.replace("      No. Name? ‹", "      No. Name?  ‹")
    assert workshop.problems() == []
    found = workshop.problems("  echo: program\n", fact.format("[ ]*"))
    assert [(severity, code) for severity, code, _, _ in found] == [("warning", "lost-blanks")]
    assert "in the group `after`, which state the same" in found[0][3]
    assert workshop.problems("  echo: program\n", fact.format("[ ]")) == []


def test_a_choice_begins_with_what_the_reference_prints(workshop: Workshop) -> None:
    """Transcripts mean the first alternative, so another order, or none of them, is told."""
    assert [p[1:3] for p in workshop.problems('gap: [" ", ""]', 'gap: ["", " "]')] == [("default", "8:18")]
    assert [p[1] for p in workshop.problems('gap: [" ", ""]', 'gap: ["x", "y"]')] == ["default"]


def test_a_choice_that_the_spec_does_not_list_is_told(workshop: Workshop) -> None:
    """At the reference, which prints it."""
    workshop.refer('Choice("gap"', 'Choice("gab"')
    found = workshop.problems()
    assert (
        "error",
        "unknown-choice",
        "5:12",
        "the reference prints a choice `gab` that is not in `text.choices`",
    ) in found


def test_a_choice_that_no_case_meets_is_a_warning(workshop: Workshop) -> None:
    """It does no harm, and says something that is not so."""
    found = workshop.problems("choices: {", 'choices: {more: ["", "x"], ')
    assert found == [("warning", "unused-choice", "8:13", "no case meets the choice `more`")]
    assert examine(workshop.spec).assignment is not None
    assert summary(examine(workshop.spec)) == "names: 1 warning, 7 cases, 3 points"


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("def play():", "def played():", "the reference has no generator function play()"),
        ("def play():", "def play()", "the reference cannot be imported: SyntaxError"),
        ("import Choice", "import Choices", "the reference cannot be imported: ImportError"),
        ('f"Hi {name}"', "name[5]", "the reference failed: IndexError('string index out of range'), in "),
        ('yield "\\n"\n', "yield 5\n", "the reference failed: TypeError('it yields 5, which is neither text"),
    ],
)
def test_a_reference_that_fails_is_told(before: str, after: str, said: str, workshop: Workshop) -> None:
    """With its own words and its own line, at the case in which it failed."""
    workshop.refer(before.replace("\\n", "\\n"), after)
    told = [message for _, code, _, message in workshop.problems() if code == "reference"]
    assert len(told) == 1, "once, and not for each case"
    assert told[0].startswith(said)


def test_a_spec_with_wrong_parts_is_not_played(workshop: Workshop) -> None:
    """What the loader refuses is told alone, and no line counts cases that nobody could read."""
    found = workshop.problems("points: 3", "points: three")
    assert [code for _, code, *_ in found] == ["value"]
    assert summary(examine(workshop.spec)) == "names: 1 problem"


def test_without_a_reference_only_words_are_looked_at(workshop: Workshop) -> None:
    """A spec of transcripts alone can be linted."""
    start, end = SPEC.index("  - {id: played"), SPEC.index("  - {id: look")
    found = workshop.problems("reference: names.py\n", "")
    assert {code for _, code, *_ in found} == {"no-reference"}
    workshop.spec.write_text((SPEC[:start] + SPEC[end:]).replace("reference: names.py\n", ""), encoding="utf-8")
    assert examine(workshop.spec).diagnostics == ()


def test_a_spec_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    """Nothing can be said about it."""
    with pytest.raises(UsageError):
        examine(tmp_path / "none.yaml")


def test_a_right_spec_of_a_game_has_no_problems(games: Workshop) -> None:
    """Its referee follows its reference, and Enter is typed with each input where a terminal shows it."""
    assert games.problems() == []


def test_enter_is_part_of_what_is_typed_where_a_terminal_shows_it(games: Workshop) -> None:
    """A line that the program prints after it is another, and a difference is told."""
    found = games.problems("take? ‹2›\n", "take? ‹2›\n\n")
    assert [(code, place) for _, code, place, _ in found] == [("transcript", "19:7")]
    assert "first difference “⏎” instead of “No·such·number.⏎”" in found[0][3]


def test_a_fault_that_the_referee_does_not_know_is_told(games: Workshop) -> None:
    """A case that judged it would never be failed."""
    found = games.problems("[wrong-count, not-refused]", "[wrong-count, not-refusd]")
    assert found == [("error", "unknown-fault", "22:80", "the referee knows no fault `not-refusd`")]


def test_a_fault_without_an_occasion_is_told(games: Workshop) -> None:
    """A fault that never came about would count as right."""
    games.refer('"not-refused": ("refusal",)', "")
    assert [(code, message[:13]) for _, code, _, message in games.problems()] == [("no-occasion", "`not-refused`")]


@pytest.mark.parametrize(("shows", "codes"), [(9, []), (900, ["too-few-occasions"])])
def test_the_reference_shows_what_a_case_asks_for(shows: int, codes: list[str], games: Workshop) -> None:
    """A case that not even the reference could pass is told with how often the occasion came about."""
    found = games.problems("[wrong-count, not-refused]", f"[wrong-count, not-refused], shows: {{refusal: {shows}}}")
    assert [code for _, code, _, _ in found] == codes


@pytest.mark.parametrize(
    "part", ["START =", "FAULTS =", "OCCASIONS =", "OCCASIONS_OF =", "def hear(", "def answers(", "def answer("]
)
def test_the_reference_of_a_game_is_a_referee(part: str, games: Workshop) -> None:
    """Each part is needed, and what is missing is named; without games none is."""
    games.refer(part, part.replace("A", "O").replace("def ", "def not_"))
    ((_, code, place, message),) = games.problems()
    assert (code, place) == ("reference", "5:12")
    assert message.startswith(f"the reference is no referee: it has no {part.strip('def =(')}")
    lines = [line for line in GAMES.split("\n") if "game:" in line or "games:" in line]
    for line in lines:
        games.right_spec = games.right_spec.replace(line + "\n", "")
    assert games.problems() == []


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("left -= 1", "left -= 2", "finds the fault `wrong-count` in the reference itself, after 2, 1: the count is"),
        (
            '"No such number',
            '"What? ',
            "finds the fault `not-refused` in the reference itself, after 2: a wrong number",
        ),
        ("take? ", "what? ", "finds the fault `unread` in the reference itself, at the start: it waits for input"),
        ("left, wrong = state", "left, wrong = state[5]", "the referee failed: IndexError("),
        ("left = 3", "left = [][0]", "the reference failed: IndexError("),
        ('Answers(("1",)', "Answers(()", "the referee lets the program ask “take” and knows no answer to it"),
        (
            'yield "0 left"',
            'while True: yield "0 left"',
            "the reference prints 1,000,000 pieces and more, and asks for no",
        ),
    ],
)
def test_the_reference_of_a_game_earns_full_marks(before: str, after: str, said: str, games: Workshop) -> None:
    """A fault that its own referee finds, a failure of either and a play without an end are told at the first case that shows it."""
    games.refer(before, after)
    found = [(place, message) for _, code, place, message in games.problems() if code == "reference"]
    ((place, message),) = [problem for problem in found if said in problem[1]]  # others are of the transcript
    first = "17:" if "left = [][0]" in after else "22:"
    assert place.startswith(first), (place, message)


@pytest.mark.parametrize(
    ("before", "after", "place", "said"),
    [
        ("(goto_statement)", "(goto)", "26:63", "this is no query: Invalid node type at row 1, column 2: goto"),
        (
            "language: c, sources: [pile.c]",
            "language: python, sources: [pile.c]",
            "26:63",
            "this is no query: Invalid no",
        ),
    ],
)
def test_a_query_is_one_of_its_language(before: str, after: str, place: str, said: str, games: Workshop) -> None:
    """A query that the grammar does not take is told at the query."""
    found = [problem for problem in games.problems(before, after) if problem[1] == "query"]
    assert [(severity, at) for severity, _, at, _ in found] == [("error", place)]
    assert found[0][3].startswith(said)


CHECKED = """\
assignment: checked
title: Checked
submission: {required: [a.asm]}
program: {language: lc3, sources: [a.asm]}
reference: checks.py
rubric: [{id: works, points: 3, title: Works}]
cases: [{id: sorts, title: Sorts, criterion: works, io: {input: b, checker: sorts}}]
"""


@pytest.mark.parametrize(
    ("function", "code"),
    [
        ("def sorts(typed: str, printed: str) -> str:\n    return '' if printed else 'nothing is printed'\n", ""),
        ("def other(typed: str, printed: str) -> str:\n    return ''\n", "reference"),
        ("def sorts(typed: str) -> str:\n    return ''\n", "signature"),
        ("def sorts(typed: str, printed: str) -> str:\n    return printed[0]\n", "reference"),
        ("def sorts(typed: str, printed: str) -> str:\n    return ''\n", "given-away"),
    ],
)
def test_a_checker_is_tried_on_nothing(tmp_path, function, code):
    """It is there, takes what was typed and printed, does not break, and does not take silence for right."""
    (tmp_path / "checks.py").write_text(function)
    (tmp_path / "checked.yaml").write_text(CHECKED)
    assert [one.code for one in examine(tmp_path / "checked.yaml").diagnostics][:1] == [code] * bool(code)

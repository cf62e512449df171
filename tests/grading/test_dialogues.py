"""Dialogues in steps and games with a referee, on a simulated program: the kinds are for every language."""

from __future__ import annotations

import dataclasses

import pytest

from grader.errors import SpecError
from grader.games.referee import Fault
from grader.grading import dialects
from grader.results import Verdict
from grader.sessions.simulated import SimulatedProgram
from tests.grading.small import PROGRAM, grading, submission

SPEC = """
assignment: small
title: Small
submission: {required: [p.asm]}
program: {language: lc3, sources: [p.asm]}
limits: {instructions: 5M, output: 2000}
rubric: [{id: play, points: 6, title: Play}]
cases:
  - {id: talk, title: Talk, criterion: play, dialogue: STEPS}
"""


def talked(tmp_path, steps: str, source: str = PROGRAM):
    """The result of a dialogue of these steps."""
    grade = grading(tmp_path, spec=SPEC.replace("STEPS", steps)).grade(submission(source))
    return grade.cases[-1]


def test_steps_are_taken_one_after_the_other(tmp_path):
    """The expected text may stand anywhere before the next wait; matches are used up in order."""
    steps = "[{expect: '^\\? $'}, {keys: a}, {refuse: bad}, {expect: 'got'}, {expect: ' a'}, {keys: x}, {expect: bad}, {keys: q}, {expect: bye}, {ends: true}]"
    assert talked(tmp_path, steps).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize(
    ("steps", "code", "said"),
    [
        ("[{keys: a}, {expect: 'got b'}]", "not-said", "step 2: the output does not match"),
        ("[{keys: a}, {expect: got}, {expect: got}]", "not-said", "step 3"),
        (
            "[{expect: '[?] '}, {expect: more}]",
            "not-said",
            "step 2: nothing is printed, and the program waits for more input",
        ),
        ("[{keys: q}, {expect: bye}, {expect: more}]", "not-said", "step 3: nothing is printed, and the program ends"),
        ("[{keys: x}, {refuse: bad}]", "said", "something that it must not print"),
        ("[{keys: a}, {ends: true}]", "still-waiting", "waits for input"),
        ("[{keys: q}, {keys: a}]", "ended-early", "ends where it should ask"),
        ("[{close: true}]", "input-ended", ""),
    ],
)
def test_the_first_step_that_fails_is_told(tmp_path, steps, code, said):
    """A step says what it missed, after which inputs, and in which turn; an ending that breaks is told as such."""
    (finding,) = talked(tmp_path, steps).findings
    assert finding.code == code
    assert said in finding.message


def test_what_stands_in_the_place_is_shown(tmp_path):
    """The finding has the pattern and what was printed instead, and the run can be seen again."""
    result = talked(tmp_path, "[{keys: a}, {expect: 'got b'}]")
    assert (result.findings[0].expected, result.findings[0].turn) == ("got b", 2)  # a plain text
    assert "got·a" in result.findings[0].actual
    assert result.again == "grader run p.asm --input a"
    assert [turn.typed for turn in result.turns] == ["a", None]


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ("{expect: 'got [bc]$', says: the key b or c}", "the key b or c"),
        ("{expect: got b, says: the key b}", "the key b"),
        ("{expect: 'got [bc]$'}", ""),
        ("{expect: 'got \\d'}", ""),
        ("{expect: 'got \\(b\\)\\.'}", "got (b)."),
    ],
)
def test_no_student_reads_a_regular_expression(tmp_path, step, told):
    """The spec's words for it are shown, a plain text as it is, and of any other pattern nothing; the output is."""
    finding = talked(tmp_path, f"[{{keys: a}}, {step}]").findings[0]
    assert finding.expected == told
    assert "got·a" in finding.actual


@pytest.mark.parametrize("step", ["{says: a name}", "{keys: a, says: a key}", "{expect: a, keys: b}"])
def test_a_step_says_what_it_expects_and_nothing_else(tmp_path, step):
    """`says` stands beside `expect` alone, and a step does one thing."""
    with pytest.raises(SpecError):
        talked(tmp_path, f"[{step}]")


REFEREE = """
from dataclasses import dataclass
from grader.games.referee import Answers, Fault, Ruling
from grader.sessions.reference import Keys, Line

FAULTS = ("wrong-key", "not-refused", "no-farewell")
OCCASIONS = {"key": "keys", "refusal": "refusals", "end": "games that ended"}
OCCASIONS_OF = {"wrong-key": ("key",), "not-refused": ("refusal",), "no-farewell": ("end",)}

@dataclass(frozen=True)
class State:
    due: str = ""

START = State()

def hear(state, heard):
    said = [(s.name, s.values.get("key", "")) for s in heard.facts]
    faults = []
    if heard.ended and ("bye", "") not in said:
        faults.append(Fault("no-farewell", "it ends without a word"))
    if state.due in ("a", "b") and ("got", state.due) not in said:
        faults.append(Fault("wrong-key", f"it does not say {state.due}"))
    if state.due == "z" and ("bad", "") not in said:
        faults.append(Fault("not-refused", "z is taken"))
    seen = {"key": state.due in ("a", "b"), "refusal": state.due == "z", "end": heard.ended}
    return Ruling(State(), tuple(faults), tuple(name for name in seen if seen[name]))

def due(state):
    return "not-refused" if state.due == "z" else ""

def answers(state, question):
    return Answers(("a", "b", "q"), ("z",))

def answer(state, question, text):
    return State(text)

def play():
    yield ""
"""
GAME = """
assignment: small
title: Small
submission: {required: [p.asm]}
program: {language: lc3, sources: [p.asm]}
limits: {instructions: 5M, output: 2000}
reference: reference.py
text:
  facts: [{name: got, pattern: 'got (?P<key>.)'}, {name: bad, pattern: bad}, {name: bye, pattern: bye}]
  questions: [{name: key, pattern: '\\? $'}]
rubric: [{id: keys, points: 3, title: Keys}, {id: refusals, points: 2, title: Refusals}, {id: ending, points: 1, title: Ending}]
games: {legal: {games: 12, seed: 1}, wrong: {games: 12, seed: 1, illegal: 1/3}}
cases:
  - {id: keys, title: Keys, criterion: keys, game: legal, faults: [wrong-key]}
  - {id: refuses, title: Refuses, criterion: refusals, game: wrong, faults: [not-refused]}
  - {id: ends, title: Ends, criterion: ending, game: legal, faults: [no-farewell]}
"""


def played(tmp_path, source: str):
    """The grade of a program in all games."""
    return grading(tmp_path, spec=GAME, reference=REFEREE).grade(submission(source))


def test_a_right_program_passes_every_game(tmp_path):
    """Twelve games without a fault earn everything."""
    assert played(tmp_path, PROGRAM).score == 6


@pytest.mark.parametrize(
    ("before", "after", "failed", "verdict"),
    [
        ('"got "', '"had "', "keys", Verdict.WRONG_ANSWER),
        ('"bad\\n"', '"wow\\n"', "refuses", Verdict.WRONG_ANSWER),
        ('"bye"', '"end"', "ends", Verdict.WRONG_ANSWER),
    ],
)
def test_each_case_judges_its_own_faults(tmp_path, before, after, failed, verdict):
    """The same games are looked at for different faults: a defect fails the case that names it, and no other."""
    grade = played(tmp_path, PROGRAM.replace(before, after))
    assert {case.id: case.verdict for case in grade.cases if not case.met} == {failed: verdict}


def test_a_failing_game_is_shrunk(tmp_path):
    """The few answers of a long game that show the fault remain, with the game in which it was first seen."""
    grade = played(tmp_path, PROGRAM.replace('"got "', '"had "'))
    result = next(case for case in grade.cases if case.id == "keys")
    assert result.findings[0].typed in (("a",), ("b",))
    assert "first seen in game" in result.findings[1].message
    assert result.again == f"grader run p.asm --input {result.findings[0].typed[0]}"


CRASHES = GAME.replace("illegal: 1/3, ", "illegal: 1/9, ").replace(
    "faults: [no-farewell]", "faults: [no-farewell, crash]"
)


@pytest.mark.parametrize(
    ("before", "after", "failed"),
    [
        ("BAD     LEA R0, NO", "BAD     .FILL xD000", "refuses"),
        ("        ADD R2, R2, #-1", "        BRz CRASH\n        ADD R2, R2, #-1", "ends"),
    ],
)
def test_a_crash_is_judged_once(tmp_path, before, after, failed):
    """A program that breaks where it should refuse does not refuse; at any other key it fails the case that names crashes."""
    broken = PROGRAM.replace(before, after).replace("ASK     .STRINGZ", "CRASH   .FILL xD000\nASK     .STRINGZ")
    cases = grading(tmp_path, spec=CRASHES, reference=REFEREE).grade(submission(broken)).cases
    assert {case.id: case.verdict for case in cases if not case.met} == {failed: Verdict.RUNTIME_ERROR}
    assert next(case for case in cases if case.id == failed).findings[0].place.startswith("p.asm:")


def test_a_program_that_breaks_fails_every_game_case(tmp_path):
    """A crash is the verdict of each case in whose games it happens, with its ending."""
    grade = played(tmp_path, PROGRAM.replace("DONE    LEA R0, BYE", "DONE    .FILL xD000"))
    assert {case.verdict for case in grade.cases if case.kind == "game"} == {Verdict.RUNTIME_ERROR}


def test_what_cannot_be_read_is_left_to_a_person(tmp_path):
    """Games that stop at a question that nobody can read need review, and cost nothing."""
    grade = played(tmp_path, PROGRAM.replace('"? "', '": "'))
    assert {case.verdict for case in grade.cases if case.kind == "game"} == {Verdict.NEEDS_REVIEW}
    assert (grade.score, grade.open_points) == (0, 6)


def test_chance_is_told(tmp_path, monkeypatch):
    """A game that fails once and not again with the same answers is a failure, and the note says that it is not repeatable."""
    real = dialects.follow
    spoilt = []

    def follow(session, rulings, draw, start=None):
        followed = real(session, rulings, draw, start=start)
        if spoilt:
            return followed
        spoilt.append(followed)
        return dataclasses.replace(followed, faults=((1, Fault("wrong-key", "another key")),))

    monkeypatch.setattr(dialects, "follow", follow)
    result = next(case for case in played(tmp_path, PROGRAM).cases if case.id == "keys")
    assert [finding.code for finding in result.findings] == ["wrong-key", "not-deterministic"]


ACROSS = """
def across(states):
    return (Fault("KIND", f"all of {len(states)} are alike"),) if len(set(states)) == 1 else ()
"""


@pytest.mark.parametrize(
    ("kind", "verdict"),
    [("no-farewell", Verdict.WRONG_ANSWER), ("unread", Verdict.NEEDS_REVIEW), ("wrong-key", Verdict.ACCEPTED)],
)
def test_what_shows_in_many_games_alone_is_judged(tmp_path, kind, verdict):
    """If no game has a fault of its own the referee looks at all of them; text that cannot be read is left to a person."""
    referee = REFEREE + ACROSS.replace("KIND", kind)
    result = grading(tmp_path, spec=GAME, reference=referee).grade(submission(PROGRAM)).cases[-1]
    assert (result.id, result.verdict) == ("ends", verdict)
    if verdict is not Verdict.ACCEPTED:
        assert [(f.code, f.message) for f in result.findings] == [(kind, "all of 12 are alike")]


@pytest.mark.parametrize(("referee", "seeds"), [(REFEREE, [None] * 12), (REFEREE + ACROSS, list(range(12)))])
def test_games_that_are_taken_together_have_random_numbers_of_their_own(tmp_path, monkeypatch, referee, seeds):
    """The number of the game is the seed; where each game is judged alone all begin alike."""
    seen = []
    start = SimulatedProgram.start
    monkeypatch.setattr(
        SimulatedProgram, "start", lambda *args, seed=None, **rest: (seen.append(seed), start(*args, **rest))[1]
    )
    grading(tmp_path, spec=GAME, reference=referee).grade(submission(PROGRAM), only=("keys",))
    assert seen[: len(seeds)] == seeds  # runs that measure what of the source is executed come behind them


SILENT = ".ORIG x3000\nHALT\n.END\n"
DEAF = """
.ORIG x3000
LOOP    LEA R0, ASK
        PUTS
        GETC
        OUT
        BRnzp LOOP
ASK     .STRINGZ "? "
.END
"""


@pytest.mark.parametrize(
    ("source", "reason"),
    [(SILENT, "they end before there are enough"), (DEAF, "the games that were tried do not come to that")],
)
def test_what_never_comes_about_is_not_shown(tmp_path, source, reason):
    """A program that ends at once, and one that asks and does nothing, make no mistake in what they never do: they earn nothing."""
    referee = REFEREE.replace('("got", state.due) not in said', '("got", state.due) not in said and said')
    referee = referee.replace('("bye", "") not in said', '("bye", "") not in said and said')
    referee = referee.replace('"key": state.due in ("a", "b")', '"key": ("got", state.due) in said')
    grade = grading(tmp_path, spec=GAME, reference=referee).grade(submission(source))
    result = next(case for case in grade.cases if case.id == "keys")
    assert (result.verdict, result.met) == (Verdict.NOT_SHOWN, False)
    assert result.findings[0].message == f"12 games had too few keys (none; at least 3 needed): {reason}"
    assert [(one.label, one.count, one.needed) for one in result.occasions] == [("keys", 0, 3)]


@pytest.mark.parametrize(("shows", "verdict"), [("12", Verdict.ACCEPTED), ("13", Verdict.NOT_SHOWN)])
def test_a_spec_says_how_often_something_must_be_seen(tmp_path, shows, verdict):
    """Twelve games have twelve ends: as many as are asked for are enough, and one fewer are not."""
    spec = GAME.replace("faults: [no-farewell]", f"faults: [no-farewell], shows: {{end: {shows}}}")
    result = grading(tmp_path, spec=spec, reference=REFEREE).grade(submission(PROGRAM)).cases[-1]
    assert (result.id, result.verdict, result.runs) == ("ends", verdict, 12)


def test_what_a_fault_keeps_from_being_followed_is_unjudged(tmp_path):
    """If the referee gives up on a living program after a mistake that another case charges, only that mistake costs."""
    referee = REFEREE.replace('does not say {state.due}"', 'does not say {state.due}", stops=True')
    spec = GAME.replace("faults: [no-farewell]", "faults: [no-farewell], shows: 12, unless: [keys]")
    grade = grading(tmp_path, spec=spec, reference=referee).grade(submission(PROGRAM.replace('"got "', '"had "')))
    verdicts = {case.id: case.verdict for case in grade.cases if case.kind == "game"}
    assert verdicts["keys"] is Verdict.WRONG_ANSWER
    assert verdicts["ends"] is Verdict.UNJUDGED
    assert "we could not follow the games any further after “it does not say" in grade.cases[-1].findings[0].message
    assert grade.cases[-1].excused  # eighteen points of such a criterion waited for a person


def test_what_is_unread_now_and_then_does_not_hide_the_rest(tmp_path):
    """If enough came about beside a turn that could not be read the case is judged, and a note says what is missing."""
    referee = REFEREE.replace(
        "def hear(state, heard):",
        "def hear(state, heard):\n    if state.due == 'b':\n        return Ruling(State(), (Fault('unread', 'b is not known', stops=True),))",
    )
    result = grading(tmp_path, spec=GAME, reference=referee).grade(submission(PROGRAM)).cases[-1]
    assert (result.id, result.verdict) == ("ends", Verdict.ACCEPTED)
    assert "we could not read everything" in result.findings[0].message

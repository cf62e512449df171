"""A spec against its reference: it must take every input, bring about every game, and find no fault in its own play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

from grader.checks.explain import after_inputs
from grader.errors import GraderError, JudgeError, UsageError
from grader.games.following import Followed
from grader.games.forking import GONE_ON
from grader.games.methods import method
from grader.games.referee import CRASH, Tables, of_module
from grader.games.rehearsal import Rehearsal, explored
from grader.games.sampling import parse_shape, sample
from grader.grading import Grading
from grader.grading.model_program import ModelProgram, model_of, read_model
from grader.lint.blanks import lost_blanks
from grader.lint.transcripts import input_problems, transcript_problems
from grader.lint.unasked import unasked_faults
from grader.lint.words import unknown_labels
from grader.results import Weight
from grader.sessions.reference import PlayFunction, ReferenceSession, is_silent, load, load_module, script
from grader.source import Severity
from grader.spec.document import Loc
from grader.spec.expectations import Choice, Script
from grader.spec.hints import near
from grader.spec.kinds.runs import Judged
from grader.spec.loader import Assignment
from grader.spec.model import Case, Spec, TextRules
from grader.spec.problem import Problem
from grader.spec.script_text import read_script


def rehearsed(assignment: Assignment) -> Iterator[Problem]:
    """Every problem that shows when the reference plays the cases; where there is none, in what transcripts say."""
    model = model_of(assignment)
    if model is not None:
        yield from _modelled(assignment, model)
    elif assignment.reference is not None and not _silent(assignment.reference):
        yield from _rehearsed(assignment.spec, assignment.reference)
    else:
        heard = _Heard()
        for case in assignment.spec.cases:
            if case.transcript is not None:
                heard.note(read_script(case.transcript, assignment.spec.text, ends=None))
        yield from lost_blanks(assignment.spec.text, sorted(heard.texts))


def _silent(path: Path) -> bool:
    """Whether a reference is that of a kit: it was played before its ``play`` was cut out."""
    with suppress(JudgeError):  # told of where it is played
        return is_silent(load_module(path))
    return False


def _modelled(assignment: Assignment, path: Path) -> Iterator[Problem]:
    """Every problem that shows when a model program plays the cases: it must do the same twice."""
    try:
        model = ModelProgram(assignment, path)
    except (JudgeError, UsageError) as error:
        yield _fault(error, ("reference",))
        return
    with model:
        labels = [*unknown_labels(assignment.spec, model.symbols)] if assignment.spec.program.simulated else []
        yield from labels
        told = {problem.message for problem in labels}
        heard = _Heard()
        for index, case in enumerate(assignment.spec.cases):
            problems = [*_played(assignment.spec, index, case, model.play, heard, model=True)]
            steady = problems or case.play is None or model.scripts([case.play]) == model.scripts([case.play])
            if not steady:
                hint = "a program that draws by chance or looks at the clock cannot be the reference"
                problems = [
                    Problem(
                        "reference", "the model program does not print the same twice", ("cases", index, "play"), hint
                    )
                ]
            yield from (problem for problem in problems if problem.message not in told)
            told |= {problem.message for problem in problems if problem.code == "reference"}
        yield from lost_blanks(assignment.spec.text, sorted(heard.texts))
    if not told:
        yield from _ungraded(assignment, path)


def _ungraded(assignment: Assignment, path: Path) -> Iterator[Problem]:
    """Cases other than dialogues in which a model program itself is not accepted: it must earn the full score."""
    wanted = {case.id for case in assignment.spec.cases if case.kind not in _NOT_GRADED}
    if not wanted:
        return
    with Grading(assignment, unsafe=True) as grading:
        results = {one.id: one for one in grading.grade(read_model(path), only=wanted).cases}
    for index, case in enumerate(assignment.spec.cases):
        result = results.get(case.id)
        if result is not None and not result.met:
            said = next((one.message for one in result.findings if one.weight is Weight.DEFECT), str(result.verdict))
            hint = "the spec asks for more than the course's own solution does, or one of them is wrong"
            yield Problem("reference", f"the model program does not pass `{case.id}`: {said}", ("cases", index), hint)


_NOT_GRADED = ("transcript", "differential", "game", "files", "manual")
"""Kinds of cases that a model program has passed once it is played, or that look at more than a program."""


def _rehearsed(spec: Spec, path: Path) -> Iterator[Problem]:
    try:
        module = load(path)
        referee = of_module(module, str(path)) if spec.games and any(case.game for case in spec.cases) else None
    except JudgeError as error:
        yield _fault(error, ("reference",))
        return
    play: PlayFunction = module.play
    rehearsal = Rehearsal(play, referee, spec.text) if referee else None
    heard = _Heard()
    told: set[str] = set()
    yield from _explored(spec, module) if spec.game else ()
    for index, case in enumerate(spec.cases):
        for problem in _played(spec, index, case, play, heard, rehearsal):
            if problem.code != "reference" or problem.message not in told:  # one that is broken fails in every case
                yield problem
            told.add(problem.message)
    yield from unasked_faults(spec, rehearsal) if rehearsal and not told else ()
    yield from _choices(spec.text, heard)
    yield from lost_blanks(spec.text, sorted(heard.texts))


def _played(
    spec: Spec,
    index: int,
    case: Case,
    play: PlayFunction,
    heard: _Heard,
    rehearsal: Rehearsal | None = None,
    *,
    model: bool = False,
) -> Iterator[Problem]:
    """What is wrong with one case; where the reference breaks, that alone."""
    try:
        yield from _case(spec, case, ("cases", index), play, heard, model=model)
        if case.game and rehearsal:
            yield from _game(spec, case, index, rehearsal)
    except JudgeError as error:
        yield _fault(error, ("cases", index, "play" if case.play is not None else case.kind))


@dataclass
class _Heard:
    """What the reference has printed so far: its turns, and of what the assignment leaves open the defaults of each choice, in order."""

    texts: set[str] = field(default_factory=set)
    defaults: dict[str, list[str]] = field(default_factory=dict)

    def note(self, told: Script) -> None:
        for turn in told.turns:
            self.texts.add(turn.text({}))
            for piece in turn.pieces:
                if isinstance(piece, Choice) and piece.default not in self.defaults.setdefault(piece.name, []):
                    self.defaults[piece.name].append(piece.default)


def _fault(error: GraderError, loc: Loc) -> Problem:
    """A fault of the reference, which says its own place, as a problem of what brought it about."""
    said = f"{error.message}, in {error.place}" if error.place else error.message
    return Problem("reference", said, loc, error.hint)


def _case(spec: Spec, case: Case, loc: Loc, play: PlayFunction, heard: _Heard, *, model: bool) -> Iterator[Problem]:
    echo = spec.text.echo == "program"
    if case.transcript is not None:
        yield from transcript_problems(spec.text, case.transcript, (*loc, "transcript"), play, model=model)
        written = read_script(case.transcript, spec.text, ends=None)
        heard.note(written)
        if case.ends is not None and script(play, written.inputs, echo=echo).ends != case.ends:
            message = f"after this transcript the reference {'still waits for input' if case.ends else 'has ended'}"
            yield Problem("ends", message, (*loc, "ends"), "remove it: the reference knows")
    elif case.play is not None:
        refused = input_problems(play, case.play, (*loc, "play"))
        yield from refused
        if not refused:
            heard.note(script(play, case.play, echo=echo))
            yield from _ending(case, loc, play)
    elif case.machine:
        for at, inputs in enumerate(case.machine.play):
            yield from input_problems(play, inputs, (*loc, "machine", "play", at))
        for at, run in enumerate(case.machine.runs):
            yield from input_problems(play, run.play, (*loc, "machine", "runs", at, "play"))
    elif case.differential:
        unfit = [
            problem
            for key, shapes in (("legal", case.differential.legal), ("illegal", case.differential.illegal))
            for problem in _shapes(play, shapes, (*loc, "differential", key))
        ]
        yield from unfit
        for inputs in () if unfit else sample(play, case.differential):
            heard.note(script(play, inputs, echo=echo))


def _game(spec: Spec, case: Case, index: int, rehearsal: Rehearsal) -> Iterator[Problem]:
    """What is wrong with a game case, by the games of its set."""
    played = list(rehearsal.games(spec.games[case.game or ""]))
    yield from _judged(case, index, rehearsal.referee, played, "referee")


def _explored(spec: Spec, module: ModuleType) -> Iterator[Problem]:
    """What is wrong with the cases that look at games found by experiment, where the reference itself is explored."""
    assert spec.game is not None, "the game is explored"
    try:
        way = method(spec.game, module)
        study = explored(way, module.play, echo=spec.text.echo == "program")
    except JudgeError as error:
        yield _fault(error, ("game",))
        return
    if study.obstacle:
        hint = "its own words must be such that the game can be followed"
        yield Problem("reference", f"the reference could not be explored: {study.obstacle}", ("reference",), hint)
        return
    for index, case in enumerate(spec.cases):
        if case.game:
            yield from _judged(case, index, way.tables, study.games, "exploration")


def _judged(case: Case, index: int, tables: Tables, played: Sequence[Followed], who: str) -> Iterator[Problem]:
    """Kinds of faults and occasions that are not known, faults of the reference itself, and too few occasions even there."""
    loc, known = ("cases", index, "faults"), (*tables.faults, CRASH)
    for at, kind in enumerate(case.faults):
        if kind not in known:
            hint = near(kind, known, "its FAULTS")
            yield Problem("unknown-fault", f"the {who} knows no fault `{kind}`", (*loc, at), hint)
        elif not tables.occasions_for((kind,)):
            hint = "OCCASIONS_OF of the reference says on which occasions it could show"
            message = f"`{kind}` has no occasion: a program in which it never comes about would be right"
            yield Problem("no-occasion", message, (*loc, at), hint)
    for followed in played:
        if followed.faults:
            turn, fault = followed.faults[0]
            after = after_inputs(followed.transcript.inputs_before(turn))
            message = f"the {who} finds the fault `{fault.kind}` in the reference itself, {after}: {fault.message}"
            hint = "reference, referee and `text` must agree"
            yield Problem("reference", message, ("cases", index, "game"), hint, at_key=True)
            return
    for name in case.shown:
        if name not in tables.occasions:
            hint = near(name, tables.occasions, "its OCCASIONS")
            yield Problem(
                "unknown-occasion", f"the {who} knows no occasion `{name}`", ("cases", index, "shows", name), hint
            )
            return
    for name in dict.fromkeys((*tables.occasions_for(case.faults), *case.shown)):
        count = sum(followed.occasions.get(name, 0) for followed in played)
        if count < case.needed(name) and name != GONE_ON:  # the reference is not forked
            message = f"even the reference shows only {count} {tables.occasions[name]} (`{name}`), and {case.needed(name)} are needed"
            hint = "play more games, or ask for less in `shows`"
            yield Problem("too-few-occasions", message, ("cases", index, "game"), hint, at_key=True)


def _shapes(play: PlayFunction, shapes: Iterable[str], loc: Loc) -> Iterator[Problem]:
    """Shapes that are none, or that no first input can have: any shape may be drawn at any request."""
    request = ReferenceSession(play).request
    for at, shape in enumerate(shapes):
        try:
            wrong = request.misfit("".join(chars[0] for chars in parse_shape(shape))) if request else ""
        except JudgeError as error:
            yield Problem("shape", error.message, (*loc, at), error.hint)
            continue
        if wrong:
            yield Problem("shape", f"the reference asks for {wrong}", (*loc, at), "one character or class for each key")


def _ending(case: Case, loc: Loc, play: PlayFunction) -> Iterator[Problem]:
    """Where nothing but the ending is judged, there is one."""
    if case.judges == (Judged.ENDING,) and not script(play, case.play or (), echo=False).ends:
        message = f"`{case.id}` judges nothing but the ending, and the reference still waits for input"
        yield Problem("no-ending", message, (*loc, "judges"), "play on to the end", severity=Severity.WARNING)


def _choices(rules: TextRules, heard: _Heard) -> Iterator[Problem]:
    """What the reference leaves open is a choice, what it prints there comes first, and no choice is never met."""
    for name, defaults in heard.defaults.items():
        loc = ("text", "choices", name)
        alternatives = rules.choices.get(name)
        if alternatives is None:
            hint = near(name, rules.choices, "`text.choices`")
            yield Problem(
                "unknown-choice",
                f"the reference prints a choice `{name}` that is not in `text.choices`",
                ("reference",),
                hint,
            )
            continue
        for default in defaults:
            if default != alternatives[0]:
                message = f"for `{name}` the reference prints {default!r}, which is not the first alternative"
                yield Problem(
                    "default", message, loc, "list what the reference prints first: transcripts mean the first"
                )
    for name in rules.choices.keys() - heard.defaults.keys():
        message = f"no case meets the choice `{name}`"
        loc = ("text", "choices", name)
        yield Problem(
            "unused-choice", message, loc, "remove it, or add a case that does", at_key=True, severity=Severity.WARNING
        )

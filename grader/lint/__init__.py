"""What can be said against a spec once its reference is played: more than ``spec.rules``, which know no machine.

The reference must take the inputs of every case and print every transcript; what it leaves open must be a choice of the
spec; every random game must come about; its referee must find no fault in its own play; instructions, registers and
traps must be ones that the machine has, and queries ones that the grammar knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from grader.checks.explain import after_inputs
from grader.checks.trees import problem_in
from grader.errors import JudgeError
from grader.games.referee import CRASH, of_module
from grader.games.rehearsal import Rehearsal
from grader.games.sampling import parse_shape, sample
from grader.lint.idle import MOST, gifts
from grader.machines.families import family
from grader.sessions.reference import PlayFunction, ReferenceSession, load, script
from grader.source import Diagnostic, Severity
from grader.spec.document import Loc
from grader.spec.expectations import ENTER, Choice, Script, merged
from grader.spec.hints import near
from grader.spec.loader import Assignment, Reading, in_order, read_assignment
from grader.spec.model import Case, Judged, Spec, TextRules
from grader.spec.problem import Problem, locate
from grader.spec.script_text import Part, Token, read_script, read_tokens
from grader.transcript import visible

LAST_TRAP = 0xFF
SHOWN = 24
"""How many characters of a difference are shown."""


def examine(path: Path) -> Reading:
    """The reading of a spec with all that the rules, the machine and the reference say of it. Raises UsageError."""
    reading = read_assignment(path)
    if reading.assignment is None:
        return reading
    spec, reference = reading.assignment.spec, reading.assignment.reference
    problems = [*_machine_words(spec), *_source_queries(spec), *(_played(spec, reference) if reference else ())]
    if reference and spec.games and not problems:
        problems += _given_away(reading.assignment, reference)
    diagnostics = in_order([*reading.diagnostics, *(locate(problem, reading.document) for problem in problems)])
    return replace(reading, diagnostics=diagnostics, assignment=None if _stops(diagnostics) else reading.assignment)


def summary(reading: Reading) -> str:
    """One line: ``lc3-nim: no problems, 43 cases, 100 points``, or how many problems there are."""
    errors = sum(d.severity is Severity.ERROR for d in reading.diagnostics)
    warnings = len(reading.diagnostics) - errors
    counted = [_count(errors, "problem")] if errors else []
    counted += [_count(warnings, "warning")] if warnings else []
    said = ", ".join(counted) or "no problems"
    if reading.assignment is None:
        return f"{Path(reading.document.source.name).stem}: {said}"
    spec = reading.assignment.spec
    return f"{spec.assignment}: {said}, {_count(len(spec.cases), 'case')}, {_count(spec.max_points, 'point')}"


def _count(number: int | Fraction, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _stops(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(d.severity is Severity.ERROR for d in diagnostics)


# ------------------------------------------------------------------------------------------------- words of the machine


def _machine_words(spec: Spec) -> Iterator[Problem]:
    """Dialects, operations, registers and traps that the machine does not have."""
    if spec.program.simulated is None:
        return
    machine = family(spec.program.simulated)
    named = () if spec.program.dialect is None else (spec.program.dialect,)
    yield from _known(named, machine.dialects, "dialect", ("program", "dialect"))
    for index, case in enumerate(spec.cases):
        if case.source:
            loc = ("cases", index, "source")
            for key in ("required", "forbidden"):
                yield from _known(getattr(case.source, key), machine.operations, "mnemonic or directive", (*loc, key))
        if case.machine:
            loc = ("cases", index, "machine")
            yield from _known(case.machine.results, machine.registers, "register", (*loc, "results"))
            yield from _known(case.machine.registers, machine.registers, "register", (*loc, "registers"))
            for key in ("required_traps", "forbidden_traps"):
                yield from _trap_vectors(getattr(case.machine, key), (*loc, key))


def _known(words: Iterable[str], known: Iterable[str], what: str, loc: Loc) -> Iterator[Problem]:
    upper = {word.upper() for word in known}
    for at, word in enumerate(words):
        if word.upper() not in upper:
            hint = (
                near(word.upper(), sorted(upper), "known are") if what != "dialect" else near(word, known, "known are")
            )
            yield Problem("unknown-word", f"there is no {what} `{word}`", (*loc, at, word), hint)


def _trap_vectors(vectors: Iterable[int], loc: Loc) -> Iterator[Problem]:
    for at, vector in enumerate(vectors):
        if vector > LAST_TRAP:
            yield Problem("unknown-word", f"there is no trap x{vector:X}", (*loc, at), f"the last is x{LAST_TRAP:X}")


def _source_queries(spec: Spec) -> Iterator[Problem]:
    """Queries that the grammar of their language does not take."""
    for index, case in enumerate(spec.cases):
        for at, construct in enumerate(case.source.constructs if case.source else ()):
            wrong = problem_in(construct.query, construct.language or spec.program.language[0])
            if wrong:
                loc = ("cases", index, "source", "constructs", at, "query")
                yield Problem("query", f"this is no query: {wrong}", loc, QUERY)


QUERY = 'such as (goto_statement), or ((identifier) @found (#match? @found "^my_"))'


# ---------------------------------------------------------------------------------------------------- with the reference


@dataclass
class _Told:
    """What the reference has printed so far of what the assignment leaves open: the defaults of each choice, in order."""

    defaults: dict[str, list[str]] = field(default_factory=dict)

    def note(self, told: Script) -> None:
        for turn in told.turns:
            for piece in turn.pieces:
                if isinstance(piece, Choice) and piece.default not in self.defaults.setdefault(piece.name, []):
                    self.defaults[piece.name].append(piece.default)


def _played(spec: Spec, path: Path) -> Iterator[Problem]:
    """Every problem that shows when the reference plays the cases."""
    try:
        module = load(path)
        referee = of_module(module, str(path)) if any(case.game for case in spec.cases) else None
    except JudgeError as error:
        yield _fault(error, ("reference",))
        return
    play: PlayFunction = module.play
    rehearsal = Rehearsal(play, referee, spec.text) if referee else None
    told = _Told()
    for index, case in enumerate(spec.cases):
        try:
            yield from _case(spec, case, ("cases", index), play, told)
            if case.game and rehearsal:
                yield from _game(spec, case, index, rehearsal)
        except JudgeError as error:
            yield _fault(error, ("cases", index, "play" if case.play is not None else case.kind))
    yield from _choices(spec.text, told)


def _fault(error: JudgeError, loc: Loc) -> Problem:
    """A fault of the reference, which says its own place, as a problem of what brought it about."""
    said = f"{error.message}, in {error.place}" if error.place else error.message
    return Problem("reference", said, loc, error.hint)


def _case(spec: Spec, case: Case, loc: Loc, play: PlayFunction, told: _Told) -> Iterator[Problem]:
    echo = spec.text.echo == "program"
    if case.transcript is not None:
        yield from _transcript(spec.text, case.transcript, (*loc, "transcript"), play)
        told.note(read_script(case.transcript, spec.text, ends=None))
    elif case.play is not None:
        refused = _refused(play, case.play, (*loc, "play"))
        yield from refused
        if not refused:
            told.note(script(play, case.play, echo=echo))
            yield from _ending(case, loc, play)
    elif case.machine:
        for at, inputs in enumerate(case.machine.play):
            yield from _refused(play, inputs, (*loc, "machine", "play", at))
    elif case.differential:
        unfit = list(_shapes(play, case.differential.illegal, (*loc, "differential", "illegal")))
        yield from unfit
        for inputs in () if unfit else sample(play, case.differential):
            told.note(script(play, inputs, echo=echo))


def _game(spec: Spec, case: Case, index: int, rehearsal: Rehearsal) -> Iterator[Problem]:
    """What is wrong with a game case.

    Kinds of faults that the referee does not know, or finds in the reference itself, and occasions that do not come about
    often enough even there.
    """
    referee, loc = rehearsal.referee, ("cases", index, "faults")
    known = (*referee.faults, CRASH)
    for at, kind in enumerate(case.faults):
        if kind not in known:
            hint = near(kind, known, "its FAULTS")
            yield Problem("unknown-fault", f"the referee knows no fault `{kind}`", (*loc, at), hint)
        elif not referee.occasions_for((kind,)):
            hint = "OCCASIONS_OF of the reference says on which occasions it could show"
            message = f"`{kind}` has no occasion: a program in which it never comes about would be right"
            yield Problem("no-occasion", message, (*loc, at), hint)
    played = list(rehearsal.games(spec.games[case.game or ""]))
    for followed in played:
        if followed.faults:
            turn, fault = followed.faults[0]
            after = after_inputs(followed.transcript.inputs_before(turn))
            message = f"the referee finds the fault `{fault.kind}` in the reference itself, {after}: {fault.message}"
            hint = "reference, referee and `text` must agree"
            yield Problem("reference", message, ("cases", index, "game"), hint, at_key=True)
            return
    for name in case.shown:
        if name not in referee.occasions:
            hint = near(name, referee.occasions, "its OCCASIONS")
            yield Problem(
                "unknown-occasion", f"the referee knows no occasion `{name}`", ("cases", index, "shows", name), hint
            )
            return
    for name in dict.fromkeys((*referee.occasions_for(case.faults), *case.shown)):
        count = sum(followed.occasions.get(name, 0) for followed in played)
        if count < case.needed(name):
            message = f"even the reference shows only {count} {referee.occasions[name]} (`{name}`), and {case.needed(name)} are needed"
            hint = "play more games, or ask for less in `shows`"
            yield Problem("too-few-occasions", message, ("cases", index, "game"), hint, at_key=True)


def _given_away(assignment: Assignment, path: Path) -> Iterator[Problem]:
    """Programs that play no game and earn too much all the same, the one that earns most."""
    module = load(path)
    most = max(gifts(assignment, module.play, of_module(module, str(path))), key=lambda gift: gift.share)
    if most.share > MOST:
        percent = f"{float(100 * most.share):.0f} %"
        message = (
            f"a program that {most.manner} earns {percent} of what is judged automatically, by {', '.join(most.cases)}"
        )
        hint = "ask for more in `shows`, or let cases require one that shows that a game is played"
        yield Problem("given-away", message, ("rubric",), hint, severity=Severity.WARNING, at_key=True)


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


def _refused(play: PlayFunction, inputs: tuple[str, ...], loc: Loc) -> list[Problem]:
    """What is wrong with the first input that the reference cannot take: an error, or a warning when it has ended."""
    session = ReferenceSession(play)
    for number, text in enumerate(inputs, 1):
        if session.request is None:
            message = f"the reference has ended before input {number}, {text!r}: it is never typed"
            return [Problem("never-typed", message, loc, "remove it", severity=Severity.WARNING)]
        wrong = session.request.misfit(text)
        if wrong:
            message = f"for input {number} the reference asks for {wrong}"
            return [Problem("input", message, loc, "one input answers one request of the reference")]
        session.answer(text)
    return []


def _ending(case: Case, loc: Loc, play: PlayFunction) -> Iterator[Problem]:
    """Where nothing but the ending is judged, there is one."""
    if case.judges == (Judged.ENDING,) and not script(play, case.play or (), echo=False).ends:
        message = f"`{case.id}` judges nothing but the ending, and the reference still waits for input"
        yield Problem("no-ending", message, (*loc, "judges"), "play on to the end", severity=Severity.WARNING)


def _choices(rules: TextRules, told: _Told) -> Iterator[Problem]:
    """What the reference leaves open is a choice, what it prints there comes first, and no choice is never met."""
    for name, defaults in told.defaults.items():
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
    for name in rules.choices.keys() - told.defaults.keys():
        message = f"no case meets the choice `{name}`"
        loc = ("text", "choices", name)
        yield Problem(
            "unused-choice", message, loc, "remove it, or add a case that does", at_key=True, severity=Severity.WARNING
        )


# ---------------------------------------------------------------------------------------------------------- transcripts


@dataclass(frozen=True, slots=True)
class _Unit:
    """The least part of a dialogue that can differ: one character, one input or one choice."""

    part: Part
    value: str


def _transcript(rules: TextRules, text: str, loc: Loc, play: PlayFunction) -> Iterator[Problem]:
    """Where a transcript first differs from what the reference prints when the same is typed."""
    tokens = [one for token in _tokens(text, rules) for one in _split(token)]
    inputs = tuple(token.value for token in tokens if token.part is Part.TYPED)
    for refused in _refused(play, inputs, loc):
        if refused.severity is Severity.ERROR:
            yield refused
            return
    here = [_Unit(token.part, token.value) for token in tokens]
    there = list(_units(script(play, inputs, echo=False)))
    at = next((n for n, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there)))
    if at == len(here) == len(there):
        return
    line, column = (tokens[at].line, tokens[at].column) if at < len(tokens) else _end(text)
    message = f"the transcript is not what the reference prints: first difference {_stretch(here, at)} instead of {_stretch(there, at)}"
    yield Problem("transcript", message, loc, within=(line, column, column + 1))


def _tokens(text: str, rules: TextRules) -> Iterator[Token]:
    """The parts of a transcript; where a terminal shows what is typed, the line end after an input belongs to it."""
    enter = ENTER if rules.echo == "terminal" else ""
    typed = False
    for token in read_tokens(text, rules)[0]:
        shown_enter, typed = typed and token.value == enter, token.part is Part.TYPED
        if not shown_enter:
            yield replace(token, value=token.value + enter) if typed else token


def _split(token: Token) -> Iterator[Token]:
    """A token of text as one of each character."""
    if token.part is not Part.TEXT:
        yield token
        return
    for at, char in enumerate(token.value):
        yield replace(token, value=char, column=token.column + at)


def _units(told: Script) -> Iterator[_Unit]:
    for turn in told.turns:
        for piece in merged(turn.pieces):
            if isinstance(piece, Choice):
                yield _Unit(Part.CHOICE, piece.name)
            else:
                yield from (_Unit(Part.TEXT, char) for char in piece)
        if turn.typed is not None:
            yield _Unit(Part.TYPED, turn.typed)


def _end(text: str) -> tuple[int, int]:
    lines = text.removesuffix("\n").split("\n")
    return len(lines), len(lines[-1]) + 1


_SHAPES = {Part.TEXT: "{}", Part.TYPED: "‹{}›", Part.CHOICE: "«{}»"}


def _stretch(units: list[_Unit], at: int) -> str:
    """What stands at a place up to the end of its line, with blanks made visible."""
    shown = ""
    for unit in units[at : at + SHOWN]:
        shown += _SHAPES[unit.part].format(visible(unit.value).strip("\n"))
        if unit.value == "\n":
            break
    return f"“{shown}”" if shown else "the end"

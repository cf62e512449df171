"""The expected dialogues of a spec, made once and used for every submission.

A reference may be a model program in the language of the assignment, built and run like a submission. It is played like
a reference in Python, as a generator that yields output and asks for an answer wherever the program waits. The program
itself prints the echo of a key, if the spec wants one. A script has the echo apart from the text, so it is removed
here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from fractions import Fraction
from functools import cached_property, partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from grader.build import build
from grader.checks.ending import ended
from grader.errors import JudgeError, refusals
from grader.games.follow.following import Reader, Rulings, drawing, follow
from grader.games.follow.sampling import sample
from grader.games.hear.slots import segments
from grader.games.methods import Method, method
from grader.games.referee import Referee, Tables, of_module
from grader.sessions.reference import (
    VOCABULARY,
    Keys,
    Line,
    Play,
    PlayFunction,
    ReferenceSession,
    SpeakingReference,
    load_module,
    raised_at,
    script,
    talking,
)
from grader.sessions.session import USUAL, Setup
from grader.sessions.simulated import SimulatedProgram
from grader.spec.expectations import ENTER, Script
from grader.spec.kinds.beginning import Beginning
from grader.spec.kinds.runs import Differential, GameSet
from grader.spec.loader import Assignment
from grader.spec.model import Case
from grader.spec.model_program import is_model_program, model_sources
from grader.spec.script_text import read_script
from grader.submission import Form, Submission, SubmittedFile
from grader.transcript import decode, visible

if TYPE_CHECKING:
    from grader.build.workshop import Workshop

Inputs = tuple[str, ...]


class Scripts:
    """The scripts of one assignment, by case; made on first use. Raises JudgeError when the reference fails."""

    def __init__(self, assignment: Assignment) -> None:
        self._assignment = assignment
        self._echo = assignment.spec.text.echo == "program"
        self._model = model_of(assignment)
        self._dialogues: dict[str, Script] = {}
        self._games: dict[str, tuple[Script, ...]] = {}

    @cached_property
    def _module(self) -> ModuleType:
        if self._model is not None:
            hint = "write the reference in Python: a generator function play()"
            raise JudgeError("a model program knows no rules of a game", place=str(self._model), hint=hint)
        return self._functions

    @cached_property
    def _told(self) -> dict[Inputs, Script | JudgeError]:
        """The output of a model program for the inputs of the spec, and for others that were asked for."""
        assert self._model is not None, "the reference is a model program"
        with closing(ModelProgram(self._assignment, self._model)) as model:  # afterwards no process of it is left
            return model.scripts(dict.fromkeys(inputs_of(self._assignment)))

    @cached_property
    def _functions(self) -> ModuleType:
        """The reference as a module; it needs no dialogue if it only gives results of routines."""
        if self._assignment.reference is None:
            raise JudgeError("the spec names no reference", place=str(self._assignment.path))
        return load_module(self._assignment.reference)

    def function(self, name: str) -> Callable[..., object]:
        """A function of the reference. Raises JudgeError if it lacks that."""
        attribute = getattr(self._functions, name, None)
        if not callable(attribute):
            raise JudgeError(f"the reference has no function {name}", place=str(self._assignment.reference))
        function: Callable[..., object] = attribute
        return function

    def wrong(self, checker: str, text: str, output: str) -> str:
        """A checker's complaint about an output for an input; empty if it is right.

        Raises JudgeError if the checker fails.
        """
        function = self.function(checker)
        try:
            answer = function(text, output)
        except Exception as error:
            raise JudgeError(f"`{checker}` failed: {error!r}", place=raised_at(error)) from error
        if answer is not None and not isinstance(answer, str):
            raise JudgeError(f"`{checker}` gave {answer!r}, and not a text", hint="say what is wrong, or return ''")
        return answer or ""

    @cached_property
    def _live(self) -> ModelProgram:
        """The model program, ready for games that come up during judging: drawn games, and shorter ones."""
        assert self._model is not None, "the reference is a model program"
        return ModelProgram(self._assignment, self._model)

    def close(self) -> None:
        """End what runs for a model program."""
        if "_live" in self.__dict__:
            self._live.close()
            del self.__dict__["_live"]

    @cached_property
    def talks(self) -> bool:
        """Whether there is a reference that plays dialogues, and not one that only gives results of routines or checks outputs."""
        known = self._assignment.reference is not None
        return known and (self._model is not None or hasattr(self._functions, "play"))

    @property
    def reference(self) -> PlayFunction:
        """The reference's ``play``. Raises JudgeError if it is missing, as it may be in a kit."""
        return talking(self._module, str(self._assignment.reference))

    @cached_property
    def referee(self) -> Referee:
        """The reference as a referee."""
        return of_module(self._module, str(self._assignment.reference))

    @cached_property
    def method(self) -> Method | None:
        """The method to explore programs; None if a referee follows their games. Only this decides between both."""
        game = self._assignment.spec.game
        return None if game is None else method(game, self._module)

    @property
    def tables(self) -> Tables:
        """The kinds of faults and occasions that may be found in games, by a referee or by exploring."""
        return self.referee if self.method is None else self.method.tables

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The words of the assignment: those of the reference in some of its games, without numbers and endings.

        The reference of a kit does not talk: these words are written down in it.
        """
        written: Iterable[str] | None = getattr(self._module, VOCABULARY, None)
        if written is not None:
            return frozenset(written)
        skeletons: set[str] = set()
        for number, start in enumerate(self.referee.starts):
            session = SpeakingReference(self.reference, echo=self._echo)
            game = GameSet(games=1, seed=1, illegal=Fraction(1, 4), inputs=40)
            followed = follow(session, self.rulings, drawing(game, number), start=start)
            skeletons |= {one.skeleton for turn in followed.transcript.turns for one in segments(turn.output)}
        return frozenset(skeletons)

    @cached_property
    def reader(self) -> Reader:
        """The reader of turns of games."""
        duel, rules = self.referee.duel, self._assignment.spec.text
        return Reader(rules) if duel is None else Reader(rules, duel.game.stated)

    @cached_property
    def rulings(self) -> Rulings:
        """The rulings of referee and reader on all turns so far: one object for all submissions of a spec."""
        return Rulings(self.referee, self.reader)

    def dialogue(self, case: Case) -> Script:
        """The expected dialogue of a ``transcript`` or ``play`` case."""
        if case.id not in self._dialogues:
            self._dialogues[case.id] = (
                self._written(case) if case.play is None else self.expected(case.play, case.starts)
            )
        return self._dialogues[case.id]

    def expected(self, inputs: Inputs, starts: Beginning | None = None) -> Script:
        """The reference's output for these inputs. Raises JudgeError if a model program breaks."""
        if self._model is not None and starts is not None:
            return script(partial(self._live.play, Setup.of(starts)), inputs, echo=self._echo)
        if self._model is not None:
            if inputs not in self._told:
                self._told.update(self._live.scripts([inputs]))
            script_or_error = self._told[inputs]
            if isinstance(script_or_error, JudgeError):
                raise script_or_error
            return script_or_error
        return script(self.reference, inputs, echo=self._echo)

    def games(self, case: Case, wanted: Differential) -> tuple[Script, ...]:
        """The games that a differential case plays."""
        if case.id not in self._games:
            play = self.reference if self._model is None else self._live.play
            self._games[case.id] = tuple(self.expected(inputs) for inputs in sample(play, wanted))
        return self._games[case.id]

    def all_legal(self, inputs: Inputs) -> bool:
        """Whether the reference calls every one of these inputs a legal move."""
        session = ReferenceSession(self.reference)
        for text in inputs:
            if session.request is None or text.removesuffix(ENTER) not in session.request.legal:
                return False
            session.answer(text)
        return True

    def _written(self, case: Case) -> Script:
        """A transcript from the spec; if it does not say whether the program ends then, the reference knows."""
        rules = self._assignment.spec.text
        written = read_script(case.transcript or "", rules, ends=case.ends)
        # A reference in Python does not know how a run begins.
        if case.ends is not None or (case.starts and self._model is None) or not self.talks:
            return written
        return Script(written.turns, ends=self.expected(written.inputs, case.starts).ends)


# ------------------------------------------------------------------------------------------------------ model programs


class ModelProgram:
    """A model program, built once. ``play`` starts it; only one play of it goes on at a time. ``close`` ends what runs."""

    def __init__(self, assignment: Assignment, path: Path) -> None:
        """Build the program at a path. Raises JudgeError, with the compiler's messages, if it does not build."""
        self._assignment = assignment
        self._path = path
        self._workshop = None if assignment.spec.program.simulated else _workshop()
        try:
            built = self._built = build(assignment, read_model(path), self._workshop)
            if not built.programs:
                reason = next(iter(built.diagnostics or tuple(finding.message for finding in built.findings)), "")
                raise JudgeError(f"the model program does not build: {reason}".removesuffix(": "), place=str(path))
        except BaseException:
            self.close()
            raise

    def play(self, setup: Setup = USUAL) -> Play:
        """The dialogue of a run. Raises JudgeError if the program breaks, or does not echo the input."""
        name = self._built.usual if self._built.usual in self._built.programs else next(iter(self._built.programs))
        session = self._built.programs[name].start(name, setup=setup)
        echoes = self._assignment.spec.text.echo == "program"
        typed = ""
        while True:
            ending = session.advance()
            printed = decode(session.take_output())
            # A script has the echo of a key apart from the text, since its slip has a price of its own.
            if not printed.startswith(typed):
                raise JudgeError(
                    f"the model program was typed “{visible(typed)}”, and prints “{visible(printed[:24])}” next",
                    place=str(self._path),
                    hint="`text.echo: program` says that it prints what is typed first; keys that are asked for one by one are inputs of their own",
                )
            yield printed.removeprefix(typed)
            if ending is not None and not ended(ending):
                where = f"{ending.place}: " if ending.place else ""
                raise JudgeError(f"the model program breaks: {where}{ending.message}", place=str(self._path))
            if ending is not None:
                return
            by_key = session.wants == "key"
            answer = yield Keys(0) if by_key else Line()
            session.send(answer if by_key else answer + ENTER)
            typed = answer if by_key and echoes else ""

    @property
    def symbols(self) -> tuple[str, ...]:
        """The labels of a program for a simulated machine; none of any other."""
        first = next(iter(self._built.programs.values()))
        return tuple(first.image.symbols) if isinstance(first, SimulatedProgram) else ()

    def scripts(self, wanted: Iterable[Inputs]) -> dict[Inputs, Script | JudgeError]:
        """Its output for each of these inputs, or the error."""
        by_inputs: dict[Inputs, Script | JudgeError] = {}
        for inputs in wanted:
            try:
                by_inputs[inputs] = script(self.play, inputs, echo=self._assignment.spec.text.echo == "program")
            except JudgeError as error:
                by_inputs[inputs] = error
        return by_inputs

    def close(self) -> None:
        """End what runs for it."""
        if hasattr(self, "_built"):
            self._built.close()
        if self._workshop is not None:
            self._workshop.close()


def model_of(assignment: Assignment) -> Path | None:
    """The model program of an assignment; None if it has no reference, or one in Python."""
    path = assignment.reference
    return path if path is not None and is_model_program(path, assignment.spec.program.language) else None


def inputs_of(assignment: Assignment) -> Iterable[Inputs]:
    """All inputs for which a case may want the reference's output, from the usual beginning."""
    for case in (one for one in assignment.spec.cases if one.starts is None):
        if case.play is not None:
            yield case.play
        if case.transcript is not None:
            yield read_script(case.transcript, assignment.spec.text, ends=None).inputs
        yield from case.machine.play if case.machine is not None else ()


def read_model(path: Path) -> Submission:
    """The model program as a submission. Raises UsageError if it cannot be read."""
    with refusals("the model program cannot be read: {}", path):
        files = tuple(
            SubmittedFile(source.relative_to(path if path.is_dir() else path.parent).as_posix(), source.read_bytes())
            for source in model_sources(path)
        )
    return Submission("model", "model", files, Form.FOLDER if path.is_dir() else Form.FILE, handed_in_as=path.name)


def _workshop() -> Workshop:
    from grader.build.workshop import Workshop  # the sandbox is for Linux alone

    return Workshop.opened(unsafe=True)  # it is the course's own program

"""The expected dialogues of a spec, made once and used for every submission."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cached_property
from types import ModuleType

from grader.errors import JudgeError
from grader.games.following import drawing, follow
from grader.games.methods import method
from grader.games.reading import Reader
from grader.games.referee import Referee, Tables, of_module
from grader.games.sampling import sample
from grader.games.study import Method
from grader.grading.model_program import ModelProgram, inputs_of, model_of
from grader.reading.slots import segments
from grader.sessions.reference import (
    VOCABULARY,
    PlayFunction,
    ReferenceSession,
    SpeakingReference,
    load_module,
    script,
    talking,
)
from grader.spec.expectations import ENTER, Script
from grader.spec.kinds.runs import Differential, GameSet
from grader.spec.loader import Assignment
from grader.spec.model import Case
from grader.spec.script_text import read_script

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
        """What a model program prints for the inputs of the spec, and for any others that were asked for."""
        assert self._model is not None, "the reference is a model program"
        with ModelProgram(self._assignment, self._model) as model:  # nothing runs on for it behind this
            return model.scripts(dict.fromkeys(inputs_of(self._assignment)))

    @cached_property
    def _functions(self) -> ModuleType:
        """The reference, which need not talk where it only says what routines return."""
        if self._assignment.reference is None:
            raise JudgeError("the spec names no reference", place=str(self._assignment.path))
        return load_module(self._assignment.reference)

    def function(self, name: str) -> Callable[..., object]:
        """A function of the reference. Raises JudgeError where there is none."""
        found = getattr(self._functions, name, None)
        if not callable(found):
            raise JudgeError(f"the reference has no function {name}", place=str(self._assignment.reference))
        function: Callable[..., object] = found
        return function

    @cached_property
    def _live(self) -> ModelProgram:
        """The model program, ready for what comes up while others are judged: drawn games, and shorter ones."""
        assert self._model is not None, "the reference is a model program"
        return ModelProgram(self._assignment, self._model)

    def close(self) -> None:
        """End what runs for a model program."""
        if "_live" in self.__dict__:
            self._live.close()
            del self.__dict__["_live"]

    @property
    def reference(self) -> PlayFunction:
        """The reference's ``play``. Raises JudgeError where it has none, as that of a kit may have."""
        return talking(self._module, str(self._assignment.reference))

    @cached_property
    def referee(self) -> Referee:
        """The referee that the reference is, too."""
        return of_module(self._module, str(self._assignment.reference))

    @cached_property
    def method(self) -> Method | None:
        """How programs are explored; None where a referee follows their games. This alone decides between both."""
        game = self._assignment.spec.game
        return None if game is None else method(game, self._module)

    @property
    def tables(self) -> Tables:
        """The kinds of faults and occasions that may be found in games, by a referee or by exploring."""
        return self.referee if self.method is None else self.method.tables

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """What the reference says in some of its games, without numbers and endings: the words of the assignment.

        The reference of a kit does not talk: these words are written down in it.
        """
        written: Iterable[str] | None = getattr(self._module, VOCABULARY, None)
        if written is not None:
            return frozenset(written)
        said: set[str] = set()
        for number, start in enumerate(self.referee.starts):
            session = SpeakingReference(self.reference, echo=self._echo)
            game = GameSet(games=1, seed=1, illegal=Fraction(1, 4), inputs=40)
            followed = follow(session, self.referee, self.reader, drawing(game, number), start=start)
            said |= {one.skeleton for turn in followed.transcript.turns for one in segments(turn.output)}
        return frozenset(said)

    @cached_property
    def reader(self) -> Reader:
        """What reads the turns of games."""
        duel, rules = self.referee.duel, self._assignment.spec.text
        return Reader(rules) if duel is None else Reader(rules, duel.game.stated)

    def dialogue(self, case: Case) -> Script:
        """The expected dialogue of a ``transcript`` or ``play`` case."""
        if case.id not in self._dialogues:
            self._dialogues[case.id] = self._written(case) if case.play is None else self.expected(case.play)
        return self._dialogues[case.id]

    def expected(self, inputs: Inputs) -> Script:
        """What the reference prints for these inputs. Raises JudgeError where a model program breaks."""
        if self._model is not None:
            if inputs not in self._told:
                self._told.update(self._live.scripts([inputs]))
            told = self._told[inputs]
            if isinstance(told, JudgeError):
                raise told
            return told
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
        """A transcript that the spec spells out; where it does not say whether the program ends then, the reference knows."""
        rules = self._assignment.spec.text
        written = read_script(case.transcript or "", rules, ends=case.ends)
        if self._assignment.reference is None or case.ends is not None:
            return written
        return Script(written.turns, ends=self.expected(written.inputs).ends)

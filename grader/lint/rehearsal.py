"""A spec against its reference: it must take every input, bring about every game, and find no fault in its own play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from inspect import signature
from pathlib import Path

from grader.checks.explain import after_inputs
from grader.checks.facts import read_facts
from grader.errors import JudgeError, UsageError
from grader.games.follow.following import Followed
from grader.games.follow.forking import GONE_ON
from grader.games.follow.sampling import parse_shape, sample
from grader.games.referee import CRASH
from grader.grading import Grading, Judge
from grader.grading.scripts import ModelProgram, model_of, read_model
from grader.grading.trial import Trial
from grader.lint.gifts import PROFILE, MadeUp
from grader.lint.patterns import lost_blanks
from grader.lint.transcripts import input_problems, transcript_problems
from grader.lint.words import fault, unknown_labels
from grader.results import Weight
from grader.sessions.reference import (
    PlayFunction,
    ReferenceSession,
    SpeakingReference,
    is_silent,
    load_module,
    raised_at,
    script,
)
from grader.sessions.session import Setup
from grader.spec.document import Loc
from grader.spec.expectations import Choice, Script
from grader.spec.kinds import KINDS
from grader.spec.kinds.runs import Judged
from grader.spec.loader import Assignment
from grader.spec.model import Case, Spec, TextRules
from grader.spec.problem import Problem, near
from grader.spec.script_text import read_script


def rehearsed(assignment: Assignment) -> Iterator[Problem]:
    """Every problem that shows when the reference plays the cases; without a reference, the problems of transcripts."""
    model, spec, path = model_of(assignment), assignment.spec, assignment.reference
    silent = path is None
    if path is not None and model is None:
        with suppress(JudgeError):  # told of where it is played
            silent = is_silent(load_module(path))  # that of a kit: it was played before its ``play`` was cut out
    if silent:
        transcripts = (case.transcript for case in spec.cases if case.transcript is not None)
        scripts = [read_script(text, spec.text, ends=None) for text in transcripts]
        yield from lost_blanks(spec.text, sorted({turn.text({}) for one in scripts for turn in one.turns}))
        return
    try:
        yield from _played(assignment) if model is None else _modelled(assignment, model)
    except (JudgeError, UsageError) as error:
        yield fault(error, ("reference",))


def _modelled(assignment: Assignment, path: Path) -> Iterator[Problem]:
    """Every problem of a model program. Raises JudgeError, UsageError if it does not build."""
    spec = assignment.spec
    with closing(ModelProgram(assignment, path)) as model:
        labels = [*unknown_labels(spec, model.symbols)] if spec.program.simulated else []
        yield from labels
        stage = _Stage(spec, model.play, model=model)
        yield from stage.all_problems()
    if not labels and not any(problem.code == "reference" for problem in stage.found):
        yield from _ungraded(assignment, path)


def _played(assignment: Assignment) -> Iterator[Problem]:
    """Every problem of a reference in Python. Raises JudgeError if it does not play."""
    judge = Judge(assignment)
    trial = on_trial(judge) if any(case.game for case in assignment.spec.cases) else None
    stage = _Stage(assignment.spec, judge.scripts.reference, trial)
    yield from stage.all_problems()
    yield from unasked_faults(trial) if trial and not stage.found else ()
    yield from _choices(assignment.spec.text, stage.defaults)


def _ungraded(assignment: Assignment, path: Path) -> Iterator[Problem]:
    """Cases other than dialogues in which a model program itself is not accepted: it must earn the full score."""
    kinds = {case.id: KINDS[case.kind] for case in assignment.spec.cases}
    # It has passed once it is played, and hands in no report.
    wanted = {name for name, kind in kinds.items() if kind.of_program and not kind.plays}
    if not wanted:
        return
    # It is the course's own program, which needs no sandbox: not every machine has one.
    with Grading(assignment, unsafe=True) as grading:
        results = {one.id: one for one in grading.grade(read_model(path), only=wanted).cases}
    for index, case in enumerate(assignment.spec.cases):
        result = results.get(case.id)
        if result is not None and not result.met:
            reason = next((one.message for one in result.findings if one.weight is Weight.DEFECT), str(result.verdict))
            hint = "the spec asks for more than the course's own solution does, or one of them is wrong"
            yield Problem("reference", f"the model program does not pass `{case.id}`: {reason}", ("cases", index), hint)


def on_trial(judge: Judge) -> Trial:
    """The reference in front of a judge, as a program that is graded. Raises JudgeError if it is no referee.

    One that plays by chance has a ``seed``.
    """
    play, echo = judge.scripts.reference, judge.assignment.spec.text.echo == "program"
    _ = judge.scripts.tables  # a reference that is no referee is told of once, and not in each case
    seeded = "seed" in signature(play).parameters

    def session(seed: int | None) -> SpeakingReference:
        by_seed: PlayFunction = partial(play, **({"seed": seed} if seeded and seed else {}))
        return SpeakingReference(by_seed, echo=echo)

    return MadeUp(session).on_trial(judge)


def games_of(trial: Trial, name: str) -> Sequence[Followed]:
    """All games of a set, as the reference plays them. Raises JudgeError if the reference or the referee fails."""
    try:
        return trial.dialect(PROFILE).of(trial.spec.games.get(name)).played(lambda _game: False)
    except JudgeError:
        raise
    except Exception as error:
        raise JudgeError(f"the referee failed: {error!r}", place=raised_at(error)) from error


@dataclass
class _Stage:
    """A reference, or a ``model`` program, that plays the cases of a spec.

    ``trial`` is the trial in which it plays its games. ``texts`` are the turns that it has printed so far. ``defaults`` are its
    texts for the choices that the assignment leaves open, in order. ``found`` are the problems of its cases.
    """

    spec: Spec
    play: PlayFunction
    trial: Trial | None = None
    model: ModelProgram | None = None
    texts: set[str] = field(default_factory=set)
    defaults: dict[str, list[str]] = field(default_factory=dict)
    found: list[Problem] = field(default_factory=list)

    def all_problems(self) -> Iterator[Problem]:
        """The problems of the cases, and of the facts of all output."""
        messages: set[str] = set()
        for index, case in enumerate(self.spec.cases):
            for problem in self.problems(case, index):
                if (
                    problem.code != "reference" or problem.message not in messages
                ):  # one that is broken fails in every case
                    self.found.append(problem)
                    yield problem
                messages.add(problem.message)
        yield from lost_blanks(self.spec.text, sorted(self.texts))

    def problems(self, case: Case, index: int) -> Iterator[Problem]:
        """The problems of one case; if the reference breaks, only that."""
        loc: Loc = ("cases", index)
        try:
            yield from self._of_text(case, loc)
            yield from self._of_inputs(case, loc)
            if case.game and self.trial:
                yield from _judged(case, index, self.trial)
        except JudgeError as error:
            yield fault(error, (*loc, "play" if case.play is not None else case.kind))

    def _script(self, inputs: tuple[str, ...], play: PlayFunction | None = None) -> Script:
        return script(play or self.play, inputs, echo=self.spec.text.echo == "program")

    def _note(self, script: Script) -> None:
        for turn in script.turns:
            self.texts.add(turn.text({}))
            for piece in turn.pieces:
                if isinstance(piece, Choice) and piece.default not in self.defaults.setdefault(piece.name, []):
                    self.defaults[piece.name].append(piece.default)

    def _of_text(self, case: Case, loc: Loc) -> Iterator[Problem]:
        """The problems of a transcript, and of the inputs of one that the reference writes."""
        if case.starts is not None and self.model is None:
            return  # a reference in Python does not know how a run begins
        usual, play = case.starts is None, self.play
        if case.starts is not None and self.model is not None:
            play = partial(self.model.play, Setup.of(case.starts))
        if case.transcript is not None:
            where = (*loc, "transcript")
            yield from transcript_problems(self.spec.text, case.transcript, where, play, model=self.model is not None)
            written = read_script(case.transcript, self.spec.text, ends=None)
            self._note(written)
            if case.ends is not None and self._script(written.inputs, play).ends != case.ends:
                message = f"after this transcript the reference {'still waits for input' if case.ends else 'has ended'}"
                yield Problem("ends", message, (*loc, "ends"), "remove it: the reference knows")
        if case.play is not None:
            refused = input_problems(play, case.play, (*loc, "play"))
            yield from refused
            if not refused:
                script = self._script(case.play, play)
                self._note(script)
                yield from self._unsaid(case, script, loc)
                if case.judges == (Judged.ENDING,) and not script.ends:
                    message = f"`{case.id}` judges only the ending, but the reference still waits for input"
                    yield Problem.warning("no-ending", message, (*loc, "judges"), "play on to the end")
                if usual and self.model and self.model.scripts([case.play]) != self.model.scripts([case.play]):
                    message = "the model program does not print the same twice"
                    hint = "a program that draws by chance or looks at the clock cannot be the reference"
                    yield Problem("reference", message, (*loc, "play"), hint)

    def _unsaid(self, case: Case, script: Script, loc: Loc) -> Iterator[Problem]:
        """A case whose facts the reference never states: a program that never states them would earn its points."""
        facts = {fact.name for turn in script.turns for fact in read_facts(turn.text({}), self.spec.text.facts)}
        if case.facts and facts.isdisjoint(case.facts):
            names = " and ".join(f"`{name}`" for name in case.facts)
            message = f"`{case.id}` judges {names}, and the reference never says so here"
            yield Problem.warning("unsaid-fact", message, (*loc, "facts"), "play on until it does")

    def _of_inputs(self, case: Case, loc: Loc) -> Iterator[Problem]:
        """The problems of inputs that are typed into a machine, and of the shapes of drawn ones."""
        if case.machine:
            for at, inputs in enumerate(case.machine.play):
                yield from input_problems(self.play, inputs, (*loc, "machine", "play", at))
            for at, run in enumerate(case.machine.runs):
                yield from input_problems(self.play, run.play, (*loc, "machine", "runs", at, "play"))
        if case.differential:
            where: Loc = (*loc, "differential")
            unfit = [*_shapes(self.play, case.differential.legal, (*where, "legal"))]
            unfit += _shapes(self.play, case.differential.illegal, (*where, "illegal"))
            yield from unfit
            for inputs in () if unfit else sample(self.play, case.differential):
                self._note(self._script(inputs))


def _judged(case: Case, index: int, trial: Trial) -> Iterator[Problem]:
    """Kinds of faults and occasions that are not known, faults of the reference itself, and too few occasions even there."""
    scripts = trial.scripts
    tables, who = scripts.tables, "referee" if scripts.method is None else "exploration"
    played, obstacle = games_of(trial, case.game or ""), trial.dialect(PROFILE).obstacle
    if obstacle:
        hint = "its own words must be such that the game can be followed"
        yield Problem("reference", f"the reference could not be explored: {obstacle}", ("reference",), hint)
        return
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
            message, hint = f"the {who} knows no occasion `{name}`", near(name, tables.occasions, "its OCCASIONS")
            yield Problem("unknown-occasion", message, ("cases", index, "shows", name), hint)
            return
    for name in dict.fromkeys((*tables.occasions_for(case.faults), *case.shown)):
        count = sum(followed.occasions.get(name, 0) for followed in played)
        if count < case.needed(name) and name != GONE_ON:  # the reference is not forked
            message = f"even the reference shows only {count} {tables.occasions[name]} (`{name}`), and {case.needed(name)} are needed"
            hint = "play more games, or ask for less in `shows`"
            yield Problem("too-few-occasions", message, ("cases", index, "game"), hint, at_key=True)


def _shapes(play: PlayFunction, shapes: Iterable[str], loc: Loc) -> Iterator[Problem]:
    """Invalid shapes, and shapes that no first input can have: any shape may be drawn at any request."""
    request = ReferenceSession(play).request
    for at, shape in enumerate(shapes):
        try:
            wrong = request.misfit("".join(chars[0] for chars in parse_shape(shape))) if request else ""
        except JudgeError as error:
            yield Problem("shape", error.message, (*loc, at), error.hint)
            continue
        if wrong:
            yield Problem("shape", f"the reference asks for {wrong}", (*loc, at), "one character or class for each key")


def _choices(rules: TextRules, printed: Mapping[str, Sequence[str]]) -> Iterator[Problem]:
    """A place that the reference leaves open is a choice, its output there comes first, and every choice occurs."""
    for name, defaults in printed.items():
        loc = ("text", "choices", name)
        alternatives = rules.choices.get(name)
        if alternatives is None:
            message = f"the reference prints a choice `{name}` that is not in `text.choices`"
            yield Problem("unknown-choice", message, ("reference",), near(name, rules.choices, "`text.choices`"))
            continue
        for default in defaults:
            if default != alternatives[0]:
                message = f"for `{name}` the reference prints {default!r}, which is not the first alternative"
                yield Problem(
                    "default", message, loc, "list what the reference prints first: transcripts mean the first"
                )
    for name in rules.choices.keys() - printed.keys():
        message, hint = f"no case meets the choice `{name}`", "remove it, or add a case that does"
        yield Problem.warning("unused-choice", message, ("text", "choices", name), hint, at_key=True)


def unasked_faults(trial: Trial) -> Iterator[Problem]:
    """A warning for all sets of games, and one for those with illegal answers. Raises JudgeError if the referee fails.

    Some case is to ask for each fault of the referee. A fault that costs points is wanted in games with illegal answers as well.
    """
    sets, judging = trial.spec.games, [case for case in trial.spec.cases if case.game]
    kinds = [kind for kind in trial.scripts.tables.faults if kind != CRASH]
    everywhere = {kind for case in judging for kind in case.faults}
    yield from _warned(trial, sets, [kind for kind in kinds if kind not in everywhere], "any game")
    # If positions are covered, the game goes on from before each refusal.
    refusing = [name for name, games in sets.items() if games.illegal and not games.covers]
    there = {kind for case in judging if case.game in refusing for kind in case.faults}
    priced = {kind for case in judging if case.criterion for kind in case.faults}
    missing = [kind for kind in kinds if kind in priced - there]
    yield from _warned(trial, refusing, missing, "games in which illegal answers are typed")


def _warned(trial: Trial, sets: Iterable[str], kinds: list[str], where: str) -> Iterator[Problem]:
    """A warning, at the first of these sets, of those kinds that have an occasion in any of them."""
    if not kinds:
        return
    shown = {name for of in sets for game in games_of(trial, of) for name in game.occasions}
    possible = [f"`{kind}`" for kind in kinds if shown.intersection(trial.scripts.tables.occasions_for((kind,)))]
    if possible:
        asked = f"no case asks for {', '.join(possible)} in {where}"
        message = f"{asked}: a program with such a mistake loses nothing by it"
        hint = "add it to the `faults` of a case, or add a case for what shows nowhere else"
        yield Problem.warning("unasked-fault", message, ("games", next(iter(sets))), hint)

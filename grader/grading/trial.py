"""One submission in front of the judge, and how its results are worded: for cases of all kinds."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import field, replace
from functools import partial
from typing import TypeVar

from grader.build import Built
from grader.build.chosen import HEADERS
from grader.bundled import bundled_specs
from grader.checks import ending as endings
from grader.checks.dialogue import Bindings
from grader.errors import JudgeError
from grader.games.hear.runs import Runs
from grader.grading import dialects
from grader.grading.budget import Hangs, Spent, Watched
from grader.grading.scripts import Inputs, Scripts
from grader.machines.families import TRAITS
from grader.machines.records import NO_EXPERIMENT, Experiment
from grader.results import CaseResult, Finding, JudgedTurn, Verdict, Weight
from grader.sessions.session import USUAL, Session, Setup
from grader.sessions.simulated import SimulatedProgram, SimulatedSession, escaped
from grader.spec.corrections import Corrections
from grader.spec.kinds.beginning import Beginning
from grader.spec.model import Case, Spec
from grader.submission import Submission
from grader.transcript import Transcript, garbled
from grader.values import dataclass

T = TypeVar("T")

SHOWN_OUTPUT = 4000
"""Maximum characters of one turn that a result keeps; a flood is cut and says so."""

SHOWN_ERRORS = 2000
"""Maximum characters that a result keeps of the error stream, its last ones."""


@dataclass
class Memory:
    """Cached work for one submission, and knowledge of its program so far.

    ``dialects`` are how it is understood, and ``runs`` those of the experiments, by profile. ``suites`` are the results of unit tests, by
    run, and ``waits`` is how waits for input were recognised. ``spent`` is the used part of its budget; ``hangs`` are
    runs that took too long.
    """

    dialects: dict[str, dialects.Dialect] = field(default_factory=dict)
    runs: dict[str, Runs] = field(default_factory=dict)
    suites: dict[tuple[object, ...], object] = field(default_factory=dict)
    waits: set[str] = field(default_factory=set)
    session: Session | None = None
    spent: Spent = field(default_factory=Spent)
    hangs: Hangs = field(default_factory=Hangs)

    def note_waits(self) -> None:
        """Remember how the waits of the last session were recognised."""
        if self.session is not None:
            self.waits.add(self.session.how_waits)


@dataclass(frozen=True, slots=True)
class Trial:
    """One submission in front of the judge: the program, and the choices as its earlier cases have bound them.

    ``charged`` are kinds of faults that other cases have charged: later faults of a game follow from the first of them.
    """

    spec: Spec
    submission: Submission
    built: Built
    scripts: Scripts
    bindings: Bindings = field(default_factory=dict)
    memory: Memory = field(default_factory=Memory)
    corrections: Corrections = field(default_factory=dict)
    charged: frozenset[str] = frozenset()

    def start(self, profile: str, *, seed: int | None = None, setup: Setup = USUAL) -> Session:
        """A session of the program under one of the profiles for which it is built. Raises OverBudgetError."""
        start = partial(self._started, profile, seed, setup)
        if self.spec.program.simulated:  # its limit is a number of instructions, which takes next to no time
            return start()
        # Runs with other arguments or files hang for reasons of their own.
        beginning = () if setup.plain else (setup.arguments, tuple(setup.files.items()))
        return Watched(start, self.memory.hangs, profile, seed, *beginning)

    def _started(self, profile: str, seed: int | None, setup: Setup) -> Session:
        self.memory.spent.begin()
        self.memory.note_waits()
        session = self.memory.session = self.built.programs[profile].start(profile, seed=seed, setup=setup)
        self.memory.spent.counts(session)
        return session

    @property
    def profiles(self) -> tuple[str, ...]:
        """The profiles for which the program is built, in the order in which they are tried.

        If an explored program prints garbled letters under the first, it was written for another profile: the others go
        before. MARS keeps one byte of each letter, so that garbled Chinese cannot even be recognised. Raises
        OverBudgetError.
        """
        first, *others = self.built.programs
        # The words of other programs are learned only when a case of games needs them: a transcript is compared letter by letter.
        if others and self.scripts.method is not None:
            if any(finding.code == "wide-characters" for finding in self.built.findings):
                return (*others, first)
            study = self.dialect(first).studied()
            turns = (turn.output for game in study.games[:1] for turn in game.transcript.turns)
            if any(map(garbled, (*turns, *(lesson.quote for lesson in study.learned.lessons)))):
                return (*others, first)
        return (first, *others)

    def dialect(self, profile: str) -> dialects.Dialect:
        """The dialect of the program under a profile; it is found out once. Raises OverBudgetError."""
        if profile not in self.memory.dialects:
            self.memory.dialects[profile] = dialects.dialect(self, profile)
        return self.memory.dialects[profile]

    @property
    def own_words(self) -> bool:
        """Whether words of the program were learned: the patterns of the spec do not read everything that it says."""
        return any(one.learned.lessons for one in self.memory.dialects.values())

    @property
    def spent_up(self) -> bool:
        """Whether the budget of the submission is used up, so that no session is started any more."""
        return bool(self.memory.spent.reason)

    def observed(self, profile: str, experiment: Experiment = NO_EXPERIMENT, setup: Setup = USUAL) -> SimulatedSession:
        """A session of a simulated program that keeps records. Raises JudgeError for other programs, OverBudgetError."""
        self.memory.spent.begin()
        program = self.built.programs[profile]
        if not isinstance(program, SimulatedProgram):
            raise JudgeError("only simulated programs can be observed")
        session = program.start(profile, setup=setup, observe=True, experiment=experiment)
        self.memory.spent.counts(session)
        return session


@dataclass(frozen=True, slots=True)
class Judgement:
    """The result of a case under one profile, the choices bound so far, and how far the runs came.

    ``inputs`` were typed in all runs together; ``breaks`` of them broke.
    """

    result: CaseResult
    bindings: Bindings
    inputs: int = 0
    breaks: int = 0

    @classmethod
    def of(cls, result: CaseResult, bindings: Bindings, *transcripts: Transcript) -> Judgement:
        """The judgement that rests on these runs."""
        inputs = sum(transcript.usage.turns - 1 for transcript in transcripts)
        return cls(result, bindings, inputs, sum(endings.faulty(transcript.ending) for transcript in transcripts))


PASTED = 300
"""Maximum characters of a text in a command."""


def show_again(
    trial: Trial, inputs: Inputs, profile: str, seed: int | None = None, begun: Beginning | None = None
) -> str:
    """The command that shows a run again; empty if no command can give a run what this one ``begun`` with."""
    if begun is not None and (begun.given or begun.keys):
        return ""
    words = ["grader", "run", *_what(trial)]
    if inputs:
        words += ["--input", escaped("".join(inputs))]
    known = TRAITS.get(trial.built.language)
    if known is not None and (profile != trial.built.usual or profile != known.profiles[0]):
        words += ["--profile", profile]
    if trial.built.start:
        words += ["--start", trial.built.start]
    if seed is not None:
        words += ["--seed", str(seed)]
    if begun is not None:
        for argument in begun.arguments:
            words += ["--argument", argument]
        for name, content in {**trial.spec.program.files, **begun.files}.items():
            if len(content.text) > PASTED and not content.path:
                return ""
            short = len(content.text) <= PASTED
            words += ["--file", f"{name}={escaped(content.text)}" if short else f"{name}@{content.path}"]
    return shlex.join(words)


def _what(trial: Trial) -> list[str]:
    """The words that name the student's program: its sources or their folder, with the spec that says how to build it.

    Only bundled specs have names that mean the same everywhere; reports for staff name the others (`report.again`).
    """
    names = [source.name for source in trial.built.sources]
    if trial.spec.program.simulated:
        return names
    headers = [file.path for file in trial.submission.files if file.path.casefold().endswith(HEADERS)]
    if trial.spec.assignment not in bundled_specs():
        return [*names, *headers]
    alone = len(names) == 1 and not headers
    return ["--spec", trial.spec.assignment, *(names if alone else [trial.submission.handed_in_as or "."])]


def judged_turns(transcript: Transcript, differences: Mapping[int, str]) -> tuple[JudgedTurn, ...]:
    """The turns as a result keeps them; ``differences`` maps a turn (from 1) to the text that was expected there."""
    return tuple(
        JudgedTurn(_cut(turn.output), turn.typed, _cut(differences[n]) if n in differences else None)
        for n, turn in enumerate(transcript.turns, start=1)
    )


def with_run(
    trial: Trial,
    result: CaseResult,
    profile: str,
    transcript: Transcript,
    differences: Mapping[int, str],
    seed: int | None = None,
    begun: Beginning | None = None,
) -> CaseResult:
    """The result with its run: dialogue, ending, usage, and the command that shows it again."""
    return replace(
        result,
        usage=transcript.usage,
        turns=judged_turns(transcript, differences),
        ending=transcript.ending.message,
        errors=written_aside(transcript),
        again=show_again(trial, transcript.inputs, profile, seed, begun),
    )


def written_aside(transcript: Transcript) -> str:
    """The part of the error output that a result keeps: the end, which says how the program broke."""
    text = transcript.ending.errors
    return text if len(text) <= SHOWN_ERRORS else f"…{text[-SHOWN_ERRORS:]}"


def _cut(text: str) -> str:
    more = len(text) - SHOWN_OUTPUT
    return f"{text[:SHOWN_OUTPUT]}\n… and {more} characters more" if more > 0 else text


def given(rules: T | None) -> T:
    """The rules of a case's kind, which must be there."""
    if rules is None:
        raise JudgeError("a case is judged as a kind that it is not")
    return rules


def unmet(case: Case, verdict: Verdict, *findings: Finding) -> CaseResult:
    """The result of a case that is not met, known without a look at the program."""
    shared = {key: getattr(case, key) for key in ("id", "title", "kind", "criterion", "visibility", "reveals")}
    return CaseResult(**shared, verdict=verdict, met=False, findings=findings)


def case_result(case: Case, verdict: Verdict, findings: tuple[Finding, ...], *, met: bool | None = None) -> CaseResult:
    """The result of a case; met when accepted, if ``met`` does not say otherwise."""
    at = max((number for number, one in enumerate(findings) if one.weight is Weight.DEFECT), default=None)
    if at is not None and not findings[at].hint:  # the case's hint is given once, at the last defect
        findings = (*findings[:at], replace(findings[at], hint=case.hint), *findings[at + 1 :])
    result = unmet(case, verdict, *findings)
    return replace(result, met=verdict is Verdict.ACCEPTED if met is None else met)

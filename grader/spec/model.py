"""The model of a spec: every key that a TA may write, its type and its meaning. Frozen; unknown keys are refused.

The descriptions are the source of ``docs/spec-reference.md`` and of the JSON schema for editors. Rules over several
keys (a criterion that does not exist, a choice that nobody declared) are checked in ``spec.rules``.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import Literal

from pydantic import Field, field_validator, model_validator

from grader.machines.families import TRAITS
from grader.results import Reveals, Visibility
from grader.spec.game import Game
from grader.spec.kinds import KINDS
from grader.spec.kinds.beginning import Beginning, Printed
from grader.spec.kinds.call import CallRules
from grader.spec.kinds.content import Text
from grader.spec.kinds.dialogue import Step
from grader.spec.kinds.handed_in import FilesRules, SourceRules
from grader.spec.kinds.io import Pair
from grader.spec.kinds.machine import MachineRules
from grader.spec.kinds.runs import BOTH, Differential, GameSet, Judged
from grader.spec.kinds.tests import UnitTests
from grader.spec.languages import Language, Languages, Profile, Spoken
from grader.spec.values import (
    Day,
    Inputs,
    Part,
    Pattern,
    Points,
    Price,
    Quantity,
    Seconds,
    Slug,
    Span,
    SpecModel,
    Tolerance,
)

PROFILES = {language: traits.profiles for language, traits in TRAITS.items()}
"""The profiles that each language has, the usual one first."""


class SlipKind(StrEnum):
    """The kinds of slips of form, from the least to the gravest.

    - `trailing-blank`: spaces at the end of a line, too many or too few
    - `blank-line`: an empty line too many or too few
    - `spacing`: other spaces and line ends
    - `case`: capital for small letters, or the other way round
    - `punctuation`: other marks, or none
    - `echo`: what is typed is not printed
    - `wording`: other words that say the same facts
    - `missing`: a line is not there, and the same facts are said without it
    - `extra`: a line too many, and no other facts are said by it
    """

    TRAILING_BLANK = "trailing-blank"
    BLANK_LINE = "blank-line"
    SPACING = "spacing"
    CASE = "case"
    PUNCTUATION = "punctuation"
    ECHO = "echo"
    WORDING = "wording"
    MISSING = "missing"
    EXTRA = "extra"


class SubmissionRules(SpecModel):
    """Which files are handed in, and how their owner is recognised."""

    required: tuple[str, ...] = ()
    """Files that must be there. Their case is forgiven, and noted. `*.pdf` stands for any file of that name."""
    optional: tuple[str, ...] = ()
    """Files that may be there."""
    student_id: Pattern | None = None
    """A regular expression that finds the student number in the name of an archive or folder."""

    @property
    def listed(self) -> tuple[str, ...]:
        """All files that may be handed in."""
        return (*self.required, *self.optional)


class Program(SpecModel):
    """The program that is assembled or compiled, and run."""

    language: Languages
    """The language of the sources, or a list of those that a student may choose from, told apart by the names of files."""
    sources: tuple[str, ...] = Field(min_length=1)
    """The files that hold the program, the main one first, where the assignment demands names; a lone program of another
    name is graded and noted. `*.java` stands for every file of that name: what starts a program is found, and what belongs
    to it; where several could start one, a person says which. On the LC-3 machine code is a program as well: text of 0 and 1
    (`*.bin`) or in hexadecimal (`*.hex`), or an object file (`*.obj`)."""
    flags: dict[Language, tuple[str, ...]] = Field(default_factory=dict)
    """Additional flags for the compiler of a language."""
    main: str | None = None
    """The class or file that is started, if the grader cannot find it."""
    support: tuple[str, ...] = ()
    """Files that the course hands out, built along with what is handed in, by paths relative to the spec. An assembled program
    begins in the one that has a label `main`, where there is one."""
    sanitize: bool = False
    """Compile a program in C or C++ with checks of memory and of undefined behaviour: a run that breaks a rule of the language
    ends there, with the line."""
    terminal: bool = False
    """Run it on a real terminal rather than through pipes: for programs that read single keys or ask what they talk to."""
    start: Literal["first", "main"] | None = None
    """The start of a MIPS program: its first instruction, or the label `main`; by default as the profile does it."""
    files: dict[str, Text] = Field(default_factory=dict)
    """Files that the program finds in its folder in every run, by their names there; that of a MIPS program is kept in memory."""
    seed: int = Field(default=0, ge=0, lt=1 << 31)
    """The seed of the random generators of a MIPS program, if it does not seed them itself."""
    profiles: tuple[Profile, ...] = Field(default=("default",), min_length=1)
    """Machine profiles in the order in which they are tried: a case that fails is run under the next, and the best counts. `mars` for
    MIPS if not said."""
    dialect: str | None = None
    """The assembler's dialect; by default that of the first profile."""

    @model_validator(mode="before")
    @classmethod
    def _usual_profile(cls, value: object) -> object:
        """A program is tried under the usual profile of its language, where the spec does not say."""
        # An author of a first spec for MIPS was told that `default`, which nobody had written, is not a profile.
        if isinstance(value, dict) and "profiles" not in value:
            written = value.get("language")
            [language] = written if isinstance(written, list) and len(written) == 1 else [written]
            usual = PROFILES[language][0] if isinstance(language, str) and language in PROFILES else "default"
            if usual != "default":
                return {**value, "profiles": [usual]}
        return value

    @property
    def simulated(self) -> str | None:
        """The language, where it is one of a simulated machine; None for programs of the computer itself."""
        # With several languages none is simulated: a separate rule checks that.
        return next((name for name in self.language if name in PROFILES), None)


class Budget(SpecModel):
    """The budget of judging one submission, over all its runs; cases that are not judged by then are left open."""

    # One real program was graded for 511 s. Instructions are the same on every machine; the two others are backstops.
    instructions: Quantity = 10_000_000_000
    """The instructions of all simulated runs."""
    cpu: Seconds = 300.0
    """The computing time of the grader itself, simulated runs included."""
    wall: Seconds = 900.0
    """The time that may pass. After twice this time, judging is broken off."""

    @property
    def last_resort(self) -> float:
        """The seconds after which judging is broken off at any point."""
        # Judging itself can hang, as a pattern can, and then nothing but this ends it.
        return 2 * self.wall


class Limits(SpecModel):
    """The limits of one run."""

    # A game of Nim takes 1,500 instructions and one of four in a row 650,000; a loop of so many is over in 0.15 s.
    instructions: Quantity = 50_000_000
    """The instruction budget."""
    # A right game of four in a row with large boards prints more in a whole run, and was once called a loop.
    output: Quantity = 1 << 20
    """Maximum bytes that a program may print until it asks for input; ten times as many in all."""
    cpu: Seconds = 2.0
    """The computing time of a compiled or interpreted program."""
    # For each wait: a program that pauses before each move was over a limit that is meant for programs that hang.
    wall: Seconds = 10.0
    """The time that it may take until it asks for input; ten times as much in all."""
    memory: Quantity = 256 << 20
    """The memory of the program and all that it starts, in bytes."""
    # A fork bomb meets this limit in no time, and no console program comes near it.
    processes: int = Field(default=16, ge=1, le=1000)
    """Maximum processes and threads at once; those of a Java machine itself are not counted."""
    storage: Quantity = 16 << 20
    """Maximum bytes of its files."""
    submission: Budget = Budget()
    """The budget of all runs for one submission together."""


class Slip(SpecModel):
    """The price of one kind of slip, and who pays it. The price alone is enough: `case: 3`."""

    price: Price
    """Points, `whole` (the whole criterion) or `forgive`."""
    criterion: Slug | None = None
    """The criterion that pays; `text.criterion` when not said."""

    @model_validator(mode="before")
    @classmethod
    def _from_price(cls, value: object) -> object:
        return {"price": value} if isinstance(value, int | float | str | Fraction) else value


class Fact(SpecModel):
    """Something that a turn says, in any wording: two turns that say the same facts differ in form only."""

    name: Slug
    """The name of the fact in findings."""
    pattern: Pattern
    """A regular expression, matched without regard to case. Its named groups are what the fact says."""
    lengths: tuple[str, ...] = ()
    """Named groups whose number of characters counts, without spaces, and not their text."""
    optional: bool = False
    """Only the cases that name it in their `facts` or `mentions` judge it; others ignore it."""
    tolerance: Tolerance | None = None
    """How far its values may be off, where they are numbers: `0.01`, or `{relative: 1e-6}`."""


class Question(SpecModel):
    """Something that a program asks for, in any wording."""

    name: Slug
    """Its name for the referee."""
    pattern: Pattern
    """A regular expression, matched without regard to case in what was printed since the last input."""


class TextRules(SpecModel):
    """The rules for comparing text: exactly, with these exceptions."""

    criterion: Slug | None = None
    """The criterion that pays for slips of form."""
    echo: Literal["program", "terminal", "none"] = "none"
    """`program`: each typed key appears because the program prints it. `terminal`: what is typed ends with Enter, and the
    terminal shows both. `none`: typed keys do not appear."""
    # The mark that editors show for a blank
    blank: str = Field(default="·", min_length=1, max_length=1)
    """The mark that stands for a space in transcripts, where a bare one would not be seen: at the end of a line."""
    choices: dict[Slug, tuple[str, ...]] = Field(default_factory=dict)
    """Choices that the assignment leaves open: the alternatives of each, first the one that the reference prints. A
    program must use one of them throughout."""
    facts: tuple[Fact, ...] = ()
    """The facts that turns may state. Without facts, a difference in wording is a defect rather than a slip."""
    questions: tuple[Question, ...] = ()
    """The questions that a program may ask, for `game` cases: the one whose last match is latest in the turn counts."""
    slips: dict[SlipKind, Slip] = Field(default_factory=dict)
    """The price of each kind of slip, charged once even if it is seen often. A kind without a price is a defect."""
    tolerance: Tolerance | None = None
    """How far each number in a text may be off: `0.01`, or `{relative: 1e-6}`. Without it, numbers are compared as text."""


class Counts(StrEnum):
    """How the cases of a criterion add up."""

    ALL = "all"
    EACH = "each"
    KINDS = "kinds"


class Criterion(SpecModel):
    """One line of the rubric."""

    id: Slug
    """Its name, for cases and slips that refer to it."""
    title: str = Field(min_length=1)
    """The title that a student reads beside the points."""
    points: Points
    """The points that it is worth."""
    kind: Literal["points", "deduction", "bonus"] = "points"
    """`deduction`: the points are taken off when a case fails. `bonus`: they count beyond the maximum."""
    manual: bool = False
    """A person fills it in; every report carries it along as open."""
    counts: Counts = Counts.ALL
    """`all`: every case must be met. `each`: each case earns its share. `kinds`: each kind of `defect` earns its share."""
    weights: dict[Slug, Points] = Field(default_factory=dict)
    """The weight of each kind of `defect`, 1 by default."""
    # With shares alone, to accept zero stones cost half of 20 points: one of six rules of a criterion of three.
    prices: dict[Slug, Points] = Field(default_factory=dict)
    """The points that each kind of `defect` takes off, until no points are left: for criteria whose every rule is dear.
    Instead of `weights`."""


class LatePolicy(SpecModel):
    """The price of handing in late. Staff write into `marks.csv` how late a submission is."""

    per_day: Part
    """The price of each day that has begun: points, or a part of the maximum such as `10 %`."""
    cap: Part = "100 %"
    """The most that lateness takes off."""
    grace: Span = Fraction(0)
    """The lateness that costs nothing: `15 min`, `2 h`, `1 d`. Whoever is later pays for the whole time."""
    free: int = Field(default=0, ge=0)
    """The number of free days. A group that shares a submission has those of all its members."""


DEFAULT_OCCASIONS = 3
"""The default number of times that something must be seen to be judged: once or twice may be luck."""


class Case(SpecModel):
    """One run of the program under one scenario, or one look at what was handed in. Exactly one kind is named."""

    id: Slug
    """Its name, for other cases, commands and reports that refer to it."""
    title: str = Field(min_length=1)
    """Its title, as a student reads it."""
    criterion: Slug | None = None
    """The criterion that rests on it; left out if staff should merely know the result."""
    visibility: Visibility = Visibility.VISIBLE
    """`visible`, `hidden` (a student sees only that it failed) or `staff`."""
    reveals: Reveals = Reveals.VERDICT
    """The part of a failed hidden case that students see."""
    requires: tuple[Slug, ...] = ()
    """True preconditions: where one of these cases is not met, this one is skipped, and its points are lost."""
    unless: tuple[Slug, ...] = ()
    """Cases whose mistake would be charged again here: where one of them fails, this one is unjudged and costs nothing. A
    `game` case whose games do not cover positions is judged by what they show before the fault that is charged there. A
    `transcript` with points of its own is judged by its turns before that of the fault. A `play` with points of its own is
    tried, and unjudged only if it fails."""
    hint: str = ""
    """Advice to a student if it fails."""
    defect: Slug | None = None
    """The kind of defect that it looks for, where its criterion `counts: kinds`."""
    # For names of archives and missing reports, about which no assignment says what they cost.
    review: bool = False
    """When it fails, staff are asked to look, and nothing is deducted."""
    weight: Points = Fraction(1)
    """How much it counts beside the other cases of a criterion that `counts: each`."""
    judges: tuple[Judged, ...] = BOTH
    """The parts of the run that are judged; only for `transcript` and `play`."""
    facts: tuple[Slug, ...] | None = None
    """The facts whose values this case judges, all if not said: of the others only that they are said, in whatever words. Other
    values are left to other cases, and charged here where none of those charges anything. For runs with text."""
    mentions: tuple[Slug, ...] = ()
    """Optional facts that must be said in this case, with any values; only beside `facts`."""

    tolerance: Tolerance | None = None
    """How far numbers may be off in this case, in place of `text.tolerance`. For runs with text."""
    starts: Beginning | None = None
    """The beginning of the run of a `transcript`, `play` or `dialogue`, apart from typed input: `{arguments: [-v],
    given: {COUNT: 5}}`."""
    whole: bool = False
    """Whether an `io` case earns nothing unless all of its runs are right; else it earns the share of those that are."""

    faults: tuple[Slug, ...] = ()
    """The kinds of faults that a `game` case judges, by the names that the referee gives them."""
    shows: int | dict[Slug, int] = DEFAULT_OCCASIONS
    """The number of times that the judged events must be seen before the case can be accepted. A `game` case takes one
    number for every occasion of the referee that belongs to its `faults`, or a number for each occasion that it names.
    Without `faults` it judges only that. A `machine` case takes one number, for returns from subroutines if it judges
    registers, and for answers that the program took. A `source` case that forbids something takes one for the lines of
    code, since a program of two lines lacks everything."""

    transcript: str | None = None
    """The exact text, with typed input as ‹B2›, choices as «name», and spaces at the end of a line as `text.blank`."""
    ends: bool | None = None
    """Whether the program is over after a `transcript`, if no reference knows."""
    play: Inputs | None = None
    """Inputs; the reference writes the text."""
    dialogue: tuple[Step, ...] | None = Field(default=None, min_length=1)
    """Steps: what to type, and patterns for what is printed."""
    io: tuple[Pair, ...] | None = Field(default=None, min_length=1)
    """Inputs with their expected output, each in a run of its own: a list, one alone, or the path of a folder of pairs.
    The case earns the share of those that are right."""
    differential: Differential | None = None
    game: Slug | None = None
    """A set of `games`, which the referee follows; `faults` says what is judged."""
    machine: MachineRules | None = None
    call: CallRules | None = None
    tests: UnitTests | None = None
    source: SourceRules | None = None
    files: FilesRules | None = None
    manual: str | None = None
    """A question that a person answers."""

    @field_validator("io", mode="before")
    @classmethod
    def _pairs(cls, value: object) -> object:
        if isinstance(value, str):
            return [{"folder": value}]
        return [value] if isinstance(value, dict) else value

    @property
    def shown(self) -> tuple[str, ...]:
        """The occasions that ``shows`` names."""
        return () if isinstance(self.shows, int) else tuple(self.shows)

    @property
    def earlier(self) -> tuple[str, ...]:
        """The cases that must be judged before it."""
        return (*self.requires, *self.unless)

    def needed(self, occasion: str = "") -> int:
        """How often an occasion must be seen before the case can be accepted; without a name, any."""
        return self.shows if isinstance(self.shows, int) else self.shows.get(occasion, DEFAULT_OCCASIONS)

    @property
    def printed(self) -> tuple[Printed, ...]:
        """The expected output of each of its runs, for cases of several runs."""
        return (*(self.io or ()), *(self.machine.runs if self.machine else ()))

    @property
    def kind(self) -> str:
        """The name of its kind; a `play` is a transcript that the reference wrote."""
        named = next(name for name in KINDS if getattr(self, name) is not None)
        return "transcript" if named == "play" else named

    @property
    def needs_program(self) -> bool:
        """Whether the program must run for it."""
        return KINDS[self.kind].runs

    @property
    def needs_build(self) -> bool:
        """Whether the case needs a program that builds. Tests are built with it, and need not start it."""
        return KINDS[self.kind].builds


class Spec(SpecModel):
    """One assignment."""

    assignment: Slug
    """The name of the assignment."""
    title: str = Field(min_length=1)
    """Its title, as a student reads it at the top of a report."""
    language: Spoken = "en"
    """The language that the grader speaks to students: English, German, Chinese or Vietnamese. Titles, hints and questions are yours, in whatever
    language you write them; staff read English."""
    submission: SubmissionRules = SubmissionRules()
    program: Program
    limits: Limits = Limits()
    reference: str | None = None
    """The reference, by a path relative to the spec. It is a Python file or package with the dialogue, or a model
    program in the language of the assignment. A model program is a file or a folder, built and run like a submission. A
    copy of a bundled spec finds the bundled reference by its name, wherever the copy lies."""
    text: TextRules = TextRules()
    game: Game | None = None
    """The game, if programs with their own wording are followed by experiment. `game` cases then look at all that was
    found, and name `explored`."""
    games: dict[Slug, GameSet] = Field(default_factory=dict)
    """Sets of games, by name: each is played once, and several cases may look at it for faults of their own."""
    rubric: tuple[Criterion, ...] = Field(min_length=1)
    """The criteria, in the order of every report."""
    rounding: Points = Fraction(1, 100)
    """The score is rounded once, half up, to a multiple of this."""
    late: LatePolicy | None = None
    """The price of handing in late."""
    secret: str | None = None
    """A file with the secret that `seed: secret` is made of, by a path relative to the spec; `GRADER_SECRET` of the environment
    goes before it. Students never see it."""
    reveal: Day | None = None
    """From this day on hidden cases are shown whole, in reports that are written then."""
    cases: tuple[Case, ...] = Field(min_length=1)
    """The cases, in the order of every report."""

    @property
    def max_points(self) -> Fraction:
        """The points of all criteria together, without bonus and deductions."""
        return sum((c.points for c in self.rubric if c.kind == "points"), Fraction(0))

    @property
    def starts_program(self) -> bool:
        """Whether the program is started by itself, and not only built along with tests."""
        return "tests" not in {case.kind for case in self.cases} or any(case.needs_program for case in self.cases)

    def covers(self, case: Case) -> bool:
        """Whether a case looks at games that cover positions: they add to what others judge."""
        games = self.games.get(case.game or "")
        return games is not None and games.covers is not None

    def case(self, id: str) -> Case:
        """The case called ``id``. Raises KeyError."""
        for case in self.cases:
            if case.id == id:
                return case
        raise KeyError(id)

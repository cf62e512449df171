"""The dialect of one program: explored by a method, read by the patterns of the spec, or learned from its own words.

The assignment decides, by its method or referee (`Scripts.method`). All later code sees a `Dialect`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from enum import Enum, auto
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from grader.games.event import Asked, Refused
from grader.games.follow.following import Draw, Followed, Rulings, drawing, follow
from grader.games.follow.study import NO_NOTES, Study
from grader.games.heaps.own_rules import conducted, departed
from grader.games.hear.runs import Runs, SpentError
from grader.games.hear.slots import segments
from grader.games.methods import Method
from grader.games.referee import UNREAD, Answers, Referee
from grader.grading.drawn import Drawn, Led
from grader.results import Learned, Lesson
from grader.sessions.simulated import SimulatedProgram
from grader.spec.corrections import ANY_WORDING
from grader.spec.expectations import ENTER
from grader.spec.kinds.runs import GameSet
from grader.values import dataclass

if TYPE_CHECKING:
    from grader.games.heaps.duel import Duel
    from grader.grading.trial import Trial

FOREIGN = Fraction(1, 2)
"""Share of the assignment's words in a program's output, and of them in the assignment's; below both the program has words of its own."""

MISSED_BY_PATTERNS = frozenset({UNREAD, "no-board", "no-message", "no-winner", "no-score", "no-starter", "untold-move"})
"""Faults of text that the patterns of the spec do not find: the program may say it in words of its own (“Heap A has 5 stones”)."""

UNFOUND = "we could not follow its games: we found no heaps that change with its moves"

SAMPLES, SAMPLES_NATIVE = 12, 6
"""Sample games of one set: on a simulated machine, and for native programs, where a game costs a process."""

FITTED, FITTED_SETS = 8, 2
"""Games of a set, and sets, that are played before the rules of a program are found: cases look at these games anyway."""

MAPPED = GameSet(games=3, seed=1, illegal=Fraction(1, 4), inputs=30)
"""Games for the map of a dialogue."""


@dataclass(frozen=True, slots=True)
class Ears:
    """The dialect of a program whose games a referee follows: by whom it is heard, and its games.

    After each game ``look`` finds out what the referee lacked in it, and says whether the game must be played again.
    ``looks`` says that this will be necessary, so that each game costs many runs. ``fitted`` is the evidence from which the rules of the program
    were found: the rulings by right rules, and the texts of some games.
    """

    trial: Trial
    profile: str
    rulings: Rulings
    learned: Learned = Learned()
    notes: Mapping[str, str] = field(default_factory=lambda: NO_NOTES)
    look: Callable[[], bool] = lambda: False
    looks: bool = False
    obstacle: str = ""
    fitted: tuple[object, ...] = ()
    sets: dict[tuple[object, ...], Drawn] = field(default_factory=dict)

    @property
    def referee(self) -> Referee:
        """The referee who rules."""
        return self.rulings.referee

    def of(self, games: GameSet | None) -> Drawn:
        """The games of a set; cases that draw the same games share them."""
        assert games is not None, "a case of games that are followed names a set"
        if games.drawn_by not in self.sets:
            self.sets[games.drawn_by] = (Led if games.covers else Drawn)(self, games)
        return self.sets[games.drawn_by]

    def follow(self, draw: Draw, *, start: Hashable = None, seed: int | None = None) -> Followed:
        """One game, played once."""
        session = self.trial.start(self.profile, seed=seed)
        return replace(follow(session, self.rulings, draw, start=start), seed=seed)

    def settled(self, draw: Callable[[], Draw], *, start: Hashable = None, seed: int | None = None) -> Followed:
        """One game, played again as long as something that was missing could be found out."""
        while True:
            followed = self.follow(draw(), start=start, seed=seed)
            if not self.look():
                return followed

    def samples(self, sets: Iterable[GameSet]) -> Iterator[Followed]:
        """Some games of each set."""
        for games in sets:
            for number in range(SAMPLES if self.trial.spec.program.simulated else SAMPLES_NATIVE):
                yield self.settled(partial(drawing, games, number), start=self.referee.start(number))

    def studied(self) -> Study:
        """The lessons; if nothing had to be learned, some games are played for the map of the dialogue."""
        if self.profile not in self.trial.memory.runs:
            runs = self.trial.memory.runs[self.profile] = Runs(lambda seed: self.trial.start(self.profile, seed=seed))
            for number in range(MAPPED.games):
                game = self.follow(drawing(MAPPED, number), start=self.referee.start(number))
                runs.run([text.removesuffix(ENTER) for text in game.transcript.inputs])
        unread = bool(self.learned.lessons) and not self.notes
        return Study(learned=self.learned, obstacle=UNFOUND if unread else "")


Dialect = Study | Ears
"""How one program is understood under a profile: what was ``learned`` of its words, which ``obstacle`` there is, and the games ``of`` a set."""


def dialect(trial: Trial, profile: str) -> Dialect:
    """How a program is understood under a profile. Raises OverBudgetError, and JudgeError if the reference fails."""
    method = trial.scripts.method
    return heard(trial, profile) if method is None else explored(trial, profile, method)


D = TypeVar("D", Study, Ears)


def corrected(trial: Trial, learn: Callable[[Mapping[str, str]], D]) -> D:
    """The lessons on a program, learned again with the staff's corrections for its wording.

    Each correction that was followed is named among the lessons. The wording stays the one learned without corrections:
    otherwise the corrections would not be found again.
    """
    first = learn({})
    # Under another profile the same program may have another wording.
    known: list[Dialect] = [*trial.memory.dialects.values(), first]
    corrections = dict(trial.corrections.get(ANY_WORDING, {}))
    for one in known:
        corrections.update(trial.corrections.get(one.learned.wording, {}))
    if not corrections:
        return first
    again = learn(corrections)
    heeded = {key: value for key, value in corrections.items() if key not in again.learned.unheeded}
    lessons = [
        replace(lesson, value=heeded[lesson.key], corrected=True) if lesson.key in heeded else lesson
        for lesson in again.learned.lessons
    ]
    keys = {lesson.key for lesson in lessons}
    lessons += [Lesson(k, value, f"{k} is {value}", corrected=True) for k, value in heeded.items() if k not in keys]
    return replace(again, learned=replace(again.learned, lessons=tuple(lessons), wording=first.learned.wording))


def explored(trial: Trial, profile: str, method: Method) -> Study:
    """The study of a program by exploration."""
    spent = trial.memory.spent
    if trial.spec.program.simulated:
        # Sessions are forked and end no other: the runs count as one session, and each asks the budget before it begins.
        spent.begin()
        program = trial.built.programs[profile]
        runs = Runs(lambda seed: program.start(profile, seed=seed), allowed=spent.check)
        spent.counts(runs)
    else:
        runs = Runs(lambda seed: trial.start(profile, seed=seed))
    trial.memory.runs[profile] = runs

    def learn(corrections: Mapping[str, str]) -> Study:
        try:
            return method.explore(runs, corrections)
        except SpentError as spent_runs:
            return Study(obstacle=str(spent_runs))

    return corrected(trial, learn)


# ------------------------------------------------------------------------------------------------------- who hears a program


def heard(trial: Trial, profile: str) -> Ears:
    """The ears for a program, with the rules that it plays: the right ones, or others if only these explain its games.

    Profiles of a native program are ways to start it: its words and its rules are the same.
    """
    before = next((one for one in trial.memory.dialects.values() if isinstance(one, Ears)), None)
    if before is not None and not trial.spec.program.simulated:
        return replace(before, profile=profile, sets={})
    ears = _listening(trial, profile)
    if ears.referee.duel is None or ears.looks:  # each game of a program that shows nothing costs many runs
        return ears
    sets = [games for games in trial.spec.games.values() if not games.covers][:FITTED_SETS]
    samples = [one for games in sets for one in ears.of(games).first(FITTED)]
    fitted = (ears.rulings, *((one.transcript.turns, one.heard, one.transcript.ending) for one in samples))
    rulings = ears.rulings
    if before is not None and before.fitted == fitted:  # under most profiles a program says the same
        rulings = before.rulings
    elif departures := departed(ears.referee, samples):
        rulings = rulings.by(conducted, departures)
    return replace(ears, rulings=rulings, fitted=fitted, sets=ears.sets if rulings is ears.rulings else {})


def _listening(trial: Trial, profile: str) -> Ears:
    """The ears for a program by right rules: the patterns of the spec if they read it, or a learner of its words.

    Games for two people are learned on simulated machines, where sessions are forked; games against the computer are
    learned from native programs.
    """
    usual = Ears(trial, profile, trial.scripts.rulings)
    duel, simulated = usual.referee.duel, bool(trial.spec.program.simulated)
    if duel is None or duel.game.computer == simulated:
        return usual
    if simulated:
        forks = isinstance(trial.built.programs[profile], SimulatedProgram)  # not those that lint makes of a reference
        read = _first_board_read(usual, duel)
        if not forks or read is Board.WHOLE:
            return usual
        known = _own_words(usual, duel)
        # A row without its name is a row in words of its own; where a row is not shown at all, nothing else reads more.
        whole = bool(duel.game.turn(known.follow(lambda *_: None).heard[0]).boards)
        return usual if read is Board.PART and not whole else known
    begun = usual.follow(drawing(MAPPED, 0))
    skeletons = {one.skeleton for turn in begun.transcript.turns for one in segments(turn.output)}
    # A program that says all of the sample run, and all moves so far behind it, has a new line in each turn.
    usual_words = trial.scripts.vocabulary
    least = min(len(skeletons), len(usual_words))
    is_foreign = bool(skeletons) and Fraction(len(skeletons & usual_words), least or 1) < FOREIGN
    missing = _missing(begun)
    if not is_foreign and not missing:
        return usual
    # A program that says most things in the assignment's words and one thing differently is still like the sample
    # run.
    known = _own_words(usual, duel if is_foreign else replace(duel, unlike=""))
    if is_foreign or UNREAD in missing:
        return known
    # What else is new was misheard: a program that showed two of three heaps seemed to show a player's number as the third.
    again = known.settled(partial(drawing, MAPPED, 0))
    is_misheard = not {fault.kind for _, fault in again.faults} <= {fault.kind for _, fault in begun.faults}
    return usual if is_misheard or len(_missing(again)) >= len(missing) else known


def _own_words(usual: Ears, duel: Duel) -> Ears:
    """The ears for a program whose words are learned."""
    from grader.grading.own_words import own_words  # imported late: most programs keep to the assignment's words

    return own_words(usual, duel)


def _missing(game: Followed) -> Sequence[str]:
    """The kinds of statements that a game lacks as it is read, each as often as it is missing."""
    return [fault.kind for _, fault in game.faults if fault.kind in MISSED_BY_PATTERNS]


class Board(Enum):
    """How much of a program's first board is read."""

    WHOLE = auto()
    PART = auto()
    UNREAD = auto()


def _first_board_read(usual: Ears, duel: Duel) -> Board:
    """How much the patterns read of the first heaps, where they read a question and a move. If it is all, later oddities are the program's faults."""
    once = iter((True,))

    def first_move(answers: Answers, *_: object) -> str | None:
        return answers.legal[0] if next(once, False) else None

    begun = usual.follow(first_move)
    turn = duel.game.turn(begun.heard[0])
    asked = any(isinstance(one, Asked) for one in duel.game.events(begun.heard[0]))
    # a row without rocks is read in whatever marks it is drawn
    shown = turn.boards[-1:] or ((turn.part,) if turn.part else ())
    some = any(n == right for heaps in shown for n, right in zip(heaps, duel.starts[0], strict=True))
    turns, place = zip(begun.states, begun.heard, strict=True), usual.referee.known_ground.place
    known = [place(state, heard.question or "") for state, heard in turns]
    # A program that printed a TAB for each line end and refused row A was read in words of its own, which could not tell who is asked.
    refuses = any(isinstance(one, Refused) for heard in begun.heard[1:] for one in duel.game.events(heard))
    stands_still = None not in known and len(set(known)) < 2 and not refuses
    if not (asked and some) or stands_still:
        return Board.UNREAD
    return Board.WHOLE if turn.boards else Board.PART

"""Games played with one program, and the number of stones at each of the user's moves, as their futures tell it.

A fresh game of n stones in which the user begins is what others are compared with: a moment from which the same answers bring the
same as from the beginning of such a game is one with n stones, whatever the program says of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from grader.games.pile.beginning import asks_again
from grader.games.pile.play import Play
from grader.games.pile.rules import Rules
from grader.games.pile.talk import MIDDLE, PROGRAM, TRIED, USER, Part, Talk, ones
from grader.reading.keys import key
from grader.reading.runs import Answers, Run, Runs, SpentError
from grader.reading.slots import Slot
from grader.reading.truth import Future, Likeness, alike, beginnings, future, states
from grader.transcript import EndingKind

MOST_PLAYS = 400
"""So many games are begun at most."""

SAMPLES = (2, 3, 5, 8)
"""Piles of the games by which questions are compared."""

PILES = (11, 8, 5)
"""Of these a wrong number leads nowhere that a right move leads, be it 7 or -1."""

POLICIES = (("2",), ("1", "2"), *(("2",) * number for number in (2, 3, 4, 5)))
"""Moves by which numbers are told apart that are alike where the user takes one stone each time."""

TOO_LONG = (EndingKind.TIME_LIMIT, EndingKind.BUDGET)

SPARE = 4
"""So many more answers are typed than there are stones, before a program is taken to ask for ever."""


def _another(stones: str) -> str:
    """Another number of stones, which may be refused as little as any."""
    return str(next(number for number in TRIED if str(number) != stones))


class Player:
    """Plays games with one program, each once, and tells how many stones there were."""

    def __init__(self, runs: Runs, talk: Talk, rules: Rules, most: int = MOST_PLAYS) -> None:
        self._runs = runs
        self._most = most
        self._number = 0
        self._plays: dict[tuple[Answers, Answers], Play] = {}
        self.talk = talk
        self.rules = rules
        self.largest = rules.game.plan.user_begins

    def with_talk(self, runs: Runs, talk: Talk) -> Player:
        """The same with what was found of the talk."""
        return Player(runs, talk, self.rules)

    def note(self, play: Play) -> None:
        """After a game that takes too long, or prints too much, none is played with so many stones: any of them would."""
        if play.cut_short or (play.run.ending is not None and play.run.ending.kind in TOO_LONG):
            self.largest = min(self.largest, play.stones - 1)

    def play(self, stones: int, mover: int, takes: Sequence[str] = ()) -> Play:
        """A game with these answers to the question for a move, and then 1 to the end."""
        return self.typed(self.talk.answers(stones, mover), stones, mover, takes)

    def typed(self, opening: Answers, stones: int, mover: int, takes: Sequence[str] = ()) -> Play:
        """The same after these answers before the game."""
        name = (opening, tuple(takes))
        if name not in self._plays:
            rest = iter(takes)
            self._plays[name] = self._played(opening, stones, mover, lambda _said: next(rest, "1"))
        return self._plays[name]

    def chosen(self, stones: int, mover: int, choose: Callable[[str], str]) -> Play:
        """A game in which each move is chosen by what was said since the last."""
        return self._played(self.talk.answers(stones, mover), stones, mover, choose)

    def samples(self) -> list[Play]:
        """A few games of different lengths."""
        return [self.play(stones, mover) for stones in SAMPLES for mover in self.movers]

    @property
    def movers(self) -> tuple[int, ...]:
        """Who can be let begin."""
        return (USER, PROGRAM) if self.talk.firsts else (USER,)

    @property
    def usual(self) -> Play:
        """A game that is long enough for every question in it to come again."""
        return self.play(MIDDLE, USER)

    def plan(self) -> list[tuple[int, int, tuple[str, ...]]]:
        """Games in which nothing is wrong with what is typed: the stones, who begins, and the first moves of the user."""
        plan, most = self.rules.game.plan, self.rules.most
        begun: list[tuple[int, int, tuple[str, ...]]] = [(n, USER, ()) for n in range(1, plan.user_begins + 1)]
        begun += [(n, PROGRAM, ()) for n in range(1, plan.program_begins + 1)] if self.talk.firsts else []
        return begun + [(n, USER, (str(most),)) for n in range(most, plan.most_first + 1)]

    @property
    def tried(self) -> tuple[int, ...]:
        """Piles of which wrong numbers may be taken: the first that can be played is."""
        return tuple(stones for stones in PILES if stones <= self.largest)

    @property
    def short(self) -> tuple[int, ...]:
        """Piles by which one stone is reached soon."""
        return (2, 4, 3)

    def _played(self, opening: Answers, stones: int, mover: int, choose: Callable[[str], str]) -> Play:
        self._number += 1
        if self._number > self._most:
            raise SpentError(f"{self._most} games were played, and no more are")
        typed = list(opening)
        asked: list[int] = []
        refused = self._refused(opening)
        while True:
            run = self._run(typed)
            question = key(run.output, self.talk.level)
            if run.ending is not None or question in (self.talk.after | {self.talk.anew}):
                return Play(run, stones, mover, len(opening), tuple(asked), len(run.waits) - 1, refused)
            if len(typed) == len(opening) + stones + SPARE:
                return Play(run, stones, mover, len(opening), tuple(asked), None, refused)
            if question in self.talk.pauses:
                typed.append("")
            else:
                said = run.waits[asked[-1] + 1 if asked else 0 :]
                asked.append(len(typed))
                typed.append(choose("\n".join(wait.output for wait in said)))

    def _run(self, answers: Sequence[str]) -> Run:
        return self._runs.run(answers)

    def _refused(self, opening: Answers) -> int | None:
        """The first of the answers before the game that is asked for again."""
        if len(opening) != len(self.talk.parts):
            return None
        run = self._runs.run(opening)
        for number, part in enumerate(self.talk.parts):
            if not isinstance(part, Part) or number + 1 >= len(run.waits):
                continue
            before, said = run.waits[number].output, run.waits[number + 1].output
            if not asks_again(before, said):
                if self._unusual(said, number, opening):
                    return number
                continue
            # What comes next may be asked for in the same words: a move, or where all questions are “Enter: ” anything.
            alike = number + 1 == len(opening) or self._asks_alike(number)
            if not alike or self._as_if_not_typed(opening, number):
                return number
        return None

    def _asks_alike(self, number: int) -> bool:
        """Whether the question of this answer and the next one end in the same words behind a usual answer."""
        usual = self._runs.run(self.talk.answers(TRIED[0], USER)).waits
        return number + 1 < len(usual) and asks_again(usual[number].output, usual[number + 1].output)

    def _unusual(self, said: str, number: int, opening: Answers) -> bool:
        """Whether something else is asked behind this answer than in other games, before they begin."""
        if self.talk.parts[number] is Part.FIRST and number + 1 == len(opening) and not self.talk.proved:
            mine = next((mover for mover in (PROGRAM, USER) if self.talk.firsts[mover] == opening[-1]), USER)
            return self._comes_again(1 - mine) and not self._comes_again(mine)
        if self.talk.parts[number] is not Part.STONES:
            return False
        if number + 1 == len(opening):
            usual = self._runs.run((*opening[:number], _another(opening[number]))).output
            return key(said) != key(usual) and self._as_if_not_typed(opening, number)
        waits = self._runs.run(self.talk.answers(TRIED[0], USER)).waits
        return number + 1 < len(waits) and key(said) != key(waits[number + 1].output)

    def _as_if_not_typed(self, opening: Answers, number: int) -> bool:
        """Whether the game goes on behind another answer to the same question as if this one had not been typed."""
        typed = opening[number]
        others = [text for text in self.talk.firsts if text != typed]
        other = _another(typed) if self.talk.parts[number] is Part.STONES else others[0] if others else typed
        rest = (*opening[number + 1 :], *ones(MIDDLE))

        def behind(*texts: str) -> Future:
            run = self._runs.run((*opening[:number], *texts, other, *rest))
            outputs = [wait.output for wait in run.waits[number + len(texts) + 1 :]]
            return future(outputs, ended=run.ending is not None)

        # Where all questions are alike 1 and then 0 may be the user who begins and takes no stone: the same as the program that begins.
        least = Likeness.EXACT if self._asks_alike(number) else Likeness.WORDS
        return all(alike(behind(), behind(*texts)) >= least for texts in ((typed,), (typed, typed)))

    def _comes_again(self, mover: int) -> bool:
        """Whether the question behind all answers before the game is asked again and again, as that for a move is."""
        opening = self.talk.answers(TRIED[1], mover)
        run = self._runs.run((*opening, *ones(MIDDLE)))
        keys = [key(wait.output) for wait in run.waits[len(opening) :]]
        return keys.count(keys[0]) > 1

    # --------------------------------------------------------------------------------------------- what is true

    @cached_property
    def known(self) -> Mapping[int, Future]:
        """The futures of fresh games in which the user begins, by the number of stones."""
        fresh = {stones: self.play(stones, USER) for stones in range(1, self.largest + 1)}
        futures = {n: play.future(play.asked[0]) for n, play in fresh.items() if play.asked and play.refused is None}
        if 1 not in futures and 2 in futures and self.talk.proved:
            # A program may refuse to begin with one stone. Of two it can only leave one, if it is asked to begin.
            two = self.play(2, PROGRAM)
            if two.asked and two.future(two.asked[0]) != futures[2]:
                futures[1] = two.future(two.asked[0])
        return futures

    @cached_property
    def _begun_with(self) -> frozenset[Slot]:
        return beginnings(self.known)

    @property
    def always_begins(self) -> bool:
        """Whether the program begins though the user was let: of fresh games that cannot be known."""
        return False

    def begun(self, play: Play, at: int) -> int | None:
        """How many stones there are at the first question for a move; the user begins where he was let."""
        return play.stones if play.mover == USER else self.stones(play, at, self.rules.after(play.stones))

    def stones(self, play: Play, at: int, likely: Sequence[int]) -> int | None:
        """How many stones there are at a wait; None where that cannot be told. ``likely`` are the numbers that are expected."""
        found = states(play.future(at), self.known, self._begun_with)
        if len(found) > 1:
            found = tuple(number for number in likely if number in found) or found
        for takes in POLICIES if len(found) > 1 else ():
            found = self._told_apart(play, at, found, takes)
            if len(found) < 2:
                break
        return found[0] if len(found) == 1 else None

    def _told_apart(self, play: Play, at: int, found: Sequence[int], takes: Sequence[str]) -> tuple[int, ...]:
        """Those of several numbers that also have the same future where these moves are made next."""
        before = play.run.answers[:at]
        opening, made = before[: play.opening], [before[n] for n in play.asked if n < at]
        other = self.typed(opening, play.stones, play.mover, (*made, *takes))
        if at not in other.asked:
            return tuple(found)
        fresh = {number: self.play(number, USER, takes) for number in found}
        futures = {number: one.future(one.asked[0]) for number, one in fresh.items() if one.asked}
        return states(other.future(at), futures, self._begun_with)

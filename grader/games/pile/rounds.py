"""Games and their rounds: the user takes, the program takes, and how many stones there were before, between and after.

The rules that a program plays foretell the numbers; it need not tell them. A number that it prints has a meaning, each with what it costs
a hypothesis, and with what is true of it in a step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from grader.games.follow.study import Game
from grader.games.hear.history import Heads, news
from grader.games.hear.slots import plain
from grader.games.hear.truth import Future, future
from grader.games.pile.departures import TAKE, Moment
from grader.games.pile.talk import PROGRAM, USER
from grader.games.referee import CRASH, UNREAD
from grader.transcript import EndingKind
from grader.values import dataclass

FLOOD = 1 << 14
"""Characters in one turn that are more than anybody reads."""

AFTER, BETWEEN, BEFORE, OURS, YOURS = "after", "between", "before", "program", "user"
"""Meanings of a number in a round: stones after it, between both moves, before it, and the stones that either took."""

LEFT = (AFTER, BETWEEN, BEFORE)


@dataclass(eq=False, kw_only=True)
class Play(Game):
    """One game: how it was begun, the waits at which the user was asked for a move, and the one at which it was over.

    ``opening`` is the number of answers before the game. ``over`` is the wait at which the program ended or asked something behind
    the end. It is None if the game was left because it went on without an end. Waits are numbered from 0.
    """

    stones: int
    mover: int
    opening: int
    move_waits: tuple[int, ...]
    over: int | None
    refused: int | None = None
    """The number of the answer before the game that was not accepted, but asked for again."""
    lists: Heads = frozenset()
    """The heads of lists that the program goes on writing: only what is new in them is compared and read."""

    @property
    def end(self) -> int:
        """The last wait of the game."""
        return len(self.run.waits) - 1 if self.over is None else self.over

    @property
    def is_cut_short(self) -> bool:
        """Whether we cut it short: it printed no flood in any turn, and in a long game too much for us."""
        ending = self.run.ending
        limited = ending is not None and ending.kind is EndingKind.OUTPUT_LIMIT
        return limited and max(len(wait.output) for wait in self.run.waits) < FLOOD

    @property
    def is_whole(self) -> bool:
        """Whether the game was begun as it should, and came to an end."""
        return self.refused is None and bool(self.move_waits) and self.over is not None and not self.is_broken

    def said(self, start: int, stop: int) -> str:
        """The text that was printed behind the wait ``start`` up to the wait ``stop``."""
        return "\n".join(self._news[start + 1 : stop + 1])

    def future(self, at: int) -> Future:
        """The future after the wait ``at``."""
        return self._futures[at]

    @cached_property
    def _news(self) -> Sequence[str]:
        return news(self.run.turns, self.lists)

    @cached_property
    def _futures(self) -> list[Future]:
        outputs = [plain(text) for text in self._news[: self.end + 1]]
        return [future(outputs[at + 1 :], ended=self.over is not None) for at in range(len(outputs))]

    def typed(self, at: int) -> str:
        """The answer at a wait."""
        return self.run.answers[at]

    def unread(self, turn: int, message: str, *about: str) -> None:
        """Note that a text was unreadable which could have shown these faults."""
        self.note(turn, UNREAD, message, about=about)

    def broke(self, due: str = CRASH) -> None:
        """Note that the program broke, where nothing is charged from which that follows.

        One that accepted −1 stones threw an exception at the next move, and paid for both.
        """
        if not any(fault.stops and fault.kind.startswith("accepted-") for _, fault in self.faults):
            super().broke(due)


@dataclass(frozen=True)
class Round:
    """A stretch of a game from the wait ``start``, where the user took ``yours``, to the wait ``stop``.

    In the first round nobody asks the user: ``yours`` is 0. ``between`` is the number of stones that the program finds, ``after`` what
    it leaves. ``ours`` is what it took, 0 if it was to move and did not, and None if it was not to move. ``over`` says that the
    game is over at ``stop``.
    """

    play: Play
    start: int
    stop: int
    before: int
    yours: int
    between: int
    ours: int | None
    after: int
    over: bool = False

    @property
    def text(self) -> str:
        """The text that was printed in it."""
        return self.play.said(self.start, self.stop)

    @property
    def turn(self) -> int:
        """The number of the turn in which it ends, from 1."""
        return self.stop + 1

    @property
    def movers(self) -> str:
        """The player who has moved in it, as a moment says it."""
        return "U" * bool(self.yours) + "P" * bool(self.ours) + "E" * self.over

    def fault(self, kind: str, message: str) -> None:
        """Note a fault in the turn in which it ends."""
        self.play.note(self.turn, kind, message)

    def unread(self, message: str, *about: str) -> None:
        """Note that a text in it was unreadable which could have shown these faults."""
        self.play.unread(self.turn, message, *about)


Games = Mapping[Play, Sequence[Round]]
"""The rounds of each game."""


def stones(number: int) -> str:
    """A number of stones, in words."""
    return "1 stone" if number == 1 else f"{number} stones"


# ----------------------------------------------------------------------------------------------- what a number may mean


EACH, START = "each", "start"
"""The meanings of a number that tells the stones behind each move in turn, and with how many the game began."""

TYPED = "typed"
"""The meaning of “7 is too many” behind an answer before the game that was refused."""

OURS_BELOW, YOURS_BELOW = "program-below-zero", "user-below-zero"
"""The meanings of “-2”, where “7” tells what is left."""

COSTS: Mapping[str, float] = {
    AFTER: 0,
    BETWEEN: 0,
    OURS: 0,
    YOURS: 0,
    EACH: 0,
    OURS_BELOW: 0.05,
    YOURS_BELOW: 0.05,
    BEFORE: 0.1,
    START: 0.1,
    TYPED: 0.1,
    "program-before": 0.3,
    "all-of-the-user": 0.3,
    "all-of-the-program": 0.3,
    "all": 0.3,
    "most": 0.3,
    "move-of-the-user": 0.35,
    "move-of-the-program": 0.35,
    "move": 0.4,
    "next-move": 0.4,
    "player": 0.4,
    "player-from-1": 0.4,
}
"""The meanings that a number may have, with what each costs. Counters cost most: in short games they are equal to other things by chance."""


def true(moment: Moment, time: int) -> Mapping[str, int]:
    """The truths for a number in a step, by name, if its slot came so often before in the step."""
    both: list[int] = [sum(take for who, take in moment.moves if who == player) for player in (PROGRAM, USER)]
    number = [sum(who == player for who, _ in moment.moves) for player in (PROGRAM, USER)]
    mover = USER if moment.asks == TAKE else PROGRAM
    numbers = {
        AFTER: moment.after,
        BEFORE: moment.before,
        START: moment.start,
        "all-of-the-user": both[USER],
        "all-of-the-program": both[PROGRAM],
        "all": sum(both),
        "most": min(2, moment.after),
        "move-of-the-user": number[USER] + (moment.asks == TAKE),
        "move-of-the-program": number[PROGRAM],
        "move": sum(number),
        "next-move": sum(number) + 1,
        "player": mover,
        "player-from-1": mover + 1,
    }
    if moment.yours:
        numbers |= {YOURS: moment.yours, YOURS_BELOW: -moment.yours, BETWEEN: moment.between}
    if moment.ours:
        numbers[OURS] = moment.ours[min(time, len(moment.ours) - 1)]
        numbers[OURS_BELOW] = -numbers[OURS]
    # a screen that is drawn anew while the program moves still shows its move before
    takes = [take for who, take in moment.moves if who == PROGRAM]
    if len(takes) > len(moment.ours):
        numbers["program-before"] = takes[-len(moment.ours) - 1]
    if len(takes) > len(moment.ours) or len(moment.ours) > 1:
        each = (moment.between, *moment.left)
        numbers[EACH] = each[min(time, len(each) - 1)]
    return numbers

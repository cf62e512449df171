"""The games of a set that a referee follows: drawn by a seed, or led through all positions of a program.

A session on a simulated machine is forked in each place, so that all ways together are one game. Other programs are led from
one place to the next, game after game. Each way brings a fault down to the shortest game that shows it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from grader.errors import JudgeError
from grader.games.follow.following import Followed, drawing, repeating
from grader.games.follow.forking import Forks
from grader.games.follow.proving import Explorer, Walk
from grader.games.follow.sampling import Inputs, shrink
from grader.games.follow.study import Example, Shows
from grader.games.referee import AFTER_REFUSAL, UNREAD
from grader.grading.budget import TOO_LONG
from grader.results import Proof
from grader.sessions.simulated import SimulatedProgram, SimulatedSession
from grader.spec.expectations import ENTER
from grader.spec.kinds.runs import GameSet
from grader.transcript import EndingKind, visible

if TYPE_CHECKING:
    from grader.grading.dialects import Ears

SHRINKING = 60
"""Maximum shorter games that are tried: each is a run of the program."""

SHRINKING_SLOW = 8
"""The same where each game uses up the instructions of a run."""

PATIENCE = 3
"""Maximum games that take too long, before no more are played."""

PATIENCE_SIMULATED = 20
"""The same for games that used up their instructions: they are the quicker ones, and each may hang at another answer."""

AGAIN = 600
"""Inputs that are typed a second time, in the first games, before anything is said to be proved."""

LOOKS = 3
"""Times that a game is played again because something was missing in it that could be found out."""

SLOWLY = 6
"""The divisor of the games of a set that covers positions, where each game takes a Java machine of its own, or many runs to see
what was moved. The rest of the budget is for the other sets."""


class Drawn:
    """The games of a set, drawn by its seed. A game that was played for one case is there for the next.

    ``games`` is the set as it is played.
    """

    def __init__(self, ears: Ears, games: GameSet) -> None:
        self._ears, self.games = ears, games
        self.known: list[Followed] = []

    def played(self, shows: Shows) -> list[Followed]:
        """The games up to the first that shows a fault, or to the last."""
        for number in range(self.games.games):
            if number == len(self.known):
                self.known.append(self._next(number))
            if shows(self.known[number]) or self._hung(number) or self._ends_with(number):
                break
        return self.known[: number + 1]

    def first(self, number: int) -> list[Followed]:
        """The first ``number`` games."""
        self.played(lambda _: len(self.known) >= number)
        return self.known[:number]

    def _next(self, number: int) -> Followed:
        referee = self._ears.referee
        # Faults of all games together show only where each game has other random numbers.
        seed = number if referee.reseeds else None
        return self._ears.settled(partial(drawing, self.games, number), start=referee.start(number), seed=seed)

    def _ends_with(self, _number: int) -> bool:
        """Whether the game of this number is the last because no position is left to try."""
        return False

    def _hung(self, number: int) -> bool:
        """Whether too many games took too long to play more. One is enough if another profile decides anyway."""
        trial, profile = self._ears.trial, self._ears.profile
        if trial.built.decides not in ("", profile) and trial.memory.hangs.under(profile):
            return True
        ending = self.known[number].transcript.ending.kind
        # To count the games behind each one took a fifth of what a rehearsal of lc3-nim did.
        if ending not in TOO_LONG and ending is not EndingKind.BUDGET:
            return False
        kinds = [one.transcript.ending.kind for one in self.known[: number + 1]]
        if sum(kind in TOO_LONG for kind in kinds) >= PATIENCE or kinds.count(EndingKind.BUDGET) >= PATIENCE_SIMULATED:
            return True
        # If most games of all sets hung before this one, it shows nothing new.
        everywhere = [
            one.transcript.ending.kind in TOO_LONG for games in self._ears.sets.values() for one in games.known
        ]
        return ending in TOO_LONG and sum(everywhere) >= PATIENCE and 2 * sum(everywhere) > len(everywhere)

    def proof(self) -> Proof | None:
        """Nothing: drawn games prove nothing."""
        return None

    def example(self, failed: Followed, number: int, _kind: str, shows: Shows) -> Example:
        """The smallest list of answers after which the program still shows the fault."""
        ears, tried = self._ears, dict[Inputs, Followed]()

        def fails(inputs: Inputs) -> bool:
            if ears.trial.spent_up:
                return False
            tried[inputs] = again = ears.settled(partial(repeating, inputs), seed=failed.seed)
            return again.transcript.inputs == inputs and shows(again)

        inputs, ending = failed.transcript.inputs, failed.transcript.ending.kind
        place = f"first seen in game {number} of {self.games.games}"
        # Each shorter game that hangs as well would take the whole limit of time again.
        if ending in TOO_LONG or ears.trial.spent_up:
            return Example(failed, {"first-seen": place})
        if not fails(inputs):
            note = f"{place}; it did not happen again with the same answers: the program behaves differently from run to run"
            return Example(failed, {"not-deterministic": note})
        smallest = shrink(inputs, fails, attempts=SHRINKING_SLOW if ending is EndingKind.BUDGET else SHRINKING)
        note = f"{place}, shrunk from {len(inputs)} answers to {len(smallest)}"
        return Example(tried[smallest], {"shrunk": note})


class Led(Drawn):
    """The games that lead one program into every position that it can reach, and the map of them."""

    def __init__(self, ears: Ears, games: GameSet) -> None:
        """Nothing is known yet. Raises JudgeError if the referee does not know its positions."""
        if ears.profile == ears.trial.built.decides or ears.looks:
            games = games.model_copy(update={"games": max(1, games.games // SLOWLY)})
        super().__init__(ears, games)
        self._explorer = Explorer(ears.referee, games)
        self._forks: Forks | None = None

    def _next(self, number: int) -> Followed:
        ears, explorer = self._ears, self._explorer
        if isinstance(ears.trial.built.programs[ears.profile], SimulatedProgram):
            followed = self._forked()
            if followed is not None:
                return followed
        followed = self._walked(explorer.walk())
        for _ in range(LOOKS):
            if not ears.look() or any(fault.kind != UNREAD for _, fault in followed.faults):
                break  # another game might go another way, and not show these faults
            followed = self._walked(explorer.again())
        proved = explorer.ends_with(number) and not explorer.proof().why
        if proved and not self._does_the_same((*self.known, followed)):
            explorer.differs()
        return followed

    def _forked(self) -> Followed | None:
        """All ways as one game; None if the program does not come to a place from which they could be gone."""
        ears, trial = self._ears, self._ears.trial
        forks = Forks(self._explorer, ears.rulings, spent_up=lambda: trial.spent_up)
        session = trial.start(ears.profile)
        assert isinstance(session, SimulatedSession), "only these are forked"
        # The session counts its own instructions alone, and most are executed by what is forked from it.
        trial.memory.spent.beside(forks)
        followed = forks.explore(session)
        self._forks = None if followed is None else forks
        return followed

    def _walked(self, walk: Walk) -> Followed:
        followed = self._ears.follow(walk.draw)
        self._explorer.close(followed)
        return followed

    def _does_the_same(self, walked: tuple[Followed, ...]) -> bool:
        """Whether the program prints the same when the same is typed again. A program that moves by chance may not."""
        left = AGAIN
        for followed in walked:
            inputs = followed.transcript.inputs
            left -= len(inputs)
            if self._ears.trial.spent_up or left < 0:
                break
            again = self._repeated(tuple(text.removesuffix(ENTER) for text in inputs))
            if again.transcript.turns != followed.transcript.turns:
                return False
        return True

    def _repeated(self, inputs: Inputs) -> Followed:
        rest = iter(inputs)
        return self._ears.follow(lambda *_: next(rest, None))

    def _ends_with(self, number: int) -> bool:
        return self._forks is not None or self._explorer.ends_with(number)

    def proof(self) -> Proof:
        """The proof so far: the tried positions of the known ones."""
        return self._explorer.proof()

    def example(self, failed: Followed, number: int, kind: str, shows: Shows) -> Example:
        """The shortest game to the fault, and on to the user's win; where it does not show again, as for drawn games."""
        if self._ears.trial.spent_up:
            return super().example(failed, number, kind, shows)
        if self._forks is not None:
            place = "found when every move was tried in every position"
            return Example(self._of_forks(self._forks, kind), _shortest(place))
        turn = _turn(failed, kind)
        # The way to the fault is the last one that was gone before its turn: turns count from 1, and the answer comes a turn before.
        steps = (step for step in reversed(self._explorer.walks[number - 1].steps) if step[0] + 2 <= turn)
        step = next(steps, None)
        path = self._explorer.path_to(*step[1:]) if step else None
        if path is None:
            return super().example(failed, number, kind, shows)
        walk = Walk(self._explorer, self.games.inputs, path, winning=True)
        followed = self._ears.follow(walk.draw)
        again = _turn(followed, kind)
        if not again:
            return super().example(failed, number, kind, shows)
        notes = _shortest(f"first seen in game {number}")
        rest = followed.transcript.inputs[again - 1 :] if walk.won else ()
        if rest:
            wins_by = ", ".join(visible(text.removesuffix(ENTER)) for text in rest)
            notes["beaten"] = f"from there you win with {wins_by}"
        return Example(followed, notes)

    def _of_forks(self, forks: Forks, kind: str) -> Followed:
        """The first game that shows again what a fork has shown. Raises JudgeError if none does."""
        for inputs in forks.shows[kind]:
            followed = self._repeated(inputs)
            if kind == AFTER_REFUSAL:  # in its last turn the fault is the one that it would be without a refusal
                last = len(followed.transcript.turns)
                renamed = (
                    (turn, replace(one, kind=kind) if (turn, one.kind) == (last, forks.underlying) else one)
                    for turn, one in followed.faults
                )
                followed = replace(followed, faults=tuple(renamed))
            if _turn(followed, kind):
                return followed
        raise JudgeError("a forked session showed what the program does not do when it is run again")


def _shortest(place: str) -> dict[str, str]:
    return {"shortest": f"{place}; this is the shortest game that shows it"}


def _turn(followed: Followed, kind: str) -> int:
    """The turn of the first fault of a kind; 0 without any."""
    return next((turn for turn, fault in followed.faults if fault.kind == kind), 0)

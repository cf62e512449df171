"""Programs that play by chance: the same answers do not bring the same again, so that no game can be measured by another.

Each game is then a run of its own, and all that is known of the stones is told in it. A wrong answer was accepted only
where the program's own next question says so. It was refused where the same question came again, and no stone was taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grader.games.pile.beginning import asks_again, pairs
from grader.games.pile.plays import Player
from grader.games.pile.refusing import SHORT, Refusals, Trial
from grader.games.pile.rounds import Play
from grader.games.pile.talk import PROGRAM, TRIED, USER, Part, Talk
from grader.reading.keys import key
from grader.reading.runs import Runs
from grader.reading.twins import Goes

PLAYS_BY_CHANCE = (
    "the program plays by chance: the same answers bring another game; each game was judged by what it says itself"
)

AGAIN = 6
"""Games from each pile until the user has to take the last stone: by chance it may be the program."""


def by_chance(player: Player) -> Player | None:
    """The same program, each game followed for itself; None where it does not tell how many stones are left."""
    one = player.told(chance=True)
    if one is None:
        return None
    firsts = (one.with_talk(parts=talk.parts, firsts=talk.firsts) for talk in _firsts(player.runs, player.talk))
    begun = next((found for found in firsts if _lets_begin(found)), None)
    return (begun or one).with_talk(proved=begun is not None)


def _firsts(runs: Runs, talk: Talk) -> Iterator[Talk]:
    """The talk with each pair of answers that may choose who begins."""
    for at, part in enumerate(talk.parts):
        if part is Part.STONES:
            continue
        asked = replace(talk, parts=(*talk.parts[:at], Part.FIRST, *talk.parts[at + 1 :]))
        question = runs.run(talk.answers(TRIED[0], USER)[:at]).output
        if talk.firsts:
            yield asked
        yield from (replace(asked, firsts=pair) for pair in pairs(question))


def _lets_begin(player: Player) -> bool:
    """Whether the program has moved before the first question after the one answer, and has not after the other."""
    for stones in TRIED:
        ours, users = (player.play(stones, mover) for mover in (PROGRAM, USER))
        if not ours.asked or not users.asked or player.begun(users, users.asked[0]) != stones:
            return False
        if player.begun(ours, ours.asked[0]) not in [stones - move for move in player.rules.moves(stones)]:
            return False
    return True


class RefusalsByText(Refusals):
    """Tries wrong answers, each in a game of its own, and rules by what the program says next."""

    _at_once = False

    def _find_pauses(self, plain: Play) -> None:
        """Look for none: they are found by games that go on alike."""

    def _after_opening(self, plain: Play, trial: Trial, place: int, step: int) -> Goes:  # noqa: ARG002  no pauses are known
        question, then = (plain.run.waits[at].output for at in (place, place + 1))
        if _is_over(trial):
            return Goes.OTHERWISE
        if asks_again(question, trial.said):  # a move may be asked for in the same words
            return Goes.UNREAD if asks_again(question, then) else Goes.ALIKE
        if key(trial.said) == key(then):
            return Goes.OTHERWISE
        behind = trial.twin.run.waits[
            trial.at + 2 : trial.at + 3
        ]  # “Again, how big?” asks in other words, and the right answer goes on
        return Goes.ALIKE if behind and key(behind[0].output) == key(then) else Goes.UNREAD

    def _after_take(self, plain: Play, trial: Trial, number: int) -> Goes:  # noqa: ARG002  one or two are told alike
        return self._kept(trial, plain.stones)

    def _kept(self, trial: Trial, stones: int) -> Goes:
        """Whether the same question came again, and no stone was taken."""
        talk, twin = self.player.talk, trial.twin
        if _is_over(trial) or twin.over == trial.at + 1:
            return Goes.OTHERWISE
        question = twin.run.waits[twin.asked[0]].output
        if key(trial.said, talk.level) != key(question, talk.level) and not asks_again(question, trial.said):
            return Goes.UNREAD  # a message may stand in the line of the question
        kept = not self._tells_move(trial.said) and talk.left(trial.said) in (None, stones)
        return Goes.ALIKE if kept else Goes.OTHERWISE

    def _too_many(self) -> None:
        talk, many = self.player.talk, str(self.player.rules.most)
        for stones in self._piles(SHORT) * AGAIN:
            lefts: list[int | None] = []

            def move(text: str, lefts: list[int | None] = lefts) -> str:
                lefts.append(talk.left(text))
                return many if lefts[-1] == 1 and lefts.count(1) == 1 else "1"

            twin = self.player.chosen(stones, PROGRAM if talk.proved else USER, move)
            if 1 in lefts and twin.refused is None:
                at = twin.asked[lefts.index(1)]
                trial = Trial("too-many", many, twin, at, twin.run.waits[at].output)
                self._judge.rule(trial, self._kept(trial, 1))
                return


def _is_over(trial: Trial) -> bool:
    """Whether the program ended behind the answer, and asked nothing more."""
    run = trial.twin.run
    return trial.at + 1 >= len(run.waits) - bool(run.ending)

"""Programs that play by chance: the same answers do not bring the same again, so that no game can be measured by another.

Each game is then a run of its own, and what it tells of the stones is all that is known of them. A wrong answer was accepted only
where the program's own next question says so. It was refused where the same question came again, and no stone was taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from grader.games.pile.beginning import asks_again, pairs
from grader.games.pile.fixed import ToldPlayer, told, told_player
from grader.games.pile.play import Play
from grader.games.pile.plays import Player
from grader.games.pile.refusing import FIRSTS, lost_or_carried
from grader.games.pile.rounds import OURS
from grader.games.pile.rules import Rules
from grader.games.pile.talk import PROGRAM, TRIED, USER, Part, Talk
from grader.games.pile.telling import Telling
from grader.games.pile.trials import Judge, Trial
from grader.reading.keys import key
from grader.reading.opening import offered
from grader.reading.runs import Answers, Run, Runs
from grader.reading.slots import Slot, segments
from grader.reading.twins import put_in

PLAYS_BY_CHANCE = (
    "the program plays by chance: the same answers bring another game; each game was judged by what it says itself"
)

AGAIN = 6
"""So many games from each pile are played until the user has to take the last stone: by chance it may be the program."""


class ChancePlayer(ToldPlayer):
    """Plays games with a program that plays by chance: each is a run of its own, with random numbers of its own."""

    def __init__(self, runs: Runs, talk: Talk, rules: Rules, slot: Slot, number: int = 0) -> None:
        super().__init__(runs, talk, rules, slot)
        self._number = number

    def with_talk(self, runs: Runs, talk: Talk) -> ChancePlayer:
        """The same with what was found of the talk; no game that was played is played on."""
        return ChancePlayer(runs, talk, self.rules, self.slot, self._number)

    def left(self, text: str) -> int | None:
        """How many stones are left, as a text tells it last."""
        return told(text, self.slot)

    def _run(self, answers: Sequence[str]) -> Run:
        return self._runs.run(answers, seed=self._number)

    def _refused(self, opening: Answers) -> int | None:
        run = self._run(opening)
        waits = run.waits[: len(opening) + 1]
        for number, part in enumerate(self.talk.parts):
            if isinstance(part, Part) and number + 1 < len(waits):
                before, then = waits[number].output, waits[number + 1].output
                if asks_again(before, then) and self.left(then) is None:
                    return number
        return None


def by_chance(runs: Runs, player: Player) -> ChancePlayer | None:
    """The same program, each game followed for itself; None where it does not tell how many stones are left."""
    counted = told_player(runs, player) if type(player) is Player else None
    if counted is None:
        return None
    one = ChancePlayer(runs, player.talk, player.rules, counted.slot)
    begun = next((found for talk in _firsts(runs, player.talk) if _lets_begin(found := one.with_talk(runs, talk))), one)
    return begun.with_talk(runs, replace(begun.talk, proved=begun is not one))


def _firsts(runs: Runs, talk: Talk) -> Iterator[Talk]:
    """The talk with each pair of answers that may choose who begins."""
    for at, part in enumerate(talk.parts):
        if part is Part.STONES:
            continue
        asked = replace(talk, parts=(*talk.parts[:at], Part.FIRST, *talk.parts[at + 1 :]))
        question = runs.run(talk.answers(TRIED[0], USER)[:at]).output
        if talk.firsts:
            yield replace(asked, firsts=talk.firsts)
        yield from (replace(asked, firsts=pair) for pair in pairs(question))


def _lets_begin(player: ChancePlayer) -> bool:
    """Whether the program has moved before the first question after the one answer, and has not after the other."""
    for stones in TRIED:
        ours, users = (player.play(stones, mover) for mover in (PROGRAM, USER))
        if not ours.asked or not users.asked or player.begun(users, users.asked[0]) != stones:
            return False
        if player.begun(ours, ours.asked[0]) not in [stones - move for move in player.rules.moves(stones)]:
            return False
    return True


Tried = Callable[..., tuple[Trial, bool | None]]
"""Types wrong answers in a game; whether the last of them was refused, None where that is not said."""


class RefusalsByText:
    """Tries wrong answers, each in a game of its own, and rules by what the program says next."""

    def __init__(self, player: ChancePlayer, learned: Telling, judge: Judge) -> None:
        self._player = player
        self._learned = learned
        self._judge = judge

    def judge(self) -> None:
        """Try the wrong answers to all questions."""
        talk, game = self._player.talk, self._player.rules.game
        plain = next((one for one in map(self._begun, self._player.tried) if one.asked and one.refused is None), None)
        if plain is None:
            return
        if Part.STONES in talk.parts:
            self._opening(plain, Part.STONES, [str(text) for text in game.stones.illegal])
        if talk.firsts:
            offers = {*talk.firsts, *offered(plain.run.waits[talk.place(Part.FIRST)].output)}
            firsts = [text for text in map(str, game.first.illegal) if text not in offers]
            self._opening(plain, Part.FIRST, firsts[:FIRSTS])
        self._takes(plain.stones, [str(text) for text in game.take.illegal])
        self._too_many()

    def _begun(self, stones: int) -> Play:
        return self._player.play(stones, USER)

    # ------------------------------------------------------------------------------------------ before the game

    def _opening(self, plain: Play, part: Part, wrong: Sequence[str]) -> None:
        place = self._player.talk.place(part)
        opening = plain.run.answers[: plain.opening]
        question, then = (plain.run.waits[at].output for at in (place, place + 1))

        def tried(*texts: str) -> tuple[Trial, bool | None]:
            twin = self._player.typed(put_in(opening, place, *texts), plain.stones, plain.mover)
            trial = Trial(part.value, texts[-1], twin, place + len(texts) - 1, len(texts) - 1)
            if trial.at + 1 >= len(twin.run.waits) - bool(twin.run.ending):
                return trial, False
            if asks_again(question, trial.said):
                return trial, None if asks_again(question, then) else True
            return trial, False if key(trial.said) == key(then) else None

        self._each(wrong, tried)

    def _each(self, wrong: Sequence[str], tried: Tried) -> None:
        """Rule on each wrong answer, and on the first of those that are refused, typed twice."""
        found = [tried(text) for text in wrong]
        moves = [self._lost_or_carried(trial) for trial, refused in found if refused is False]
        surely = any(lost and not carried for lost, carried in moves)
        for trial, refused in found:
            self._rule(trial, refused, turn=surely and self._lost_or_carried(trial)[0])
        for text in [trial.text for trial, refused in found if refused][:1]:
            trial, refused = tried(text, text)
            if refused is False:
                self._judge.second(trial)

    # ------------------------------------------------------------------------------------------- within the game

    def _takes(self, stones: int, wrong: Sequence[str]) -> None:
        def tried(*texts: str) -> tuple[Trial, bool | None]:
            twin = self._player.play(stones, USER, texts)
            at = twin.asked[min(len(texts), len(twin.asked)) - 1]
            trial = Trial("take", texts[-1], twin, at, at - twin.asked[0])
            return trial, self._kept(trial, stones)

        self._each(wrong, tried)

    def _kept(self, trial: Trial, stones: int) -> bool | None:
        """Whether the same question came again and the stones were left as they are; None where that is not said."""
        twin = trial.twin
        if trial.at + 1 >= len(twin.run.waits) - bool(twin.run.ending) or twin.over == trial.at + 1:
            return False
        level = self._player.talk.level
        moved = any(each.meaning == OURS for one in segments(trial.said) for each in self._learned.of(one))
        now = self._player.left(trial.said)
        if key(trial.said, level) != key(twin.run.waits[twin.asked[0]].output, level):
            return None
        return not moved and now in (None, stones)

    def _too_many(self) -> None:
        """The most that may be taken, where one stone is left."""
        many = str(self._player.rules.most)
        mover = PROGRAM if self._player.talk.proved else USER
        for stones in self._player.short * AGAIN:
            places: list[int] = []
            twin = self._player.chosen(stones, mover, partial(self._too_many_of_one, places))
            if 1 in places and twin.refused is None:
                trial = Trial("too-many", many, twin, twin.asked[places.index(1)])
                self._rule(trial, self._kept(trial, 1))
                return

    def _too_many_of_one(self, places: list[int], text: str) -> str:
        """The move at a question: too many, where one stone is left for the first time; ``places`` gets the stones at each."""
        places.append(self._player.left(text) or 0)
        return str(self._player.rules.most) if places[-1] == 1 and places.count(1) == 1 else "1"

    def _rule(self, trial: Trial, refused: bool | None, *, turn: bool = False) -> None:
        if refused:
            self._judge.refused(trial)
        elif refused is None:
            self._judge.unclear(trial)
        else:
            self._judge.not_refused(trial, turn=turn)

    def _lost_or_carried(self, trial: Trial) -> tuple[bool, bool]:
        """Whether the program may have moved without carrying the wrong move out, and whether it may have carried it out."""
        if trial.kind != "take" or len(trial.twin.asked) < 2:
            return False, True
        return lost_or_carried(trial, self._player.left(trial.said))

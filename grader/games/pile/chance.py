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
from grader.games.pile.refusing import Refusals
from grader.games.pile.rounds import OURS
from grader.games.pile.talk import PROGRAM, TRIED, USER, Part, Talk
from grader.games.pile.trials import Trial
from grader.reading.keys import key
from grader.reading.runs import Answers, Run, Runs
from grader.reading.twins import Goes, put_in

PLAYS_BY_CHANCE = (
    "the program plays by chance: the same answers bring another game; each game was judged by what it says itself"
)

AGAIN = 6
"""So many games from each pile are played until the user has to take the last stone: by chance it may be the program."""


class ChancePlayer(ToldPlayer):
    """Plays games with a program that plays by chance: each is a run of its own, with random numbers of its own."""

    _seed = 0

    def with_talk(self, runs: Runs, talk: Talk) -> ChancePlayer:
        """The same with what was found of the talk."""
        return ChancePlayer(runs, talk, self.rules, self.slot)

    def left(self, text: str) -> int | None:
        """How many stones are left, as a text tells it last."""
        return told(text, self.slot)

    def _played(self, opening: Answers, stones: int, mover: int, choose: Callable[[str], str]) -> Play:
        self._seed = self._runs.number  # each game makes a run, so that no other one has this seed
        return replace(super()._played(opening, stones, mover, choose), seed=self._seed)

    def _run(self, answers: Sequence[str]) -> Run:
        return self._runs.run(answers, self._seed)

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


Tried = Callable[..., tuple[Trial, Goes]]
"""Types wrong answers in a game, and tells by the next question how it goes on behind the last of them."""


class RefusalsByText(Refusals):
    """Tries wrong answers, each in a game of its own, and rules by what the program says next."""

    _player: ChancePlayer

    def _find_pauses(self, plain: Play) -> None:
        """Look for none: they are found by games that go on alike."""

    def _opening(self, plain: Play, part: Part, wrong: Sequence[str]) -> None:
        place = self._player.talk.place(part)
        opening = plain.run.answers[: plain.opening]
        question, then = (plain.run.waits[at].output for at in (place, place + 1))

        def tried(*texts: str) -> tuple[Trial, Goes]:
            twin = self._player.typed(put_in(opening, place, *texts), plain.stones, plain.mover)
            trial = Trial(part.value, texts[-1], twin, place + len(texts) - 1, len(texts) - 1)
            if _over(trial):
                return trial, Goes.OTHERWISE
            if asks_again(question, trial.said):  # a move may be asked for in the same words
                return trial, Goes.UNREAD if asks_again(question, then) else Goes.ALIKE
            return trial, Goes.OTHERWISE if key(trial.said) == key(then) else Goes.UNREAD

        for trial, goes in self._each(wrong, tried):
            self._judge.rule(trial, goes)

    def _each(self, wrong: Sequence[str], tried: Tried) -> list[tuple[Trial, Goes]]:
        """All wrong answers, each in a game; the first of those that are refused is typed twice in one more, and ruled on."""
        trials = [tried(text) for text in wrong]
        for text in [trial.text for trial, goes in trials if goes is Goes.ALIKE][:1]:
            trial, goes = tried(text, text)
            if goes is Goes.OTHERWISE:
                self._judge.second(trial)
        return trials

    def _takes(self, plain: Play) -> None:
        def tried(*texts: str) -> tuple[Trial, Goes]:
            twin = self._player.play(plain.stones, USER, texts)
            at = twin.asked[min(len(texts), len(twin.asked)) - 1]
            trial = Trial("take", texts[-1], twin, at, at - twin.asked[0])
            return trial, self._kept(trial, plain.stones)

        trials = self._each(self._moves, tried)
        self._accepted([trial for trial, goes in trials if goes is Goes.OTHERWISE])
        for trial, goes in trials:
            if goes is not Goes.OTHERWISE:
                self._judge.rule(trial, goes)

    def _kept(self, trial: Trial, stones: int) -> Goes:
        """Whether the same question came again, and no stone was taken."""
        if _over(trial) or trial.twin.over == trial.at + 1:
            return Goes.OTHERWISE
        level, first = self._player.talk.level, trial.twin.run.waits[trial.twin.asked[0]].output
        if key(trial.said, level) != key(first, level):
            return Goes.UNREAD
        moved = any(each.meaning == OURS for each in self._told(trial.said))
        return Goes.ALIKE if not moved and self._player.left(trial.said) in (None, stones) else Goes.OTHERWISE

    def _too_many(self) -> None:
        """The most that may be taken, where one stone is left."""
        mover = PROGRAM if self._player.talk.proved else USER
        for stones in self._player.short * AGAIN:
            lefts: list[int | None] = []
            twin = self._player.chosen(stones, mover, partial(self._too_many_of_one, lefts))
            if 1 in lefts and twin.refused is None:
                trial = Trial("too-many", str(self._player.rules.most), twin, twin.asked[lefts.index(1)])
                self._judge.rule(trial, self._kept(trial, 1))
                return

    def _too_many_of_one(self, lefts: list[int | None], text: str) -> str:
        """The move at a question: too many, where one stone is left for the first time; ``lefts`` gets the stones at each."""
        lefts.append(self._player.left(text))
        return str(self._player.rules.most) if lefts[-1] == 1 and lefts.count(1) == 1 else "1"


def _over(trial: Trial) -> bool:
    """Whether the program ended behind the answer, and asked nothing more."""
    run = trial.twin.run
    return trial.at + 1 >= len(run.waits) - bool(run.ending)

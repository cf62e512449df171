"""What must be refused, tried by twins: a game with wrong answers put in, beside the same game without them.

One game with all wrong answers shows that they are refused, if nothing else differs. Where something does, each of them is tried
alone. What was said in between, and is not the question, is the message.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.checks import ending as endings
from grader.games.learn.questions import offered
from grader.games.pile.pauses import behind_refusals
from grader.games.pile.play import Play
from grader.games.pile.plays import Player
from grader.games.pile.talk import USER, Part
from grader.games.pile.telling import Telling, Told
from grader.games.pile.trials import Judge, Trial
from grader.reading.runs import Runs
from grader.reading.slots import Segment, segments
from grader.reading.twins import Goes, goes_on, put_in

FIRSTS = 3
"""So many wrong answers to who moves first are tried."""


class Refusals:
    """Tries wrong answers on one program and writes down what comes of them."""

    def __init__(self, runs: Runs, player: Player, learned: Telling, judge: Judge) -> None:
        self._runs = runs
        self._player = player
        self._paused: frozenset[Part | None] = frozenset()
        self._learned = learned
        self._judge = judge
        game = player.rules.game
        self._stones, self._firsts, self._moves = (
            tuple(map(str, one.illegal)) for one in (game.stones, game.first, game.take)
        )

    def judge(self) -> None:
        """Try the wrong answers to all questions."""
        played = (self._player.play(stones, USER) for stones in self._player.tried)
        plain = next((play for play in played if _is_whole(play)), None)
        if plain is None:
            return
        self._find_pauses(plain)
        talk = self._player.talk
        if Part.STONES in talk.parts:
            self._opening(plain, Part.STONES, self._stones)
        if talk.firsts:
            offers = {*talk.firsts, *offered(plain.run.waits[talk.place(Part.FIRST)].output)}
            self._opening(plain, Part.FIRST, tuple(text for text in self._firsts if text not in offers)[:FIRSTS])
        self._takes(plain)
        self._too_many()

    def _find_pauses(self, plain: Play) -> None:
        """Go on past pauses that come behind refusals."""
        talk = self._player.talk
        wrong = {Part.STONES: self._stones[0], Part.FIRST: self._firsts[0], None: self._moves[0]}
        asked = {part: text for part, text in wrong.items() if part is None or part in talk.parts}
        found = behind_refusals(self._runs, plain, talk, asked)
        self._paused = frozenset(found)
        if None in found:
            more = replace(talk, pauses=talk.pauses | {found[None]})
            self._player = self._player.with_talk(self._runs, more)

    # ------------------------------------------------------------------------------------------ before the game

    def _opening(self, plain: Play, part: Part, wrong: Sequence[str]) -> None:
        place, step = self._player.talk.place(part), 1 + (part in self._paused)

        def opened(*texts: str) -> Play:
            typed = [each for text in texts for each in (text, "")[:step]]
            opening = plain.run.answers[: plain.opening]
            return self._player.typed(put_in(opening, place, *typed), plain.stones, plain.mover)

        all_of_them = opened(*wrong)
        if self._goes(plain, place, all_of_them, place + step * len(wrong)) is Goes.ALIKE:
            for number, text in enumerate(wrong):
                self._judge.refused(Trial(part.value, text, all_of_them, place + step * number, step * number))
            return
        once: list[str] = []
        for text in wrong:
            twin = opened(text)
            goes = self._goes(plain, place, twin, place + step)
            self._judge.rule(Trial(part.value, text, twin, place), goes)
            if goes is Goes.ALIKE:
                once.append(text)
        for text in once[:1]:
            twin = opened(text, text)
            if self._goes(plain, place, twin, place + 2 * step) is Goes.OTHERWISE:
                self._judge.second(Trial(part.value, text, twin, place + step))

    def _goes(self, plain: Play, at: int, twin: Play, then: int) -> Goes:
        """Whether the game goes on from the one wait as from the other, where the same is typed at both."""
        if then > twin.end or then >= len(twin.run.answers) or twin.run.answers[then] != plain.run.answers[at]:
            return Goes.OTHERWISE
        return goes_on(plain.future(at), twin.future(then), self._numbers)

    def _numbers(self, text: str) -> list[tuple[str, int]]:
        return [(told.meaning, told.value) for told in self._told(text)]

    # ------------------------------------------------------------------------------------------- within the game

    def _takes(self, plain: Play) -> None:
        moves = len(plain.asked)
        takes: list[str] = []
        for number in range(moves):
            takes += [*self._moves[2 * number : 2 * number + 2], "1"]
        twin = self._player.play(plain.stones, USER, takes)
        places = [at for at in twin.asked if twin.typed(at) != "1"]
        if self._all_same(plain, twin):
            for number, at in enumerate(places):
                self._judge.refused(Trial("take", twin.typed(at), twin, at, at - places[number - number % 2]))
            return
        once: list[Trial] = []
        accepted: list[Trial] = []
        for text in self._moves:
            one = self._player.play(plain.stones, USER, (text,))
            trial = Trial("take", text, one, one.asked[0])
            goes = self._goes_on(plain, one)
            if goes is Goes.ALIKE:
                once.append(trial)
            if goes is not Goes.OTHERWISE:
                self._judge.rule(trial, goes)
            else:
                accepted.append(trial)
        self._accepted(accepted)
        for first in once:
            twice = self._player.play(plain.stones, USER, (first.text, first.text))
            if not self._all_same(plain, twice):
                self._judge.second(Trial("take", first.text, twice, twice.asked[min(1, len(twice.asked) - 1)]))
                break

    def _accepted(self, trials: Sequence[Trial]) -> None:
        """Rule on wrong moves after which the game does not go on as without them."""
        moves = [self._lost_or_carried(trial) for trial in trials]
        surely = any(lost and not carried for lost, carried in moves)
        for trial, (lost, _) in zip(trials, moves, strict=True):
            self._judge.not_refused(trial, turn=lost and surely)

    def _goes_on(self, plain: Play, twin: Play) -> Goes:
        """Whether the game goes on behind its first move as without the wrong one; a move of the program says that it does not."""
        if len(twin.asked) < 2:
            return Goes.OTHERWISE
        first = twin.asked[0]
        said = twin.said(first, twin.asked[1])
        moved = any(told.meaning == "program" for told in self._told(said)) and not any(
            told.meaning == "program" for told in self._told(plain.run.waits[plain.asked[0]].output)
        )
        return Goes.OTHERWISE if moved else self._goes(plain, plain.asked[0], twin, twin.asked[1])

    def _told(self, text: str) -> Iterator[Told]:
        return (told for one in segments(text) for told in self._learned.of(one))

    def _all_same(self, plain: Play, twin: Play) -> bool:
        """Whether all that follows right answers is the same in both games."""
        right = [at for at in twin.asked if twin.typed(at) == "1"]
        if len(right) != len(plain.asked) or (plain.over is None) != (twin.over is None):
            return False
        ours, theirs = (self._replies(play, at) for play, at in ((plain, plain.asked), (twin, right)))
        return ours == theirs

    def _replies(self, play: Play, places: Sequence[int]) -> list[object]:
        """What is said after each right answer: word by word, but for what is counted besides the stones."""
        asked = [*play.asked, play.end]
        texts = [play.said(at, asked[asked.index(at) + 1]) for at in places]
        return [[(each.skeleton, self._counted(each)) for each in segments(text)] for text in texts]

    def _counted(self, segment: Segment) -> tuple[int, ...]:
        return tuple(told.value for told in self._learned.of(segment))

    def _too_many(self) -> None:
        """The most that may be taken, where one stone is left: at the end of the shortest game that leads there."""
        many = str(self._player.rules.most)
        for pile in self._player.short:
            for mover in (USER, 0):
                if mover != USER and not self._player.talk.proved:
                    continue
                plain = self._player.play(pile, mover)
                at = next((at for at in plain.asked if self._player.stones(plain, at, ()) == 1), None)
                if at is None or not _is_whole(plain):
                    continue
                before = [plain.typed(one) for one in plain.asked if one < at]
                twin = self._player.play(pile, mover, (*before, many))
                trial = Trial("too-many", many, twin, at)
                again = next(iter(twin.asked[len(before) + 1 :]), None)
                self._judge.rule(trial, Goes.OTHERWISE if again is None else self._goes(plain, at, twin, again))
                return

    def _lost_or_carried(self, trial: Trial) -> tuple[bool, bool]:
        """Whether the program may have moved without carrying the wrong move out, and whether it may have carried it out."""
        twin = trial.twin
        if len(twin.asked) < 2:
            return False, True
        pile, wrong = twin.stones, int(trial.text)
        now = self._player.stones(twin, twin.asked[1], (pile - self._player.rules.best(pile), pile - wrong - 1))
        return now is not None and pile - now in (1, 2), now is None or pile - wrong - now in (1, 2)


def _is_whole(play: Play) -> bool:
    """Whether a game was begun as it should, and came to an end."""
    ending = play.run.ending
    return (
        play.refused is None
        and bool(play.asked)
        and play.over is not None
        and (ending is None or not endings.faulty(ending))
    )

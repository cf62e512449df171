"""Wrong answers to a program with known rules: a game with some of them is foretold as refused, as accepted, and otherwise.

One game with all wrong answers shows that they are refused. If that does not explain it, each of them is tried
alone. The text in between, without the question, is the message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from grader.games.hear.truth import Goes, put_in
from grader.games.learn.fit import MISSED, WRONG
from grader.games.learn.questions import offered
from grader.games.pile.departures import (
    ACCEPTED,
    AS,
    ENDS,
    GOES_BELOW,
    LOST,
    NEVER_ENDS,
    NEVER_MOVES,
    REFUSED,
    TAKE,
    Custom,
    Moment,
    course,
)
from grader.games.pile.fitting import Explained, Place, Seen, missed, seen
from grader.games.pile.plays import behind_refusals
from grader.games.pile.rounds import Play, true
from grader.games.pile.talk import PROGRAM, USER, Part
from grader.games.pile.wrong_answers import Judge, Trial

PILES = (14, 11, 8, 5)
"""Piles so large that a wrong number leads to other stones than a right move, be it 7 or -1. Behind 7 of 14 the game goes on."""

OTHERS = (13, 10)
"""Piles where no game goes on from the first ones: a program broke at each of its moves but those from multiples of three."""

DOUBT = 0.5
"""If a refused wrong answer explains a game nearly as well as an accepted one, it was refused."""

BEHIND = (GOES_BELOW, NEVER_ENDS, NEVER_MOVES)
"""Departures that may show only behind an accepted answer. A game goes on when the pile has fallen below zero. It goes on with no stones from
the beginning. A third player, whom the program calls 2, never passes the turn."""

AGAIN = 6
"""Games from each pile of a program that plays by chance until the user has to take the last stone: it may be the program."""

SHORT = (2, 4, 3)
"""Piles that soon lead to one stone."""

FIRSTS = 3
"""Maximum number of wrong answers to the question who moves first."""

Tried = Callable[..., tuple[Trial, Goes]]
"""Types wrong answers in a game, one after the other, and tells how it goes on behind the last of them."""


class Refusals:
    """Tries wrong answers on one program, and rules by what foretells the game behind them best."""

    def __init__(self, player: Explained, judge: Judge) -> None:
        self.player = player
        self._judge = judge
        self._paused: frozenset[Part | None] = frozenset()
        self._untrue: frozenset[Place] = frozenset()
        self._asked = player.asked()
        game = player.rules.game
        self._stones, self._firsts, self._moves = (
            tuple(map(str, one.illegal)) for one in (game.stones, game.first, game.take)
        )

    def explore(self) -> None:
        """Try the wrong answers to all questions."""
        talk, plain = self.player.talk, self._plain()
        if plain is None:
            return
        # A table of all moves up to twelve stones tells what is left in smaller games, and in this one it tells nothing.
        game = seen(plain, talk)
        self._untrue = frozenset(self._other_places(game, self._moments(game, self.player.custom)))
        if not talk.chance:
            self._find_pauses(plain)
        if Part.STONES in talk.parts:
            self._opening(plain, Part.STONES, self._stones)
        if talk.firsts:
            offers = {*talk.firsts, *offered(plain.run.waits[talk.place(Part.FIRST)].output)}
            self._opening(plain, Part.FIRST, tuple(text for text in self._firsts if text not in offers)[:FIRSTS])
        self._takes(plain)
        self._too_many()

    def _plain(self) -> Play | None:
        """A game without any wrong answer in which the user can take one stone, better one that comes to its end, and best with more moves."""
        for piles in (PILES, OTHERS):
            plays = [self.player.play(stones, mover) for mover in (USER, PROGRAM) for stones in self._piles(piles)]
            # A program that takes at most 10 stones refused 14, or played with 10: what came then was charged as a wrong answer accepted.
            foretold = (play for play in plays if play.refused is None and self.player.foretells(play))
            choices = [play for play in foretold if self._takes_one(play)]
            # Behind the first move of the user a program moved on alone: it has games with one question for a move.
            choices = [play for play in choices if len(play.move_waits) > 1] or choices
            if choices:
                return next((play for play in choices if play.is_whole), choices[0])
        return None

    def _takes_one(self, play: Play) -> bool:
        return any(moment.yours for _, _, moment in self.player.moments(play))

    def _piles(self, usual: tuple[int, ...]) -> tuple[int, ...]:
        """The piles of games, or the one that there always is."""
        return usual if self.player.talk.pile is None else (self.player.talk.pile,)

    def _find_pauses(self, plain: Play) -> None:
        """Go on past pauses that come behind refusals."""
        talk = self.player.talk
        wrong = {Part.STONES: self._stones[0], Part.FIRST: self._firsts[0], None: self._moves[0]}
        answers = {part: text for part, text in wrong.items() if part is None or part in talk.parts}
        pauses = behind_refusals(self.player, plain, answers)
        self._paused = frozenset(pauses)
        if None in pauses:
            self.player = self.player.with_talk(pauses=talk.pauses | {pauses[None]})

    # ------------------------------------------------------------------------------------------ before the game

    def _opening(self, plain: Play, part: Part, wrong: Sequence[str]) -> None:
        place, step = self.player.talk.place(part), 1 + (part in self._paused)

        def tried(*texts: str) -> tuple[Trial, Goes]:
            answers = [each for text in texts for each in (text, "")[:step]]
            opening = put_in(plain.run.answers[: plain.opening], place, *answers)
            twin = self.player.typed(opening, plain.stones, plain.mover)
            at, question = place + step * (len(texts) - 1), twin.run.waits[place].output
            trial = Trial(part.value, texts[-1], twin, at, question)
            return trial, self._goes(twin, at, len(texts), (ACCEPTED, *AS, ENDS))

        if not wrong:
            return
        trial, goes = tried(*wrong)
        if goes is Goes.ALIKE:
            for number, text in enumerate(wrong):
                self._judge.refused(replace(trial, text=text, at=place + step * number))
            return
        self._twice(self._each(wrong, tried, self._judge.not_refused)[:1], tried)

    def _each(self, wrong: Sequence[str], attempt: Tried, accepted: Callable[[Trial], None]) -> list[str]:
        """Type each wrong answer in a game of its own; those that were refused. The others are handed to ``accepted``."""
        once: list[str] = []
        for text in wrong:
            trial, goes = attempt(text)
            if goes is Goes.OTHERWISE:
                accepted(trial)
            else:
                self._judge.rule(trial, goes)
            if goes is Goes.ALIKE:
                once.append(text)
        return once

    def _twice(self, texts: Sequence[str], attempt: Tried) -> None:
        """Type answers that are refused twice, up to the first that is then accepted."""
        for text in texts:
            trial, goes = attempt(text, text)
            if goes is Goes.OTHERWISE:
                self._judge.second(trial)
                return

    # ------------------------------------------------------------------------------------------- within the game

    def _takes(self, plain: Play) -> None:
        def tried(*texts: str) -> tuple[Trial, Goes]:
            twin = self.player.play(plain.stones, plain.mover, texts)
            at = twin.move_waits[min(len(texts), len(twin.move_waits)) - 1]
            trial = Trial(TAKE, texts[-1], twin, at, twin.run.waits[twin.move_waits[0]].output)
            return trial, self._goes(twin, at, len(texts))

        if not self._takes_at_once(plain):
            self._twice(self._each(self._moves, tried, self._accepted), tried)

    def _takes_at_once(self, plain: Play) -> bool:
        """Whether all wrong moves are refused in one game, two before each right move, or all where there is only one."""
        step = 2 if len(plain.move_waits) > 1 else len(self._moves)
        takes = [
            text
            for number in range(len(plain.move_waits))
            for text in (*self._moves[step * number : step * (number + 1)], self.player.filler)
        ]
        twin = self.player.play(plain.stones, plain.mover, takes)
        if self._goes(twin, len(twin.run.answers) - 1) is not Goes.ALIKE:
            return False
        places = [at for at in twin.move_waits if twin.typed(at) in self._moves]
        for number, at in enumerate(places):
            question = twin.run.waits[places[number - number % step]].output
            self._judge.refused(Trial(TAKE, twin.typed(at), twin, at, question))
        return True

    def _accepted(self, trial: Trial) -> None:
        """Rule on a wrong move that was not refused: it was carried out, or the turn was lost."""
        twin = seen(trial.twin, self.player.talk)
        loss, carried = (self._cost(twin, self.player.custom, (comes,)) for comes in (LOST, ACCEPTED))
        # To take 0 and to pass the turn leave the same stones: there the message of the program tells which it was.
        self._judge.not_refused(trial, turn=None if trial.text == "0" else loss < carried)

    def _too_many(self) -> None:
        """Take the most that may be taken where one stone is left: at the end of the shortest game that leads there."""
        talk, many = self.player.talk, str(self.player.rules.most)
        movers = (USER, PROGRAM) if talk.firsts else (USER,)
        for pile, mover in product(self._piles(SHORT) * (AGAIN if talk.chance else 1), movers):
            twin = self._with_too_many(pile, mover, many)
            at = None if twin is None else next((at for at in twin.move_waits if twin.typed(at) == many), None)
            if twin is not None and at is not None and twin.refused is None:
                self._judge.rule(Trial("too-many", many, twin, at, twin.run.waits[at].output), self._goes(twin, at))
                return

    def _with_too_many(self, pile: int, mover: int, many: str) -> Play | None:
        """A game in which so many are taken of the last stone, where it comes to that."""
        if self.player.talk.slot is not None:
            lefts: list[int | None] = []

            def move(text: str) -> str:
                lefts.append(self.player.talk.left(text))
                return many if lefts[-1] == 1 and lefts.count(1) == 1 else "1"

            return self.player.chosen(pile, mover, move)
        plain = self.player.play(pile, mover)
        waits = self.player.moments(plain)
        at = next((step.at for step, _, now in waits if now.asks == TAKE and now.after == 1), None)
        if at is None or at not in plain.move_waits:
            return None
        return self.player.play(pile, mover, (*(plain.typed(one) for one in plain.move_waits if one < at), many))

    # ---------------------------------------------------------------------------------------- what foretells a game

    def _goes(self, twin: Play, at: int, number: int = 1, others: Sequence[str] = (ACCEPTED, LOST, ENDS)) -> Goes:
        """How a game goes on behind the last of so many wrong answers, which is typed ``at`` a wait; those before it are refused."""
        if twin.is_broken and at + 2 >= len(twin.run.waits):
            return Goes.OTHERWISE
        first = (REFUSED,) * (number - 1)
        # Behind an answer that was accepted the right one comes at another question, which may refuse it.
        ways = [(*first, comes, *then) for comes in others for then in ((), (REFUSED,))]
        rules, game = self.player.custom, seen(twin, self.player.talk)
        refusal = self._cost(game, rules, (*first, REFUSED))
        other = min(self._cost(game, rules, way) for way in ways)
        for row in BEHIND:
            if min(refusal, other) >= WRONG:
                by = replace(rules, changes={**rules.changes, row.field: row.value})
                other = min(other, *(self._cost(game, by, way) for way in ways))
        if refusal <= other + DOUBT:
            return Goes.ALIKE if refusal < WRONG else Goes.UNREAD
        return Goes.OTHERWISE

    def _cost(self, game: Seen, rules: Custom, wrong: tuple[str, ...]) -> float:
        """The cost of a game where this comes of its wrong answers: waits and known numbers that come otherwise."""
        moments = self._moments(game, replace(rules, wrong=wrong))
        untrue = sum(place not in self._untrue for place in self._other_places(game, moments))
        # 2 let the program begin, and all answers behind it were refused as moves: numbers and waits came as if 2 had been refused.
        asked = zip(game.steps, moments, strict=False)
        others = sum(step.key in self._asked and str(now.asks) not in self._asked[step.key] for step, now in asked)
        return WRONG * (missed(game, moments) + others) + MISSED * untrue

    def _moments(self, game: Seen, custom: Custom) -> list[Moment]:
        """The course of a game by these rules."""
        return list(course(custom, self.player.talk, game.answers, game.lefts))

    def _other_places(self, game: Seen, moments: Sequence[Moment]) -> Iterator[Place]:
        """The places of the numbers of a game that do not mean there what they mean elsewhere, where it goes so."""
        for step, moment in zip(game.steps, moments, strict=False):
            for slot, time, value in step.slots:
                place = Place(slot, time, moment.movers)
                meaning = self.player.explanation.meanings.get(place)
                if meaning is None or not meaning.is_known:
                    continue
                numbers = true(moment, time)
                if meaning.name in numbers and numbers[meaning.name] + meaning.shift != value:
                    yield place

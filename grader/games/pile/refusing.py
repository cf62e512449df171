"""Wrong answers, tried by twins: a game with wrong answers put in, beside the same game without them.

One game with all wrong answers shows that they are refused, if nothing else differs. Where something does, each of them is tried
alone. What was said in between, and is not the question, is the message.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product

from grader.games.learn.questions import offered
from grader.games.pile.pauses import behind_refusals
from grader.games.pile.plays import Player
from grader.games.pile.rounds import OURS, Games, Play, stones
from grader.games.pile.talk import PROGRAM, USER, Part
from grader.games.pile.telling import Telling
from grader.reading.runs import Wait
from grader.reading.slots import segments
from grader.reading.twins import Goes, goes_on, message, put_in
from grader.values import dataclass

PILES = (11, 8, 5)
"""Piles of which a wrong number leads nowhere that a right move leads, be it 7 or -1."""

SHORT = (2, 4, 3)
"""Piles by which one stone is reached soon."""

FIRSTS = 3
"""Maximum number of wrong answers to the question who moves first."""

WHY = {
    Part.STONES.value: "the initial number of stones must be greater than zero",
    Part.FIRST.value: "who moves first must be zero or one",
    "take": "the number of stones removed must be one or two",
    "too-many": f"only {stones(1)} is left",
}
"""Why an answer is wrong, by the kind of the trial."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A wrong answer at a wait of a game, by its ``kind``, which is a key of ``WHY``.

    ``question`` is the text with which it was asked for when nothing was wrong yet.
    """

    kind: str
    text: str
    twin: Play
    at: int
    question: str

    @property
    def then(self) -> Wait:
        """The moment after it; one without any text where the program did not take the answer."""
        waits = self.twin.run.waits
        return waits[self.at + 1] if self.at + 1 < len(waits) else Wait("")

    @property
    def said(self) -> str:
        """The text that the program printed after it."""
        return self.then.output

    def fault(self, kind: str, sentence: str, *, stops: bool = False) -> None:
        """Note a fault in the turn after the answer."""
        self.twin.note(self.at + 2, kind, sentence, stops=stops)


Tried = Callable[..., tuple[Trial, Goes]]
"""Types wrong answers in a game, one after the other, and tells how it goes on behind the last of them."""


class Judge:
    """Notes what came of wrong answers, by what right games say: before their first moves, in their rounds, and at their ends."""

    def __init__(self, games: Games) -> None:
        rounds = [one for played in games.values() for one in played[1:]]
        self._begun = _skeletons([played[0].text for played in games.values()])
        self._within = _skeletons([one.text for one in rounds if one.ours and one.ours > 0 and not one.over])
        self._ends = _skeletons([one.text for one in rounds if one.over])
        self._messages: set[str] = set()

    def rule(self, trial: Trial, goes: Goes) -> None:
        """Rule by how the game goes on beside the one without the wrong answer."""
        if goes is Goes.ALIKE:
            self.refused(trial)
        elif goes is Goes.OTHERWISE:
            self.not_refused(trial)
        elif not trial.twin.is_cut_short:
            unread = f"after {trial.text} it goes on in words that never come again, so that it is not clear whether it was refused"
            about = (f"accepted-{trial.kind}", "accepted-second", "not-repeated", "no-message")
            trial.twin.unread(trial.at + 2, unread, *about)

    def refused(self, trial: Trial) -> None:
        """Rule on an answer that was refused, and asked for again: there must be a message."""
        trial.twin.saw(f"bad-{trial.kind}", "refused", "message")
        self._messages |= _skeletons([trial.said]) - _skeletons([trial.question]) - self._within
        if not self._has_message(trial):
            lacks = f"after {trial.text}, which is not allowed, it asks again without a message"
            if message(trial.said, trial.question):
                lacks = f"after {trial.text}, which is not allowed, it says no more than after answers that are allowed"
            trial.fault("no-message", lacks)

    def _has_message(self, trial: Trial) -> bool:
        """Whether it says more than it had asked, and than it says in every turn."""
        usual = self._within if trial.kind in ("take", "too-many") else ()
        # A terminal also shows what is written to the error stream.
        return bool(trial.then.aside.strip()) or message(trial.said, trial.question, usual)

    def second(self, trial: Trial) -> None:
        """Note that an answer was refused once, and not twice."""
        trial.twin.saw("refused")
        again = f"{trial.text} is refused at first, and accepted when it is typed again"
        trial.fault("accepted-second", again, stops=True)

    def not_refused(self, trial: Trial, *, turn: bool = False) -> None:
        """Rule on an answer after which the game does not go on as without it; ``turn`` says that the program has moved instead.

        A message and an end, or the question for another game, are a refusal, and the same was not asked again.
        """
        play = trial.twin
        if play.is_cut_short:
            return
        play.saw(f"bad-{trial.kind}")
        ended = play.run.ending is not None and trial.at + 2 >= len(play.run.waits)
        # The same is said in right games where the answer was carried out, and nothing was left to play.
        usual = self._ends | self._within
        if trial.kind in (Part.STONES.value, Part.FIRST.value):
            usual |= self._begun
        refused = self._has_message(trial) and not _skeletons([trial.said]) <= usual
        if ended and play.is_broken:
            play.broke(f"accepted-{trial.kind}")
        elif turn or (refused and (ended or play.over == trial.at + 1)):
            instead = "the program moves" if turn else "the program ends" if ended else "something else is asked"
            play.saw("refused")
            again = f"{trial.text} is refused, and {instead}: the same request must be repeated"
            trial.fault("not-repeated", again, stops=True)
        else:
            trial.fault(f"accepted-{trial.kind}", f"{trial.text} was accepted: {WHY[trial.kind]}", stops=True)

    def allowed(self, games: Games) -> None:
        """Look for messages of refusals at moves that are allowed, and were carried out.

        A sentence of every turn is no message. So only the ends of games can have one: “There are not that many stones”, at the last stone.
        """
        for played in games.values():
            for one in played:
                quote = next((each.text for each in segments(one.text) if each.skeleton in self._messages), None)
                if quote is not None and one.over and one.yours:
                    allowed = f"{stones(one.yours)} may be taken, and yet it says “{' '.join(quote.split())}”"
                    one.fault("no-message", allowed)


def _skeletons(texts: Sequence[str]) -> frozenset[str]:
    return frozenset(one.skeleton for text in texts for one in segments(text))


class Refusals:
    """Tries wrong answers on one program and has the judge note what comes of them."""

    _at_once = True
    """Whether all wrong answers are first typed in one game: where that goes on as the one without them, no other is needed."""

    def __init__(self, player: Player, learned: Telling, judge: Judge) -> None:
        self.player = player
        self._learned = learned
        self._judge = judge
        self._paused: frozenset[Part | None] = frozenset()
        game = player.rules.game
        self._stones, self._firsts, self._moves = (
            tuple(map(str, one.illegal)) for one in (game.stones, game.first, game.take)
        )

    def explore(self) -> None:
        """Try the wrong answers to all questions."""
        talk, plain = self.player.talk, self._plain()
        if plain is None:
            return
        self._find_pauses(plain)
        if Part.STONES in talk.parts:
            self._opening(plain, Part.STONES, self._stones)
        if talk.firsts:
            offers = {*talk.firsts, *offered(plain.run.waits[talk.place(Part.FIRST)].output)}
            self._opening(plain, Part.FIRST, tuple(text for text in self._firsts if text not in offers)[:FIRSTS])
        self._takes(plain)
        self._too_many()

    def _plain(self) -> Play | None:
        """A game without any wrong answer."""
        piles = self._piles(tuple(stones for stones in PILES if stones <= self.player.largest))
        return next((play for stones in piles if (play := self.player.play(stones, USER)).is_whole), None)

    def _piles(self, usual: tuple[int, ...]) -> tuple[int, ...]:
        """The piles of games, or the one that there always is."""
        return usual if self.player.talk.pile is None else (self.player.talk.pile,)

    def _find_pauses(self, plain: Play) -> None:
        """Go on past pauses that come behind refusals."""
        talk = self.player.talk
        wrong = {Part.STONES: self._stones[0], Part.FIRST: self._firsts[0], None: self._moves[0]}
        asked = {part: text for part, text in wrong.items() if part is None or part in talk.parts}
        pauses = behind_refusals(self.player, plain, asked)
        self._paused = frozenset(pauses)
        if None in pauses:
            self.player = self.player.with_talk(pauses=talk.pauses | {pauses[None]})

    # ------------------------------------------------------------------------------------------ before the game

    def _opening(self, plain: Play, part: Part, wrong: Sequence[str]) -> None:
        place, step = self.player.talk.place(part), 1 + (part in self._paused)

        def tried(*texts: str) -> tuple[Trial, Goes]:
            typed = [each for text in texts for each in (text, "")[:step]]
            opening = put_in(plain.run.answers[: plain.opening], place, *typed)
            twin = self.player.typed(opening, plain.stones, plain.mover)
            at, question = place + step * (len(texts) - 1), twin.run.waits[place].output
            trial = Trial(part.value, texts[-1], twin, at, question)
            return trial, self._after_opening(plain, trial, place, step)

        if not wrong:
            return
        if self._at_once:
            trial, goes = tried(*wrong)
            if goes is Goes.ALIKE:
                for number, text in enumerate(wrong):
                    self._judge.refused(replace(trial, text=text, at=place + step * number))
                return
        self._twice(self._each(wrong, tried, self._judge.not_refused)[:1], tried)

    def _after_opening(self, plain: Play, trial: Trial, place: int, step: int) -> Goes:
        """How the game goes on behind a wrong answer before it, and the pause behind that."""
        return self._goes(plain, place, trial.twin, trial.at + step)

    def _each(self, wrong: Sequence[str], tried: Tried, accepted: Callable[[Trial], None]) -> list[str]:
        """Type each wrong answer in a game of its own; those that were refused. The others are handed to ``accepted``."""
        once: list[str] = []
        for text in wrong:
            trial, goes = tried(text)
            if goes is Goes.OTHERWISE:
                accepted(trial)
            else:
                self._judge.rule(trial, goes)
            if goes is Goes.ALIKE:
                once.append(text)
        return once

    def _twice(self, refused: Sequence[str], tried: Tried) -> None:
        """Type answers that are refused twice, up to the first that is then accepted."""
        for text in refused:
            trial, goes = tried(text, text)
            if goes is Goes.OTHERWISE:
                self._judge.second(trial)
                return

    def _goes(self, plain: Play, at: int, twin: Play, then: int) -> Goes:
        """Whether the game goes on from the one wait as from the other, where the same is typed at both."""
        if then > twin.end or then >= len(twin.run.answers) or twin.run.answers[then] != plain.run.answers[at]:
            return Goes.OTHERWISE
        return goes_on(
            plain.future(at),
            twin.future(then),
            lambda text: [(each.meaning, each.value) for each in self._learned.of_text(text)],
        )

    # ------------------------------------------------------------------------------------------- within the game

    def _takes(self, plain: Play) -> None:
        def tried(*texts: str) -> tuple[Trial, Goes]:
            twin = self.player.play(plain.stones, plain.mover, texts)
            at = twin.asked[min(len(texts), len(twin.asked)) - 1]
            trial = Trial("take", texts[-1], twin, at, twin.run.waits[twin.asked[0]].output)
            return trial, self._after_take(plain, trial, len(texts))

        if self._at_once and self._takes_at_once(plain):
            return
        accepted: list[Trial] = []
        once = self._each(self._moves, tried, accepted.append)
        self._accepted(accepted)
        self._twice(once if self._at_once else once[:1], tried)

    def _takes_at_once(self, plain: Play) -> bool:
        """Whether all wrong moves are refused in one game, two before each right move."""
        takes = [
            text
            for number in range(len(plain.asked))
            for text in (*self._moves[2 * number : 2 * number + 2], self.player.filler)
        ]
        twin = self.player.play(plain.stones, plain.mover, takes)
        if not self._takes_same(plain, twin):
            return False
        places = [at for at in twin.asked if twin.typed(at) in self._moves]
        for number, at in enumerate(places):
            question = twin.run.waits[places[number - number % 2]].output
            self._judge.refused(Trial("take", twin.typed(at), twin, at, question))
        return True

    def _after_take(self, plain: Play, trial: Trial, number: int) -> Goes:
        """How the game goes on behind so many wrong moves; a move of the program says that it does not as without them."""
        twin, first = trial.twin, plain.asked[0]
        if number > 1:
            return Goes.ALIKE if self._all_same(plain, twin) else Goes.OTHERWISE
        if len(twin.asked) < 2:
            return Goes.OTHERWISE
        if self._tells_move(twin.said(*twin.asked[:2])) and not self._tells_move(plain.run.waits[first].output):
            return Goes.OTHERWISE
        return self._goes(plain, first, twin, twin.asked[1])

    def _tells_move(self, text: str) -> bool:
        """Whether a text tells a move of the program."""
        return any(each.meaning == OURS for each in self._learned.of_text(text))

    def _accepted(self, trials: Sequence[Trial]) -> None:
        """Rule on wrong moves after which the game does not go on as without them."""
        moves = [self._lost_or_carried(trial) for trial in trials]
        surely = any(lost and not carried for lost, carried in moves)
        for trial, (lost, _) in zip(trials, moves, strict=True):
            self._judge.not_refused(trial, turn=lost and surely)

    def _lost_or_carried(self, trial: Trial) -> tuple[bool, bool]:
        """Whether the program may have moved without carrying the wrong move out, and whether it may have carried it out."""
        twin, rules = trial.twin, self.player.rules
        if len(twin.asked) < 2:
            return False, True
        pile, wrong = twin.stones, int(trial.text)
        now = self.player.stones(twin, twin.asked[1], (pile - rules.best(pile), pile - wrong - 1))
        return now is not None and pile - now in (1, 2), now is None or pile - wrong - now in (1, 2)

    def _all_same(self, plain: Play, twin: Play) -> bool:
        """Whether all that follows right answers is the same in both games."""
        right = [at for at in twin.asked if twin.typed(at) == "1"]
        if len(right) != len(plain.asked) or (plain.over is None) != (twin.over is None):
            return False
        return self._replies(plain, plain.asked) == self._replies(twin, right)

    def _takes_same(self, plain: Play, twin: Play) -> bool:
        """Whether all wrong moves of a game were refused."""
        return self._all_same(plain, twin)

    def _replies(self, play: Play, places: Sequence[int]) -> list[object]:
        """The words that are said after each right answer, with the numbers that tell of the stones and no others."""
        asked = [*play.asked, play.end]
        texts = [play.said(at, asked[asked.index(at) + 1]) for at in places]
        return [
            [(each.skeleton, [told.value for told in self._learned.of(each)]) for each in self._learned.cut(text)]
            for text in texts
        ]

    def _too_many(self) -> None:
        """Take the most that may be taken where one stone is left: at the end of the shortest game that leads there."""
        many = str(self.player.rules.most)
        movers = (USER, PROGRAM) if self.player.talk.proved else (USER,)
        for pile, mover in product(self._piles(SHORT), movers):
            plain = self.player.play(pile, mover)
            at = next((at for at in plain.asked if self.player.stones(plain, at, ()) == 1), None)
            if at is None or not plain.is_whole:
                continue
            before = [plain.typed(one) for one in plain.asked if one < at]
            twin = self.player.play(pile, mover, (*before, many))
            again = next(iter(twin.asked[len(before) + 1 :]), None)
            goes = Goes.OTHERWISE if again is None else self._goes(plain, at, twin, again)
            self._judge.rule(Trial("too-many", many, twin, at, twin.run.waits[at].output), goes)
            return

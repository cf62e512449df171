"""Wrong answers to a program with known rules: a game with some of them is foretold as refused, as accepted, and otherwise.

One game with all wrong answers shows that they are refused. If that does not explain it, each of them is tried
alone. The text in between, without the question, is the message.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import product

from grader.games.hear.runs import Wait
from grader.games.hear.slots import segments
from grader.games.hear.twins import Goes, message, put_in
from grader.games.learn.fit import MISSED, WRONG
from grader.games.learn.questions import offered
from grader.games.pile.departures import ACCEPTED, AS, ENDS, LOST, REFUSED, TAKE, Custom, Moment, course
from grader.games.pile.fitting import Explained, Place, Seen, missed, seen
from grader.games.pile.pauses import behind_refusals
from grader.games.pile.rounds import Games, Play, stones
from grader.games.pile.talk import PROGRAM, USER, Part, Talk
from grader.games.pile.truths import true
from grader.values import dataclass

PILES = (14, 11, 8, 5)
"""Piles so large that a wrong number leads to other stones than a right move, be it 7 or -1. Behind 7 of 14 the game goes on."""

OTHERS = (13, 10)
"""Piles where no game goes on from the first ones: a program broke at each of its moves but those from multiples of three."""

DOUBT = 0.5
"""If a refused wrong answer explains a game nearly as well as an accepted one, it was refused."""

BEHIND = (("end", "exactly-none"), ("end", "never"), ("turn", "only-the-user"))
"""Departures that may show only behind an accepted answer. A game goes on when the pile has fallen below zero. It goes on with no stones from
the beginning. A third player, whom the program calls 2, never passes the turn."""

AGAIN = 6
"""Games from each pile of a program that plays by chance until the user has to take the last stone: it may be the program."""

SHORT = (2, 4, 3)
"""Piles that soon lead to one stone."""

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

    def __init__(self, games: Games, talk: Talk) -> None:
        rounds = [one for rounds_of_game in games.values() for one in rounds_of_game[1:]]
        # “Invalid” behind an allowed answer to who moves first was charged to the refusal of 0 stones as well, and shown there.
        self._first_sentences = {
            part.value: {
                (one.text, one.skeleton) for play in games for one in segments(_behind(play, talk.place(part)))
            }
            for part in Part
            if part in talk.parts
        }
        self._within = _skeletons([one.text for one in rounds if one.ours and one.ours > 0 and not one.over])
        self._ends = _skeletons([one.text for one in rounds if one.over])
        self._messages: set[str] = set()
        self._breaks: set[str] = set()

    def rule(self, trial: Trial, goes: Goes) -> None:
        """Rule by how the game goes on beside the one without the wrong answer."""
        if goes is Goes.ALIKE:
            self.refused(trial)
        elif goes is Goes.OTHERWISE:
            self.not_refused(trial)
        elif not trial.twin.is_cut_short:
            unread = f"after {trial.text} the program answers in words that it never uses again, so we cannot tell whether it refuses {trial.text}"
            about = (f"accepted-{trial.kind}", "accepted-second", "not-repeated", "no-message")
            trial.twin.unread(trial.at + 2, unread, *about)

    def refused(self, trial: Trial) -> None:
        """Rule on an answer that was refused, and asked for again: there must be a message."""
        trial.twin.saw(f"bad-{trial.kind}", "refused", "message")
        self._messages |= _skeletons([trial.said]) - _skeletons([trial.question]) - self._within
        if not self._has_message(trial):
            lacks = f"{trial.text} is not allowed, but the program asks again without a message"
            if message(trial.said, trial.question):
                lacks = f"{trial.text} is not allowed, but the program says the same as after allowed answers"
            trial.fault("no-message", lacks)

    def _has_message(self, trial: Trial) -> bool:
        """Whether it says more than it had asked, and than it says after answers that are allowed.

        A program that looked for 0 and 1 by "or" said “Invalid choice.” after either, and its message for 2 passed.
        """
        usual: Collection[str] = self._within
        if trial.kind not in ("take", "too-many"):
            clauses = {one.text for one in segments(trial.said)}  # “0 or 1” is no “1 or 2?”
            usual = {skeleton for text, skeleton in self._first_sentences[trial.kind] if text in clauses}
        # A terminal also shows what is written to the error stream.
        # “Invalid” behind an allowed answer stands above the first question for a move as well: it is no part of that.
        question = "\n".join(one.text for one in segments(trial.question) if one.skeleton not in self._messages)
        return bool(trial.then.aside.strip()) or message(trial.said, question, usual)

    def second(self, trial: Trial) -> None:
        """Note that an answer was refused once, and not twice."""
        trial.twin.saw("refused")
        again = f"the program refuses {trial.text} at first, but accepts it when it is typed again"
        trial.fault("accepted-second", again, stops=True)

    def not_refused(self, trial: Trial, *, turn: bool | None = False) -> None:
        """Rule on an answer after which the game does not go on as without it; ``turn`` says that the program has moved instead.

        A message and an end, or the question for another game, are a refusal, and the same was not asked again. Whether 0 stones were
        taken, or the turn was lost, only a message tells: then ``turn`` is None.
        """
        play = trial.twin
        if play.is_cut_short:
            return
        play.saw(f"bad-{trial.kind}")
        ends = play.run.ending is not None and trial.at + 2 >= len(play.run.waits)
        # The same is said in right games where the answer was carried out, and nothing was left to play.
        usual = self._ends | self._within
        if trial.kind in (Part.STONES.value, Part.FIRST.value):
            usual |= {skeleton for _, skeleton in self._first_sentences[trial.kind]}
        refuses = self._has_message(trial) and not _skeletons([trial.said]) <= usual
        turn = refuses if turn is None else turn
        if ends and play.is_broken:
            play.broke(f"accepted-{self._broken(trial)}")
        elif turn or (refuses and (ends or play.over == trial.at + 1)):
            instead = (
                "the program moves" if turn else "the program ends" if ends else "the program asks for something else"
            )
            play.saw("refused")
            again = f"the program refuses {trial.text}, but then {instead}; it must repeat the same question"
            trial.fault("not-repeated", again, stops=True)
        else:
            trial.fault(f"accepted-{trial.kind}", f"the program accepts {trial.text}: {WHY[trial.kind]}", stops=True)

    def _broken(self, trial: Trial) -> str:
        """The kind of wrong answer that is charged where the program broke behind one.

        An error message without end comes behind any wrong move, and was charged for 3 and once more for 2 of the last stone.
        """
        ending = trial.twin.run.ending
        message = "" if ending is None else ending.message
        if trial.kind == "too-many" and message in self._breaks:
            return "take"
        self._breaks.add(message)
        return trial.kind

    def allowed(self, games: Games) -> None:
        """Look for messages of refusals at moves that are allowed, and were carried out.

        A sentence of every turn is no message. So only the ends of games can have one: “There are not that many stones”, at the last stone.
        """
        for rounds in games.values():
            for one in rounds:
                quote = next((each.text for each in segments(one.text) if each.skeleton in self._messages), None)
                if quote is not None and one.over and one.yours:
                    allowed = f"{stones(one.yours)} may be taken, but the program says “{' '.join(quote.split())}”"
                    one.fault("no-message", allowed)


def _behind(play: Play, at: int) -> str:
    """The text that a game has behind the answer at a wait."""
    return play.run.waits[at + 1].output if at + 1 < len(play.run.waits) else ""


def _skeletons(texts: Sequence[str]) -> frozenset[str]:
    return frozenset(one.skeleton for text in texts for one in segments(text))


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
        self._untrue = frozenset(self._other_places(*self._foretold(seen(plain, talk), self.player.custom)))
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
            choices = [play for play in plays if play.refused is None and self._takes_one(play)]
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
            trial = Trial("take", texts[-1], twin, at, twin.run.waits[twin.move_waits[0]].output)
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
            self._judge.refused(Trial("take", twin.typed(at), twin, at, question))
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
        for field, value in BEHIND:
            if min(refusal, other) >= WRONG:
                by = replace(rules, changes={**rules.changes, field: value})
                other = min(other, *(self._cost(game, by, way) for way in ways))
        if refusal <= other + DOUBT:
            return Goes.ALIKE if refusal < WRONG else Goes.UNREAD
        return Goes.OTHERWISE

    def _cost(self, game: Seen, rules: Custom, wrong: tuple[str, ...]) -> float:
        """The cost of a game where this comes of its wrong answers: waits and known numbers that come otherwise."""
        moments = self._foretold(game, replace(rules, wrong=wrong))[1]
        untrue = sum(place not in self._untrue for place in self._other_places(game, moments))
        # 2 let the program begin, and all answers behind it were refused as moves: numbers and waits came as if 2 had been refused.
        asked = zip(game.steps, moments, strict=False)
        others = sum(step.key in self._asked and str(now.asks) not in self._asked[step.key] for step, now in asked)
        return WRONG * (missed(game, moments) + others) + MISSED * untrue

    def _foretold(self, game: Seen, custom: Custom) -> tuple[Seen, list[Moment]]:
        """A game, and how it goes by these rules."""
        return game, list(course(custom, self.player.talk, game.answers, game.lefts))

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

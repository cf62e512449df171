"""Wrong answers to a program, and the rulings on what comes of each: it is refused with a message, or it is a fault."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from grader.games.hear.runs import Wait
from grader.games.hear.slots import segments
from grader.games.hear.truth import Goes, message
from grader.games.pile.departures import TAKE
from grader.games.pile.rounds import Games, Play, Round, stones
from grader.games.pile.talk import Part, Talk
from grader.values import dataclass

WHY = {
    Part.STONES.value: "the initial number of stones must be greater than zero",
    Part.FIRST.value: "who moves first must be zero or one",
    TAKE: "the number of stones removed must be one or two",
    "too-many": f"only {stones(1)} is left",
}
"""Why an answer is wrong, by the kind of the trial."""


SURE = 2
"""Minimum rounds with a move that show what is said behind it each time."""


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


class Judge:
    """Notes what came of wrong answers, by what right games say: before their first moves, in their rounds, and at their ends."""

    def __init__(self, games: Games, talk: Talk) -> None:
        rounds = [one for rounds_of_game in games.values() for one in rounds_of_game[1:]]
        # “Invalid” behind an allowed answer to who moves first was charged to the refusal of 0 stones as well, and shown there.
        places = {part.value: talk.place(part) for part in Part if part in talk.parts}
        self._first_sentences = {
            kind: {(one.text, one.skeleton) for play in games for one in segments(_behind(play, place))}
            for kind, place in places.items()
        }
        self._allowed = {kind: [(play, place) for play in games] for kind, place in places.items()}
        """The games with the places of their answers to each question before them. All these answers are allowed."""
        inner = [one for one in rounds if one.ours and one.ours > 0 and not one.over]
        self._within = _skeletons([one.text for one in inner])
        # A right program draws its words by lot: what it says behind one 1 is behind no other move.
        self._sometimes = frozenset[str]().union(*(_of_one_move(inner, take) for take in {one.yours for one in inner}))
        """What is said each time after one allowed move, and never after another."""
        self._misplaced: set[str] = set()
        """Messages of refusals that are said after some allowed moves as well."""
        self._ends = _skeletons([one.text for one in rounds if one.over])
        self._messages: set[str] = set()
        self.refusals: list[Trial] = []
        self._breaks: set[str] = set()
        self._minds_nothing = False
        """Whether a wrong move was carried out behind its message."""

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
        self.refusals.append(trial)
        # “That is not allowed.” behind each 1, and not behind 2: its message for -1 is right, and that for 1 is not.
        self._misplaced |= _skeletons([trial.said]) & self._sometimes - _skeletons([trial.question])
        self._within -= self._misplaced
        self._messages |= _skeletons([trial.said]) - _skeletons([trial.question]) - self._within
        if not self._has_message(trial) and not self._is_said_after_some(trial):
            lacks = f"{trial.text} is not allowed, but the program asks again without a message"
            if message(trial.said, trial.question):
                lacks = f"{trial.text} is not allowed, but the program says the same as after allowed answers"
            trial.fault("no-message", lacks)

    def _is_said_after_some(self, trial: Trial) -> bool:
        """Note that the message of a refusal also comes behind some allowed answers, and not behind others: there it is wrong."""
        # “Invalid” behind 1 as who moves first, and not behind 0: the right refusal of 2 was said to be as after both.
        said = _clauses(trial.said) - _clauses(trial.question)
        games = [
            (play, place, said <= _clauses(_behind(play, place))) for play, place in self._allowed.get(trial.kind, ())
        ]
        shown = next(((play, place) for play, place, has in games if has), None)
        if not said or shown is None or all(has for _, _, has in games):
            return False
        play, place = shown
        number = play.typed(place)
        quote = " ".join(next(one.text for one in segments(trial.said) if one.text in said).split())
        allowed = f"{number} is allowed as the number of stones, but the program says “{quote}”"
        if trial.kind == Part.FIRST.value:
            allowed = f"{number} is allowed as the answer to who moves first, but the program says “{quote}”"
        play.note(place + 2, "no-message", allowed)
        return True

    def _has_message(self, trial: Trial) -> bool:
        """Whether it says more than it had asked, and than it says after answers that are allowed.

        A program that looked for 0 and 1 by "or" said “Invalid choice.” after either, and its message for 2 passed.
        """
        usual: Collection[str] = self._within
        if trial.kind not in (TAKE, "too-many"):
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
        said = _skeletons([trial.said])
        # Behind -1 as who moves first a program moved alone to the end; its log of these moves was taken for a message.
        begun = trial.kind in self._first_sentences and said & self._within - _skeletons([trial.question])
        refuses = self._has_message(trial) and not begun and not said <= usual
        # “Invalid”, and 3 of 14 were taken: so were 2 of the last stone, and this end of the game cost ten points more.
        refuses = refuses and not (self._minds_nothing and trial.kind in (TAKE, "too-many"))
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
            self._minds_nothing |= refuses and trial.kind == TAKE
            trial.fault(f"accepted-{trial.kind}", f"the program accepts {trial.text}: {WHY[trial.kind]}", stops=True)

    def _broken(self, trial: Trial) -> str:
        """The kind of wrong answer that is charged where the program broke behind one.

        An error message without end comes behind any wrong move, and was charged for 3 and once more for 2 of the last stone.
        """
        ending = trial.twin.run.ending
        message = "" if ending is None else ending.message
        if trial.kind == "too-many" and message in self._breaks:
            return TAKE
        self._breaks.add(message)
        return trial.kind

    def allowed(self, games: Games) -> None:
        """Look for messages of refusals at moves that are allowed, and were carried out.

        A sentence of every turn is no message. So only the ends of games can have one, and turns after some moves and not after others.
        """
        for rounds in games.values():
            for one in rounds:
                messages = self._messages if one.over else self._misplaced
                quote = next((each.text for each in segments(one.text) if each.skeleton in messages), None)
                if quote is not None and one.yours:
                    allowed = f"{stones(one.yours)} may be taken, but the program says “{' '.join(quote.split())}”"
                    one.fault("no-message", allowed)
                    self._leave_unread(one)

    def _leave_unread(self, one: Round) -> None:
        """Take back the readings of messages: “You must take 1 or 2.” was read as the move of the user."""
        messages = self._messages | self._misplaced
        said = tuple(f"“{' '.join(each.text.split())}”" for each in segments(one.text) if each.skeleton in messages)
        readings = one.play.readings.get(one.turn, ())
        one.play.readings[one.turn] = tuple(reading for reading in readings if not reading.startswith(said))


def _of_one_move(rounds: Sequence[Round], take: int) -> frozenset[str]:
    """What is said in each of these rounds in which the user takes so many, and in no other."""
    own = [_skeletons([one.text]) for one in rounds if one.yours == take]
    others = [one.text for one in rounds if one.yours != take]
    return frozenset.intersection(*own) - _skeletons(others) if others and len(own) >= SURE else frozenset()


def _behind(play: Play, at: int) -> str:
    """The text that a game has behind the answer at a wait."""
    return play.run.waits[at + 1].output if at + 1 < len(play.run.waits) else ""


def _clauses(text: str) -> frozenset[str]:
    return frozenset(one.text for one in segments(text))


def _skeletons(texts: Sequence[str]) -> frozenset[str]:
    return frozenset(one.skeleton for text in texts for one in segments(text))

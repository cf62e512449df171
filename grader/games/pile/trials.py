"""Rulings on single wrong answers: what came of each, beside the same game without it."""

from __future__ import annotations

from collections.abc import Sequence

from grader.checks.ending import faulty
from grader.games.pile.ledger import Games, Ledger, stones
from grader.games.pile.play import Play
from grader.reading.slots import segments
from grader.reading.twins import Came, Goes, came, message
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Usual:
    """What right games say, as skeletons: before their first moves, in their rounds, and at their ends."""

    begun: frozenset[str]
    within: frozenset[str]
    ends: frozenset[str]

    @classmethod
    def of(cls, games: Games) -> Usual:
        """What these games say."""
        rounds = [one for played in games.values() for one in played[1:]]
        begun = [played[0].text for played in games.values()]
        within = [one.text for one in rounds if one.ours and one.ours > 0 and not one.over]
        return cls(_skeletons(begun), _skeletons(within), _skeletons([one.text for one in rounds if one.over]))


def _skeletons(texts: Sequence[str]) -> frozenset[str]:
    return frozenset(one.skeleton for text in texts for one in segments(text))


@dataclass(frozen=True, slots=True)
class Trial:
    """A wrong answer at a wait of a game, and the game without it. ``kind`` is stones, first, take or too-many."""

    kind: str
    text: str
    twin: Play
    at: int
    back: int = 0
    """So many waits before this one the question was asked when nothing was wrong yet."""

    @property
    def said(self) -> str:
        """What the program printed after it."""
        waits = self.twin.run.waits
        return waits[self.at + 1].output if self.at + 1 < len(waits) else ""

    @property
    def aside(self) -> bool:
        """Whether it wrote something to the error stream after it: a terminal shows that, too."""
        waits = self.twin.run.waits
        return self.at + 1 < len(waits) and bool(waits[self.at + 1].aside.strip())

    @property
    def question(self) -> str:
        """What it had asked."""
        return self.twin.run.waits[self.at - self.back].output


class Judge:
    """Writes down what came of wrong answers."""

    def __init__(self, ledger: Ledger, usual: Usual) -> None:
        self._ledger = ledger
        self._usual = usual
        self._messages: set[str] = set()

    def rule(self, trial: Trial, goes: Goes) -> None:
        """Rule by how the game goes on beside the one without the wrong answer."""
        if goes is Goes.ALIKE:
            self.refused(trial)
        elif goes is Goes.OTHERWISE:
            self.not_refused(trial)
        elif not trial.twin.cut_short:
            said = f"after {trial.text} it goes on in words that never come again, so that it is not clear whether it was refused"
            about = (f"accepted-{trial.kind}", "accepted-second", "not-repeated", "no-message")
            self._ledger.unread(trial.twin, trial.at + 2, said, *about)

    def refused(self, trial: Trial) -> None:
        """It was refused, and asked for again; there must be a message."""
        ledger, play, turn = self._ledger, trial.twin, trial.at + 2
        ledger.count(play, f"bad-{trial.kind}", "refused", "message")
        self._messages |= _skeletons([trial.said]) - _skeletons([trial.question]) - self._usual.within
        if not self._message(trial):
            lacks = f"after {trial.text}, which is not allowed, it asks again without a message"
            if message(trial.said, trial.question):
                lacks = f"after {trial.text}, which is not allowed, it says no more than after answers that are allowed"
            ledger.fault(play, turn, "no-message", lacks)

    def _message(self, trial: Trial) -> bool:
        """Whether it says more than it had asked, and than it says in every turn."""
        within = trial.kind in ("take", "too-many")
        return trial.aside or message(trial.said, trial.question, self._usual.within if within else ())

    def allowed(self, games: Games) -> None:
        """Look for messages of refusals at moves that are allowed, and were carried out.

        What every turn says is no message. So only the ends of games can have one: “There are not that many stones”, at the last stone.
        """
        for play, played in games.items():
            for one in played:
                quote = next((each.text for each in segments(one.text) if each.skeleton in self._messages), None)
                if quote is not None and one.over and one.yours and not one.stays:
                    message = f"{stones(one.yours)} may be taken, and yet it says “{' '.join(quote.split())}”"
                    self._ledger.fault(play, one.turn, "no-message", message)

    def second(self, trial: Trial) -> None:
        """It was refused once, and not twice."""
        message = f"{trial.text} is refused at first, and accepted when it is typed again"
        self._ledger.count(trial.twin, "refused")
        self._ledger.fault(trial.twin, trial.at + 2, "accepted-second", message, stops=True)

    def not_refused(self, trial: Trial, *, turn: bool = False) -> None:
        """The game does not go on as without it; ``turn`` says that the program has moved instead."""
        ledger, play, at = self._ledger, trial.twin, trial.at + 2
        if play.cut_short:
            return
        ledger.count(play, f"bad-{trial.kind}")
        ending = play.run.ending if trial.at + 2 >= len(play.run.waits) else None
        anew = play.over is not None and play.over == trial.at + 1 and ending is None
        found = came(
            broke=ending is not None and faulty(ending),
            ended=ending is not None,
            anew=anew,
            says=self._message(trial),
            by_rule=self._goes_by_rule(trial),
            turn=turn,
        )
        if found is Came.BROKE and ending is not None:
            ledger.fault(play, len(play.run.waits), f"accepted-{trial.kind}", ending.message)
        elif found is Came.NOT_REPEATED:
            instead = "the program moves" if turn else "the program ends" if ending else "something else is asked"
            said = f"{trial.text} is refused, and {instead}: the same request must be repeated"
            ledger.count(play, "refused")
            ledger.fault(play, at, "not-repeated", said, stops=True)
        else:
            ledger.fault(play, at, f"accepted-{trial.kind}", _why(trial), stops=True)

    def _goes_by_rule(self, trial: Trial) -> bool:
        """Whether what is said then is said in right games, too: the answer was carried out, and nothing was left to play."""
        begun = self._usual.begun if trial.kind in ("stones", "first") else frozenset()
        return {one.skeleton for one in segments(trial.said)} <= self._usual.ends | self._usual.within | begun


def _why(trial: Trial) -> str:
    what = {
        "stones": "the initial number of stones must be greater than zero",
        "first": "who moves first must be zero or one",
        "take": "the number of stones removed must be one or two",
        "too-many": f"only {stones(1)} is left",
    }[trial.kind]
    return f"{trial.text} was accepted: {what}"

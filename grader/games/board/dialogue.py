"""How a program is led through a game: which of its waits asks for a column, and how it goes on at each of the others.

What a wait means is found by what comes of answers to it: where a piece dropped in a fork lands, and whose it is, tells the position
and who moves. A wait that was met once is known by its key from then on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from grader.checks.ending import faulty
from grader.games.board.layout import Layout
from grader.games.board.position import COLUMNS, OTHER, ROWS, START, dropped, height
from grader.reading.picture import Picture
from grader.reading.runs import Answers, Run, Runs, Wait

Key = tuple[object, ...]

MOST_STEPS = 8
"""So many waits between two columns are gone through; behind that nobody knows where we are."""

MOST_ANSWERS = 24
"""So many answers are tried at a wait that is not known yet."""

ORDER = (4, 2, 3, 1, 5, 0, 6)
"""In this order columns are tried to see where we are."""

MOST_BEHIND = 12
"""So many answers are tried at a question behind which a piece may be shown."""

MOST_UNKNOWN = 60
"""So many waits are looked at so; a program that never asks in the same words would be asked for ever."""


class Spot(NamedTuple):
    """A position, and the player whose turn it is."""

    position: str
    mover: str

    def after(self, column: int) -> Spot:
        """The next one, after a piece in a column."""
        return Spot(dropped(self.position, column, self.mover), OTHER[self.mover])


@dataclass(frozen=True, slots=True)
class Role:
    """What a wait is for: a ``column``, an ``offer`` to take a move back, a ``pause``, or it is ``over``.

    ``keep`` goes on, ``undo`` takes back.
    """

    kind: str
    keep: str = ""
    undo: str | None = None


COLUMN = Role("column")
OVER = Role("over")
UNKNOWN = Role("unknown")


@dataclass(frozen=True, slots=True)
class Reached:
    """Where an answer has led: ``kind`` is ``column``, ``over``, ``ended``, ``broke`` or ``unknown``.

    ``text`` was printed since that answer, and ``boards`` are those in it. ``offer`` are the answers before the offer to take the
    move back was answered, None where none was made.
    """

    kind: str
    run: Run
    text: str
    boards: tuple[str, ...]
    offer: Answers | None = None

    @property
    def board(self) -> str | None:
        """The last board that was shown."""
        return self.boards[-1] if self.boards else None

    @property
    def answers(self) -> Answers:
        """All that was typed so far."""
        return self.run.answers


LONGEST = 4_000
"""So many characters at the end of a turn are looked at for a question."""


def masked(text: str) -> str:
    """The last line of a text that is not blank, its numbers as ``#``; of a flood no more than its end is looked at."""
    line = next((line for line in reversed(text[-LONGEST:].split("\n")) if line.strip()), "")
    return re.sub(r"\d+", "#", line.strip())[-200:]


def key_of(wait: Wait) -> Key:
    """What waits for the same thing have in common."""
    return wait.wants, wait.place, masked(wait.output)


def _aside(key: Key) -> Key:
    """A key without the place that the code returns to."""
    wants, place, line = key
    return wants, place[:1] if isinstance(place, tuple) else place, line


_OFFERED = re.compile(
    r"""[\[(<'"«“]\s*([^\W_]{1,6}|\d+)\s*[\])>'"»”]|(?<!\w)([^\W_]|\d+)(?!\w)|(?<=\s)([^\w\s])(?=[\s?,.:])"""
)
_WORDS = re.compile(r"(?<!\w)([^\W\d_]{2,6})(?!\w)")


def offered(text: str, lines: int = 4) -> list[str]:
    """The answers that a text seems to offer: short tokens of its last lines, the last line first."""
    last = [line for line in text.split("\n") if line.strip()][-lines:]
    found: dict[str, None] = {}
    for line in reversed(last):
        for match in _OFFERED.finditer(line[-200:]):
            found.setdefault(match[1] or match[2] or match[3])
    for match in _WORDS.finditer(last[-1][-200:] if last else ""):
        found.setdefault(match[1])
    return list(found)


def allowed(answers: Iterable[str], wants: str) -> list[str]:
    """Those answers that can be typed at a wait for a key, a line or a number."""
    if wants == "key":
        kept = [text[:1] or "\n" for text in answers]
    elif wants == "line":
        kept = list(answers)
    else:
        kept = [text for text in answers if re.fullmatch(r"-?\d{1,9}", text)]
    return list(dict.fromkeys(kept))


USUAL = ("n", "y", "0", "1", "N", "Y", "2", "", "no", "yes", "u", "k", "c", "U", "3", "-1", "undo", "9")


class Dialogue:
    """The waits of one program, and the way from each of its columns to the next."""

    def __init__(
        self, runs: Runs, layout: Layout, picture: Picture, labels: Sequence[str], seed: int | None = None
    ) -> None:
        self.runs = runs
        self.layout = layout
        self.picture = picture
        self.labels = tuple(labels)
        self.seed = seed
        self.roles: dict[Key, Role] = {}
        self._unknown = 0

    def run(self, answers: Sequence[str]) -> Run:
        """What comes of answers."""
        return self.runs.run(answers, self.seed)

    def boards(self, text: str) -> tuple[str, ...]:
        """The boards that a text shows."""
        return self.layout.boards(self.picture.text(text))

    def role(self, wait: Wait) -> Role:
        """What a wait is for, as far as it is known."""
        key = key_of(wait)
        known = self.roles.get(key)
        if known is None and wait.place:  # the same question, asked from another place in the code
            alike = {role for other, role in self.roles.items() if _aside(other) == _aside(key)}
            known = alike.pop() if len(alike) == 1 else None
        return known or UNKNOWN

    def drop(self, answers: Answers, spot: Spot, column: int, *, back: bool = False) -> Reached:
        """Type a column, and go on to where the next one is asked for; ``back`` takes the move back where that is offered."""
        return self.settle((*answers, self.labels[column]), spot, column, back=back)

    def settle(
        self, answers: Answers, spot: Spot, column: int | None, *, back: bool = False, also: Spot | None = None
    ) -> Reached:
        """Go on from the last answer to the next wait for a column.

        ``spot`` is what was before it, ``column`` what it dropped, and ``also`` what else may come of it.
        """
        texts = ""
        boards: tuple[str, ...] = ()
        offer: Answers | None = None
        for _ in range(MOST_STEPS):
            run = self.run(answers)
            texts = f"{texts}\n{run.output}" if texts else run.output
            boards = (*boards, *self.boards(run.output))
            if run.ending is not None:
                return Reached("broke" if faulty(run.ending) else "ended", run, texts, boards, offer)
            role = self.role(run.last)
            if role is UNKNOWN:
                role = self._learned(run, spot, column, also)
            if role.kind == "offer" and back and role.undo is None and offer is None:
                role = self._learned(run, spot, column) if self._unknown < MOST_UNKNOWN else role
            if role.kind in ("column", "over", "unknown"):
                return Reached(role.kind, run, texts, boards, offer)
            if role.kind == "offer" and offer is None and role.undo is not None:
                offer = answers
                answers = (*answers, role.undo if back else role.keep)
            else:
                answers = (*answers, role.keep)
        return Reached("unknown", run, texts, boards, offer)

    def situation(self, answers: Answers, candidates: Sequence[Spot]) -> Spot | None:
        """Which of these positions and players it is, by a piece that is dropped aside; None where it is none of them.

        An empty board is always a candidate: a new game.
        """
        every = (*candidates, Spot(START, "A"))
        for column in self._free(every)[:2]:  # a program may confuse a column
            found, over = self._seen_by(answers, column, every)
            if found is not None or over:
                return found
        return None

    def _seen_by(self, answers: Answers, column: int, candidates: Sequence[Spot]) -> tuple[Spot | None, bool]:
        """The situation that a piece in this column shows, and whether another column would show no more."""
        typed = (*answers, self.labels[column])
        for _ in range(3):
            run = self.run(typed)
            found = self._shown_by(run, column, candidates)
            if found is not None:
                return found, True
            if run.ending is not None:
                return None, not self.boards(run.output)
            role = self.role(run.last)
            if role is UNKNOWN and key_of(run.last) != key_of(run.waits[len(answers)]):
                return self._behind_unknown(run, column, candidates), True
            if role.kind not in ("offer", "pause"):
                return None, False
            typed = (*typed, role.keep)
        return None, False

    def _shown_by(self, run: Run, column: int, candidates: Sequence[Spot]) -> Spot | None:
        """The candidate that a board behind a piece in a column shows."""
        for board in reversed(self.boards(run.output)[-2:]):
            for candidate in candidates:
                for player in "AB":
                    if dropped(candidate.position, column, player) == board:
                        return Spot(candidate.position, player)
        return None

    def _behind_unknown(self, run: Run, column: int, candidates: Sequence[Spot]) -> Spot | None:
        """The candidate that is shown behind a question that was not met before: some show a piece only once it is kept."""
        for text in allowed((*offered(run.output)[:6], *USUAL[:8]), run.last.wants)[:MOST_BEHIND]:
            found = self._shown_by(self.run((*run.answers, text)), column, candidates)
            if found is not None:
                return found
        return None

    @staticmethod
    def _free(spots: Sequence[Spot]) -> list[int]:
        """Columns whose piece cannot be mistaken: not full, and equally high in all positions, so that none is another's next."""
        heights = [[height(one.position, c) for one in spots if one.position != START] for c in range(COLUMNS)]
        equal = [c for c in ORDER if not heights[c] or (len(set(heights[c])) == 1 and heights[c][0] < ROWS)]
        free = [c for c in ORDER if c not in equal and max(heights[c]) < ROWS]
        return [*equal, *free]

    def _learned(self, run: Run, spot: Spot, column: int | None, also: Spot | None = None) -> Role:
        """What a wait is for that was not met before."""
        key = key_of(run.last)
        if self._unknown >= MOST_UNKNOWN:
            return UNKNOWN
        self._unknown += 1
        known = self.roles.get(key)
        if known is None:
            found = self.situation(run.answers, [*self._may_be(spot, column), *([also] if also else [])])
            if found is not None:
                self.roles[key] = COLUMN
                return COLUMN
        role = self._by_answers(run, spot, column, key)
        if role is UNKNOWN and known is None:
            return UNKNOWN
        self.roles[key] = role if known is None or role.undo is not None else known
        return self.roles[key]

    @staticmethod
    def _may_be(spot: Spot, column: int | None) -> list[Spot]:
        candidates = [spot]
        if column is not None and height(spot.position, column) < ROWS:
            candidates.insert(0, spot.after(column))
        return candidates

    def _by_answers(self, run: Run, spot: Spot, column: int | None, key: Key) -> Role:
        """The role of a wait by what comes of answers to it: one goes on, another may take back."""
        candidates = self._may_be(spot, column)
        came: dict[str, Spot] = {}
        wants = run.last.wants
        tried = allowed((*offered(run.output), *USUAL), wants)[:MOST_ANSWERS]
        for text in tried:  # a board may be shown behind the same question alone: first what goes on is looked for
            self.roles[key] = Role("pause", text)
            found = self._came(run, text, key, candidates)
            if found is not None:
                came[text] = found
                if found == candidates[0]:
                    break
        else:
            self.roles.pop(key, None)
            return self._role(came, spot, candidates[0])
        for text in tried:
            found = None if text in came else self._came(run, text, key, candidates)
            if found is not None:
                came[text] = found
            if any(one != candidates[0] for one in came.values()):
                break
        self.roles.pop(key, None)
        return self._role(came, spot, candidates[0])

    def _came(self, run: Run, text: str, key: Key, candidates: Sequence[Spot]) -> Spot | None:
        """What comes of an answer at a wait; None where it ends, asks the same again, or cannot be told."""
        after = self.run((*run.answers, text))
        if after.ending is not None or key_of(after.last) == key:
            return None
        found = self.situation(after.answers, candidates)
        if found is None and self.role(after.last) is UNKNOWN and run.last.wants != "line":
            found = self._behind(after, candidates)
        return found

    def _behind(self, run: Run, candidates: Sequence[Spot]) -> Spot | None:
        """The situation behind a pause that follows an answer."""
        for text in allowed(("", "y", "1", "0"), run.last.wants)[:2]:
            found = self.situation((*run.answers, text), candidates)
            if found is not None:
                return found
        return None

    @staticmethod
    def _role(came: dict[str, Spot], spot: Spot, after: Spot) -> Role:
        def first(*spots: Spot) -> str | None:
            return next((text for text, found in came.items() if found in spots), None)

        keep = first(after)
        if spot == after:  # nothing was dropped: whatever goes on
            return Role("pause", keep) if keep is not None else OVER
        undo = first(spot, Spot(spot.position, OTHER[spot.mover]), Spot(after.position, spot.mover))
        if keep is None and undo is not None:
            return (
                UNKNOWN  # this move is not carried out as it should be: what the question is for another one will tell
            )
        if keep is None:
            return OVER
        return Role("offer", keep, undo)

"""How a program is led through a game: which of its waits asks for a move, and how it goes on at each of the others.

What a wait means is found by what comes of answers to it: where a piece dropped in a fork lands, and whose it is, tells the position
and who moves. A wait that was met once is known by its key from then on.
"""

from __future__ import annotations

from collections.abc import Sequence

from grader.checks.ending import faulty
from grader.games.board.asked import UNKNOWN, Role
from grader.games.board.roles import MOST_UNKNOWN, Roles
from grader.games.board.rules import Spot
from grader.games.board.talk import Talk
from grader.games.learn.way import key_of
from grader.reading.runs import Answers, Run
from grader.values import dataclass

MOST_STEPS = 8
"""Maximum waits between two moves; behind that nobody knows where we are."""


SHORTER = 10
"""Minimum number of boards that are right in games that end too early: a program that ends by three in a line shows five of each."""


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


@dataclass(eq=False)
class Dialogue(Talk):
    """The way of one program from each of its moves to the next."""

    def __post_init__(self) -> None:
        self._roles = Roles(self)

    def drop(self, answers: Answers, spot: Spot, move: int, *, back: bool = False) -> Reached:
        """Type a move, and go on to where the next one is asked for; ``back`` takes it back where that is offered."""
        return self.settle((*answers, *self.labels[move]), spot, move, back=back)

    def settle(
        self, answers: Answers, spot: Spot, move: int | None, *, back: bool = False, also: Spot | None = None
    ) -> Reached:
        """Go on from the last answer to the next wait for a move.

        ``spot`` is what was before it, ``move`` the one that it made, and ``also`` what else may come of it.
        """
        texts = ""
        boards: tuple[str, ...] = ()
        offer: Answers | None = None
        for _ in range(MOST_STEPS):
            run = self.run(answers)
            texts = f"{texts}\n{run.output}" if texts else run.output
            boards = (*boards, *self.boards(run.last))
            if run.ending is not None:
                return Reached("broke" if faulty(run.ending) else "ended", run, texts, boards, offer)
            role = self.role(run.last)
            if role is UNKNOWN:
                role = self._roles.learned(run, spot, move, also)
            if role.kind == "offer" and back and role.undo is None and offer is None:
                role = self._roles.learned(run, spot, move) if self._roles.met < MOST_UNKNOWN else role
            if role.kind in ("column", "over", "unknown"):
                return Reached(role.kind, run, texts, boards, offer)
            if role.kind == "offer" and offer is None and role.undo is not None:
                offer = answers
                answers = (*answers, role.undo if back else role.keep)
            else:
                answers = (*answers, role.keep)
        return Reached("unknown", run, texts, boards, offer)


@dataclass(frozen=True, slots=True)
class Opening:
    """The answers that lead to the first move, how moves are called, and the dialogue from there on."""

    answers: Answers
    name: str
    dialogue: Dialogue
    beginner: str


def known_game(dialogue: Dialogue, answers: Answers) -> str | None:
    """Who begins, where a known game is read as it was played; a program with one faulty column passes.

    So does one whose known games all end or break before that, if enough is read in them: how they end is judged later.
    """
    rules = dialogue.rules
    begun = _read(dialogue, answers, rules.known_game)
    if begun.read >= rules.read:
        return begun.beginner
    others = [_read(dialogue, answers, moves) for moves in rules.trials] if begun.is_sound else []
    enough = begun.read + sum(one.read for one in others) >= SHORTER
    return begun.beginner if enough and all(one.is_sound for one in others) else None


@dataclass(frozen=True, slots=True)
class _Known:
    """A known game as it was read: who began, the number of boards that were right, and whether all were, up to its end."""

    beginner: str | None
    read: int
    is_sound: bool


def _read(dialogue: Dialogue, answers: Answers, moves: Sequence[int]) -> _Known:
    rules, read = dialogue.rules, 0
    beginner: str | None = None
    spot = Spot(rules.start, "A")
    for number, move in enumerate(moves):
        _note_parts(dialogue, answers)  # for each player: the question may name him
        reached = dialogue.drop(answers, spot, move)
        if not number:
            beginner = next((one for one in "AB" if rules.dropped(rules.start, move, one) == reached.board), None)
            if beginner is None:
                return _Known(None, 0, False)
            spot = Spot(rules.start, beginner)
        after = rules.after(spot, move)
        if reached.board == after.position and reached.kind in ("ended", "broke"):
            return _Known(beginner, read + 1, read == number)
        if reached.board == after.position and reached.kind == "column":
            read += 1
            spot, answers = after, reached.answers
    return _Known(beginner, read, read == len(moves))


def _note_parts(dialogue: Dialogue, answers: Answers) -> None:
    """Note the waits for the further answers of a move, such as the column behind the row: a wrong row may be refused behind both."""
    label = dialogue.labels[dialogue.rules.known_game[0]]
    question = key_of(dialogue.run(answers).last)
    for number in range(1, len(label)):
        part = dialogue.run((*answers, *label[:number])).last
        if part.ending is None and key_of(part) != question:
            dialogue.roles[key_of(part)] = Role("part", label[number])

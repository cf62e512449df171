"""How a program is led through a game: which of its waits asks for a move, and how it goes on at each of the others.

What a wait means is found by what comes of answers to it: where a piece dropped in a fork lands, and whose it is, tells the position
and who moves. A wait that was met once is known by its key from then on.
"""

from __future__ import annotations

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
    """Who begins, where a known game is read as it was played; a program with one faulty column passes."""
    rules = dialogue.rules
    beginner = None
    read = 0
    spot: Spot | None = None
    for move in rules.known_game:
        _note_parts(dialogue, answers)  # for each player: the question may name him
        if spot is None:
            reached = dialogue.drop(answers, Spot(rules.start, "A"), move)
            beginner = next((one for one in "AB" if rules.dropped(rules.start, move, one) == reached.board), None)
            if beginner is None:
                return None
            spot = Spot(rules.start, beginner)
        else:
            reached = dialogue.drop(answers, spot, move)
        after = rules.after(spot, move)
        if reached.board == after.position and reached.kind == "column":
            read += 1
            spot, answers = after, reached.answers
    return beginner if read >= rules.read else None


def _note_parts(dialogue: Dialogue, answers: Answers) -> None:
    """Note the waits for the further answers of a move, such as the column behind the row: a wrong row may be refused behind both."""
    label = dialogue.labels[dialogue.rules.known_game[0]]
    question = key_of(dialogue.run(answers).last)
    for number in range(1, len(label)):
        part = dialogue.run((*answers, *label[:number])).last
        if part.ending is None and key_of(part) != question:
            dialogue.roles[key_of(part)] = Role("part", label[number])

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
    """The answers that lead to the first move, how moves are called, and the dialogue from there on.

    ``early`` says that the program ends or breaks before the known game is over, so that it was read from the beginnings of several.
    """

    answers: Answers
    name: str
    dialogue: Dialogue
    beginner: str
    early: bool = False


FEWEST_BOARDS, MOST_UNSOUND = 12, 2
"""Of seven short games: the fewest boards that must be right in all, and the most games that may be read in another way.

A role that only looked like the end of a game was charged untruly in four of five programs with fewer boards.
"""


def known_game(dialogue: Dialogue, answers: Answers) -> tuple[str, bool] | None:
    """Who begins, and whether the game ends early, where a known game is read as it was played; a program with one faulty column passes.

    One that ends or breaks on the way is read from the beginnings of such games, with all columns moved on by one from game to game.
    """
    rules = dialogue.rules
    game = _played(dialogue, answers, rules.known_game)
    if game.beginner and game.read - game.ends >= rules.read:
        return game.beginner, False
    if not game.ends or not rules.falls:
        return None
    moved = [tuple((move + by) % rules.columns for move in rules.known_game) for by in range(1, rules.columns)]
    games = [game, *(_played(dialogue, answers, moves) for moves in moved)]
    read, unsound = sum(one.read for one in games), sum(not one.sound for one in games)
    beginners = {one.beginner for one in games if one.sound and one.beginner}
    if read < FEWEST_BOARDS or unsound > MOST_UNSOUND or len(beginners) != 1:
        return None
    return beginners.pop(), True


@dataclass(frozen=True, slots=True)
class _Known:
    """A known game as it was read: the number of boards that were right, and whether the program ended or broke before the last move.

    It is ``sound`` where nothing else was seen in it.
    """

    beginner: str = ""
    read: int = 0
    ends: bool = False
    sound: bool = False


def _played(dialogue: Dialogue, answers: Answers, moves: Sequence[int]) -> _Known:
    rules, beginner, read = dialogue.rules, "", 0
    spot: Spot | None = None
    for number, move in enumerate(moves):
        _note_parts(dialogue, answers)  # for each player: the question may name him
        before = spot or Spot(rules.start, "A")
        reached = dialogue.drop(answers, before, move)
        if spot is None:
            beginner = next((one for one in "AB" if rules.dropped(rules.start, move, one) == reached.board), "")
            spot = before = Spot(rules.start, beginner or "A")
        ends = reached.kind in ("ended", "broke")
        if not beginner:
            return _Known(ends=ends, sound=ends and reached.board is None)
        after = rules.after(before, move)
        read += reached.board == after.position and (ends or reached.kind == "column")
        if ends:
            return _Known(beginner, read, ends=True, sound=read == number + (reached.board is not None))
        if reached.board == after.position and reached.kind == "column":
            spot, answers = after, reached.answers
    return _Known(beginner, read, sound=read == len(moves))


def _note_parts(dialogue: Dialogue, answers: Answers) -> None:
    """Note the waits for the further answers of a move, such as the column behind the row: a wrong row may be refused behind both."""
    label = dialogue.labels[dialogue.rules.known_game[0]]
    question = key_of(dialogue.run(answers).last)
    for number in range(1, len(label)):
        part = dialogue.run((*answers, *label[:number])).last
        if part.ending is None and key_of(part) != question:
            dialogue.roles[key_of(part)] = Role("part", label[number])

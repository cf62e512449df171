"""Games that are another one: a board of another size, or moves by chance. They are refused in a sentence, and nothing of them is judged.

If a program ends its games with three or five in a line, it plays this game with one wrong rule. It is judged, and a note says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from grader.games.board.dialogue import Dialogue, Opening
from grader.games.board.layout import Layout
from grader.games.board.memory import MemoryLayout
from grader.games.board.rules import EMPTY, OTHER, Spot
from grader.games.families.fourinarow.rules import COLUMNS, ROWS, RULES
from grader.games.hear.runs import Answers, Run
from grader.games.learn.questions import allowed

ACROSS = (2, 2, 3, 3, 4, 4, 1, 1, 5)
"""The first player has two in a line with the third piece, three with the fifth, four with the seventh, five with the ninth; across, and upwards."""
# A program that counted the unlike cells at both ends of a line ended with two pieces inside, and with three at the edge.

UPWARDS = (0, 6, 0, 5, 0, 6, 0, 5, 0)

LENGTHS = {3: "two", 5: "three", 9: "five"}
"""So many pieces complete a line of another length than four."""

SEEDS = (1, 2, 3, 4)
"""Random numbers with which the same moves must lead to the same boards: else the program moves by chance."""


def variant(opening: Opening) -> str:
    """A sentence that this is another game, and why; empty if it is not known to be one."""
    # Larger boards were charged for ties; a forced first move earned nothing, as if no piece fell.
    why = _size(opening) or _chance(opening)
    return f"it plays a different game than four in a row: {why}" if why else ""


def _size(opening: Opening) -> str:
    talk, answers = opening.dialogue, opening.answers
    empty = _sign(talk, talk.run(answers), talk.run(answers), COLUMNS - 1, 0)
    usual = _sign(talk, talk.run(answers), talk.run(answers), 0, 0)
    narrow = empty is not None and not empty.strip() and usual and usual.strip()
    if narrow and not _passes(opening, COLUMNS - 1):
        return f"its board has fewer than {COLUMNS} columns"
    known = talk.run((*answers, *talk.labels[0]))
    for label, column in _beside(talk):
        if _lies(talk, known, talk.run((*answers, label)), RULES.start, (column, 0)):
            return f"its board has more than {COLUMNS} columns"
    *_, (spot, reached) = talk.played(answers, Spot(RULES.start, opening.beginner), (0,) * ROWS)
    if reached.kind != "column":
        return ""
    above = talk.run((*reached.answers, *talk.labels[0]))
    return f"its columns take more than {ROWS} pieces" if _lies(talk, known, above, spot.position, (0, ROWS)) else ""


def _passes(opening: Opening, column: int) -> bool:
    """Whether the program takes a column that it does not show: it is the other player's turn then, and the drawing is wrong."""
    talk = opening.dialogue
    now = talk.situation((*opening.answers, *talk.labels[column]), ())
    return now is not None and now.mover != opening.beginner


def _sign(talk: Dialogue, known: Run, run: Run, column: int, row: int) -> str | None:
    """The text in place of a cell beside the board, by a run that is ``known`` to show a board in the same place."""
    if not isinstance(talk.layout, Layout):
        return None
    return talk.layout.beyond(talk.picture.text(known.output), talk.picture.text(run.output), column, row)


def _lies(talk: Dialogue, known: Run, run: Run, position: str, beside: tuple[int, int]) -> bool:
    """Whether a piece lies in a cell beside the board, and on the board all is as it should be."""
    column, row = beside
    if run.ending is not None:
        return False
    if isinstance(talk.layout, MemoryLayout):
        # The marks of the players may stand just behind the board: a piece is what was not there before.
        before, now = (talk.layout.beside(one.last, column, row) for one in (known, run))
        return now in tuple(OTHER) and now != before
    if _sign(talk, known, run, column, row) not in talk.layout.marks:
        return False
    signs = [_sign(talk, known, run, *divmod(n, ROWS)) for n in range(len(position))]
    players = talk.layout.marks
    due = zip(signs, position, talk.layout.empties, strict=True)
    return all(players.get(sign or "") == player or (player == EMPTY and sign == empty) for sign, player, empty in due)


def _beside(talk: Dialogue) -> list[tuple[str, int]]:
    """How the columns beside the first and the last one would be typed."""
    first, last = talk.labels[0][0], talk.labels[-1][0]
    if first.isdigit() and last.isdigit():
        names = [(str(int(first) - 1), -1), (str(int(last) + 1), COLUMNS)]
    else:
        names = [(chr(ord(last[0]) + 1), COLUMNS)]
    wants = talk.run(()).waits[0].wants
    return [(name, column) for name, column in names if allowed([name], wants) == [name] or wants != "key"]


def other_line(opening: Opening) -> str:
    """A sentence that games end with fewer or more than four in a line; empty if they do not, both across and upwards."""
    lengths = {_ends_at(opening, columns) for columns in (ACROSS, UPWARDS)}
    length = LENGTHS.get(lengths.pop()) if len(lengths) == 1 else None
    return f"its games end with {length} in a line, and not with four" if length else ""


def _ends_at(opening: Opening, columns: Sequence[int]) -> int:
    """After so many pieces a game ends; 0 if it does not, or its board is not as it should be."""
    start = Spot(RULES.start, opening.beginner)
    for number, (spot, reached) in enumerate(opening.dialogue.played(opening.answers, start, columns), start=1):
        if reached.kind in ("ended", "over"):
            return number
        if reached.kind != "column" or reached.board not in (None, spot.position):
            return 0
    return 0


def _chance(opening: Opening) -> str:
    """Whether pieces of the same columns lie in other cells when other random numbers are drawn; who begins may be another."""
    dialogue = opening.dialogue
    boards = _boards(dialogue, opening.answers)
    for seed in SEEDS:
        with dialogue.seeded(seed):
            again = _boards(dialogue, opening.answers)
        if any(None not in (one, two) and one != two for one, two in zip(boards, again, strict=False)):
            return "the effect of a column depends on chance"
    return ""


def _boards(dialogue: Dialogue, answers: Answers) -> list[str | None]:
    """The boards of the known game, with all pieces as those of one player: one with a wrong mark is a fault, and no other game."""
    spot: Spot | None = None
    boards: list[str | None] = []
    for column in RULES.known_game:
        reached = dialogue.drop(answers, spot or Spot(RULES.start, "A"), column)
        if spot is None:
            mover = next((one for one in OTHER if RULES.dropped(RULES.start, column, one) == reached.board), None)
            if mover is None:
                return boards
            spot = Spot(RULES.start, mover)
        boards.append(reached.board and reached.board.replace("B", "A"))
        if reached.kind != "column":
            break
        answers, spot = reached.answers, RULES.after(spot, column)
    return boards

"""Programs whose pieces lie wrongly by no rule that we know: only the board is charged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from grader.games.board.corrections import Corrections
from grader.games.board.departing import SURE
from grader.games.board.dialogue import Dialogue, Opening
from grader.games.board.ends import Account
from grader.games.board.grid_search import first_moves, grids, run_behind
from grader.games.board.layout import Layout
from grader.games.board.rules import EMPTY, Labels, Moves, Rules, Spot
from grader.games.board.starting import started_in_words
from grader.games.follow.following import Followed
from grader.games.hear.picture import Picture
from grader.games.hear.runs import Answers, Run, Runs, SpentError
from grader.games.learn.way import with_names
from grader.games.referee import Tables


def misplaced(rules: Rules, tables: Tables, runs: Runs, corrections: Corrections) -> tuple[Followed, ...] | None:
    """The games of a program whose pieces lie wrongly by no rule that we know; None if that was not seen, or nothing falls.

    Its pieces float, those of different moves lie in the same cell, or those of the second player are not shown.
    Only the board is charged.
    """
    if not rules.falls:
        return None
    first = [moves for some in first_moves(rules) for moves in some]
    try:
        for answers, name, labels, layout, picture in grids(rules, runs, corrections):
            look = partial(_boards, rules, runs, answers, labels, layout, picture)
            samples = list(look(first))
            wrong = _wrong(rules, samples) if len(samples) == len(first) else []
            right = Counter(len(moves) for moves, _, board, due in samples if board == due)
            # If pieces side by side lie where they should, the labels are right: another board behind others is wrong.
            if len(samples) == len(first) and right[1] == rules.columns and right[2] >= rules.fits:
                samples += look(_later_moves(rules))
                wrong = [one for one in samples if one[2] != one[3]]
            if len(wrong) >= SURE:
                dialogue = Dialogue(rules, runs, layout, picture, labels, corrections)
                opening = Opening(with_names(runs, answers), name, dialogue, "A")
                return _games_with_charge(opening, tables, samples, wrong[0])
    except SpentError:
        pass
    return None


_Seen = tuple[Moves, Run, str, str]
"""Moves that were typed, the run behind them, the board there, and the one that is due."""


def _wrong(rules: Rules, samples: Sequence[_Seen]) -> list[_Seen]:
    """The samples whose boards are wrong whichever columns the labels mean: pieces lie alike, float, or are too many."""
    singles = [one for one in samples if len(one[0]) == 1]
    alone = Counter(board for _, _, board, _ in singles)
    hangs = all(board[rules.rows - 1 :: rules.rows].strip(EMPTY) for board in alone)
    mostly = 2 * sum(board == due for *_, board, due in singles) > len(singles)
    return [
        one
        for one in samples
        # Another first piece is the same board, or nothing more came of the second one.
        if one[2] != one[3]
        and (
            alone[one[2]] > (len(one[0]) == 1)
            or (rules.floats(one[2]) and not hangs)
            or (mostly and _pieces(one[2]) > len(one[0]))
        )
    ]


def _pieces(board: str) -> int:
    return len(board) - board.count(EMPTY)


def _boards(
    rules: Rules, runs: Runs, answers: Answers, labels: Labels, layout: Layout, picture: Picture, games: Sequence[Moves]
) -> Iterator[_Seen]:
    """The boards behind the moves of short games, where so many pieces lie or more, or fewer though both players had their turns.

    Nothing is yielded if a piece lies on the board before the first move: the answer that dropped it is a move of the game.
    """
    # If the pieces of the second player are not shown, all first pieces behind that answer look alike.
    if any(board.strip(EMPTY) for board in layout.boards(picture.text(runs.run(answers).output))[-1:]):
        return

    def asked(moves: Moves) -> str:
        return _behind_board(run_behind(runs, answers, labels, moves, to_question=True), layout, picture)

    question = asked(())
    for moves in games:
        run = run_behind(runs, answers, labels, moves)
        boards = layout.boards(picture.text(run.output))
        # A refused piece lies nowhere either: then the same player is asked again.
        others = asked(moves[:1]) != question
        passed = others and (len(moves) == 1 or asked(moves) == question)
        if boards and (passed or _pieces(boards[-1]) >= len(moves)):
            yield moves, run, boards[-1], rules.after(Spot(rules.start, "A"), *moves).position


def _behind_board(run: Run, layout: Layout, picture: Picture) -> str:
    """The text behind the last board: “Player 1” may stand in another line than the question for a column, or at a pause before it."""
    last, *before = (picture.text(turn) for turn in run.turns[:-3:-1])
    text = last if layout.boards(last) or not any(map(layout.boards, before)) else "".join((*before, last))
    return text[max((found.end() for found in layout.pattern.finditer(text)), default=0) :]


def _games_with_charge(
    opening: Opening, tables: Tables, samples: Sequence[_Seen], wrong: _Seen
) -> tuple[Followed, ...]:
    rules, labels = opening.dialogue.rules, opening.dialogue.labels
    account = Account(partial(rules.drawn, labels=labels, signs=opening.dialogue.signs))
    for moves, run, *_ in samples:
        account.begin(run).saw(*(("move", "moved") * len(moves)))
    moves, run, board, due = wrong
    game = account.begin(run)
    message = rules.words.other_board.format(move=" ".join(labels[moves[-1]]))
    game.fault("wrong-board", f"{message}: {rules.difference(due, board, labels)}", run, position=due)
    with account.as_far_as_runs_go(opening.dialogue.runs):
        started_in_words(opening, account)
    account.leave(game, {kind: names for kind, names in tables.occasions_of.items() if kind != "wrong-board"})
    return account.followed()


def _later_moves(rules: Rules) -> list[Moves]:
    """Two moves into the same column, and two from right to left."""
    one = [rules.stack(column, 1) for column in range(rules.columns)]
    left = [(*first, *other) for first, other in zip(one, (*one[-1:], *one[:-1]), strict=True)]
    return [*(rules.stack(column, 2) for column in range(rules.columns)), *left]

"""From the start of a program to its first question for a column: names, menus, pauses and marks are gone through by search.

That a wait asks for a column is seen by seven futures, one for each: they differ where the piece lies. Nothing is known of words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from grader.games.board.corrections import Corrections
from grader.games.board.dialogue import Dialogue, Opening, Role
from grader.games.board.labels import labels_at
from grader.games.board.layout import Futures, families, layout
from grader.games.board.memory import Future, MemoryLayout, Pages, falls, memory_layout, pages
from grader.games.board.rules import Labels, Rules, Spot
from grader.games.hear.picture import Picture
from grader.games.hear.runs import Answers, Run, Runs
from grader.games.learn.questions import GOES_ON, allowed, last_line, mentioned
from grader.games.learn.way import SIMULATED, key_of, ways, with_names
from grader.values import dataclass

MOST_RUNS = 1_500
"""So many runs are made to find a board; of 120 programs in many wordings none took more than half of them."""


MOST_IN_MEMORY = 20
"""Maximum waits behind which pieces are looked for in memory, which takes longer than to look at a text."""


class UnreadError(Exception):
    """The program could not be read; the message is a sentence."""


def opened(rules: Rules, runs: Runs, corrections: Corrections | None = None) -> Opening:
    """The opening of a program, as far as the ``corrections`` set it. Raises UnreadError, and SpentError if no further run is made."""
    corrections = corrections or Corrections()
    try:
        return _opened(rules, runs, corrections)
    except UnreadError:
        painted = None if corrections.marks else opening_in_memory(rules, runs, corrections)
        if painted is not None:
            return painted
        parts = {"opening": corrections.opening, f"{rules.words.noun}s": corrections.labels, "marks": corrections.marks}
        keys = [key for key, part in parts.items() if part is not None]
        for key in keys:
            corrections.refuse(key, rules.words.no_board_so)
        if not keys:
            raise
    return _opened(rules, runs, replace(corrections, opening=None, labels=None, marks=None))


def _opened(rules: Rules, runs: Runs, corrections: Corrections) -> Opening:
    count, early = 0, None
    last = runs.number + MOST_RUNS  # a program is read once more with what staff have set
    for answers, run, follows in looked_at(runs, corrections):
        count += not follows
        for picture in (Picture(), Picture(words=True)):
            opening = _question(rules, runs, answers, run, picture, corrections, follows)
            if opening is not None:
                variant = with_names(runs, answers) if corrections.opening is None else answers
                again = variant != answers and _question(
                    rules, runs, variant, runs.run(variant), picture, corrections, follows
                )
                opening = again or opening
                if not opening.early or runs.hung:  # few runs may hang: they are needed for its games
                    return opening
                early = early or opening
        if runs.number > last:
            break
    if early is not None:
        return early
    raise UnreadError(rules.words.no_question.format(waits=count) if count >= SIMULATED.waits else rules.words.no_board)


def looked_at(runs: Runs, corrections: Corrections) -> Iterator[tuple[Answers, Run, bool]]:
    """The waits that may ask for the first column, as ``ways`` has them: the one that was given, else all."""
    if corrections.opening is None:
        yield from ways(runs, SIMULATED)
        return
    run = runs.run(corrections.opening)
    if run.ending is None:
        yield corrections.opening, run, False
        yield corrections.opening, run, True


def _question(
    rules: Rules, runs: Runs, answers: Answers, run: Run, picture: Picture, corrections: Corrections, follows: bool
) -> Opening | None:
    """The opening, where this wait asks for a column."""
    fitting = []
    for name, labels in labels_at(rules, runs, run, corrections.labels).items():
        futures = [runs.run((*answers, *label)) for label in _lowest(rules, labels)]
        if sum(one.ending is None for one in futures) >= rules.fits:
            fitting.append((name, labels, futures))
    early = None
    for follow in _follows(rules, run, fitting) if follows else (None,):
        ranked = []
        for name, labels, futures in fitting:
            behind = futures
            if follow is not None:
                behind = [
                    one if label == (follow,) or one.ending is not None else runs.run((*one.answers, follow))
                    for label, one in zip(_lowest(rules, labels), futures, strict=True)
                ]
            grids = _grids(rules, behind, picture, len(answers) + len(labels[0]) - 1)
            fits = max((one.fits for one in families(grids, rules.fits)), default=0)
            if fits:
                fits += (follow,) in labels  # this one future was left out
                ranked.append((fits, _Try(answers, name, labels, follow), grids, behind))
        for _, trial, grids, behind in sorted(ranked, key=lambda one: -one[0]):
            opening = _mapped(rules, runs, trial, grids, behind, picture, corrections)
            if opening is not None and not opening.early:
                return opening
            early = early or opening
    return early


def _lowest(rules: Rules, labels: Labels) -> list[Answers]:
    """The labels of the moves into the lowest cell of each column."""
    return [labels[rules.stack(column, 1)[0]] for column in range(rules.columns)]


def _since(run: Run, number: int) -> str:
    """The output since so many answers; an answer ends a line, as on a terminal."""
    # “Cell 5, are you sure (y/n)? ” and the first row of the board stood in one line, and no board was found.
    return "\n".join(run.turns[number + 1 :])


def _grids(rules: Rules, runs: Sequence[Run], picture: Picture, number: int) -> list[list[str]]:
    """The lines of each run since so many answers; none of one that ended, where enough do not: a result stands below its board."""
    waiting = [one for one in runs if one.ending is None]
    shown = waiting if len(waiting) >= rules.fits else runs
    return [picture.lines(_since(one, number)) if one in shown else [] for one in runs]


def _follows(rules: Rules, run: Run, fitting: Sequence[tuple[str, Labels, Sequence[Run]]]) -> list[str]:
    """The answers behind a column, before its piece is seen, if most columns lead to another question."""
    if not fitting:
        return []
    _, _, futures = fitting[0]
    waiting = [one for one in futures if one.ending is None]
    kinds = Counter(key_of(one.last) for one in waiting)
    if not waiting or kinds.most_common(1)[0][1] < rules.fits or kinds.most_common(1)[0][0] == key_of(run.last):
        return []
    one = waiting[len(waiting) // 2]
    return onward(one)


def onward(run: Run) -> list[str]:
    """Answers to try at a question between two columns."""
    return allowed((*mentioned(run.output)[:5], *GOES_ON), run.last.wants)[:10]


@dataclass(frozen=True, slots=True)
class _Try:
    """One way that a column might be typed: the answers before it, its labels, and the answers until its piece is seen."""

    answers: Answers
    name: str
    labels: Labels
    follow: str | None


def _mapped(
    rules: Rules,
    runs: Runs,
    trial: _Try,
    grids: Sequence[Sequence[str]],
    futures: Sequence[Run],
    picture: Picture,
    corrections: Corrections,
) -> Opening | None:
    """The opening by two pieces in each column, where a known game is read as it was played."""
    answers, labels, follow = trial.answers, trial.labels, trial.follow
    tail = () if follow is None else (follow,)

    def may_be(one: str, two: str) -> bool:
        return corrections.marks is None or {picture.shown(one), picture.shown(two)} == set(corrections.marks)

    for between in ((), ("",), ("n",), ("0",)):
        if between and follow is not None:
            break
        if between == ("",) and any(one.ending is None and one.last.wants == "key" for one in futures):
            continue  # Enter is no key; another one may be any key before the next turn
        second, before = [], 0
        for column in range(rules.columns):
            low, high = (labels[move] for move in rules.stack(column, 2))
            lead = (*answers, *low, *tail, *between)
            before = len(lead) + len(high) - 1
            second.append(runs.run((*lead, *high, *tail)))
        lines = {last_line(picture.text(turn)) for one in (*futures, *second) for turn in one.turns}
        board = layout(Futures(rules, grids, _grids(rules, second, picture, before), lines), may_be)
        if board is None:
            continue
        dialogue = Dialogue(rules, runs, board, picture, labels, corrections)
        if follow is not None:
            middle = next(one for one in futures if one.ending is None)
            prompt = runs.run(middle.answers[: len(answers) + len(labels[0])])
            dialogue.roles[key_of(prompt.last)] = Role("offer", follow)
        start = known_game(dialogue, answers)
        if start is not None:
            return Opening(answers, trial.name, dialogue, *start)
    return None


FEWEST_BOARDS, MOST_UNSOUND = 12, 2
"""Bounds for seven short games: the fewest boards that must be right in all, and the most games that may be read in another way.

A role that only looked like the end of a game was charged untruly in four of five programs with fewer boards.
"""


def known_game(dialogue: Dialogue, answers: Answers) -> tuple[str, bool] | None:
    """The player who begins, and whether the game ends early, if a known game is read as it was played; a program with one faulty column passes.

    A program that ends or breaks on the way is read from the beginnings of such games, with all columns moved on by one from game to game.
    """
    rules = dialogue.rules
    game = _replay(dialogue, answers, rules.known_game)
    if game.beginner and game.boards - game.ends >= rules.read:
        return game.beginner, False
    if not game.ends or not rules.falls:
        return None
    variants = [tuple((move + by) % rules.columns for move in rules.known_game) for by in range(1, rules.columns)]
    games = [game, *(_replay(dialogue, answers, moves) for moves in variants)]
    boards, unsound = sum(one.boards for one in games), sum(not one.sound for one in games)
    beginners = {one.beginner for one in games if one.sound and one.beginner}
    if boards < FEWEST_BOARDS or unsound > MOST_UNSOUND or len(beginners) != 1:
        return None
    return beginners.pop(), True


@dataclass(frozen=True, slots=True)
class _Replay:
    """A known game as it was read: the number of boards that were right, and whether the program ended or broke before the last move.

    It is ``sound`` where nothing else was seen in it.
    """

    beginner: str = ""
    boards: int = 0
    ends: bool = False
    sound: bool = False


def _replay(dialogue: Dialogue, answers: Answers, moves: Sequence[int]) -> _Replay:
    rules, beginner, boards = dialogue.rules, "", 0
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
            return _Replay(ends=ends, sound=ends and reached.board is None)
        after = rules.after(before, move)
        boards += reached.board == after.position and (ends or reached.kind == "column")
        if ends:
            return _Replay(beginner, boards, ends=True, sound=boards == number + (reached.board is not None))
        if reached.board == after.position and reached.kind == "column":
            spot, answers = after, reached.answers
    return _Replay(beginner, boards, sound=boards == len(moves))


def _note_parts(dialogue: Dialogue, answers: Answers) -> None:
    """Note the waits for the further answers of a move, such as the column behind the row: a wrong row may be refused behind both."""
    label = dialogue.labels[dialogue.rules.known_game[0]]
    question = key_of(dialogue.run(answers).last)
    for number in range(1, len(label)):
        part = dialogue.run((*answers, *label[:number])).last
        if part.ending is None and key_of(part) != question:
            dialogue.roles[key_of(part)] = Role("part", label[number])


def opening_in_memory(rules: Rules, runs: Runs, corrections: Corrections) -> Opening | None:
    """The opening; None if pieces fall into no memory either."""
    if not pages(runs.session(())):
        return None
    trials = []
    for answers, run, again in islice(looked_at(runs, corrections), MOST_IN_MEMORY):
        for name, labels in ({} if again else labels_at(rules, runs, run, corrections.labels)).items():
            for behind in _behind(runs, answers, labels[len(labels) // 2]):
                future = _future(runs, answers, labels, behind)
                if falls(rules, future):
                    trials.append((answers, (name, labels), future))
    for least in (rules.columns, rules.fits):  # numbers from 0 on find six columns of a program that has them from 1 on
        for answers, columns, future in trials:
            layout = memory_layout(rules, future, least)
            opening = layout and _opening(runs, answers, columns, layout, corrections)
            if opening:
                return opening
    return None


def _behind(runs: Runs, answers: Answers, label: Answers) -> list[str | None]:
    """Answers to try at another question that comes between columns; only None if no such question comes."""
    place = runs.run(answers).last.place
    path = answers
    for _ in range(3):
        path = (*path, *label)
        run = runs.run(path)
        if run.ending is not None:
            return []
        if run.last.place != place:
            return [*onward(run)]
    return [None]


def _future(runs: Runs, answers: Answers, labels: Labels, behind: str | None) -> Future:
    place = runs.run(answers).last.place

    def future(moves: Sequence[int]) -> Pages | None:
        path = answers
        for move in moves:
            path = (*path, *labels[move])
            run = runs.run(path)
            if run.ending is None and run.last.place != place and behind is not None:
                path = (*path, behind)
                run = runs.run(path)
            if run.ending is not None or run.last.place != place:
                return None
        return pages(runs.session(path))

    return future


def _opening(
    runs: Runs, answers: Answers, columns: tuple[str, Labels], layout: MemoryLayout, corrections: Corrections
) -> Opening | None:
    """The opening, where the known game is found in memory as it was played."""
    name, labels = columns
    runs.look(layout.look)
    dialogue = Dialogue(layout.rules, runs, layout, Picture(), labels, corrections)
    start = known_game(dialogue, answers)
    if start is None:
        runs.look(None)
        return None
    return Opening(answers, name, dialogue, *start)

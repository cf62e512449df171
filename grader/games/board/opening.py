"""From the start of a program to its first question for a column: names, menus, pauses and marks are gone through by search.

That a wait asks for a column is seen by seven futures, one for each: they differ where the piece lies. Nothing is known of words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.games.board.asked import Role
from grader.games.board.corrections import Corrections
from grader.games.board.dialogue import Dialogue, Opening, known_game
from grader.games.board.layout import Futures, families, layout
from grader.games.board.painted import found_in_memory
from grader.games.board.rules import Labels, Rules
from grader.games.board.talk import labels_at
from grader.games.learn.questions import GOES_ON, allowed, last_line, mentioned
from grader.games.learn.way import SIMULATED, key_of, ways, with_names
from grader.reading.picture import Picture
from grader.reading.runs import Answers, Run, Runs
from grader.values import dataclass

MOST_RUNS = 1_500
"""So many runs are made to find a board; of 120 programs in many wordings none took more than half of them."""


class UnreadError(Exception):
    """The program could not be read; the message is a sentence."""


def opened(rules: Rules, runs: Runs, given: Corrections | None = None) -> Opening:
    """The opening of a program, as far as it was ``given``. Raises UnreadError, and SpentError where no further run is made."""
    given = given or Corrections()
    try:
        return _opened(rules, runs, given)
    except UnreadError:
        painted = None if given.marks else found_in_memory(rules, runs, given)
        if painted is not None:
            return painted
        parts = {"opening": given.opening, f"{rules.words.noun}s": given.labels, "marks": given.marks}
        kept = [key for key, part in parts.items() if part is not None]
        for key in kept:
            given.refuse(key, rules.words.no_board_so)
        if not kept:
            raise
    return _opened(rules, runs, replace(given, opening=None, labels=None, marks=None))


def _opened(rules: Rules, runs: Runs, given: Corrections) -> Opening:
    asked, early = 0, None
    for answers, run, follows in _looked_at(runs, given):
        asked += not follows
        for picture in (Picture(), Picture(words=True)):
            found = _question(rules, runs, answers, run, picture, given, follows)
            if found is not None:
                named = with_names(runs, answers) if given.opening is None else answers
                again = named != answers and _question(rules, runs, named, runs.run(named), picture, given, follows)
                found = again or found
                if not found.early or runs.hung:  # few runs may hang: they are needed for its games
                    return found
                early = early or found
        if runs.number > MOST_RUNS:
            break
    if early is not None:
        return early
    raise UnreadError(_why(rules, asked))


def _why(rules: Rules, asked: int) -> str:
    if asked >= SIMULATED.waits:
        return rules.words.no_question.format(waits=asked)
    return rules.words.no_board


def _looked_at(runs: Runs, given: Corrections) -> Iterator[tuple[Answers, Run, bool]]:
    """The waits that may ask for the first column: the one that was given, else all."""
    if given.opening is None:
        yield from ways(runs, SIMULATED)
        return
    run = runs.run(given.opening)
    if run.ending is None:
        yield given.opening, run, False
        yield given.opening, run, True


def _question(
    rules: Rules, runs: Runs, answers: Answers, run: Run, picture: Picture, given: Corrections, follows: bool
) -> Opening | None:
    """The opening, where this wait asks for a column."""
    fitting = []
    for name, labels in labels_at(rules, runs, run, given).items():
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
            grids = [picture.lines(_since(one, len(answers) + len(labels[0]) - 1)) for one in behind]
            fits = max((one.fits for one in families(grids, rules.fits)), default=0)
            if fits:
                fits += (follow,) in labels  # this one future was left out
                ranked.append((fits, _Try(answers, name, labels, follow), grids, behind))
        for _, tried, grids, behind in sorted(ranked, key=lambda one: -one[0]):
            found = _mapped(rules, runs, tried, grids, behind, picture, given)
            if found is not None and not found.early:
                return found
            early = early or found
    return early


def _lowest(rules: Rules, labels: Labels) -> list[Answers]:
    """The labels of the moves into the lowest cell of each column."""
    return [labels[rules.stack(column, 1)[0]] for column in range(rules.columns)]


def _since(run: Run, typed: int) -> str:
    """What was printed since so many answers; an answer ends a line, as on a terminal."""
    return "\n".join(run.turns[typed + 1 :])


def _follows(rules: Rules, run: Run, fitting: Sequence[tuple[str, Labels, Sequence[Run]]]) -> list[str]:
    """What may be answered behind a column, before its piece is seen: where most columns lead to another question."""
    if not fitting:
        return []
    _, _, futures = fitting[0]
    waiting = [one for one in futures if one.ending is None]
    kinds = Counter(key_of(one.last) for one in waiting)
    if not waiting or kinds.most_common(1)[0][1] < rules.fits or kinds.most_common(1)[0][0] == key_of(run.last):
        return []
    one = waiting[len(waiting) // 2]
    return allowed((*mentioned(one.output)[:5], *GOES_ON), one.last.wants)[:10]


@dataclass(frozen=True, slots=True)
class _Try:
    """How a column might be typed: behind which answers, by which labels, and what is answered before its piece is seen."""

    answers: Answers
    name: str
    labels: Labels
    follow: str | None


def _mapped(
    rules: Rules,
    runs: Runs,
    tried: _Try,
    grids: Sequence[Sequence[str]],
    futures: Sequence[Run],
    picture: Picture,
    given: Corrections,
) -> Opening | None:
    """The opening by two pieces in each column, where a known game is read as it was played."""
    answers, labels, follow = tried.answers, tried.labels, tried.follow
    tail = () if follow is None else (follow,)

    def may_be(one: str, two: str) -> bool:
        return given.marks is None or {picture.shown(one), picture.shown(two)} == set(given.marks)

    for between in ((), ("",), ("n",), ("0",)):
        if between and follow is not None:
            break
        if between == ("",) and any(one.ending is None and one.last.wants == "key" for one in futures):
            continue  # Enter is no key; another one may be any key before the next turn
        second, before = [], 0
        for column in range(rules.columns):
            low, high = (labels[move] for move in rules.stack(column, 2))
            begun = (*answers, *low, *tail, *between)
            before = len(begun) + len(high) - 1
            second.append(runs.run((*begun, *high, *tail)))
        lines = {last_line(picture.text(turn)) for one in (*futures, *second) for turn in one.turns}
        found = layout(Futures(rules, grids, [picture.lines(_since(one, before)) for one in second], lines), may_be)
        if found is None:
            continue
        dialogue = Dialogue(rules, runs, found, picture, labels, given)
        if follow is not None:
            middle = next(one for one in futures if one.ending is None)
            asked = runs.run(middle.answers[: len(answers) + len(labels[0])])
            dialogue.roles[key_of(asked.last)] = Role("offer", follow)
        known = known_game(dialogue, answers)
        if known is not None:
            return Opening(answers, tried.name, dialogue, *known)
    return None

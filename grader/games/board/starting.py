"""The player who begins: with other random numbers the first question for a column may address another one.

Who that is the mark of the first piece tells, or what the program calls him. What else is printed may change as it likes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import zip_longest
from operator import and_

from grader.games.board.corrections import tokens
from grader.games.board.dialogue import COLUMN, Opening
from grader.games.board.ends import Account, Game
from grader.games.board.rules import Spot
from grader.games.board.telling import Names, Telling
from grader.games.hear.runs import Answers, Run
from grader.games.learn.questions import allowed, last_line, last_lines, mentioned, offered
from grader.games.learn.way import key_of
from grader.games.referee import CRASH
from grader.values import dataclass

SEEDS = 16
"""Starts with other random numbers: where either player begins by lot, one of 65,536 programs has the same one in 17 starts."""

FEWEST = 4
"""So many beginnings are looked at, even where both players were seen to begin."""

NUMBERS = ("3", "20", "37", "54", "71", "88", "105", "122", "139", "156", "173", "190")
"""The answer for a program that wants a number to shuffle with."""


Calling = Mapping[str, frozenset[str]]
"""The name of each player."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """One start of the program: the mark of the first piece, and what was said before, asked, and at the end of a quick game.

    The mark is empty where the piece is not read: words alone tell who begins.
    """

    run: Run
    mark: str
    before: tuple[str, ...]
    prompt: str
    end: str


def chosen(opening: Opening, account: Account) -> None:
    """Answer the questions before the game by what else they offer, such as the other mark, and look at two pieces there.

    An answer that is typed already would give both players the same mark.
    """
    for question, other, run, mark in _answered_otherwise(opening):
        wrong = _second(opening, run, mark)
        # A word of the question may be no mark: that the program breaks with it says nothing.
        if wrong and (wrong[0] != CRASH or other in offered(question.output)):
            _note(account, account.begin(run), wrong)


def _answered_otherwise(opening: Opening) -> Iterator[tuple[Run, str, Run, str]]:
    """Each question before the game, something else that it offers, the run with that answer, and the mark of the first piece then."""
    dialogue, runs = opening.dialogue, opening.dialogue.runs
    prompt = key_of(runs.run(opening.answers).last)[:2]
    for at, text in enumerate(opening.answers):
        if text.isalpha() and len(text) > 1:  # a name: its first letter may be the mark
            continue
        question = runs.run(opening.answers[:at])
        for other in allowed(mentioned(question.output), question.last.wants):
            run = runs.run((*opening.answers[:at], other, *opening.answers[at + 1 :]))
            if other in opening.answers or run.ending is not None or key_of(run.last)[:2] != prompt:
                continue
            start = dialogue.situation(run.answers, ())
            if start:
                yield question, other, run, start.mover


def started(opening: Opening, account: Account, telling: Telling) -> None:
    """Start the program from other random numbers, and with other numbers typed, until the beginner is another."""
    callings = _callings(opening, telling.called)
    marks = {mark.casefold() for mark in telling.called.marks.values()}
    # A mark that was chosen, by its letter or by a number (“1 = X, 2 = O”), may be that of whoever begins.
    own = marks.isdisjoint(map(str.casefold, opening.answers)) and not _is_mark_chosen(opening)
    starts: list[Beginning] = []
    unread = 0
    for answers, seed in beginnings(opening):
        run = opening.dialogue.runs.run(answers, seed)
        one = _beginning(opening, run, seed, telling) if run.ending is None else None
        unread += run.ending is None and answers == opening.answers and not (one and one.mark)
        if one is None:
            continue
        game = account.begin(run, seed)
        game.saw("begun")
        wrong = None
        if (one.mark, one.prompt) not in {(other.mark, other.prompt) for other in starts}:
            wrong = _asked_twice(opening, one, seed, telling)
        if one.mark and wrong is None and one.mark not in {other.mark for other in starts}:
            wrong = _second(opening, run, one.mark, seed)
        if wrong:
            _note(account, game, wrong)
        starts.append(one)
        if len(starts) % FEWEST == 0 and len(_players(starts, callings, own_marks=own)) > 1:
            return
    players = _players(starts, callings, own_marks=own)
    if not starts or len(players) > 1:
        return
    game = account.games[-len(starts)]
    # The same text in all starts tells nothing where it names nobody, and players are known by the marks alone that they chose.
    names = frozenset[str]().union(*callings[0].values()) if "A" in callings[0] else frozenset[str]()
    is_told = bool(names) and (telling.called.prompted or not names.isdisjoint(tokens(last_line(starts[0].end))))
    alike = (own or is_told) and len({(one.before, one.prompt, one.end) for one in starts}) == 1
    # A program that calls nobody by name, “'s turn”, may begin by lot. One whose board is read in the games of one player alone seems to
    # begin with that player always.
    is_named = (telling.called.prompted or telling.naming) and not unread
    if is_named and (alike or (players and "A" in callings[0])):
        who = "the same player begins in every game"
        game.fault("same-start", f"{who}, with {SEEDS} different random numbers", starts[0].run)
    else:
        game.fault("unclear-start", "we could not read who begins", starts[0].run)


def started_in_words(opening: Opening, account: Account) -> None:
    """Count the beginnings of a program whose pieces lie wrongly, if words alone name who begins, and that is either player."""
    dialogue = opening.dialogue
    first = dialogue.runs.run(opening.answers)
    starts: list[tuple[Beginning, int | None]] = []
    for answers, seed in beginnings(opening):
        run = dialogue.runs.run(answers, seed)
        if run.ending is None and key_of(run.last)[:2] == key_of(first.last)[:2]:
            prompt = "\n".join(last_lines(dialogue.without_boards(run.output), 2))
            starts.append((Beginning(run, "", _lines(dialogue.without_boards, run), prompt, ""), seed))
    # A word has broken a later question: then a player may be called by the number that was typed for the name.
    lines = [text for text, wait in zip(opening.answers, first.waits, strict=False) if wait.wants == "line"]
    callings = [*_callings(opening, Names({"A": frozenset(), "B": frozenset()}, {})), _by_name(lines)]
    if len(_players([one for one, _ in starts], callings, own_marks=False)) > 1:
        for one, seed in starts:
            account.begin(one.run, seed).saw("begun")


def _is_mark_chosen(opening: Opening) -> bool:
    """Whether another answer before the game gives the first piece another mark."""
    first = opening.dialogue.situation(opening.answers, ())
    return first is not None and any(mark != first.mover for *_, mark in _answered_otherwise(opening))


def _second(opening: Opening, run: Run, mark: str, seed: int | None = None) -> tuple[str, str, Run] | None:
    """The fault that the second piece has the mark of the first, or breaks the program: some have it right for one beginner or mark alone."""
    dialogue = opening.dialogue
    rules = dialogue.rules
    one, two = rules.known_game[:2]
    with dialogue.seeded(seed):
        spot = Spot(rules.start, mark)
        first = dialogue.drop(run.answers, spot, one)
        spot = rules.after(spot, one)
        if first.kind != COLUMN.kind or first.board != spot.position:
            return None
        second = dialogue.drop(first.answers, spot, two)
    if second.kind == "broke":
        return CRASH, "", second.run
    due, same = (rules.dropped(spot.position, two, player) for player in (spot.mover, mark))
    if second.board != same or same == due:
        return None
    where = rules.difference(due, same, dialogue.labels)
    return "wrong-board", f"{rules.words.other_board.format(move=dialogue.label(two))}: {where}", second.run


def _asked_twice(opening: Opening, start: Beginning, seed: int | None, telling: Telling) -> tuple[str, str, Run] | None:
    """The fault that the same player is asked twice: with the very words, where the two questions of the usual start call two players.

    Some pass the turn on for one beginner alone, and then no board need be readable either.
    """
    dialogue = opening.dialogue
    if not telling.called.prompted:
        return None
    move = dialogue.rules.known_game[0]
    questions = []
    for run, own in ((dialogue.run(opening.answers), None), (start.run, seed)):
        with dialogue.seeded(own):
            then = dialogue.drop(run.answers, Spot(dialogue.rules.start, start.mark or "A"), move)
        if then.kind != COLUMN.kind:
            return None
        questions.append([telling.strip(one.output) for one in (run, then.run)])
    for depth in (1, 2):
        usual, here = ([last_lines(text, depth) for text in texts] for texts in questions)
        if usual[0] != usual[1] and here[0] == here[1]:
            return "no-alternation", dialogue.rules.words.asked_again.format(move=dialogue.label(move)), then.run
    return None


def _note(account: Account, game: Game, wrong: tuple[str, str, Run]) -> None:
    """Note what is wrong with a second piece."""
    if wrong[0] == CRASH:
        account.broke(game, wrong[2])
    else:
        game.fault(*wrong)


def beginnings(opening: Opening) -> Iterable[tuple[Answers, int | None]]:
    """The answers and seeds with which the program is begun: other random numbers, and other numbers where they are typed."""
    seeds = ((opening.answers, seed) for seed in range(1, SEEDS + 1))
    yield opening.answers, None
    for pair in zip_longest(seeds, _with_numbers(opening)):
        yield from filter(None, pair)


def _with_numbers(opening: Opening) -> Iterator[tuple[Answers, int | None]]:
    """The same with other numbers typed, where one is."""
    runs = opening.dialogue.runs
    for at, text in enumerate(opening.answers):
        if not re.fullmatch(r"\d+", text):
            continue
        key = key_of(runs.run(opening.answers[: at + 1]).last)
        for number in NUMBERS:
            answers = (*opening.answers[:at], number, *opening.answers[at + 1 :])
            after = runs.run(answers[: at + 1])
            if after.ending is None and key_of(after.last)[:2] == key[:2]:
                yield answers, None


def first_words(opening: Opening, strip: Callable[[str], str], usual: Collection[str]) -> str:
    """The text before the first column that would be different if another player began.

    If the text is always the same, that is all of it except the lines that are ``usual`` in a game.
    """
    runs = opening.dialogue.runs
    lines = _lines(strip, runs.run(opening.answers))
    for answers, seed in beginnings(opening):
        run = runs.run(answers, seed)
        other = _lines(strip, run) if run.ending is None else lines
        if other != lines:
            return "\n".join(line for line in lines if line not in other)
    return "\n".join(line for line in lines if line not in usual)


def _lines(strip: Callable[[str], str], run: Run) -> tuple[str, ...]:
    return tuple(line for line in strip("\n".join(run.turns)).split("\n") if line.strip())


def _callings(opening: Opening, called: Names) -> list[Calling]:
    """Names that the players may have, the surest first: those in prompts beside their marks, numbers, and typed names.

    Marks are no names here: they may be those of whoever begins.
    """
    marks = {mark.casefold() for mark in called.marks.values()}
    prompts = {player: called.prompts[player] - marks for player in "AB"}
    callings: list[Calling] = [prompts] if all(prompts.values()) else []
    callings.append({number: frozenset({number}) for number in ("1", "2")})
    names = [text for text in opening.answers if text.isalpha() and len(text) > 1]
    return [*callings, _by_name(names)]


def _by_name(names: Iterable[str]) -> Calling:
    return {name: frozenset({name.casefold()}) for name in names}


def _players(beginnings: Sequence[Beginning], callings: Sequence[Calling], *, own_marks: bool) -> set[str]:
    """The player who began: by texts that are not in all beginnings, if they name one player in each, else by mark.

    Empty where neither tells: one mark tells who begins only where the program has given the marks itself (``own_marks``).
    """
    words = [[Counter(tokens(text)) for text in (one.prompt, "\n".join(one.before), one.end)] for one in beginnings]
    common = [reduce(and_, texts) for texts in zip(*words, strict=True)]
    for calling in callings:
        players = [_player_in(texts, common, calling) for texts in words]
        sure = "A" in calling  # what was typed for a number may have been a name: such a beginning is left out
        if all(players) or (sure and sum(map(bool, players)) >= FEWEST):
            return set(filter(None, players))
    marks = {one.mark for one in beginnings if one.mark}
    return marks if own_marks or len(marks) > 1 else set()


def _player_in(words: Sequence[Counter[str]], common: Sequence[Counter[str]], calling: Calling) -> str:
    for text, always in zip(words, common, strict=True):
        players = [player for player, names in calling.items() if (text - always).keys() & names]
        if len(players) == 1:
            return players[0]
    return ""


def _beginning(opening: Opening, run: Run, seed: int | None, telling: Telling) -> Beginning | None:
    """The text that may tell who begins; None if no column is asked for."""
    dialogue = opening.dialogue
    question = "\n".join(last_lines(telling.strip(run.output), 2))
    with dialogue.seeded(seed):
        spot = dialogue.situation(run.answers, ())
        if spot is None:
            is_same = key_of(run.last)[:2] == key_of(dialogue.runs.run(opening.answers).last)[:2]
            return Beginning(run, "", _lines(telling.strip, run), question, "") if is_same else None
        end = "" if telling.called.prompted else _end(opening, run.answers, Spot(dialogue.rules.start, spot.mover))
        return Beginning(run, spot.mover, _lines(telling.strip, run), question, end)


def _end(opening: Opening, answers: Answers, spot: Spot) -> str:
    """The last text of a game that the beginner wins."""
    *_, (_, last) = opening.dialogue.played(answers, spot, opening.dialogue.rules.quick)
    return last.run.output

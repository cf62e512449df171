"""Whether a program asks for the answers that it reads, in whatever language.

A question ends in a prompt, or it comes again when an answer to it is refused. A greeting and a count do neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from grader.games.hear.slots import plain, segments
from grader.games.pile.departures import TAKE
from grader.games.pile.rounds import Play
from grader.games.pile.talk import Part, Talk
from grader.games.pile.wrong_answers import Trial

PROMPTS = "?:>=…？："
"""Signs at the end of a line that waits for an answer."""


def unasked(play: Play, talk: Talk, refusals: Sequence[Trial]) -> Iterator[str]:
    """The kinds of answers, as trials name them, that a game reads without a question; ``refusals`` show what the program repeats."""
    waits = [wait.output + wait.aside for wait in play.run.waits]  # a question may go to the error stream
    moves = [waits[at] for at in play.move_waits]
    places = {part: talk.place(part) for part in Part if part in talk.parts}
    questions = {part.value: waits[at] for part, at in places.items() if at < len(waits)}
    questions |= {TAKE: moves[0]} if moves else {}
    prompts = {kind for kind, text in questions.items() if _is_prompt(text)}
    repeats = _repeats(refusals)
    if (
        TAKE in repeats
        and TAKE not in prompts
        and not "".join(waits[: play.opening]).strip()
        and _only_tells(play, moves)
    ):
        # Only refusals asked “How many coins do you take?”. Games said nothing before “57 coins on the table.”, and were taken to ask.
        repeats[TAKE] = False
    for kind in questions.keys() & repeats.keys() - prompts:
        if repeats[kind]:
            continue
        if kind == TAKE:
            # “Take one or two stones.” stands before each move; “12 stones are left.” says something else each time.
            always = set.intersection(*({one.text for one in segments(text)} for text in moves))
            if len(moves) > 1 and not always:
                yield kind
        # “Please type the number of stones.” is a question without a prompt: a greeting is told from it by the other questions.
        elif prompts and not (kind == Part.FIRST.value and _offers(waits[: talk.place(Part.FIRST) + 1], talk.firsts)):
            yield kind


def _only_tells(play: Play, moves: Sequence[str]) -> bool:
    """Whether the last sentence before each move also comes where nothing is asked: above another one, or at the end of the game."""
    clauses = [[one.skeleton for one in segments(text)] for text in moves]
    elsewhere = {one.skeleton for one in segments(play.run.waits[play.end].output)} if play.is_whole else set[str]()
    elsewhere.update(*(some[:-1] for some in clauses))
    return all(some and some[-1] in elsewhere for some in clauses)


def _repeats(refusals: Sequence[Trial]) -> dict[str, bool]:
    """Whether a refusal of each kind prompts, or repeats a sentence of the question."""
    result: dict[str, bool] = {}
    for one in refusals:
        after = one.at + 1
        if one.twin.run.answers[after : after + 1] == ("",):  # the question stands behind a pause
            after += 1
        texts = [wait.output + wait.aside for wait in one.twin.run.waits[one.at + 1 : after + 1]]
        question = {each.skeleton for each in segments(one.question)}
        again = any(_is_prompt(text) or any(each.skeleton in question for each in segments(text)) for text in texts)
        result[one.kind] = result.get(one.kind, False) or again
    return result


def _is_prompt(text: str) -> bool:
    """Whether a text ends in a line that is not finished, or in a sign that waits for an answer."""
    ending = plain(text).rstrip(" \t")
    return bool(ending.strip()) and (not ending.endswith("\n") or ending.rstrip()[-1] in PROMPTS)


def _offers(texts: Sequence[str], answers: Sequence[str]) -> bool:
    """Whether texts name these answers: two questions may stand in one line."""
    return set(answers) <= set(re.findall(r"\w+", " ".join(texts)))

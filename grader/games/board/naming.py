"""The names of players: words that tell the two apart, found in prompts that only one of them gets, and their marks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from grader.games.board.corrections import tokens
from grader.games.board.ends import End
from grader.games.learn.questions import last_lines
from grader.values import dataclass

MOST = 0.75
"""So large a part of the ends has what is said of them all."""


def telling(texts: Sequence[Sequence[str]], others: Sequence[Sequence[str]]) -> set[str]:
    """The tokens that most of these texts have, and hardly one of the others."""
    if not texts or not others:
        return set()
    here = Counter(token for text in texts for token in set(text))
    there = Counter(token for text in others for token in set(text))
    return {
        token
        for token, number in here.items()
        if number >= MOST * len(texts) and there[token] <= (1 - MOST) * len(others)
    }


def placed(texts: Sequence[Sequence[str]], others: Sequence[Sequence[str]]) -> tuple[set[str], set[str]] | None:
    """The tokens in which two kinds of equally long texts always differ, at the same places; None for other texts."""
    if not texts or not others:
        return None
    length = Counter(map(len, [*texts, *others])).most_common(1)[0][0]
    one, two = ([text for text in kind if len(text) == length] for kind in (texts, others))
    if len(one) < MOST * len(texts) or len(two) < MOST * len(others):
        return None
    here: set[str] = set()
    there: set[str] = set()
    for first, second in zip(zip(*one, strict=True), zip(*two, strict=True), strict=True):
        if len(set(first)) == len(set(second)) == 1 and first[0] != second[0]:
            here.add(first[0])
            there.add(second[0])
    return None if here & there else (here, there)


def apart(texts: Sequence[Sequence[str]], others: Sequence[Sequence[str]]) -> tuple[set[str], set[str]]:
    """The tokens that tell two kinds of texts apart: by their places, else those that hardly one of the other kind has."""
    return placed(texts, others) or (telling(texts, others), telling(others, texts))


@dataclass(frozen=True, slots=True)
class Names:
    """The signs that tell the two players apart: in prompts, and by their marks; ``prompted`` says that prompts themselves do."""

    prompts: dict[str, frozenset[str]]
    marks: dict[str, str]
    prompted: bool = False

    def of(self, token: str) -> str:
        """The player that a token names; empty if none."""
        for player in "AB":
            if token.casefold() in self.prompts[player]:
                return player
        for player in "AB":  # a small letter is no mark, but may be an answer
            if token == self.marks.get(player) and (len(token) == 1 or not any(self.prompts.values())):
                return player
        return ""


LINES, WHOLE, ABOVE = (1, 3, 12), (3, 12), (2,)
"""Numbers of last lines of a prompt that are looked at: as few as name the players, always some above the question, or the one line above it.

Further above stands the question for an undo, which names the other player.
"""


def names(prompts: Sequence[tuple[str, str]], marks: dict[str, str], cuts: Sequence[int] = LINES) -> Names:
    """The names by prompts, each with the player to whom it is, in as few of their last lines as tell the two apart."""
    for depth in cuts:
        words = {
            player: [tokens("\n".join(last_lines(text, depth))) for who, text in prompts if who == player]
            for player in "AB"
        }
        pair = apart(words["A"], words["B"])
        if all(pair):
            return Names({"A": frozenset(pair[0]), "B": frozenset(pair[1])}, marks, prompted=True)
    return Names({"A": frozenset(), "B": frozenset()}, marks)


def by_ends(ends: Sequence[End], opening: str, marks: dict[str, str]) -> Names | None:
    """The names by what is said at the ends of won games and of who begins, where prompts name nobody."""
    words = {
        player: [
            tokens("\n".join(last_lines(end.run.output, 2)))
            for end in ends
            if end.by == "line" and end.winner == player
        ]
        for player in "AB"
    }
    pair = apart(words["A"], words["B"])
    if not all(pair):
        return None
    begins = set(tokens(opening))
    matches = [bool(begins & names) for names in pair]
    if matches[0] == matches[1]:
        return None
    beginner = ends[0].beginner
    right = matches[0] == (beginner == "A")
    one, two = pair if right else pair[::-1]
    return Names({"A": frozenset(one), "B": frozenset(two)}, marks)

"""Who is named at the end of a game: the words by which the two players are told apart, and the lines that use them.

A player's names are what prompts say to him alone, and his mark. A line that all wins have in common names the winner, or the loser;
which of the two, its own names tell, and where these fit the other player, a few stems of winning and losing. What is said
by neither is left to a person.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grader.games.board.account import TIE, End
from grader.games.board.asked import last_line
from grader.games.board.corrections import TOKEN, Corrections, L, N, W, shown, tokens
from grader.games.board.position import OTHER
from grader.reading.words import BEAT, LOSE, WIN, words

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
    """The tokens by which two kinds of equally long texts always differ in the same places; None where they are not such."""
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


@dataclass(frozen=True, slots=True)
class Names:
    """What tells the two players apart: in prompts, and by their marks."""

    prompts: dict[str, frozenset[str]]
    marks: dict[str, str]

    def of(self, token: str) -> str:
        """The player that a token names; empty where none."""
        for player in "AB":
            if token.casefold() in self.prompts[player]:
                return player
        for player in "AB":  # a small letter is no mark, but may be an answer
            if token == self.marks[player] and (len(token) == 1 or not any(self.prompts.values())):
                return player
        return ""


def names(prompts: Sequence[tuple[str, str]], marks: dict[str, str]) -> Names:
    """The names by prompts, each with the player to whom it is."""
    for cut in (1, 3, 12):
        said = {
            player: [tokens("\n".join(_last(text, cut))) for who, text in prompts if who == player] for player in "AB"
        }
        found = placed(said["A"], said["B"])
        if found is None:
            found = telling(said["A"], said["B"]), telling(said["B"], said["A"])
        if all(found):
            return Names({"A": frozenset(found[0]), "B": frozenset(found[1])}, marks)
    return Names({"A": frozenset(), "B": frozenset()}, marks)


def by_ends(ends: Sequence[End], opening: str, marks: dict[str, str]) -> Names | None:
    """The names by what is said at the ends of won games and of who begins, where prompts name nobody."""
    said = {
        player: [
            tokens("\n".join(_last(end.run.output, 2))) for end in ends if end.by == "line" and end.winner == player
        ]
        for player in "AB"
    }
    found = placed(said["A"], said["B"]) or (telling(said["A"], said["B"]), telling(said["B"], said["A"]))
    if not all(found):
        return None
    begins = set(tokens(opening))
    told = [bool(begins & names) for names in found]
    if told[0] == told[1]:
        return None
    beginner = ends[0].beginner
    right = told[0] == (beginner == "A")
    one, two = found if right else found[::-1]
    return Names({"A": frozenset(one), "B": frozenset(two)}, marks)


def _last(text: str, number: int) -> list[str]:
    return [line for line in text.split("\n") if line.strip()][-number:]


def template(line: str, winner: str, called: Names) -> str:
    """A line with its names as roles, and its other numbers as one sign."""

    def role(found: re.Match[str]) -> str:
        player = called.of(found[0])
        if player:
            return W if player == winner else L
        return N if found[0].isdigit() else found[0].casefold()

    return " ".join(TOKEN.sub(role, line).split())


RIGHT, WRONG, NOBODY, UNREAD, NO_LINE = "right", "wrong", "nobody", "unread", "no line"


class Telling:
    """What the lines at the ends of games mean, learned from all ends of one program."""

    def __init__(
        self, called: Names, ends: Sequence[End], usual: Iterable[str], strip: Strip, given: Corrections
    ) -> None:
        self.called = called
        self._strip = strip
        self._given = given
        self.quotes: dict[str, str] = {}
        self._usual = {template(line, "A", called) for text in usual for line in strip(text).split("\n")}
        self._usual |= {template(line, "B", called) for text in usual for line in strip(text).split("\n")}
        self.ends = [(end, self._lines(end)) for end in ends]
        self.wins = self._common([lines for end, lines in self.ends if end.by == "line"])
        self.ties = self._common([lines for end, lines in self.ends if end.by == "board"]) - self.wins
        both = self._common([lines for end, lines in self.ends if end.by == "board"]) & self.wins
        self.wins -= {line for line in both if W not in line and L not in line}
        self.lost = self._common([lines for end, lines in self.ends if end.by == "violations"])
        self.wins = self._with("winner", given.winner) or self.wins
        self.ties = self._with("tie", given.tie) or self.ties
        self._with("loser", given.loser)

    def _with(self, key: str, part: str | None) -> set[str]:
        """The lines that have what staff have set as a part, or have it with the players exchanged."""
        if part is None:
            return set()
        seen = {line for _, lines in self.ends for line in lines}
        found = {line for line in seen if part in line} | {_turned(line) for line in seen if part in _turned(line)}
        if not found:
            self._given.refuse(key, f"no line at the end of a game has “{shown(part)}”")
        return found

    def last_words(self) -> str:
        """The last line of a game that was won."""
        texts = [last_line(end.run.output) for end, _ in self.ends if end.by == "line"]
        return next((text for text in texts if text), "")

    def _lines(self, end: End) -> list[str]:
        winner = end.winner if end.winner in OTHER else end.beginner
        found = []
        for said in self._strip(end.text).split("\n"):
            line = template(said, winner, self.called)
            if line and line not in self._usual:
                found.append(line)
                self.quotes.setdefault(line, said.strip())
        return found

    @property
    def naming(self) -> list[str]:
        """The lines that name the winner, or the loser, of a game that was won."""
        return sorted(line for line in self.wins if W in line or L in line)

    def says(self, lines: Sequence[str]) -> bool | None:
        """Whether lines of wins name the right player: as staff have set it, else by the words of winning and losing."""
        if self._given.winner and any(self._given.winner in line for line in lines):
            return True
        return _names_winner(lines)

    @staticmethod
    def _common(ends: Sequence[Sequence[str]]) -> set[str]:
        counted = Counter(line for lines in ends for line in set(lines))
        return {line for line, number in counted.items() if ends and number >= MOST * len(ends)}

    def of_win(self, lines: Sequence[str]) -> str:
        """How a win by a line is told."""
        naming = self.naming
        if not naming:
            return NOBODY if self.wins - self.ties else UNREAD
        seen = [line for line in lines if line in naming]
        if not seen:
            turned = {_turned(line) for line in naming}
            if not any(line in turned for line in lines):
                return NO_LINE
            return RIGHT if self.says(naming) is False else WRONG
        judged = self.says(seen)
        return RIGHT if judged else WRONG if judged is False else UNREAD

    def of_loss(self, lines: Sequence[str]) -> str:
        """How a game is told that was lost by violations."""
        part = self._given.loser
        for line in lines:
            if part and (part in line or part in _turned(line)):
                return RIGHT if part in line else WRONG
        naming = self.naming
        says = self.says(naming)
        for line in lines:
            same, turned = line in naming, _turned(line) in naming
            if same != turned and says is not None:
                return RIGHT if same == says else WRONG
        said = [line for line in lines if (W in line) != (L in line)]
        judged = [_names_winner([line]) for line in said]
        if True in judged:
            return RIGHT if False not in judged else UNREAD
        if False in judged:
            return WRONG
        return UNREAD

    def announces(self, lines: Sequence[str]) -> str:
        """What lines say that come where nothing is over: ``win``, ``tie`` or nothing known."""
        naming = set(self.naming)
        naming |= {_turned(line) for line in naming}
        if any(line in naming for line in lines):
            return "win"
        return TIE if any(line in self.ties for line in lines) else ""


def _turned(line: str) -> str:
    return line.translate(str.maketrans(W + L, L + W))


def _names_winner(lines: Sequence[str]) -> bool | None:
    """Whether lines say of the winner that he won, or of the loser that he lost; None where no word tells.

    A line with the winner's name alone and no known word of losing names the winner.
    """
    verdicts = []
    for line in lines:
        meanings = list(words().meanings(re.sub(f"[{W}{L}{N}]", " ", line)))
        wins, loses, beats = WIN in meanings, LOSE in meanings, BEAT in meanings
        if W in line and L in line:
            first = W if line.index(W) < line.index(L) else L
            if beats or wins != loses:
                verdicts.append((first == W) == (beats or wins) if not loses or wins else first == L)
        elif W in line:
            verdicts.append(not (loses and not wins))
        elif wins != loses:
            verdicts.append(loses)
    if not verdicts:
        return None
    return all(verdicts)


class Strip:
    """Takes the boards out of a text."""

    def __init__(self, pattern: re.Pattern[str], picture: object) -> None:
        self._pattern = pattern
        self._picture = picture

    def __call__(self, text: str) -> str:
        """The text without its boards."""
        return self._pattern.sub("\n", self._picture.text(text))  # type: ignore[attr-defined]

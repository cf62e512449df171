"""How the end of a game is told: the lines in which all ends of a kind agree, and the players that they name.

A line that all wins have in common names the winner or the loser. The names in it tell which of the two. If they fit the other
player as well, a few stems of winning and losing decide. If these do not help, a person decides.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from grader.games.board.corrections import TOKEN, Corrections, L, N, W, shown
from grader.games.board.ends import TIE, End
from grader.games.board.naming import MOST, Names
from grader.games.board.rules import OTHER
from grader.games.hear.names import named_winner
from grader.games.learn.questions import last_line

SCORE = re.compile(r"(?<!\d)(?:(1)\W{1,5}0|0\W{1,5}1)(?!\d)")
"""The score of one game: “Ann 1 : 0 Bob”."""


def template(line: str, winner: str, called: Names) -> str:
    """A line with its names as roles, and its numbers as one sign, except those of a score."""
    score = range(*match.span()) if (match := SCORE.search(line)) else ()

    def role(match: re.Match[str]) -> str:
        player = called.of(match[0])
        if player:
            return W if player == winner else L
        return N if match[0].isdigit() and match.start() not in score else match[0].casefold()

    return " ".join(TOKEN.sub(role, line).split())


RIGHT, WRONG, NOBODY, UNREAD, NO_LINE = "right", "wrong", "nobody", "unread", "no line"


class Telling:
    """The meaning of the lines at the ends of games, learned from all ends of one program."""

    def __init__(
        self, called: Names, ends: Sequence[End], usual: Iterable[str], strip: Strip, corrections: Corrections
    ) -> None:
        self.called = called
        self.strip = strip
        self._corrections = corrections
        self.quotes: dict[str, str] = {}
        # With their boards: a heading of column numbers that is printed in the place of a result is no result.
        told = {line for text in usual for line in f"{text}\n{strip(text)}".split("\n")}
        self._usual = {template(line, winner, called) for line in told for winner in OTHER}
        self.ends = [(end, self._lines(end)) for end in ends]
        self.wins = self._common([lines for end, lines in self.ends if end.by == "line"])
        if not self.naming:
            self.wins |= self._by_winner()
        self.ties = self._common([lines for end, lines in self.ends if end.by == "board"]) - self.wins
        both = self._common([lines for end, lines in self.ends if end.by == "board"]) & self.wins
        self.wins -= {line for line in both if W not in line and L not in line}
        self.lost = self._common([lines for end, lines in self.ends if end.by == "violations"])
        self.wins = self._with(corrections.winner) or self.wins
        self.ties = self._with(corrections.tie) or self.ties

    def heed(self) -> None:
        """Say where no line has what staff have set."""
        for key in ("winner", "loser", "tie"):
            part = getattr(self._corrections, key)
            if part is not None and not self._with(part):
                self._corrections.refuse(key, f"no line at the end of a game has “{shown(part)}”")

    def _with(self, part: str | None) -> set[str]:
        """The lines that have what staff have set as a part, or have it with the players exchanged."""
        if part is None:
            return set()
        texts = {line for _, lines in self.ends for line in lines}
        return {line for line in texts if part in line} | {_turned(line) for line in texts if part in _turned(line)}

    def last_words(self) -> str:
        """The last line of a game that was won."""
        texts = [last_line(end.run.output) for end, _ in self.ends if end.by == "line"]
        return next((text for text in texts if text), "")

    def _lines(self, end: End) -> list[str]:
        winner = end.winner if end.winner in OTHER else end.beginner
        result = []
        for text in self.strip(end.text).split("\n"):
            line = template(text, winner, self.called)
            if line and line not in self._usual:
                result.append(line)
                self.quotes.setdefault(line, text.strip())
        return result

    @property
    def naming(self) -> list[str]:
        """The lines that name the winner, or the loser, of a game that was won."""
        return sorted(line for line in self.wins if W in line or L in line)

    def says(self, lines: Sequence[str]) -> bool | None:
        """Whether lines of wins name the right player: as staff have set it, else by the words of winning and losing."""
        if self._corrections.winner and any(self._corrections.winner in line for line in lines):
            return True
        return _names_winner(lines)

    def _by_winner(self) -> set[str]:
        """The lines with names that only the wins of one player have in common, where those of the other have such lines as well.

        “Ann wins, Bob loses” has the players in a fixed order: then no line is the same in all wins.
        """
        groups = [[lines for end, lines in self.ends if end.by == "line" and end.winner == player] for player in OTHER]
        sets = [{line for line in self._common(ends) if W in line and L in line} for ends in groups]
        return set.union(*sets) if all(sets) else set()

    @staticmethod
    def _common(ends: Sequence[Sequence[str]]) -> set[str]:
        counts = Counter(line for lines in ends for line in set(lines))
        return {line for line, number in counts.items() if ends and number >= MOST * len(ends)}

    def of_win(self, lines: Sequence[str]) -> str:
        """How a win by a line is told."""
        naming = self.naming
        if not naming:
            return NOBODY if self.wins - self.ties else UNREAD
        matches = [line for line in lines if line in naming]
        if not matches:
            turned = {_turned(line) for line in naming}
            if not any(line in turned for line in lines):
                return NO_LINE
            return RIGHT if self.says(naming) is False else WRONG
        verdict = self.says(matches)
        return RIGHT if verdict else WRONG if verdict is False else UNREAD

    def of_loss(self, lines: Sequence[str]) -> str:
        """How a game is told that was lost by violations."""
        part = self._corrections.loser
        for line in lines:
            if part and (part in line or part in _turned(line)):
                return RIGHT if part in line else WRONG
        naming = self.naming
        says = self.says(naming)
        for line in lines:
            same, turned = line in naming, _turned(line) in naming
            if same != turned and says is not None:
                return RIGHT if same == says else WRONG
        matches = [line for line in lines if (W in line) != (L in line)]
        verdicts = [_names_winner([line]) for line in matches]
        if True in verdicts:
            return RIGHT if False not in verdicts else UNREAD
        if False in verdicts:
            return WRONG
        return UNREAD

    def announces(self, lines: Sequence[str]) -> str:
        """The meaning of lines that come in the middle of games: ``win``, ``tie`` or nothing known."""
        naming = set(self.naming)
        naming |= {_turned(line) for line in naming}
        if any(line in naming for line in lines):
            return "win"
        return TIE if any(line in self.ties for line in lines) else ""


def _turned(line: str) -> str:
    return line.translate(str.maketrans(W + L, L + W))


def _names_winner(lines: Sequence[str]) -> bool | None:
    """Whether lines say of the winner that he won, or of the loser that he lost; None if no word tells.

    A line without such a word names the winner where the name stands there alone, or once more: “Ann against Bob: Ann”, or has the
    one of a score. A score the other way round may be one that counts something else, and says nothing.
    """
    verdicts = []
    for line in lines:
        winner = named_winner((W, L), line)
        if winner is not None:
            verdicts.append(winner == 0)
        elif line.count(W) > line.count(L) or _scores(line):
            verdicts.append(True)
    return all(verdicts) if verdicts else None


def _scores(line: str) -> bool:
    """Whether a line has a name, a score and another name, or both names and the score behind them, and the one is the winner's."""
    score = SCORE.search(line)
    return (
        score is not None and 0 <= line.find(W) != line.find(L) >= 0 and bool(score[1]) == (line.find(W) < line.find(L))
    )


class Strip:
    """Takes the boards out of a text."""

    def __init__(self, pattern: re.Pattern[str], picture: object) -> None:
        self._pattern = pattern
        self._picture = picture

    def __call__(self, text: str) -> str:
        """The text without its boards."""
        return self._pattern.sub("\n", self._picture.text(text))  # type: ignore[attr-defined]

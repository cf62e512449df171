"""How the end of a game is told: the lines in which all ends of a kind agree, and the players that they name.

A line that all wins have in common names the winner or the loser. The names in it tell which of the two. If they fit the other
player as well, a few stems of winning and losing decide. If these do not help, a person decides. Players are called by words that tell
the two apart, found in prompts that only one of them gets, or by their marks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from grader.games.board.corrections import TOKEN, Corrections, L, N, W, shown, tokens
from grader.games.board.ends import TIE, End
from grader.games.board.rules import EMPTY, OTHER
from grader.games.hear.names import named_winner, polarity
from grader.games.hear.slots import distinctive
from grader.games.learn.questions import last_line, last_lines
from grader.values import dataclass

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


SENTENCE_END = re.compile(r"[.!?]\s")

RIGHT, WRONG, NOBODY, UNREAD, NO_LINE = "right", "wrong", "nobody", "unread", "no line"


class Telling:
    """The meaning of the lines at the ends of games, learned from all ends of one program."""

    def __init__(
        self,
        called: Names,
        ends: Sequence[End],
        usual: Iterable[str],
        strip: Callable[[str], str],
        corrections: Corrections,
    ) -> None:
        self.called = called
        self.strip = strip
        self._corrections = corrections
        self.quotes: dict[str, str] = {}
        # With their boards: a heading of column numbers that is printed in the place of a result is no result.
        told = {line for text in usual for line in f"{text}\n{strip(text)}".split("\n")}
        self._usual = {template(line, winner, called) for line in told for winner in OTHER}
        self.ends = [(end, self._lines(end)) for end in ends]
        # A program that sees no line announces a tie at the only win on a full board: that is no way to tell wins.
        self.wins = self._common(
            [lines for end, lines in self.ends if end.by == "line" and EMPTY in (end.position or EMPTY)]
        )
        if not self.naming:
            self.wins |= self._by_winner() or self._by_kind()
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
        # “Violation 3 of 3 by Red” says no more of the end than “Violation 1 of 3 by Red” did.
        turns = end.run.turns[:-1] if end.by == "violations" else ()
        before = {
            template(line, winner, self.called) for text in turns for line in self.strip(text).split("\n")
        } | self._usual
        result = []
        for text in self.strip(end.text).split("\n"):
            line = template(text, winner, self.called)
            if line and line not in before:
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

    def _by_kind(self) -> set[str]:
        """The lines with names that come in wins of both players, where most wins have one of them.

        “Ann wins by a row”, “Ann wins by a column”: the line tells the direction as well, and no line is the same in all wins.
        """
        ends = [
            (end.winner, {line for line in lines if W in line or L in line})
            for end, lines in self.ends
            if end.by == "line"
        ]
        wins = [set().union(*(lines for winner, lines in ends if winner == player)) for player in OTHER]
        both = set.intersection(*wins)
        return both if sum(bool(lines & both) for _, lines in ends) >= MOST * len(ends) else set()

    def take_either(self) -> None:
        """Take the line that names one and the same player at the ends of all wins, whoever has won, if a verb tells what it says of him.

        Each win of the one player is told rightly then, and each of the other wrongly.
        """
        ends = [(end.winner, lines) for end, lines in self.ends if end.by == "line"]
        by_name = [
            [one if who == "A" else _turned(one) for one in lines if _by_verb(one) is not None] for who, lines in ends
        ]
        if len({who for who, _ in ends}) > 1:
            self.wins |= {
                form for line in self._common(by_name) for form in (line, _turned(line)) if form != _turned(form)
            }

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
        # “Bob has three strikes and loses. The winner is Ann.” names both; “1 - play” in a menu behind it has a name and no verb.
        named = [line for line in lines if W in line or L in line]
        verdicts = [verdict for verdict in map(_by_verb, named) if verdict is not None]
        if True in verdicts or (not verdicts and any(W in line and L not in line for line in named)):
            return RIGHT if False not in verdicts else UNREAD
        # “Bob is eliminated. Victory by forfeit!” says whose it is not: only a sentence with a name can name the wrong player.
        sentences = (one for line in lines for one in SENTENCE_END.split(line) if W in one or L in one)
        if False in verdicts and any(_by_verb(one) is False for one in sentences):
            return WRONG
        # “Red is out.” has no verb that we know, and is not how this program tells its winners: it says who has lost.
        is_out = bool(named) and all(L in line and W not in line for line in named)
        known = any(polarity(line) is not None for line in lines)
        return RIGHT if naming and is_out and not known else UNREAD

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
        told = _by_verb(line)
        if told is not None:
            verdicts.append(told)
        elif line.count(W) > line.count(L) or _scores(line):
            verdicts.append(True)
    return all(verdicts) if verdicts else None


def _by_verb(line: str) -> bool | None:
    """Whether a verb of a line says that the winner has won or that the loser has lost; None if none tells."""
    winner = named_winner((W, L), line)
    return None if winner is None else winner == 0


def _scores(line: str) -> bool:
    """Whether a line has a name, a score and another name, or both names and the score behind them, and the one is the winner's."""
    score = SCORE.search(line)
    return (
        score is not None and 0 <= line.find(W) != line.find(L) >= 0 and bool(score[1]) == (line.find(W) < line.find(L))
    )


# ---------------------------------------------------------------------------------------------- what players are called


MOST = 0.75
"""So large a part of the ends has what is said of them all."""


def placed(texts: Sequence[Sequence[str]], others: Sequence[Sequence[str]]) -> tuple[set[str], set[str]] | None:
    """The tokens in which two kinds of equally long texts always differ, at the same places; None for other texts."""
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
    if not texts or not others:
        return set(), set()
    known = placed(texts, others)
    return known or (distinctive(texts, others, MOST, 1 - MOST), distinctive(others, texts, MOST, 1 - MOST))


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

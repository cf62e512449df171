"""Games by a script: what a program with a wording must print, to the letter, and what is typed into it.

This is told from the wording and the rules alone. It shares nothing with the programs but the sentences, and reads nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tests.wordings.board import BoardWording
from tests.wordings.pile import PileWording

_SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")


@dataclass
class PileScript:
    """A game with one pile, written down as it goes."""

    wording: PileWording
    text: str = ""
    typed: list[str] = field(default_factory=list)
    left: int = 0
    took: int = 0
    turn: int = 0
    name: str = ""

    def say(self, sentence: str, *, newline: bool = True) -> None:
        """The text of a sentence."""
        if sentence:
            text = _SLOT.sub(lambda found: self._shown(found[1], found[2]), sentence)
            colour = self.wording.colour
            self.text += colour + text + ("\x1b[0m" if colour else "") + ("\n" if newline else "")

    def _shown(self, slot: str, manner: str | None) -> str:
        w = self.wording
        if slot in ("many", "name"):
            return w.noun[-1] if slot == "many" else self.name
        number = {"left": self.left, "took": self.took, "turn": self.turn, "after": self.left - self.took}[slot]
        if manner == "noun":
            return w.plural.form(number, w.noun)
        if manner == "marks":
            return w.mark * number
        words = w.numbers if w.shown == "word" and slot != "turn" else ()
        return words[number] if 0 <= number < len(words) else str(number)

    def ask(self, question: str, answer: str) -> None:
        """A question with its answer."""
        line = self.wording.line_prompts
        self.say(question.rstrip() if line else question, newline=line)
        self.typed.append(answer)

    def answer(self, question: str, variable: str, answers: tuple[tuple[str, str], ...]) -> None:
        """A question with wrong answers and the message to each, then with the right one, whose message is empty."""
        for number, (answer, message) in enumerate(answers):
            self.ask(self.wording.retry if number and self.wording.loop == "retry" else question, answer)
            if variable:
                setattr(self, variable, int(answer))
            self.say(message)

    def play(self, stones: int, first: int, takes: tuple[int, ...]) -> None:
        """A whole game: who begins is 0 (program) or 1 (user); the user takes 1 or 2, the last one where one is left."""
        w = self.wording
        self.say(w.hello)
        for line in w.rules:
            self.say(line)
        if w.pause:
            self.ask(w.pause, "")
        if w.menu:
            for answer in ("9", w.menu.play):
                for line in w.menu.lines:
                    self.say(line)
                self.ask(w.menu.prompt, answer)
                self.say(w.menu.bad if answer == "9" else "")
        if w.ask_name:
            self.name = "Kim"
            self.ask(w.ask_name, "Kim")
            self.say(w.greeting)
        if w.order == "first":
            self._first(first)
        self.answer(w.stones, "left", (("0", w.bad_stones), ("-5", w.bad_stones), (str(stones), "")))
        if w.order != "first":
            self._first(first)
        self._game(first, list(takes))
        if w.again:
            self.ask(w.again[0], w.again[2])
        self.say(w.bye)

    def _first(self, first: int) -> None:
        w = self.wording
        wrong = "7" if w.first.program.isdigit() else "x"
        self.answer(w.first.question, "", ((wrong, w.bad_first), (w.first.user if first else w.first.program, "")))

    def _game(self, mover: int, takes: list[int]) -> None:
        w = self.wording
        if w.begins:
            self.say(w.begins[0] if mover else w.begins[1])
        self.say(w.left if w.counted == "after" else "")
        while self.left:
            if w.turn:
                self.turn += 1
                self.say(w.turn)
            self.say(w.left if w.counted in ("before", "both") else "")
            if mover:
                self.say(w.left if w.counted == "asked" else "")
                take = min(takes.pop(0) if takes else 1, self.left)
                above = ((str(2), w.too_many or w.bad_take),) if self.left == 1 else ()
                self.answer(
                    w.take, "took", (("3", w.bad_take), *above, ("0", w.bad_take), ("-1", w.bad_take), (str(take), ""))
                )
                self.say(w.took)
            else:
                self.say(w.thinks)
                self.took = 2 if self.left % 3 == 0 else 1
                self.say(w.takes)
            self.left -= self.took
            self.say(w.left if w.counted in ("after", "both") else "")
            mover = 1 - mover
        self.say((w.last or ("", ""))[mover])
        self.say(w.results[1 - mover])


COLUMNS, ROWS = 7, 6


@dataclass
class BoardScript:
    """A game of four in a row, written down as it goes. ``player`` is who moves, 0 or 1."""

    wording: BoardWording
    player: int
    text: str = ""
    typed: list[tuple[str, str]] = field(default_factory=list)
    columns: list[list[int]] = field(default_factory=lambda: [[] for _ in range(COLUMNS)])
    undos: list[int] = field(default_factory=lambda: [3, 3])
    violations: list[int] = field(default_factory=lambda: [0, 0])
    moved: list[bool] = field(default_factory=lambda: [False, False])
    names: tuple[str, str] = ("Kim", "Lee")
    marks: tuple[str, str] = ("", "")
    over: bool = False

    def called(self, player: int) -> str:
        """The name of a player."""
        w = self.wording
        if w.called == "mark":
            return (w.marks.names or (w.player + w.marks.one, w.player + w.marks.two))[player]
        return self.names[player] if w.called == "name" else f"{w.player}{player + 1}"

    def say(self, sentence: str, *, newline: bool = True, count: int = 0) -> None:
        """The text of a sentence."""
        if not sentence:
            return
        w = self.wording
        values = {"player": self.called(self.player), "other": self.called(1 - self.player), "low": w.labels[0],
                  "high": w.labels[-1], "undo": w.undo[1], "keep": w.undo[2], "key": w.undo_key, "one": w.marks.one,
                  "two": w.marks.two, "left": str(self.undos[self.player]), "count": str(count)}  # fmt: skip
        self.text += _SLOT.sub(lambda found: values[found[1]], sentence) + ("\n" if newline else "")

    def ask(self, question: str, answer: str, how: str = "line") -> None:
        """A question with its answer; a key is printed as a new line."""
        line = self.wording.line_prompts
        self.say(question.rstrip() if line else question, newline=line)
        self.typed.append((answer, how))
        self.text += "\n" if how == "key" else ""

    def open(self) -> None:
        """All up to the first question for a column."""
        w = self.wording
        self.marks = (w.marks.one, w.marks.two)
        self.say(w.hello)
        for line in w.rules:
            self.say(line)
        if w.menu:
            for answer in ("9", w.menu.play):
                for line in w.menu.lines:
                    self.say(line)
                self.ask(w.menu.prompt, answer)
                self.say(w.menu.bad if answer == "9" else "")
        if w.pause:
            self.ask(w.pause, "" if w.reads != "key" else "g", "key" if w.reads == "key" else "line")
        for question, name in zip(w.names or (), self.names, strict=False):
            self.ask(question, name)
        if w.starts == "typed":
            self.ask(w.seed, "4711")
        self.say(w.begins)
        if w.pick:
            self.ask(w.pick, w.marks.two, "key" if w.reads == "key" else "line")
            self.marks = self.marks[::-1] if self.player == 0 else self.marks
        self.draw()

    def drop(self, column: int, *, undo: bool = False) -> None:
        """Type a column from 0, and answer a question about taking back."""
        w = self.w
        if self.over:
            return
        column += w.undo_style == "key" and self.label(column) == w.undo_key
        self.ask(w.column + (w.undo_hint if w.undo_style == "key" else ""), self.label(column), w.reads)
        me = self.player
        may = self.moved[me] and self.undos[me] > 0
        if w.undo_style == "before" and may and self._undoes(undo):
            return
        if not 0 <= column < COLUMNS or len(self.columns[column]) == ROWS:
            self._refused(column)
            return
        self.columns[column].append(me + 1)
        self.say(w.dropped)
        self.draw()
        if w.checks_first and self._decided():
            return
        if w.undo_style == "after" and may and self._undoes(undo):
            self.columns[column].pop()
            self.say(w.undone)
            self.draw()
            return
        if not w.checks_first and self._decided():
            return
        self.moved[me] = True
        self.player = 1 - me
        if undo and may and w.undo_style == "key":
            self.ask(w.column + w.undo_hint, w.undo_key, w.reads)
            self.player = me
            self.undos[me] -= 1
            self.columns[column].pop()
            self.say(w.undone)
            self.draw()

    @property
    def w(self) -> BoardWording:
        """The wording."""
        return self.wording

    def label(self, column: int) -> str:
        """The input for a column; 7 and above, and below 0, do not exist."""
        first = self.w.labels[0]
        return str(int(first) + column) if first.isdigit() and self.w.reads != "key" else chr(ord(first) + column)

    def _undoes(self, undo: bool) -> bool:
        """Ask about taking back; after a wrong answer the question comes again."""
        w = self.w
        question, yes, no = w.undo
        for answer in ("5", yes if undo else no):
            self.ask(question, answer, w.undo_read)
        if undo:
            self.undos[self.player] -= 1
            if w.undo_style == "before":
                self.say(w.undone)
        return undo

    def _refused(self, column: int) -> None:
        w = self.w
        self.say(w.full if 0 <= column < COLUMNS else w.missing)
        self.violations[self.player] += 1
        self.say(w.violation, count=self.violations[self.player])
        if self.violations[self.player] == 3:
            self.say(w.lost)
            self.player = 1 - self.player
            self._end(w.wins)

    def _decided(self) -> bool:
        if self.has_line():
            self._end(self.w.wins)
        elif sum(map(len, self.columns)) == COLUMNS * ROWS:
            self._end(self.w.tie)
        return self.over

    def _end(self, sentence: str) -> None:
        self.say(sentence)
        if self.w.again:
            self.ask(self.w.again[0], self.w.again[2])
        self.say(self.w.bye)
        self.over = True

    def piece(self, column: int, row: int) -> int:
        """The player (1 or 2) whose piece is in a cell; 0 for an empty cell, or no cell."""
        inside = 0 <= column < COLUMNS and 0 <= row < len(self.columns[column])
        return self.columns[column][row] if inside else 0

    def has_line(self) -> bool:
        """Whether anybody has four in a line."""
        return any(
            self.piece(c, r) and len({self.piece(c + n * dc, r + n * dr) for n in range(4)}) == 1
            for c in range(COLUMNS)
            for r in range(ROWS)
            for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1))
        )

    def draw(self) -> None:
        """The board, as the layout has it."""
        layout = self.w.layout
        shown = (self.w.marks.empty, *self.marks)
        blank = " " * max(len(re.sub("\x1b\\[[0-9;]*m", "", self.w.marks.one)), 1)
        lines = range(COLUMNS) if layout.turned else range(ROWS - 1, -1, -1)
        rows: list[str] = []
        for line in lines:
            cells = [
                shown[self.piece(line, n) if layout.turned else self.piece(n, line)]
                for n in range(ROWS if layout.turned else COLUMNS)
            ]
            row = ""
            for part in range(layout.tall):
                here = cells if part == layout.tall // 2 else [blank] * len(cells)
                text = layout.start + "".join(layout.open + cell + layout.close for cell in here) + layout.end
                row += (
                    f"{line + 1} " * (layout.numbered == "left")
                    + text
                    + f"{line + 1} " * (layout.numbered == "right")
                    + "\n"
                )
            rows.append(row)
        text = layout.head + layout.between.join(rows) + layout.foot
        for number, label in enumerate(self.w.labels, 1):
            text = text.replace(f"{{{number}}}", label)
        self.text += text

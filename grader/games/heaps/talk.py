"""The questions of one program of heaps: by their last lines they are told apart, and one that is new is found out by answering it."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.games.heaps.duel import Duel
from grader.games.heaps.entry import Entry
from grader.games.heaps.facing import AGAIN, COUNT, MOVE, SIZE
from grader.games.heaps.moving import between, less
from grader.games.heaps.walks import Walks
from grader.games.hear.display import Heaps, beside
from grader.games.hear.runs import Answers, Run, Runs
from grader.games.hear.slots import LEVELS, key
from grader.games.learn.questions import offered

LEAD, END = "lead", "end"
"""Waits beside the questions of a game: for anything before it; and the end of the program."""

YES = ("y", "j", "s", "o", "t", "ja", "yes", "1", "")


@dataclass
class Talk:
    """The questions of one program, by their last lines, and the answers to those before and after games."""

    runs: Runs
    duel: Duel
    entry: Entry
    level: int = LEVELS[0]
    kinds: dict[str, str] = field(default_factory=dict)
    leads: dict[str, str] = field(default_factory=dict)
    yes: str = "y"
    tries: tuple[str, ...] = ()
    """Answers that are tried first for another game."""
    by_trial: dict[tuple[str, int], str] = field(default_factory=dict)
    """The questions that were found out by answering them, each behind so many parts of a move."""

    def key(self, text: str) -> str:
        """The part of a question that is the same each time."""
        return key(beside(text, self.entry.display.slots), self.level)

    def know(self) -> None:
        """Find the questions of the opening and of a first move, by as few last lines as tell them apart, and no fewer than ``level``."""
        duel, entry = self.duel, self.entry
        opening = entry.opening(duel, duel.starts[0])
        parts = entry.manner.takes(0, 1)
        run = self.runs.run((*opening, *parts[:1]) if len(parts) > 1 else opening)
        kinds = [LEAD] * len(entry.lead) + [SIZE] * (len(opening) - len(entry.lead) - len(entry.between))
        kinds += [LEAD] * len(entry.between) + [MOVE] + [COUNT] * (len(parts) - 1)
        for level in LEVELS[LEVELS.index(self.level) :]:
            self.level = level
            pairs = {(self.key(text), kind) for text, kind in zip(run.turns, kinds, strict=False)}
            if len(pairs) == len(dict(pairs)):
                break
        for text, kind, answer in reversed(list(zip(run.turns, kinds, (*opening, "", ""), strict=False))):
            self.kinds[self.key(text)] = kind
            if kind == LEAD:
                self.leads[self.key(text)] = answer

    def kind(self, run: Run, heaps: Heaps, part: str = "", typed: int = 0, *, deep: bool = True) -> str:
        """The kind of question at the end of a run; empty if unknown. ``heaps`` are there then.

        ``typed`` parts of a move were typed before it, from the heap that ``part`` names. If it is ``deep``, a
        question may also be a pause, behind which another is known or found out.
        """
        if run.ending is not None:
            return END
        question = self.key(run.output)
        others = {kind for (key, _), kind in self.by_trial.items() if key == question}
        if question in self.kinds and not others:
            return self.kinds[question]
        if (question, typed) not in self.by_trial:
            kind = self._kind_by_trial(run, heaps, part, typed, deep=deep)
            if not kind:
                return self.kinds.get(question, "")
            self.by_trial[question, typed] = kind
            # “A number from 1 to 3, please: ” asks for a heap once more, or for a number
            self.kinds[question] = kind if others <= {kind} else self.duel.game.repeats or kind
        return self.by_trial[question, typed]

    def _kind_by_trial(self, run: Run, heaps: Heaps, part: str, typed: int, *, deep: bool) -> str:
        at = max(range(len(heaps)), key=lambda heap: heaps[heap], default=0)
        walked = isinstance(self.entry.display, Walks)
        if walked and heaps and self._is_pause(run, heaps):
            self.leads[self.key(run.output)] = ""
            return LEAD
        if heaps and heaps[at] and not walked:  # where walks are made all questions for moves are known
            whole = self.entry.manner.takes(at, 1)
            for kind, parts in ((MOVE, whole), (COUNT, whole[1:])):
                if parts and self._carried_out(run, parts, heaps, at, part if kind == COUNT else ""):
                    return kind
        if not heaps and self.duel.sizes and self._first_kind(self.runs.run((*run.answers, "3"))) in (SIZE, MOVE):
            return SIZE
        for text in dict.fromkeys((*self.tries, "y", *offered(run.output), *YES)):
            after = self.runs.run((*run.answers, text))
            if after.ending is None and self._begins(after):
                self.yes = text
                return AGAIN
        after = self.runs.run((*run.answers, ""))
        if deep and self.key(after.output) != self.key(run.output) and self.kind(after, heaps, part, typed, deep=False):
            self.leads[self.key(run.output)] = ""
            return LEAD
        return ""

    def _is_pause(self, run: Run, heaps: Heaps) -> bool:
        """Whether the game goes on from these heaps behind Enter, or behind one Enter after each player's move."""
        enters = (self.runs.run((*run.answers, *("",) * number)) for number in (1, 2))
        boards = (board for after in enters for board in self.shown(after, after.output, heaps))
        return any(board == heaps or between(heaps, board) for board in boards)

    def _first_kind(self, run: Run) -> str:
        return END if run.ending is not None else self.kinds.get(self.key(run.output), "")

    def _carried_out(self, run: Run, parts: Answers, heaps: Heaps, at: int, part: str) -> bool:
        """Whether these answers take one stone; ``part`` is the heap that was named before, where only a number is typed now."""
        if part and part in self.duel.labels:
            at = self.duel.labels.index(part)
        after = self.runs.run((*run.answers, *parts))
        rest = less(heaps, (at, 1))
        boards = self.shown(after, "\n".join(after.turns[len(run.turns) :]), rest)
        return any(board == rest or between(rest, board) for board in boards)

    def _begins(self, run: Run) -> bool:
        if self.duel.sizes:
            return self._first_kind(run) == SIZE or (self._first_kind(run) == LEAD and self.entry.lead != ())
        start = self.entry.start or self.duel.starts[0]
        boards = self.shown(run, run.output, start)
        if not self.entry.display.slots:
            return self._first_kind(run) in (MOVE, LEAD) and self.key(run.output) != self.key(run.turns[-2])
        return any(board == start or between(start, board) for board in boards)

    def shown(self, run: Run, text: str, rest: Heaps, most: Heaps = ()) -> list[Heaps]:
        """The heaps that a text shows, told or found by walks where a run waits; the user's move left the ``rest``, and no heap held more than in ``most`` before."""
        display = self.entry.display
        if not isinstance(display, Walks):
            return display.shown(text, rest)
        heaps = display.heaps(run, most or rest) if any(rest) else None
        return [] if heaps is None else [heaps]

"""Expected dialogues as data: turns of expected text with named choices in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grader.values import dataclass

ENTER = "\n"
"""The end of a typed line."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A place that the assignment leaves open: the spec's ``text.choices`` lists what may stand there.

    ``default`` is what the reference itself prints. A choice is bound once per submission: whichever alternative a
    program uses first, it must use everywhere.
    """

    name: str
    default: str


Piece = str | Choice


def merged(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """The pieces with neighbouring texts joined and empty ones dropped: equal dialogues become equal values."""
    out: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, str) and out and isinstance(out[-1], str):
            out[-1] += piece
        elif piece != "":
            out.append(piece)
    return tuple(out)


@dataclass(frozen=True, slots=True)
class ExpectedTurn:
    """The text that must be printed up to one input, and that input (None in the last turn).

    ``echo`` is the part that repeats the previous input, printed before ``pieces``; empty if no input came before or
    where the program need not print it.
    """

    pieces: tuple[Piece, ...]
    typed: str | None = None
    echo: str = ""

    @property
    def choices(self) -> tuple[str, ...]:
        """The names of the choices in this turn, each once, in order."""
        return tuple(dict.fromkeys(p.name for p in self.pieces if isinstance(p, Choice)))

    def text(self, bindings: Mapping[str, str]) -> str:
        """The turn's text after the echo, with each choice replaced by its binding, or by its default."""
        return "".join(p if isinstance(p, str) else bindings.get(p.name, p.default) for p in self.pieces)


@dataclass(frozen=True, slots=True)
class Script:
    """A whole expected dialogue. ``ends`` says whether the program is over after it; None if unknown."""

    turns: tuple[ExpectedTurn, ...]
    ends: bool | None = None

    @property
    def inputs(self) -> tuple[str, ...]:
        """Every input, in order."""
        return tuple(t.typed for t in self.turns if t.typed is not None)

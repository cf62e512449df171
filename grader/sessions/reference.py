"""The course's reference: a generator that yields text and asks for input, and the session that plays it.

A reference needs no patched streams: ``yield "text"`` prints, ``answer = yield Keys(2)`` asks for two keys and
``answer = yield Line()`` for a line, ``yield Choice("name", default)`` prints what the spec leaves open. A fork is a
replay: the generator is started again and given the same answers.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Generator, Iterable
from importlib.util import module_from_spec, spec_from_file_location
from inspect import isgeneratorfunction
from pathlib import Path
from types import ModuleType

from grader.errors import JudgeError
from grader.spec.expectations import ENTER, Choice, ExpectedTurn, Piece, Script
from grader.transcript import Ending, EndingKind
from grader.values import dataclass

VOCABULARY = "VOCABULARY"
"""The words of the assignment, in a reference that does not talk: that of a kit."""

TURN_LIMIT = 1_000_000
"""How many pieces of text a reference may print between two requests: one that prints more never asks again."""


@dataclass(frozen=True, slots=True)
class Keys:
    """A request for ``count`` keys, typed without Enter; 0 for any number. ``legal`` lists the answers that the rules allow here."""

    count: int
    legal: tuple[str, ...] = ()

    def misfit(self, text: str) -> str:
        """The question that was asked, and why ``text`` is no answer to it; empty if it is one."""
        return "" if len(text) == self.count or not self.count else f"{self.count} keys, and {text!r} has {len(text)}"


@dataclass(frozen=True, slots=True)
class Line:
    """A request for a line typed with Enter, of any length; the answer is the line without its end.

    Inputs may be written with their Enter or without.

    The terminal shows it while it is typed, so no program echoes it. ``legal`` lists the answers that the rules allow here.
    """

    legal: tuple[str, ...] = ()

    def misfit(self, text: str) -> str:
        """The question that was asked, and why ``text`` is no answer to it; empty if it is one."""
        return f"one line, and {text!r} has an Enter in it" if ENTER in text.removesuffix(ENTER) else ""


Request = Keys | Line
Play = Generator[str | Choice | Request, str, None]
PlayFunction = Callable[[], Play]


class ReferenceSession:
    """One live play of a reference. ``request`` is what it asks for now, or None once it has ended."""

    def __init__(self, play: PlayFunction) -> None:
        self._play = play
        self._answers: list[str] = []
        self._generator = play()
        self._printed: list[Piece] = []
        self.request: Request | None = None
        self._advance(None)

    def _advance(self, answer: str | None) -> None:
        """Run up to the next request or the end."""
        try:
            item = next(self._generator) if answer is None else self._generator.send(answer)
            while not isinstance(item, Request):
                # A reference runs without a cage and a clock: an endless loop in one would hold the grader.
                if len(self._printed) == TURN_LIMIT:
                    raise JudgeError(f"the reference prints {TURN_LIMIT:,} pieces and more, and asks for nothing")
                if not isinstance(item, str | Choice):
                    raise TypeError(f"it yields {item!r}, which is neither text nor a Choice nor Keys nor a Line")
                self._printed.append(item)
                item = next(self._generator)
            self.request = item
        except StopIteration:
            self.request = None
        except JudgeError:
            raise
        except Exception as error:
            raise JudgeError(f"the reference failed: {error!r}", place=raised_at(error)) from error

    def take_output(self) -> tuple[Piece, ...]:
        """The output since the last call."""
        pieces, self._printed = tuple(self._printed), []
        return pieces

    def answer(self, text: str) -> None:
        """Give the input that is asked for. Raises JudgeError when nothing is asked or it does not fit."""
        if self.request is None:
            raise JudgeError(f"the reference has ended and cannot take the input {text!r}")
        wrong = self.request.misfit(text)
        if wrong:
            raise JudgeError(f"the reference asks for {wrong}")
        self._answers.append(text)
        self._advance(text.removesuffix(ENTER) if isinstance(self.request, Line) else text)

    def fork(self) -> ReferenceSession:
        """An independent session in the same state, with all output so far taken."""
        twin = ReferenceSession(self._play)
        for text in self._answers:
            twin.answer(text)
        twin.take_output()
        return twin


def raised_at(error: Exception) -> str:
    """The file and line in which an error was raised."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{last.filename}:{last.lineno}"


class SpeakingReference:
    """A play of a reference as a `Session`: it prints what a program would, where all choices take their defaults.

    With ``echo`` it prints the keys that are typed; a line is shown by the terminal.
    """

    instructions = 0
    how_waits = "exact"

    def __init__(self, play: PlayFunction, *, echo: bool) -> None:
        self._session = ReferenceSession(play)
        self._echo = echo
        self._echoed = ""

    def advance(self) -> Ending | None:
        """Nothing but what it waits for: a reference always runs on by itself."""
        return Ending(EndingKind.ENDED, "the reference ended") if self._session.request is None else None

    def take_output(self) -> bytes:
        """The output since the last call, as UTF-8."""
        text = self._echoed + _spoken(self._session.take_output())
        self._echoed = ""
        return text.encode()

    def send(self, text: str) -> None:
        """Answer what is asked for. Raises JudgeError when nothing is, or it does not fit."""
        self._echoed = text if self._echo and isinstance(self._session.request, Keys) else ""
        self._session.answer(text)

    @property
    def legal(self) -> tuple[str, ...]:
        """The answers that the rules allow now; none once it has ended."""
        return self._session.request.legal if self._session.request else ()

    @property
    def wants(self) -> str:
        """``key`` or ``line``, as the reference asks for it."""
        return "key" if isinstance(self._session.request, Keys) else "line"

    def close_input(self) -> None:
        """Raise JudgeError: a reference knows no end of input."""
        raise JudgeError("the input of a reference cannot be closed")


def _spoken(pieces: Iterable[Piece]) -> str:
    return "".join(piece if isinstance(piece, str) else piece.default for piece in pieces)


def script(
    play: PlayFunction, inputs: Iterable[str], *, echo: bool, heard: Callable[[str], None] | None = None
) -> Script:
    """The output of the reference for ``inputs``; it stops early if the reference ends before they are used up.

    A line is typed with its Enter. With ``echo`` the program under test must print each key itself. ``heard`` is told what is
    printed before the next input is taken. Raises JudgeError when an input does not fit.
    """
    session = ReferenceSession(play)
    turns: list[ExpectedTurn] = []
    before = ""
    rest = iter(inputs)
    while True:
        printed = session.take_output()
        if heard is not None:
            heard(_spoken(printed))
        text = next(rest, None) if session.request is not None else None
        if text is None:
            turns.append(ExpectedTurn(printed, None, before))
            return Script(tuple(turns), ends=session.request is None)
        line = isinstance(session.request, Line)
        # Inputs of a spec may be written with their Enter or without.
        typed = text.removesuffix(ENTER) + ENTER if line else text
        turns.append(ExpectedTurn(printed, typed, before))
        before = text if echo and not line else ""
        session.answer(text)


def load(path: Path) -> ModuleType:
    """Import a reference that talks, from its file or package. Raises JudgeError with the cause when that fails."""
    module = load_module(path)
    talking(module, str(path))
    return module


def is_silent(module: ModuleType) -> bool:
    """Whether a reference is that of a kit, from which ``play`` was taken."""
    return hasattr(module, VOCABULARY) and not isgeneratorfunction(getattr(module, "play", None))


def talking(module: ModuleType, place: str) -> PlayFunction:
    """The ``play`` of a reference that lies at a place. Raises JudgeError if it has none."""
    play: PlayFunction | None = getattr(module, "play", None)
    if not isgeneratorfunction(play):
        hint = "it yields text, and asks for input: answer = yield Keys(2), or Line()"
        raise JudgeError("the reference has no generator function play()", place=place, hint=hint)
    return play


def load_module(path: Path) -> ModuleType:
    """Import a reference under a name of its own, whatever it has. Raises JudgeError with the cause when that fails."""
    name = f"grader_reference_{path.stem}"
    described = spec_from_file_location(name, path)
    if path.is_dir():
        described = spec_from_file_location(name, path / "__init__.py", submodule_search_locations=[str(path)])
    if described is None or described.loader is None:
        raise JudgeError("the reference is no Python file", place=str(path))
    module = module_from_spec(described)
    for part in [known for known in sys.modules if known.startswith(f"{name}.")]:
        del sys.modules[part]  # of another package of that name, which keeps what it has
    # Bytecode lies in no folder of a course, and a file that is edited twice in a second would be taken for what it was before.
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        sys.modules[described.name] = module  # dataclasses look their module up while a class is made
        described.loader.exec_module(module)
    except Exception as error:
        raise JudgeError(f"the reference cannot be imported: {error!r}", place=str(path)) from error
    finally:
        sys.dont_write_bytecode = before
    return module


def perform(play: PlayFunction) -> None:
    """Play a reference on the terminal, echoing each key, until it ends, the input ends, or Ctrl-C is pressed."""
    import click

    session = ReferenceSession(play)
    while True:
        click.echo(_spoken(session.take_output()), nl=False)
        if session.request is None:
            return
        typed = ""
        if isinstance(session.request, Line):
            typed = sys.stdin.readline()
            if not typed:
                return
        while isinstance(session.request, Keys) and len(typed) < session.request.count:
            # In a pipeline there may be no terminal, which ``getchar`` would open.
            key = click.getchar() if sys.stdin.isatty() else sys.stdin.read(1)
            if not key:
                return
            click.echo(key, nl=False)
            typed += key
        session.answer(typed.removesuffix("\n") if isinstance(session.request, Line) else typed)

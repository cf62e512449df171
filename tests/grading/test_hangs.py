"""Runs that took too long: nobody waits for the same a third time, and nothing else is lost by it."""

from __future__ import annotations

from grader.grading.budget import SURE, Hangs, Watched
from grader.sessions.session import play
from grader.transcript import Ending, EndingKind
from tests.scripted import Written

TOO_LONG = Ending(EndingKind.TIME_LIMIT, "it computed for more than 1 s")


class Program(Written):
    """Asks for a letter for ever, and hangs after the letters ``at``; it counts how often it was waited for."""

    waited = 0

    def __init__(self, at: str) -> None:
        self._at = at

    def start(self) -> Program:
        """Begin."""
        self._typed = ""
        return self

    def advance(self) -> Ending | None:
        """Wait, or hang."""
        if self._typed != self._at:
            return None
        self.waited += 1
        return TOO_LONG

    def take_output(self) -> bytes:
        """What it prints."""
        return f"after {self._typed}? ".encode()

    def send(self, text: str) -> None:
        """Take an answer."""
        self._typed += text

    def close_input(self) -> None:
        """Take the end of input."""
        self._typed += "."


def test_a_program_that_always_hangs_costs_its_limit_twice() -> None:
    """Every later run ends at once, in the same manner, and with what it had printed."""
    program, hangs = Program(""), Hangs()
    runs = [play(Watched(program.start, hangs, "c", None), ["a", "b"]) for _ in range(50)]
    assert program.waited == SURE
    assert len(set(runs)) == 1
    assert runs[-1].ending == TOO_LONG
    assert runs[-1].turns[-1].output == "after ? "


def test_a_program_that_hangs_at_one_input_is_judged_at_all_others() -> None:
    """Only the inputs behind which it hung are known; under another profile and another seed nothing is."""
    program, hangs = Program("ab"), Hangs()
    for _ in range(5):
        assert play(Watched(program.start, hangs, "c", None), ["a", "b", "c"]).ending == TOO_LONG
        assert play(Watched(program.start, hangs, "c", None), ["a", "c", "b"]).ending.kind is EndingKind.STILL_WAITING
        assert play(Watched(program.start, hangs, "c", None), ["b", "a"]).ending.kind is EndingKind.STILL_WAITING
    assert program.waited == SURE
    play(Watched(program.start, hangs, "java", None), ["a", "b"])
    play(Watched(program.start, hangs, "c", 7), ["a", "b"])
    assert program.waited == SURE + 2

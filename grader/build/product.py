"""What a compiler made of sources, or why it made nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from grader.source import Diagnostic, Severity
from grader.values import dataclass

CRASH: Final = "crash"
"""What ``Product.stopped`` says of a compiler that broke by a signal of its own."""


@dataclass(frozen=True, slots=True)
class Product:
    """Files by their names, none where the compiler refused the sources, and what it wrote.

    ``stopped`` is empty where it ended by itself, else the limit that it passed, or `CRASH`. ``note`` is for staff.
    """

    files: Mapping[str, bytes]
    said: str = ""
    stopped: str = ""
    note: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        """What staff shall look at."""
        return (self.note,) if self.note else ()

    def stop(self) -> tuple[Diagnostic, ...]:
        """The complaint about sources that a compiler did not get through; none where it ended by itself."""
        if not self.stopped:
            return ()
        if self.stopped == CRASH:
            message, hint = (
                "the compiler crashes on this program",
                "something in it is nested too deeply, or far too large",
            )
        else:
            message = f"the compiler was stopped at its limit: {self.stopped}"
            hint = "it includes or expands without end, or holds something huge"
        return (Diagnostic(Severity.ERROR, "compiler", message, None, hint),)

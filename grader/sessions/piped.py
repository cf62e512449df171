"""The driver that gives a program its whole input as a file does, and then the end of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from grader.sessions.session import WAITS_ON, Session, WithErrors, WithFiles
from grader.spec.expectations import ENTER
from grader.transcript import Ending, Usage
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Piped:
    """What one run printed, wrote to its error stream and left in its folder, and how it ended.

    ``reads`` is how often it waited for input and got some.
    """

    output: bytes
    errors: bytes
    left: Mapping[str, bytes | None]
    ending: Ending
    usage: Usage = field(default_factory=Usage)
    reads: int = 0


def pipe(session: Session, text: str, *, bit_by_bit: bool) -> Piped:
    """Run a program to its end on this input. It need not read it.

    A simulated machine gets its input ``bit_by_bit``: a key or a line whenever it waits for one, as from somebody who types. A
    program that looks whether a key was pressed would else find all of them there at once.
    """
    output, errors, reads = b"", b"", 0
    # To look for it takes longer than a key.
    take_errors = session.take_errors if isinstance(session, WithErrors) else bytes
    at, closed = 0, False
    while True:
        ending = session.advance()
        output += session.take_output()
        errors += take_errors()
        if ending is not None or closed:
            break
        end = len(text)
        if bit_by_bit:
            # Without Enter at its end a last line comes as it is.
            end = at + 1 if session.wants == "key" else text.find(ENTER, at) + 1 or end
        part, at = text[at:end], end
        if part:
            session.send(part)
            reads += 1
        # One that reads a line more than there is must find the end of the input, and not wait.
        if not part or not bit_by_bit:
            session.close_input()
            closed = True
    left = session.left if isinstance(session, WithFiles) else {}
    usage = Usage(session.instructions, reads + 1, len(output))
    return Piped(output, errors, left, ending or WAITS_ON, usage, reads)

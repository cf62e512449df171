"""Lines of source at which a program in C or C++ broke, or loops: the program notes them itself, in a separate run.

Theory of operation. A few lines of ours (linked.c) are linked into every program. They do nothing unless a variable of the environment
asks for notes. No run that is judged has that variable, so no verdict depends on notes. If notes are wanted, the program
writes to its control socket the addresses from which its active functions were called. It does so when a signal breaks it,
and, if samples are wanted, every few milliseconds that it computes. The compiler's own ``addr2line`` makes lines of the addresses, in a sandbox,
since what it reads was made of what a student wrote. Nobody traces the program, so that the walls of its cage stay as they are.

The program can forge a note. It is shown beside a finding, and nothing else is done with it.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Final

from grader.build.tool import TOOL_LIMITS
from grader.sandbox import Cage, Command, complete
from grader.sessions.noted import Active, Note

WANTED: Final = "GRADER_NOTES"
BROKEN: Final = "broken"
SAMPLES: Final = "samples"
"""The variable of the environment: ``broken`` asks for a note where a signal breaks the program, ``samples`` for samples as well."""

DEEPEST: Final = 48
"""So many calls are told of each place, the innermost ones."""

LINKED: Final = Path(__file__).with_name("linked.c").read_bytes()
"""A part that is linked into every program, in C."""

_NOTE: Final = struct.Struct(f"=iiQ{DEEPEST}Q")
_MOST_NOTES: Final = 200
_EXECUTABLE: Final = 2  # the type of an ELF file that lies where its addresses say
_FAR: Final = 1 << 30  # no program of a student is so large: what lies behind is a library
_BLOCK: Final = re.compile(r"^0x([0-9a-f]+)$")
# A forged trace named lines with thousands of digits.
_SOURCE: Final = re.compile(r"^(?P<file>.*):(?P<line>\d{1,7})(?: \(discriminator \d+\))?$")
_ENVIRONMENT: Final = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}


def read(data: bytes, program: bytes, cage: Cage) -> tuple[Note, ...]:
    """The notes of a program, with the lines of its source; ``cage`` is an empty one, for the tool. None that makes no sense.

    Raises JudgeError where the tool cannot be run.
    """
    fixed = program[16:18] == struct.pack("=H", _EXECUTABLE)
    starts = range(0, len(data) - _NOTE.size + 1, _NOTE.size)
    raw = [_addresses(data[at : at + _NOTE.size], fixed=fixed) for at in starts]
    # A program can write notes itself: no tool is given more addresses than a second of it can look up.
    if len(raw) > _MOST_NOTES:
        step = len(raw) / _MOST_NOTES
        raw = [raw[int(number * step)] for number in range(_MOST_NOTES)]
    wanted = sorted({address for _, addresses in raw for address in addresses if address is not None})
    lines = _looked_up(wanted, program, cage) if wanted else {}
    taken: list[Note] = []
    for signal, addresses in raw:
        active = [lines.get(address) or (Active(),) if address else (Active(),) for address in addresses]
        taken.append(Note(signal, tuple(chain.from_iterable(active)), deep=len(addresses) == DEEPEST))
    return tuple(taken)


def _addresses(note: bytes, *, fixed: bool) -> tuple[int, list[int | None]]:
    """The signal of a note, and the addresses in the program's file; None for one that lies elsewhere.

    All except the innermost are addresses to which calls return: the call itself stands before.
    """
    signal, depth, start, *frames = _NOTE.unpack(note)
    base = 0 if fixed else start
    addresses: list[int | None] = []
    for number, frame in enumerate(frames[: max(0, depth)]):
        inside = 0 < frame - start < _FAR
        addresses.append(frame - base - (number > 0) if inside else None)
    return signal, addresses


def _looked_up(addresses: Sequence[int], program: bytes, cage: Cage) -> Mapping[int, tuple[Active, ...]]:
    """The functions at these addresses; where one was put into another, both, the inner one first."""
    cage.put("program", program)
    words = ("addr2line", "-e", "program", "-a", "-f", "-i", "-C")
    lines: dict[int, tuple[Active, ...]] = {}
    command = Command((*words, *map(hex, addresses)), TOOL_LIMITS, _ENVIRONMENT, watch_reads=False)
    lines_of_tool = complete(cage, command).output.decode("utf-8", "replace").splitlines()
    starts = [number for number, line in enumerate(lines_of_tool) if _BLOCK.match(line)]
    for start, end in zip(starts, [*starts[1:], len(lines_of_tool)], strict=True):
        active = []
        for function, place in zip(
            lines_of_tool[start + 1 : end : 2], lines_of_tool[start + 2 : end : 2], strict=False
        ):
            match = _SOURCE.match(place)
            # addr2line knows no file for a library's function.
            known = match is not None and match["file"] != "??"
            active.append(
                Active(function.partition("(")[0], match["file"], int(match["line"])) if match and known else Active()
            )
        lines[int(lines_of_tool[start], 16)] = tuple(active)
    return lines

"""A call as a program of its own: an assembly source for any simulator that does the same, and then ends.

The program contains the student's source unchanged. Our code lays out memory, fills registers, and calls the routine. For the
LC-3 it stands before the source, with its data in blocks behind; for MARS it stands behind the source.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from grader.errors import UsageError
from grader.machines.families import Family
from grader.sessions.laying import Abode, written_address
from grader.sessions.routine import Prepared
from grader.source import SourceFile


def dumped(
    family: Family, sources: Sequence[SourceFile], routine: str, abode: Abode, prepared: Prepared, title: str
) -> str:
    """The source of a program that makes one call and ends. Raises UsageError if we know none for the machine."""
    # The call stands before the program, whose addresses it moves.
    if written_address(routine) is not None:
        raise UsageError("a call of an address cannot be written as a program", hint="call a label")
    writer = {"lc3": _lc3, "mips": _mips}.get(family.language)
    if writer is None:
        raise UsageError("we can write no program for this machine that makes a call")
    return writer(family, sources, routine, abode, prepared, title)


# --------------------------------------------------------------------------------------------------------------- the LC-3


def _lc3(
    family: Family, sources: Sequence[SourceFile], routine: str, abode: Abode, prepared: Prepared, title: str
) -> str:
    rows = _rows(prepared)
    labelled = [(label, words) for _, words, label in rows if label is not None]
    head = [
        f"; {title}",
        "; HALT follows the call: look at the registers there.",
        *_lc3_call(routine, prepared, labelled),
    ]
    # Simulators begin where the first segment does. It may be the course's driver that lies at x3000, and not the first source.
    begun = ((source, at) for source in sources if (at := _line_of_origin(family, source)) is not None)
    beginning, at = next(begun, (None, 0))
    if beginning is None:
        lines = [".ORIG x3000", *head, ".END"]
    else:
        lines = [*beginning.lines[: at + 1], *head, *beginning.lines[at + 1 :]]
    lines += [line for source in sources if source is not beginning for line in source.lines]
    for place, words, label in rows:
        if label is None:
            lines += _block(place, "", words, prepared)
    place = abode.blocks.stop - sum(len(words) for _, words in labelled)
    for number, (_, words) in enumerate(labelled):
        lines += _block(place, f"GRADER_W{number}", words, prepared)
        place += len(words)
    return "\n".join(lines) + "\n"


def _block(place: int, label: str, words: Sequence[int], prepared: Prepared) -> list[str]:
    first, *others = (f"        {_fill(word, prepared)}" for word in words)
    return [f"        .ORIG x{place:04X}", f"{label}{first}", *others, "        .END"]


def _lc3_call(routine: str, prepared: Prepared, labelled: Sequence[tuple[str, tuple[int, ...]]]) -> Iterator[str]:
    for number, (label, _) in enumerate(labelled):
        yield f"        LD R1, GRADER_T{number}     ; {label}"
        yield f"        LD R2, GRADER_F{number}"
        yield f"        LD R3, GRADER_N{number}"
        yield f"GRADER_C{number} LDR R0, R2, #0"
        yield "        STR R0, R1, #0"
        yield "        ADD R1, R1, #1"
        yield "        ADD R2, R2, #1"
        yield "        ADD R3, R3, #-1"
        yield f"        BRp GRADER_C{number}"
    yield from (f"        LD R{number}, GRADER_R{number}" for number in range(7))
    yield f"        JSR {routine}"
    yield "        HALT"
    for number in range(7):
        yield f"GRADER_R{number} {_fill(prepared.registers[number], prepared)}"
    for number, (label, words) in enumerate(labelled):
        yield f"GRADER_T{number} .FILL {label}"
        yield f"GRADER_F{number} .FILL GRADER_W{number}"
        yield f"GRADER_N{number} .FILL #{len(words)}"


def _fill(word: int, prepared: Prepared) -> str:
    return f".FILL {prepared.labels.get(word) or f'x{word:04X}'}"


def _line_of_origin(family: Family, source: SourceFile) -> int | None:
    """The line of the first .ORIG, from 0, if the source begins at x3000."""
    for statement in family.statements(source):
        if statement.mnemonic.upper() == ".ORIG":
            begins = statement.operands[:1] and statement.operands[0].lower().lstrip("0x#") in ("3000", "12288")
            return statement.line - 1 if begins else None
    return None


# ------------------------------------------------------------------------------------------------------------------- MIPS


def _mips(family: Family, sources: Sequence[SourceFile], routine: str, _: Abode, prepared: Prepared, title: str) -> str:
    # MARS begins at the first instruction, and ends where there is no further one: to end by a system call would take $v0, the result.
    lines = [
        f"# {title}",
        "# It begins at its first instruction, and ends behind the call, at its last: look at registers and memory there.",
        ".text",
        "    j grader_call",
        *(line for one in sources for line in one.lines),
        ".text",
        "grader_call:",
    ]
    for at, data, label in _rows(prepared):
        lines.append(f"    la $t0, {label}" if label is not None else f"    li $t0, 0x{at:08x}")
        lines += chain.from_iterable(_mips_words(data, prepared))
    kept = [number for number in range(2, 31) if number not in (26, 27, 28)]
    lines += [f"    {_load(family.registers[number], prepared.registers[number], prepared)}" for number in kept]
    return "\n".join((*lines, f"    jal {routine}")) + "\n"


def _mips_words(data: Sequence[int], prepared: Prepared) -> Iterator[tuple[str, ...]]:
    whole = len(data) // 4 * 4
    for at in range(0, whole, 4):
        word = int.from_bytes(bytes(data[at : at + 4]), "little")
        yield f"    {_load('$t1', word, prepared)}", f"    sw $t1, {at}($t0)"
    for at in range(whole, len(data)):
        yield f"    li $t1, {data[at]}", f"    sb $t1, {at}($t0)"


def _load(register: str, word: int, prepared: Prepared) -> str:
    label = prepared.labels.get(word)
    return f"la {register}, {label}" if label else f"li {register}, 0x{word:08x}"


# ------------------------------------------------------------------------------------------------------------------ rows


def _rows(prepared: Prepared) -> list[tuple[int, tuple[int, ...], str | None]]:
    """The stored words, in stretches without a gap, each with its address, and the label if it begins at one."""
    cells = {place: cell for at, row in prepared.stored for place, cell in enumerate(row, at)}
    rows: list[tuple[int, tuple[int, ...], str | None]] = []
    for place in sorted(cells):
        label = prepared.labels.get(place)
        if rows and label is None and place == rows[-1][0] + len(rows[-1][1]):
            rows[-1] = (rows[-1][0], (*rows[-1][1], cells[place]), rows[-1][2])
        else:
            rows.append((place, (cells[place],), label))
    return rows

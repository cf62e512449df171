"""SPIM's ``li``, ``li.s`` and ``li.d`` where the value decides what they become, which no row of a table can say."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from grader.machines.mips.dialect import FLOAT_REGISTERS, classify, real


def immediate_loads(words: Sequence[str]) -> list[list[str]]:
    """The instructions that a load of a number becomes, none where the tables know it as it is.

    A multiple of 65536 is a single ``lui``. ``li.s`` and ``li.d`` load the bits of a number, ``li.d`` into two registers.
    """
    if len(words) != 3:
        return []
    name, register, number = words
    if name == "li":
        value = classify(number, "spim")[1]
        single = value and value & 0xFFFF == 0 and classify(register, "spim")[0] == "r"
        return [["lui", register, str(value >> 16 & 0xFFFF)]] if single and value else []
    place, wanted = FLOAT_REGISTERS.get(register), real(number)
    if name not in ("li.s", "li.d") or place is None or wanted is None:
        return []
    try:
        bits = struct.unpack("<i" if name == "li.s" else "<ii", struct.pack("<f" if name == "li.s" else "<d", wanted))
    except OverflowError:
        return []
    return [[name, f"$f{place + offset}", str(word)] for offset, word in enumerate(bits)]

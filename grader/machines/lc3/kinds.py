"""The numbers that the LC-3's loop works with: kinds of words, marks, where devices are.

A *kind* is one byte for each address that says what the word there is. Kinds 0-15 are opcodes; 13, the opcode that
does not exist, stands for every word that is no instruction. Others tell two forms of one opcode apart, or say that a
word is not to be run at all.
"""

from __future__ import annotations

from array import array

ILLEGAL_WORD, ADD_IMMEDIATE, AND_IMMEDIATE, JSRR = 13, 16, 17, 18
UNTOUCHED = 20  # neither the program's image nor a store has ever filled it
DATA = 21  # part of a string or a block, by the source
GUARDED = 22  # of the image, but where the profile lets no user execute

EXECUTED, CODE = 1, 2  # marks: ran; code by the source

DEVICES = 0xFE00
SUPERVISOR_STACK = 0x3000
KEYBOARD_VECTOR = 0x0180
KEYBOARD_PRIORITY = 4


def _classes() -> array[int]:
    """The kind of each of the 65,536 words; built of runs, because the table of ``isa`` takes too long for an import."""
    no = bytes([ILLEGAL_WORD])
    rows = [bytes([opcode]) * 4096 for opcode in range(16)]
    rows[1] = (bytes([1]) * 8 + no * 24 + bytes([ADD_IMMEDIATE]) * 32) * 64
    rows[4] = (bytes([JSRR]) + no * 63) * 8 + no * 1536 + bytes([4]) * 2048
    rows[5] = (bytes([5]) * 8 + no * 24 + bytes([AND_IMMEDIATE]) * 32) * 64
    rows[8] = bytes([8]) + no * 4095
    rows[9] = (no * 63 + bytes([9])) * 64
    rows[12] = (bytes([12]) + no * 63) * 8 + no * 3584
    rows[15] = bytes([15]) * 256 + no * 3840
    return array("B", b"".join(rows))


CLASSES = _classes()

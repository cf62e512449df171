"""Texts in the memory of an LC-3."""

from __future__ import annotations

from array import array


def text_at(memory: array[int], address: int) -> bytes:
    """The low bytes of the words from ``address`` up to a word of zero; nothing where none is left up to the end of memory."""
    try:
        end = memory.index(0, address)
    except ValueError:
        return b""
    return bytes([word & 0xFF for word in memory[address:end]])

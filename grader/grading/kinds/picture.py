"""What a program painted into memory, as a picture for the report.

PNG as the W3C specifies it (Portable Network Graphics, third edition): one IHDR, one IDAT, one IEND; 8 bits for each of
red, green and blue; no filter.
"""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode
from collections.abc import Callable

from grader.spec.kinds.machine import Bitmap

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def picture(read: Callable[[int], int], bitmap: Bitmap) -> str:
    """The words of a bitmap, each ``0x00RRGGBB``, as a ``data:`` address of a PNG."""
    pixels = b"".join(_row(read, bitmap, row) for row in range(bitmap.height))
    header = struct.pack(">IIBBBBB", bitmap.width, bitmap.height, 8, 2, 0, 0, 0)
    chunks = _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(pixels, 9)) + _chunk(b"IEND", b"")
    return "data:image/png;base64," + b64encode(_SIGNATURE + chunks).decode("ascii")


def _row(read: Callable[[int], int], bitmap: Bitmap, row: int) -> bytes:
    first = bitmap.address + 4 * bitmap.width * row
    words = (read(first + 4 * column) for column in range(bitmap.width))
    return b"\0" + b"".join((word & 0xFF_FFFF).to_bytes(3, "big") for word in words)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

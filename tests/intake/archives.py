"""Zip archives made byte by byte, so that they can be wrong in one chosen way."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

from grader.submission import Submission


@dataclass
class Piece:
    """One member to be; None means "as it really is"."""

    name: bytes
    data: bytes = b""
    flags: int = 0
    deflate: bool = False
    method: int | None = None
    mode: int = 0
    extra: bytes = b""
    crc: int | None = None
    declared: int | None = None
    shares: int | None = None
    """The index of an earlier member whose local header and data this one uses."""
    at: int | None = None
    """The place in the archive where its local header is, instead of a place of its own."""


def make_zip(*pieces: Piece, comment: bytes = b"") -> bytes:
    """A zip archive with these members in this order."""
    body = bytearray()
    offsets: list[int] = []
    directory = bytearray()
    for piece in pieces:
        packed = _deflated(piece.data) if piece.deflate else piece.data
        head = _head(piece, packed)
        own = len(body) if piece.at is None else piece.at
        offsets.append(own if piece.shares is None else offsets[piece.shares])
        if piece.shares is None and piece.at is None:
            body += struct.pack("<4s", b"PK\3\4") + head + struct.pack("<HH", len(piece.name), 0) + piece.name + packed
        directory += struct.pack("<4sH", b"PK\1\2", 0x0314) + head
        directory += struct.pack("<HHHHHLL", len(piece.name), len(piece.extra), 0, 0, 0, piece.mode << 16, offsets[-1])
        directory += piece.name + piece.extra
    end = struct.pack("<HHHHLLH", 0, 0, len(pieces), len(pieces), len(directory), len(body), len(comment))
    return bytes(body) + bytes(directory) + b"PK\5\6" + end + comment


def _head(piece: Piece, packed: bytes) -> bytes:
    method = (8 if piece.deflate else 0) if piece.method is None else piece.method
    crc = zlib.crc32(piece.data) if piece.crc is None else piece.crc
    size = len(piece.data) if piece.declared is None else piece.declared
    return struct.pack("<HHHHHLLL", 20, piece.flags, method, 0, 0x21, crc, len(packed), size)


def _deflated(data: bytes) -> bytes:
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    return squeeze.compress(data) + squeeze.flush()


def gbk_zip(files: dict[str, bytes]) -> bytes:
    """An archive of a Chinese Windows: names in GBK, and no flag that says so."""
    return make_zip(*(Piece(name.encode("gbk"), data, deflate=True) for name, data in files.items()))


def unicode_path(raw: bytes, name: str) -> bytes:
    """The Unicode Path extra field that goes with a raw name."""
    body = b"\1" + struct.pack("<L", zlib.crc32(raw)) + name.encode()
    return struct.pack("<HH", 0x7075, len(body)) + body


def paths(submission: Submission) -> list[str]:
    """The paths of all files of a submission."""
    return [file.path for file in submission.files]

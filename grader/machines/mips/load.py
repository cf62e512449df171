"""Code, memory and registers at the start of a program."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping

from grader.machines.image import Block, Image
from grader.machines.mips import kinds
from grader.machines.mips.decode import decode, pack
from grader.machines.mips.profiles import Profile
from grader.machines.mips.quick import quick_code
from grader.values import dataclass

_MASK = 0xFFFF_FFFF
_SEGMENT = range(kinds.TEXT_BYTES)
_TOP = 0x7FFF_FFFD
"""Above the last byte that arguments may use, as in MARS."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A machine at the start; never written.

    - ``code``: text from 0x00400000 on and one entry without code, the same for kernel text from 0x80000000 on, and an entry
      for each other address that a branch leads to.
    - ``home``: the entry that stands for the return from main.
    - ``words``: the instruction words by address.
    - ``pages``: the words of a page of memory by its number; all other pages are 0.
    - ``known``: a byte for each word of these pages. Its lowest four bits say which bytes of the word the source sets.
    """

    code: array[int]
    quick: array[int]
    words: Mapping[int, int]
    text_words: int
    kernel_at: int
    kernel_words: int
    home: int
    pages: Mapping[int, array[int]]
    known: Mapping[int, bytearray]
    registers: array[int]
    data_bytes: int
    entry: int


def place_of(address: int) -> int | None:
    """The index of the word at ``address`` in the array of memory; None for text and for places that do not exist."""
    for start, size, first in (
        (kinds.DATA, kinds.DATA_BYTES, 0),
        (kinds.STACK, kinds.STACK_BYTES, kinds.STACK_PLACE),
        (kinds.KERNEL_DATA, kinds.KERNEL_DATA_BYTES, kinds.KERNEL_DATA_PLACE),
        (kinds.DEVICES, kinds.DEVICE_BYTES, kinds.DEVICE_PLACE),
    ):
        if start <= address < start + size:
            return first + (address - start) // 4
    return None


def load(image: Image, profile: Profile, arguments: tuple[bytes, ...] = ()) -> Loaded:
    """Put ``image`` into a machine of this profile, with the arguments that its program is called with."""
    words: dict[int, int] = {}
    pages: dict[int, array[int]] = {}
    known: dict[int, bytearray] = {}
    for block in image.blocks:
        for address, word in enumerate(block.words):
            _put(block.origin + 4 * address, word & _MASK, words, pages)
        if profile.refuses_unset:
            _note_known(block, known)
    for reserved in image.reserved if profile.refuses_unset else ():
        _forget(reserved, known)
    text_words = _length(words, kinds.TEXT, kinds.TEXT_BYTES)
    kernel_words = _length(words, kinds.KERNEL_TEXT, kinds.TEXT_BYTES)
    kernel_at = text_words + 1
    wild: dict[int, int] = {}

    def place(address: int) -> int:
        text, kernel = address - kinds.TEXT, address - kinds.KERNEL_TEXT
        if 0 <= text <= 4 * text_words:
            return text >> 2
        if kernel_words and 0 <= kernel <= 4 * kernel_words:
            return kernel_at + (kernel >> 2)
        return wild.setdefault(address, kernel_at + kernel_words + 1 + len(wild))

    # A jr $ra from main must find an entry, although no code lies there.
    home = place(profile.return_address)
    code = array("Q", bytes(8 * (kernel_at + kernel_words + 1)))
    for address, word in words.items():
        code[place(address)] = decode(word, address, place, delayed=profile.delayed)
    code.extend(pack(kinds.WILD, immediate=address) for address in wild)
    registers = _registers(profile)
    if arguments:
        _put_arguments(profile, arguments, registers, pages)
    elif profile.argument:
        _put_name(profile, registers, pages)
    ends = [block.origin + 4 * len(block.words) for block in image.blocks if place_of(block.origin) is not None]
    # SPIM gives whole pages to a program whose data goes beyond the usual 128 KiB; it may read to the end of the last.
    whole = [(end + 4095) & ~4095 for end in ends if end <= kinds.DATA + kinds.DATA_BYTES]  # pages
    data_end = max([kinds.DATA + profile.data_bytes, *whole])
    return Loaded(
        code, quick_code(code), words, text_words, kernel_at, kernel_words, home, pages, known, registers,
        data_end - kinds.DATA, place(image.entry),
    )  # fmt: skip


def _registers(profile: Profile) -> array[int]:
    registers = array("I", bytes(4 * kinds.REGISTERS))
    registers[kinds.GP], registers[kinds.SP] = 0x1000_8000, profile.stack_pointer
    registers[kinds.RA], registers[kinds.FP] = profile.return_address, profile.frame_pointer
    return registers


def _put_name(profile: Profile, registers: array[int], pages: dict[int, array[int]]) -> None:
    """At the stack pointer: one argument, the address of the program's name above, 0, and no environment, as SPIM has it."""
    pointer, at = profile.stack_pointer, profile.stack_pointer + 16
    _put_words(pointer, (1, at, 0, 0), pages)
    _put_bytes(at, profile.argument + b"\0", pages)
    registers[kinds.A0], registers[kinds.A1], registers[kinds.A2] = 1, pointer + 4, pointer + 12


def _put_arguments(
    profile: Profile, arguments: tuple[bytes, ...], registers: array[int], pages: dict[int, array[int]]
) -> None:
    """The number of arguments at the stack pointer and in ``$a0``, their addresses above it from ``$a1`` on, and 0.

    As MARS lays them out: the texts end at the top of memory, the first highest, and the table below the usual stack pointer.
    If the profile gives programs their name, it is the first of them.
    """
    words = (profile.argument, *arguments) if profile.argument else arguments
    at, texts, addresses = _TOP, b"", []
    for word in words:
        texts = word + b"\0" + texts
        at = _TOP - len(texts)
        addresses.append(at)
    end = profile.stack_pointer if at > profile.stack_pointer else (at - 1 & ~3) - 4
    table = (len(words), *addresses, 0, *((0,) if profile.argument else ()))  # the latter ends an empty environment
    pointer = end - 4 * (len(table) - 1)
    _put_words(pointer, table, pages)
    _put_bytes(at & ~3, bytes(at & 3) + texts, pages)
    registers[kinds.SP], registers[kinds.A0], registers[kinds.A1] = pointer, len(words), pointer + 4
    registers[kinds.A2] = pointer + 4 * (len(words) + 2) if profile.argument else 0


def _put_words(at: int, words: Iterable[int], pages: dict[int, array[int]]) -> None:
    for offset, word in enumerate(words):
        _put(at + 4 * offset, word, {}, pages)


def _put_bytes(at: int, data: bytes, pages: dict[int, array[int]]) -> None:
    """Bytes from the beginning of a word on."""
    _put_words(at, memoryview(data + bytes(-len(data) % 4)).cast("I"), pages)


def _put(address: int, word: int, words: dict[int, int], pages: dict[int, array[int]]) -> None:
    place = place_of(address)
    if place is None:
        if address - kinds.TEXT in _SEGMENT or address - kinds.KERNEL_TEXT in _SEGMENT:
            words[address] = word
    else:
        page = pages.setdefault(place // kinds.PAGE_WORDS, array("I", bytes(4 * kinds.PAGE_WORDS)))
        page[place % kinds.PAGE_WORDS] = word


def _note_known(block: Block, known: dict[int, bytearray]) -> None:
    for offset in range(len(block.words)):
        place = place_of(block.origin + 4 * offset)
        if place is not None:
            page = known.setdefault(place // kinds.PAGE_WORDS, bytearray(kinds.PAGE_WORDS))
            page[place % kinds.PAGE_WORDS] = 15


def _forget(reserved: range, known: dict[int, bytearray]) -> None:
    """Take the bytes of a stretch out of what is known; only pages that hold anything matter."""
    first = place_of(reserved.start)
    if first is None or not reserved:
        return
    start, end = 4 * first + reserved.start % 4, 4 * first + reserved.start % 4 + len(reserved)  # in bytes of memory
    size = 4 * kinds.PAGE_WORDS
    for page, words in known.items():
        for byte in range(max(start, page * size), min(end, (page + 1) * size)):
            words[byte // 4 % kinds.PAGE_WORDS] &= ~(1 << byte % 4)


def _length(words: Mapping[int, int], start: int, size: int) -> int:
    """The number of words of a segment from its start to the last filled one."""
    return max(((address - start) // 4 + 1 for address in words if start <= address < start + size), default=0)

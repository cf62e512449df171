"""Reports of a program in C or C++ that was compiled with checks and breaks a rule of its language: one sentence, and the student's line.

AddressSanitizer and UndefinedBehaviorSanitizer write a page for whoever knows compilers. Of that a student needs which line did
what to which variable. A line is always one of the student's own: the innermost that the report names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath

from grader.sandbox import Status
from grader.sessions.native import Explain
from grader.source import SourceFile
from grader.transcript import Ending, EndingKind
from grader.values import dataclass

FLAGS = (
    "-g",
    "-fsanitize=address,undefined",
    "-fno-sanitize=object-size,alignment",  # the first tells of less than the address is, the second of what does no harm here
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
    "-fno-inline",  # else a line would be that of a caller
    "-fno-optimize-sibling-calls",
)
"""Flags of gcc for a program that is to be checked while it runs."""

# A code that no program ends with by itself; 1, the usual one, is what many return.
_CODE = 86
_ADDRESS = (
    f"exitcode={_CODE}",
    "detect_leaks=0",  # to look for leaks it would have to trace itself, which no sandbox allows
    "detect_stack_use_after_return=1",
    "allocator_may_return_null=1",
    "quarantine_size_mb=16",
    "malloc_context_size=10",
    "print_legend=0",
    "color=never",
)
ENVIRONMENT: Mapping[str, str] = {
    "ASAN_OPTIONS": ":".join(_ADDRESS),
    "UBSAN_OPTIONS": f"exitcode={_CODE}:print_stacktrace=1:color=never",
}
"""Settings for a checked program at its start; they go before those in a source."""


def explains(sources: Sequence[SourceFile], otherwise: Explain | None = None) -> Explain:
    """The function that words the ending of a checked program; ``otherwise`` of all others."""
    return partial(_explain, sources, otherwise)


def _explain(sources: Sequence[SourceFile], otherwise: Explain | None, status: Status, errors: str) -> Ending | None:
    report = _Report.of(errors, sources) if status.exit_code == _CODE else None
    if report is None:
        return otherwise(status, errors) if otherwise else None
    source, line = report.at or (None, 0)
    sentence = report.sentence
    if source is None:
        return Ending(EndingKind.UNDEFINED, f"the program {sentence}")
    where = f"line {line}" if len(sources) == 1 else f"line {line} of {source.name}"
    place, excerpt = f"{source.name}:{line}", source.line_span(line).excerpt()
    return Ending(EndingKind.UNDEFINED, f"{where} {sentence}", place=place, excerpt=excerpt)


Place = tuple[SourceFile, int]

_HEAD = re.compile(r"ERROR: AddressSanitizer: (?P<what>[^\n]*)")
_CHECK = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+): runtime error: (?P<what>[^\n]*)", re.MULTILINE)
_FRAME = re.compile(r"^\s+#\d+ 0x[0-9a-f]+ in .*? (?P<file>[^\s:]+):(?P<line>\d{1,7})(?::\d+)?$")
_ACCESS = re.compile(r"^(?P<does>READ|WRITE) of size (?P<size>\d+)", re.MULTILINE)
_SIGNAL = re.compile(r"caused by a (?P<does>READ|WRITE) memory access")
_STACK = re.compile(
    r"^[ \t]+\[(?P<from>\d+), (?P<to>\d+)\) '(?P<name>[^'\n]+?)(?::\d+)?'.*<== Memory access at offset (?P<at>\d+) ",
    re.MULTILINE,
)
_SIDE = r"located (?P<far>\d+) bytes (?P<side>to the right of|after|to the left of|before|inside of) "
_GLOBAL = r"global variable '(?P<name>[^']+)' defined in '[^']*' \(0x[0-9a-f]+\) of size (?P<whole>\d+)"
_REGION = re.compile(rf"{_SIDE}(?:(?P<size>\d+)-byte region|{_GLOBAL})")
# Sizes that a load or a store has; `memcpy` and others touch any number of bytes.
_ELEMENTS = (1, 2, 4, 8, 16)


@dataclass(frozen=True, slots=True)
class _Report:
    """One report: what was done, and at which line of the student's; None where it names none."""

    at: Place | None
    sentence: str

    @classmethod
    def of(cls, errors: str, sources: Sequence[SourceFile]) -> _Report | None:
        """The report in what a program wrote to its error stream; None without one."""
        head, check = _HEAD.search(errors), _CHECK.search(errors)
        if head is not None:
            trace = _Trace(errors[head.start() :], sources)
            return cls(next(trace.places(), None), _of_address(head["what"], trace))
        if check is not None:
            trace = _Trace(errors[check.start() :], sources)
            there = _place(check["file"], check["line"], sources)
            return cls(there or next(trace.places(), None), _of_rule(check["what"], there, int(check["column"])))
        return None


@dataclass(frozen=True, slots=True)
class _Trace:
    """The text of a report from its head on; the calls behind a word of it, the innermost first."""

    text: str
    sources: Sequence[SourceFile]

    def places(self, after: str = "") -> Iterator[Place]:
        """The student's own lines among the calls that stand first behind ``after``."""
        _, separator, rest = self.text.partition(after) if after else ("", "x", self.text)
        begun = False
        for line in rest.splitlines()[1:] if separator else ():
            frame = _FRAME.match(line)
            begun = begun or frame is not None
            if begun and not re.match(r"\s+#\d", line):
                return
            there = _place(frame["file"], frame["line"], self.sources) if frame else None
            if there is not None:
                yield there

    def line(self, after: str) -> str:
        """``line 14`` for the innermost line of the student's behind a word; empty without one."""
        there = next(self.places(after), None)
        return "" if there is None else f"line {there[1]}"


def _place(file: str, line: str, sources: Sequence[SourceFile]) -> Place | None:
    """A line of the student's by the path that a report gives: as it was compiled, or below the folder of a cage."""
    number = int(line)
    for source in sources:
        path = str(PurePosixPath(source.name))
        if (file.removeprefix("./") == path or file.endswith(f"/{path}")) and 0 < number <= len(source.lines):
            return source, number
    return None


# ------------------------------------------------------------------------------------------------------------- addresses


_MISMATCH = (
    "gives memory back in another way than it was allocated: `new` goes with `delete`, `new[]` with `delete[]`, and `malloc` "
    "with `free`"
)
_DEEDS: tuple[tuple[str, str], ...] = (
    ("double-free", "frees memory that {who} has freed already"),
    ("not malloc()-ed", "frees memory that was not allocated, or not from its beginning"),
    ("heap-use-after-free", "{does} memory that {who} has freed"),
    ("stack-use-after-return", "{does} {variable}, whose function has returned"),
    ("stack-use-after-scope", "{does} {variable}, which ended with its block"),
    ("zero page", "{does} through a null pointer"),
    ("SEGV", "{does} through a pointer that points to nothing of the program's"),
    ("stack-overflow", "calls functions without end: the stack is full"),
    ("negative-size-param", "copies or fills a negative number of bytes"),
    ("param-overlap", "copies between places that overlap"),
    ("alloc-dealloc-mismatch", _MISMATCH),
)
"""AddressSanitizer's names of deeds, or words on how they go on, and our sentences for them; the first that fits."""


def _of_address(what: str, trace: _Trace) -> str:
    """The deed to memory: ``writes one element past the end of `heaps```."""
    if "SEGV" in what and "address points to the zero page" in trace.text:
        what = "zero page"
    for word, sentence in _DEEDS:
        if word in what:
            match = _STACK.search(trace.text)
            variable = f"the variable `{match['name']}`" if match else "a variable"
            who = trace.line("freed by thread") or "the program"
            return sentence.format(does=_does(trace), who=who, variable=variable)
    kind = what.partition(" ")[0]
    if kind.endswith(("overflow", "underflow")) and _ACCESS.search(trace.text):
        return _of_bounds(trace)
    return f"uses memory wrongly: {kind.replace('-', ' ')}"


def _does(trace: _Trace) -> str:
    match = _ACCESS.search(trace.text) or _SIGNAL.search(trace.text)
    return "writes" if match and match["does"] == "WRITE" else "reads"


def _of_bounds(trace: _Trace) -> str:
    """How far outside of what: of a variable by its offsets in the frame, of a block by its distance."""
    access, does = _ACCESS.search(trace.text), _does(trace)
    size = int(access["size"]) if access else 0
    stack, region = _STACK.search(trace.text), _REGION.search(trace.text)
    if stack is not None:
        begin, end, at = int(stack["from"]), int(stack["to"]), int(stack["at"])
        whole, behind, before = end - begin, at - end, begin - at
        name = f"`{stack['name']}`"
    elif region is not None:
        whole = int(region["size"] or region["whole"])
        far, right = int(region["far"]), region["side"] in ("to the right of", "after")
        left = region["side"] in ("to the left of", "before")
        behind, before = (far if right else -whole + far), (far if left else -far)
        allocated = trace.line("allocated by thread") or "the program"
        name = f"`{region['name']}`" if region["name"] else f"the {_bytes(whole)} that {allocated} allocated"
    else:
        return f"{does} outside of its memory"
    if size not in _ELEMENTS or behind < 0 < behind + size:
        return f"{does} {_bytes(size)} into {name}" + (f", which has {_bytes(whole)}" if name.startswith("`") else "")
    if before > 0:
        return f"{does} {_count(-(-before // size), size)} before the beginning of {name}"
    return f"{does} {_count(behind // size + 1, size)} past the end of {name}"


def _bytes(count: int) -> str:
    return "one byte" if count == 1 else f"{count:,} bytes"


def _count(number: int, size: int) -> str:
    noun = "byte" if size == 1 else "element"
    return f"one {noun}" if number == 1 else f"{number:,} {noun}s"


# ----------------------------------------------------------------------------------------------------------------- rules

_INDEX = re.compile(r"index (?P<index>-?\d+) out of bounds for type '[^']*?\[(?P<length>\d+)\]")
_TYPE = r"'(?P<type>[^']*)'"
_TURNED = r"negation of \S{1,40}|left shift of \S{1,40} by \d{1,40} places"
_MOVED = "pointer index expression|addition of unsigned offset|subtraction of unsigned"
_NO_FIT = "computes {sum}, which does not fit into {type}"
_NO_VALUE = "reached the end of a value-returning function|reached an unreachable program point"

_RULES: tuple[tuple[str, str], ...] = (
    (rf"integer overflow: (?P<sum>.{{1,99}}?) cannot be represented in type {_TYPE}", _NO_FIT),
    (rf"(?P<sum>{_TURNED}) cannot be represented in type {_TYPE}", _NO_FIT),
    (r"left shift of negative value", "shifts a negative number to the left"),
    (
        r"shift exponent (?P<by>-?\d+) is (?:negative|too large)",
        "shifts by {by}, which is negative or more than the number has bits",
    ),
    (r"division by zero", "divides by zero"),
    (rf"load of null pointer of type {_TYPE}", "reads {type} through a null pointer"),
    (rf"store to null pointer of type {_TYPE}", "writes {type} through a null pointer"),
    (rf"member (?:access within|call on) null pointer of type {_TYPE}", "looks into {type} through a null pointer"),
    (r"reference binding to null pointer", "makes a reference out of a null pointer"),
    (r"null pointer passed as argument (?P<n>\d+)", "passes a null pointer as argument {n}"),
    (r"offset (?:-?\w{1,20} )?to null pointer", "goes on from a null pointer"),
    (_MOVED, "moves a pointer out of all memory"),
    (_NO_VALUE, "ends a function without the value that it must return"),
    (r"variable length array bound evaluates to non-positive value (?P<n>-?\d+)", "makes an array of {n} elements"),
    (rf"load of value \S{{1,40}}, which is not a valid value for type {_TYPE}", "reads {type} that was never set"),
)
"""UndefinedBehaviorSanitizer's words, and our sentences for them; the first that fits."""


def _of_rule(what: str, there: Place | None, column: int) -> str:
    """The broken rule of the language, in a sentence without the line; a rule that is unknown here is said as gcc says it."""
    beyond = _INDEX.search(what)
    if beyond is not None:
        return _of_index(int(beyond["index"]), int(beyond["length"]), _name_at(there, column))
    for pattern, sentence in _RULES:
        match = re.search(pattern, what)
        if match is not None:
            words = match.groupdict()
            kind = words.get("type") or ""
            return sentence.format(**{**words, "type": f"{'an' if kind[:1] in 'aeiou' else 'a'} `{kind}`"})
    return f"breaks a rule of the language: {what}"


def _name_at(there: Place | None, column: int) -> str:
    """The name before the bracket to which gcc points: ``heaps`` in ``heaps[i]``."""
    if there is None:
        return ""
    source, line = there
    before = source.lines[line - 1][: column - 1]
    match = re.search(r"\b([A-Za-z_]\w{0,99})\s{0,9}(?:\[[^\]]{0,99}\]\s{0,9}){0,9}$", before)
    return match[1] if match else ""


def _of_index(index: int, length: int, array: str) -> str:
    far = f"{_count(index - length + 1, 4)} past the end" if index >= 0 else f"{_count(-index, 4)} before the beginning"
    used = f"`{array}[{index}]`, {far}: `{array}`" if array else f"element {index} of an array, {far}: it"
    return f"uses {used} has {f'the elements 0 to {length - 1}' if length > 1 else 'the element 0 alone'}"

"""What a program in C or C++ says when it was compiled with checks and breaks a rule of its language: one sentence, and the line.

AddressSanitizer and UndefinedBehaviorSanitizer write a page for whoever knows compilers. Of that a student needs which line did
what to which variable. A line is always one of the student's own: the innermost that the report names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
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
"""What gcc is told for a program that is to be checked while it runs."""

_CODE = 86
_ADDRESS = (
    f"exitcode={_CODE}",
    "detect_leaks=0",  # to look for leaks it would have to trace itself, which no cage allows
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
"""What a checked program is told when it starts; it goes before what a source says of itself."""


def explains(sources: Sequence[SourceFile], otherwise: Explain | None = None) -> Explain:
    """What tells of the ending of a checked program; ``otherwise`` of all others."""
    return partial(_explain, sources, otherwise)


def _explain(sources: Sequence[SourceFile], otherwise: Explain | None, status: Status, said: str) -> Ending | None:
    report = _Report.of(said, sources) if status.exit_code == _CODE else None
    if report is None:
        return otherwise(status, said) if otherwise else None
    source, line = report.at or (None, 0)
    sentence = report.sentence
    if source is None:
        return Ending(EndingKind.UNDEFINED, f"the program {sentence}")
    text = source.lines[line - 1]
    indent = len(text) - len(text.lstrip())
    span = source.span(line, indent + 1, max(indent + 2, len(text.rstrip()) + 1))
    where = f"line {line}" if len(sources) == 1 else f"line {line} of {source.name}"
    return Ending(EndingKind.UNDEFINED, f"{where} {sentence}", place=f"{source.name}:{line}", excerpt=span.excerpt())


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
_REGION = re.compile(
    r"located (?P<far>\d+) bytes (?P<side>to the right of|after|to the left of|before|inside of) "
    r"(?:(?P<size>\d+)-byte region|global variable '(?P<name>[^']+)' defined in '[^']*' \(0x[0-9a-f]+\) of size (?P<whole>\d+))"
)
_ELEMENTS = (1, 2, 4, 8, 16)


@dataclass(frozen=True, slots=True)
class _Report:
    """One report: what was done, and at which line of the student's; None where it names none."""

    at: Place | None
    sentence: str

    @classmethod
    def of(cls, said: str, sources: Sequence[SourceFile]) -> _Report | None:
        """The report in what a program wrote to its error stream; None where there is none."""
        head, check = _HEAD.search(said), _CHECK.search(said)
        if head is not None:
            trace = _Trace(said[head.start() :], sources)
            return cls(next(trace.places(), None), _of_address(head["what"], trace))
        if check is not None:
            trace = _Trace(said[check.start() :], sources)
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
        _, found, rest = self.text.partition(after) if after else ("", "x", self.text)
        begun = False
        for line in rest.splitlines()[1:] if found else ():
            frame = _FRAME.match(line)
            begun = begun or frame is not None
            if begun and not re.match(r"\s+#\d", line):
                return
            there = _place(frame["file"], frame["line"], self.sources) if frame else None
            if there is not None:
                yield there

    def line(self, after: str) -> str:
        """``line 14`` for the innermost line of the student's behind a word; empty where there is none."""
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


def _of_address(what: str, trace: _Trace) -> str:
    """What was done to memory: ``writes one element past the end of `heaps```."""
    for word, told in _DEEDS:
        if word in what:
            return told(trace)
    kind = what.partition(" ")[0]
    if kind.endswith(("overflow", "underflow")) and _ACCESS.search(trace.text):
        return _of_bounds(trace)
    return f"uses memory wrongly: {kind.replace('-', ' ')}"


def _does(trace: _Trace) -> str:
    found = _ACCESS.search(trace.text) or _SIGNAL.search(trace.text)
    return "writes" if found and found["does"] == "WRITE" else "reads"


def _freed(trace: _Trace) -> str:
    return f"memory that {trace.line('freed by thread') or 'the program'} has freed"


def _stack_name(trace: _Trace) -> str:
    found = _STACK.search(trace.text)
    return f"the variable `{found['name']}`" if found else "a variable"


def _of_pointer(trace: _Trace) -> str:
    does = _does(trace)
    if "address points to the zero page" in trace.text:
        return f"{does} through a null pointer"
    return f"{does} through a pointer that points to nothing of the program's"


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


def _always(text: str) -> Callable[[_Trace], str]:
    return lambda _: text


_DEEDS: tuple[tuple[str, Callable[[_Trace], str]], ...] = (
    ("double-free", lambda trace: f"frees {_freed(trace)} already"),
    ("not malloc()-ed", _always("frees memory that was not allocated, or not from its beginning")),
    ("heap-use-after-free", lambda trace: f"{_does(trace)} {_freed(trace)}"),
    ("stack-use-after-return", lambda trace: f"{_does(trace)} {_stack_name(trace)}, whose function has returned"),
    ("stack-use-after-scope", lambda trace: f"{_does(trace)} {_stack_name(trace)}, which ended with its block"),
    ("SEGV", _of_pointer),
    ("stack-overflow", _always("calls functions without end: the stack is full")),
    ("negative-size-param", _always("copies or fills a negative number of bytes")),
    ("param-overlap", _always("copies between places that overlap")),
    (
        "alloc-dealloc-mismatch",
        _always(
            "gives memory back in another way than it was allocated: `new` goes with `delete`, `new[]` with `delete[]`, and "
            "`malloc` with `free`"
        ),
    ),
)


# ----------------------------------------------------------------------------------------------------------------- rules


def _of_rule(what: str, there: Place | None, column: int) -> str:
    """What rule of the language was broken, in a sentence without the line; what no rule here knows is said as gcc says it."""
    for pattern, told in _RULES:
        found = pattern.search(what)
        if found is not None:
            return told(found, _name_at(there, column))
    return f"breaks a rule of the language: {what}"


def _name_at(there: Place | None, column: int) -> str:
    """The name before the bracket to which gcc points: ``heaps`` in ``heaps[i]``."""
    if there is None:
        return ""
    source, line = there
    found = re.search(
        r"\b([A-Za-z_]\w{0,99})\s{0,9}(?:\[[^\]]{0,99}\]\s{0,9}){0,9}$", source.lines[line - 1][: column - 1]
    )
    return f"`{found[1]}`" if found else ""


def _index(found: re.Match[str], name: str) -> str:
    index, length = int(found["index"]), int(found["length"])
    array = name.strip("`")
    far = f"{_count(index - length + 1, 4)} past the end" if index >= 0 else f"{_count(-index, 4)} before the beginning"
    used = f"`{array}[{index}]`, {far}: `{array}`" if array else f"element {index} of an array, {far}: it"
    return f"uses {used} has {f'the elements 0 to {length - 1}' if length > 1 else 'the element 0 alone'}"


def _overflow(found: re.Match[str], _: str) -> str:
    return f"computes {found['sum']}, which does not fit into {_article(found['type'])}"


def _article(kind: str) -> str:
    return f"{'an' if kind[:1] in 'aeiou' else 'a'} `{kind}`"


def _through(does: str) -> Callable[[re.Match[str], str], str]:
    return lambda found, _: f"{does} {_article(found['type'])} through a null pointer"


def _said(text: str) -> Callable[[re.Match[str], str], str]:
    return lambda _, __: text


_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], str], str]], ...] = tuple(
    (re.compile(pattern), told)
    for pattern, told in (
        (r"index (?P<index>-?\d+) out of bounds for type '[^']*?\[(?P<length>\d+)\]", _index),
        (r"integer overflow: (?P<sum>.{1,99}?) cannot be represented in type '(?P<type>[^']*)'", _overflow),
        (
            r"(?P<sum>negation of \S{1,40}|left shift of \S{1,40} by \d{1,40} places) cannot be represented in type '(?P<type>[^']*)'",
            _overflow,
        ),
        (r"left shift of negative value", _said("shifts a negative number to the left")),
        (
            r"shift exponent (?P<by>-?\d+) is (?:negative|too large)",
            lambda found, _: f"shifts by {found['by']}, which is negative or more than the number has bits",
        ),
        (r"division by zero", _said("divides by zero")),
        (r"load of null pointer of type '(?P<type>[^']*)'", _through("reads")),
        (r"store to null pointer of type '(?P<type>[^']*)'", _through("writes")),
        (r"member (?:access within|call on) null pointer of type '(?P<type>[^']*)'", _through("looks into")),
        (r"reference binding to null pointer", _said("makes a reference out of a null pointer")),
        (
            r"null pointer passed as argument (?P<n>\d+)",
            lambda found, _: f"passes a null pointer as argument {found['n']}",
        ),
        (r"offset (?:-?\w{1,20} )?to null pointer", _said("goes on from a null pointer")),
        (
            r"pointer index expression|addition of unsigned offset|subtraction of unsigned",
            _said("moves a pointer out of all memory"),
        ),
        (
            r"reached the end of a value-returning function",
            _said("ends a function without the value that it must return"),
        ),
        (r"reached an unreachable program point", _said("ends a function without the value that it must return")),
        (
            r"variable length array bound evaluates to non-positive value (?P<n>-?\d+)",
            lambda found, _: f"makes an array of {found['n']} elements",
        ),
        (
            r"load of value \S{1,40}, which is not a valid value for type '(?P<type>[^']*)'",
            lambda found, _: f"reads {_article(found['type'])} that was never set",
        ),
    )
)

"""The keys of an `io` case: what a run is given, and what it must print, write and end with."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from grader.machines.families import TRAITS
from grader.spec.kinds.kind import OF_TEXT, Entry, Kind
from grader.spec.problem import At, Problem
from grader.spec.values import SpecModel, any_of
from grader.values import dataclass

LARGEST = 16 << 20
"""Bytes of one such file."""


@dataclass(frozen=True)
class Content:
    """A text of a spec, written out or in a file: ``path`` is then the file's, and ``text`` is there once the spec is loaded.

    Bytes that are no UTF-8 are in the text as surrogates. ``exact`` says that it is compared byte by byte.
    """

    text: str = ""
    path: str = ""
    exact: bool = False

    @property
    def data(self) -> bytes:
        """The bytes of the file, or of the text as UTF-8."""
        return self.text.encode("utf-8", "surrogateescape")


def read_content(value: object) -> Content:
    """A text, ``{path: FILE}`` or ``{text: TEXT}``, the latter two with ``exact: true`` or without. Raises ValueError."""
    if isinstance(value, Content):
        return value
    if isinstance(value, str):
        return Content(value)
    if not isinstance(value, dict):
        raise ValueError("a text in quotes, or {path: FILE}, is expected")
    strange = [str(key) for key in value if key not in ("text", "path", "exact")]
    if strange:
        raise ValueError(f"there is no key `{strange[0]}` here: it may be `path` or `text`, and `exact`")
    if ("text" in value) == ("path" in value):
        raise ValueError("exactly one of `text` and `path` is expected")
    text, path, exact = value.get("text", ""), value.get("path", ""), value.get("exact", False)
    if not isinstance(text, str) or not isinstance(path, str):
        raise ValueError("`text` and `path` are texts: put them in quotes")
    if not isinstance(exact, bool):
        raise ValueError("`exact` is `true` or `false`")
    return Content(text, path, exact)


_KEYS = {"text": {"type": "string"}, "path": {"type": "string"}, "exact": {"type": "boolean"}}
_MAPPING = {"type": "object", "additionalProperties": False, "properties": _KEYS}
Text = Annotated[Content, BeforeValidator(read_content), any_of({"type": "string"}, _MAPPING)]


class Pair(SpecModel):
    """An input and what must come of it, in a run of its own. Several are a list; a text alone is a `folder`.

    A text is written out, or is `{path: FILE}` with a path relative to the spec. What is compared is compared as `text` says,
    with its slips and its tolerance; `{path: FILE, exact: true}` is compared byte by byte.
    """

    # Each finding of the pair quotes it within its sentence.
    name: str = Field(default="", max_length=60)
    """What findings call it, in quotes."""
    folder: str | None = None
    """A folder with a pair for each `NAME.in`, whose output is `NAME.out` or `NAME.ans`; the other keys hold for all of them."""
    input: Text | None = None
    """What the program reads, given as from a file: whole, and then the input ends."""
    arguments: tuple[str, ...] = ()
    """The words behind the program's name on its command line. A MIPS program gets them as from `pa` of MARS: their number in
    `$a0`, the address of their addresses in `$a1`."""
    files: dict[str, Text] = Field(default_factory=dict)
    """Files that the program finds in its folder, by their names there."""
    output: Text | None = None
    """What it must print, all of it. Without this key what it prints is not judged."""
    errors: Text | None = None
    """What it must write to standard error; only programs of the computer itself have one."""
    writes: dict[str, Text] = Field(default_factory=dict)
    """Files that must be in its folder at the end, by their names there, with what they must hold."""
    # A system keeps one byte of a code.
    exit: int | None = Field(default=None, ge=0, le=255)
    """The code that it must end with; for MIPS that of system call 17. Without this key any will do."""

    @property
    def texts(self) -> Iterator[tuple[tuple[str, ...], Content]]:
        """All texts of the pair, each with the keys that lead to it."""
        singles = {"input": self.input, "output": self.output, "errors": self.errors}
        yield from (((key,), text) for key, text in singles.items() if text is not None)
        for key, texts in (("files", self.files), ("writes", self.writes)):
            yield from (((key, name), text) for name, text in texts.items())

    @property
    def shows(self) -> bool:
        """Whether it demands something that a program which does nothing does not do."""
        printed = any(text is not None and text.text.strip() for text in (self.output, self.errors))
        return printed or bool(self.writes) or bool(self.exit)


# ---------------------------------------------------------------------------------------------------------------- folders

INPUT = ".in"
# `.ans` is the habit of Kattis and DOMjudge, `.out` that of most courses.
OUTPUTS = (".out", ".ans")


def is_relative(name: str) -> bool:
    """Whether a path is relative, with slashes: a backslash is a folder where some teachers write their specs."""
    return "\\" not in name and "\0" not in name and not PurePosixPath(name).is_absolute()


def stays_within(name: str) -> bool:
    """Whether a path with slashes leads to something below the folder that it begins in."""
    parts = name.split("/")
    return is_relative(name) and ".." not in parts and "" not in parts and parts != ["."]


def is_within(folder: Path, name: str) -> bool:
    """Whether a path relative to a folder leads to a place in it, links followed."""
    if not stays_within(name.removesuffix("/")):
        return False
    try:
        return (folder / name).resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):
        return False


def pairs_in(folder: Path) -> tuple[dict[str, tuple[Path, Path]], tuple[str, ...]]:
    """The inputs and outputs in a folder by their names, in the order in which people count; and what is wrong, in sentences."""
    names = {path.name for path in folder.iterdir() if path.is_file()}
    found: dict[str, tuple[Path, Path]] = {}
    wrong = []
    for stem in sorted({name.removesuffix(INPUT) for name in names if name.endswith(INPUT)}, key=_counted):
        outputs = [stem + suffix for suffix in OUTPUTS if stem + suffix in names]
        if len(outputs) == 1:
            found[stem] = (folder / f"{stem}{INPUT}", folder / outputs[0])
        elif outputs:
            wrong.append(f"{stem}{INPUT} has two outputs, {' and '.join(outputs)}")
        else:
            wrong.append(f"{stem}{INPUT} has no output: neither {stem}.out nor {stem}.ans is there")
    for name in sorted(names, key=_counted):
        stem, dot, suffix = name.rpartition(".")
        if dot + suffix in OUTPUTS and f"{stem}{INPUT}" not in names:
            wrong.append(f"{name} has no input: {stem}{INPUT} is not there")
    return found, tuple(wrong)


def _counted(name: str) -> tuple[tuple[int, str], ...]:
    """A key that sorts ``2.in`` before ``10.in``."""
    # At most 18 digits are a number: more take time, and are no count.
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"([0-9]{1,18})", name))


# ------------------------------------------------------------------------------------------------------------------ rules

# The kernel bounds them too, and MARS lays them out below its stack.
MOST_ARGUMENTS = 100
LONGEST_ARGUMENTS = 16 << 10
"""Bytes of all arguments of a run together."""

_LISTED = 3
_RELATIVE = "a path relative to the spec, with forward slashes, that stays in its folder"
_PARTNERS = "a pair is NAME.in with NAME.out or NAME.ans"
_FOLDER = {"arguments": "arguments", "files": "files", "writes": "files", "exit": "exit code"}


def demanded(at: Entry[tuple[Pair, ...]]) -> Iterator[Problem]:
    """A pair demands something that a program which does nothing does not do, or stands beside another that does."""
    shows = [_shows(at.draft.folder, pair) for pair in at.part]
    hint = "add what it must print in `output`, or must write in `writes`"
    for number, pair in enumerate(at.part):
        if not pair.writes and all(one is None for one in (pair.output, pair.errors, pair.exit, pair.folder)):
            yield at.problem("demands-nothing", "nothing is demanded of this run", number, hint=hint)
        elif not any(shows):
            message = "a program that does nothing passes this: nothing is to be printed or written"
            yield at.problem("demands-nothing", message, number, hint=hint)
        elif not shows[number]:
            only = "it counts only where another run of the case is right"
            message = f"a program that does nothing passes this, so that {only}"
            yield at.warning("shows-nothing", message, number, hint=hint)


def _shows(folder: Path, pair: Pair) -> bool:
    """Whether a pair demands something that silence does not give; other rules complain about what cannot be read."""
    for content in (pair.output, pair.errors):
        if content is not None and content.path:
            path = folder / content.path
            if not is_within(folder, content.path) or not path.is_file() or path.stat().st_size:
                return True
    if pair.shows or pair.folder is None:
        return pair.shows
    if not is_within(folder, pair.folder) or not (folder / pair.folder).is_dir():
        return True
    try:
        pairs = pairs_in(folder / pair.folder)[0]
    except OSError:
        return True
    return not pairs or any(output.stat().st_size for _, output in pairs.values())


def folders(at: Entry[tuple[Pair, ...]]) -> Iterator[Problem]:
    """A folder of pairs is there, and each input in it has an output; it brings inputs and outputs of its own."""
    for number, pair in enumerate(at.part):
        if pair.folder is None:
            continue
        for key in ("input", "output", "name"):
            if key in pair.model_fields_set:
                message = f"the folder `{pair.folder}` has pairs of its own, so that `{key}` says nothing"
                yield at.idle(message, number, key)
        path, steps = at.draft.folder / pair.folder, (number, "folder")
        if not is_within(at.draft.folder, pair.folder):
            yield at.problem("path", f"`{pair.folder}` leaves the folder of the spec", *steps, hint=_RELATIVE)
        elif not path.is_dir():
            yield at.problem("path", f"there is no folder {path}", *steps, hint=_RELATIVE)
        else:
            try:
                yield from _folder(at, path, pair.folder, number)
            except OSError as error:
                message = f"`{pair.folder}` cannot be read: {error.strerror}"
                yield at.problem("path", message, *steps, hint="give yourself the right to")


def _folder(at: Entry[tuple[Pair, ...]], folder: Path, name: str, number: int) -> Iterator[Problem]:
    steps = (number, "folder")
    found, wrong = pairs_in(folder)
    # A folder without outputs would have a problem for each of its files.
    for sentence in wrong[:_LISTED]:
        yield at.problem("pair", f"in `{name}` {sentence}", *steps, hint=_PARTNERS)
    if len(wrong) > _LISTED:
        yield at.problem("pair", f"in `{name}` {len(wrong) - _LISTED} more files have no partner", *steps)
    if not found and not wrong:
        yield at.problem("pair", f"`{name}` holds no pairs", *steps, hint=_PARTNERS)
    for path in (path for paths in found.values() for path in paths):
        if path.stat().st_size > LARGEST:
            yield at.problem("too-long", f"{path.name} has more than {LARGEST >> 20} MiB", *steps)
    # A program in C on Linux reads the carriage return as a character, and right ones fail.
    windows = [given.name for given, _ in found.values() if b"\r\n" in given.read_bytes()[:LARGEST]]
    if windows:
        listed = ", ".join(windows[:_LISTED])
        message = f"in `{name}` lines of {listed} end as on Windows (CRLF), and programs read them so"
        hint = "save with the line ends of Unix, unless that is what is to be tried"
        yield at.warning("line-ends", message, *steps, hint=hint)


def texts(at: Entry[tuple[Pair, ...]]) -> Iterator[Problem]:
    """The texts of pairs can be read, and the files of a run have names that it can have."""
    sources = at.draft.program.sources if at.draft.program else ()
    for number, pair in enumerate(at.part):
        for steps, content in pair.texts:
            yield from content_problems(at, (number, *steps), content, given=steps[0] in ("input", "files"))
        yield from file_problems(at, (number, "files"), pair.files, sources)
        yield from file_problems(at, (number, "writes"), pair.writes, ())


Steps = tuple[str | int, ...]


def content_problems(at: At[Any], steps: Steps, content: Content, *, given: bool) -> Iterator[Problem]:
    """A text in a file lies in the folder of the spec, and is not a huge one; one that is ``given`` is not compared byte by byte."""
    folder = at.draft.folder
    if content.exact and given:
        yield at.problem("idle-key", "`exact` is for what is compared, and this is given", *steps, hint="remove it")
    if not content.path:
        return
    if not is_within(folder, content.path):
        yield at.problem("path", f"`{content.path}` leaves the folder of the spec", *steps, hint=_RELATIVE)
    elif not (path := folder / content.path).is_file():
        yield at.problem("path", f"there is no file {path}", *steps, hint=_RELATIVE)
    elif path.stat().st_size > LARGEST:
        yield at.problem("too-long", f"`{content.path}` has more than {LARGEST >> 20} MiB", *steps)


def file_problems(at: At[Any], steps: Steps, names: Collection[str], sources: Collection[str]) -> Iterator[Problem]:
    """A file in the folder of a run has a name that stays in it, and does not replace the program."""
    for name in names:
        wrong = []
        # No file system has both, and a cage could not lay them out.
        if above := next((other for other in names if name.startswith(f"{other}/")), None):
            wrong.append((f"`{above}` cannot be a file and a folder", "give one of them another name"))
        if not stays_within(name) or not name.isprintable():
            hint = "a name such as poem.txt or data/poem.txt"
            wrong.append((f"{name!r} leaves the folder in which the program runs", hint))
        elif name in sources:
            wrong.append((f"`{name}` would replace the program", "give it another name"))
        yield from (at.problem("path", message, *steps, name, hint=hint, at_key=True) for message, hint in wrong)


def arguments(at: Entry[tuple[Pair, ...]]) -> Iterator[Problem]:
    """Arguments can be handed to a program: without the character that ends them, and not too many."""
    for number, pair in enumerate(at.part):
        steps = (number, "arguments")
        for place, word in enumerate(pair.arguments):
            if "\0" in word:
                message = "no argument can hold the character U+0000"
                yield at.problem("argument", message, *steps, place, hint="remove it")
        size = sum(len(word.encode("utf-8", "surrogateescape")) + 1 for word in pair.arguments)
        if len(pair.arguments) > MOST_ARGUMENTS or size > LONGEST_ARGUMENTS:
            message = f"a run has at most {MOST_ARGUMENTS} arguments with {LONGEST_ARGUMENTS:,} bytes"
            yield at.problem("argument", message, *steps, hint="put it into a file, or into the input")


def language(at: Entry[tuple[Pair, ...]]) -> Iterator[Problem]:
    """A run is given and asked for what programs in this language have."""
    program = at.draft.program
    machine = TRAITS[at.draft.simulated] if at.draft.simulated else None
    bare = [name for name in program.profiles if machine and name in machine.bare] if program else []
    for number, pair in enumerate(at.part if program else ()):
        for key, lacking in _FOLDER.items():
            if machine and not machine.folder and key in pair.model_fields_set:
                hint = "remove it: it has keys and a display"
                yield at.foreign(f"{machine.called} has no {lacking}", number, key, hint=hint)
        if program and pair.errors is not None and program.terminal:
            yield at.foreign("a terminal shows both streams as one", number, "errors")
        # Simulators have one console for all that a program prints.
        elif pair.errors is not None and at.draft.simulated:
            yield at.foreign("this machine has no standard error", number, "errors")
        if pair.arguments and bare:
            hint = f"remove the profile `{bare[0]}`"
            yield at.foreign(f"{bare[0]} hands a program no arguments", number, "arguments", hint=hint)


def names(at: Entry[tuple[Pair, ...]]) -> Iterator[Problem]:
    """No two pairs of a case have one name."""
    seen: set[str] = set()
    for number, pair in enumerate(at.part):
        # Findings tell runs by their names.
        if pair.name and pair.name in seen:
            message = f"a run of this case is called “{pair.name}” already"
            yield at.problem("duplicate-id", message, number, "name", hint="give it another name")
        seen.add(pair.name)


IO = Kind("io", (demanded, folders, texts, arguments, language, names), OF_TEXT | {"judges"}, heard=True)

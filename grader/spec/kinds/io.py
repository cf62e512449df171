"""The keys of an `io` case: the input of a run, its expected output, files and exit code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from pydantic import Field

from grader.spec.kinds.beginning import Beginning, Printed, begun, printed
from grader.spec.kinds.call import Ranges, named
from grader.spec.kinds.content import LARGEST, RELATIVE, Content, Text, content_problems, file_problems, is_within
from grader.spec.kinds.kind import OF_TEXT, Entry, Kind
from grader.spec.problem import Problem, near
from grader.spec.ranges import read_range
from grader.spec.values import Seed


class Pair(Beginning, Printed):
    """An input and the expected output, in a run of its own. Several are a list; a text alone is a `folder`.

    A text is written out, or is `{path: FILE}` with a path relative to the spec. Texts are compared as `text` says,
    with its slips and its tolerance; `{path: FILE, exact: true}` is compared byte by byte.
    """

    # Each finding of the pair quotes it within its sentence.
    name: str = Field(default="", max_length=60)
    """Its name in findings, in quotes."""
    folder: str | None = None
    """A folder with a pair for each `NAME.in`, whose output is `NAME.out` or `NAME.ans`; the other keys hold for all of them."""
    input: Text | None = None
    """The whole input of the program, given as from a file, after which the input ends."""
    errors: Text | None = None
    """The text that it must write to standard error; only native programs have one."""
    writes: dict[str, Text] = Field(default_factory=dict)
    """Files that must be in its folder at the end, by their names there, with what they must hold."""
    # A system keeps one byte of a code.
    exit: int | None = Field(default=None, ge=0, le=255)
    """The exit code that it must end with; for MIPS that of system call 17. Without this key any code is right."""
    draws: Ranges = Field(default={})
    """Values that are drawn for `{NAME}` in the input and the arguments, as for calls: `{n: 1..20, row: array 1..8 of 0..9}`; the items of
    a row are separated by spaces. A `checker` says whether the output is right, and a failure is shrunk."""
    games: int = Field(default=50, ge=1, le=10_000)
    """The number of drawn inputs."""
    seed: Seed = 0
    """The seed that they are drawn with; `secret` for one that is made of the course's secret, for hidden cases."""

    @property
    def texts(self) -> Iterator[tuple[tuple[str, ...], Content]]:
        """All texts of the pair, each with the keys that lead to it."""
        singles = {"input": self.input, "output": self.output, "errors": self.errors}
        yield from (((key,), text) for key, text in singles.items() if text is not None)
        for key, texts in (("files", self.files), ("writes", self.writes)):
            yield from (((key, name), text) for name, text in texts.items())

    @property
    def shows(self) -> bool:
        """Whether a program that does nothing fails the pair."""
        written = self.errors is not None and bool(self.errors.text.strip())
        return super().shows or written or bool(self.writes) or bool(self.exit)


# ---------------------------------------------------------------------------------------------------------------- folders

INPUT = ".in"
# `.ans` is the habit of Kattis and DOMjudge, `.out` that of most courses.
OUTPUTS = (".out", ".ans")


def pairs_in(folder: Path) -> tuple[dict[str, tuple[Path, Path]], tuple[str, ...]]:
    """The inputs and outputs in a folder by their names, in the order in which people count; and what is wrong, in sentences."""
    names = {path.name for path in folder.iterdir() if path.is_file()}
    pairs: dict[str, tuple[Path, Path]] = {}
    wrong = []
    for stem in sorted({name.removesuffix(INPUT) for name in names if name.endswith(INPUT)}, key=_counted):
        outputs = [stem + suffix for suffix in OUTPUTS if stem + suffix in names]
        if len(outputs) == 1:
            pairs[stem] = (folder / f"{stem}{INPUT}", folder / outputs[0])
        elif outputs:
            wrong.append(f"{stem}{INPUT} has two outputs, {' and '.join(outputs)}")
        else:
            wrong.append(f"{stem}{INPUT} has no output: neither {stem}.out nor {stem}.ans is there")
    for name in sorted(names, key=_counted):
        stem, dot, suffix = name.rpartition(".")
        if dot + suffix in OUTPUTS and f"{stem}{INPUT}" not in names:
            wrong.append(f"{name} has no input: {stem}{INPUT} is not there")
    return pairs, tuple(wrong)


def _counted(name: str) -> tuple[tuple[int, str], ...]:
    """A key that sorts ``2.in`` before ``10.in``."""
    # At most 18 digits are a number: more take time, and are no count.
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"([0-9]{1,18})", name))


# ------------------------------------------------------------------------------------------------------------------ rules

_LISTED = 3  # files that a problem names
_PARTNERS = "a pair is NAME.in with NAME.out or NAME.ans"


def demanded(at: Entry[tuple[Pair, ...]]) -> Iterator[Problem]:
    """A pair demands something that a program which does nothing does not do, or stands beside another that does."""
    shows = [_shows(at.draft.folder, pair) for pair in at.part]
    hint = "add what it must print in `output`, or must write in `writes`"
    for number, pair in enumerate(at.part):
        judged = pair.writes or pair.demands or pair.errors is not None
        if not judged and pair.exit is None and pair.folder is None:
            yield at.problem("demands-nothing", "this run demands nothing", number, hint=hint)
        elif not any(shows):
            message = "a program that does nothing passes this: nothing is to be printed or written"
            yield at.problem("demands-nothing", message, number, hint=hint)
        elif not shows[number]:
            only = "it counts only where another run of the case is right"
            message = f"a program that does nothing passes this, so {only}"
            yield at.warning("shows-nothing", message, number, hint=hint)


def _shows(folder: Path, pair: Pair) -> bool:
    """Whether a silent program fails the pair. Other rules report pairs that cannot be read."""
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
            yield at.problem("path", f"`{pair.folder}` leaves the folder of the spec", *steps, hint=RELATIVE)
        elif not path.is_dir():
            yield at.problem("path", f"there is no folder {path}", *steps, hint=RELATIVE)
        else:
            try:
                yield from _folder(at, path, pair.folder, number)
            except OSError as error:
                message = f"`{pair.folder}` cannot be read: {error.strerror}"
                yield at.problem("path", message, *steps, hint="give yourself the right to")


def _folder(at: Entry[tuple[Pair, ...]], folder: Path, name: str, number: int) -> Iterator[Problem]:
    steps = (number, "folder")
    pairs, wrong = pairs_in(folder)
    # A folder without outputs would have a problem for each of its files.
    for sentence in wrong[:_LISTED]:
        yield at.problem("pair", f"in `{name}` {sentence}", *steps, hint=_PARTNERS)
    if len(wrong) > _LISTED:
        yield at.problem("pair", f"in `{name}` {len(wrong) - _LISTED} more files have no partner", *steps)
    if not pairs and not wrong:
        yield at.problem("pair", f"`{name}` holds no pairs", *steps, hint=_PARTNERS)
    for path in (path for paths in pairs.values() for path in paths):
        if path.stat().st_size > LARGEST:
            yield at.problem("too-long", f"{path.name} has more than {LARGEST >> 20} MiB", *steps)
    # A program in C on Linux reads the carriage return as a character, and right ones fail.
    windows = [given.name for given, _ in pairs.values() if b"\r\n" in given.read_bytes()[:LARGEST]]
    if windows:
        listed = ", ".join(windows[:_LISTED])
        message = f"in `{name}` lines of {listed} end as on Windows (CRLF), and programs read them so"
        hint = "save with the line ends of Unix, unless that is what is to be tried"
        yield at.warning("line-ends", message, *steps, hint=hint)


def texts(at: Entry[tuple[Pair, ...]]) -> Iterator[Problem]:
    """The texts of pairs can be read, and the files that a run leaves have names that they can have."""
    for number, pair in enumerate(at.part):
        for steps, content in pair.texts:
            if steps[0] != "files":
                yield from content_problems(at, (number, *steps), content, given=steps[0] == "input")
        yield from file_problems(at, (number, "writes"), pair.writes, ())


def runs(at: Entry[tuple[Pair, ...]]) -> Iterator[Problem]:
    """A run is given and asked for what programs in this language have."""
    yield from begun(at, (((number,), pair) for number, pair in enumerate(at.part)))
    yield from printed(at, (((number,), pair) for number, pair in enumerate(at.part)))
    program = at.draft.program
    for number, pair in enumerate(at.part if program else ()):
        if program and pair.errors is not None and program.terminal:
            yield at.foreign("a terminal shows both streams as one", number, "errors")
        # Simulators have one console for all that a program prints.
        elif pair.errors is not None and at.draft.simulated:
            yield at.foreign("this machine has no standard error", number, "errors")


PLACE = re.compile(r"\{(\w+)\}")
"""A name in braces, where a drawn value is put."""


def drawn(at: Entry[tuple[Pair, ...]]) -> Iterator[Problem]:
    """Drawn values are used somewhere, and a function that knows them judges the output."""
    for number, pair in enumerate(at.part):
        for key in ("games", "seed") if not pair.draws else ():
            if key in pair.model_fields_set:
                yield at.idle(
                    f"`{key}` is about drawn values, but the case draws nothing", number, key, hint="add `draws`"
                )
        if not pair.draws:
            continue
        if pair.checker is None or pair.output is not None:
            message = "what is drawn has no one output: a function of the reference judges it"
            yield at.problem("drawn", message, number, "draws", hint="add `checker: FUNCTION`, and remove `output`")
        texts = (pair.input.text if pair.input else "", *pair.arguments)
        places = {name for text in texts for name in PLACE.findall(text)}
        for name, one in named(pair.draws).items():
            ranges = named(pair.draws)
            if name not in places:
                message = f"`{{{name}}}` stands neither in `input` nor in `arguments`"
                yield at.idle(message, number, "draws", name, hint=near(name, places, "there stand"))
            kind = read_range(one)
            other = kind.of or kind.like
            if other and (other not in ranges or not read_range(ranges[other]).longest):
                message = f"`{other}` is nothing that has a length"
                yield at.problem("length", message, number, "draws", name, hint="a row or a text that is drawn")


def names(at: Entry[tuple[Pair, ...]]) -> Iterator[Problem]:
    """No two pairs of a case have one name."""
    seen: set[str] = set()
    for number, pair in enumerate(at.part):
        # Findings tell runs by their names.
        if pair.name and pair.name in seen:
            message = f"a run of this case is called “{pair.name}” already"
            yield at.problem("duplicate-id", message, number, "name", hint="give it another name")
        seen.add(pair.name)


IO = Kind("io", (demanded, folders, texts, runs, drawn, names), OF_TEXT | {"judges", "whole"}, heard=True)

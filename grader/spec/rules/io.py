"""Rules on `io` cases and on files of the course: each pair shows something, and what it names is there and stays in its folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from grader.source import Severity
from grader.spec.contents import LARGEST, is_within, pairs_in, stays_within
from grader.spec.document import Loc
from grader.spec.kinds.io import Content, Pair
from grader.spec.problem import Problem
from grader.spec.rules.draft import Draft, Rule

MOST_ARGUMENTS = 100
LONGEST_ARGUMENTS = 16 << 10
"""Bytes of all arguments of a run together."""

_LISTED = 3
_RELATIVE = "a path relative to the spec, with forward slashes, that stays in its folder"


def _pairs(draft: Draft) -> Iterator[tuple[Loc, Pair]]:
    for index, case in draft.cases.items():
        for at, pair in enumerate(case.io or ()):
            yield ("cases", index, "io", at), pair


def demands(draft: Draft) -> Iterator[Problem]:
    """A pair demands something that a program which does nothing does not do, or is one of several of which some do."""
    for index, case in draft.cases.items():
        shows = [_shows(draft.folder, pair) for pair in case.io or ()]
        for at, pair in enumerate(case.io or ()):
            loc: Loc = ("cases", index, "io", at)
            hint = "add what it must print in `output`, or must write in `writes`"
            if _is_empty(pair):
                yield Problem("demands-nothing", "nothing is demanded of this run", loc, hint)
            elif not shows[at] and not any(shows):
                message = "a program that does nothing passes this: nothing is to be printed or written"
                yield Problem("demands-nothing", message, loc, hint)
            elif not shows[at]:
                message = "a program that does nothing passes this, so that it counts only where another run of the case is right"
                yield Problem("shows-nothing", message, loc, hint, severity=Severity.WARNING)


def _is_empty(pair: Pair) -> bool:
    demanded = (pair.output, pair.errors, pair.exit, pair.folder)
    return all(one is None for one in demanded) and not pair.writes


def _shows(folder: Path, pair: Pair) -> bool:
    """Whether a pair demands something of which silence is not enough; what cannot be read is complained about elsewhere."""
    if pair.shows or any(one is not None and one.path and _size(folder, one) for one in (pair.output, pair.errors)):
        return True
    if pair.folder is None or not _is_folder(folder, pair.folder):
        return pair.folder is not None
    try:
        found = pairs_in(folder / pair.folder)[0]
    except OSError:
        return True
    return not found or any(output.stat().st_size for _, output in found.values())


def _size(folder: Path, content: Content) -> int:
    path = folder / content.path
    return path.stat().st_size if is_within(folder, content.path) and path.is_file() else 1


def _is_folder(folder: Path, name: str) -> bool:
    return is_within(folder, name) and (folder / name).is_dir()


def folders(draft: Draft) -> Iterator[Problem]:
    """A folder of pairs is there, and each input in it has an output; it brings inputs and outputs of its own."""
    for loc, pair in _pairs(draft):
        if pair.folder is None:
            continue
        at: Loc = (*loc, "folder")
        for key in ("input", "output", "name"):
            if key in pair.model_fields_set:
                message = f"the folder `{pair.folder}` has pairs of its own, so that `{key}` says nothing"
                yield Problem("idle-key", message, (*loc, key), "remove it", at_key=True)
        if not is_within(draft.folder, pair.folder):
            yield Problem("path", f"`{pair.folder}` leaves the folder of the spec", at, _RELATIVE)
        elif not (draft.folder / pair.folder).is_dir():
            yield Problem("path", f"there is no folder {draft.folder / pair.folder}", at, _RELATIVE)
        else:
            try:
                yield from _folder(draft.folder / pair.folder, pair.folder, at)
            except OSError as error:
                yield Problem(
                    "path", f"`{pair.folder}` cannot be read: {error.strerror}", at, "give yourself the right to"
                )


def _folder(folder: Path, name: str, loc: Loc) -> Iterator[Problem]:
    found, wrong = pairs_in(folder)
    for sentence in wrong[:_LISTED]:
        yield Problem("pair", f"in `{name}` {sentence}", loc, "a pair is NAME.in with NAME.out or NAME.ans")
    if len(wrong) > _LISTED:
        yield Problem("pair", f"in `{name}` {len(wrong) - _LISTED} more files have no partner", loc)
    if not found and not wrong:
        yield Problem("pair", f"`{name}` holds no pairs", loc, "a pair is NAME.in with NAME.out or NAME.ans")
    for paths in found.values():
        for path in paths:
            if path.stat().st_size > LARGEST:
                yield Problem("too-long", f"{path.name} has more than {LARGEST >> 20} MiB", loc)
    windows = [given.name for given, _ in found.values() if b"\r\n" in given.read_bytes()[:LARGEST]]
    if windows:
        message = (
            f"in `{name}` lines of {', '.join(windows[:_LISTED])} end as on Windows (CRLF), and programs read them so"
        )
        hint = "save with the line ends of Unix, unless that is what is to be tried"
        yield Problem("line-ends", message, loc, hint, severity=Severity.WARNING)


def paths(draft: Draft) -> Iterator[Problem]:
    """What is named by a path is a file in the folder of the spec, and not a huge one."""
    for loc, content in _contents(draft):
        if not content.path:
            continue
        if not is_within(draft.folder, content.path):
            yield Problem("path", f"`{content.path}` leaves the folder of the spec", loc, _RELATIVE)
        elif not (draft.folder / content.path).is_file():
            yield Problem("path", f"there is no file {draft.folder / content.path}", loc, _RELATIVE)
        elif (draft.folder / content.path).stat().st_size > LARGEST:
            yield Problem("too-long", f"`{content.path}` has more than {LARGEST >> 20} MiB", loc)


def _contents(draft: Draft) -> Iterator[tuple[Loc, Content]]:
    for name, content in draft.program.files.items() if draft.program else ():
        yield ("program", "files", name), content
    for loc, pair in _pairs(draft):
        for key in ("input", "output", "errors"):
            single: Content | None = getattr(pair, key)
            if single is not None:
                yield (*loc, key), single
        for key in ("files", "writes"):
            for name, content in getattr(pair, key).items():
                yield (*loc, key, name), content


def names(draft: Draft) -> Iterator[Problem]:
    """A file in the folder of a run has a name that stays in it, and does not replace the program."""
    sources = draft.program.sources if draft.program else ()
    places: list[tuple[Loc, str]] = [
        (("program", "files", name), name) for name in (draft.program.files if draft.program else ())
    ]
    for loc, pair in _pairs(draft):
        places += [((*loc, key, name), name) for key in ("files", "writes") for name in getattr(pair, key)]
    for at, name in places:
        above = [other for place, other in places if place[:-1] == at[:-1] and name.startswith(f"{other}/")]
        if above:
            hint = "give one of them another name"
            yield Problem("path", f"`{above[0]}` cannot be a file and a folder", at, hint, at_key=True)
        if not stays_within(name) or not name.isprintable():
            hint = "a name such as poem.txt or data/poem.txt"
            yield Problem("path", f"{name!r} leaves the folder in which the program runs", at, hint, at_key=True)
        elif name in sources and "writes" not in at:
            yield Problem("path", f"`{name}` would replace the program", at, "give it another name", at_key=True)


def exact(draft: Draft) -> Iterator[Problem]:
    """Only what is compared can be compared byte by byte."""
    for loc, content in _contents(draft):
        if content.exact and ("files" in loc or loc[-1] == "input"):
            yield Problem("idle-key", "`exact` is for what is compared, and this is given", loc, "remove it")


def arguments(draft: Draft) -> Iterator[Problem]:
    """Arguments can be handed to a program: without the character that ends them, and not too many."""
    for loc, pair in _pairs(draft):
        at = (*loc, "arguments")
        for number, word in enumerate(pair.arguments):
            if "\0" in word:
                yield Problem("argument", "no argument can hold the character U+0000", (*at, number), "remove it")
        size = sum(len(word.encode("utf-8", "surrogateescape")) + 1 for word in pair.arguments)
        if len(pair.arguments) > MOST_ARGUMENTS or size > LONGEST_ARGUMENTS:
            message = f"a run has at most {MOST_ARGUMENTS} arguments with {LONGEST_ARGUMENTS:,} bytes"
            yield Problem("argument", message, at, "put it into a file, or into the input")


def foreign(draft: Draft) -> Iterator[Problem]:
    """A run is given and asked for what programs in this language have."""
    program = draft.program
    if program is None:
        return
    for loc, pair in _pairs(draft):
        for key in ("arguments", "files", "writes", "exit") if program.simulated == "lc3" else ():
            if key in pair.model_fields_set:
                message = f"an LC-3 program has no {_LC3_LACKS[key]}"
                yield Problem("foreign-key", message, (*loc, key), "remove it: it has keys and a display", at_key=True)
        if pair.errors is not None and (program.simulated or program.terminal):
            message = (
                "a terminal shows both streams as one" if program.terminal else "this machine has no standard error"
            )
            yield Problem("foreign-key", message, (*loc, "errors"), "remove it", at_key=True)
        if pair.arguments and "mipsy" in program.profiles:
            message = "mipsy hands a program no arguments"
            yield Problem("foreign-key", message, (*loc, "arguments"), "remove the profile `mipsy`", at_key=True)


_LC3_LACKS = {"arguments": "arguments", "files": "files", "writes": "files", "exit": "exit code"}


def names_of_pairs(draft: Draft) -> Iterator[Problem]:
    """No two pairs of a case have one name."""
    for index, case in draft.cases.items():
        seen: set[str] = set()
        for at, pair in enumerate(case.io or ()):
            if pair.name and pair.name in seen:
                message = f"a run of this case is called “{pair.name}” already"
                yield Problem("duplicate-id", message, ("cases", index, "io", at, "name"), "give it another name")
            seen.add(pair.name)


RULES: tuple[Rule, ...] = (demands, folders, paths, names, exact, arguments, foreign, names_of_pairs)

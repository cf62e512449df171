"""A spec made of ``autograding.json``, the tests of GitHub Classroom: what is typed and printed, unit tests in Python, and whether it compiles.

Classroom runs each test as a line of a shell. The lines that say no more than how one program is built and started are taken over, and so are its
arguments and input. For every other test there is a sentence, with the place in the file, on why it was not.
"""

from __future__ import annotations

import ast
import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any

from grader.authoring.folder import folder_for, write_folder
from grader.authoring.recording import quoted
from grader.build.chosen import SUFFIXES
from grader.errors import UsageError, refusals
from grader.spec.languages import Language
from grader.spec.loader import load_assignment
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Test:
    """One test of the file: the line in which it begins, and its keys as they are written."""

    line: int
    name: str
    setup: str
    run: str
    input: str
    output: str
    comparison: str
    points: int


@dataclass(frozen=True, slots=True)
class Taken:
    """The keys of the case that a test becomes, for a program in a ``file``, with ``flags`` of its compiler.

    Unit tests are for any program in their language: their ``file`` is empty, and they lie in the file ``tests``.
    """

    language: Language
    file: str
    flags: tuple[str, ...] = ()
    case: str = ""
    tests: str = ""


@dataclass(frozen=True, slots=True)
class Imported:
    """The new spec, how many tests it has, and a sentence with its place for everything that was not taken over."""

    spec: Path
    taken: int
    left: tuple[str, ...]


class _UnreadableError(Exception):
    """Why a test cannot be taken over, in a clause."""


def read_tests(path: Path) -> tuple[Test, ...]:
    """The tests of a file. Raises UsageError where it holds no tests."""
    with refusals("cannot read it: {}", path):
        text = path.read_bytes().decode("utf-8-sig", "replace")
    hint = 'it is .github/classroom/autograding.json, and holds {"tests": […]}'
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"{path}:{error.lineno}:{error.colno}"
        raise UsageError(f"this is not JSON: {error.msg}", place=place, hint=hint) from error
    written = whole.get("tests") if isinstance(whole, dict) else None
    if not isinstance(written, list):
        raise UsageError("this is not a file of tests of GitHub Classroom", place=str(path), hint=hint)
    lines = _lines(text)
    return tuple(_test(one, line) for one, line in zip(written, lines, strict=False) if isinstance(one, dict))


def _lines(text: str) -> Iterator[int]:
    """The line in which each test begins."""
    head = re.search(r'"tests"\s*:\s*\[', text)
    at, between = head.end() if head else 0, re.compile(r"[\s,]*")
    while (next_one := between.match(text, at)) is not None and text[next_one.end()] != "]":
        yield text.count("\n", 0, next_one.end()) + 1
        at = json.JSONDecoder().raw_decode(text, next_one.end())[1]


def _test(data: Mapping[str, Any], line: int) -> Test:
    texts = {key: str(data.get(key) or "") for key in ("name", "setup", "run", "input", "output", "comparison")}
    points = data.get("points")
    return Test(line, points=points if isinstance(points, int) and points > 0 else 0, **texts)


# --------------------------------------------------------------------------------------------------- lines of a shell

_COMPILERS: Mapping[str, Language] = {
    "gcc": "c", "cc": "c", "clang": "c", "g++": "cpp", "c++": "cpp", "clang++": "cpp", "javac": "java",
}  # fmt: skip

_ECHO = re.compile(
    r"""(?P<how>echo|printf)\s+(?P<flag>-[en]+\s+)?(?P<text>"[^"$`]*"|'[^']*'|[^\s"'|$`]+)\s*\|\s*(?P<rest>.+)""",
    re.DOTALL,
)
_PYTEST = re.compile(r"(?:python3?\s+-m\s+)?pytest\b(?P<rest>.*)", re.DOTALL)


def taken(test: Test, root: Path, made: Mapping[str, Taken]) -> Taken:
    """The case that a test of a repository becomes, with the programs that earlier tests ``made`` there. Raises _UnreadableError."""
    suite = _PYTEST.fullmatch(test.run.strip())
    if suite is not None:
        return _unit_tests(suite["rest"], root)
    run, typed = _echoed(test.run.strip())
    *before, last = [*_parts(test.setup), *(run.split("&&") or [""])]
    words, compiled = _words(last), [_compiled(_words(part)) for part in before]
    built = _compiled(words)
    if built is not None and not (test.output or test.input):
        return built
    program = next((one for one in reversed(compiled) if one is not None), made.get(words[0]))
    given = words[2:]
    if words[0] in ("python", "python3", "py") and len(words) > 1 and words[1].endswith(".py"):
        program = Taken("python", words[1])
    elif words[0] == "java" and len(words) > 1 and not words[1].startswith("-"):
        program = Taken("java", f"{words[1].removesuffix('.java')}.java")
    elif not words[0].startswith("./"):
        raise _UnreadableError(f"`{words[0]}` does not start a program of a student that we know")
    elif program is None:
        raise _UnreadableError("we found no compiler command for this program: `make` and scripts are not read")
    else:
        given = words[1:]
    return Taken(program.language, program.file, program.flags, _pair(test, test.input or typed, given))


def _parts(line: str) -> list[str]:
    return [part for part in re.split(r"&&|;|\n", line) if part.strip()]


def _words(line: str) -> list[str]:
    """The words of one command. Raises _UnreadableError where it is more than one."""
    with suppress(ValueError):
        words, plain = shlex.split(line), [word for word in shlex.split(line, posix=False) if word[0] not in "'\""]
        if words and not any(sign in word for word in plain for sign in ("|", "<", ">", "&", ";", "$(", "`")):
            return words
    raise _UnreadableError("the command uses pipes, files or other commands of a shell")


def _echoed(line: str) -> tuple[str, str]:
    """A command without an `echo … |` before it, and what that types."""
    echo = _ECHO.fullmatch(line)
    if echo is None:
        return line, ""
    text, flag = echo["text"], echo["flag"] or ""
    text = text[1:-1] if text[0] in "\"'" else text
    if echo["how"] == "printf" or "e" in flag:
        text = text.replace("\\n", "\n").replace("\\t", "\t")
    return echo["rest"], text if echo["how"] == "printf" or "n" in flag else f"{text}\n"


def _compiled(words: Sequence[str]) -> Taken | None:
    """The program that a compiler makes; None for any other command. Raises _UnreadableError."""
    language = _COMPILERS.get(words[0])
    if language is None:
        return None
    sources = [word for word in words[1:] if word.endswith(SUFFIXES[language])]
    if not sources:
        raise _UnreadableError(f"`{words[0]}` names no source")
    flags = (word for word in words[1:] if word.startswith("-") and word not in ("-o", "-d", "-cp", "-c"))
    return Taken(language, sources[0], tuple(flags), "source: {builds: true}")


def _programs(test: Test) -> Iterator[tuple[str, Taken]]:
    """The programs that the compilers of a test make, by the words that start them: later tests find them in the same folder."""
    for part in (*_parts(test.setup), *_parts(test.run)):
        with suppress(_UnreadableError):
            words = _words(part)
            program = _compiled(words)
            if program is not None:
                yield f"./{dict(pairwise(words)).get('-o', 'a.out').removeprefix('./')}", program


# ------------------------------------------------------------------------------------------------------------- cases


def _pair(test: Test, typed: str, arguments: Sequence[str]) -> str:
    """An input and what must be printed. Raises _UnreadableError."""
    wanted = test.output.strip()
    if not wanted:
        raise _UnreadableError("it compares no output, so a program that does nothing passes")
    pair = [f"input: {_text(typed)}"] if typed else []
    pair += [f"arguments: [{', '.join(map(_text, arguments))}]"] if arguments else []
    if test.comparison == "regex":
        try:
            if re.search(wanted, ""):
                raise _UnreadableError("its regular expression matches any output")
        except re.error as error:
            raise _UnreadableError(f"Python refuses its regular expression: {error}") from error
        pair += [f"matches: {quoted(wanted)}", f"says: {quoted(test.name)}"]
    else:
        exact = test.comparison == "exact"
        pair.append(f"output: {_text(f'{wanted}{chr(10)}')}" if exact else f"contains: {_text(wanted)}")
    return f"io: {{{', '.join(pair)}}}"


def _text(text: str) -> str:
    """A text as YAML takes it in double quotes, with its line ends."""
    return json.dumps(text.replace("\r\n", "\n"), ensure_ascii=False)


def _unit_tests(line: str, root: Path) -> Taken:
    """The tests in Python that pytest is told to run. Raises _UnreadableError."""
    places = [word for word in _words(f"pytest {line}")[1:] if not word.startswith("-")]
    file, _, wanted = (places or [""])[0].partition("::")
    if len(places) != 1 or not file.endswith(".py") or not (root / file).is_file():
        raise _UnreadableError("pytest must name one file of tests in the repository")
    try:
        tree = ast.parse((root / file).read_bytes())
    except (OSError, SyntaxError, ValueError) as error:
        raise _UnreadableError(f"{file} cannot be read: {error}") from error
    groups = [("", tree.body)]
    groups += [(f"{node.name}.", node.body) for node in tree.body if isinstance(node, ast.ClassDef)]
    functions = ((group, node) for group, body in groups for node in body if isinstance(node, ast.FunctionDef))
    names = [f"{group}{node.name}" for group, node in functions if node.name.startswith("test")]
    chosen = [name for name in names if not wanted or name == wanted.replace("::", ".")]
    if not chosen:
        raise _UnreadableError(f"{file} has no test of that name")
    name = PurePosixPath(file).name
    run = f"run: [pytest, {name}, --junitxml=results.xml], junit: results.xml"
    case = f"tests: {{{run}, files: [tests/{name}], expects: [{', '.join(chosen)}]}}"
    return Taken("python", "", (), case, file)


# --------------------------------------------------------------------------------------------------------------- the spec

_SPEC = """\
# Made of {source} by `grader import`; `grader docs input-output` tells what else a pair may demand.
assignment: {name}
title: {title}
submission: {{optional: [{file}]}}
program: {{language: {language}, sources: [{file}]{flags}}}
limits: {{cpu: 2 s, wall: 10 s, output: 64 KiB}}
text:
  slips: {{trailing-blank: forgive, blank-line: forgive}}   # Classroom takes blanks and lines off both ends
rubric:
{rubric}
cases:
{cases}
"""


def import_tests(source: Path, name: str, where: Path, wanted: str = "") -> Imported:
    """Make a folder with the spec of the tests in a file: of one program, which is the ``wanted`` one, or else that with most points.

    Raises UsageError where nothing can be taken over, or the folder is there.
    """
    folder, tests = folder_for(name, where), read_tests(source)
    root = source.resolve().parents[2] if source.resolve().parent.name == "classroom" else source.resolve().parent
    rows: dict[Test, Taken] = {}
    left: dict[Test, str] = {}
    made: dict[str, Taken] = {}
    for test in tests:
        try:
            rows[test] = taken(test, root, made)
        except _UnreadableError as error:
            left[test] = f"it is not taken over: {error}"
        made |= dict(_programs(test))
    main = _main_of(rows, wanted)
    for test, row in [*rows.items()]:
        if row.language != main.language or row.file not in ("", main.file):
            left[test] = f"it is about another program; `--program {row.file or '*.py'}` makes a spec for it"
            del rows[test]
    if not rows:
        reasons = "; ".join(f"line {test.line}: {why}" for test, why in [*left.items()][:3]) or "it holds none"
        raise UsageError(f"none of its {len(tests)} tests can be taken over: {reasons}", place=str(source))
    for test in rows:  # what the course's machine has need not be installed
        if any(part.split()[0] not in _COMPILERS for part in _parts(test.setup)):
            left[test] = f"the command before the test is left out: {test.setup}"
    files: dict[Path, str | bytes | Path] = {
        Path("tests", PurePosixPath(row.tests).name): root / row.tests for row in rows.values() if row.tests
    }
    spec = Path(f"{name}.yaml")
    write_folder({spec: _spec(source.name, name, main, rows), **files}, folder)
    load_assignment(folder / spec)
    sentences = (f"{source}:{test.line}: “{test.name}”: {left[test]}" for test in tests if test in left)
    return Imported(folder / spec, len(rows), tuple(sentences))


def _main_of(rows: Mapping[Test, Taken], wanted: str) -> Taken:
    """The program that the spec is about: that of most points; where there are unit tests alone, any in Python."""
    points: dict[tuple[Language, str], int] = {}
    for test, row in rows.items():
        if row.file and wanted in ("", row.file):
            points[row.language, row.file] = points.get((row.language, row.file), 0) + max(test.points, 1)
    if not points:
        return Taken("python", "*.py" if wanted in ("", "*.py") else wanted)
    language, file = max(points, key=lambda key: points[key])
    flags = (row.flags for row in rows.values() if (row.language, row.file) == (language, file) and row.flags)
    return Taken(language, file, next(flags, ()))


def _spec(source: str, name: str, main: Taken, rows: Mapping[Test, Taken]) -> str:
    """The text of the spec: a criterion with its case for each test."""
    rubric, cases = [], []
    known = {"builds"}
    graded = any(test.points for test in rows)
    for test, row in rows.items():
        slug = re.sub(r"[^a-z0-9]+", "-", test.name.casefold()).strip("-")[:40].strip("-") or "test"
        slug = slug if slug not in known else f"{slug}-{test.line}"
        known.add(slug)
        title, worth = quoted(test.name or slug), test.points or (0 if graded else 1)
        rubric += [f"  - {{id: {slug}, points: {worth}, title: {title}}}"] if worth else []
        paid = f"    criterion: {slug}\n" if worth else ""
        cases.append(f"  - id: {slug}-case\n    title: {title}\n{paid}    {row.case}")
    if not any("builds: true" in case for case in cases):
        cases.insert(0, "  - {id: builds, title: It builds, source: {builds: true}}")
    flags = f", flags: {{{main.language}: [{', '.join(map(quoted, main.flags))}]}}" if main.flags else ""
    return _SPEC.format(
        source=source, name=name, title=quoted(name.replace("-", " ").capitalize()), file=quoted(main.file),
        language=main.language, flags=flags, rubric="\n".join(rubric), cases="\n".join(cases),
    )  # fmt: skip

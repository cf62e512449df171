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
class Program:
    """What a line of a shell starts: a program in a ``language``, in a file, with flags of its compiler and with arguments; ``typed`` is echoed into it."""

    language: Language
    file: str
    flags: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    typed: str | None = None


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
    try:
        data = json.loads(text)
        written = data["tests"] if isinstance(data, dict) else data
        assert isinstance(written, list)
    except (ValueError, KeyError, AssertionError) as error:
        hint = 'it is .github/classroom/autograding.json, and holds {"tests": […]}'
        raise UsageError("this is no file of tests as GitHub Classroom has it", place=str(path), hint=hint) from error
    lines = _lines(text, len(written))
    return tuple(_test(one, line) for one, line in zip(written, lines, strict=True) if isinstance(one, dict))


def _lines(text: str, count: int) -> list[int]:
    """The line in which each test begins."""
    decoder, lines = json.JSONDecoder(), []
    tests = re.search(r'"tests"\s*:\s*\[', text)
    at = tests.end() if tests else text.index("[") + 1
    for _ in range(count):
        at = re.compile(r"[\s,]*").match(text, at).end()  # type: ignore[union-attr]
        lines.append(text.count("\n", 0, at) + 1)
        at = decoder.raw_decode(text, at)[1]
    return lines


def _test(data: Mapping[str, Any], line: int) -> Test:
    texts = {key: str(data.get(key) or "") for key in ("name", "setup", "run", "input", "output", "comparison")}
    points = data.get("points")
    return Test(line, points=points if isinstance(points, int) and points > 0 else 0, **texts)


# --------------------------------------------------------------------------------------------------- lines of a shell

_OPERATORS = ("|", "<", ">", "&&", "||", ";", "$(", "`", "&")


def program_of(test: Test) -> Program:
    """The program that a test starts. Raises _UnreadableError."""
    run, typed = _echoed(test.run.strip())
    setup = [part.strip() for part in re.split(r"&&|;|\n", test.setup) if part.strip()]
    *before, last = [part.strip() for part in run.split("&&")] or [""]
    words = _words(last)
    compiled = [found for part in (*setup, *before) if (found := _compiled(_words(part))) is not None]
    if words[0] in ("python", "python3", "py") and len(words) > 1 and words[1].endswith(".py"):
        return Program("python", words[1], (), tuple(words[2:]), typed)
    if words[0] == "java" and len(words) > 1 and not words[1].startswith("-"):
        return Program("java", f"{words[1].removesuffix('.java')}.java", (), tuple(words[2:]), typed)
    own = words[0].removeprefix("./")
    if words[0].startswith("./") and compiled:
        return Program(compiled[-1].language, compiled[-1].file, compiled[-1].flags, tuple(words[1:]), typed)
    if words[0].startswith("./") and PurePosixPath(own).suffix == "":
        raise _UnreadableError("no compiler is called that makes this program: `make` and scripts are not read")
    raise _UnreadableError(f"`{words[0]}` starts no program of a student that is known here")


def _words(line: str) -> list[str]:
    """The words of one command. Raises _UnreadableError where it is more than one."""
    with suppress(ValueError):
        words = shlex.split(line)
        if words and not any(
            sign in word for word in shlex.split(line, posix=False) for sign in _OPERATORS if word[0] not in "'\""
        ):
            return words
    raise _UnreadableError("the command uses pipes, files or other commands of a shell")


_ECHO = re.compile(
    r"""\s*(?P<how>echo|printf)\s+(?P<flag>-[en]+\s+)?(?P<text>"[^"$`]*"|'[^']*'|[^\s"'|$`]+)\s*\|\s*(?P<rest>.+)""",
    re.DOTALL,
)


def _echoed(line: str) -> tuple[str, str | None]:
    """A command without an `echo … |` before it, and what that types."""
    found = _ECHO.fullmatch(line)
    if found is None:
        return line, None
    text = found["text"][1:-1] if found["text"][0] in "\"'" else found["text"]
    if found["how"] == "printf" or "e" in (found["flag"] or ""):
        text = text.replace("\\n", "\n").replace("\\t", "\t")
    return found["rest"], text if found["how"] == "printf" or "n" in (found["flag"] or "") else f"{text}\n"


def _compiled(words: Sequence[str]) -> Program | None:
    """What a compiler makes; None for any other command."""
    language: Language | None = {
        "gcc": "c",
        "cc": "c",
        "clang": "c",
        "g++": "cpp",
        "c++": "cpp",
        "clang++": "cpp",
        "javac": "java",
    }.get(words[0])  # type: ignore[assignment]
    if language is None:
        return None
    sources = [word for word in words[1:] if word.endswith(SUFFIXES[language])]
    if not sources:
        raise _UnreadableError(f"`{words[0]}` names no source")
    named = {words[at + 1] for at, word in enumerate(words[:-1]) if word in ("-o", "-d", "-cp")}
    flags = [word for word in words[1:] if word.startswith("-") and word not in ("-o", "-d", "-cp")]
    return Program(language, sources[0], tuple(flag for flag in flags if flag not in named and flag != "-c"))


# ------------------------------------------------------------------------------------------------------------- cases


def _case_of(test: Test, program: Program) -> str:
    """What one test demands, as the keys of a case. Raises _UnreadableError."""
    typed = test.input or program.typed or ""
    pair = [f"input: {_lines_of(typed)}"] if typed else []
    pair += [f"arguments: [{', '.join(map(_lines_of, program.arguments))}]"] if program.arguments else []
    if not test.output.strip():
        raise _UnreadableError("nothing that it prints is compared, so that a program which does nothing passes")
    if test.comparison == "exact":
        pair.append(f"output: {_lines_of(test.output.strip() + chr(10))}")
    elif test.comparison == "regex":
        try:
            if re.search(test.output, ""):
                raise _UnreadableError("its regular expression is found in any output")
        except re.error as error:
            raise _UnreadableError(f"Python refuses its regular expression: {error}") from error
        pair += [f"matches: {quoted(test.output)}", f"says: {quoted(test.name)}"]
    else:
        pair.append(f"contains: {_lines_of(test.output.strip())}")
    return f"io: {{{', '.join(pair)}}}"


def _lines_of(text: str) -> str:
    """A text as YAML takes it in double quotes, with its line ends."""
    return json.dumps(text.replace("\r\n", "\n"), ensure_ascii=False)


def _is_build(test: Test) -> Program | None:
    """The program of a test that only compiles it; None for any other."""
    with suppress(_UnreadableError):
        return None if test.output or test.input else _compiled(_words(test.run))
    return None


_PYTEST = re.compile(r"(?:python3?\s+-m\s+)?pytest\b(?P<rest>.*)", re.DOTALL)


def _unit_tests(test: Test, root: Path) -> tuple[str, str] | None:
    """The file of tests in Python that a test runs, and its case; None where it runs none. Raises _UnreadableError."""
    found = _PYTEST.fullmatch(test.run.strip())
    if found is None:
        return None
    places = [word for word in _words(f"pytest {found['rest']}")[1:] if not word.startswith("-")]
    file, _, wanted = (places or [""])[0].partition("::")
    path = root / file
    if len(places) != 1 or not file.endswith(".py") or not path.is_file():
        raise _UnreadableError("pytest is not told one file of tests that lies in the repository")
    with refusals("cannot read it: {}", path):
        tree = ast.parse(path.read_bytes())
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test")]
    names += [
        f"{group.name}.{node.name}"
        for group in tree.body
        if isinstance(group, ast.ClassDef) and group.name.startswith("Test")
        for node in group.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test")
    ]
    chosen = [name for name in names if not wanted or name == wanted.replace("::", ".")]
    if not chosen:
        raise _UnreadableError(f"no test of that name is in {file}")
    name = PurePosixPath(file).name
    run = f"run: [pytest, {name}, --junitxml=results.xml], junit: results.xml"
    return file, f"tests: {{{run}, files: [tests/{name}], expects: [{', '.join(chosen)}]}}"


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
    left: dict[int, str] = {}
    programs: dict[Test, Program] = {}
    suites: dict[Test, tuple[str, str]] = {}
    for test in tests:
        try:
            suite = _unit_tests(test, root)
            if suite is not None:
                suites[test] = suite
            else:
                programs[test] = _is_build(test) or program_of(test)
        except _UnreadableError as error:
            left[test.line] = str(error)
    file, language = _main_of(programs, suites, wanted, source)
    rows: list[tuple[Test, str]] = []
    for test, program in programs.items():
        try:
            if program.file != file:
                raise _UnreadableError(f"it is about another program; `--program {program.file}` makes a spec of that")
            rows.append((test, "source: {builds: true}" if _is_build(test) else _case_of(test, program)))
        except _UnreadableError as error:
            left[test.line] = str(error)
    rows += [(test, case) for test, (_, case) in suites.items() if language == "python"]
    if not rows:
        reasons = "; ".join(f"line {line}: {why}" for line, why in sorted(left.items())[:3])
        raise UsageError(f"none of its {len(tests)} tests can be taken over: {reasons}", place=str(source))
    rows.sort(key=lambda row: row[0].line)
    flags = next((program.flags for program in programs.values() if program.file == file and program.flags), ())
    spec = _spec(source, name, (file, language, flags), rows)
    copies: dict[Path, str | bytes | Path] = {
        Path("tests", PurePosixPath(one).name): root / one for one, _ in suites.values()
    }
    write_folder({Path(f"{name}.yaml"): spec, **copies}, folder)
    load_assignment(folder / f"{name}.yaml")
    named = {test.line: test for test in tests}
    told = [f"{source}:{line}: “{named[line].name}” is not taken over: {why}" for line, why in sorted(left.items())]
    told += [
        f"{source}:{test.line}: the command before the test is left out: {test.setup}"
        for test, _ in rows
        if _prepares(test)
    ]
    return Imported(folder / f"{name}.yaml", len(rows), tuple(told))


def _prepares(test: Test) -> bool:
    """Whether something is done before a test that is more than to compile."""
    try:
        return any(_compiled(_words(part)) is None for part in re.split(r"&&|;|\n", test.setup) if part.strip())
    except _UnreadableError:
        return True


def _main_of(
    programs: Mapping[Test, Program], suites: Mapping[Test, tuple[str, str]], wanted: str, source: Path
) -> tuple[str, Language]:
    """The file of the program that the spec is about, and its language. Raises UsageError where no test starts a program."""
    points: dict[tuple[str, Language], int] = {}
    for test, program in programs.items():
        key = (program.file, program.language)
        points[key] = points.get(key, 0) + max(test.points, 1)
    if wanted:
        points = {key: value for key, value in points.items() if key[0] == wanted}
    if points:
        return max(points, key=lambda key: points[key])
    if suites and not wanted:
        return "*.py", "python"
    raise UsageError(f"no test starts {wanted or 'a program'}", place=str(source))


def _spec(
    source: Path, name: str, program: tuple[str, Language, tuple[str, ...]], rows: Sequence[tuple[Test, str]]
) -> str:
    """The text of the spec: a criterion with its case for each test."""
    file, language, flags = program
    ids = dict(zip([test for test, _ in rows], _ids([test.name for test, _ in rows]), strict=True))
    graded = any(test.points for test, _ in rows)
    rubric, cases = [], []
    for test, case in rows:
        title = quoted(test.name or ids[test])
        worth = test.points or (0 if graded else 1)
        paid = f", criterion: {ids[test]}" if worth else ""
        if worth:
            rubric.append(f"  - {{id: {ids[test]}, points: {worth}, title: {title}}}")
        cases.append(
            f"  - id: {ids[test]}-case\n    title: {title}\n"
            + (f"    criterion: {ids[test]}\n" if paid else "")
            + f"    {case}"
        )
    if not any("builds: true" in case for _, case in rows):
        cases.insert(0, "  - {id: builds, title: It builds, source: {builds: true}}")
    built = f", flags: {{{language}: [{', '.join(map(quoted, flags))}]}}" if flags else ""
    return _SPEC.format(
        source=source.name, name=name, title=quoted(name.replace("-", " ").capitalize()), file=quoted(file), language=language,
        flags=built, rubric="\n".join(rubric), cases="\n".join(cases),
    )  # fmt: skip


def _ids(names: Sequence[str]) -> Iterator[str]:
    """A slug for each name, no two alike."""
    taken: set[str] = {"builds"}
    for number, name in enumerate(names, start=1):
        slug = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:40].strip("-") or f"test-{number}"
        slug = slug if slug not in taken else f"{slug}-{number}"
        taken.add(slug)
        yield slug

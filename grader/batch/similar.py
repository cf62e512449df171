"""``grader similar``: pairs of submissions that are more alike than chance makes them.

A list for a person, never a verdict.

Theory of operation. A program becomes a list of shapes (tokens). Every stretch of a fixed number of shapes is hashed,
and the least hash in each window is kept as a fingerprint (winnowing: Schleimer, Wilkerson, Aiken, 2003). So every
shared stretch as long as window and length together is found. Fingerprints of the course's own files, and those that
many in the class have, do not count. A fingerprint weighs more the fewer programs have it. The likeness of two programs
is the part of the lighter one that the other has.

The class itself shows what chance makes: most of its pairs are independent, and a pair far beyond these is listed. So
an assignment that leaves little freedom does not list more pairs than one that leaves much.
"""

from __future__ import annotations

import hashlib
import math
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, groupby
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from grader.batch.opening import spec_of
from grader.batch.store import open_store
from grader.errors import refusals
from grader.machines.families import TRAITS
from grader.report.page import render
from grader.spec.loader import Assignment, load_assignment
from grader.values import dataclass

if TYPE_CHECKING:
    from pygments.lexer import Lexer

FILE_NAME = "similar.html"
_LENGTH = {"assembly": 7, "other": 17}  # shapes in a stretch: lines of assembly, tokens of other languages
_WINDOW = {"assembly": 4, "other": 9}
_FEWEST = 8  # minimum fingerprints: shorter programs are alike by chance
_COMMON = 0.25  # part of a class: a fingerprint that more programs have belongs to the assignment
_COMMON_COUNT = 5  # programs that may share a fingerprint in any class: in a small class a quarter would be one or two
_COMMON_MOST = 60  # maximum owners in a class of any size: their pairs would be too many to look at
_LEAST_ALIKE = 0.35  # part of the lighter program: a pair that shares less is never listed
_SURELY = 0.75  # a pair that shares this part is always listed
_DEVIATIONS = 6  # beyond the median pair of the class
_MOST = 50  # pairs: a person looks at each


@dataclass(frozen=True, slots=True)
class Program:
    """One submission: its owner, the number, and the files of the program by name and text.

    In a pair, ``lines`` are shared with the other program, each with the number of its file.
    """

    submission: str
    name: str
    student_id: str
    language: str
    sources: tuple[tuple[str, str], ...]
    lines: frozenset[tuple[int, int]] = frozenset()

    def files(self) -> Iterator[tuple[str, list[tuple[bool, str, str]]]]:
        """Each file by its name, in pieces: whether the piece is shared, the numbers of its lines, and the lines."""
        for file, (name, text) in enumerate(self.sources):
            lines = list(enumerate(text.expandtabs(8).splitlines(), 1))
            pieces = []
            for shared, group in groupby(lines, lambda line: (file, line[0]) in self.lines):  # noqa: B023  used at once
                held = list(group)
                numbers = "\n".join(str(number) for number, _ in held)
                pieces.append((shared, numbers, "\n".join(line for _, line in held)))
            yield name, pieces


@dataclass(frozen=True, slots=True)
class Pair:
    """Two similar programs, and the part of the shorter one that the other has."""

    first: Program
    second: Program
    alike: float

    @property
    def percent(self) -> int:
        """The same as the page shows it."""
        return round(100 * self.alike)


Prints = Mapping[
    int, tuple[tuple[int, int], ...]
]  # fingerprints, each with the lines, by file, of one stretch that has it


def similar_pairs(programs: Sequence[Program], given: Iterable[tuple[str, str]] = ()) -> list[Pair]:
    """The pairs that are more alike than chance, the most alike first. ``given`` are files that the course handed out."""
    of_course = tuple(given)
    languages = {program.language for program in programs}
    excluded = {language: fingerprints(language, of_course, whole=True).keys() for language in languages}
    prints = []
    for program in programs:
        own = fingerprints(program.language, program.sources)
        prints.append({key: lines for key, lines in own.items() if key not in excluded[program.language]})
    having = Counter(key for one in prints for key in one)
    most = max(_COMMON_COUNT, min(_COMMON * len(programs), _COMMON_MOST))
    weight = {key: math.log(1 + len(programs) / count) for key, count in having.items() if count <= most}
    heavy = [sum(weight[key] for key in one if key in weight) for one in prints]
    fit = [sum(key in weight for key in one) >= _FEWEST for one in prints]
    shared = _shared(prints, weight, fit)
    owners = [program.student_id.casefold() for program in programs]
    alike = {
        (a, b): value / min(heavy[a], heavy[b])
        for (a, b), value in shared.items()
        if not owners[a] or owners[a] != owners[b]  # otherwise both are one person's
    }
    least = _threshold(list(alike.values()), sum(fit))
    pairs = []
    for value, (a, b) in sorted(
        ((value, pair) for pair, value in alike.items() if value >= least), key=lambda one: (-one[0], one[1])
    ):
        both = prints[a].keys() & prints[b].keys() & weight.keys()
        first, second = (
            replace(programs[at], lines=frozenset(line for key in both for line in prints[at][key])) for at in (a, b)
        )
        pairs.append(Pair(first, second, value))
    return pairs


def _shared(prints: Sequence[Prints], weight: Mapping[int, float], fit: Sequence[bool]) -> dict[tuple[int, int], float]:
    """The shared weight of each two programs, by the places of both."""
    places: defaultdict[int, list[int]] = defaultdict(list)
    for at, one in enumerate(prints):
        if fit[at]:
            for key in one.keys() & weight.keys():
                places[key].append(at)
    shared: defaultdict[tuple[int, int], float] = defaultdict(float)
    for key, having in places.items():
        for pair in combinations(having, 2):
            shared[pair] += weight[key]
    return shared


def _threshold(alike: list[float], programs: int) -> float:
    """The likeness that chance does not reach: far beyond most pairs of the class, also those that share nothing."""
    total = programs * (programs - 1) // 2
    # With fewer pairs the median means nothing: a pair of copies would be the usual case.
    if total < 10:
        return _LEAST_ALIKE
    values = alike + [0.0] * (total - len(alike))
    middle = statistics.median(values)
    # The factor that makes the median deviation of a normal distribution its standard deviation.
    deviation = 1.4826 * statistics.median(abs(value - middle) for value in values)
    return min(_SURELY, max(_LEAST_ALIKE, middle + _DEVIATIONS * deviation))


def fingerprints(language: str, sources: Sequence[tuple[str, str]], *, whole: bool = False) -> Prints:
    """The fingerprints of a program; with ``whole`` every stretch, whichever its window would keep."""
    kind = "assembly" if language in TRAITS else "other"
    length, window = _LENGTH[kind], 1 if whole else _WINDOW[kind]
    tokens = shapes(language, sources)
    stretches = [tokens[at : at + length] for at in range(len(tokens) - length + 1)]
    texts = ("\0".join(shape.form for shape in one).encode("utf-8", "replace") for one in stretches)
    hashed = [int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big") for text in texts]
    kept: dict[int, tuple[tuple[int, int], ...]] = {}
    for at in range(len(hashed) - window + 1):
        least = min(range(at, at + window), key=lambda place: (hashed[place], -place))
        kept.setdefault(hashed[least], tuple(dict.fromkeys((shape.file, shape.line) for shape in stretches[least])))
    return kept


def similar_in(out: Path, given: Sequence[Path] = (), spec_path: Path | None = None) -> tuple[Assignment, list[Pair]]:
    """The pairs of a batch. Support files of the spec, and the files ``given``, are the course's. Raises UsageError."""
    with open_store(out / "grades.db", make=False) as store:
        assignment = load_assignment(spec_of(store.call, spec_path))
        kept = list(store.programs())
    program = assignment.spec.program
    usual = program.simulated or program.language[0]
    programs = [
        Program(owner.submission, owner.student or owner.submission, number, usual, sources)
        for owner, number, sources in kept
        if sources
    ]
    own = [(file.name, file.data.decode("utf-8", "replace")) for file in assignment.support]
    for path in given:
        with refusals("cannot be read ({})", path):
            own.append((path.name, path.read_text("utf-8", "replace")))
    return assignment, similar_pairs(programs, own)[:_MOST]


def pairs_page(title: str, pairs: Sequence[Pair]) -> str:
    """The page, for staff. It has no verdict: only a person can tell what a likeness means."""
    return render("pairs.html", title=title, pairs=pairs)


# ---------------------------------------------------------------------------------------------- the shape of a program


@dataclass(frozen=True, slots=True)
class Shape:
    """One token: its form, and the file (by number) and line that it stands in."""

    form: str
    file: int
    line: int


_Statement = tuple[Shape, ...]


def shapes(language: str, sources: Sequence[tuple[str, str]]) -> list[Shape]:
    """The tokens of a program, whose files are given by name and text."""
    tokens: list[Shape] = []
    for number, (name, text) in enumerate(sources):
        if language in TRAITS:
            tokens += _settled(_lines(language, text, number))
        else:
            tokens += _settled(_statements(_lexer(PurePosixPath(name).suffix.casefold(), language), text, number))
    return tokens


def _settled(statements: Iterable[tuple[_Statement, bool]]) -> Iterator[Shape]:
    """The tokens of all statements; between two jumps, the statements are ordered only by their form."""
    run: list[_Statement] = []
    for statement, leads in statements:
        if not leads:
            run.append(statement)
            continue
        yield from _sorted(run)
        yield from statement
        run.clear()
    yield from _sorted(run)


def _sorted(run: Sequence[_Statement]) -> Iterator[Shape]:
    for statement in sorted(run, key=lambda one: [shape.form for shape in one]):
        yield from statement


# ------------------------------------------------------------------------------------------------------------ assembly

_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"?|\'(?:[^\'\\]|\\.)\'')
_NUMBER = re.compile(r"\A(?:[#x+-]*+[0-9][0-9a-fx]*|x-?[0-9a-f]+|#-?[0-9]+|b[01]+)", re.IGNORECASE)
_LABEL = re.compile(r"\A\s*+([A-Za-z_.$][\w.$]*+)\s*+:")
_WORDS = re.compile(r"[^\s,()]+")
# A copyist can easily exchange names of the same machine word.
_SAME = {"brnzp": "br", ".blkw": ".fill", ".asciiz": ".ascii"}


def _lines(language: str, text: str, file: int) -> Iterator[tuple[_Statement, bool]]:
    """One statement a line. Code behind a label may be a target of a jump, so lines are not moved across it."""
    traits = TRAITS[language]
    for number, raw in enumerate(text.splitlines(), 1):
        line = _STRING.sub(" ‹text› ", raw).partition(traits.comment)[0]
        labelled = False
        while match := _LABEL.match(line):
            labelled, line = True, line[match.end() :]
        words = _WORDS.findall(line)
        if traits.operations and words and not traits.operations.fullmatch(words[0]):
            labelled, words = True, words[1:]
        if labelled and not (words and words[0].startswith(".")):
            yield (), True
        if words:
            operation = words[0].casefold()
            form = " ".join((_SAME.get(operation, operation), *(_operand(language, word) for word in words[1:])))
            yield (Shape(form, file, number),), traits.leads.fullmatch(operation) is not None


def _operand(language: str, word: str) -> str:
    """The kind of an operand: a register, a number, a text or a label."""
    if TRAITS[language].register.fullmatch(word):
        return "r"
    if _NUMBER.fullmatch(word):
        return "n"
    return "s" if word == "‹text›" else "l"


# ----------------------------------------------------------------------------------------------------- other languages

_CONTROL = re.compile(
    "if|else|for|while|do|switch|case|default|return|break|continue|goto|try|catch|except|finally|raise|throw|def|class|with|yield"
)


@cache
def _lexer(suffix: str, language: str) -> Lexer:
    from pygments.lexers.c_cpp import CLexer, CppLexer
    from pygments.lexers.jvm import JavaLexer
    from pygments.lexers.python import PythonLexer

    by_suffix = {".java": JavaLexer, ".py": PythonLexer, ".c": CLexer, ".h": CLexer}
    by_language = {"java": JavaLexer, "python": PythonLexer, "c": CLexer}
    lexer: Lexer = by_suffix.get(suffix, by_language.get(language, CppLexer))(stripnl=False)
    return lexer


def _statements(lexer: Lexer, text: str, file: int) -> Iterator[tuple[_Statement, bool]]:
    """The statements, which end with a semicolon or a brace, in Python with the line.

    A word of control makes a jump.
    """
    from pygments.token import Token

    python = lexer.name == "Python"
    held: list[Shape] = []
    leads, depth, line = False, 0, 1
    for kind, value in lexer.get_tokens(text):
        at, line = line, line + value.count("\n")
        if kind in Token.Comment:
            continue
        if not value.strip():
            if python and "\n" in value and depth == 0 and held:
                yield tuple(held), leads
                held, leads = [], False
            continue
        form = _kind(kind, value)
        depth += (value in "([{") - (value in ")]}") if python else (value == "(") - (value == ")")
        held.append(Shape(form, file, at))
        leads = leads or _CONTROL.fullmatch(value) is not None or (not python and value in "{}")
        if not python and depth <= 0 and value in ";{}":
            yield tuple(held), leads
            held, leads, depth = [], False, 0
    if held:
        yield tuple(held), leads


def _kind(kind: object, value: str) -> str:
    """The form of one token: names are names, numbers are numbers, texts are texts."""
    from pygments.token import Token

    forms = ((Token.Name, "n"), (Token.Literal.Number, "0"), (Token.Literal, "s"), (Token.Keyword.Type, "t"))
    for family, form in forms:
        if kind in family:
            return form
    return value.strip()

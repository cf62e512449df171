"""The keys of a `tests` case: a course's own unit tests, and which of them there must be. Each is a case by itself once a spec is loaded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BeforeValidator, Field

from grader.results import Reveals, Visibility
from grader.spec.kinds.content import is_relative
from grader.spec.kinds.divided import FLAGS, Reach, machine_divides, reaches, reaches_in_c, takes_streams
from grader.spec.kinds.kind import Entry, Kind
from grader.spec.problem import Problem, near
from grader.spec.values import Points, Slug, SpecModel, any_of, read_fraction

if TYPE_CHECKING:
    from grader.spec.model import Case, Program, Spec

RUNNERS: Mapping[str, tuple[str, ...]] = {
    "c": ("./program",),
    "cpp": ("./program",),
    "java": ("java",),
    "python": ("pytest", "python"),
}
"""The words that the command of tests can begin with, for each language."""

CLASSES = "classes"
"""The folder in which compiled Java classes lie for tests."""

TOO_LONG = "TimeLimitError"
"""The error that ends a test in Python which computes for too long."""

LARGEST_REPORT = 8 << 20
"""How many bytes the results of one run may have."""


def read_expected(value: object) -> dict[str, Fraction]:
    """Names of tests, or a mapping from names to what each counts, as the latter. Raises ValueError."""
    if isinstance(value, list | tuple):
        names = [name for name in value if isinstance(name, str)]
        if len(names) < len(value):
            raise ValueError("names of tests are expected, such as test_gcd_of_zero, or `NAME: POINTS` for each")
        twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
        if twice is not None:
            raise ValueError(f"the test {twice!r} is listed twice")
        return dict.fromkeys(names, Fraction(1))
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
        return {name: read_fraction(points) for name, points in value.items()}
    raise ValueError("names of tests are expected, or `NAME: POINTS` for each")


_NAMES = {"type": "array", "minItems": 1, "items": {"type": "string"}}
_COUNTED = {"type": "object", "minProperties": 1, "additionalProperties": {"type": ["number", "string"]}}
Expected = Annotated[dict[str, Points], BeforeValidator(read_expected), Field(min_length=1), any_of(_NAMES, _COUNTED)]


def renamed(word: str, name: str, new: str) -> str:
    """A word of a command with another name for a file: ``report`` in ``--reports-dir=report`` is the one at the end."""
    return re.sub(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", lambda _: new, word)


class UnitTests(SpecModel):
    """Unit tests of the course's own, run in a sandbox together with what was handed in: each that is expected is a case by itself."""

    run: tuple[str, ...] = ()
    """The command that runs the tests, word by word: it begins with `pytest`, `python`, `java` or `./program`, which is what
    the compiler made of the files in C or C++. The name in `junit` stands in it, and is replaced by one drawn at random."""
    files: tuple[str, ...] = ()
    """The files of the tests, by paths relative to the spec, built along in these runs alone: tests, drivers, headers, data, jars. They
    are laid beside what was handed in, and replace what has their name."""
    junit: str | None = Field(default=None, min_length=1)
    """The file that the command writes its results to, as JUnit XML: pytest, JUnit, GoogleTest and doctest can."""
    prints: Literal["tap", "unity", "googletest"] | None = None
    """The form of printed results, if the command writes no file: lines such as `ok 1 - NAME` (`tap`), or those of
    Unity or GoogleTest. What is printed as each test ends outlasts a crash, and no program can change it later."""
    expects: Expected
    """The names of all expected tests, with or without their class: a list, in which all count equally, or a mapping to
    the weight of each in its criterion. A missing or additional test costs nothing: a person looks."""
    guards: tuple[str, ...] = ()
    """Tests that are written to fail. If one of them passes, the results were forged, and a person looks."""
    inside: bool = False
    """Whether tests in Python, C or C++ share a process with the program. By default they do not, so that no program can reach its results.
    Tests that cannot be divided say `inside: true`, such as those that inherit from a class of the program, or hand it an open file."""
    equality: tuple[str, ...] = ()
    """Classes of the program whose objects say themselves what plain data they equal: a `Money` that equals 5. An object of any other class
    equals no number, text or list, where tests in Python have a process of their own."""
    run_of: Slug | None = None
    """The case whose command also runs these tests: for tests of another criterion, instead of `run` and its other
    keys."""

    @property
    def same_run(self) -> tuple[object, ...]:
        """The key of a run of tests: cases with equal keys share the run."""
        return (self.run, self.files, self.junit, self.prints, self.guards, self.inside, self.equality)


# -------------------------------------------------------------------------------------------------- a case for each test

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NO_SLUG = re.compile(r"[^a-z0-9]+")


def one_case_each(spec: Spec) -> Spec:
    """The spec with a case for each expected test in place of a case for many; who rests on that one rests on all of them."""
    if not any(case.tests is not None for case in spec.cases):
        return spec
    taken = {case.id for case in spec.cases}
    made = {case.id: tuple(_cases(case, spec, taken)) for case in spec.cases if case.tests is not None}
    ids = {name: tuple(case.id for case in cases) for name, cases in made.items()}

    def resting(case: Case, key: str) -> tuple[str, ...]:
        return tuple(one for name in getattr(case, key) for one in ids.get(name, (name,)))

    cases = (one for case in spec.cases for one in made.get(case.id, (case,)))
    rests = (case.model_copy(update={key: resting(case, key) for key in ("requires", "unless")}) for case in cases)
    return spec.model_copy(update={"cases": tuple(rests)})


def _cases(case: Case, spec: Spec, taken: set[str]) -> Iterator[Case]:
    """A case for each test, with an id that no other has, which is ``taken`` from then on. The name of a test says what it tries: where the case is hidden it has a number instead."""
    assert case.tests is not None
    runs = spec.case(case.tests.run_of).tests if case.tests.run_of else case.tests
    assert runs is not None
    expected = case.tests.expects
    for number, (name, counts) in enumerate(expected.items(), start=1):
        # A name such as `test_draw_on_full_board` would tell what is hidden.
        shown = f"test {number}" if case.visibility is Visibility.HIDDEN else name
        update: dict[str, object] = {"tests": runs.model_copy(update={"expects": {name: Fraction(1)}})}
        if len(expected) > 1:
            # `testGcdOfZero` becomes `test-gcd-of-zero`: ids stand in commands and links.
            slug = _NO_SLUG.sub("-", _HUMP.sub("-", shown).lower()).strip("-")
            wanted = f"{case.id}-{slug or number}"
            names = (wanted, *(f"{wanted}-{more}" for more in range(2, len(taken) + 3)))
            update["id"] = next(name for name in names if name not in taken)
            taken.add(str(update["id"]))
            update["title"], update["weight"] = f"{case.title}: {shown}", case.weight * counts
        yield case.model_copy(update=update)


# ------------------------------------------------------------------------------------------------------------------ rules

_OF_A_RUN = ("run", "files", "junit", "prints", "guards", "inside", "equality")
# Endings of words in a command that are names of files.
_FILES = (".py", ".jar", ".c", ".cpp", ".java", ".txt")


def language(at: Entry[UnitTests]) -> Iterator[Problem]:
    """Tests are written for one language, of programs that run on the computer itself."""
    if at.draft.simulated:
        message = "only programs in C, C++, Java or Python are built along with tests"
        yield at.foreign(message, hint="use `machine` or `call`")
    elif at.draft.program is not None and len(at.draft.program.language) > 1:
        message, hint = "tests are written in one language", "make a spec for each language"
        yield at.problem("languages", message, hint=hint, at_key=True)


def run(at: Entry[UnitTests]) -> Iterator[Problem]:
    """A command begins with what can run tests, and has one way to tell their results; or it is that of another case."""
    tests, program = at.part, at.draft.program
    if tests.run_of is not None:
        for key in _OF_A_RUN:
            if key in tests.model_fields_set:
                message = f"the case `{tests.run_of}` says how its tests are run"
                yield at.idle(message, key, hint="remove it, or `run_of`")
        return
    known = [word for name in program.language for word in RUNNERS.get(name, ())] if program else []
    if not tests.run:
        hint = "such as run: [pytest, --junitxml=report.xml, test_x.py], or `run_of` another case"
        yield at.problem("no-run", f"`{at.case.id}` does not say how its tests are run", hint=hint)
    elif program and not program.simulated and tests.run[0] not in known:
        message = f"`{tests.run[0]}` is no command that runs tests in this language"
        yield at.problem("runner", message, "run", 0, hint=near(tests.run[0], known, "begin with"))
    if (tests.junit is None) == (tests.prints is None):
        twice, never = "results come from a file or from the output, not from both", "nothing tells the results"
        yield at.problem("no-results", twice if tests.junit else never, hint="`junit: report.xml`, or `prints: tap`")


def report(at: Entry[UnitTests]) -> Iterator[Problem]:
    """The command names the file of its results, which is a name inside its folder."""
    tests = at.part
    if tests.junit is None or not tests.run:
        return
    path = PurePosixPath(tests.junit)
    if not is_relative(tests.junit) or ".." in path.parts:
        message = "the results are a file in the folder of the run"
        yield at.problem("report", message, "junit", hint="such as report.xml")
    # A name that stays the same could be written to by the program itself.
    elif not any(renamed(word, path.parts[0], "") != word for word in tests.run[1:]):
        hint = f"such as --junitxml={path.parts[0]}: it is replaced by a name that no program can know"
        yield at.problem("report", f"the command does not name `{path.parts[0]}`", "junit", hint=hint)


def files(at: Entry[UnitTests]) -> Iterator[Problem]:
    """The files of tests are there, each under a name of its own, and all that the command names are among them."""
    seen: dict[str, str] = {}
    for number, name in enumerate(at.part.files):
        path = PurePosixPath(name)
        if not is_relative(name) or not (at.draft.folder / name).is_file():
            message = f"there is no file {at.draft.folder / name}"
            yield at.problem("support", message, "files", number, hint="a path relative to the spec")
        elif path.name in seen:
            message = f"there is a `{path.name}` already, {seen[path.name]}"
            hint = "all lie in one folder when they run: rename one"
            yield at.problem("duplicate-file", message, "files", number, hint=hint)
        seen.setdefault(path.name, name)
    if at.draft.program is not None:
        yield from _named(at, at.draft.program)


def divided(at: Entry[UnitTests]) -> Iterator[Problem]:
    """Tests in Python, C and C++ have a process of their own if they do not reach into that of the program; and only these choose."""
    tests, program = at.part, at.draft.program
    languages = {*program.language} if program is not None else set()
    if "java" in languages and "inside" in tests.model_fields_set:
        yield at.foreign("tests in Java share a process with the program always", "inside")
    if "python" not in languages and "equality" in tests.model_fields_set:
        yield at.foreign("only tests in Python let the program say what equals plain data", "equality")
    if tests.inside and tests.equality:
        yield at.idle("tests that share a process with the program compare objects as Python does", "equality")
    flags = [flag for name in languages & {"c", "cpp"} if program for flag in program.flags.get(name, ())]
    if "-lcriterion" in flags:
        message = "Criterion tells results through a socket, which the sandbox does not allow: every program would lose these tests"
        yield at.problem(
            "runner", message, hint="docs/unit-tests.md has a header that runs such tests without Criterion"
        )
    if program is None or tests.inside:
        return
    if languages & {"c", "cpp"} and tests.run and not machine_divides():
        message = "on this machine tests in C and C++ share a process with the program, which could write their results"
        hint = "grade on x86-64 with glibc, where they have a process of their own"
        yield at.warning("divided", message, hint=hint)
    hint = "write `inside: true`, or test by what the program gives and prints"
    for number, name in enumerate(tests.files):
        file = at.draft.folder / name
        if file.is_file():
            text = file.read_text(encoding="utf-8", errors="replace")
            for one in _reaches(at, program, name, text):
                message = f"{PurePosixPath(name).name}, line {one.line}: {one.what}: these tests cannot have a process of their own"
                yield at.problem("divided", message, "files", number, hint=hint)
    for flag in filter(FLAGS.fullmatch, flags):
        message = (
            f"code that is compiled with `{flag}` cannot be divided: these tests cannot have a process of their own"
        )
        yield at.problem("divided", message, hint="write `inside: true`, or remove the flag")


def _reaches(at: Entry[UnitTests], program: Program, name: str, text: str) -> Iterator[Reach]:
    """The lines of a file of tests that reach into the process of the program."""
    ours = {PurePosixPath(file).name for file in (*at.part.files, *program.support)}
    if "python" in program.language and name.endswith(".py"):
        return reaches(text, {PurePosixPath(file).stem for file in at.part.files})
    if {"c", "cpp"} & {*program.language} and name.endswith((".c", ".h", ".cpp", ".cc", ".cxx", ".hpp")):
        submission = at.draft.submission
        handed_in = (*program.sources, *submission.required, *submission.optional) if submission else program.sources
        given = (at.draft.folder / file for file in (*at.part.files, *program.support))
        texts = (file.read_text(encoding="utf-8", errors="replace") for file in given if file.is_file())
        handed = {PurePosixPath(file).name for file in handed_in} - ours
        return reaches_in_c(text, handed, streams=any(map(takes_streams, texts)))
    return iter(())


def _named(at: Entry[UnitTests], program: Program) -> Iterator[Problem]:
    """The files that the command names are there; a pattern among the sources may stand for any."""
    tests = at.part
    there = {PurePosixPath(name).name for name in (*tests.files, *program.support, *program.sources)}
    result = PurePosixPath(tests.junit).parts[0] if tests.junit else ""
    for number, word in enumerate(tests.run[1:], start=1):
        # An option, or the file of results, which is made by the run.
        if word.startswith("-") or (result and renamed(word, result, "") != word):
            continue
        # A test of pytest has a file before `::`, and a class path has several.
        for name in word.partition("::")[0].split(":"):
            plain = name.endswith(_FILES) and name != CLASSES and name not in there
            if plain and not any("*" in source for source in program.sources):
                message = f"there is no file `{name}` in the folder of the run"
                yield at.problem("runner-file", message, "run", number, hint=near(name, there, "with the tests come"))


def names(at: Entry[UnitTests]) -> Iterator[Problem]:
    """No name of an expected test could mean another one too, and a guard is not expected."""
    owner = at.part.run_of or at.case.id
    suites = [(case.id, case.tests) for case in at.draft.cases.values() if case.tests]
    every = [name for id, tests in suites if (tests.run_of or id) == owner for name in tests.expects]
    for name in at.part.expects:
        # JUnit writes the class before a name, pytest the module, and others neither.
        longer = next((other for other in every if other.endswith(f".{name}")), None)
        if longer is not None:
            message = f"`{name}` could also be the test `{longer}`"
            yield at.problem("test-name", message, "expects", hint="write both with their class", at_key=True)
        elif every.count(name) > 1:
            message = f"the test `{name}` is expected by two cases"
            yield at.problem("test-name", message, "expects", hint="name it once", at_key=True)
        if name in at.part.guards:
            message = f"`{name}` is written to fail, but expected to pass"
            yield at.problem("contradiction", message, "guards", hint="remove one", at_key=True)


def shared(at: Entry[UnitTests]) -> Iterator[Problem]:
    """``run_of`` names a case that has a run. Cases that share it are equally visible: its files would tell what is hidden."""
    owners = {case.id: case for case in at.draft.cases.values() if case.tests and case.tests.run_of is None}
    name, case = at.part.run_of, at.case
    if name is not None and name not in owners:
        hint = near(name, owners, "these do:")
        yield at.problem("unknown-case", f"no case `{name}` runs tests", "run_of", hint=hint)
    elif name is not None and (owner := owners[name]).visibility is not case.visibility:
        shown = f"its run shows the tests of `{case.id}`, which is {case.visibility}"
        message = f"`{name}` is {owner.visibility}, and {shown}"
        yield at.problem("visibility", message, "run_of", hint="give hidden tests files and a run of their own")


def hidden(at: Entry[UnitTests]) -> Iterator[Problem]:
    """Hidden tests are not in a file that students get, and have no input to show."""
    case = at.case
    if case.visibility is Visibility.HIDDEN and case.reveals in (Reveals.INPUT, Reveals.TURN):
        loc = (*at.loc[:-1], "reveals")
        yield Problem("reveals", "nothing is typed in a unit test", loc, "`full` or `verdict`")
    if case.visibility is Visibility.VISIBLE:
        return
    visible = (other.tests for other in at.draft.cases.values() if other.visibility is Visibility.VISIBLE)
    shown = {name for tests in visible if tests for name in tests.files}
    shown |= {*at.draft.program.support} if at.draft.program else set()
    for number, name in enumerate(at.part.files):
        # Libraries such as JUnit, and headers, belong to visible tests and to hidden ones.
        if name in shown and not name.endswith((".jar", ".h", ".hpp")):
            message = f"`{case.id}` is {case.visibility}, and students are given `{name}`"
            hint = "give hidden tests a file of their own; archives and headers may be both"
            yield at.problem("visibility", message, "files", number, hint=hint)


TESTS = Kind("tests", (language, run, report, files, divided, names, shared, hidden), runs=False)

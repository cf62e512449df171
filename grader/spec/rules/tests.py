"""Rules on unit tests: the command can be run, names its report and what it needs; the tests are told apart; who shares a run may."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import PurePosixPath

from grader.spec.document import Loc
from grader.spec.hints import near
from grader.spec.kinds.tests import CLASSES, RUNNERS, UnitTests, renamed
from grader.spec.model import Case, Counts, Program
from grader.spec.problem import Problem
from grader.spec.rules.draft import Draft, Rule

_OF_A_RUN = ("run", "files", "junit", "prints", "guards")
_FILES = (".py", ".jar", ".c", ".cpp", ".java", ".txt")
"""What ends so in a command is the name of a file."""


def _suites(draft: Draft) -> Iterator[tuple[int, Case, UnitTests, Loc]]:
    for index, case in draft.cases.items():
        if case.tests is not None:
            yield index, case, case.tests, ("cases", index, "tests")


def language(draft: Draft) -> Iterator[Problem]:
    """Tests are written for one language, of programs that run on the computer itself."""
    program = draft.program
    for _, _, _, loc in _suites(draft):
        if program is not None and program.simulated:
            message, hint = (
                "only programs in C, C++, Java or Python are built along with tests",
                "use `machine` or `call`",
            )
            yield Problem("foreign-kind", message, loc, hint, at_key=True)
        elif program is not None and len(program.language) > 1:
            hint = "make a spec for each language"
            yield Problem("languages", "tests are written in one language", loc, hint, at_key=True)


def run(draft: Draft) -> Iterator[Problem]:
    """A command begins with what can run tests, and has one way to tell their results; or it is that of another case."""
    for _, case, tests, loc in _suites(draft):
        if tests.run_of is not None:
            for key in _OF_A_RUN:
                if key in tests.model_fields_set:
                    message = f"the case `{tests.run_of}` says how its tests are run"
                    yield Problem("idle-key", message, (*loc, key), "remove it, or `run_of`", at_key=True)
            continue
        if not tests.run:
            hint = "such as run: [pytest, --junitxml=report.xml, test_x.py], or `run_of` another case"
            yield Problem("no-run", f"`{case.id}` does not say how its tests are run", loc, hint)
        elif draft.program and not draft.program.simulated:
            yield from _runner(tests, draft.program, loc)
        if (tests.junit is None) == (tests.prints is None):
            message = (
                "the results are told in a file or printed, and not both"
                if tests.junit
                else "nothing tells the results"
            )
            hint = "`junit: report.xml`, or `prints: tap`"
            yield Problem("no-results", message, loc, hint)


def _runner(tests: UnitTests, program: Program, loc: Loc) -> Iterator[Problem]:
    known = [word for name in program.language for word in RUNNERS.get(name, ())]
    if tests.run[0] not in known:
        message = f"`{tests.run[0]}` is no command that runs tests in this language"
        yield Problem("runner", message, (*loc, "run", 0), near(tests.run[0], known, "begin with"))


def report(draft: Draft) -> Iterator[Problem]:
    """The command names the file of its results, which is a name inside its folder."""
    for _, _, tests, loc in _suites(draft):
        if tests.junit is None or not tests.run:
            continue
        path = PurePosixPath(tests.junit)
        if path.is_absolute() or ".." in path.parts or "\\" in tests.junit or "\0" in tests.junit:
            yield Problem(
                "report", "the results are a file in the folder of the run", (*loc, "junit"), "such as report.xml"
            )
        elif not any(renamed(word, path.parts[0], "") != word for word in tests.run[1:]):
            hint = f"such as --junitxml={path.parts[0]}: it is replaced by a name that no program can know"
            yield Problem("report", f"the command does not name `{path.parts[0]}`", (*loc, "junit"), hint)


def files(draft: Draft) -> Iterator[Problem]:
    """The files of tests are there, each under a name of its own, and all that the command names are among them."""
    for _, _, tests, loc in _suites(draft):
        seen: dict[str, str] = {}
        for index, name in enumerate(tests.files):
            where: Loc = (*loc, "files", index)
            path = PurePosixPath(name)
            if path.is_absolute() or "\\" in name or "\0" in name or not (draft.folder / name).is_file():
                yield Problem(
                    "support", f"there is no file {draft.folder / name}", where, "a path relative to the spec"
                )
            elif path.name in seen:
                hint = "all lie in one folder when they run: rename one"
                yield Problem("duplicate-file", f"there is a `{path.name}` already, {seen[path.name]}", where, hint)
            seen.setdefault(path.name, name)
        if draft.program is not None:
            yield from _named(tests, draft.program, loc)


def _named(tests: UnitTests, program: Program, loc: Loc) -> Iterator[Problem]:
    there = {PurePosixPath(name).name for name in (*tests.files, *program.support, *program.sources)}
    result = PurePosixPath(tests.junit).parts[0] if tests.junit else ""
    for index, word in enumerate(tests.run[1:], start=1):
        if word.startswith("-") or (result and renamed(word, result, "") != word):
            continue
        for name in _paths(word):
            if name.endswith(_FILES) and name not in there and not any("*" in source for source in program.sources):
                hint = near(name, there, "with the tests come")
                yield Problem(
                    "runner-file", f"there is no file `{name}` in the folder of the run", (*loc, "run", index), hint
                )


def _paths(word: str) -> list[str]:
    """The files that a word of a command may name: a test of pytest has a file before `::`, a class path has several."""
    return [part for part in word.partition("::")[0].split(":") if part and part != CLASSES]


def names(draft: Draft) -> Iterator[Problem]:
    """No name of an expected test could mean another one too, and a guard is none of them."""
    for _, case, tests, loc in _suites(draft):
        every = [name for other in _sharing(draft, case) for name in other.expects]
        for name in tests.expects:
            where: Loc = (*loc, "expects")
            longer = next((other for other in every if other.endswith(f".{name}")), None)
            if longer is not None:
                message = f"`{name}` could be the test `{longer}`, too"
                yield Problem("test-name", message, where, "write both with their class", at_key=True)
            elif every.count(name) > 1:
                yield Problem(
                    "test-name", f"the test `{name}` is expected by two cases", where, "name it once", at_key=True
                )
            if name in tests.guards:
                message = f"`{name}` is written to fail, and expected to pass"
                yield Problem("contradiction", message, (*loc, "guards"), "remove one", at_key=True)


def _sharing(draft: Draft, case: Case) -> list[UnitTests]:
    """The tests of all cases that share the run of one."""
    assert case.tests is not None
    first = case.tests.run_of or case.id
    return [tests for _, other, tests, _ in _suites(draft) if (tests.run_of or other.id) == first]


def shared(draft: Draft) -> Iterator[Problem]:
    """A run is that of a case that has one, and whoever shares it is as visible: its files would tell what is hidden."""
    owners = {case.id: case for _, case, tests, _ in _suites(draft) if tests.run_of is None}
    for _, case, tests, loc in _suites(draft):
        if tests.run_of is None:
            continue
        owner = owners.get(tests.run_of)
        if owner is None:
            message = f"no case `{tests.run_of}` runs tests"
            yield Problem("unknown-case", message, (*loc, "run_of"), near(tests.run_of, owners, "these do:"))
        elif owner.visibility is not case.visibility:
            message = f"`{owner.id}` is {owner.visibility}, and its run shows the tests of `{case.id}`, which is {case.visibility}"
            yield Problem("visibility", message, (*loc, "run_of"), "give hidden tests files and a run of their own")


def hidden_files(draft: Draft) -> Iterator[Problem]:
    """What is hidden does not lie in a file that students are given."""
    given: Collection[str] = draft.program.support if draft.program else ()
    shown = {name for _, case, tests, _ in _suites(draft) if case.visibility == "visible" for name in tests.files}
    for _, case, tests, loc in _suites(draft):
        for index, name in enumerate(tests.files if case.visibility != "visible" else ()):
            if (name in given or name in shown) and not name.endswith((".jar", ".h", ".hpp")):
                message = f"`{case.id}` is {case.visibility}, and students are given `{name}`"
                hint = "give hidden tests a file of their own; archives and headers may be both"
                yield Problem("visibility", message, (*loc, "files", index), hint)


def weights(draft: Draft) -> Iterator[Problem]:
    """What a case counts is more than nothing, and is said where cases are counted."""
    for index, case in draft.cases.items():
        criterion = draft.by_criterion.get(case.criterion or "")
        loc: Loc = ("cases", index)
        each = criterion is not None and criterion.counts is Counts.EACH
        for counts in (case.weight, *(case.tests.expects.values() if case.tests else ())):
            if counts == 0:
                yield Problem(
                    "worthless", f"`{case.id}` counts nothing", loc, "let it count more than 0, or have no criterion"
                )
                break
        differ = case.tests is not None and len(set(case.tests.expects.values())) > 1
        if criterion is not None and not each and ("weight" in case.model_fields_set or differ):
            message = f"`{case.criterion}` does not count each of its cases"
            key: Loc = ("weight",) if "weight" in case.model_fields_set else ("tests", "expects")
            yield Problem("idle-key", message, (*loc, *key), "give it `counts: each`", at_key=True)


def sanitize(draft: Draft) -> Iterator[Problem]:
    """Checks of memory are for compilers that have them."""
    program = draft.program
    if program is not None and "sanitize" in program.model_fields_set and not {*program.language} <= {"c", "cpp"}:
        message = "only programs in C and C++ are compiled with checks of memory"
        yield Problem("foreign-key", message, ("program", "sanitize"), "remove it", at_key=True)


RULES: tuple[Rule, ...] = (language, run, report, files, names, shared, hidden_files, weights, sanitize)

"""The verdicts of the expected tests, from one run of unit tests; pure.

A submission shares the process with its tests, and could write the report itself. Contradictory results earn and cost
nothing, and a person looks: a missing, duplicate or unknown test, a run that ended before its tests, an invalid report.
Only a run that crashed is a mistake of the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import PurePosixPath

from grader.checks import ending as endings
from grader.checks.outcomes import Outcome, Reported
from grader.results import COURSE_FAULT, UNBELIEVED, Finding, Verdict
from grader.source import SourceFile
from grader.spec.kinds.tests import TOO_LONG
from grader.transcript import Ending, EndingKind
from grader.values import dataclass

_NAMED = 5  # tests that a sentence names
_SHOWN = 300  # characters shown of a line of a test's message
_LINES = 12  # lines shown of a test's message
# pytest's words for a file that it cannot import, and for a fixture that fails
_NOT_BEGUN = ("collection failure", "failed on setup with")


# Errors of a course's own tests in Python, as opposed to errors of the program. An error is the course's on two
# conditions. The innermost line of its trace is in a file of the course, and it names something that a student need
# not define.
# That is a module that is not installed, or an unknown name or fixture. An error from a value of the program, such as
# an index into None, names nothing and stays the program's.
_AT = re.compile(r"(?m)^(?:file )?(?:\S*/)?(?P<file>[^\s:/,]{1,200})(?::|, line )(?P<line>\d{1,7})\b")
_ERROR = re.compile(r"(?m)^E +(?P<error>\S.*)$")
_NOT_THERE = (
    re.compile(r"ModuleNotFoundError: No module named '(?P<module>[\w.]+)'"),
    re.compile(r"ImportError: cannot import name '\w+' from '(?P<module>[\w.]+)'"),
    re.compile(r"AttributeError: (?:partially initialized )?module '(?P<module>[\w.]+)' has no attribute '\w+'"),
    re.compile(r"NameError: name '(?P<name>\w+)' is not defined"),
    re.compile(r"fixture '(?P<fixture>\w+)' not found"),
    re.compile(r"TypeError: the spec does not name the class (?P<unnamed>\w+) under `equality`"),
)
# After such a line any name may be the student’s.
_ALL_OF = re.compile(r"(?m)^[ \t]*from +([\w.]+) +import +\*")


@dataclass(frozen=True, slots=True)
class Course:
    """The modules of a course, each text by its file's name, and the names of the modules that a student hands in or should."""

    texts: Mapping[str, str] = field(default_factory=dict)
    students: frozenset[str] = frozenset()

    def fault(self, test: Reported) -> Finding | None:
        """The finding if a test broke by a fault of the course's files, else None."""
        places = list(_AT.finditer(test.details))
        errors = _ERROR.findall(test.details)
        if not places or not errors:
            return None
        return self._fault(places[-1]["file"], places[-1]["line"], errors[-1])

    def fault_of_ending(self, ending: Ending) -> Finding | None:
        """The same for the exception that ended a whole run."""
        file, _, line = ending.place.partition(":")
        return self._fault(file, line, ending.message) if ending.kind is EndingKind.EXCEPTION else None

    def _fault(self, file: str, line: str, error: str) -> Finding | None:
        if file not in self.texts:
            return None
        missing = next((match for pattern in _NOT_THERE if (match := pattern.search(error))), None)
        if missing is None or self._is_students(missing.groupdict(), file):
            return None
        message = f"a file of the course is wrong; this costs no points: {file}, line {line}: {missing[0][:_SHOWN]}"
        return Finding(COURSE_FAULT, message)

    def _is_students(self, named: Mapping[str, str | None], file: str) -> bool:
        module = named.get("module")
        if module is not None:
            return module.partition(".")[0] in self.students
        taken = {name.partition(".")[0] for name in _ALL_OF.findall(self.texts[file])}
        return named.get("name") is not None and not taken.isdisjoint(self.students)


@dataclass(frozen=True, slots=True)
class Told:
    """The evidence on a run: its report, or why that could not be read; its ending; its last output.

    ``own`` says that the exception that ended it came out of the program, and not only out of the tests. ``course``
    recognises errors of the tests themselves.
    """

    tests: tuple[Reported, ...]
    refused: str
    ending: Ending
    said: str = ""
    own: bool = True
    course: Course = Course()

    @property
    def broke(self) -> bool:
        """Whether the program broke. A fault of the tests alone is not the program's."""
        broken = endings.VERDICTS[self.ending.kind] is not Verdict.ACCEPTED
        return broken and (self.own or self.ending.kind is not EndingKind.EXCEPTION)


Judged = tuple[Verdict, tuple[Finding, ...]]


def judge(expected: Sequence[str], guards: Sequence[str], run: Told) -> Mapping[str, Judged]:
    """The verdict of each expected test, and why."""
    assigned = _assigned((*expected, *guards), run.tests)
    broke = run.broke
    fault = run.course.fault_of_ending(run.ending) if not broke and not assigned.by_name else None
    if fault is not None:
        return dict.fromkeys(expected, (Verdict.JUDGE_ERROR, (fault,)))
    outside = [test for test in assigned.others if test.outcome is Outcome.ERROR] if not broke else []
    alarm = _alarm(expected, guards, run, assigned, outside=bool(outside))
    if alarm:
        message = f"{alarm}: a person must look at these results"
        finding = Finding(UNBELIEVED, message, output=_last(run.said))
        return dict.fromkeys(expected, (Verdict.NEEDS_REVIEW, (finding,)))
    lost = _lost(run, outside) if broke or outside else None
    return {name: _verdict(name, assigned.by_name.get(name), lost, run.course) for name in expected}


@dataclass(frozen=True, slots=True)
class _Assigned:
    by_name: Mapping[str, Reported]
    twice: tuple[str, ...]
    others: tuple[Reported, ...]


def _assigned(names: Iterable[str], tests: Iterable[Reported]) -> _Assigned:
    """The reported tests by the names of expected ones, with or without their class."""
    # The longest first, since `TestB.test_x` ends with `test_x` as well.
    wanted = sorted(names, key=len, reverse=True)
    by_name: dict[str, Reported] = {}
    twice: list[str] = []
    others: list[Reported] = []
    for test in tests:
        name = next((one for one in wanted if test.name == one or test.name.endswith(f".{one}")), None)
        if name is None:
            others.append(test)
        elif name in by_name:
            twice.append(name)
        else:
            by_name[name] = test
    return _Assigned(by_name, tuple(dict.fromkeys(twice)), tuple(others))


def _alarm(expected: Sequence[str], guards: Sequence[str], run: Told, assigned: _Assigned, *, outside: bool) -> str:
    """The reason not to trust the results; empty if they can be trusted."""
    broke = run.broke
    # A run that broke could not finish its report: the crash is reported.
    if run.refused and not broke:
        return f"{run.refused} ({run.ending.message})"
    strange = [test.name for test in assigned.others if not (outside and test.outcome is Outcome.ERROR)]
    missing = [name for name in (*expected, *guards) if name not in assigned.by_name]
    passed = [name for name in guards if name in assigned.by_name and assigned.by_name[name].outcome is Outcome.PASSED]
    skipped = [name for name, test in assigned.by_name.items() if test.outcome is Outcome.SKIPPED]
    # A program can call `exit(0)`, or write a report of its own, and nothing but the code of the runner tells.
    clean = all(assigned.by_name[name].outcome is Outcome.PASSED for name in expected if name in assigned.by_name)
    reasons = (
        (assigned.twice, "the run reports more than once on"),
        (strange, "the run reports tests that do not exist:"),
        # A guard is a test that no right program passes: it passes only in a forged report.
        (passed, "the run reports as passed what is written to fail:"),
        (skipped, "the run skipped"),
        ([] if broke or outside else missing, f"the run ended ({run.ending.message}) without a result for"),
    )
    for names, reason in reasons:
        if names:
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            return f"{reason} {', '.join(name[:80] for name in names[:_NAMED])}{more}"
    if not missing and broke:
        return f"every test has a result, but the run broke: {run.ending.message}"
    if not missing and not guards and clean and run.ending.kind is EndingKind.EXIT_CODE:
        # JUnit, pytest and the others end with a code other than 0 only if something failed.
        return f"the run reports every test as passed, but {run.ending.message}"
    return ""


def _lost(run: Told, errors: Sequence[Reported]) -> Judged:
    """The verdict on tests that a broken run never reached, or that could not start.

    ``errors`` are outside of tests.
    """
    ending = run.ending
    if run.broke:
        message = f"the run ended before this test had a result: {ending.message}"
        output = "" if ending.last_steps else _last(run.said)
        return endings.VERDICTS[ending.kind], (endings.finding_of(ending, message, output=output),)
    for fault in filter(None, map(run.course.fault, errors)):
        return Verdict.JUDGE_ERROR, (fault,)
    # For example if the program cannot be imported.
    message = f"its tests could not begin: {_first(errors[0])}"
    return Verdict.RUNTIME_ERROR, (Finding("tests-not-begun", message, output=_last(errors[0].details)),)


def _verdict(name: str, test: Reported | None, lost: Judged | None, course: Course) -> Judged:
    if test is None:
        assert lost is not None  # without a cause a missing test is an alarm
        return lost
    if test.outcome is Outcome.PASSED:
        return Verdict.ACCEPTED, ()
    failed = test.outcome is Outcome.FAILED
    fault = None if failed else course.fault(test)
    if fault is not None:
        return Verdict.JUDGE_ERROR, (fault,)
    verdict, code = (Verdict.WRONG_ANSWER, "test-failed") if failed else (Verdict.RUNTIME_ERROR, "test-error")
    message = f"{name}: {_first(test)}"
    # Our own plugin of pytest stops a test that never ends, so that the others have results.
    if test.message.startswith(TOO_LONG):
        verdict, code, message = Verdict.TIME_LIMIT, "time-limit", f"{name}: it computed for too long"
    return verdict, (Finding(code, message, output=_last(test.details), subject=(name,)),)


def _first(test: Reported) -> str:
    """The first line of a test's message.

    For a file that cannot be imported, pytest has it in the error that it shows.
    """
    errors = (line[1:].strip() for line in test.details.splitlines() if line.startswith("E "))
    shown = [line for line in errors if not _CALL.match(line)]
    text = shown[-1] if shown and test.message in _NOT_BEGUN else test.message or test.details
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and _PLACE.fullmatch(lines[0]):  # GoogleTest says what failed in the lines below its place
        lines = ["; ".join(lines[1:]).replace(":; ", ": ")]
    return _steady(lines[0][:_SHOWN]) if lines else "it failed without a reason"


# A line of the program that led to an exception, as tests with a process of their own show it.
_CALL = re.compile(r"\A\S+:\d+: in \S+\Z")
_FRAME = re.compile(r"\A\s+at [\w.$]+")
_OF_RUNNER = re.compile(r"\A\s+(?:at (?:[\w.]+/)?(?:org\.(?:junit|opentest4j)|java|jdk|sun)\.|\.\.\. \d+ more)")
# pages of addresses follow, for which we have a sentence
_OF_SANITIZER = re.compile(r"(?m)^(?:={20,}\n)?==\d+==ERROR: ")
# Addresses and times differ from run to run; reports must not.
_CHANGING = (
    (re.compile(r"\b0x[0-9a-f]{6,16}\b"), "0x…"),
    (re.compile(r"\.\.\.x?[0-9a-f]{4,16}>"), "…>"),  # pytest cuts long texts in the middle
    (re.compile(r"\b\d+(?:\.\d+)? ?(?:ms|s|seconds)\b"), "… s"),
)


def _steady(text: str) -> str:
    for pattern, instead in _CHANGING:
        text = pattern.sub(instead, text)
    return text


def _last(details: str) -> str:
    """The lines of a test's message with its failure: in Java the first ones that are not JUnit's own."""
    text = _OF_SANITIZER.split(details, maxsplit=1)[0]
    lines = [line[:_SHOWN] for line in text.splitlines() if not _OF_RUNNER.match(line)]
    first = any(_FRAME.match(line) for line in lines)
    return _steady("\n".join(lines[:_LINES] if first else lines[-_LINES:]))


_PLACE = re.compile(r"(?<![^\s:\"'()<>/\\])(?P<file>[^\s:\"'()<>/\\]{1,200})(?:\", line |:)(?P<line>\d{1,7})")


def placed(finding: Finding, sources: Iterable[SourceFile]) -> Finding:
    """The finding with the student's line at which its test broke off, if its message names one.

    Java names the innermost call first, Python last.
    """
    by_name = {PurePosixPath(source.name).name: source for source in sources}
    lines = finding.output.splitlines()
    places = [place for line in lines for place in _PLACE.finditer(line)]
    named = [(by_name[place["file"]], int(place["line"])) for place in places if place["file"] in by_name]
    there = [(source, line) for source, line in named if 0 < line <= len(source.lines)]
    if finding.place or not there:
        return finding
    innermost_first = any(map(_FRAME.match, lines))
    source, line = there[0 if innermost_first else -1]
    return replace(finding, place=f"{source.name}:{line}", excerpt=source.line_span(line).excerpt())

"""The reports of unit tests, read from JUnit XML or from printed lines: pure, and without trust.

A student's program ran in the process that wrote the report, so the report may hold anything: endless entities, a
hundred thousand tests, no XML at all. Anything but a plain report is refused as a whole, with a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, replace
from enum import StrEnum
from typing import NoReturn
from xml.parsers import expat

from grader.spec.kinds.tests import LARGEST_REPORT
from grader.values import dataclass

MOST_TESTS = 10_000  # maximum tests of a report: a program may have written it, and each costs time
_DEEPEST = 32  # maximum depth of its elements: suites within suites need a few
_LONGEST = 10_000  # characters kept of what one test says


class Outcome(StrEnum):
    """The result of one test."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Reported:
    """One test of a report: its name with its class, its outcome, and its message."""

    name: str
    outcome: Outcome
    message: str = ""
    details: str = ""


class RefusedError(ValueError):
    """A text that is not one report."""


def read_junit(data: bytes) -> tuple[Reported, ...]:
    """The tests of a report as JUnit, pytest, GoogleTest, Criterion and others write it. Raises RefusedError."""
    if len(data) > LARGEST_REPORT:
        raise RefusedError(f"has more than {LARGEST_REPORT >> 20} MiB")
    reading = _Reading()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    # A few lines of entities within entities grow to gigabytes.
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.EntityDeclHandler = _refuse_doctype
    parser.StartElementHandler = reading.start
    parser.EndElementHandler = reading.end
    parser.CharacterDataHandler = reading.text
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise RefusedError(f"is not complete XML: {expat.ErrorString(error.code)}, in line {error.lineno}") from error
    if reading.root not in ("testsuites", "testsuite"):
        raise RefusedError(f"is not a report of tests: it begins with <{reading.root[:40]}>")
    return tuple(reading.tests)


def _refuse_doctype(*_: object) -> NoReturn:
    raise RefusedError("declares entities, which no report of tests has")


_OUTCOMES: Mapping[str, Outcome] = {"failure": Outcome.FAILED, "error": Outcome.ERROR, "skipped": Outcome.SKIPPED}
# Pytest also calls an unexpected exception a failure; a failed assertion has one of the other types.
_THROWN = re.compile(r"\A(?!(?:\w+\.)*(?:Assertion|Comparison)\w*)(?:\w+\.)*\w+(?:Error|Exception|Exit)\b(?=:|$)")
_GRAVER = (Outcome.PASSED, Outcome.SKIPPED, Outcome.FAILED, Outcome.ERROR)
# Attributes of GoogleTest and Criterion; a passed test has `run`, `completed` or `PASSED` there.
_STATUSES: Mapping[str, Outcome] = {
    "failed": Outcome.FAILED,
    "errored": Outcome.ERROR,
    **dict.fromkeys(("skipped", "suppressed", "notrun"), Outcome.SKIPPED),
}


@dataclass
class _Reading:
    """Takes in a report, element by element."""

    tests: list[Reported] = field(default_factory=list)
    root: str = ""
    _open: list[str] = field(default_factory=list)
    _name: str = ""
    _outcome: Outcome = Outcome.PASSED
    _message: str = ""
    _details: list[str] = field(default_factory=list)
    _kept: int = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.root = self.root or tag
        if len(self._open) >= _DEEPEST:
            raise RefusedError(f"is nested more than {_DEEPEST} elements deep")
        if tag == "testcase":
            # No runner writes such a test, and it would have two outcomes.
            if "testcase" in self._open:
                raise RefusedError("has a test within a test")
            self._begin(attributes)
        elif tag in _OUTCOMES and self._open[-1:] == ["testcase"]:
            message = attributes.get("message", "")[:_LONGEST]
            thrown = tag == "failure" and _THROWN.match(message) is not None
            self._outcome = max(self._outcome, Outcome.ERROR if thrown else _OUTCOMES[tag], key=_GRAVER.index)
            kind = attributes.get("type", "").rpartition(".")[2]  # JUnit names what was thrown beside the message
            if (thrown or tag == "error") and kind.isidentifier() and kind not in message:
                message = f"{kind}: {message}"
            self._message = self._message or message
        self._open.append(tag)

    def _begin(self, attributes: Mapping[str, str]) -> None:
        _room_for_more(self.tests)
        words = (attributes.get(key, "").casefold() for key in ("status", "result"))
        named = [outcome for word in words if (outcome := _STATUSES.get(word)) is not None]
        # JUnit's console writes parentheses behind names of methods
        names = (attributes.get("classname", ""), attributes.get("name", "").removesuffix("()"))
        self._name = ".".join(filter(None, names))[:_LONGEST]
        self._outcome = max((Outcome.PASSED, *named), key=_GRAVER.index)
        self._message, self._details, self._kept = "", [], 0

    def end(self, tag: str) -> None:
        self._open.pop()
        if tag == "testcase":
            details = "".join(self._details)[:_LONGEST].strip("\n")
            self.tests.append(Reported(self._name, self._outcome, self._message, details))

    def text(self, data: str) -> None:
        of_test = self._open[-2:-1] == ["testcase"] and self._open[-1] in _OUTCOMES
        if of_test and self._kept < _LONGEST:
            self._details.append(data)
            self._kept += len(data)


_TAP = re.compile(r"(?P<no>not )?ok +\d+\b(?: +-)?", re.IGNORECASE)
_TAP_MARK = re.compile(r"(?<!\S)# *(?:SKIP|TODO)\b", re.IGNORECASE)  # TAP 14: a name may hold "C#todo"
# The lines of Check: `ok 1 - test_gcd.c:numbers:test_zero: Passed`. Only its own names have this form.
_CHECK = re.compile(r"\A[\w./-]{1,200}\.\w{1,4}:(?P<suite>[^:\n]{1,200}):(?P<name>\w{1,200}): (?P<why>.*)\Z")
_BAIL = re.compile(r"^Bail out!(?P<why>.*)$", re.IGNORECASE)


def read_tap(text: str) -> tuple[Reported, ...]:
    """The tests of lines such as ``ok 1 - gcd of zero`` and ``not ok 2 - NAME``.

    Lines ``# …`` below are the message.
    """
    tests: list[Reported] = []
    for line in text.splitlines():
        # TAP: nothing that follows is a result.
        if _BAIL.match(line):
            break
        match = _TAP.match(line)
        if match is not None:
            _room_for_more(tests)
            rest = line[match.end() :]
            mark = _TAP_MARK.search(rest)
            outcome = Outcome.SKIPPED if mark else Outcome.FAILED if match["no"] else Outcome.PASSED
            name, why = (rest[: mark.start()], rest[mark.end() :]) if mark else (rest, "")
            if of_check := _CHECK.match(name.strip()):
                name, why = f"{of_check['suite']}.{of_check['name']}", of_check["why"] if match["no"] else why
            tests.append(Reported(name.strip()[:_LONGEST], outcome, why.strip()[:_LONGEST]))
        # Test::More and others write why a test failed on lines of their own behind it.
        elif line.startswith("#") and tests and tests[-1].outcome is not Outcome.PASSED:
            test, more = tests[-1], line[1:].strip()
            if test.message:
                tests[-1] = replace(test, details=f"{test.details}\n{more}"[:_LONGEST].strip("\n"))
            else:
                tests[-1] = replace(test, message=more[:_LONGEST])
    return tuple(tests)


_UNITY = re.compile(
    r"^(?P<file>[^:\n]*):(?P<line>\d+):(?P<name>[^:\n]+):(?P<what>PASS|FAIL|IGNORE)(?::? ?(?P<why>.*))?$"
)
_UNITY_OUTCOMES = {"PASS": Outcome.PASSED, "FAIL": Outcome.FAILED, "IGNORE": Outcome.SKIPPED}


def read_unity(text: str) -> tuple[Reported, ...]:
    """The tests of lines such as ``test_gcd.c:12:test_zero:FAIL: Expected 7 Was 0``, as Unity prints them."""
    tests: list[Reported] = []
    for line in text.splitlines():
        match = _UNITY.match(line)
        if match is not None:
            _room_for_more(tests)
            place = f"{match['file']}:{match['line']}" if match["what"] == "FAIL" else ""
            message = (match["why"] or "")[:_LONGEST]
            tests.append(Reported(match["name"][:_LONGEST], _UNITY_OUTCOMES[match["what"]], message, place))
    return tuple(tests)


_GOOGLE = re.compile(r"\[ {0,9}(?P<what>OK|FAILED|SKIPPED) {1,9}\] (?P<name>[^\s,(]{1,1000})")
_GOOGLE_OUTCOMES = {"OK": Outcome.PASSED, "FAILED": Outcome.FAILED, "SKIPPED": Outcome.SKIPPED}


def read_googletest(text: str) -> tuple[Reported, ...]:
    """The tests of lines such as ``[  FAILED  ] Gcd.OfZero (0 ms)``, as GoogleTest prints them; the lines since its beginning are the message."""
    tests: list[Reported] = []
    said: list[str] = []
    for line in text.splitlines():
        match = _GOOGLE.match(line)
        if match is not None and line.endswith(" ms)"):  # the list at the end has no times
            _room_for_more(tests)
            message = "\n".join(said).replace(": Failure\n", "\n", 1)[:_LONGEST]
            outcome = _GOOGLE_OUTCOMES[match["what"]]
            tests.append(Reported(match["name"][:_LONGEST], outcome, message if outcome is Outcome.FAILED else ""))
        said = [] if line.startswith("[ ") else [*said, line]
    return tuple(tests)


def _room_for_more(tests: list[Reported]) -> None:
    if len(tests) >= MOST_TESTS:
        raise RefusedError(f"has more than {MOST_TESTS:,} tests")

"""Errors of a course's tests in Python themselves, told from those of the program that they try; pure.

An error is the course's where the innermost line of its trace lies in a file of the course and what it names is nothing that a student
should define: a module that is not installed, a name or a fixture that is nowhere. What a test makes of a value that
the program gave, such as an index into None, names nothing: it stays the program's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Final

from grader.checks.outcomes import Reported
from grader.results import COURSE_FAULT, Finding
from grader.transcript import Ending, EndingKind
from grader.values import dataclass

_PLACE: Final = re.compile(r"(?m)^(?:file )?(?:\S*/)?(?P<file>[^\s:/,]{1,200})(?::|, line )(?P<line>\d{1,7})\b")
_ERROR: Final = re.compile(r"(?m)^E +(?P<error>\S.*)$")
_SHOWN: Final = 300
_NAMED: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"ModuleNotFoundError: No module named '(?P<module>[\w.]+)'",
        r"ImportError: cannot import name '\w+' from '(?P<module>[\w.]+)'",
        r"AttributeError: (?:partially initialized )?module '(?P<module>[\w.]+)' has no attribute '\w+'",
        r"NameError: name '(?P<name>\w+)' is not defined",
        r"fixture '(?P<fixture>\w+)' not found",
    )
)
_ALL_OF: Final = re.compile(r"(?m)^[ \t]*from +([\w.]+) +import +\*")


@dataclass(frozen=True, slots=True)
class Course:
    """The modules of a course, each text by its file's name, and the names of the modules that a student hands in or should."""

    texts: Mapping[str, str] = field(default_factory=dict)
    students: frozenset[str] = frozenset()

    def fault(self, test: Reported) -> Finding | None:
        """What is wrong with the course's files where a test broke by that, else None."""
        places = list(_PLACE.finditer(test.details))
        errors = _ERROR.findall(test.details)
        if not places or not errors:
            return None
        return self._fault(places[-1]["file"], places[-1]["line"], errors[-1])

    def fault_of_ending(self, ending: Ending) -> Finding | None:
        """The same of the exception by which a whole run ended."""
        file, _, line = ending.place.partition(":")
        return self._fault(file, line, ending.message) if ending.kind is EndingKind.EXCEPTION else None

    def _fault(self, file: str, line: str, error: str) -> Finding | None:
        if file not in self.texts:
            return None
        found = next((match for pattern in _NAMED if (match := pattern.search(error))), None)
        if found is None or self._is_students(found.groupdict(), file):
            return None
        message = f"a file of the course is wrong, and no points are lost: {file}, line {line}: {found[0][:_SHOWN]}"
        return Finding(COURSE_FAULT, message)

    def _is_students(self, named: Mapping[str, str | None], file: str) -> bool:
        module = named.get("module")
        if module is not None:
            return module.partition(".")[0] in self.students
        taken = {name.partition(".")[0] for name in _ALL_OF.findall(self.texts[file])}
        return named.get("name") is not None and not taken.isdisjoint(self.students)

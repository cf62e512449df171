"""grader: an autograding harness for student console programs.

A course writes one YAML spec per assignment; the harness runs what students hand in and says how many points it earns
and why. ``docs/ARCHITECTURE.md`` has the map, ``docs/api.md`` says what else a program may import from here.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.bundled import spec_path as spec_path
    from grader.errors import GraderError as GraderError
    from grader.grading import Grading as Grading
    from grader.intake.source import read_submission as read_submission
    from grader.results import Grade as Grade
    from grader.results import Verdict as Verdict
    from grader.results import for_student as for_student
    from grader.spec.loader import load_assignment as load_assignment

__version__ = "0.1.0"

_DOOR = {
    "Grade": "grader.results",
    "GraderError": "grader.errors",
    "Grading": "grader.grading",
    "Verdict": "grader.results",
    "for_student": "grader.results",
    "load_assignment": "grader.spec.loader",
    "read_submission": "grader.intake.source",
    "spec_path": "grader.bundled",
}


def __getattr__(name: str) -> object:
    """Names that the library offers, imported at their first use: a command that needs few of them starts at once."""
    if name not in _DOOR:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_DOOR[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_DOOR])

"""``NAME.survivors.yaml`` beside a spec: why it lives with each mutant that it does not charge.

# a sentence that explains some mutants: their names, as `grader lint --prove` prints them
"A row is asked for in vain: both say so, in other words":
  - "stack-in-r6/nim.asm:57:9 condition: BRz → BRp"
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from grader.errors import SpecError
from grader.mutants.record import Result
from grader.source import Diagnostic, Severity
from grader.spec.loader import yaml_file

SUFFIX = ".survivors.yaml"

_HINT = "write a sentence, a colon, and below it a list of names as `grader lint --prove` prints them"


def file_of(spec: Path) -> Path:
    """Where the survivors of a spec are explained."""
    return spec.with_name(spec.name.removesuffix(spec.suffix) + SUFFIX)


def explained(path: Path) -> Mapping[str, str]:
    """The reason for each mutant, by its name; none where there is no such file. Raises SpecError with every problem."""
    if not path.is_file():
        return {}
    document = yaml_file(path, "file of survivors")
    data = document.data
    problems = [problem for problem in document.problems if problem.code != "empty"]
    reasons: dict[str, str] = {}
    for reason, names in data.items() if isinstance(data, dict) else ():
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            span = document.key_span((reason,))
            problems.append(Diagnostic(Severity.ERROR, "survivors", "a list of mutants is expected", span, _HINT))
            continue
        reasons |= dict.fromkeys(names, str(reason))
    if problems:
        raise SpecError(tuple(problems))
    return reasons


def unexplained(results: Iterable[Result], reasons: Mapping[str, str]) -> tuple[Result, ...]:
    """The mutants that no sentence explains and that are not charged."""
    return tuple(result for result in results if result.outcome.explained and result.name not in reasons)


def outdated(results: Iterable[Result], reasons: Mapping[str, str]) -> tuple[str, ...]:
    """The names of mutants that a sentence explains although they are charged now."""
    return tuple(result.name for result in results if not result.outcome.explained and result.name in reasons)

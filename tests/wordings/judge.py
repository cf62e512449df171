"""Grade generated programs with the specs as they are: ``python -m tests.wordings.judge FOLDER``."""

from __future__ import annotations

import argparse
import resource
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml

from grader.grading import Grading
from grader.intake.source import read_submission
from grader.results import Grade
from grader.spec.loader import load_assignment

ROOT = Path(__file__).parents[2]
FAILED = (
    "wrong-answer",
    "runtime-error",
    "time-limit",
    "output-limit",
    "memory-limit",
    "not-shown",
    "not-terminating",
    "form",
)
OPEN = ("needs-review", "unjudged", "skipped", "judge-error")


@dataclass(frozen=True, slots=True)
class Judged:
    """The result for one program.

    ``unjust`` are cases that failed and should not, ``missed`` those that should have failed and were accepted, ``open`` those
    that were not judged. ``read`` says that the case with which all begins was judged; ``found`` that all that should fail did.
    """

    name: str
    assignment: str
    defect: str
    read: bool
    found: bool
    right: int
    unjust: tuple[str, ...]
    missed: tuple[str, ...]
    open: tuple[str, ...]
    lost: float
    seconds: float
    why: str = ""


@lru_cache(maxsize=2)
def _grading(assignment: str) -> Grading:
    return Grading(load_assignment(ROOT / "specs" / f"{assignment}.yaml"))


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def judged(folder: Path) -> Judged:
    """Grade one program, and compare with what must come of it."""
    expected = yaml.safe_load((folder / "expected.yaml").read_text(encoding="utf-8"))
    grading = _grading(expected["assignment"])
    submission = read_submission(next((folder / "submission").iterdir()))
    before = _cpu()
    grade = grading.grade(submission)
    return _compared(folder.name, expected, grade, _cpu() - before)


def _compared(name: str, expected: dict[str, object], grade: Grade, seconds: float) -> Judged:
    fails, may = set(expected["fails"]), set(expected["may_fail"])  # type: ignore[call-overload]
    verdicts = {case.id: str(case.verdict) for case in grade.cases if case.kind != "manual" and case.id != "report-pdf"}
    failed = {case for case, verdict in verdicts.items() if verdict in (*FAILED, "compile-error")}
    accepted = {case for case, verdict in verdicts.items() if verdict == "accepted"}
    waiting = set(verdicts) - failed - accepted
    lost = sum(float(c.lost) for c in grade.criteria)
    return Judged(
        name=name,
        assignment=str(expected["assignment"]),
        defect=str(expected["defect"] or ""),
        read=verdicts.get("plays") in ("accepted", *FAILED),
        found=fails <= failed,
        right=len(failed & fails) + len(accepted - fails - may),
        unjust=tuple(sorted(failed - fails - may)),
        missed=tuple(sorted(fails & accepted)),
        open=tuple(sorted(waiting - may)),
        lost=lost,
        seconds=seconds,
        why=next(iter(grade.review), ""),
    )


def table(results: list[Judged]) -> str:
    """The results for all."""
    right = [one for one in results if not one.defect]
    wrong = [one for one in results if one.defect]
    cases = sum(one.right + len(one.unjust) + len(one.missed) for one in results)
    lines = [
        f"programs                {len(results)}, of them {len(right)} right",
        f"read                    {sum(one.read for one in results)}, not read {sum(not one.read for one in results)}",
        f"judged wholly           {sum(not one.open for one in results)}",
        (
            f"judged cases            {cases}, right {sum(one.right for one in results)}, "
            f"unjust {sum(len(one.unjust) for one in results)}, missed {sum(len(one.missed) for one in results)}"
        ),
        f"open cases              {sum(len(one.open) for one in results)}",
        f"right programs          {sum(bool(one.unjust) for one in right)} lose points",
        f"defects found           {sum(one.found for one in wrong)} of {len(wrong)}",
        (
            f"CPU seconds a program   {sum(one.seconds for one in results) / max(len(results), 1):.2f}, "
            f"most {max((one.seconds for one in results), default=0):.2f}"
        ),
    ]
    return "\n".join(lines)


def details(results: list[Judged]) -> str:
    """A line for each program with something wrong or open."""
    lines = []
    for one in results:
        if one.unjust or one.missed or one.open:
            parts = [
                f"{what} {', '.join(found)}"
                for what, found in (("UNJUST", one.unjust), ("MISSED", one.missed))
                if found
            ]
            parts += [f"open {len(one.open)}"] if one.open else []
            lines.append(f"{one.name} [{one.defect or 'right'}] {'; '.join(parts)}  {one.why[:110]}")
    return "\n".join(lines)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.wordings.judge", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", type=int, choices=(1, 2), default=1)
    parser.add_argument("--only", default="", help="a part of the name, or of the defect")
    parser.add_argument(
        "--sums", action="store_true", help="sums alone: for the part of the vocabulary that is set aside"
    )
    options = parser.parse_args()
    folders = [home.parent for home in sorted(options.folder.glob("*/expected.yaml"))]
    folders = [
        home for home in folders if options.only in home.name or options.only in (home / "expected.yaml").read_text()
    ]
    if options.workers == 1:
        results = [judged(folder) for folder in folders]
    else:
        with ProcessPoolExecutor(options.workers) as pool:
            results = list(pool.map(judged, folders))
    if not options.sums:
        print(details(results))  # noqa: T201  a command
        unfound = Counter(one.defect for one in results if one.missed)
        print("defects not found:", dict(unfound))  # noqa: T201
    print(table(results))  # noqa: T201


if __name__ == "__main__":
    main()

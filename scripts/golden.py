"""Writes one table of all that the grader says of our own programs, and compares two such tables.

    scripts/golden.py [-o FILE] [--only TEXT] [--wordings N] [-j N]    grade, and write the table (reports/golden.json)
    scripts/golden.py compare OLD NEW                                  say what changed; 1 where anything did
    scripts/golden.py messages [TABLE]                                 print every sentence of a table once, by case

The programs are the fixtures of the bundled specs and of the examples, the samples of `make demo`, and generated programs of
``tests/wordings``. Programs of the vocabulary that is set aside are not among them: nobody is to see single results of these.
Programs that attack have tests of their own.

A table has no time and no path of a machine, and stands in a fixed order, so that two of them can also be compared by `diff`.
``compare`` compares grades, verdicts and findings exactly, and learned tables by what they mean: by the values of their keys.
How a lesson is worded, quoted or ordered is no change. ``messages`` prints lines of spec, case, criterion, number of times and sentence,
with tabs between. Sentences that differ only in numbers and quotations are one, and the first of them is printed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from multiprocessing.util import Finalize
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

TABLE = ROOT / "reports" / "golden.json"
SPECS = ("c-nim", "java-nim", "lc3-nim", "mips-connect4", "pile-nim")
WORDINGS = 30
"""Generated programs of each game: two of three have a defect, and thirty have each defect of a pile once."""

Table = Mapping[str, Any]
"""The table of all programs, by their names."""


# ------------------------------------------------------------------------------------------------------------ the programs


@dataclass(frozen=True)
class Job:
    """A program to grade: its name in the table, the spec, and where it lies. A generated one has no path."""

    name: str
    spec: str
    path: str = ""


def jobs(wordings: int) -> Iterator[Job]:
    """All programs, those of one spec after each other."""
    for spec in SPECS:
        at = f"specs/{spec}.yaml"
        for folder in sorted((ROOT / "fixtures" / spec).glob("*/*/")):
            yield Job(_name(folder), at, str(folder / "submission"))
        for path in sorted((ROOT / "fixtures" / "demo" / spec).iterdir()):
            yield Job(_name(path), at, str(path))
        game = {"pile-nim": "pile", "mips-connect4": "board"}.get(spec)
        for number in range(wordings if game else 0):
            yield Job(f"wordings/{game}-known-1-{number}", at)
    for spec in sorted((ROOT / "specs" / "examples").glob("*/*.yaml")):
        for folder in sorted((spec.parent / "fixtures").glob("*/*/")):
            yield Job(_name(folder), _name(spec), str(folder / "submission"))


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


_gradings: dict[str, Any] = {}
"""The grading of this process, by its spec: one at a time."""


def _grading(spec: str) -> Any:
    from grader.grading import Grading
    from grader.spec.loader import load_assignment

    if spec not in _gradings:
        for old in _gradings.values():
            old.close()
        _gradings.clear()
        _gradings[spec] = Grading(load_assignment(ROOT / spec))
        Finalize(None, _gradings[spec].close, exitpriority=10)
    return _gradings[spec]


def graded(job: Job) -> tuple[str, Any]:
    """The name of a program and its part of the table."""
    with TemporaryDirectory() as folder:
        submission = _submission(job, Path(folder))
        return job.name, entry(_grading(job.spec).grade(submission))


def _submission(job: Job, folder: Path) -> Any:
    from grader.intake.source import read_submission
    from tests.test_fixtures import handed_in

    if not job.path:
        from tests.wordings.made import made, write

        return read_submission(write(made(job.name.rpartition("/")[2]), folder) / "submission")
    path = Path(job.path)
    if path.name != "submission" or job.name.startswith("specs/"):
        return read_submission(path)
    files = {one.relative_to(path).as_posix(): one.read_bytes() for one in sorted(path.rglob("*")) if one.is_file()}
    return handed_in(files, _report(), folder)


def _report() -> bytes:
    import io

    from pypdf import PdfWriter

    writer, file = PdfWriter(), io.BytesIO()
    writer.add_blank_page(width=200, height=200)
    writer.write(file)
    return file.getvalue()


# --------------------------------------------------------------------------------------------------------------- the table

_OF_FINDING = ("code", "message", "hint", "turn", "typed", "expected", "actual", "place")


def entry(grade: Any) -> dict[str, Any]:
    """The facts of a grade that are the same on every machine."""
    return {
        "score": _number(grade.score),
        "open": _number(grade.open_points),
        "criteria": {one.id: _criterion(one) for one in grade.criteria},
        "cases": {one.id: _case(one) for one in grade.cases},
        "diagnostics": list(grade.diagnostics),
        "review": list(grade.review),
        "learned": [[one.key, one.value, one.sentence, one.quote] for one in grade.learned],
    }


def _number(points: Any) -> Any:
    return None if points is None else str(points)


def _criterion(one: Any) -> dict[str, Any]:
    charges = {charge.slip: _number(charge.points) for charge in one.charges}
    left_open = {"open": _number(one.open)} if one.open and one.points is not None else {}
    return {
        "points": _number(one.points),
        **left_open,
        "status": str(one.status),
        "reason": one.reason,
        "charges": charges,
    }


def _case(one: Any) -> dict[str, Any]:
    findings = [
        {"weight": str(found.weight), **{key: value for key in _OF_FINDING if (value := getattr(found, key))}}
        for found in one.findings
    ]
    share = "/".join(map(str, one.share)) if one.share else "1"
    return {"verdict": str(one.verdict), "profile": one.profile, "share": share, "findings": findings}


def written(table: Table) -> str:
    """A table as text, in an order of its own."""
    return json.dumps(table, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


# ---------------------------------------------------------------------------------------------------------- what has changed


@dataclass(frozen=True, order=True)
class Change:
    """One thing that differs: the program, the kind of thing, and what it was and is."""

    program: str
    kind: str
    what: str

    def __str__(self) -> str:
        """As a line below the name of the program."""
        return f"  {self.kind} {self.what}"


def changes(old: Table, new: Table) -> list[Change]:
    """The differences between two tables, program by program."""
    found = [Change(name, "program", "is new") for name in new.keys() - old.keys()]
    found += [Change(name, "program", "is gone") for name in old.keys() - new.keys()]
    for name in old.keys() & new.keys():
        found += [Change(name, kind, what) for kind, what in _changed(old[name], new[name])]
    return sorted(found)


def _changed(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key in ("score", "open"):
        if old[key] != new[key]:
            yield "grade", f"{key} {old[key]} → {new[key]}"
    for name in _both(old["criteria"], new["criteria"]):
        for key, was, now in _fields(old["criteria"].get(name, {}), new["criteria"].get(name, {})):
            yield "grade", f"{name} {key}: {was} → {now}"
    for name in _both(old["cases"], new["cases"]):
        was, now = old["cases"].get(name, {}), new["cases"].get(name, {})
        for key, before, after in _fields(was, now):
            if key != "findings":
                yield "verdict", f"{name} {key}: {before} → {after}"
        for sign, found in _lists(was.get("findings", []), now.get("findings", [])):
            yield "finding", f"{name} {sign} {found}"
    for key in ("diagnostics", "review"):
        for sign, text in _lists(old[key], new[key]):
            yield "finding", f"{key} {sign} {text}"
    for key, was, now in _fields(meaning(old["learned"]), meaning(new["learned"])):
        yield "learned", f"{key}: {was} → {now}"


def _both(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    return list(dict.fromkeys((*old, *new)))


def _fields(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    for key in _both(old, new):
        if old.get(key) != new.get(key):
            yield key, old.get(key), new.get(key)


def _lists(old: list[Any], new: list[Any]) -> Iterator[tuple[str, str]]:
    """The items of only the old list, and those of only the new one, in any order."""
    was, now = (Counter(json.dumps(one, ensure_ascii=False, sort_keys=True) for one in held) for held in (old, new))
    yield from (("-", text) for text in (was - now).elements())
    yield from (("+", text) for text in (now - was).elements())


def meaning(lessons: list[list[str]]) -> dict[str, list[str]]:
    """The lessons by key: roles, labels, marks, winners. Blanks have no meaning, and equal keys no order."""
    found: dict[str, list[str]] = {}
    for key, value, *_ in lessons:
        if key or value:
            found.setdefault(key, []).append(" ".join(value.split()))
    return {key: sorted(values) for key, values in found.items()}


def told(found: list[Change], old: Table, new: Table) -> str:
    """The changes as text: below each program what differs, and sums at the end."""
    lines: list[str] = []
    for program, changed in groupby(found, key=lambda change: change.program):
        lines += [program, *map(str, changed)]
    sums = Counter(change.kind for change in found)
    counts = ", ".join(f"{count} of {kind}" for kind, count in sorted(sums.items())) or "nothing"
    programs = len({change.program for change in found})
    return "\n".join([*lines, f"{programs} of {len(old.keys() | new.keys())} programs differ: {counts}"])


# ---------------------------------------------------------------------------------------------------- the list of sentences


def messages(table: Table) -> Iterator[str]:
    """The lines of the list: by spec, then by case in the order of their names, the most frequent sentence first."""
    from grader.spec.loader import load_assignment
    from tests.languages.__main__ import shape

    specs = {job.name: job.spec for job in jobs(WORDINGS)}
    criteria: dict[tuple[str, str], str] = {}
    for spec in set(specs.values()):
        criteria.update({(spec, case.id): case.criterion or "" for case in load_assignment(ROOT / spec).spec.cases})
    first: dict[tuple[str, str, str, str], str] = {}
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for program, one in table.items():
        spec = specs[program]
        for case, criterion, sentence in _sentences(one):
            key = (spec, case, criterion or criteria.get((spec, case), ""), shape(sentence))
            first.setdefault(key, sentence)
            counts[key] += 1
    for key, count in sorted(counts.items(), key=lambda item: (item[0][:3], -item[1])):
        yield "\t".join((*key[:3], str(count), first[key].replace("\n", " ⏎ ")))


def _sentences(one: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """The sentences on one program, each with its case and criterion; what has no case names its kind instead."""
    for name, case in one["cases"].items():
        for finding in case["findings"]:
            yield from ((name, "", finding[key]) for key in ("message", "hint") if finding.get(key))
    yield from (("reason", name, criterion["reason"]) for name, criterion in one["criteria"].items())
    for kind in ("diagnostics", "review"):
        yield from ((kind, "", sentence) for sentence in one[kind])
    yield from (("learned", "", sentence) for _, _, sentence, _ in one["learned"])


# ------------------------------------------------------------------------------------------------------------- the commands


def _compare(paths: list[str]) -> int:
    old, new = (json.loads(Path(path).read_text(encoding="utf-8")) for path in paths)
    found = changes(old, new)
    print(told(found, old, new))
    return 1 if found else 0


def _write(options: argparse.Namespace) -> int:
    chosen = [job for job in jobs(options.wordings) if options.only in job.name]
    table: dict[str, Any] = {}
    with ProcessPoolExecutor(options.jobs) as pool:
        for number, (name, one) in enumerate(pool.map(graded, chosen, chunksize=8), start=1):
            table[name] = one
            if number % 50 == 0 or number == len(chosen):
                print(f"{number} of {len(chosen)} programs", file=sys.stderr)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(written(table), encoding="utf-8")
    print(options.output)
    return 0


def main(words: list[str]) -> int:
    """The command line."""
    if words[:1] == ["compare"] and len(words) == 3:
        return _compare(words[1:])
    if words[:1] == ["messages"] and len(words) <= 2:
        table = json.loads(Path(words[1] if words[1:] else TABLE).read_text(encoding="utf-8"))
        print("\n".join(messages(table)))
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, default=TABLE)
    parser.add_argument("--only", default="", metavar="TEXT", help="programs whose name holds this text")
    parser.add_argument("--wordings", type=int, default=WORDINGS, metavar="N", help="generated programs of each game")
    parser.add_argument("-j", "--jobs", type=int, default=2, metavar="N", help="processes")
    return _write(parser.parse_args(words))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

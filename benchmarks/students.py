"""A class as students write it: right programs of different hands, grown by what students add, and mutants of them.

A student's program is a right one of the fixtures or of the generated wordings, or a mutant of one (``grader.mutants``), in turn. It is
*grown*: it gets comments, a routine that nobody calls, and other names for its labels or functions. None of that changes what it does.
Messages differ by the wordings themselves; lc3-nim and c-nim fix theirs.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from random import Random

from grader.build.chosen import choose
from grader.intake.source import read_submission
from grader.lint.prices import accepted_fixtures
from grader.mutants.drawing import mutants, originals
from grader.source import SourceFile
from grader.spec.loader import Assignment, load_assignment
from grader.submission import Submission, SubmittedFile

ROOT = Path(__file__).resolve().parents[1]
WORDINGS: Mapping[str, tuple[str, int]] = {"pile-nim": ("pile", 30), "mips-connect4": ("board", 30)}
"""The games with generated wordings, and how many are looked at: every third of them is right."""

REMARKS = (
    "this took me two evenings",
    "TODO: tidy this up",
    "do not change, it works",
    "see the sample run on page 2",
    "counts from zero",
    "old value was off by one",
    "keep the player in a register",
    "thanks to the tutor for the hint",
)
COMMENTS = {"lc3": ";", "mips": "#", ".py": "#"}
ASSEMBLY = (".asm", ".s")
SPARE_ROUTINES = {
    "lc3": "{name}\n        ADD     R0, R0, #0      ; not used any more\n        RET\n",
    "mips": "\n        .text\n{name}:\n        addi    $v0, $a0, 1     # not used any more\n        jr      $ra\n",
    "c": "\nint {name}(int value)\n{{\n    return value < 0 ? 0 : value;  /* not used any more */\n}}\n",
}
NOT_RENAMED = frozenset(
    [
        "main",
        "run",
        "read",
        "write",
        "open",
        "close",
        "exit",
        "time",
        "rand",
        "srand",
        "abs",
        "signal",
        "handler",
        "start",
        "fflush",
    ]
)
"""Names that mean something to a library or to a linker."""


@dataclass(frozen=True)
class Student:
    """The submission of one student: the files, and the ``origin``, a right program or the name of a mutant."""

    number: int
    origin: str
    right: bool
    submission: Submission


def students(name: str, count: int) -> Iterator[Student]:
    """The class of an assignment, the same for each call: right programs and mutants in turn, no two alike."""
    assignment = load_assignment(ROOT / "specs" / f"{name}.yaml")
    with tempfile.TemporaryDirectory() as folder:
        programs = originals(assignment, [*_fixtures(assignment), *_wordings(name, Path(folder))])
        known = {one.name: one for one in programs}
        wrong = iter(mutants(assignment.spec, programs))
        for number in range(count):
            right = number % 2 == 0
            change = None if right else next(wrong)
            original = programs[number // 2 % len(programs)] if change is None else known[change.program]
            submission = original.submission if change is None else change.made_of(original.submission)
            grown_up = _grown(assignment, submission, Random(f"{name}/{number}"))
            yield Student(number, original.name if change is None else change.name, right, grown_up)


def _fixtures(assignment: Assignment) -> Iterator[Path]:
    """The accepted fixtures whose sources are UTF-8: others are there for their encoding."""
    for path in accepted_fixtures(assignment):
        files = choose(assignment.spec.program, read_submission(path, assignment.spec.submission.student_id)).files
        if files and all(SourceFile.from_bytes(one.path, one.data).encoding == "utf-8" for one in files):
            yield path


def _wordings(name: str, folder: Path) -> Iterator[Path]:
    if name not in WORDINGS:
        return
    sys.path.insert(0, str(ROOT))
    from tests.wordings.made import made, write

    game, number = WORDINGS[name]
    for at in range(0, number, 3):
        yield write(made(f"{game}-known-1-{at}"), folder) / "submission"


# ------------------------------------------------------------------------------------------------------------ growing


def _grown(assignment: Assignment, submission: Submission, random: Random) -> Submission:
    chosen = choose(assignment.spec.program, submission).files
    if not chosen:  # the change took away by what a program is known
        return submission
    one = chosen[0]
    source = SourceFile.from_bytes(one.path, one.data)
    suffix, machine = PurePosixPath(one.path).suffix.lower(), assignment.spec.program.simulated
    text = "\n".join(source.lines)
    if len(chosen) == 1:  # other files may use its names
        text = renamed(text, suffix, machine, random)
    text = grown(text, suffix, machine, random)
    new = SubmittedFile(one.path, text.encode("utf-8"))
    return replace(submission, files=tuple(new if file == one else file for file in submission.files))


def grown(text: str, suffix: str, machine: str, random: Random) -> str:
    """A source with comments and a spare routine; it does what it did. No two are alike, by the number in the last line."""
    mark = COMMENTS.get(machine or suffix, "//")
    text = _with_spare_routine(text, suffix, machine, f"spare{random.randrange(1000)}")
    lines: list[str] = []
    for line in text.split("\n"):
        lines.append(line)
        if _ends_statement(line, suffix) and random.random() < 1 / 6:
            lines.append(f"{'' if machine else '    '}{mark} {random.choice(REMARKS)} ({random.randrange(100)})")
    return "\n".join([*lines, f"{mark} version {random.randrange(1_000_000)}", ""])


def _ends_statement(line: str, suffix: str) -> bool:
    """Whether a comment may stand on the next line: in none of the programs a line like these ends within a comment or a string."""
    if suffix in ASSEMBLY:
        return not line.strip()
    return bool(re.search(r"\)\s*;\s*$", line)) if suffix != ".py" else False


def renamed(text: str, suffix: str, machine: str, random: Random) -> str:
    """A source in which four labels or functions have other names."""
    names = _names(text, suffix, machine)
    for name in random.sample(names, min(len(names), 4)):
        text = re.sub(rf"(?<![\w$.\"']){name}(?![\w\"'])", f"{name}{random.choice('XYZ')}{random.randrange(10)}", text)
    return text


def _names(text: str, suffix: str, machine: str) -> Sequence[str]:
    """Labels or functions that can have another name: they stand in no string, and in one case alone."""
    pattern = {"lc3": r"^([A-Z]{3}[A-Z_]+)\s+[A-Z.]", "mips": r"^(\w{4,}):"}.get(machine, r"^[a-z][\w ]* \**(\w{4,})\(")
    if suffix in {".py", ".java"}:  # methods may be called by other files, or override those of a library
        return ()
    strings = " ".join(re.findall(r"\"[^\"\n]*\"|'[^'\n]*'", text))
    found = dict.fromkeys(re.findall(pattern, text, re.MULTILINE))
    words = re.findall(r"\w+", text)
    return [
        name
        for name in found
        if name.lower() not in NOT_RENAMED
        and name not in strings
        and {word for word in words if word.casefold() == name.casefold()} == {name}
        and not re.match(r"(GETC|PUTS|HALT|TRAP|IN$|OUT$|PUTSP|BR|JSRR?$|RET|AND|NOT|ADD|LEA|LDI|LDR|STI|STR)", name)
    ]


def _with_spare_routine(text: str, suffix: str, machine: str, name: str) -> str:
    if suffix == ".py":
        return (
            f"{text}\n\ndef {name}(value):\n    return max(value, 0)  # not used any more\n"
            if "__main__" not in text
            else text
        )
    if suffix == ".java":
        head, brace, rest = text.rpartition("}")
        return (
            f"{head}\n    static int {name}(int value) {{\n        return value < 0 ? 0 : value;\n    }}\n{brace}{rest}"
        )
    routine = SPARE_ROUTINES.get(machine, SPARE_ROUTINES["c"]).format(name=name.upper() if machine == "lc3" else name)
    if machine == "mips":  # behind a return: MARS ends a program that runs past its last instruction
        head, last, rest = text.partition(next(iter(re.findall(r"^\s*jr\s+\$ra.*\n", text, re.MULTILINE)), "\0"))
        return head + last + routine + rest if last else text
    if machine == "lc3":  # behind the code of the last block, before its end
        head, end, rest = text.rpartition(".END")
        return f"{head}\n{routine}{end}{rest}" if end and not head.rpartition("\n")[2].strip() else text
    return text + routine

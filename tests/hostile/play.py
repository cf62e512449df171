"""Plays every attack in one tier: ``python -m tests.hostile.play TIER FOLDER PRODUCTS USER [NAME …]`` prints what each achieved as JSON,
or in a string why the tier cannot be had.

It is a process of its own, so that no attack meets the tests themselves, and so that root can play the tiers of
ordinary users. It becomes the user with the number USER after all imports, since the interpreter may lie where only
root can read.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import textwrap
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

from grader.build import gcc
from grader.build.native import build_native
from grader.build.workshop import TOOL_LIMITS, Workshop
from grader.errors import DisturbedError, JudgeError
from grader.grading import Grading
from grader.results import Verdict, for_student
from grader.sandbox import Cage, Command, Tier, best_tier, complete
from grader.sessions.jvm import FRESH, JvmProgram
from grader.sessions.session import Program
from grader.spec.loader import Assignment, load_assignment
from tests.hostile.attacks import ATTACKS, KNOWS, Attack
from tests.hostile.reports import harm_in_reports
from tests.hostile.surroundings import Surroundings

_SPEC = """
assignment: hostile
title: Says hello
program: {{language: {language}, sources: ['*.{language}'], terminal: {terminal}, flags: {flags}}}
limits: {{cpu: {cpu} ms, wall: {wall} ms, memory: 64 MiB, output: 64 KiB, processes: 8, storage: 4 MiB}}
rubric: [{{id: talk, title: Says hello, points: 1}}]
cases:
  - id: talk
    title: Says hello
    criterion: talk
    dialogue: [{{expect: 'Name\\?'}}, {{send: Ann}}, {{expect: 'Hello, Ann'}}, {{ends: true}}]
"""
_HIDDEN = """\
  - id: secret
    title: Says hello to another
    visibility: hidden
    dialogue: [{{expect: 'Name\\?'}}, {{send: {secret}}}, {{expect: 'Hello'}}, {{ends: true}}]
"""
_TIMES = {False: (500, 2000), True: (100, 500)}
"""Milliseconds of computing and of waiting, for an attack that ends and for one that is endless."""
_COMPILATIONS = {False: (0.3, 5), True: (0.1, 1)}
"""Seconds of them, and below bytes, that a compiler may use for an attack on it."""
_COMPILER_MEMORY = 256 << 20
_IMPORTED_LATE = (
    *("encodings.cp437", "encodings.unicode_escape", "encodings.utf_8_sig", "importlib.readers"),
    *("pty", "resource", "tty", "xml.dom.minidom"),
)
_TAKEN = ("out", "pipe", "hard", "folder/file")


def main() -> None:
    """Play, and tell."""
    tier, folder, products, user, *names = sys.argv[1:]
    become(int(user))
    try:
        Cage(Tier(tier)).close()
    except JudgeError as error:
        json.dump(str(error), sys.stdout)
        return
    with Surroundings(Path(folder)) as around, closing(Players(Tier(tier), Path(products), around)) as players:
        json.dump({name: players.play(ATTACKS[name]) for name in names or ATTACKS}, sys.stdout)


def become(user: int) -> None:
    """Be this user from now on."""
    if user != os.geteuid():
        for name in _IMPORTED_LATE:
            importlib.import_module(name)
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)


def assignment(attack: Attack, folder: Path, key: Path, secret: str) -> Assignment:
    """The small assignment in the language of an attack, written into a folder."""
    with_key = attack.against == "compiler" and attack.language != "java"
    flags = {attack.language: [f'-DKEY="{key}"']} if with_key else {}
    cpu, wall = _TIMES[attack.endless]
    terminal = str(attack.terminal).lower()
    text = _SPEC.format(language=attack.language, terminal=terminal, flags=json.dumps(flags), cpu=cpu, wall=wall)
    if attack.hidden:
        text = text.replace("cases:\n", "cases:\n" + _HIDDEN.format(secret=secret))
    path = folder / "hostile.yaml"
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return load_assignment(path)


def compile_all(folder: Path, products: Path) -> None:
    """Compile what is played in every tier, so that no tier does it again: what one user keeps, no other can read."""
    with Workshop(best_tier(), products) as workshop:
        for attack in ATTACKS.values():
            if attack.against != "compiler":
                support = (KNOWS,) if attack.against == "cage" else ()
                spec = assignment(attack, folder, folder, "Bob").spec
                build_native(spec, support, attack.submission, workshop).close()
    for path in products.iterdir():
        path.chmod(0o644)


AGAIN = 2
"""So often an attack on a compiler is tried once more: other tests run at the same time."""


class ShowingWorkshop(Workshop):
    """A workshop whose cages show the libraries of the surroundings, and hide the course in them."""

    def __init__(self, tier: Tier, products: Path | None, around: Surroundings) -> None:
        super().__init__(tier, products, (around.course,))
        self._around = around

    def cage(self, readable: tuple[Path, ...] = (), work_size: int = 64 << 20) -> Cage:
        """A new cage, as of any workshop."""
        return super().cage((*readable, self._around.libraries), work_size)


class Players:
    """The part that the attacks of one tier share."""

    def __init__(self, tier: Tier, products: Path, around: Surroundings) -> None:
        self.tier = tier
        self.around = around
        gcc.our_part = cache(gcc.our_part)
        self.workshops = {True: ShowingWorkshop(tier, products, around), False: ShowingWorkshop(tier, None, around)}

    def close(self) -> None:
        """End their compile servers."""
        for workshop in self.workshops.values():
            workshop.close()

    def play(self, attack: Attack) -> list[str]:
        """All that an attack achieved: nothing, if it is stopped."""
        gcc.TOOL_LIMITS = TOOL_LIMITS  # an attack on the compiler before it may have left less
        try:
            found = self.tried(attack)
        except (JudgeError, OSError) as error:
            found = [f"the grader failed: {error}"]
        return [*found, *self.around.harm(), *self.around.left()]

    def tried(self, attack: Attack) -> list[str]:
        """The success of an attack by itself, tried again, as a batch does at its end, if the machine held up a compiler."""
        for _ in range(AGAIN):
            with suppress(DisturbedError):
                return list(self.in_cage(attack) if attack.against == "cage" else self.graded(attack))
        return list(self.in_cage(attack) if attack.against == "cage" else self.graded(attack))

    def assignment(self, attack: Attack) -> Assignment:
        """The small assignment in the language of an attack."""
        return assignment(attack, self.around.outside.parent, self.around.key, self.around.secrets[0])

    # ------------------------------------------------------------------------------------------------ attacks on the cage

    def in_cage(self, attack: Attack) -> Iterator[str]:
        """Start it in a cage, tell it where to look, and look at what it did."""
        built = build_native(self.assignment(attack).spec, (KNOWS,), attack.submission, self.workshops[True])
        assert built.programs, f"{attack.name} does not build: {built.findings}"
        with closing(built):
            profile = FRESH if FRESH in built.programs else built.usual
            program = built.programs[profile]
            output, ending = self.told(program, profile)
            yield from (line for line in output.decode("utf-8", "replace").splitlines() if "through: " in line)
            yield from self.around.spilt(output)
            if ending not in (*attack.ends, "time-limit"):
                yield f"it ended otherwise: {ending}"
            yield from self.cage_of(program)

    def told(self, program: Program, profile: str) -> tuple[bytes, str]:
        """The output of a program that was told of its surroundings, and its ending."""
        session = program.start(profile)
        output, told = b"", False
        while (ending := session.advance()) is None:
            output += session.take_output()
            session.close_input() if told else session.send(self.around.told)
            told = True
        return output + session.take_output(), str(ending.kind)

    def cage_of(self, program: Program) -> Iterator[str]:
        """The visible effects of an attack in its cage: whether it can be looked into, emptied and used again."""
        cage: Cage = (program._fresh if isinstance(program, JvmProgram) else program)._cage
        for name in {*cage.listing(), *_TAKEN}:
            yield from self.around.spilt(cage.take(name, 1 << 20) or b"")
        cage.clean()
        kept = {name.partition("/")[0] for name in cage._work._kept}
        left = [name for name in os.listdir(cage._folder().descriptor) if name not in kept]  # noqa: PTH208 (a descriptor)
        if left:
            yield f"left in the work folder: {left}"
        limits = replace(TOOL_LIMITS, cpu=2, wall=5)
        if complete(cage, Command(("true",), limits)).status.exit_code != 0:
            yield "the next program cannot be run"

    # ------------------------------------------------------------------------------- attacks on the grader and compilers

    def graded(self, attack: Attack) -> Iterator[str]:
        """Grade it, and look at the grade and its reports."""
        if attack.against == "compiler":
            if attack.language != "java":  # on a slow machine our own part takes longer than an attack may
                gcc.our_part(self.workshops[False], attack.language, ())
            cpu, wall = _COMPILATIONS[attack.endless]
            gcc.TOOL_LIMITS = replace(TOOL_LIMITS, cpu=cpu, wall=wall, memory=_COMPILER_MEMORY)
        grading = Grading(self.assignment(attack), unsafe=True)
        grading._workshop = self.workshops[attack.against == "grader"]
        grade = grading.grade(attack.submission)
        verdicts = [case.verdict for case in grade.cases if case.verdict is not Verdict.ACCEPTED]
        verdict = next(iter(verdicts), Verdict.ACCEPTED)
        if str(verdict) not in attack.verdict or Verdict.JUDGE_ERROR in verdicts:
            yield f"graded otherwise: {verdict}"
        if grade.score != (1 if verdict is Verdict.ACCEPTED else 0):
            yield f"it gets {grade.score} points"
        seen = for_student(grade) if attack.hidden else grade
        yield from self.around.spilt(repr(seen).encode("utf-8", "surrogatepass"))
        yield from harm_in_reports(grade)


if __name__ == "__main__":
    main()

"""The grader installed into the interpreter that runs Python programs: they import from it, and find no answer key there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from grader.sandbox import Tier
from tests.sandbox.conftest import NOBODY, TIERS_OF_ROOT

CHECKOUT = Path(__file__).parents[2]
HALF = "*.pyc.*"
"""The file that an interpreter is just writing: it may be gone before it is copied."""
LEFT_OUT = (
    *(HALF, "*.opt-?.pyc", "site-packages", "dist-packages", "test", "config-*", "idlelib", "ensurepip", "tkinter"),
    *("lib2to3", "distutils", "pydoc_data", "turtledemo", "unittest", "sqlite3"),
)

pytestmark = pytest.mark.xdist_group("answer-key")

MARK = "SECRET-OF-THE-GRADER"
SPEC = """
assignment: hello
title: Says what it finds
program: {language: python, sources: ['*.py']}
limits: {cpu: 8 s, wall: 20 s, memory: 128 MiB, output: 64 KiB}
reference: reference.py
rubric: [{id: talk, title: Finds nothing, points: 1}]
cases:
  - {id: talk, title: Finds nothing, criterion: talk, dialogue: [{expect: 'looked: found nothing'}, {ends: true}]}
# SECRET
"""
REFERENCE = '''"""SECRET"""
import coursework
from grader.sessions.reference import Line

def play():
    yield "looked: found nothing"
    yield Line()
'''
THIEF = """
import os, sys
import numbers_of_others
marks = [b"SECRET" + part for part in (b"-OF-THE-GRADER", b"-OF-" + COURSE)]
found = []
for top in dict.fromkeys([sys.base_prefix, *sys.path, *PLACES]):
    for folder, folders, names in os.walk(top):
        for name in names:
            try:
                with open(os.path.join(folder, name), "rb") as file:
                    text = file.read()
                if any(mark in text for mark in marks):
                    found.append(os.path.join(folder, name))
            except OSError:
                pass
print("looked: found", ", ".join(found) or "nothing", numbers_of_others.ONE - 1)
"""
GRADES = """
import json
import sys
from pathlib import Path
from grader.build import workshop
from grader.errors import GraderError
from grader.grading import Grading
from grader.intake.source import read_submission
from grader.sandbox import Cage, Tier
from grader.spec.loader import load_assignment

tier, spec, submission, *ways = Tier(sys.argv[1]), *map(Path, sys.argv[2:4]), *sys.argv[4:]

def graded(how):
    try:
        with Grading(load_assignment(spec), unsafe=how == "unsafe", hidden=(submission.parent,)) as grading:
            grade = grading.grade(read_submission(submission))
    except GraderError as error:
        return f"refused: {error}"
    return f"{grade.score} {[case.verdict.value for case in grade.cases]} {grade.cases[-1]}"

try:
    Cage(tier).close()
except GraderError as error:
    sys.exit(f"skip: {error}")
workshop.best_tier = lambda: tier
print(json.dumps([graded(how) for how in ways]))
"""


@dataclass(frozen=True)
class Installation:
    """An interpreter of its own with the grader in it, and courses in its folder and outside."""

    python: Path
    prefix: Path
    base: Path

    def graded(self, tier: Tier, spec: Path, submission: Path, *ways: str) -> list[str]:
        """What comes of grading with this interpreter in a tier, as whom that tier is for, in each of these ways one after the other."""
        user = NOBODY if os.geteuid() == 0 and tier not in TIERS_OF_ROOT else None
        words = [self.python, self.base / "grades.py", tier, spec, submission, *ways]
        environment = {"PATH": os.defpath, "LANG": "C.UTF-8", "XDG_CACHE_HOME": str(self.base / "cache")}
        done = subprocess.run(
            words, cwd="/", env=environment, user=user, group=user, capture_output=True, text=True, check=False
        )
        if done.stderr.startswith("skip: "):
            pytest.skip(done.stderr)
        assert done.returncode == 0, done.stderr
        told: list[str] = json.loads(done.stdout)
        return told


def an_interpreter() -> Path:
    """Also one whose copy runs elsewhere: the one of these tests, or the system's of the same version."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    own = Path(sys.base_prefix, "bin", version).resolve()
    for candidate in (own, Path("/usr/bin", version).resolve()):
        needs = subprocess.run(["ldd", candidate], capture_output=True, text=True, check=False).stdout
        if candidate.exists() and f"lib{version}" not in needs.replace("=> /usr/", ""):
            return candidate
    pytest.skip("no interpreter here can be copied")


@pytest.fixture(scope="module")
def installation() -> Iterator[Installation]:
    """As ``pip install .`` into the interpreter itself makes it; the packages that the grader needs are linked to."""
    original = an_interpreter()
    library = Path("lib", original.name)
    with tempfile.TemporaryDirectory(prefix="interpreter-") as made:
        base = Path(made).resolve()
        prefix = base / "python"
        (prefix / "bin").mkdir(parents=True)
        python = prefix / "bin" / original.name
        shutil.copy2(original, python)
        shutil.copytree(original.parents[1] / library, prefix / library, ignore=shutil.ignore_patterns(*LEFT_OUT))
        ask = "import site, sys; print(sys.base_prefix, site.getsitepackages()[0])"
        told = subprocess.run([python, "-c", ask], capture_output=True, text=True, check=True, env={}).stdout.split()
        assert told[0] == str(prefix)
        _install(Path(told[1]))
        _course(prefix / "share" / "course", "INSIDE")
        _course(base / "course", "OUTSIDE")
        (base / "link").symlink_to(prefix / "share" / "course")
        _write(prefix / "python.yaml", SPEC)
        _write(prefix / "reference.py", REFERENCE)
        (base / "grades.py").write_text(GRADES, encoding="utf-8")
        subprocess.run(
            [python, "-m", "compileall", "-q", "-x", "fixtures", prefix / library, told[1]], check=True, env={}
        )
        (base / "cache").mkdir()
        for path in (base, *base.rglob("*")):
            if not path.is_symlink():
                path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))
        (base / "cache").chmod(0o777)
        yield Installation(python, prefix, base)


def _install(site: Path) -> None:
    """Copy the grader, its specs and references, and beside them a module that programs may import."""
    shutil.copytree(CHECKOUT / "grader", site / "grader", ignore=shutil.ignore_patterns(HALF))
    for name in ("specs", "reference"):
        shutil.copytree(CHECKOUT / name, site / "grader" / "bundled" / name)
    (site / "grader" / "bundled" / "reference" / "key.py").write_text(f"# {MARK}\n", encoding="utf-8")
    (site / "grader-1.dist-info").mkdir()
    (site / "grader-1.dist-info" / "RECORD").write_text(MARK, encoding="utf-8")
    (site / "coursework.py").write_text(f"# {MARK}\n", encoding="utf-8")
    (site / "numbers_of_others.py").write_text("ONE = 1\n", encoding="utf-8")
    (site / "needed.pth").write_text(f"{Path(yaml.__file__).parents[1]}\n", encoding="utf-8")


def _course(course: Path, name: str) -> None:
    """A TA's folder: a spec, a reference, what Python compiled of it, and what was handed in."""
    secret = f"SECRET-OF-{name}"
    _write(course / "python.yaml", SPEC.replace("SECRET", secret))
    _write(course / "reference.py", REFERENCE.replace("SECRET", secret))
    _write(course / "__pycache__" / "reference.cpython-311.pyc", secret)
    _write(course / "handed-in" / "other" / "main.py", f"# {secret}\n")
    places = [str(course), str(course.parent)]
    _write(course / "handed-in" / "thief" / "main.py", f"PLACES = {places}\nCOURSE = b'{name}'\n{THIEF}")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text), encoding="utf-8")


WALLED = [tier for tier in Tier if tier is not Tier.BARE]
ACCEPTED = "1 ['accepted', 'accepted']"


@pytest.mark.parametrize("tier", WALLED)
@pytest.mark.parametrize("spec", ["python/share/course/python.yaml", "link/python.yaml"])
def test_a_python_program_finds_no_key_in_its_interpreter(installation: Installation, tier: Tier, spec: str) -> None:
    """Not the grader's, not the course's nor its modules', nor what others handed in; what it imports is there."""
    submission = (installation.base / spec).resolve().parent / "handed-in" / "thief"
    (said,) = installation.graded(tier, installation.base / spec, submission, "staff")
    assert said.startswith(ACCEPTED), said


def test_without_walls_it_finds_them_all(installation: Installation) -> None:
    """The bare tier is refused, and where staff insist the program finds every one: so the tests above would see it."""
    course = installation.prefix / "share" / "course"
    words = Tier.BARE, course / "python.yaml", course / "handed-in" / "thief"
    refused, said = installation.graded(*words, "staff", "unsafe")
    assert refused.startswith("refused: this machine has no sandbox for programs")
    names = ("bundled/reference/key.py", "dist-info/RECORD", "coursework.py", "course/python.yaml", "other/main.py")
    assert [name for name in (*names, "reference.cpython-311.pyc") if name not in said] == []


@pytest.mark.parametrize("tier", WALLED)
def test_what_cannot_be_hidden_is_refused(installation: Installation, tier: Tier) -> None:
    """A spec beside the interpreter's own folders cannot be hidden from programs: staff are told so, a student is not stopped."""
    spec, submission = installation.prefix / "python.yaml", installation.base / "course" / "handed-in" / "thief"
    said, insisted = installation.graded(tier, spec, submission, "staff", "unsafe")
    assert said.startswith(f"refused: {installation.prefix}: programs could read what lies here, and some of it"), said
    assert "put it into a folder of its own" in said
    assert insisted.startswith(ACCEPTED)

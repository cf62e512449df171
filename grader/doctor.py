"""The abilities of this machine: the interpreter, the run loop, compilers and the sandbox, and the specs that they can grade.

A *part* is one thing that grading rests on. A missing part is no error: it comes with what is lost and the command that
adds it. Processes are started here only to ask a tool of the system for its version, never for a submission.
"""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from grader import machines
from grader.bundled import bundled_specs, in_checkout, spec_path
from grader.errors import JudgeError, SpecError
from grader.values import dataclass

TOOL_SECONDS = 20  # how long a tool may take to say its version; a cold JVM needs two


@dataclass(frozen=True, slots=True)
class Tool:
    """A program of the system that grading needs. ``probe`` succeeds where it is usable, and may print its version."""

    name: str
    package: str
    probe: tuple[str, ...]


GCC = Tool("gcc", "gcc libc6-dev", ("gcc", "--version"))
GXX = Tool("g++", "g++ libc6-dev", ("g++", "--version"))
JAVAC = Tool("javac", "default-jdk-headless", ("javac", "-version"))

TOOLS = (GCC, GXX, JAVAC)
NEEDS = {"c": (GCC,), "cpp": (GXX,), "java": (JAVAC,), "python": ()}
"""Tools that programs in a language need beside the sandbox; simulated machines need nothing."""

CAGED = ("c", "cpp", "java", "python")
"""The languages whose programs run in the sandbox."""


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that grading needs, and its state on this machine.

    ``state`` is a version or a word. ``trouble`` says what is lost without it; empty if all is well. ``remedy`` is the command
    that repairs it. ``needed`` is false if only time is lost.
    """

    name: str
    state: str
    trouble: str = ""
    remedy: str = ""
    needed: bool = True

    @property
    def well(self) -> bool:
        """Whether the machine grades everything, though perhaps slowly."""
        return not self.trouble or not self.needed


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All parts of this machine, and for each bundled spec whether it can be graded here."""

    parts: tuple[Part, ...]
    specs: tuple[Part, ...]

    @property
    def well(self) -> bool:
        """Whether every bundled spec can be graded, and there are any."""
        return bool(self.specs) and all(spec.well for spec in self.specs)


def diagnose() -> Diagnosis:
    """Look at this machine. Starts each tool once; a second or two where there is a JVM."""
    tools = {tool: examine(tool) for tool in TOOLS}
    cage = sandbox()
    parts = (Part("Python", platform.python_version()), *run_loops(), *tools.values(), cage, unit_tests())
    specs = tuple(bundled_spec(name, tools, cage) for name in bundled_specs())
    return Diagnosis(parts, specs or (Part("specs", "missing", "no bundled specs were found", REINSTALL),))


# ---------------------------------------------------------------------------------------------------------------- parts

REINSTALL = f"{Path(sys.executable).name} -m pip install --force-reinstall --no-deps ."
"""Installs the grader once more, in the folder of its source."""


def run_loops() -> tuple[Part, ...]:
    """The run loop of each simulated machine, by its language."""
    return tuple(run_loop(source.parent.name) for source in sorted(Path(machines.__file__).parent.glob("*/loop.py")))


def run_loop(language: str) -> Part:
    """Whether a machine's run loop is compiled, and in a checkout as new as its source, which can change there."""
    name = f"{language} run loop"
    compiled = Path(str(import_module(f"grader.machines.{language}.loop").__file__))
    if not compiled.name.endswith(tuple(EXTENSION_SUFFIXES)):
        trouble = f"{language} programs run about a hundred times slower, with the same results"
        return Part(name, "uncompiled", trouble, _compiling(), needed=False)
    source = compiled.with_name("loop.py")
    # A developer who edits a loop in a checkout and forgets `make install` would test the old one.
    if in_checkout() and source.stat().st_mtime > compiled.stat().st_mtime:
        return Part(name, "compiled from an older source", "what runs is not what loop.py says", _compiling())
    return Part(name, "compiled")


def examine(tool: Tool) -> Part:
    """A tool with its version."""
    remedy = _installing(tool.package)
    loss = f"no programs in {_listed(language for language, needs in NEEDS.items() if tool in needs)}"
    if shutil.which(tool.probe[0]) is None:
        return Part(tool.name, "missing", loss, remedy)
    failure, printed = _run(tool.probe)
    if failure:
        return Part(tool.name, "broken", f"{loss}: {failure}", remedy)
    # the last number of the first line: gcc names its packager, with a version of that, first
    numbers = re.findall(r"\d+(?:\.\d+)*", next(iter(printed.splitlines()), ""))
    return Part(tool.name, numbers[-1] if numbers else "found")


def sandbox() -> Part:
    """The tier that programs are caged in, and which attacks get through it: each was tried."""
    try:
        from grader.build.native import needed_by
        from grader.sandbox import Tier, best_tier, prove
    except ImportError as error:  # it needs modules that only Linux has
        return Part("sandbox", "missing", f"no programs in {_listed(CAGED)}: {error}", "use Linux, or WSL")
    try:
        tier = best_tier()
        proofs = prove(tier, needed_by(CAGED))
    except JudgeError as error:
        return Part("sandbox", "broken", f"no programs in {_listed(CAGED)}: {error.message}", error.hint or REINSTALL)
    through = [proof.name for proof in proofs if not proof.stopped]
    state = f"{tier}, stops {len(proofs) - len(through)} of {len(proofs)} attacks"
    state += f", not {_listed(through)}" if through else ""
    if tier is Tier.BARE:
        trouble = "no programs of others: what they do, they do with your rights"
        return Part("sandbox", state, trouble, "run as root, or where the system permits Landlock or user namespaces")
    if "read-key" in through:  # no sandbox can hide what lies in a folder of the system, which each program needs
        trouble = "no programs of others: they could read the answer key"
        remedy = "install the grader into a virtual environment, outside the system's folders"
        return Part("sandbox", state, trouble, remedy)
    return Part("sandbox", state)


def unit_tests() -> Part:
    """Whether tests in C and C++ have a process of their own here, as those in Python do everywhere."""
    from grader.spec.kinds.divided import machine_divides

    if machine_divides():
        return Part("unit tests", "two processes")
    trouble = "tests in C and C++ share a process with the program, which could write their results: staff are told"
    state = f"one process for C and C++ ({platform.machine()})"
    return Part("unit tests", state, trouble, "grade them on x86-64 with glibc", needed=False)


def bundled_spec(name: str, tools: dict[Tool, Part], cage: Part) -> Part:
    """Whether a bundled spec loads, and whether this machine has what its language needs."""
    from grader.spec.loader import load_assignment

    try:
        spec = load_assignment(spec_path(name)).spec
    except SpecError as error:
        return Part(name, "wrong", str(error).splitlines()[0], f"grader lint {name}")
    needed = dict.fromkeys(tool for language in spec.program.language for tool in NEEDS.get(language, ()))
    missing = [tool.name for tool in needed if not tools[tool].well]
    if spec.program.simulated is None and not cage.well:
        missing.append(cage.name)
    return Part(name, "cannot be graded here", f"needs {' and '.join(missing)}") if missing else Part(name, "ready")


def _listed(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def _compiling() -> str:
    if in_checkout():
        return "make install"
    headers = f"python{sys.version_info.major}.{sys.version_info.minor}-dev"
    return f"{_installing(f'gcc libc6-dev {headers}')} && {REINSTALL}"


def _installing(packages: str) -> str:
    if shutil.which("apt-get"):
        return f"sudo apt-get install --no-install-recommends {packages}"
    return f"install, by their Debian names: {packages}"


def _run(command: tuple[str, ...]) -> tuple[str, str]:
    """Why a command failed (empty if it did not), and what it printed."""
    try:
        done = subprocess.run(  # noqa: S603  the commands are the constants above
            command, capture_output=True, text=True, errors="replace", timeout=TOOL_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error), ""
    printed = f"{done.stdout}{done.stderr}".strip()
    if done.returncode == 0:
        return "", printed
    return next(iter(printed.splitlines()), f"exit code {done.returncode}"), printed

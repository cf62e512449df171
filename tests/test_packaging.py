"""The contents of an installation: the commands, the compiled loop, and the specs that come with the package."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from grader import doctor

CHECKOUT = Path(__file__).parents[1]
PACKAGED = ("grader", "specs", "reference", "docs", "pyproject.toml", "setup.py", "MANIFEST.in", "README.md")
SUBMISSION = CHECKOUT / "fixtures/lc3-nim/accepted/board-as-strings/submission/nim.asm"

pytestmark = pytest.mark.xdist_group("packaging")  # one installation serves all that need it


def run(*command: str | Path, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command outside the checkout, seeing nothing of this environment's packages."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(command, cwd=cwd, env=environment | variables, capture_output=True, text=True, check=False)


def copy_sources(target: Path) -> Path:
    """Copy what a wheel is built from, as a fresh clone has it."""
    left_out = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd", "classes.zip")
    for name in PACKAGED:
        path = CHECKOUT / name
        if path.is_dir():
            shutil.copytree(path, target / name, ignore=left_out)
        else:
            shutil.copy2(path, target)
    return target


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of the environment of these tests: a clone, and what was made there to compile it.

    Cython has translated the loops for this checkout, of the same sources: from a fresh clone ``make`` does it whenever it installs.
    """
    source = copy_sources(tmp_path_factory.mktemp("source"))
    if (CHECKOUT / "build/cython").is_dir():
        shutil.copytree(CHECKOUT / "build/cython", source / "build/cython")
    return source


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory, source: Path) -> Path:
    """The folder of programs of an empty environment into which a wheel of these sources was installed, as a user would."""
    done = build_wheel(source, CFLAGS="-O0 -g0")  # how fast its loops are is not looked at here
    assert done.returncode == 0, done.stdout + done.stderr
    [wheel] = (source / "made").glob("*.whl")
    empty = tmp_path_factory.mktemp("empty")
    venv.create(empty)  # our pip serves it: to give it one of its own takes as long as all that the grader needs
    [packages] = empty.glob("lib/python*/site-packages")
    link_requirements(packages)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", empty / "bin" / "python")
    done = run(*pip, "install", "--no-index", "--no-compile", wheel, cwd=source)
    assert done.returncode == 0, done.stdout + done.stderr
    return empty / "bin"


def link_requirements(packages: Path) -> None:
    """Link what this environment has of the packages that the grader asks for, and no others.

    They are those of requirements/lock.txt, and pip without an index refuses a wheel that needs one more.
    """
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    waiting = list(map(Requirement, project["dependencies"]))
    seen: set[str] = set()
    while waiting:
        owner = distribution(waiting.pop().name)
        for name in {file.parts[0] for file in owner.files or ()} - {"..", "__pycache__"} - seen:
            (packages / name).symlink_to(owner.locate_file(name))
            seen.add(name)
            more = map(Requirement, owner.requires or ())
            waiting += (one for one in more if one.marker is None or one.marker.evaluate({"extra": ""}))


def build_wheel(source: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Build a wheel into ``made`` as pip does, by what this environment has: pip would first install that anew."""
    build = "from setuptools.build_meta import build_wheel; build_wheel('made')"
    return run(sys.executable, "-c", build, cwd=source, **variables)


def test_an_installed_grader_checks_by_the_name_of_a_spec(installed: Path, tmp_path: Path) -> None:
    """Outside the checkout ``grader check lc3-nim nim.asm`` finds spec and reference, and a correct program passes."""
    shutil.copy(SUBMISSION, tmp_path)
    done = run(installed / "grader", "check", "lc3-nim", "nim.asm", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_installed_grader_renders_a_page(installed: Path, tmp_path: Path) -> None:
    """The wheel carries the worked examples and the templates: the report of a small one comes out as HTML."""
    [lab] = installed.parent.glob("lib/python*/site-packages/grader/bundled/specs/examples/lc3-lines")
    words = ("grade", lab / "lc3-lines.yaml", lab / "fixtures/accepted/stack/submission", "--html", "page.html")
    done = run(installed / "grader", *words, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "</html>" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_an_installed_grader_runs_the_compiled_loop(installed: Path, tmp_path: Path) -> None:
    """With a C compiler the installed loop is compiled, and doctor finds every bundled spec ready."""
    done = run(installed / "grader", "doctor", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"lc3 run loop +compiled$", done.stdout, re.MULTILINE)
    assert "uncompiled" not in done.stdout


@pytest.mark.spare
def test_without_a_compiler_the_loop_is_installed_as_it_is(
    installed: Path, source: Path, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    """If nothing can be compiled, a wheel is still built, and grades uncompiled with the same result."""
    fresh = copy_sources(tmp_path_factory.mktemp("uncompiled"))
    # Cython writes the same C whether or not there is a compiler for it: only of that is anything taken over.
    shutil.copytree(source / "build/cython", fresh / "build/cython")
    (fresh / "bin").mkdir()
    (fresh / "bin/javac").symlink_to("/bin/false")
    done = build_wheel(fresh, CC="false", PATH=f"{fresh / 'bin'}:{os.environ['PATH']}")
    assert done.returncode == 0, done.stdout + done.stderr
    [wheel] = (fresh / "made").glob("*.whl")
    target = tmp_path / "installed"
    shutil.unpack_archive(wheel, target, "zip")
    doctor_says = run(sys.executable, "-m", "grader", "doctor", cwd=tmp_path, PYTHONPATH=str(target))
    assert re.search(r"lc3 run loop +uncompiled", doctor_says.stdout)
    shutil.copy(SUBMISSION, tmp_path)
    done = run(sys.executable, "-m", "grader", "check", "lc3-nim", "nim.asm", cwd=tmp_path, PYTHONPATH=str(target))
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_installation_carries_every_file(installed: Path) -> None:
    """No module, template, spec, reference or page of the checkout is missing from what was installed."""
    [package] = installed.parent.glob("lib/python*/site-packages/grader")
    wanted = {path.relative_to(CHECKOUT / "grader") for path in files_under(CHECKOUT / "grader")}
    for folder in ("specs", "reference", "docs"):
        wanted |= {Path("bundled", path.relative_to(CHECKOUT)) for path in files_under(CHECKOUT / folder)}
    assert wanted == {path.relative_to(package) for path in files_under(package)}


def files_under(folder: Path) -> list[Path]:
    """The files that are not made by running or compiling: Cython makes C of the machines alone."""
    made = {".pyc", ".so", ".pyd"}
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "classes.zip")
    return [path for path in files if path.suffix not in (made | {".c"} if "machines" in path.parts else made)]


def test_this_environment_runs_the_loops_that_are_tested() -> None:
    """The tests run compiled loops, and these were compiled from the sources as they are: ``make`` compiles them anew."""
    assert {part.state for part in doctor.run_loops()} == {"compiled"}


@pytest.mark.parametrize("name", ["lock", "bench"])
def test_a_lock_pins_versions_and_names_no_host(name: str) -> None:
    """Each line of a lock file is one exact version: no address, no path, no range."""
    lines = (CHECKOUT / "requirements" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert pins
    assert [line for line in pins if not re.fullmatch(r"[a-z0-9.-]+==[A-Za-z0-9.]+", line)] == []
    assert [line for line in lines if "/" in line] == []


@pytest.mark.parametrize(("extra", "name"), [("dev", "lock"), ("bench", "bench")])
def test_a_lock_has_every_requirement(extra: str, name: str) -> None:
    """Whatever pyproject.toml asks for is in the lock that ``make`` installs from."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = project["dependencies"] + project["optional-dependencies"][extra]
    locked = (CHECKOUT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    pinned = {line.partition("==")[0] for line in locked.splitlines()}
    names = {re.split(r"[\[<>=!~; ]", requirement)[0].lower() for requirement in asked}
    assert names - pinned == set()

"""The common part of all tests: golden files, ``--accept``, which rewrites them, and ``--spare``, for tests that a whole run leaves out."""

from __future__ import annotations

import gc
import io
import signal
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from multiprocessing import get_context
from multiprocessing.util import get_temp_dir
from pathlib import Path
from types import SimpleNamespace

import pytest

from grader.batch.computer import cores
from grader.build.java import Compiler
from grader.build.workshop import Workshop
from grader.cli.main import main
from grader.sandbox import best_tier
from tests.chosen import left_out
from tests.chromium import Browser, chromium

pytest.register_assert_rewrite("tests.declared")

GOLDEN = Path(__file__).parent / "golden"
LARGE = "test_fixtures.py"
FIRST = (
    "hostile", "packaging", "tests/documentation/test_tutorials.py", "chromium", "java",
    "tests/reference/test_floods.py", "tests/test_floods.py", "tests/test_examples.py", "tests/cli/test_commands.py",
    "tests/kit/test_folder.py", "tests/lint/test_patterns.py", "tests/machines/mips/test_quick.py",
)  # fmt: skip
"""The groups of tests that take longest: whoever began one at the end would keep all others waiting."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--accept`` and ``--spare``."""
    parser.addoption("--accept", action="store_true", help="rewrite the golden files; the diff is what you review")
    parser.addoption("--spare", action="store_true", help="run what a whole run leaves out, and nothing else")


def pytest_configure(config: pytest.Config) -> None:
    """Know the mark of what a whole run leaves out."""
    # A shell that starts us in the background has us ignore Ctrl-C, and with us each program that is interrupted in a test.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    config.addinivalue_line(
        "markers", "spare: left out of a run of everything, which has others like it; `make spare` runs it"
    )
    config.addinivalue_line(
        "markers", "share(n): of its parameters a run of everything has one of n, and `make spare` all others"
    )


def pytest_xdist_auto_num_workers() -> int:
    """The workers of ``-n auto``: one more than cores, since tests wait for programs, sandboxes and limits in part of their time.

    On two cores a whole run took 12:18 with three of them and 14:40 with two, one run each.
    """
    return cores() + 1


LONGEST_ID = 80


def pytest_make_parametrize_id(val: object) -> str | None:
    """The name of a long text among the tests: with a flood of 8 MB in its name a test is sent from process to process as often."""
    if not isinstance(val, str | bytes) or len(val) <= LONGEST_ID:
        return None
    data = val.encode("utf-8", "surrogatepass") if isinstance(val, str) else val
    return f"{val[: LONGEST_ID // 4]!a}-{len(val)}-{sha256(data).hexdigest()[:8]}"


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the spare tests, unless they were asked for, by the option, by -k or by their ids.

    The tests of a module go to one process, which then makes shared things once. Those of LARGE would keep one process
    too long: they are spread, and come last, so that no process is idle at the end.
    """
    turns: dict[pytest.Item, int] = {}
    for item in items:
        group = item.get_closest_marker("xdist_group")
        name = group.args[0] if group else item.path.relative_to(config.rootpath).as_posix()
        if not group and item.path.name != LARGE:
            item.add_marker(pytest.mark.xdist_group(name))
        turns[item] = FIRST.index(name) if name in FIRST else len(FIRST) + (item.path.name == LARGE)
    items.sort(key=turns.__getitem__)
    _thin_out(items)
    only = config.getoption("--spare")
    if only or not (config.getoption("keyword") or any("::" in one for one in config.args)):
        kept = [item for item in items if bool(item.get_closest_marker("spare")) == only]
        config.hook.pytest_deselected(items=sorted(set(items) - set(kept), key=items.index))
        items[:] = kept


def _thin_out(items: list[pytest.Item]) -> None:
    """Mark as spare what the tests that are marked with a share leave out of their parameters."""
    functions: dict[tuple[object, ...], dict[str, pytest.Item]] = {}
    for item in items:
        if isinstance(item, pytest.Function) and hasattr(item, "callspec") and not item.get_closest_marker("spare"):
            functions.setdefault((item.path, item.originalname), {})[item.callspec.id] = item
    for of_one in functions.values():
        marks = {name: item.get_closest_marker("share") for name, item in of_one.items()}
        for name in left_out({name: mark.args[0] if mark else 1 for name, mark in marks.items()}):
            of_one[name].add_marker(pytest.mark.spare)


def pytest_collection_finish() -> None:
    """Leave thousands of tests out of the search for garbage, which takes a seventh of the time of a test that makes much of it."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def imported_workers() -> Iterator[None]:
    """Workers of batches that run in this process are forked from one that has the grader imported, which takes most of a small batch.

    Those of commands that a test starts as a user does are spawned as ever.
    """
    get_temp_dir()  # the server's own, before a test has changed where temporary files are made
    forked = get_context("forkserver")
    forked.set_forkserver_preload(["tests.imported"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("grader.batch.pool.multiprocessing", SimpleNamespace(get_context=lambda _: forked))
        yield


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One Chromium for all tests of pages: they are in one group, so that one worker has them all."""
    with chromium(tmp_path_factory.mktemp("chromium")) as started:
        yield started


@pytest.fixture
def products(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the products of compilers are kept: one of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache/grader/products"


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    """One workshop of this machine's tier: it asks a tool for its version, and compiles what is linked into all programs, once."""
    with Workshop(best_tier(), tmp_path_factory.mktemp("products")) as opened:
        yield opened


@pytest.fixture
def new_workshop(tmp_path: Path) -> Iterator[Workshop]:
    """A workshop that has made nothing yet, for tests of what is made anew."""
    with Workshop(best_tier(), tmp_path / "products") as opened:
        yield opened


@pytest.fixture(scope="session")
def compiler() -> Iterator[Compiler]:
    """One compiler of Java for all tests that want classes: they are in one group, so that one worker has them all."""
    with Compiler(best_tier()) as opened:
        yield opened


@pytest.fixture
def grader(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """``grader(WORD, …, typed="")`` runs a command in this process: its exit code, standard output and error output."""

    def run(*words: object, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))
        with pytest.raises(SystemExit) as ended:
            main([str(word) for word in words])
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return run


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """``golden(name, text)`` asserts that a file of tests/golden holds exactly this text, or makes it so."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--accept"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        assert path.is_file(), f"no golden file {name}: make accept writes it"
        assert text == path.read_bytes().decode(), f"differs from {name}: make accept rewrites it"

    return compare

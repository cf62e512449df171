"""Pages that check in the browser, without one: what is in the folder, what is not, and where it comes from."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.bundled import spec_path
from grader.errors import UsageError
from grader.kit.assets import COMPILED, LOOPS, Asset, assets, compiled, digests, fetched, loop_digests, loops
from grader.kit.web import write_page
from grader.spec.loader import load_assignment
from scripts.loops import ABI
from scripts.loops import loops as compiled_loops
from tests.chromium import served
from tests.kit.conftest import SECRETS

pytestmark = pytest.mark.xdist_group("web")  # one page of each machine serves all that look at one


@pytest.fixture(scope="session")
def lc3_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of lc3-nim, to be looked at."""
    folder = tmp_path_factory.mktemp("page") / "lc3-nim"
    write_page(load_assignment(spec_path("lc3-nim")), folder)
    return folder


@pytest.fixture(scope="session")
def mips_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of mips-connect4, to be looked at."""
    folder = tmp_path_factory.mktemp("page") / "mips-connect4"
    write_page(load_assignment(spec_path("mips-connect4")), folder)
    return folder


def _contents(data: bytes, name: str) -> Iterator[tuple[str, bytes]]:
    """A file, or what is in it where it is an archive."""
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for inside in archive.namelist():
                yield from _contents(archive.read(inside), f"{name}/{inside}")
    else:
        yield name, data


def test_no_hidden_text_is_in_a_page(secretive: Path, tmp_path: Path) -> None:
    """In no file, packed or not: no title, name, input, expectation, seed, hint or comment of a hidden case."""
    kit = write_page(load_assignment(secretive), tmp_path / "page")
    files = {
        name: data
        for path in sorted((tmp_path / "page").rglob("*"))
        if path.is_file()
        for name, data in _contents(path.read_bytes(), path.name)
    }
    assert kit.left_out == 3
    assert "grader.zip/kit/lc3-nim.yaml" in files
    # Digits alone come about by chance in megabytes of other people's code.
    ours = {name: data for name, data in files.items() if name.startswith(("grader.zip/kit/", "grader.zip/grader/"))}
    told = [(n, s) for n, data in files.items() for s in SECRETS if not s.isdigit() and s.encode() in data]
    told += [(n, s) for n, data in ours.items() for s in SECRETS if s.isdigit() and s.encode() in data]
    assert told == []


def test_no_other_assignment_is_in_a_page(lc3_page: Path) -> None:
    """Nor commands, nor what starts foreign programs: a page needs none of them."""
    with zipfile.ZipFile(lc3_page / "grader.zip") as archive:
        names = archive.namelist()
    assert [n for n in names if n.startswith("kit/") and n.endswith(".yaml")] == ["kit/lc3-nim.yaml"]
    assert not [n for n in names if "c_nim" in n or "mips_connect4" in n]
    assert not [n for n in names if n.startswith(("grader/sandbox", "grader/cli", "grader/batch"))]


def test_a_page_is_the_same_each_time(mips_page: Path, tmp_path: Path) -> None:
    """So that a course sees in its repository what changed."""
    write_page(load_assignment(spec_path("mips-connect4")), tmp_path / "other")
    one, other = (
        {path.relative_to(page): path.read_bytes() for path in page.rglob("*") if path.is_file()}
        for page in (mips_page, tmp_path / "other")
    )
    assert one == other


def test_programs_that_need_a_compiler_have_no_page(tmp_path: Path) -> None:
    """They have a kit for the command line, which the message names."""
    with pytest.raises(UsageError, match="LC-3 and MIPS assembly only"):
        write_page(load_assignment(spec_path("c-nim")), tmp_path / "page")


def test_every_package_has_an_exact_version_and_a_digest() -> None:
    """From the npm registry or from PyPI, and from no other place."""
    for asset in assets():
        assert asset.integrity.startswith(("sha512-", "sha256-")), asset.name
        assert bool(asset.npm) != bool(asset.pypi)
        assert asset.version in asset.file, asset.name


def test_what_is_compiled_was_made_of_these_packages(lc3_page: Path) -> None:
    """`make assets` makes it anew when they change; a module is in the page once, compiled."""
    with zipfile.ZipFile(COMPILED) as archive:
        assert json.loads(archive.read("assets.json")) == digests()
    with zipfile.ZipFile(lc3_page / "grader.zip") as ours:
        names = set(ours.namelist())
    with zipfile.ZipFile(lc3_page / "libraries/pyodide/python_stdlib.zip") as library:
        names |= set(library.namelist())
    assert {f"{path}c" for path in compiled()} <= names
    assert not names & set(compiled())


def test_the_loops_are_those_of_the_sources(mips_page: Path) -> None:
    """`make assets` compiles them anew when these change; the page has both, and its Python takes what is compiled."""
    with zipfile.ZipFile(LOOPS) as archive:
        assert json.loads(archive.read("made-of.json")) == loop_digests()
    with zipfile.ZipFile(mips_page / "grader.zip") as ours:
        for path, module in loops().items():
            assert ours.read(path) == module
            assert path.replace(".abi3.so", ".py") in ours.namelist()


@pytest.mark.spare
@pytest.mark.skipif(sys.version_info[:2] != ABI, reason="other headers make other bytes of the loops")
def test_the_loops_are_compiled_to_the_same_bytes() -> None:
    """Nobody can read them either."""
    assert compiled_loops() == LOOPS.read_bytes()


@pytest.fixture
def small() -> tuple[Asset, bytes]:
    """A package of one file, and its archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("small/__init__.py", "x = 1\n")
    data = buffer.getvalue()
    digest = base64.b64encode(hashlib.sha512(data).digest()).decode()
    return Asset("small", "1.0", f"sha512-{digest}", {"": ""}, npm="small/-/small-1.0.whl"), data


def test_packages_come_from_the_registry_that_npm_has_and_are_kept(
    small: tuple[Asset, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second kit asks nobody."""
    asset, data = small
    (tmp_path / "small/-").mkdir(parents=True)
    (tmp_path / "small/-/small-1.0.whl").write_bytes(data)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with served(tmp_path) as address:
        monkeypatch.setenv("npm_config_registry", address)
        assert fetched(asset) == data
    assert fetched(asset) == data  # the server is gone
    assert list(asset.files(data)) == [("small/__init__.py", b"x = 1\n")]


def test_packages_of_python_come_from_the_index_that_pip_has(
    small: tuple[Asset, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its page of the project says where the file is."""
    asset, data = small
    (tmp_path / "simple/small").mkdir(parents=True)
    (tmp_path / "simple/small/index.html").write_text('<a href="../../files/small-1.0.whl#sha256=0">small</a>')
    (tmp_path / "files").mkdir()
    (tmp_path / "files/small-1.0.whl").write_bytes(data)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with served(tmp_path) as address:
        monkeypatch.setenv("PIP_INDEX_URL", f"{address}simple/")
        assert fetched(replace(asset, npm="", pypi="packages/small-1.0.whl")) == data


def test_another_package_than_the_one_that_was_chosen_is_refused(
    small: tuple[Asset, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has the registry cannot put other code into the page."""
    asset, data = small
    (tmp_path / "small/-").mkdir(parents=True)
    (tmp_path / "small/-/small-1.0.whl").write_bytes(data + b"more")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with served(tmp_path) as address:
        monkeypatch.setenv("npm_config_registry", address)
        with pytest.raises(UsageError, match="its digest differs"):
            fetched(asset)
    assert not (tmp_path / "cache").exists()


def test_the_page_knows_what_to_do_before_python_is_there(lc3_page: Path) -> None:
    """The title, the language and the name of the program stand in a file of their own."""
    about = json.loads((lc3_page / "kit.json").read_text(encoding="utf-8"))
    assert (about["language"], about["name"], about["several"]) == ("lc3", "nim.asm", False)
    page = (lc3_page / "index.html").read_text(encoding="utf-8")
    assert "LAB 04: The Game of Nim" in page
    assert "{{" not in page

"""The workshop's products on a disk that takes none, that is full, and that has rotted; tools that are not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.build.tool import Product
from grader.build.workshop import Workshop, kept_folder
from grader.errors import JudgeError
from grader.sandbox import best_tier
from tests.killing import largest_file

PRODUCT = Product({"program": b"\x7fELF" * 20, "b/empty": b""}, "said")


@pytest.mark.parametrize("place", ["/proc/none", "a-file"])
def test_where_nothing_can_be_kept_that_is_said_and_no_more(tmp_path, place):
    """A folder that cannot be made costs time alone: what is made is made each time, and the reason is there to tell."""
    (tmp_path / "a-file").write_text("")
    folder = tmp_path / place / "products"
    with Workshop(best_tier(), folder) as workshop:
        assert workshop.unkept.startswith(f"{folder}: what is compiled cannot be kept")
        assert "XDG_CACHE_HOME" in workshop.unkept
        made = [workshop.product([b"x"], lambda: PRODUCT) for _ in range(2)]
    assert made == [PRODUCT, PRODUCT]


def test_where_it_can_be_kept_nothing_is_said(tmp_path):
    """A folder that can be written, or none at all, is nothing to tell of; trying it out leaves nothing behind."""
    assert Workshop(best_tier(), tmp_path / "a" / "products").unkept == ""
    assert Workshop(best_tier(), None).unkept == ""
    assert list((tmp_path / "a" / "products").iterdir()) == []


def test_a_full_disk_is_found_when_the_workshop_opens(tmp_path):
    """If a file can be made and not a byte be written into it, nothing is kept, and that is told."""
    with largest_file(0):
        workshop = Workshop(best_tier(), tmp_path)
    assert "File too large" in workshop.unkept
    assert workshop.product([b"x"], lambda: PRODUCT) == PRODUCT
    assert list(tmp_path.iterdir()) == []


def test_what_was_kept_is_used_where_nothing_more_can_be(tmp_path):
    """A folder that can be read and not be written spares the compiler what it holds."""
    Workshop(best_tier(), tmp_path).product([b"x"], lambda: PRODUCT)
    with largest_file(0):
        workshop = Workshop(best_tier(), tmp_path)
        assert workshop.product([b"x"], lambda: pytest.fail("made again")) == PRODUCT


def test_a_disk_that_fills_up_leaves_no_halves(tmp_path):
    """A product that does not fit is not kept, nothing of it lies about, and one that fits is kept."""
    workshop = Workshop(best_tier(), tmp_path)
    large = Product({"program": bytes(1 << 16)})
    with largest_file(1 << 12):
        assert workshop.product([b"large"], lambda: large) == large
        assert list(tmp_path.iterdir()) == []
        workshop.product([b"small"], lambda: PRODUCT)
    assert workshop.product([b"small"], lambda: pytest.fail("made again")) == PRODUCT


def test_a_product_that_has_rotted_is_made_again(tmp_path):
    """A file that was kept and then cut anywhere, or changed in any byte, is what it was or none."""
    workshop = Workshop(best_tier(), tmp_path)
    workshop.product([b"x"], lambda: PRODUCT)
    (path,) = tmp_path.iterdir()
    data = path.read_bytes()
    other = Product({"program": b"other"})
    for place, byte in enumerate(data):
        for rotten in (
            data[:place],
            *(data[:place] + bytes([byte ^ 1 << bit]) + data[place + 1 :] for bit in (0, 3, 7)),
        ):
            path.write_bytes(rotten)
            assert workshop.product([b"x"], lambda: other) in (PRODUCT, other)


@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        ({"XDG_CACHE_HOME": "/cache"}, "/cache/grader/products"),
        ({"XDG_CACHE_HOME": "relative", "HOME": "/home/ada"}, "/home/ada/.cache/grader/products"),
        ({"HOME": "/home/ada"}, "/home/ada/.cache/grader/products"),
    ],
)
def test_the_usual_folder(monkeypatch, variables, folder):
    """It is where the XDG Base Directory specification has it, which knows no relative paths."""
    for name in ("XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert kept_folder("products") == Path(folder)


def test_a_user_without_a_home_has_a_folder_all_the_same(monkeypatch):
    """If neither HOME nor the system's list of users says a home, the root of all folders is one, as in containers."""
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr("os.getuid", lambda: 2**31 - 5)
    assert kept_folder("products") == Path("/.cache/grader/products")


def test_a_tool_that_is_not_there_is_named(tmp_path):
    """Asking for the version of no program is our fault, with its name and who knows more; so is one that says nothing."""
    with Workshop(best_tier(), tmp_path) as workshop:
        with pytest.raises(JudgeError, match=r"no-such-gcc cannot be run here: .*No such file.*grader doctor"):
            workshop.version(("no-such-gcc", "--version"))
        with pytest.raises(JudgeError, match="false cannot be run here: it does not say its version"):
            workshop.version(("false",))
        assert "GNU coreutils" not in workshop.version(("true", "--version"))

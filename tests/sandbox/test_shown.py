"""The paths that a cage hides within those that it shows: the answer key, wherever it lies."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader import bundled
from grader.sandbox import Cage, Tier, complete
from grader.sandbox.shown import Shown

FILES = (
    *("python/bin/tool", "python/lib/modules/numbers/code", "python/lib/modules/course/key"),
    *("python/lib/modules/course/deep/key", "python/lib/modules/course/needed/code", "python/lib/modules/lone-key"),
)


@pytest.fixture
def prefix() -> Iterator[Path]:
    """A folder that everyone may read, with what a program needs, a course's folder among it, and links to that."""
    with tempfile.TemporaryDirectory(prefix="shown-") as made:
        base = Path(made).resolve()
        for name in FILES:
            (base / name).parent.mkdir(parents=True, exist_ok=True)
            (base / name).write_text(f"<{name}>", encoding="utf-8")
        (base / "python/lib/modules/same").symlink_to("course")
        (base / "python/again").symlink_to(base / "python")
        (base / "way").symlink_to(base / "python/lib/modules/course")
        for path in (base, *base.rglob("*")):
            path.chmod(0o755)
        yield base


def printed(cage: Cage, run_as: Callable[..., object], line: str) -> str:
    """The output of a line of shell."""
    return complete(cage, run_as("sh", "-c", line, processes=64)).output.decode()


def test_what_is_hidden_cannot_be_read_where_all_around_it_can(in_tier, run_as, prefix):
    """A hidden folder or file in a readable folder cannot be read, through no link and no other name; its neighbours can."""
    modules = prefix / "python/lib/modules"

    def scenario(tier):
        with Cage(tier, readable=(prefix / "python",), hidden=(prefix / "way", modules / "lone-key")) as cage:
            output = printed(cage, run_as, f"cd {prefix}/python; cat $(find -L . -maxdepth 6) again/lib/modules/*/key")
            output += printed(cage, run_as, f"cat {prefix}/way/* /proc/self/root{modules}/course/key")
            assert "<python/bin/tool>" in output
            assert "<python/lib/modules/numbers/code>" in output
            assert ("key>" in output) is (tier is Tier.BARE)
            assert ("needed/code>" in output) is (tier is Tier.BARE)

    in_tier(scenario)


def test_what_lies_deeper_decides(in_tier, run_as, prefix):
    """A readable folder in a hidden one can be read, and what is hidden in that again cannot."""
    course = prefix / "python/lib/modules/course"
    (course / "needed/hidden").mkdir(mode=0o755)
    (course / "needed/hidden/key").write_text("<key>", encoding="utf-8")

    def scenario(tier):
        readable, hidden = (prefix / "python", course / "needed"), (course, course / "deep", course / "needed/hidden")
        with Cage(tier, readable=readable, hidden=hidden) as cage:
            output = printed(cage, run_as, f"cd {course}; cat needed/code; cat key deep/key needed/hidden/key")
            assert output == "<python/lib/modules/course/needed/code>" or tier is Tier.BARE

    in_tier(scenario)


def test_a_folder_of_the_system_is_hidden_by_all_its_names(in_tier, run_as):
    """A part of the system's folders is also hidden, even under another name; compilers still work."""
    hidden = Path("/lib/os-release"), Path("/usr/share/common-licenses")
    if not all(path.exists() for path in hidden):
        pytest.skip("a system with other files")
    program = b'#include <stdio.h>\nint main(void) { puts("compiled"); }\n'

    def scenario(tier):
        with Cage(tier, hidden=hidden) as cage:
            cage.put("main.c", program)
            output = printed(
                cage, run_as, "gcc -c main.c && echo works; head -c9 /etc/alternatives/awk > /dev/null && echo beside"
            )
            assert output.split() == ["works", "beside"]
            output = printed(cage, run_as, "cat /usr/lib/os-release /lib/os-release /bin/../lib/os-release")
            output += printed(cage, run_as, "cat /usr/share/common-licenses/*")
            assert (output == "") is (tier is not Tier.BARE)

    in_tier(scenario)


def test_the_grader_itself_is_always_hidden(in_tier, run_as, monkeypatch, prefix):
    """Whoever opens a cage need not say that no program may read the grader, its specs and its references."""
    package = prefix / "python/lib/modules/grader"
    (package / "bundled").mkdir(parents=True)
    (package / "bundled/reference.py").write_text("<key>", encoding="utf-8")
    monkeypatch.setattr(bundled, "_HERE", package / "bundled")

    def scenario(tier):
        with Cage(tier, readable=(prefix / "python",)) as cage:
            output = printed(cage, run_as, f"cat {prefix}/python/bin/tool {package}/bundled/*")
            assert output == "<python/bin/tool>" or tier is Tier.BARE

    in_tier(scenario)


def test_the_work_folder_of_another_cage_is_hidden(in_tier, run_as, monkeypatch, prefix):
    """Also where temporary files lie in a folder that programs may read, one program finds nothing of another's."""
    temporary = prefix / "python/tmp"
    temporary.mkdir()
    temporary.chmod(0o777)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))

    def scenario(tier):
        with Cage(tier, readable=(prefix / "python",)) as one, Cage(tier, readable=(prefix / "python",)) as other:
            one.put("mine", b"<key>")
            assert printed(one, run_as, "cat mine") == "<key>"
            output = printed(other, run_as, f"cat {prefix}/python/bin/tool {temporary}/*/work/mine {one.path}/mine")
            assert output == "<python/bin/tool>" or tier is Tier.BARE

    in_tier(scenario)


def test_nothing_is_hidden_that_is_not_shown(tmp_path):
    """The launcher is told of what lies in readable paths alone, and a path that must be readable is never hidden."""
    shown, beside = tmp_path / "shown", tmp_path / "beside"
    for folder in (shown / "key" / "inner", beside):
        folder.mkdir(parents=True)
    assert Shown((shown,), (beside, tmp_path, shown, tmp_path / "none")).hidden == ()
    assert Shown((shown,), (shown / "key" / "inner", shown / "key")).hidden == (shown / "key",)
    assert Shown((shown,), (Path("/usr"), Path("/bin"), Path("/"))).hidden == ()
    assert Shown((Path("/usr/bin"),), (Path("/usr/share"),)).readable == ()


def test_an_archive_that_a_hidden_path_lies_in_is_hidden(tmp_path):
    """Python can import a package from an archive, in which there are no paths to hide."""
    archive = tmp_path / "grader.zip"
    archive.write_bytes(b"PK")
    assert Shown((tmp_path,), (archive / "grader" / "bundled",)).hidden == (archive,)


def test_the_own_folders_are_the_package_and_what_a_checkout_holds_beside_it(monkeypatch, tmp_path):
    """Installed among other packages the grader hides itself alone, with its metadata; in a checkout also its fixtures."""
    here = tmp_path / "grader" / "bundled"
    (here / "specs").mkdir(parents=True)
    (tmp_path / "grader-0.1.dist-info").mkdir()
    monkeypatch.setattr(bundled, "_HERE", here)
    assert set(bundled.own_folders()) == {tmp_path / "grader", tmp_path / "grader-0.1.dist-info"}
    monkeypatch.setattr(bundled, "_HERE", Path(bundled.__file__).resolve().parent)
    names = {path.name for path in bundled.own_folders()}
    assert {"grader", "specs", "reference", "fixtures"} <= names

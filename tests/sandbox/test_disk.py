"""A lack of this machine, a disk without room or limits too low, is our fault: a LaunchError with place and hint."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from grader.errors import JudgeError
from grader.sandbox import Cage, LaunchError, Tier, complete, prove
from tests.killing import largest_file, small_disk

ROOT = Path(__file__).parents[2]
BESIDE = Tier.CONTAINER if os.geteuid() == 0 else Tier.USER
"""A tier whose work folder lies on a disk of the machine."""


def descriptors() -> int:
    """How many this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))


def refused_with(tier: Tier) -> LaunchError:
    """The refusal of a cage of this tier."""
    with pytest.raises(LaunchError) as caught:
        Cage(tier)
    return caught.value


def test_a_work_folder_that_cannot_be_made_is_our_fault(monkeypatch, tmp_path):
    """If the folder for temporary files is not a folder or nobody can write there, the error says so and names TMPDIR."""
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "none", Path("/proc")):
        monkeypatch.setattr(tempfile, "tempdir", str(place))
        error = refused_with(BESIDE)
        assert error.message.startswith("a folder for the sandbox cannot be made: ")
        assert "TMPDIR" in error.hint


def test_no_folder_for_temporary_files_is_our_fault(monkeypatch, tmp_path):
    """If Python finds none at all, the places that it tried are told."""
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: [str(tmp_path / "none"), "/proc"])
    assert str(tmp_path / "none") in refused_with(BESIDE).message


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs programs as another user")
def test_a_folder_that_programs_may_not_enter_is_our_fault(monkeypatch):
    """With TMPDIR in a folder of root's own gcc broke on every program, and each was a compile error of a student's."""
    with tempfile.TemporaryDirectory() as name:
        inner = Path(name, "inner")
        inner.mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(inner))
        error = refused_with(Tier.CONTAINER)
        assert (error.message, error.place) == ("programs run as another user, who may not enter", name)
        assert "TMPDIR" in error.hint
        Path(name).chmod(0o711)
        Cage(Tier.CONTAINER).close()


def test_no_user_id_is_lost_where_no_folder_can_be_made(monkeypatch, tmp_path):
    """A cage that failed has given back what it took: several hundred may fail, and then one stands."""
    usual, before = tempfile.gettempdir(), descriptors()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    for _ in range(400):
        refused_with(BESIDE)
    assert descriptors() == before
    monkeypatch.setattr(tempfile, "tempdir", usual)
    Cage(BESIDE).close()


@pytest.mark.parametrize("tier", [BESIDE, Tier.BARE])
def test_a_disk_without_room_starts_nothing(tier, run_as):
    """What a work folder may hold must be free on its disk: else a program, or a compiler, would be blamed for a full one."""
    free = shutil.disk_usage(tempfile.gettempdir()).free
    with Cage(tier, work_size=free + (1 << 40)) as cage:
        with pytest.raises(LaunchError, match=r"its disk has [\d,]+ bytes left") as caught:
            cage.start(run_as("true"))
        assert (caught.value.place, "TMPDIR" in caught.value.hint) == (cage.path, True)
    with Cage(tier, work_size=1 << 20) as cage:
        assert complete(cage, run_as("true")).status.exit_code == 0


def test_a_disk_without_room_for_files_starts_nothing(monkeypatch, run_as):
    """A disk may have bytes left and no file: a compiler would tell of a full one, and that of a program that is right."""
    with small_disk("size=200m,nr_inodes=4100") as disk:
        monkeypatch.setattr(tempfile, "tempdir", str(disk))
        with Cage(BESIDE) as cage:
            assert complete(cage, run_as("true")).status.exit_code == 0
            (disk / "one more").write_text("")
            with pytest.raises(LaunchError, match=r"its disk has room for 4,0\d\d more files"):
                cage.start(run_as("true"))


def test_what_cannot_be_written_is_our_fault(tier):
    """A file that the disk does not take is told with its name and size; what fits is there."""
    with Cage(tier) as cage, largest_file(1 << 16):
        cage.put("small", bytes(1 << 16))
        with pytest.raises(LaunchError, match=r"big, 65,537 bytes, cannot be put into the work folder: File too large"):
            cage.put("big", bytes((1 << 16) + 1))


def test_what_cannot_be_opened_is_our_fault(tier):
    """What lies there and cannot be taken, since we may open no more files, is no file that a compiler did not make."""
    with Cage(tier) as cage:
        cage.put("a/made", b"made")
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, before[1]))
        try:
            with pytest.raises(JudgeError, match="open no more files"):
                cage.take("a/made", 10)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)
        assert (cage.take("a/made", 10), cage.take("a/none", 10)) == (b"made", None)


def test_a_kept_file_that_cannot_be_put_back_is_our_fault(tier, run_as):
    """Cleaning a folder whose kept file is gone says so where it cannot be written again."""
    with Cage(tier) as cage:
        cage.put("a/kept", bytes(1 << 16), kept=True)
        with largest_file(1 << 10), pytest.raises(LaunchError, match="cannot be emptied: File too large"):
            cage.clean()
        cage.clean()
        assert cage.listing() == ("a/kept",)


def test_proofs_need_a_folder(tier, monkeypatch, tmp_path):
    """If nothing can be made to attack, the doctor hears of our fault and sees no traceback."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    with pytest.raises(LaunchError, match="cannot be made"):
        prove(tier)


@pytest.mark.parametrize(("name", "needed"), [("NOFILE", 64), ("FSIZE", 16 << 20), ("NPROC", 17), ("AS", 1 << 34)])
def test_a_limit_of_the_machine_that_is_lower_is_our_fault(tier, name, needed):
    """A program that would get less than its limits promise is not started; at the promise itself it is."""
    for most, outcome in ((needed - 1, f"this machine's limit RLIMIT_{name} is {needed - 1:,}"), (needed, "fine")):
        child = [sys.executable, "-c", _LIMITED, name, str(most), tier]
        done = subprocess.run(child, capture_output=True, text=True, check=False, cwd=ROOT)
        assert outcome in done.stdout, done


_LIMITED = """
import resource, sys
from grader.sandbox import Cage, LaunchError, Tier, complete
from tests.sandbox.conftest import command
name, most, tier = sys.argv[1:]
resource.setrlimit(getattr(resource, "RLIMIT_" + name), (int(most), int(most)))
with Cage(Tier(tier)) as cage:
    try:
        assert complete(cage, command("true", address_space=1 << 34)).status.exit_code == 0
        print("fine")
    except LaunchError as error:
        print(error)
"""


def test_a_program_may_remove_the_folder_around_its_own(run_as):
    """In the bare tier a program has our rights: it still finds a new folder, and closing the cage is not an error."""
    with Cage(Tier.BARE) as cage:
        cage.put("kept", b"kept", kept=True)
        complete(cage, run_as("sh", "-c", 'rm -rf "$(dirname "$PWD")"'))
        assert not Path(cage.path).parent.exists()
        cage.clean()
        assert complete(cage, run_as("cat", "kept")).output == b"kept"
        complete(cage, run_as("sh", "-c", 'rm -rf "$(dirname "$PWD")"'))
    assert not Path(cage.path).parent.exists()

"""Folders for temporary files that stay behind for nobody."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from grader.sandbox import leftovers
from grader.sandbox.leftovers import OwnedFolder, sweep

ROOT = Path(__file__).parents[2]


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The folder of temporary files."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def kill(owner: OwnedFolder) -> Path:
    """The folder of an owner that is no more."""
    os.close(owner.lock)
    owner.lock = -1
    return Path(owner.name)


def test_a_folder_goes_with_its_owner(temporary):
    """It is removed with everything in it."""
    folder = OwnedFolder("batch")
    Path(folder.name, "file").touch()
    Path(folder.name, "deep/er").mkdir(parents=True)
    folder.cleanup()
    assert [*temporary.iterdir()] == []
    folder.cleanup()


@pytest.mark.parametrize("kind", ["batch", "cage"])
def test_what_a_dead_owner_left_goes_with_the_next(temporary, kind):
    """Whoever makes a folder removes what is left of the dead, whatever they put into it, and however deep."""
    folder = kill(OwnedFolder(kind))
    (folder / "grader-cage-abcd0123").mkdir()
    (folder / "grader-cage-abcd0123" / "lock").touch()
    (folder / "locked").mkdir(mode=0)
    deep = os.open(folder, os.O_RDONLY)
    for _ in range(1200):
        os.mkdir("d", dir_fd=deep)
        below = os.open("d", os.O_RDONLY, dir_fd=deep)
        os.close(deep)
        deep = below
    os.close(deep)
    OwnedFolder("batch").cleanup()
    assert [*temporary.iterdir()] == []


def test_what_a_living_owner_has_stays(temporary):
    """While one of several owners lives the folder stays; when the last is gone it goes."""
    first = OwnedFolder("batch")
    script = "print('mine', flush=True)\ninput()"
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=[first.lock]
    ) as second:
        assert second.stdout is not None
        assert second.stdout.readline() == b"mine\n"
        folder = kill(first)
        sweep(temporary)
        assert folder.is_dir()
        second.kill()
    sweep(temporary)
    assert not folder.exists()


def test_what_is_half_removed_goes_with_the_next(temporary, monkeypatch):
    """A process that removes a folder and is killed over it, at whatever file, leaves a folder that is known for a leftover."""
    unlink = os.unlink
    for most in range(6):
        folder = OwnedFolder("batch")
        for number in range(5):
            Path(folder.name, f"file{number}").touch()
        removed = []

        def killed(*arguments, most=most, removed=removed, **options):
            removed.append(arguments)
            if len(removed) > most:
                raise KeyboardInterrupt
            unlink(*arguments, **options)

        with monkeypatch.context() as patched:
            patched.setattr(os, "unlink", killed)
            with pytest.raises(KeyboardInterrupt):
                folder.cleanup()
        kill(folder)
        sweep(temporary)
        assert [*temporary.iterdir()] == [], most


CAGED = """
from grader.sandbox import Cage, Tier
with Cage(Tier.BARE) as cage:
    print(cage.path, flush=True)
    input()
"""
PROVING = """
from grader.sandbox import Tier, proofs
proofs._attack = lambda *_: (print("mine", flush=True), input())
proofs.prove(Tier.BARE)
"""


@pytest.mark.parametrize(("script", "folders"), [(CAGED, 1), (PROVING, 3)], ids=["a cage", "the proofs"])
def test_what_was_made_for_programs_goes_after_a_kill(temporary, script, folders):
    """The folder of a cage, and those that are there to be attacked, are removed by whoever makes the next."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]), "TMPDIR": str(temporary)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", script], env=environment, **pipes) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline()
        sweep(temporary)
        assert len([*temporary.iterdir()]) == folders
        owner.kill()
    OwnedFolder("batch").cleanup()
    assert [*temporary.iterdir()] == []


def test_what_is_not_ours_stays(temporary, monkeypatch):
    """Other names, files, links, folders without our lock or with another thing in its place, are left alone."""
    target = kill(OwnedFolder("batch"))
    target = target.rename(temporary / "target")
    (target / "precious").touch()
    (temporary / "grader-batch-link0000").symlink_to(target)
    (temporary / "grader-batch-file0000").touch()
    (temporary / "grader-batch-mine0000").mkdir()
    (temporary / "grader-batch-mine0000" / "results").touch()
    (temporary / "grader-batch-pipe0000").mkdir()
    os.mkfifo(temporary / "grader-batch-pipe0000" / "lock")
    (temporary / "grader-batch-away0000").mkdir()
    (temporary / "grader-batch-away0000" / "lock").symlink_to(target / "precious")
    (temporary / "grader-homework").mkdir()
    before = sorted(temporary.rglob("*"))
    sweep(temporary)
    assert sorted(temporary.rglob("*")) == before
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    kill(OwnedFolder("batch"))
    before = sorted(temporary.rglob("*"))
    sweep(temporary)
    assert sorted(temporary.rglob("*")) == before


def test_an_owner_that_was_killed_at_its_very_first_step(temporary):
    """An empty folder, which has no lock yet, goes as well."""
    tempfile.mkdtemp(prefix="grader-batch-")
    sweep(temporary)
    assert [*temporary.iterdir()] == []


@pytest.mark.parametrize("step", ["open", "flock"])
def test_an_owner_whose_folder_is_swept_before_it_has_its_lock(temporary, monkeypatch, step):
    """Its folder was taken for a leftover: it makes another, and loses nothing."""
    module = {"open": os, "flock": fcntl}[step]
    real, swept = getattr(module, step), []

    def late(*arguments, **options):
        if not swept:
            swept.append(True)
            sweep(temporary)
        return real(*arguments, **options)

    def made(prefix):
        monkeypatch.setattr(module, step, late)
        return mkdtemp(prefix=prefix)

    mkdtemp = tempfile.mkdtemp
    monkeypatch.setattr(tempfile, "mkdtemp", made)
    folder = OwnedFolder("batch")
    monkeypatch.undo()
    assert swept
    assert [path.name for path in Path(folder.name).iterdir()] == ["lock"]
    folder.cleanup()


def test_where_there_are_no_locks_nothing_is_swept(temporary, monkeypatch):
    """On a file system without locks the dead cannot be told from the living."""

    def refused(*_: object) -> None:
        raise OSError(9, "Bad file descriptor")

    monkeypatch.setattr(leftovers.fcntl, "flock", refused)
    folder = OwnedFolder("batch")
    sweep(temporary)
    assert Path(folder.name).is_dir()

"""Which tier works here, and what it stops: found by trying, since a kernel's version tells less than a refused call."""

from __future__ import annotations

import functools
import os
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from grader.bundled import own_folders
from grader.errors import JudgeError
from grader.sandbox.cage import ELSEWHERE, Cage, complete
from grader.sandbox.command import Command, Event, Limits, Tier
from grader.sandbox.leftovers import OwnedFolder
from grader.sandbox.shown import files_in
from grader.sandbox.wire import LAUNCHER, refused
from grader.values import dataclass

# The attacks of attacks.c, and the meaning of each if it got through.
ATTACKS: Final = {
    "read-outside": "reads a file of the grader, such as the expected output",
    "read-hidden": "reads what was hidden in a folder that it may read",
    "read-key": "reads the specs and references of the grader",
    "write-outside": "writes a file outside its work folder",
    "read-grader": "reads the grader's environment or command line",
    "signal-grader": "can send signals to the grader",
    "signal-launcher": "can send signals to the launcher that watches it",
    "trace": "can trace processes",
    "network": "opens a socket",
    "namespace": "makes a user namespace, in which it is root",
    "io-uring": "reaches system calls past the filter by io_uring",
    "shared-memory": "leaves shared memory behind",
    "fork-bomb": "forks without end",
    "memory": "uses memory without end",
    "memory-in-children": "uses memory without end, in small children",
    "full-folder": "fills the disk",
    "many-files": "makes files without end",
    "daemon": "leaves a process behind",
}
_LIMITS: Final = Limits(
    cpu=10, wall=30, memory=64 << 20, output=1 << 20, processes=16, file_size=4 << 20, files=64, address_space=None
)
_WORK_SIZE: Final = 8 << 20  # bytes: less than any attack tries to fill
_SPOILED: Final = 127  # the exit code of an attack that was not one


@dataclass(frozen=True, slots=True)
class Proof:
    """One attack on a cage of ours: ``stopped`` or not, and ``how``, in words for a person."""

    name: str
    stopped: bool
    how: str


@functools.cache
def best_tier() -> Tier:
    """The strongest tier in which a program can be run here; BARE only if no other can.

    Raises:
        JudgeError: no program can be run at all, for the reason that the weakest tier gives.
    """
    for tier in Tier:
        try:
            with Cage(tier) as cage:
                _attack(cage, "nothing", Path("/"))
        except JudgeError:
            if tier is Tier.BARE:
                raise
        else:
            return tier
    raise AssertionError("unreachable: the last tier returns or raises")


def prove(tier: Tier, readable: tuple[Path, ...] = ()) -> tuple[Proof, ...]:
    """Attack a cage of this tier in every way that attacks.c knows; ``readable`` is what programs need to read.

    Raises:
        JudgeError: such a cage cannot be had here, or there is no folder to attack.
    """
    with refused("a folder to attack cannot be made", ELSEWHERE), ExitStack() as owned:
        outside, shown = _folder(owned), _folder(owned)
        needed, hidden = shown / "needed", shown / "hidden" / "answers"
        hidden.parent.mkdir()
        for path in (outside / "answers", needed, hidden):
            path.write_text("42\n", encoding="utf-8")
            path.chmod(0o644)
        for path, mode in ((outside, 0o777), (needed.parent, 0o755), (hidden.parent, 0o755)):
            path.chmod(mode)
        sought = {
            "read-hidden": (needed, hidden),
            "read-key": tuple(file for path in own_folders() for file in files_in(path, readable)),
        }
        with Cage(tier, work_size=_WORK_SIZE, readable=(shown, *readable), hidden=(hidden.parent,)) as cage:
            return tuple(
                _read(cage, name, sought[name], needed) if name in sought else _attack(cage, name, outside)
                for name in ATTACKS
            )


def _folder(owned: ExitStack) -> Path:
    folder = OwnedFolder("proof")
    owned.callback(folder.cleanup)
    return Path(folder.name)


def exposed(tier: Tier, hidden: tuple[Path, ...], readable: tuple[Path, ...] = ()) -> tuple[Path, ...]:
    """Hidden paths, the grader itself among them, that a program in such a cage can still read, found by trying.

    Raises:
        JudgeError: such a cage cannot be had here.
    """
    sought = {path: tuple(files_in(path, readable)) for path in (*hidden, *own_folders())}
    with Cage(tier, work_size=_WORK_SIZE, readable=readable, hidden=hidden) as cage:
        readable_files = set(_found(cage, "read-key", tuple({file for files in sought.values() for file in files})))
    return tuple(path for path, files in sought.items() if not readable_files.isdisjoint(files))


def _read(cage: Cage, name: str, sought: tuple[Path, ...], needed: Path) -> Proof:
    readable_files = _found(cage, name, sought)
    if needed in sought and needed not in readable_files:
        raise JudgeError(f"what programs need cannot be read in the sandbox tier {cage.tier}", place=str(needed))
    through = [path for path in readable_files if path != needed]
    return Proof(name, stopped=not through, how=f"{ATTACKS[name]}: {through[0]}" if through else "refused")


def _found(cage: Cage, name: str, sought: tuple[Path, ...]) -> tuple[Path, ...]:
    """Those of the files that a program can read."""
    cage.put("sought", b"".join(os.fsencode(path) + b"\0" for path in sought))
    cage.put("attack", LAUNCHER.read_bytes(), executable=True)
    done = complete(cage, Command(("./attack", "attack", name, ".", "0"), _LIMITS))
    cage.clean()
    if done.status.exit_code not in (0, 1):
        raise JudgeError(f"the attack {name} could not be tried in the sandbox tier {cage.tier}")
    return tuple(Path(os.fsdecode(path)) for path in done.output.split(b"\0") if path)


def _attack(cage: Cage, name: str, outside: Path) -> Proof:
    cage.put("attack", LAUNCHER.read_bytes(), executable=True, kept=True)
    words = ("./attack", "attack", name, str(outside), str(os.getpid()))
    process = cage.start(Command(words, _LIMITS, watch_reads=False))
    process.close_input()
    while process.wait_event() not in (Event.ENDED, Event.LIMIT):
        continue
    status = process.status
    assert status is not None
    cage.clean()
    if status.exit_code == _SPOILED:
        raise JudgeError(f"the attack {name} could not be tried in the sandbox tier {cage.tier}")
    if status.limit is not None and status.limit != "wall":
        return Proof(name, stopped=True, how=f"killed over its limit of {status.limit}")
    if status.exit_code == 0 and process.silent:
        return Proof(name, stopped=True, how="refused" if name != "daemon" else "killed with the program")
    return Proof(name, stopped=False, how=ATTACKS[name])

"""The surroundings of a cage to be attacked, and the effects of an attack that can be seen from there.

Everything here is ours and made for the attack: a folder with an answer key, a process, sockets that listen, a terminal.
"""

from __future__ import annotations

import ctypes
import os
import secrets
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Self

_SHARED = ("/tmp", "/var/tmp", "/dev/shm", "/run/lock", "/dev/mqueue")
_IPC_RMID = 0


class Surroundings:
    """A context manager; ``folder`` is a new folder that everyone may enter."""

    def __init__(self, folder: Path) -> None:
        self.number = secrets.randbelow(80_000_000) + 10_000_000
        self.name = f"hostile{self.number}"
        self.secrets = [f"{kind}_{secrets.token_hex(8)}" for kind in ("answer", "variable", "word")]
        self.outside = folder / "outside"
        self.libraries = folder / "libraries"
        self.course = self.libraries / "course"
        self._folder = folder
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        temporary = self._folder / "tmp"
        temporary.mkdir(parents=True)
        os.environ["TMPDIR"] = str(temporary)
        self._temporary = temporary
        self._tcp = self._stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        self.port = self._tcp.getsockname()[1]
        self._udp = self._stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        self._udp.bind(("127.0.0.1", self.port))
        self._abstract = self._stack.enter_context(socket.socket(socket.AF_UNIX))
        self._abstract.bind(f"\0{self.name}")
        self._abstract.listen()
        self._abstract_datagrams = self._stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        self._abstract_datagrams.bind(f"\0{self.name}d")
        self._master, slave = os.openpty()
        os.set_blocking(self._master, False)
        self._terminal = os.ttyname(slave)
        Path(self._terminal).chmod(0o666)
        self._furnish()
        self._furnish_libraries()
        self._start_victim()
        return self

    def __exit__(self, *exception: object) -> None:
        self._end_victim()
        self._local.close()
        self._datagrams.close()
        self._stack.close()

    @property
    def told(self) -> str:
        """The facts of all this that an attacker is told, in the order of knows.h."""
        return f"{self.outside} {self._terminal} {self.name} {self._victim.pid} {self.port} {self.number}\n"

    @property
    def key(self) -> Path:
        """The answer key."""
        return self.outside / "key"

    def _furnish(self) -> None:
        """The folder, open to everyone: what keeps an attacker out is the cage."""
        shutil.rmtree(self.outside, ignore_errors=True)
        (self.outside / "folder").mkdir(parents=True)
        self.key.write_text(f"{self.secrets[0]} {self.secrets[0]}\n", encoding="utf-8")
        (self.outside / "folder" / "file").write_text("ours", encoding="utf-8")
        self._local = socket.socket(socket.AF_UNIX)
        self._local.bind(str(self.outside / "socket"))
        self._local.listen()
        self._datagrams = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._datagrams.bind(str(self.outside / "datagrams"))
        for path in (self.outside, *self.outside.rglob("*")):
            path.chmod(0o777)
        self._before = self._snapshot()

    def _furnish_libraries(self) -> None:
        """A folder that cages show, with one in it that they hide, which another name leads to as well."""
        self.course.mkdir(parents=True)
        (self.libraries / "code").write_text("for everybody", encoding="utf-8")
        (self.course / "key").write_text(f"{self.secrets[0]}\n", encoding="utf-8")
        (self.libraries / "same").symlink_to("course")
        for path in (self.libraries, self.libraries / "code", self.course, self.course / "key"):
            path.chmod(0o755)

    def _snapshot(self) -> dict[str, tuple[int, ...]]:
        paths = (self.outside, *self.outside.rglob("*"))
        return {str(path): (s.st_mode, s.st_size, s.st_mtime_ns) for path in paths for s in (path.lstat(),)}

    def _start_victim(self) -> None:
        words = [self.secrets[2], "600"]
        self._victim = subprocess.Popen(words, executable="/bin/sleep", env={"SECRET": self.secrets[1]})
        self._healthy = self._state_of_victim()

    def _end_victim(self) -> None:
        self._victim.kill()
        self._victim.wait()

    def _sleeps(self) -> bool:
        """Whether our process sleeps, as it always does; a signal wakes it at once."""
        return Path(f"/proc/{self._victim.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "S"

    def _state_of_victim(self) -> tuple[object, ...]:
        pid = self._victim.pid
        return os.getpriority(os.PRIO_PROCESS, pid), os.sched_getaffinity(pid), os.sched_getscheduler(pid)

    # ----------------------------------------------------------------------------------------- what has been done to it

    def harm(self) -> list[str]:
        """Everything that is not as it was, in words; it is put right."""
        return [*self._of_files(), *self._of_victim(), *self._of_sockets(), *self._of_terminal(), *self._of_remains()]

    def spilt(self, text: bytes) -> list[str]:
        """The secrets of ours that stand in a text."""
        return [f"it shows the secret {word.partition('_')[0]}" for word in self.secrets if word.encode() in text]

    def _of_files(self) -> Iterator[str]:
        after = self._snapshot()
        if after != self._before:
            changed = sorted(
                Path(path).name for path in {*after, *self._before} if after.get(path) != self._before.get(path)
            )
            yield f"outside is not as it was: {', '.join(changed)}"
            self._local.close()
            self._datagrams.close()
            for path in (self.outside, *self.outside.rglob("*")):
                if not path.is_symlink():
                    path.chmod(0o777)
            self._furnish()

    def _of_victim(self) -> Iterator[str]:
        if not self._sleeps():  # a process that was killed needs a moment to end where the machine is busy
            with suppress(subprocess.TimeoutExpired):
                self._victim.wait(1)
        if self._victim.poll() is not None:
            yield "a process of ours was ended"
        elif self._state_of_victim() != self._healthy:
            yield "a process of ours was slowed down"
        else:
            return
        self._end_victim()
        self._start_victim()

    def _of_sockets(self) -> Iterator[str]:
        for listener in (self._tcp, self._local, self._abstract):
            listener.setblocking(False)
            with suppress(BlockingIOError):
                listener.accept()[0].close()
                yield "it reached a socket that listens"
        for receiver in (self._udp, self._datagrams, self._abstract_datagrams):
            with suppress(BlockingIOError):
                while receiver.recv(4096, socket.MSG_DONTWAIT):
                    yield "it sent a datagram"

    def _of_terminal(self) -> Iterator[str]:
        with suppress(BlockingIOError):
            os.read(self._master, 4096)
            yield "it wrote to a terminal"

    def _of_remains(self) -> Iterator[str]:
        for process in self._processes():
            yield "a process of it is left"
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        for folder in _SHARED:
            path = Path(folder, self.name)
            if path.exists():
                yield f"it left a file in {folder}"
                path.unlink()
        libc = ctypes.CDLL(None)
        for kind, found in (("memory", libc.shmget(self.number, 0, 0)), ("queue", libc.msgget(self.number, 0))):
            if found >= 0:
                yield f"it left a shared {kind}"
                libc.shmctl(found, _IPC_RMID, None) if kind == "memory" else libc.msgctl(found, _IPC_RMID, None)

    def _processes(self) -> list[int]:
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                told = (folder / "stat").read_bytes() + (folder / "cmdline").read_bytes()
                if self.name.encode() in told and b") Z " not in told:
                    found.append(int(folder.name))
        return found

    def left(self) -> list[str]:
        """The leftovers of cages after they were closed."""
        return [f"{path.name} is left" for path in self._temporary.iterdir() if path.name.startswith("grader-")]

"""The Java of this machine: where it lies, and how its virtual machines (JVMs) are started for short runs."""

from __future__ import annotations

import hashlib
import io
import os
import re
import shutil
import zipfile
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final

from grader.errors import JudgeError

ENVIRONMENT: Final = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
"""Without LANG a JVM prints question marks for all that is not ASCII."""

FLAGS: Final = (
    "-XX:+UseSerialGC",  # one thread that collects garbage, rather than one for each core
    "-XX:TieredStopAtLevel=1",  # the second compiler pays off after seconds only
    "-XX:-UsePerfData",  # no files in /tmp
    "-Xlog:disable",  # its own warnings would go to standard output
    "-XX:-CreateCoredumpOnCrash",
    "-XX:+SuppressFatalErrorMessage",
    "-Dfile.encoding=UTF-8",
    "-Dstdout.encoding=UTF-8",
    "-Dstderr.encoding=UTF-8",
    "-Djdk.console=java.base",  # no console without a terminal, as before Java 22
)
"""Options of every JVM: a quick start, and only the program's output on the standard streams."""

_OWN_FOLDER: Final = files("grader") / "java"

OWN_THREADS: Final = 24
"""More threads than a JVM with FLAGS has of its own."""

OWN_MEMORY: Final = 192 << 20
"""More resident bytes than a JVM needs beside the heap of a student's program."""


def java_home() -> Path:
    """The folder of the JDK: of the ``javac`` on the path, else what ``JAVA_HOME`` names. Raises JudgeError if neither is one."""
    javac = shutil.which("javac")
    homes = [Path(javac).resolve().parent.parent] if javac else []
    home_variable = os.environ.get("JAVA_HOME")
    for home in (*homes, *([Path(home_variable)] if home_variable else [])):
        if (home / "lib" / "modules").is_file():  # a script on the path that chooses among JDKs has none beside it
            return home
    hint = "sudo apt-get install default-jdk-headless; where there is one, JAVA_HOME says where"
    raise JudgeError("there is no JDK on this machine", hint=hint)


def version() -> str:
    """The version that the JDK says of itself, ``17.0.15``. Raises JudgeError if there is no Java."""
    try:
        release = (java_home() / "release").read_text(encoding="utf-8")
    except OSError as error:
        raise JudgeError(f"the JDK does not say its version: {error.strerror}", place=str(error.filename)) from error
    matched = re.search(r'^JAVA_VERSION="([^"]*)"', release, re.MULTILINE)
    return matched[1] if matched else release


def java() -> str:
    """The command that starts a JVM. Raises JudgeError if no JVM is installed."""
    return str(java_home() / "bin" / "java")


def readable() -> tuple[Path, ...]:
    """Paths of the machine that a cage must show for a JVM to run in it. Raises JudgeError if there is no Java."""
    return (java_home(),)


def own_source(name: str) -> bytes:
    """One of the grader's own Java sources, such as ``CaseHost.java``."""
    return (_OWN_FOLDER / name).read_bytes()


def own_digest() -> str:
    """The digest of our Java sources."""
    sources = sorted((file.name, file.read_bytes()) for file in _OWN_FOLDER.iterdir() if file.name.endswith(".java"))
    return hashlib.sha256(b"".join(data for _, data in sources)).hexdigest()


def own_classes() -> Mapping[str, bytes]:
    """Our programs in Java, compiled when the grader was installed; none where there was no javac, or the sources have changed since."""
    try:
        with zipfile.ZipFile(io.BytesIO((_OWN_FOLDER / "classes.zip").read_bytes())) as archive:
            # Compiled by each command they took 0.7 s of the 5 that it took.
            held = {name: archive.read(name) for name in archive.namelist()}
    except (OSError, zipfile.BadZipFile):
        return {}
    return held if held.pop("sources.sha256", b"").decode("ascii", "replace") == own_digest() else {}


def jar(classes: Mapping[str, bytes]) -> bytes:
    """Class files, by their paths, as an archive that ``java`` reads; equal classes make equal archives."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for path, content in sorted(classes.items()):
            # Without the time of writing: equal classes would make archives that differ, and both would be kept.
            archive.writestr(zipfile.ZipInfo(path), content)
    return data.getvalue()

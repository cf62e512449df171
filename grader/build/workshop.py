"""The place where native programs are built: the tier of the sandbox, the tools with their versions, and earlier products.

One workshop serves a whole batch, or one worker of it. Products of compilers are kept by content: equal sources,
flags and compilers make equal programs, so that a second run needs no compiler.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from grader.build.tool import TOOL_LIMITS, DisturbedToolError, Product
from grader.errors import JudgeError, UsageError
from grader.sandbox import Cage, Closing, Command, LaunchError, Tier, best_tier, complete, exposed

if TYPE_CHECKING:
    from grader.build.java import Compiler

_NOTE, _FILES = "product.json", "files/"
_HALF = ".new"


class Workshop(Closing):
    """Cages of one tier, tools, and a folder of products (None to keep none).

    ``hidden`` is what no program in them can read besides the grader itself: the products too, as those are others' programs.
    ``unkept`` says why what is made cannot be kept, which costs time alone; empty where it can. A workshop that ``shares`` the
    machine leaves a tool that was disturbed to one that does not, which runs it once more at once.
    """

    def __init__(
        self, tier: Tier, products: Path | None, hidden: tuple[Path, ...] = (), *, shares: bool = False
    ) -> None:
        self.tier = tier
        self._shares = shares
        self.hidden = (*hidden, *([products] if products else []))
        self.unkept = _why_unkept(products) if products else ""
        self._products = products
        self._versions: dict[tuple[str, ...], str] = {}

    @classmethod
    def opened(
        cls,
        *,
        unsafe: bool = False,
        hidden: tuple[Path, ...] = (),
        readable: tuple[Path, ...] = (),
        shares: bool = False,
    ) -> Workshop:
        """A workshop of the strongest tier that this machine has, for programs that need to read what is ``readable``.

        Raises UsageError unless ``unsafe``: for *bare*, and where a program could read what is to be hidden.
        """
        tier = best_tier()
        if tier is Tier.BARE and not unsafe:
            hint = "`grader doctor` says what is missing; --unsafe runs the programs anyway, with your own rights"
            message = "this machine has no sandbox for programs: they could read and change your files"
            raise UsageError(message, hint=hint)
        workshop = cls(tier, kept_folder("products"), hidden, shares=shares)
        if not unsafe:
            workshop.refuse_to_expose(readable)
        return workshop

    def refuse_to_expose(self, readable: tuple[Path, ...]) -> None:
        """Raise UsageError where a program in a cage that shows what is ``readable`` could read what is to be hidden."""
        open_paths = exposed(self.tier, self.hidden, readable)
        if open_paths:
            message = "programs could read what lies here, and some of it belongs to the course or to others: "
            message += "they need what lies beside it"
            hint = "put it into a folder of its own; --unsafe grades anyway"
            raise UsageError(message, place=str(open_paths[0]), hint=hint)

    @property
    def caged(self) -> bool:
        """Whether programs that run here can do no harm."""
        return self.tier is not Tier.BARE

    def cage(self, readable: tuple[Path, ...] = (), work_size: int = 64 << 20) -> Cage:
        """A new cage. Raises JudgeError when none can be made."""
        return Cage(self.tier, work_size=work_size, readable=readable, hidden=self.hidden)

    @cached_property
    def java(self) -> Compiler:
        """The compiler of Java programs, which is started when first asked for something."""
        from grader.build.java import Compiler

        return Compiler(self.tier, self.hidden)

    def version(self, command: tuple[str, ...], readable: tuple[Path, ...] = ()) -> str:
        """The first line that a tool says of its version, asked once, in a cage that shows it what is ``readable``.

        Raises JudgeError where there is no such tool.
        """
        if command not in self._versions:
            # A Python outside /usr is nowhere in a cage that does not show it.
            with self.cage(readable) as cage:
                self._versions[command] = _version_of(cage, command)
        return self._versions[command]

    def product(
        self,
        ingredients: Iterable[str | bytes],
        make: Callable[[], Product],
        keeps: Callable[[Product], bool] = lambda _: True,
    ) -> Product:
        """The product of the ingredients: a kept one, or the one that ``make`` makes now; that is kept unless ``keeps`` says no.

        Kept is only what the ingredients caused. Raises DisturbedToolError where a tool was disturbed, each time that it may be run.
        """
        path = self._products / f"{_digest(ingredients)}.zip" if self._products else None
        # To compile takes most of the time that grading a short program takes.
        kept = _kept(path) if path else None
        if kept is not None:
            return kept
        made = self._undisturbed(make)
        if path is not None and not self.unkept and keeps(made):
            _keep(made, path)
        return made

    def _undisturbed(self, make: Callable[[], Product]) -> Product:
        try:
            return make()
        except DisturbedToolError as disturbed:
            # In a batch other workers compute beside this one: whoever leads it runs such a tool when they are done.
            if disturbed.alone and self._shares:
                raise
        try:
            return make()
        except DisturbedToolError as again:
            if again.product is None or (again.alone and self._shares):
                raise
            return again.product

    def close(self) -> None:
        """End what runs."""
        if "java" in self.__dict__:
            self.java.close()


def _version_of(cage: Cage, command: tuple[str, ...]) -> str:
    hint = "grader doctor says what is missing"
    environment = {"PATH": os.defpath, "LANG": "C.UTF-8"}
    try:
        answer = complete(cage, Command(argv=command, limits=TOOL_LIMITS, environment=environment))
    except LaunchError as error:
        raise JudgeError(f"{command[0]} cannot be run here: {error.message}", hint=error.hint) from error
    lines = (answer.output or answer.errors).decode("utf-8", "replace").splitlines()
    if answer.status.exit_code != 0 or not lines:
        raise JudgeError(f"{command[0]} cannot be run here: it does not say its version", hint=hint)
    # In brackets stands whose package it is: Debian’s and Ubuntu’s gcc of one version make the same program.
    return re.sub(r"\s*\([^)]*\)", "", lines[0])


def _why_unkept(products: Path) -> str:
    """Why nothing can be written into the folder: found by trying, as rights say nothing of a full disk."""
    try:
        products.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=products, suffix=_HALF) as file:
            # An empty file can be made on a full disk.
            file.write(b"x")
            file.flush()
    except OSError as error:
        lost = "what is compiled cannot be kept, and is compiled anew each time"
        return f"{products}: {lost}: {error.strerror} (XDG_CACHE_HOME names another folder)"
    return ""


_MAKING: Final = b"4"
"""Changes when earlier products must not be found. Those of 1 held what killed compilers had left, and those of 2 what did
not build by a mistake of the course. Those of 3 had no mistake if the compiler takes too long for the course's files."""


def _digest(ingredients: Iterable[str | bytes]) -> str:
    digest = hashlib.sha256(_MAKING)
    for one in ingredients:
        part = one.encode("utf-8", "surrogateescape") if isinstance(one, str) else one
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()


def _kept(path: Path) -> Product | None:
    """The product in a file; None if the file is missing or damaged."""
    try:
        with zipfile.ZipFile(path) as archive:
            note = json.loads(archive.read(_NOTE))
            held = [name.removeprefix(_FILES) for name in archive.namelist() if name != _NOTE]
            files = {name: archive.read(_FILES + name) for name in held}
            return Product(files, note["said"], note["stopped"], note["note"]) if held == note["files"] else None
    # A folder that rotted, or was cut off on a full disk, costs time and no points.
    except (OSError, zipfile.BadZipFile, RuntimeError, KeyError, TypeError, ValueError, EOFError, zlib.error):
        return None


def _keep(product: Product, path: Path) -> None:
    """Write a product whole or not at all; where the disk is full by now, the next run builds again."""
    note = {"said": product.said, "stopped": product.stopped, "note": product.note, "files": [*product.files]}
    with suppress(OSError):
        new = tempfile.NamedTemporaryFile(dir=path.parent, suffix=_HALF, delete=False)  # noqa: SIM115  closed below
        try:
            with new as file, zipfile.ZipFile(file, "w") as archive:
                archive.writestr(_NOTE, json.dumps(note))
                for name, data in product.files.items():
                    archive.writestr(_FILES + name, data)
            Path(new.name).replace(path)
        except OSError:
            Path(new.name).unlink()


def kept_folder(name: str) -> Path:
    """``$XDG_CACHE_HOME/grader/NAME``, as the XDG Base Directory specification has it."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    if Path(cache).is_absolute():
        return Path(cache) / "grader" / name
    try:
        home = Path.home()
    except RuntimeError:  # a user without a name and without HOME, as in a container
        home = Path("/")
    return home / ".cache" / "grader" / name

"""A kit that is a page: a folder for any static host, in which the grader itself runs in the student's browser.

Pyodide is Python for browsers. It is given the sources of the grader, the packages that they need, and the visible spec; so a
page judges by the same code as the command line. What it says to its worker and back stands in ``static/worker.js``.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path

import grader
from grader.errors import UsageError
from grader.intake.course import MARK
from grader.kit import assets
from grader.kit.folder import Kit, empty_folder, refuse, write_visible
from grader.languages import CODES, language
from grader.machines.families import family
from grader.spec.loader import Assignment
from grader.spec.model import Spec

_STATIC = Path(__file__).with_name("static")
_PACKAGE = Path(grader.__file__).parent
_SPECS = ("bundled/reference", "bundled/specs")
ABSENT = (*_SPECS, "batch", "cli", "doctor.py", "java", "kit/static", "lint", "pytest_plugin.py", "sandbox")
"""The parts of the package that no page needs. Specs and references of other assignments must not be there."""

_SOURCES = (".py", ".html", ".css", ".js", ".po", ".yaml")
_SEVERITIES = ("error", "warning", "note")
_LIBRARIES = "libraries"
_PYTHON = "python_stdlib.zip"
_SPARE = re.compile(r"\.pyi$|\.dist-info/sboms/|^pydantic/(v1/|mypy\.py)")  # what no program imports, or only old ones
_DATE = (1980, 1, 1, 0, 0, 0)  # the same kit from the same files


def write_page(assignment: Assignment, folder: Path, *, compiled: bool = True) -> Kit:
    """Write the page into a folder. Raises UsageError where there can be none, or its packages cannot be downloaded.

    The loops of the machines and what others wrote in Python are put into it ``compiled``, or as they come.
    """
    spec = assignment.spec
    if spec.program.simulated is None:
        message = "a page can check programs in LC-3 and MIPS assembly only: others need their compiler"
        hint = "leave out --web to make a kit for the command line"
        raise UsageError(message, place=str(assignment.path), hint=hint)
    refuse(assignment, with_reference=False)
    packages = [(asset, assets.fetched(asset)) for asset in assets.assets()]
    # Everything is fetched before, so that a download that fails leaves the earlier page.
    empty_folder(folder)
    (folder / MARK).write_text(json.dumps(_about(spec), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    with tempfile.TemporaryDirectory() as made:
        kit = write_visible(assignment, Path(made))
        files = (path for path in sorted(Path(made).rglob("*")) if path.is_file())
        parts = [*_sources(spec.language), *((f"kit/{p.relative_to(made).as_posix()}", p.read_bytes()) for p in files)]
    if compiled:
        parts += assets.loops().items()
    licences = []
    modules = assets.compiled() if compiled else {}
    for asset, data in packages:
        licences.append(f"{asset.name} {asset.version}\n\n{asset.licence(data)}")
        for path, content in asset.files(data):
            if not asset.pypi:
                target = folder / _LIBRARIES / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(_with_modules(content, modules) if path.endswith(_PYTHON) else content)
            elif not _SPARE.search(path):
                parts.append(_ready((path, content), modules))
    (folder / _LIBRARIES / "LICENSES.txt").write_text("\n\n".join(licences), encoding="utf-8")
    (folder / "grader.zip").write_bytes(_zipped(parts))
    for source in sorted(_STATIC.iterdir()):
        data = source.read_bytes()
        (folder / source.name).write_bytes(_filled(data.decode(), spec).encode() if source.suffix == ".html" else data)
    return kit


def _about(spec: Spec) -> dict[str, object]:
    """Data that the page must know before Python is there."""
    written_in = spec.program.simulated or ""
    machine, spoken = family(written_in), language(spec.language)
    scripts = (source.read_text(encoding="utf-8") for source in _STATIC.glob("*.js"))
    texts = {*_SEVERITIES, *(text for script in scripts for text in said_by(script))}
    name = spec.program.sources[0]
    return {
        "kit": spec.assignment,
        "grader": grader.__version__,
        "title": spec.title,
        "language": written_in,
        "dialect": spec.program.dialect or machine.dialect_of(spec.program.profiles[0]),
        "start": spec.program.start or "",
        "name": name if "*" not in name else "program" + name.rpartition("*")[2],
        "several": len(spec.program.sources) > 1 or "*" in name,
        "spec": f"{spec.assignment}.yaml",
        "spoken": spec.language,
        "words": {text: spoken.word(text) for text in sorted(texts) if spoken.word(text) != text},
    }


def said_by(script: str) -> list[str]:
    """The texts that a script says, in English."""
    return re.findall(r'\bsay\("([^"]+)"', script)


def _sources(spoken: str) -> Iterator[tuple[str, bytes]]:
    """The grader's own files that the page needs, by their paths in the archive: of the catalogues only those of its language."""
    absent = (*ABSENT, *(f"languages/catalogues/{code}" for code in CODES if code != spoken))
    for path in sorted(_PACKAGE.rglob("*")):
        inside = path.relative_to(_PACKAGE).as_posix()
        if path.suffix in _SOURCES and not any(inside == other or inside.startswith(other + "/") for other in absent):
            yield f"grader/{inside}", path.read_bytes()


def _ready(part: tuple[str, bytes], modules: Mapping[str, bytes]) -> tuple[str, bytes]:
    """A module as it is compiled, where it is; Python takes that without the source."""
    path, _ = part
    return (f"{path}c", modules[path]) if path in modules else part


def _with_modules(library: bytes, modules: Mapping[str, bytes]) -> bytes:
    """Python's own library, with its modules as they are compiled."""
    with zipfile.ZipFile(io.BytesIO(library)) as archive:
        return _zipped([_ready((name, archive.read(name)), modules) for name in archive.namelist()])


def _zipped(parts: list[tuple[str, bytes]]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(parts):
            archive.writestr(zipfile.ZipInfo(name, _DATE), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _filled(page: str, spec: Spec) -> str:
    """The page in the student's language, with the title, and with the digest of its one inline script, the map of modules, in its policy."""
    spoken = language(spec.language)
    page = page.replace("{{tag}}", spoken.tag)
    page = re.sub(r"\{\{_ ([^}]+)\}\}", lambda match: escape(spoken.word(match[1]), quote=True), page)
    page = page.replace("{{title}}", escape(spec.title))
    inline = re.search(r'<script type="importmap">(.*?)</script>', page, re.DOTALL)
    # Browsers run no inline script but the one whose digest the policy of the page names.
    digest = base64.b64encode(hashlib.sha256(inline[1].encode()).digest()).decode() if inline else ""
    return page.replace("{{digest}}", f"sha256-{digest}")

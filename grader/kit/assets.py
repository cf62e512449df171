"""The foreign parts of a kit's page: packages of others, at exact versions, checked by digest.

``assets.json`` names each by its place in the npm registry or on PyPI, with its digest and the files that are taken from it. They
are downloaded once and kept in the user's cache. ``npm_config_registry`` and ``PIP_INDEX_URL`` name mirrors, as for npm and pip.

``compiled.zip`` has their Python modules that a check imports, and those of Python's own library. They are compiled by the very Python
of the page, since a browser would compile them at each visit. ``loops.zip`` has the loops of the machines, compiled for browsers
(``scripts/loops.py``). ``make assets`` makes all three files.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import re
import tarfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urljoin

from grader.build.workshop import kept_folder
from grader.errors import UsageError, refusals
from grader.machines.families import TRAITS
from grader.values import dataclass

NPM = "https://registry.npmjs.org/"
PYPI_FILES = "https://files.pythonhosted.org/"
_LOCK = Path(__file__).with_name("assets.json")
COMPILED = Path(__file__).with_name("compiled.zip")
LOOPS = Path(__file__).with_name("loops.zip")
LOOP_SOURCES = tuple(f"grader/machines/{language}/loop.py" for language in TRAITS)
_TIMEOUT = 120  # seconds without a byte, after which a download is given up
_LICENCE = re.compile(r"(?i)(?:^|/)(?:licen[cs]e|copying)[^/]*$")


@dataclass(frozen=True, slots=True)
class Asset:
    """One package: where it is, its digest, and what is taken from it.

    Exactly one of ``npm`` and ``pypi`` is not empty: the path of the archive there. ``take`` maps a path in the archive to one in
    the kit; paths that end with a slash are folders, and the empty one is all there is.
    """

    name: str
    version: str
    integrity: str
    take: Mapping[str, str]
    npm: str = ""
    pypi: str = ""
    license: str = ""

    @property
    def file(self) -> str:
        """The name of the archive."""
        return (self.npm or self.pypi).rpartition("/")[2]

    def fits(self, data: bytes) -> bool:
        """Whether the digest of ``data`` is the one that is written down."""
        algorithm, _, digest = self.integrity.partition("-")
        return base64.b64encode(hashlib.new(algorithm, data).digest()).decode() == digest

    def files(self, data: bytes) -> Iterator[tuple[str, bytes]]:
        """The files that are taken from the archive, by their paths in the kit."""
        for path, content in _members(self.file, data):
            for inside, target in self.take.items():
                if inside == path:
                    yield target, content
                elif (not inside or inside.endswith("/")) and path.startswith(inside):
                    yield target + path.removeprefix(inside), content

    def licence(self, data: bytes) -> str:
        """The text of the licence that lies in the archive, or the name of the one that is declared."""
        texts = [content for path, content in _members(self.file, data) if _LICENCE.search(path)]
        return texts[0].decode("utf-8", "replace") if texts else f"{self.license}\n"


def assets() -> tuple[Asset, ...]:
    """All packages of the page, in the order of the lock file."""
    return tuple(Asset(**entry) for entry in json.loads(_LOCK.read_text(encoding="utf-8")))


def digests() -> dict[str, str]:
    """The digests of the packages that hold Python modules, by name: what ``compiled.zip`` was made of says the same."""
    return {asset.name: asset.integrity for asset in assets() if asset.pypi or asset.name == "pyodide"}


def compiled() -> dict[str, bytes]:
    """The compiled modules by the paths of their sources."""
    with zipfile.ZipFile(COMPILED) as archive:
        return {name.removesuffix("c"): archive.read(name) for name in archive.namelist() if name.endswith(".pyc")}


def loops() -> dict[str, bytes]:
    """The compiled loops by their paths in a page: Python takes each before its source, which lies beside it."""
    with zipfile.ZipFile(LOOPS) as archive:
        return {in_page(source): archive.read(in_page(source)) for source in LOOP_SOURCES}


def in_page(source: str) -> str:
    """The place of a source's extension: its name says that any Python of the stable ABI takes it."""
    return f"{source.removesuffix('.py')}.abi3.so"


def loop_digests() -> dict[str, str]:
    """The digests of the loops' sources, by their paths: what ``loops.zip`` was made of says the same."""
    home = Path(__file__).parents[2]
    return {source: hashlib.sha256((home / source).read_bytes()).hexdigest() for source in LOOP_SOURCES}


def fetched(asset: Asset) -> bytes:
    """The archive of a package: from the cache, or downloaded and kept there. Raises UsageError where it cannot be had."""
    # By its digest, so that another version of the lock file takes nothing for its own.
    kept = kept_folder("kit") / f"{hashlib.sha256(asset.integrity.encode()).hexdigest()[:16]}-{asset.file}"
    if kept.is_file() and asset.fits(data := kept.read_bytes()):
        return data
    url = _url(asset)
    data = _downloaded(url, asset)
    if not asset.fits(data):
        raise UsageError(f"what was downloaded is not {asset.name} {asset.version}: its digest differs", place=url)
    with refusals("cannot keep it: {}", kept):
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_name(f"{kept.name}.{os.getpid()}")
        part.write_bytes(data)
        part.replace(kept)  # whole or not at all: another kit may be made at the same time
    return data


def _url(asset: Asset) -> str:
    if asset.npm:
        # npm itself takes both spellings.
        named = [os.environ.get(name, "") for name in ("npm_config_registry", "NPM_CONFIG_REGISTRY")]
        registry = next((name for name in named if name), NPM)
        return registry.rstrip("/") + "/" + asset.npm
    index = os.environ.get("PIP_INDEX_URL")
    if not index:
        return PYPI_FILES + asset.pypi
    # A mirror of PyPI has the file where its page of the project links to it.
    page = f"{index.rstrip('/')}/{asset.name}/"
    for link in re.findall(r'href="([^"#]+)', _downloaded(page, asset).decode("utf-8", "replace")):
        if link.rpartition("/")[2] == asset.file:
            return urljoin(page, str(link))
    raise UsageError(f"this index has no {asset.file}", place=page, hint="unset PIP_INDEX_URL to ask PyPI itself")


def _downloaded(url: str, asset: Asset) -> bytes:
    if not url.startswith(("https://", "http://")):
        raise UsageError("packages of the page are downloaded over HTTPS", place=url)
    try:
        with urllib.request.urlopen(url, timeout=_TIMEOUT) as answer:  # noqa: S310 -- the scheme was looked at
            content: bytes = answer.read()
    except (urllib.error.URLError, OSError) as error:
        message = f"cannot download {asset.name} {asset.version}: {getattr(error, 'reason', None) or error}"
        hint = "it is downloaded once and kept; npm_config_registry and PIP_INDEX_URL name mirrors"
        raise UsageError(message, place=url, hint=hint) from error
    return content


def _members(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """The files of a zip or tar archive, by path."""
    if name.endswith((".whl", ".zip")):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.infolist():
                if not entry.is_dir():
                    yield entry.filename, archive.read(entry)
    else:
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            for member in archive:
                file = archive.extractfile(member) if member.isfile() else None
                if file is not None:
                    yield member.name, file.read()

"""Refreshes what the page of a kit is made of besides our own code: `make assets`.

Writes ``grader/kit/assets.json``: the newest version of each package, with its place and its digest, as the npm registry and PyPI
tell them. Python packages are those that go with the Python of that Pyodide. Then writes ``grader/kit/compiled.zip``: what a check
imports of them, compiled by that Python, in Chromium. Compiling them takes a browser longer than all else until it is ready.
With ``--compile`` the versions stay as they are.
"""

from __future__ import annotations

import base64
import json
import re
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from grader.bundled import spec_path  # noqa: E402
from grader.kit import assets  # noqa: E402
from grader.kit.web import write_page  # noqa: E402
from grader.spec.loader import load_assignment  # noqa: E402
from tests.chromium import chromium, served  # noqa: E402

LOCK = ROOT / "grader/kit/assets.json"
PYPI = "https://pypi.org/simple/"
SIMPLE = "application/vnd.pypi.simple.v1+json"


def asked(url: str, accept: str = "application/json") -> Any:
    """The answer of a registry."""
    request = urllib.request.Request(url, headers={"Accept": accept})
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.load(answer)


def newest_of_npm(entry: dict[str, Any]) -> None:
    """Set version, place and digest of a package of npm."""
    told = asked(f"{assets.NPM}{entry['name'].replace('/', '%2F')}/latest")
    entry["version"], entry["integrity"] = told["version"], told["dist"]["integrity"]
    entry["npm"] = told["dist"]["tarball"].removeprefix(assets.NPM)


def newest_of_pypi(entry: dict[str, Any], python: str, abi: str, exactly: str = "") -> None:
    """Set version, place and digest of a package of PyPI: the newest, or a version, in a form that the page can use."""
    files = asked(f"{PYPI}{entry['name']}/", SIMPLE)["files"]
    wheel = entry["pypi"].endswith(".whl")
    fits = re.compile(rf"-(?:py3-none-any|{python}-{python}-{abi})\.whl" if wheel else r"-[0-9.]+\.tar\.gz")
    found = [
        (version, file)
        for file in files
        if fits.search(file["filename"]) and not file.get("yanked")
        if (version := re.search(r"-(\d+(?:\.\d+)+)(?:-|\.tar)", file["filename"]))
        if not exactly or version[1] == exactly
    ]
    version, file = max(found, key=lambda one: [int(part) for part in one[0][1].split(".")])
    before, entry["version"] = entry["version"], version[1]
    digest = base64.b64encode(bytes.fromhex(file["hashes"]["sha256"])).decode()
    entry["pypi"], entry["integrity"] = file["url"].removeprefix(assets.PYPI_FILES), f"sha256-{digest}"
    entry["take"] = {inside.replace(before, version[1]): target for inside, target in entry["take"].items()}


def refresh() -> None:
    """Write the lock anew."""
    entries = json.loads(LOCK.read_text(encoding="utf-8"))
    for entry in entries:
        if "npm" in entry:
            newest_of_npm(entry)
    pyodide = assets.Asset(**entries[0])
    files = dict(pyodide.files(assets.fetched(pyodide)))
    about = json.loads(files["pyodide/pyodide-lock.json"])["info"]
    python = "cp" + "".join(about["python"].split(".")[:2])
    abi = f"pyemscripten_{about['abi_version']}_wasm32"
    core = ""
    for entry in entries:
        if "pypi" in entry:
            newest_of_pypi(entry, python, abi, core if entry["name"] == "pydantic-core" else "")
        if entry["name"] == "pydantic":
            needs = asked(f"https://pypi.org/pypi/pydantic/{entry['version']}/json")["info"]["requires_dist"]
            core = next(need.partition("==")[2] for need in needs if need.startswith("pydantic-core=="))
    LOCK.write_text(json.dumps(entries, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


COMPILE = """
import base64, importlib.util, io, json, marshal, pathlib, pkgutil, sys, zipfile
from grader import machines
from grader.kit.browser import Checker

for module in pkgutil.walk_packages(machines.__path__, "grader.machines."):
    importlib.import_module(module.name)
pathlib.Path("nim.asm").write_text(".ORIG x3000\\nHALT\\n.END\\n")
Checker("/kit/kit/lc3-nim.yaml").check("nim.asm", lambda told: None)  # some import a thing when they do it

found = {}
for module in list(sys.modules.values()):
    spec = getattr(module, "__spec__", None)
    ask = getattr(getattr(spec, "loader", None), "get_source", None)
    if ask is None or str(spec.origin).startswith(("/kit/grader/", "/kit/kit/")):  # ours, which others may change
        continue
    path = spec.name.replace(".", "/") + ("/__init__" if spec.submodule_search_locations is not None else "")
    try:
        source = ask(spec.name)
    except ImportError:
        continue
    if source is not None:
        found[path] = source

packed = io.BytesIO()
with zipfile.ZipFile(packed, "w") as archive:
    for path, source in sorted(found.items()):
        # Bytes 4 to 7 say: never compare it with the source. What stands for the digest of the source is not looked at then.
        head = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)
        code = compile(source, path + ".py", "exec", dont_inherit=True)
        archive.writestr(zipfile.ZipInfo(path + ".pyc"), head + marshal.dumps(code), zipfile.ZIP_DEFLATED, 9)
    archive.writestr(zipfile.ZipInfo("assets.json"), json.dumps(DIGESTS), zipfile.ZIP_DEFLATED, 9)
base64.b64encode(packed.getvalue()).decode()
"""

IN_PAGE = """(async () => {
  const { loadPyodide } = await import("/libraries/pyodide/pyodide.mjs");
  const python = await loadPyodide({ indexURL: location.origin + "/libraries/pyodide/" });
  python.unpackArchive(await (await fetch("/grader.zip")).arrayBuffer(), "zip", { extractDir: "/kit" });
  python.runPython("import sys; sys.path.insert(0, '/kit')");
  return python.runPython(%s);
})()"""


def compiled() -> bytes:
    """The modules of others that a check imports, compiled by the Python of the page: an archive, each time the same."""
    with tempfile.TemporaryDirectory() as made:
        home = Path(made)
        write_page(load_assignment(spec_path("lc3-nim")), home / "page", compiled=False)
        (home / "page/blank.html").write_text("<!doctype html>", encoding="utf-8")
        script = COMPILE.replace("DIGESTS", repr(assets.digests()))
        with served(home / "page") as address, chromium(home) as browser:
            page = browser.tab()
            page.open(f"{address}blank.html")
            return base64.b64decode(page.run(IN_PAGE % json.dumps(script)))


if __name__ == "__main__":
    if "--compile" not in sys.argv[1:]:
        refresh()
    assets.COMPILED.write_bytes(compiled())
    print(f"written: {LOCK.relative_to(ROOT)}, {assets.COMPILED.relative_to(ROOT)}; `git diff` shows the versions")

"""The statements of pages on commands and on the code still hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from grader.cli.main import cli
from tests.documentation.console import ROOT

PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
CALL = re.compile(r"(?:^|[`$(]|bin/|-m |    )grader ([a-z][a-z0-9]*\b[^`|\n>]*)", re.MULTILINE)
OPTION = re.compile(r"(?<![\w-])--?[a-zA-Z][a-z0-9-]*")
CODE = re.compile(r"(?ms)^```.*?^```|`[^`\n]+`|^    \S.*?$")
PATH = re.compile(r"`((?:[a-z_]+/)+[a-z_0-9.]*|[a-z_]+\.(?:py|json|toml))`")
DOTTED = re.compile(r"`([a-z_]+(?:\.[a-z_]+)+)`")
ARGUMENT = re.compile(r"--argument \S+")  # what a program is started with may look like an option of ours
FOREIGN = {"os.chdir", "pexpect.spawn"}


def _calls(page: Path) -> Iterator[tuple[str, str]]:
    """Commands of `grader` in the code of a page: name, and what stands behind it."""
    for code in CODE.findall(page.read_text(encoding="utf-8")):
        for call in CALL.findall(code):
            name, _, rest = call.partition(" ")
            rest = rest.partition("   ")[0]  # an explanation may stand behind it, after a gap
            yield name, ARGUMENT.sub("", rest)


def test_every_command_exists_with_its_options() -> None:
    """Wherever it stands, in a table or a sentence: no page names a command or an option that is not there any more."""
    wrong = []
    for where, name, rest in ((page.name, *call) for page in PAGES for call in _calls(page)):
        command = cli.get_command(click.Context(cli), name)
        if command is None:
            wrong.append(f"{where}: grader {name}")
            continue
        known = {option for one in command.params for option in (*one.opts, *one.secondary_opts)} | {"--help", "-h"}
        wrong += [f"{where}: grader {name} {option}" for option in OPTION.findall(rest) if option not in known]
    assert wrong == []


def test_the_map_of_the_code_names_what_is_there() -> None:
    """Each path and each dotted name in the map and in the small decisions is a file, a folder, a module, or a name in one."""
    pages = ("ARCHITECTURE.md", "adr/smaller.md")
    text = "".join((ROOT / "docs" / page).read_text(encoding="utf-8") for page in pages)
    paths = set(PATH.findall(text))
    lost = [
        path for path in paths if not any(next(ROOT.glob(f"{top}{path}"), None) for top in ("", "grader/", "grader/*/"))
    ]
    lost += [name for name in set(DOTTED.findall(text)) - paths - FOREIGN if not _is_known(name)]
    assert sorted(lost) == []


def _is_known(name: str) -> bool:
    """Whether a dotted name is a module of the package, or something in one."""
    path, *said = ROOT / "grader", *name.split(".")
    while said and ((path / said[0]).is_dir() or (path / f"{said[0]}.py").is_file()):
        path /= said.pop(0)
    files = path.rglob("*.py") if path.is_dir() else [path.with_suffix(".py")]
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    return path != ROOT / "grader" and all(re.search(rf"\b{word}\b", text) for word in said)


def test_every_link_of_a_page_leads_somewhere() -> None:
    """The target is a file of the repository, unless it is a page of the web."""
    lost = [
        f"{page.name}: {target}"
        for page in PAGES
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert lost == []

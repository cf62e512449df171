"""The page in Chromium: the grader in a browser says what the command line says.

Chromium is installed as the compilers are; without it these tests fail. A whole run has a few fixtures, ``--spare`` the others.
"""

from __future__ import annotations

import base64
import json
import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from grader.bundled import spec_path
from grader.cli.submissions import tried
from grader.kit.assets import COMPILED
from grader.kit.web import write_page
from grader.report import record
from grader.results import for_student
from grader.spec.loader import load_assignment
from scripts.assets import IN_PAGE, compiled
from tests.axe import troubles
from tests.chromium import Browser, Page, served

pytestmark = pytest.mark.xdist_group("chromium")

FIXTURES = Path(__file__).parents[2] / "fixtures"
ASSIGNMENTS = ("lc3-nim", "mips-connect4")
USUAL = {"lc3-nim/compile-error/label-is-not-defined", "lc3-nim/runtime-error/return-address-was-never-stored"}
"""Pages that a whole run compares: each page takes as long as twenty other tests to be there, so that those of another assignment are spare."""


def _sources(fixture: Path) -> list[Path]:
    found = (fixture / "submission").rglob("*") if (fixture / "submission").is_dir() else [fixture / "submission"]
    return sorted(path for path in found if path.suffix.casefold() in (".asm", ".s") and path.is_file())


def _cases() -> Iterator[Any]:
    """All fixtures that a page can be given: programs in one file, or in several of one folder."""
    for assignment in ASSIGNMENTS:
        for fixture in sorted((FIXTURES / assignment).glob("*/*")):
            sources = _sources(fixture)
            one = len(sources) == 1 or (assignment == "mips-connect4" and len({path.parent for path in sources}) == 1)
            name = fixture.relative_to(FIXTURES).as_posix()
            if one:
                yield pytest.param(assignment, sources, id=name, marks=() if name in USUAL else pytest.mark.spare)


@pytest.fixture(scope="module")
def opened(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Page]]:
    """``opened(assignment)`` is its page, loaded and in front."""
    folder = tmp_path_factory.mktemp("pages")
    pages: dict[str, Page] = {}
    with served(folder) as address:

        def open_(assignment: str) -> Page:
            if assignment not in pages:
                write_page(load_assignment(spec_path(assignment)), folder / assignment)
                page = pages[assignment] = browser.tab()
                page.open(f"{address}{assignment}/index.html")
                page.wait("['ready', 'failed'].includes(document.documentElement?.dataset.stage)")
                assert page.run("document.getElementById('status').textContent") == "Ready."
            pages[assignment].look(1280, 900)
            pages[assignment].show()
            return pages[assignment]

        yield open_
        assert [page.complaints for page in pages.values() if page.complaints] == []


def _give(page: Page, sources: list[Path]) -> None:
    files = ", ".join(
        f"new File([Uint8Array.from(atob('{base64.b64encode(path.read_bytes()).decode()}'), c => c.charCodeAt(0))], {json.dumps(path.name)})"
        for path in sources
    )
    page.run(f"kit.fresh(), kit.open([{files}])")


def _text(page: Page, id: str) -> str:
    text: str = page.run(f"document.getElementById('{id}').innerText")
    return text


@pytest.mark.parametrize(("assignment", "sources"), [*_cases()])
def test_the_page_says_what_the_command_line_says(
    assignment: str, sources: list[Path], opened: Callable[[str], Page], tmp_path: Path
) -> None:
    """Points, verdicts, findings, dialogues and what the assembler says; only names of files in commands differ."""
    page = opened(assignment)
    _give(page, sources)
    page.run("kit.check()")
    found = json.loads(page.run("kit.record()"))
    program = sources[0]
    if len(sources) > 1:
        program = tmp_path / "submission"
        program.mkdir()
        for source in sources:
            (program / source.name).write_bytes(source.read_bytes())
    expected = json.loads(record.dump(for_student(tried(load_assignment(spec_path(assignment)), program))))
    for said in (found, expected):
        del said["provenance"]
        for case in said["cases"]:
            del case["again"]
    assert found == expected
    assert f"{found['score']}" in _text(page, "status")


def test_errors_stand_at_their_lines(opened: Callable[[str], Page]) -> None:
    """In a list whose places lead into the editor, and in the editor itself, as soon as the program is there."""
    page = opened("lc3-nim")
    _give(page, _sources(FIXTURES / "lc3-nim/compile-error/label-is-not-defined"))
    assert "does not assemble: one error" in _text(page, "assembled")
    place = _text(page, "messages").split()[:2]
    page.run("document.querySelector('#messages .place').click()")
    active = page.run("document.querySelector('.cm-activeLine').textContent")
    source = _sources(FIXTURES / "lc3-nim/compile-error/label-is-not-defined")[0].read_text(encoding="utf-8")
    assert place[0] == "line"
    assert active == source.splitlines()[int(place[1]) - 1]
    page.wait("document.querySelectorAll('.cm-lintRange-error').length === 1")


def test_what_is_typed_is_assembled_and_kept(opened: Callable[[str], Page]) -> None:
    """Without a button; and it is still there when the page is loaded again."""
    page = opened("lc3-nim")
    page.run("kit.fresh(); document.querySelector('.cm-content').focus()")
    page.type(".ORIG x3000\nHALT\n.END\n")
    page.wait("document.getElementById('assembled').textContent.includes('assembles without messages')")
    assert "HALT" in page.run("localStorage.getItem('grader-kit:lc3-nim')")


def test_a_program_is_played_by_keys(opened: Callable[[str], Page]) -> None:
    """Each key goes to the program at once, also when it is typed ahead; the program shows it."""
    page = opened("lc3-nim")
    _give(page, _sources(FIXTURES / "lc3-nim/accepted/board-as-strings"))
    page.run("document.getElementById('play').click()")
    page.wait("document.getElementById('play-status').textContent.includes('waits for a key')")
    page.type("B2A1")
    page.wait("kitTerminal.text.includes('ROW A: oo\\n')")
    assert "rocks: B2" in page.run("kitTerminal.text")


def test_the_terminal_stays_as_high_as_it_is(opened: Callable[[str], Page]) -> None:
    """It takes the width of the page, wide or narrow, and no more rows than it began with."""
    page = opened("lc3-nim")
    _give(page, _sources(FIXTURES / "lc3-nim/accepted/board-as-strings"))
    page.run("document.getElementById('play').click()")
    page.wait("document.getElementById('play-status').textContent.includes('waits for a key')")
    sizes = []
    for width in (1280, 390, 1280):
        page.look(width, 900)
        page.run("new Promise((done) => setTimeout(done, 200))")  # many frames: in each it might grow
        sizes.append(page.run(_SIZE))
    assert sizes[0] == sizes[2]
    assert sizes[0][1] == sizes[1][1]
    assert sizes[0][0] > sizes[1][0] > 0


_SIZE = "(({ offsetWidth, offsetHeight }) => [offsetWidth, offsetHeight])(document.querySelector('.xterm-screen'))"


@pytest.mark.spare
def test_a_program_is_played_by_lines(opened: Callable[[str], Page]) -> None:
    """A line goes to the program with Enter, and the terminal shows it."""
    page = opened("mips-connect4")
    _give(page, _sources(FIXTURES / "mips-connect4/wrong-answer/no-undo"))
    page.run("document.getElementById('play').click()")
    page.wait("document.getElementById('play-status').textContent.includes('waits for a line')")
    page.type("3\n")
    page.wait("kitTerminal.text.includes(': 3\\nPlease type 1 or 2.')")


def test_a_case_that_failed_is_played_by_a_button(opened: Callable[[str], Page]) -> None:
    """Beside its command in the report: what led there is typed, and the program waits for more."""
    page = opened("lc3-nim")
    _give(page, _sources(FIXTURES / "lc3-nim/wrong-answer/another-game-begins-after-the-banner"))
    page.run("kit.check()")
    page.wait("!!document.getElementById('report').contentDocument?.querySelector('dd button')")
    page.run("document.getElementById('report').contentDocument.querySelector('dd button').click()")
    page.wait("!!window.kitTerminal?.text.includes('Player 1 Wins.')")
    for width in (390, 1280):
        page.look(width, 900)
        assert page.run("document.documentElement.scrollWidth <= innerWidth")
        assert troubles(page) == []  # with the report and the terminal on it


@pytest.mark.spare
def test_what_takes_too_long_is_stopped(opened: Callable[[str], Page]) -> None:
    """At once, whatever the program does; what was found by then stays, and the page loads the checker anew."""
    page = opened("lc3-nim")
    # The one that is judged longest, which still takes only seconds: others have come to their end before anybody can
    # stop them.
    _give(page, _sources(FIXTURES / "lc3-nim/wrong-answer/own-words-and-the-winner-took-the-last"))
    page.run("document.getElementById('check').click()")
    page.wait("document.getElementById('done').value > 0")
    page.run("document.getElementById('cancel').click()")
    assert _text(page, "status").startswith("Stopped")
    page.wait("document.getElementById('going').hidden")
    assert _text(page, "done-label").startswith("Stopped after ")
    page.wait("document.documentElement.dataset.stage === 'ready'")


@pytest.mark.spare
def test_what_is_compiled_is_what_the_sources_say() -> None:
    """Nobody can read the compiled modules in the repository: so the Python of the page compiles them again, to the same bytes."""
    with zipfile.ZipFile(COMPILED) as kept, zipfile.ZipFile(BytesIO(compiled())) as made:
        assert set(kept.namelist()) <= set(made.namelist())
        assert [name for name in kept.namelist() if kept.read(name) != made.read(name)] == []


@pytest.mark.spare
@pytest.mark.parametrize("language", ["lc3", "mips"])
def test_the_loops_run_compiled(language: str, browser: Browser, tmp_path: Path) -> None:
    """The Python of the page takes the extension, and not the source beside it."""
    write_page(load_assignment(spec_path("lc3-nim")), tmp_path)
    (tmp_path / "blank.html").write_text("<!doctype html>", encoding="utf-8")
    with served(tmp_path) as address:
        page = browser.tab()
        page.open(f"{address}blank.html")
        assert page.run(IN_PAGE % json.dumps(f"from grader.machines.{language} import loop; loop.COMPILED")) is True


def test_the_page_talks_to_nobody_else(opened: Callable[[str], Page]) -> None:
    """Its policy refuses it: what a student types cannot leave the page."""
    page = opened("lc3-nim")
    sent = "fetch('https://example.org/', {method: 'POST', body: 'x'}).then(() => 'sent', () => 'refused')"
    assert page.run(sent) == "refused"
    assert [told for told in page.complaints if "Content Security Policy" in told]
    page.complaints.clear()


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("dark", [False, True])
def test_the_page_fits_and_can_be_read(width: int, dark: bool, opened: Callable[[str], Page]) -> None:
    """On a telephone and a screen, light and dark: nothing sticks out, and axe finds nothing."""
    page = opened("lc3-nim")
    _give(page, _sources(FIXTURES / "lc3-nim/compile-error/label-is-not-defined"))
    page.look(width, 900, dark=dark)
    assert page.run("document.documentElement.scrollWidth <= innerWidth")
    assert troubles(page) == []


def test_the_page_is_used_by_keyboard(opened: Callable[[str], Page]) -> None:
    """Tab leads to each control in turn, into the editor and out of it; each has a name, and it is seen where one is."""
    page = opened("lc3-nim")
    _give(page, _sources(FIXTURES / "lc3-nim/compile-error/label-is-not-defined"))
    page.look(1280, 900)
    page.run("document.querySelector('h1').tabIndex = -1; document.querySelector('h1').focus()")  # Tab goes on there
    names = []
    for _ in range(7):
        page.press("Tab")
        names.append(page.run(f"{_FOCUSED}[0]"))
        page.wait(f"{_FOCUSED}[1]", 10)  # the editor shows that it is used a moment later
    assert names[:6] == ["Open a file…", "Check", "Play", "Save", "nim.asm", "Your program"]
    assert names[6].startswith("line ")


_FOCUSED = """(() => {
  const at = document.activeElement;
  const marked = [at, at.labels?.[0], at.closest(".cm-editor")].filter(Boolean);
  const name = at.ariaLabel || at.labels?.[0]?.textContent || at.textContent;
  return [name, marked.some((one) => getComputedStyle(one).outlineStyle !== "none")];
})()"""

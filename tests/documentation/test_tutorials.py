"""The tutorials work as they stand: each command is typed, in the order of the page, in an empty folder."""

from __future__ import annotations

from tests.documentation.console import ROOT, blocks

FAMILY = ROOT / "grader" / "games" / "families" / "tictactoe"


def test_a_course_builds_an_assignment_from_nothing(followed):
    """From a pasted sample run to the grades of a class."""
    followed("docs/tutorial-course.md")


def test_a_referee_is_written_as_its_page_says(followed):
    """The blocks of the page are a whole assignment, and its mistakes cost what the page says."""
    followed("docs/referees.md")


def test_a_program_with_a_game_of_your_own_is_graded(followed):
    """In the words of its student, by the blocks of the page."""
    followed("docs/tutorial-game.md")


def test_what_the_page_shows_of_the_family_is_its_source():
    """Each block without a name is part of one of its four files, which have 600 lines at most."""
    page = (ROOT / "docs" / "new-game.md").read_text(encoding="utf-8")
    sources = {path.name: path.read_text(encoding="utf-8") for path in FAMILY.glob("*.py")}
    shown = ["\n".join(block.lines) for block in blocks(page) if block.words == ("text",)]
    assert [text for text in shown if not any(text in source for source in sources.values())] == []
    assert all(f"`{name}`" in page for name in sources)
    assert len(sources) == 4
    assert sum(len(source.splitlines()) for source in sources.values()) <= 600

"""The ratchet of plain English: no folder has more hard sentences than it had, and no new file has any.

``scripts/plain_english.py`` says what a hit is, and ``make words`` where they are.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def _script():  # type: ignore[no-untyped-def]
    spec = importlib.util.spec_from_file_location("plain_english", ROOT / "scripts" / "plain_english.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


english = _script()
LONG = "The program takes " + "one stone and " * 9 + "ends."
"""31 words."""


def test_no_folder_has_more_hard_sentences_than_it_may_and_no_new_file_has_one() -> None:
    """`make words` names each with its place, and lowers the numbers."""
    over = english.Counts.read().over(english.every(english.hits_in, english.files()))
    assert not over, "\n".join(["see scripts/plain_english.py", *over])


@pytest.mark.parametrize(
    ("name", "text", "hits"),
    [
        ("a.md", "There is none of these here.\n\nThe rest, of which we know, is here, too.\n", [(1, "“is none”"), (3, "“of which”"), (3, "“too”")]),
        ("a.md", "It is fine. The others are none\nof ours, all the same.", [(1, "“are none”"), (1, "“all the same”")]),
        ("a.md", "```\nThere is none of these here.\n```\nIt says `is none` and no more of it.", []),
        ("a.md", "| a table that has words | there is none of these |\n", [(1, "“is none”")]),
        ("a.md", f"{LONG}\n", [(1, "31 words")]),
        ("a.md", f"{LONG.removeprefix('The ')}\n", []),
        ("a.md", f"- a list of the things\n- {LONG[:60]}\n- {LONG[60:]}\n", []),
        ("a.py", '"""A module by which we know it."""\n\nx = 1  # but for this, of the two\n', [(1, "“by which”"), (3, "“but for”")]),
        ("a.py", 'X = (\n    "the program is none "\n    f"of the {1} others, besides"\n)\n', [(2, "“is none”"), (2, "“besides”")]),
        ("a.py", f"# {LONG[:46]}\n# {LONG[46:]}\n", [(1, "31 words")]),
        ("a.py", f"x = 1  # {LONG[:60]}\ny = 2  # {LONG[60:]}\n", []),
        ("a.py", 'X = "#"\nY = "# is none"\n', []),
        ("a.py", "X = '" + "LD R0 ADD R1 BR JSR RET " * 8 + "'\n", []),
        ("a.py", f'"""A form of it.\n\n    {LONG[:46]}\n    {LONG[46:]}\n\nAnd more of it.\n"""\n', []),
        ("a.c", "/* The one of which\n   we know. */\nint x; // it is none of ours\n", [(1, "“of which”"), (3, "“is none”")]),
        ("a.js", 'say("there is none of these")  // "', [(1, "“is none”")]),
        ("a.yaml", "a: [1]  # the one by which it is\nhint: >\n  All of the\n  same is none.\n", [(1, "“by which”"), (2, "“is none”")]),
        ("a.html", "<p>The <b>one</b> of\nwhich it is {{ all }}</p>\n<p>But for the one.</p>", [(1, "“of which”"), (3, "“But for”")]),
    ],
)  # fmt: skip
def test_a_hit_has_its_line(name: str, text: str, hits: list[tuple[int, str]]) -> None:
    """In text, tables, comments, docstrings and messages; not in code, nor in a list of words that is no sentence."""
    assert [(hit.line, hit.what) for hit in english.hits_in(name, text)] == hits


def _hits(path: str, number: int) -> list[object]:
    return [english.Hit(path, line + 1, "31 words", "") for line in range(number)]


def test_text_moves_within_a_folder_and_a_new_file_has_none() -> None:
    """What counts is the sum over a top folder; of a file that is not listed each hit counts."""
    counts = english.Counts({"docs": 2}, frozenset(("docs/a.md", "docs/b.md", "grader/batch/a/b.py")))
    assert counts.over([*_hits("docs/a.md", 1), *_hits("docs/b.md", 1)]) == []
    assert counts.over(_hits("docs/b.md", 3))[-1] == "docs has 3 hits and may have 2: mend 1"
    assert counts.over(_hits("grader/batch/a/b.py", 1))[-1] == "grader/batch has 1 hits and may have 0: mend 1"
    assert [line.endswith("(a new file has none)") for line in counts.over(_hits("docs/new.md", 1))] == [True]


def test_the_list_is_written_downward_alone() -> None:
    """A folder that has more keeps its number; files that are gone leave the list, and none is added."""
    counts = english.Counts({"docs": 2, "tests": 1}, frozenset(("docs/a.md", "tests/b.py")))
    lowered = counts.lowered([*_hits("docs/a.md", 3)], ["docs/a.md", "docs/new.md"])
    assert (lowered.folders, lowered.known) == ({"docs": 2}, frozenset(("docs/a.md",)))


def test_sentences_that_begin_with_a_pointing_word_are_a_list_to_review() -> None:
    """A question is no such sentence."""
    text = "What it says is not what is meant. Of the two one is left. What is it that it says? It says all of it."
    assert [hit.sentence[:7] for hit in english.openings_in("a.md", text)] == ["What it", "Of the "]

"""Plain English: no file has a hard sentence, unless a short list says why.

``scripts/plain_english.py`` says what a hit is, and ``make words`` where they are.
"""

from __future__ import annotations

import pytest

from tests.loaded import ROOT, module_of

english = module_of(ROOT / "scripts/plain_english.py")
LONG = "The program takes " + "one stone and " * 9 + "ends."
"""31 words."""


def test_no_sentence_is_hard_without_a_reason() -> None:
    """`make words` names each with its place."""
    errors = english.errors(english.every(english.hits_in, english.files()), english.allowed())
    assert not errors, "\n".join(["see scripts/plain_english.py", *errors])


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


HIT = english.Hit("docs/a.md", 3, "“is none”", "There is none of these here.")


@pytest.mark.parametrize(
    ("exceptions", "errors"),
    [
        ([], ["docs/a.md:3: “is none”: There is none of these here."]),
        ([("docs/a.md", "is none of these", "a quotation")], []),
        ([("docs/b.md", "is none of these", "a quotation")], [str(HIT), "plain_english.yaml: no hit any more: is none of these"]),
        ([("docs/a.md", "is none of these", "")], ["plain_english.yaml: no reason: is none of these"]),
        ([("docs/a.md", "is none", "a quotation")] * 20, []),
        ([("docs/a.md", "is none", "a quotation")] * 21, ["plain_english.yaml: 21 exceptions, and 20 are the most"]),
    ],
)  # fmt: skip
def test_an_exception_names_a_hit_and_its_reason(exceptions: list[tuple[str, str, str]], errors: list[str]) -> None:
    """In the file of the hit, by a part of its sentence; there are at most 20."""
    assert english.errors([HIT], [english.Allowed(*one) for one in exceptions]) == errors


def test_sentences_that_begin_with_a_pointing_word_are_a_list_to_review() -> None:
    """A question is no such sentence."""
    text = "What it says is not what is meant. Of the two one is left. What is it that it says? It says all of it."
    assert [hit.sentence[:7] for hit in english.openings_in("a.md", text)] == ["What it", "Of the "]

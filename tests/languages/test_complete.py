"""Every text that a student reads is in every catalogue.

The messages of these tests say what to add, with file and line. A sentence of ours goes into ``grader/languages/catalogues/*/messages.po``, with its
places named (``docs/languages.md``); a fixed word of a report into ``words.po``; what no student reads into ``not-for-students.txt``.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import Environment
from jinja2.ext import extract_from_ast

from grader.kit.web import said_by
from grader.languages import CODES, language
from grader.languages.language import Entry, entries
from grader.report.page import student_page
from grader.report.translation import translated
from grader.report.words import OPEN_PHRASES, OUR_FAULT, PHRASES
from grader.results import Grade
from grader.spec.kinds import KINDS
from grader.spec.languages import SPOKEN
from grader.spec.model import SlipKind
from tests.languages.__main__ import sentences, texts_of_courses
from tests.languages.sources import NOT_FOR_STUDENTS, ROOT, templates
from tests.report.sample_grades import SAMPLES

OTHERS = [code for code in CODES if code != "en"]
CATALOGUES = ROOT / "grader" / "languages" / "catalogues"
TEMPLATES = ROOT / "grader" / "report" / "templates"
PAGES = ("student.html", "parts.html", "layout.html")
STAFF = "for staff: hidden cases are shown in full; For a person to look at; points: remarks: wording"
"""The templates that are for staff alone."""
ENGLISH_WORD = re.compile(r"(?<![-\w/])(the|is|are|and|of|which|after|with|from)(?![-\w/])")
PLACE = re.compile(r"\{(\w+)\}")


def catalogue(code: str, domain: str) -> dict[str, Entry]:
    """One catalogue, by its English."""
    text = (CATALOGUES / code / f"{domain}.po").read_text(encoding="utf-8")
    return {entry.english: entry for entry in entries(text) if entry.english}


@pytest.mark.parametrize("code", OTHERS)
def test_every_sentence_in_our_sources_can_be_said(code: str) -> None:
    """All literals and f-strings that read like a sentence, in all their readings."""
    words = language(code)
    lacking = {
        f"{one.place}: {one.sample!r} of {one.written}"
        for one in templates()
        if one.sample.strip() not in NOT_FOR_STUDENTS and not words.knows(one.sample)
    }
    assert not lacking, f"not in {code}/messages.po (7 stands for each place):\n" + "\n".join(sorted(lacking))


@pytest.mark.parametrize("code", OTHERS)
def test_every_sentence_that_was_said_can_be_said(code: str) -> None:
    """The sentences that the grader said to hundreds of programs of all bundled assignments, as they were put together."""
    words = language(code)
    lacking = [one for one in sentences() if not words.knows(one)]
    assert not lacking, f"not in {code}/messages.po:\n" + "\n".join(lacking)


@pytest.mark.parametrize("code", OTHERS)
def test_no_part_of_a_sentence_is_left_in_english(code: str) -> None:
    """What stands in a place is a name or a quote: common words of English that are in no quote would be ours."""
    words = language(code)
    said = [
        re.sub("“[^”“]*[”“]|„[^“]*“|“.*”|[:：] ?count.*", "", words.say(one))
        for one in sentences()
        if "Exception" not in one
    ]
    assert [one for one in said if ENGLISH_WORD.search(one)] == []


@pytest.mark.parametrize("code", OTHERS)
def test_what_a_course_wrote_is_no_sentence_of_ours(code: str) -> None:
    """Hints of the bundled specs are also English, but stay as they are; titles and questions are never looked up."""
    words = language(code)
    assert [one for one in texts_of_courses() if one.endswith(".") and words.say(one) != one] == []


def test_all_languages_have_the_same_entries() -> None:
    """An entry that one language has and another lacks would be English there."""
    for domain in ("words", "messages"):
        known = {code: {(e.english, e.plural) for e in catalogue(code, domain).values()} for code in OTHERS}
        assert all(one == known["de"] for one in known.values()), domain
    assert {path.name for path in CATALOGUES.iterdir() if path.is_dir()} == set(OTHERS)
    assert set(SPOKEN) == set(CODES)


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("domain", ["words", "messages"])
def test_a_translation_has_the_places_of_its_english(code: str, domain: str) -> None:
    """Each, and no other; and no translation is empty."""
    for entry in catalogue(code, domain).values():
        for form in entry.forms:
            assert form.strip(), entry.english
            assert set(PLACE.findall(form)) == set(PLACE.findall(entry.english)), entry.english


def _called(path: Path) -> Iterator[str]:
    """The texts that a module asks a language for: ``word("…")``, ``words("…", "…")``, ``_("…")``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in ("word", "words", "_"):
                texts = (one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str))
                yield next(texts, "")


def fixed() -> set[str]:
    """Every fixed text of a report or a kit."""
    found = {*PHRASES.values(), *OPEN_PHRASES.values(), OUR_FAULT, *map(str, SlipKind), *set(KINDS) - {"play"}}
    for folder in ("cli", "report", "kit", "languages"):
        for path in (ROOT / "grader" / folder).glob("*.py"):
            found.update(_called(path))
    environment = Environment()
    for name in PAGES:
        tree = environment.parse((TEMPLATES / name).read_text(encoding="utf-8"))
        for _, function, text in extract_from_ast(tree, ("_", "ngettext")):
            found.add(text[0] if function == "ngettext" else text)
    static = ROOT / "grader" / "kit" / "static"
    for path in static.glob("*.js"):
        found.update(said_by(path.read_text(encoding="utf-8")))
    found.update(re.findall(r"\{\{_ ([^}]+)\}\}", (static / "index.html").read_text(encoding="utf-8")))
    return {text for text in found if text}


@pytest.mark.parametrize("code", OTHERS)
def test_every_fixed_text_is_translated(code: str) -> None:
    """Headings, buttons and words of reports and kits, by the catalogue ``words.po``."""
    known = set(catalogue(code, "words"))
    lacking = {text for text in fixed() - known if isinstance(text, str) and not text.startswith("{first}{sign")}
    assert not lacking, f"not in {code}/words.po:\n" + "\n".join(sorted(lacking))


@pytest.mark.parametrize("name", PAGES)
def test_a_template_has_no_words_but_those_that_it_looks_up(name: str) -> None:
    """A sentence in the page itself would be English in every language."""
    text = (TEMPLATES / name).read_text(encoding="utf-8")
    text = re.sub(r"(?s)macro tone.*?endmacro", "", text)  # it writes the name of a class
    bare = re.sub(r"(?s)<[^<>]*>", "\n", re.sub(r"(?s)\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", "", text))
    assert set(re.findall(r"[A-Za-z]{3,}", bare)) <= set(re.findall("[A-Za-z]+", STAFF))


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("name", SAMPLES)
def test_no_english_is_left_on_a_page(code: str, name: str) -> None:
    """Of the fixed texts none stands on a student's page in another language, unless it is the same there."""
    page = student_page(_in(SAMPLES[name](), code), audience="student")
    assert f'<html lang="{language(code).tag}">' in page
    shown = re.sub(r"(?s)<style>.*?</style>|<pre.*?</pre>|<bdi>.*?</bdi>|<code>.*?</code>|<[^>]*>", "\n", page)
    lines = {line.strip() for line in shown.splitlines()}
    words = catalogue(code, "words")
    assert not {text for text in words if text in lines and words[text].forms[0] != text}


def _in(grade: Grade, code: str) -> Grade:
    from dataclasses import replace

    return replace(grade, language=code)


def test_a_translated_grade_differs_in_nothing_but_words() -> None:
    """Verdicts, points and what programs printed are those of the projection."""
    grade = SAMPLES["wrong-answer"]()
    german, english = (translated(grade, language(code)) for code in ("de", "en"))
    assert german.score == english.score
    assert [case.verdict for case in german.cases] == [case.verdict for case in english.cases]
    assert [case.turns for case in german.cases] == [case.turns for case in english.cases]
    assert [case.title for case in german.cases] == [case.title for case in english.cases]

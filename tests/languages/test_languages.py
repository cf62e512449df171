"""One language: words, plurals, numbers, lists, and sentences of ours that are recognised whatever stands in their places."""

import time

import pytest

from grader.languages import CODES, ENGLISH, Language, language
from grader.languages.language import entries
from grader.languages.templates import Template

HEAD = 'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
GERMAN = language("de")


def made(messages: str) -> Language:
    """A language with these messages alone, each ``English -> other``."""
    pairs = [line.split(" -> ") for line in messages.strip().splitlines()]
    return Language("xx", HEAD, "".join(f'msgid "{english}"\nmsgstr "{other}"\n\n' for english, other in pairs))


def test_english_says_what_is_written() -> None:
    """Nothing is changed in English, and an unknown code is English."""
    assert ENGLISH.say("B2 is refused") == "B2 is refused"
    assert ENGLISH.word("of {most}", most="7") == "of 7"
    assert language("en") is language("tlh") is ENGLISH


def test_what_stands_in_a_place_is_kept() -> None:
    """A student's text stays as it is, even where it is a sentence of ours itself."""
    words = made("{name} is missing -> es fehlt {name}\naccepted -> bestanden")
    assert words.say("nim.asm is missing") == "es fehlt nim.asm"
    assert words.say("accepted is missing") == "es fehlt accepted"


def test_words_of_ours_in_a_place_are_translated() -> None:
    """A place called ``our_`` holds a sentence of ours, and a template with one that is not known does not match."""
    words = made("{our_said}, after {typed} -> {our_said}, nach {typed}\nit ends -> es endet")
    assert words.say("it ends, after B2, A1") == "es endet, nach B2, A1"
    assert words.say("it jumps, after B2") == "it jumps, after B2"


def test_what_is_put_behind_a_sentence_is_no_part_of_its_last_place() -> None:
    """A sentence may end with a place, and have the inputs that led there behind it."""
    words = made(
        "{our_whole}, after {typed} -> {our_whole}, nach {typed}\nthe computer takes {move} -> der Computer nimmt {move}"
    )
    assert words.say("the computer takes c1, after a2, A2") == "der Computer nimmt c1, nach a2, A2"


def test_a_list_of_ours_is_translated_one_by_one() -> None:
    """Also where a sign of lists stands within one of its parts."""
    words = made(
        "few {ours_what} -> wenig {ours_what}\n{told_x} (none; at least {number} needed) -> {told_x} (keine, {number} nötig)\nmoves -> Züge"
    )
    said = words.say("few moves (none; at least 3 needed) and moves (none; at least 5 needed)")
    assert said == "wenig Züge (keine, 3 nötig) and Züge (keine, 5 nötig)"


def test_words_of_a_referee_are_kept_where_nobody_knows_them() -> None:
    """A course's own referee may speak its own language."""
    words = made("{told_who} wins -> {told_who} gewinnt\nthe user -> der Benutzer")
    assert words.say("the user wins") == "der Benutzer gewinnt"
    assert words.say("el jugador wins") == "el jugador gewinnt"


def test_the_most_fixed_text_is_meant() -> None:
    """If several templates match, the one that says most."""
    words = made("{x} is missing -> {x} fehlt\nthe line {x} is missing -> die Zeile {x} fehlt")
    assert words.say("the line “a” is missing") == "die Zeile “a” fehlt"


def test_numbers_and_quotes_are_written_as_the_language_does() -> None:
    """German has a point where English has a comma, and other quotation marks."""
    assert GERMAN.number("1,234.5") == "1.234,5"
    assert language("zh").number("1,234.5") == "1,234.5"
    assert GERMAN.say("it used more than 1,024 MiB of memory") == "es benutzte mehr als 1.024 MiB Speicher"
    assert GERMAN.say("“a” is missing") == "„a“ fehlt"


def test_plurals() -> None:
    """One and many where a language tells them apart, also of numbers that are not whole."""
    one, many = "{number} case", "{number} cases"
    assert [GERMAN.words(one, many, n) for n in (0, 1, 2)] == ["0 Testfälle", "1 Testfall", "2 Testfälle"]
    assert language("vi").words(one, many, 2) == "2 ca kiểm thử"
    assert (
        GERMAN.words("{score} of {number} point", "{score} of {number} points", "1.5", score="0") == "0 von 1,5 Punkten"
    )


def test_lists() -> None:
    """With commas, and a word before the last."""
    assert GERMAN.listed(["a", "b", "c"]) == "a, b und c"
    assert language("zh").listed(["a", "b", "c"]) == "a、b和c"
    assert GERMAN.listed([]) == ""


def test_a_flood_takes_time_that_grows_with_it_and_not_faster() -> None:
    """A program may put anything into a place: a megabyte of what our sentences are made of."""
    flood = "“" + "a stands where “ is expected, after , and : is missing " * 20_000 + "” is missing"
    began = time.process_time()
    assert GERMAN.say(flood) != ""
    assert time.process_time() - began < 5


@pytest.mark.parametrize("item", ["1, ", "it ends, after ", "a; 1 and ", "too few ", "“x”, and "])
def test_what_looks_like_a_list_of_anything_is_given_up(item: str) -> None:
    """What can be parted at many places is not tried in every way."""
    began = time.process_time()
    for before in ("too few ", "it is followed in words of its own: ", ""):
        assert GERMAN.say(before + item * 300 + "a were seen in 3 games: it ends before that, after 1")
    assert time.process_time() - began < 5


def test_a_place_is_never_empty_nor_a_number_anything_else() -> None:
    """So that a shorter sentence is not taken for a longer one."""
    template = Template.of("{number} of {number_all} failed: {what}")
    assert template.match("2 of 3 failed: all") == {"number": "2", "number_all": "3", "what": "all"}
    assert template.match("2 of three failed: all") is None
    assert template.match("2 of 3 failed: ") is None


def test_a_broken_catalogue_names_its_line() -> None:
    """Whoever writes one sees where it went wrong."""
    with pytest.raises(ValueError, match="line 3"):
        list(entries('msgid "a"\nmsgstr "b"\nmsgstr c\n'))


def test_every_code_has_a_tag_and_a_name() -> None:
    """The names of a language in HTML and for people."""
    assert [language(code).tag for code in CODES] == ["en", "de", "zh-Hans", "vi"]
    assert len({language(code).name for code in CODES}) == len(CODES)

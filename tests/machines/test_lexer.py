import pytest

from grader.machines.lexer import Odd, lexer

LC3 = lexer(comment=";", separators=",:")
MIPS = lexer(comment="#", separators=",", punctuation="():+-")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("LOOP: ADD R0,,R0 #1 ; more", ["LOOP", "ADD", "R0", "R0", "#1", "; more"]),
        ('.STRINGZ "a;b, c" ;"d"', [".STRINGZ", '"a;b, c"', ';"d"']),
        (r'.STRINGZ "a\"b" x', [".STRINGZ", r'"a\"b"', "x"]),
        ('.STRINGZ"a"b', [".STRINGZ", '"a"', "b"]),
        ('.STRINGZ "open ; no comment', [".STRINGZ", '"open ; no comment']),
        (".FILL ';' ; c", [".FILL", "';'", "; c"]),
        (r".FILL '\'' ' '", [".FILL", r"'\''", "' '"]),
        ("don't 'abc'", ["don't", "'abc'"]),
        (" \t,,: ", []),
        ("", []),
        ("x\\", ["x\\"]),
        ('"\\', ['"\\']),
    ],
)
def test_a_line_splits_into_words(line, words):
    """Strings and characters hold separators and comment signs; a comment is the last word; the rest is separated."""
    assert LC3.words(line) == words


def test_another_language_has_other_signs():
    """Punctuation characters are words of their own, and the comment sign is the language's."""
    assert MIPS.words("main: lw $t0, -4($sp) # load; it") == [
        "main", ":", "lw", "$t0", "-", "4", "(", "$sp", ")", "# load; it",
    ]  # fmt: skip


def test_places_are_columns_from_1_up_to_the_one_after():
    """Each word's place marks exactly its characters."""
    line = "LOOP:\tADD  R0, 'x' ; c"
    assert [line[start - 1 : end - 1] for start, end in LC3.places(line)] == LC3.words(line)


def test_odd_characters_are_replaced_one_for_one():
    """Typographic quotes, full-width signs and invisible blanks become plain ones, and columns stay true."""
    line = "\ufeffADD\u00a0R0，R0，＃1；ok"
    plain, odd = LC3.tidy(line)
    assert plain == " ADD R0,R0,#1;ok"
    assert [(o.column, o.plain) for o in odd] == [(1, " "), (5, " "), (8, ","), (11, ","), (12, "#"), (14, ";")]
    assert [o.blank for o in odd] == [True, True, False, False, False, False]


def test_odd_characters_in_strings_and_comments_are_left_alone():
    """A text may hold anything, and so may a comment, after a plain or a full-width sign."""
    for line in ('.STRINGZ "“，\u00a0”"', "HALT ; “你好，世界”", "HALT ；"):
        assert LC3.tidy(line)[0][:-1] == line[:-1]
    assert LC3.tidy("HALT ；“a”")[1] == (Odd(6, "；", ";"),)


def test_control_characters_become_blanks_and_are_no_blanks():
    """A NUL separates words, and is an odd character rather than an odd blank."""
    plain, odd = LC3.tidy("A\0B\tC")
    assert plain == "A B\tC"
    assert odd == (Odd(2, "\0", " "),)
    assert not odd[0].blank

"""Pages are followed as they say, and what is not so is found."""

from __future__ import annotations

import pytest

from tests.documentation.console import follow, matches

PAGE = """\
A page.

```text notes/one.txt
first
```

```text >> notes/one.txt
second
```

```console
$ cat notes/one.txt
first
second
$ cd notes
$ printf 'a  b\\n\\n%s\\n' \\
    12345
a b
1…5
$ grader --version
grader, version …
$ grader chekc
…
Error: there is no command `chekc`; …
```

```console not-run
$ exit 1
```
"""


@pytest.fixture
def page(tmp_path):
    """A page in a folder, beside the folder in which it is followed."""
    path = tmp_path / "page.md"
    path.write_text(PAGE, encoding="utf-8")
    (tmp_path / "work").mkdir()
    return path


def test_a_page_that_is_right_is_followed_to_its_end(page):
    """Files are written, commands typed in one folder, and our own command is called, whatever it exits with."""
    follow(page, page.parent / "work")
    assert (page.parent / "work/notes/one.txt").read_text() == "first\nsecond\n"


def test_what_is_not_so_is_told_with_its_command(page):
    """The first command that prints something else stops it."""
    page.write_text(PAGE.replace("second\n$ cd", "third\n$ cd"), encoding="utf-8")
    with pytest.raises(
        AssertionError, match=r"before line 13: \$ cat notes/one.txt\n--- the page shows\nfirst\nthird\n"
    ):
        follow(page, page.parent / "work")


def test_a_command_that_shows_nothing_must_succeed(page):
    """Its exit code counts where no text does."""
    page.write_text("```console\n$ test -f no-file\n```\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="it should succeed"):
        follow(page, page.parent / "work")


def test_a_page_is_rewritten_when_asked_to(page):
    """The output of a command replaces the part of the page that shows it, and nothing else."""
    page.write_text(PAGE.replace("second\n$ cd", "third\n$ cd"), encoding="utf-8")
    follow(page, page.parent / "work", accept=True)
    assert page.read_text(encoding="utf-8") == PAGE


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        (("a   b",), "a b \n\n", True),
        (("a … c",), "a b c\n", True),
        (("a … c",), "a b\nc\n", False),
        (("a", "…", "d"), "a\nb\nc\nd\n", True),
        (("a", "…"), "a\n", True),
        (("a",), "a\nb\n", False),
        (("a.c",), "abc\n", False),
    ],
)
def test_texts_are_compared_roughly(shown, printed, same):
    """Blanks and empty lines do not matter, … stands for any text of a line, and alone for any lines."""
    assert matches(shown, printed) is same

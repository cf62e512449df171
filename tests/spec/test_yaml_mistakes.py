"""The mistakes that those make who write YAML for the first time: each is told at its line, with what to do."""

from __future__ import annotations

from textwrap import dedent

import pytest

from grader.spec.loader import read_assignment

SPEC = dedent(
    """\
    assignment: odd
    title: Odd or even
    submission: {required: [odd.asm]}
    program: {language: lc3, sources: [odd.asm]}
    text:
      criterion: format
      echo: program
      slips:
        case: 1
    rubric:
      - {id: format, points: 5, title: Format}
      - {id: works, points: 15, title: Works}
    cases:
      - id: sample-run
        title: The sample run
        criterion: works
        transcript: |
          Digit: ‹7›
          Odd
      - id: steps
        title: Steps
        criterion: works
        dialogue: [{expect: "Digit"}, {keys: "4"}, {expect: "Even"}]
    """
)


@pytest.mark.parametrize(
    ("before", "after", "place", "said"),
    [
        # indentation
        ("  criterion: format", "\tcriterion: format", "6:1", "indent with spaces, not tabs"),
        ("  - id: sample-run", "\t- id: sample-run", "14:1", "indent with spaces, not tabs"),
        ("  criterion: format", "\u00a0\u00a0criterion: format", "6:1", "looks like a space but is not one"),
        ("    criterion: works\n    trans", "      criterion: works\n    trans", "16:16", "a line is indented wrongly"),
        ("    criterion: works\n    trans", "   criterion: works\n    trans", "16:4", "its keys stand exactly below"),
        ("  - {id: works", "- {id: works", "12:1", "keys of one mapping stand exactly below each other"),
        ("program: {language: lc3, sources: [odd.asm]}", "program:\nlanguage: lc3\nsources: [odd.asm]", "4:1", "what belongs to it is indented more"),
        # colons and dashes
        ("title: Odd or even", "title: LAB 02: Odd or even", "2:14", "a text with a colon and a space in it needs quotes"),
        ("title: Works}", "title: Works: all}", "12:41", "a text with a colon, or with one of []{}, needs quotes"),
        ("title: Odd or even", "title:Odd or even", "2:1", "a key is followed by a colon and a space"),
        ("title: Odd or even", "title = Odd or even", "2:1", "a key is followed by a colon and a space"),
        ("  - id: steps", "  -id: steps", "20:3", "begins with a dash and a space"),
        ("  - id: steps", "    id: steps", "20:5", "does a new item begin here, with a dash?"),
        # brackets and quotes
        ("[odd.asm]}\ntext", "[odd.asm}\ntext", "4:43", "is a bracket not closed"),
        ("title: Format}", "title: Format", "11:5", "is a bracket not closed"),
        ("points: 5, title", "points: 5 title", "11:33", "a comma missing"),
        ("title: Format}", "title: Format, exact}", "11:44", "a text with a comma in it needs quotes"),
        ("points: 5", "points: 2,5", "11:28", "write a number with a point, 2.5"),
        ("title: Odd or even", "title: 'Odd or even", "2:8", "is a quote not closed?"),
        ("title: Odd or even", "title: 'Don't stop'", "2:13", "an apostrophe is written twice"),
        ('"Digit"}', "“Digit”}", "23:25", "write straight ones"),
        ('expect: "Even"', "expect: [Ee]ven", "23:61", "with one of []{}, needs quotes"),
        ('"Even"', '"\\d Even"', "23:58", "use single quotes"),
        # texts that begin with a sign, and other types
        ("title: Steps", "title: *Steps*", "21:18", "begins with * needs quotes"),
        ("title: Steps", "title: & Steps", "21:13", "begins with & needs quotes"),
        ("title: Steps", "title: @Steps", "21:12", "begins with @"),
        ("title: Steps", "title: '#3 Steps' #3", "", ""),
        ("title: Steps", "title: Task #3", "21:12", "quote the text if `#` belongs to it"),
        ('keys: "4"', "keys: 4", "23:42", "put it in quotes"),
        ("title: Odd or even", "title: 2024", "2:8", "put it in quotes"),
        ("sources: [odd.asm]", "sources: odd.asm", "4:35", "put it in brackets"),
        ("points: 5", "points: five", "11:26", "is not a number such as 2"),
        ("title: Odd or even", "Title: Odd or even", "2:1", "did you mean `title`?"),
        ("id: sample-run", "id: sample_run", "14:9", "a name is made of a-z, 0-9 and -"),
        # transcripts
        ("      Digit: ‹7›\n      Odd\n", "Digit: ‹7›\nOdd\n", "19:1", "is indented more than its key"),
        ("transcript: |", "transcript:", "19:7", "a text of several lines begins with `|`"),
        ("transcript: |", "transcript: >", "17:17", "write `|` behind it"),
    ],
)  # fmt: skip
def test_a_first_mistake_in_yaml_is_told_where_it_is(before, after, place, said, tmp_path):
    """One of the problems has the line and column of the mistake, and its message or hint says what to do."""
    assert SPEC.count(before) >= 1
    path = tmp_path / "odd.yaml"
    path.write_text(SPEC.replace(before, after, 1), encoding="utf-8")
    told = [problem.one_line() for problem in read_assignment(path).diagnostics]
    assert bool(told) == bool(place), told
    assert not place or any(f"odd.yaml:{place}: " in line and said in line for line in told), told

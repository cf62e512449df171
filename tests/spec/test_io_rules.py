"""Mistakes of a spec in an `io` case, where they are told, and what is allowed."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from grader.cli.lint import _line
from grader.lint import examine
from grader.source import Severity

SPEC = """
assignment: filter
title: Filter
submission: {{required: [{name}]}}
program: {{language: {language}, sources: [{name}]{program}}}
text: {{criterion: work}}
rubric: [{{id: work, points: 10, title: Works{counts}}}]
cases:
  - id: one
    title: One
    criterion: work
"""
NAMES = {"c": "main.c", "lc3": "main.asm", "mips": "main.s"}
RIGHT = "io: {input: a, output: b}"


def problems(folder: Path, io: str, language: str = "c", program: str = "", counts: str = "") -> list[tuple[str, str]]:
    """The code of each problem of a spec and the text that it points at; but what stubs earn: these specs have a case or two."""
    if language == "mips":
        program += ", profiles: [mars]" if "profiles" not in program else ""
    text = SPEC.format(name=NAMES[language], language=language, program=program, counts=counts)
    path = folder / "filter.yaml"
    path.write_text(text + textwrap.indent(textwrap.dedent(io).strip(), "    ") + "\n", encoding="utf-8")
    found = examine(path).diagnostics
    assert all(_line(one) for one in found)
    return [
        (one.code, one.span.text[one.span.column - 1 : one.span.end_column - 1])
        for one in found
        if one.span and one.code != "given-away"
    ]


def pairs(folder: Path, **files: str | bytes) -> Path:
    """A folder `tests` with these files; in the names `_` stands for a point."""
    tests = folder / "tests"
    tests.mkdir()
    for name, text in files.items():
        (tests / name.replace("_", ".")).write_bytes(text if isinstance(text, bytes) else text.encode())
    return tests


def test_an_input_and_an_output_are_enough(tmp_path: Path) -> None:
    """One pair, a list of them, and a folder are right."""
    pairs(tmp_path, a_in="a", a_out="b", b_in="", b_ans="c")
    for io in (RIGHT, "io: [{output: b}, {input: a, exit: 3}]", "io: tests", "io: [{folder: tests, arguments: [-x]}]"):
        assert problems(tmp_path, io) == [], io


@pytest.mark.parametrize(
    ("io", "code", "marked"),
    [
        ("io: {inptu: a, output: b}", "unknown-key", "inptu"),
        ("io: []", "value", "[]"),
        ("io: 3", "type", "3"),
        ("io: {input: 3, output: b}", "value", "3"),
        ("io: {output: {pathh: x}}", "value", "{pathh: x}"),
        ("io: {output: {path: x, text: y}}", "value", "{path: x, text: y}"),
        ("io: {output: {text: x, exact: 1}}", "value", "{text: x, exact: 1}"),
        ("io: {output: b, exit: 256}", "value", "256"),
        ("io: {output: b, exit: -1}", "value", "-1"),
        ("io: {output: b, exit: one}", "type", "one"),
        ("io: {output: b, arguments: -x}", "type", "-x"),
        ("io: {output: b}\ntolerance: -0.1", "value", "-0.1"),
        ("io: {output: b}\ntolerance: {relative: -1e-3}", "value", "-1e-3"),
        ("io: {input: a}", "demands-nothing", "{input: a}"),
        ("io: {input: a, output: ''}", "demands-nothing", "{input: a, output: ''}"),
        ("io: {input: a, output: ' ', exit: 0}", "demands-nothing", "{input: a, output: ' ', exit: 0}"),
        ("io: [{output: b}, {output: ''}]", "shows-nothing", "{output: ''}"),
        ("io: nowhere", "path", "nowhere"),
        ("io: ../", "path", "../"),
        ("io: [{folder: /tmp}]", "path", "/tmp"),
        ("io: {output: {path: nowhere.txt}}", "path", "{path: nowhere.txt}"),
        ("io: {output: {path: ../x}}", "path", "{path: ../x}"),
        ("io: {output: {path: '/etc/passwd'}}", "path", "{path: '/etc/passwd'}"),
        ("io: {output: b, files: {../x: a}}", "path", "../x"),
        ("io: {output: b, files: {/x: a}}", "path", "/x"),
        ("io: {output: b, files: {'a\\b': a}}", "path", "'a\\b'"),
        ("io: {output: b, files: {main.c: a}}", "path", "main.c"),
        ("io: {writes: {../x: a}}", "path", "../x"),
        ("io: {output: b, files: {d: a, d/x: a}}", "path", "d/x"),
        ("io: {output: b, input: {text: a, exact: true}}", "idle-key", "{text: a, exact: true}"),
        ("io: {output: b, files: {a: {text: a, exact: true}}}", "idle-key", "{text: a, exact: true}"),
        ('io: {output: b, arguments: ["a\\0"]}', "argument", '"a\\0"'),
        ("io: [{name: a, output: b}, {name: a, output: c}]", "duplicate-id", "a"),
        ("io: {output: b}\nmentions: [x]", "unknown-fact", "x"),
        ("source: {builds: true}\ntolerance: 1", "misplaced", "tolerance"),
    ],
)
def test_each_mistake_is_told_at_its_place(tmp_path: Path, io: str, code: str, marked: str) -> None:
    """With the text that is wrong; of braces and brackets with the first."""
    found = problems(tmp_path, io)
    assert (code, marked[0] if marked[0] in "{[" else marked) in found, [one[:80] for _, one in found]


@pytest.mark.parametrize("exit_code", [0, 255])
def test_the_ends_of_the_range_of_exit_codes_are_in_it(tmp_path: Path, exit_code: int) -> None:
    """A code is one byte."""
    assert problems(tmp_path, f"io: {{output: b, exit: {exit_code}}}") == []


@pytest.mark.parametrize(
    ("language", "program", "key", "code"),
    [
        ("lc3", "", "arguments: [a]", "foreign-key"),
        ("lc3", "", "files: {a: b}", "foreign-key"),
        ("lc3", "", "writes: {a: b}", "foreign-key"),
        ("lc3", "", "exit: 1", "foreign-key"),
        ("lc3", "", "errors: b", "foreign-key"),
        ("mips", "", "errors: b", "foreign-key"),
        ("mips", ", profiles: [mars, mipsy]", "arguments: [a]", "foreign-key"),
        ("c", ", terminal: true", "errors: b", "foreign-key"),
    ],
)
def test_a_run_has_what_its_language_has(tmp_path: Path, language: str, program: str, key: str, code: str) -> None:
    """An LC-3 program has keys and a display; a MIPS program no error stream; a terminal shows both streams as one."""
    assert problems(tmp_path, f"io: {{output: b, {key}}}", language, program) == [(code, key.partition(":")[0])]
    if language != "lc3" and "errors" not in key:
        assert problems(tmp_path, f"io: {{output: b, {key}}}", "c") == []


def test_an_input_without_an_output_is_told_at_the_folder(tmp_path: Path) -> None:
    """And so is an output without an input, two outputs, and a folder without pairs."""
    tests = pairs(tmp_path, a_in="a", b_out="b", c_in="c", c_out="c", c_ans="c")
    assert problems(tmp_path, "io: tests") == [("pair", "tests")] * 3
    for file in tests.iterdir():
        file.unlink()
    assert problems(tmp_path, "io: [{folder: tests}]") == [("pair", "tests")]


def test_a_folder_says_input_and_output_itself(tmp_path: Path) -> None:
    """What is said beside would be another."""
    pairs(tmp_path, a_in="a", a_out="b")
    assert problems(tmp_path, "io: [{folder: tests, input: x}]") == [("idle-key", "input")]


def test_a_folder_whose_outputs_are_all_empty_shows_nothing(tmp_path: Path) -> None:
    """A program that does nothing would pass."""
    pairs(tmp_path, a_in="a", a_out="")
    assert [code for code, _ in problems(tmp_path, "io: tests")] == ["demands-nothing"]


def test_inputs_with_line_ends_of_windows_are_a_warning(tmp_path: Path) -> None:
    """Programs read them as they are."""
    pairs(tmp_path, a_in="a\r\n", a_out="b\r\n")
    assert problems(tmp_path, "io: tests") == [("line-ends", "tests")]
    assert examine(tmp_path / "filter.yaml").diagnostics[0].severity is Severity.WARNING


def test_a_link_that_leads_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    """Wherever it is called to lie."""
    (tmp_path / "inner").mkdir()
    (tmp_path / "secret").write_text("x")
    (tmp_path / "inner" / "link").symlink_to(tmp_path / "secret")
    assert problems(tmp_path / "inner", "io: {output: {path: link}}") == [("path", "{")]


def test_files_of_the_program_are_checked_as_well(tmp_path: Path) -> None:
    """They are there, stay in the folder, and an LC-3 program has none."""
    assert problems(tmp_path, RIGHT, program=", files: {a: {path: nowhere}}") == [("path", "{")]
    assert problems(tmp_path, RIGHT, program=", files: {../a: x}") == [("path", "../a")]
    assert problems(tmp_path, RIGHT, "lc3", ", files: {a: x}") == [("foreign-key", "files")]


@pytest.mark.parametrize(
    ("counts", "io", "told"),
    [
        ("all", RIGHT, []),
        ("each", "io: tests", []),
        ("all", "io: tests", [("idle-key", "counts")]),
        ("all", "io: [{output: b}, {input: a, exit: 3}]", [("idle-key", "counts")]),
    ],
)
def test_a_case_of_several_pairs_is_not_met_as_a_whole_or_not_at_all(
    tmp_path: Path, counts: str, io: str, told: list[tuple[str, str]]
) -> None:
    """It earns the share that is right, so that `counts: all` would be overruled without a word."""
    pairs(tmp_path, a_in="a", a_out="b")
    assert problems(tmp_path, io, counts=f", counts: {counts}") == told


def test_what_is_read_from_files_changes_the_digest_of_the_assignment(tmp_path: Path) -> None:
    """Verdicts that are kept were reached with other texts."""
    from grader.spec.loader import load_assignment

    tests = pairs(tmp_path, a_in="a", a_out="b")
    assert problems(tmp_path, "io: tests") == []
    before = load_assignment(tmp_path / "filter.yaml").fingerprint
    (tests / "a.out").write_text("c")
    assert load_assignment(tmp_path / "filter.yaml").fingerprint != before


def test_arguments_have_a_limit(tmp_path: Path) -> None:
    """Both of their number and of their bytes: what is longer belongs into a file."""
    for words, wrong in (
        ([100 * "x"] * 100, False),
        (["x"] * 101, True),
        (["x" * 16_383], False),
        (["x" * 16_384], True),
    ):
        found = problems(tmp_path, f"io: {{output: b, arguments: [{', '.join(words)}]}}")
        assert bool(found) is wrong, (len(words), len(words[0]))


def test_a_right_program_can_print_and_write_what_is_expected(tmp_path: Path) -> None:
    """Up to the limits of the spec, and no byte more."""
    small = "}\nlimits: {output: 10, storage: 10}\n#"
    assert problems(tmp_path, f"io: {{output: {'x' * 10}, writes: {{f: {'x' * 10}}}}}", program=small) == []
    assert problems(tmp_path, f"io: {{output: {'x' * 11}}}", program=small) == [("output-limit", "{")]
    over = f"io: {{output: x, files: {{f: {'x' * 6}}}, writes: {{g: {'x' * 5}}}}}"
    assert problems(tmp_path, over, program=small) == [("storage-limit", "{")]


def test_a_number_with_commas_is_a_warning_where_there_is_a_tolerance(tmp_path: Path) -> None:
    """It is compared as a word, which nobody may expect there."""
    assert problems(tmp_path, 'io: {output: "1,000"}\ntolerance: 1') == [("grouped", "{")]
    assert problems(tmp_path, 'io: {output: "1,000"}') == []
    assert problems(tmp_path, 'io: {output: "1,20"}\ntolerance: 1') == []

"""The table of all that is said of our own programs: what is in it, and what counts as a change between two."""

from __future__ import annotations

import json
from copy import deepcopy

import pytest

from tests.loaded import ROOT, module_of

golden = module_of(ROOT / "scripts/golden.py")
HALTS = "fixtures/lc3-nim/runtime-error/"
FOUND = {"weight": "defect", "code": "wrong", "message": "5 is not 6"}
ONE = {
    "score": "87.5",
    "open": "0",
    "criteria": {"plays": {"points": "8", "status": "graded", "reason": "", "charges": {}}},
    "cases": {"plays": {"verdict": "accepted", "profile": "", "share": "1", "findings": [FOUND, FOUND]}},
    "diagnostics": [],
    "review": ["look"],
    "learned": [["marks", "O X", "the marks are O and X", "..O.X.."], ["undo", "1", "1 takes a move back", "Undo?"]],
}


@pytest.fixture(scope="module")
def halting():  # type: ignore[no-untyped-def]
    """A fixture that breaks, graded as the table grades it."""
    return next(job for job in golden.jobs(0) if job.name.startswith(HALTS))


def test_every_fixture_sample_and_wording_is_in_the_table() -> None:
    """Those of the bundled specs and the examples, each under a name of its own; a spec is not read twice."""
    jobs = list(golden.jobs(2))
    names = [job.name for job in jobs]
    there = {path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "fixtures").glob("*/*/*/expected.yaml")}
    assert there <= set(names)
    assert len(names) == len(set(names))
    assert {"wordings/pile-known-1-0", "wordings/board-known-1-1", "fixtures/demo/lc3-nim"} <= {
        name.rpartition("/")[0] if name.startswith("fixtures/demo") else name for name in names
    }
    specs = [job.spec for job in jobs]
    assert sorted(specs, key=list(dict.fromkeys(specs)).index) == specs
    assert any(spec.startswith("specs/examples/") for spec in specs)


def test_a_table_is_the_same_twice_and_names_nothing_of_the_machine(halting) -> None:  # type: ignore[no-untyped-def]
    """Grades, verdicts and findings are in it; no path, and no time."""
    name, first = golden.graded(halting)
    again = golden.graded(halting)[1]
    assert golden.written({name: first}) == golden.written({name: again})
    assert "runtime-error" in [case["verdict"] for case in first["cases"].values()]
    assert any(case["findings"] for case in first["cases"].values())
    assert not any(part in json.dumps(first) for part in (str(ROOT), "/tmp", "seconds"))


def _other(**changes: object) -> dict[str, object]:
    return {**deepcopy(ONE), **changes}


def _case(**changes: object) -> dict[str, object]:
    return {"cases": {"plays": {**ONE["cases"]["plays"], **changes}}}  # type: ignore[index]


@pytest.mark.parametrize(
    ("new", "lines"),
    [
        (_other(), []),
        (_other(score="90"), ["  grade score 87.5 → 90"]),
        (_other(criteria={}), ["  grade plays points: 8 → None", "  grade plays status: graded → None", "  grade plays reason:  → None", "  grade plays charges: {} → None"]),
        (_other(**_case(verdict="form")), ["  verdict plays verdict: accepted → form"]),
        (_other(**_case(profile="spim")), ["  verdict plays profile:  → spim"]),
        (_other(**_case(findings=[FOUND])), ['  finding plays - {"code": "wrong", "message": "5 is not 6", "weight": "defect"}']),
        (_other(**_case(findings=[FOUND, FOUND, {**FOUND, "turn": 2}])), ['  finding plays + {"code": "wrong", "message": "5 is not 6", "turn": 2, "weight": "defect"}']),
        (_other(review=[]), ['  finding review - "look"']),
        (_other(learned=[["undo", "1 ", "now in other words", "?"], ["marks", "O  X", "", ""], ["", "", "a remark", ""]]), []),
        (_other(learned=[["marks", "o x", "the marks are O and X", "..O.X.."], ONE["learned"][1]]), ["  learned marks: ['O X'] → ['o x']"]),  # type: ignore[index]
        (_other(learned=[ONE["learned"][0]]), ["  learned undo: ['1'] → None"]),  # type: ignore[index]
    ],
)  # fmt: skip
def test_a_change_is_told_once_below_its_program(new: dict[str, object], lines: list[str]) -> None:
    """Grades, verdicts and findings count exactly, a learned table by its values alone."""
    old, table = {"a": ONE, "b": ONE}, {"a": ONE, "b": new}
    text = golden.told(golden.changes(old, table), old, table).splitlines()
    assert sorted(text[:-1]) == sorted(["b", *lines] if lines else [])
    assert text[-1].startswith(f"{1 if lines else 0} of 2 programs differ")


def test_programs_that_are_new_or_gone_are_named(tmp_path, capsys) -> None:  # type: ignore[no-untyped-def]
    """And the command ends with 1 where anything differs."""
    for name, table in (("old", {"a": ONE, "b": ONE}), ("new", {"b": ONE, "c": ONE})):
        (tmp_path / name).write_text(golden.written(table), encoding="utf-8")
    old, new = (str(tmp_path / name) for name in ("old", "new"))
    assert (golden.main(["compare", old, new]), golden.main(["compare", old, old])) == (1, 0)
    told = capsys.readouterr().out.splitlines()
    assert told[:4] == ["a", "  program is gone", "c", "  program is new"]
    assert told[-1] == "0 of 2 programs differ: nothing"


def test_each_sentence_is_listed_once_by_case_with_its_number() -> None:
    """Numbers do not distinguish two sentences; a hint is a sentence of its own, and a lesson has no case."""
    other = FOUND | {"message": "7 is not 8", "hint": "Look at the loop."}
    case = {**ONE["cases"]["plays"], "findings": [FOUND, other]}  # type: ignore[index]
    fixture = next(job.name for job in golden.jobs(0) if job.spec == "specs/lc3-nim.yaml")
    listed = [line.split("\t")[1:] for line in golden.messages({fixture: ONE | {"cases": {"halts": case}}})]
    assert [one for one in listed if one[0] == "halts"] == [
        ["halts", "ending", "2", "5 is not 6"],
        ["halts", "ending", "1", "Look at the loop."],
    ]
    assert ["learned", "", "1", "the marks are O and X"] in listed

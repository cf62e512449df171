"""Bad submissions of a class: each has a verdict or a clear error, and costs nobody else anything."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from grader.batch.runner import run_batch
from grader.batch.values import Call
from tests.batch.nim import drawn_nim
from tests.graded import grades_in
from tests.intake.archives import Piece, gbk_zip, make_zip

pytestmark = pytest.mark.xdist_group("bad-input")  # one batch serves all

ROOT = Path(__file__).resolve().parents[2]
GOOD = next((ROOT / "fixtures/lc3-nim/accepted").glob("*/submission/nim.asm")).read_bytes()


def program(text: str) -> bytes:
    """A program of these lines, in a frame."""
    return f".ORIG x3000\n{text}\n.END\n".encode()


@dataclass(frozen=True)
class Bad:
    """Something handed in; the verdicts of some cases, and what the record says somewhere."""

    archive: bytes
    verdicts: dict[str, str]
    said: str


def one(source: bytes, name: str = "nim.asm") -> bytes:
    """An archive with a program."""
    return make_zip(Piece(name.encode(), source, deflate=True))


UNBUILT = {"assembles": "compile-error", "opening": "skipped"}
MISSING = {"assembles": "missing-file", "opening": "skipped"}
BUILT = {"assembles": "accepted", "opening": "accepted"}

BAD = {
    "empty file": Bad(one(b""), UNBUILT, "there is no program in this file"),
    "binary file": Bad(one(bytes(range(256)) * 40), UNBUILT, "nim.asm"),
    "ten MiB of source": Bad(one(b"; a comment\n" * 900_000), UNBUILT, "more than 1,048,576 are not assembled"),
    "a hundred thousand labels": Bad(
        one(program("\n".join(f"L{n}" for n in range(100_000)) + " HALT")),
        {"plays": "not-shown"},
        "",
    ),
    "a hundred thousand words": Bad(one(program(" .FILL 1\n" * 100_000)), UNBUILT, "memory"),
    "comments in GBK": Bad(one("; 张海博的程序\n".encode("gbk") + GOOD), BUILT, ""),
    "another name": Bad(one(GOOD, "main.asm"), BUILT, "main.asm was graded as nim.asm"),
    "no nim.asm": Bad(
        gbk_zip({"a.asm": GOOD, "b.asm": GOOD + b"; b"}),
        {"assembles": "needs-review", "opening": "unjudged"},
        "a person must say which one counts",
    ),
    "wrong case": Bad(one(GOOD, "NIM.ASM"), BUILT, "upper and lower case of its name differ"),
    "two of them": Bad(
        gbk_zip({"nim.asm": GOOD, "old/nim.asm": b"; old"}), BUILT, "there is also old/nim.asm, with other contents"
    ),
    "two that are one": Bad(gbk_zip({"nim.asm": GOOD, "copy/nim.asm": GOOD}), BUILT, ""),
    "a folder called nim.asm": Bad(gbk_zip({"nim.asm/readme": b"x"}), MISSING, "nim.asm is a folder here"),
    "a corrupt zip": Bad(one(GOOD)[:-30], MISSING, "a damaged zip archive"),
    "a corrupt program": Bad(make_zip(Piece(b"nim.asm", GOOD, crc=7)), MISSING, "damaged"),
    "an empty zip": Bad(make_zip(), MISSING, "put nim.asm into what you hand in"),
    "a bomb": Bad(
        make_zip(Piece(b"a", bytes(10**8), deflate=True), Piece(b"nim.asm", GOOD)), BUILT, "larger than 16 MiB"
    ),
    "endless output": Bad(one(program("L OUT\n BR L")), {"plays": "output-limit"}, "printed"),
    "endless loop": Bad(one(program("L BR L")), {"plays": "not-terminating"}, ""),
    "a jump into the void": Bad(
        one(program(" LD R1,A\n JMP R1\nA .FILL x4000")), {"plays": "runtime-error|not-terminating"}, "x4000"
    ),
}


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """The records of a batch of all of them, with one good submission between."""
    sources = tmp_path_factory.mktemp("bad")
    for number, bad in enumerate(BAD.values()):
        (sources / f"PB{number:08d}.zip").write_bytes(bad.archive)
    (sources / "PB99999999.zip").write_bytes(one(GOOD))
    out = tmp_path_factory.mktemp("out")
    assert run_batch(Call(drawn_nim(tmp_path_factory.mktemp("spec")), [sources], out, jobs=2)).exit_code == 0
    return grades_in(out)


@pytest.mark.parametrize("what", BAD)
def test_bad_input(records, what):
    """It has the verdict that says what is wrong, in words that name it, and no case is our error."""
    bad = BAD[what]
    record = records[f"PB{[*BAD].index(what):08d}"]
    verdicts = {case["id"]: case["verdict"] for case in record["cases"]}
    for case, allowed in bad.verdicts.items():
        assert verdicts[case] in allowed.split("|")
    assert bad.said in json.dumps(record, ensure_ascii=False)
    assert "judge-error" not in verdicts.values()


def test_the_good_one_among_them(records):
    """The good submission among all of them has every point that no person gives."""
    record = records["PB99999999"]
    assert record["score"] == record["max_points"] - record["open_points"]

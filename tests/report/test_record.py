"""The record: a grade as JSON, there and back."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.report import record
from grader.results import Grade, Verdict
from tests.report.sample_grades import SAMPLES, all_grades, full_marks, wrong_answer


@pytest.mark.parametrize("name", SAMPLES)
def test_the_round_trip_is_exact(name: str) -> None:
    """A grade comes back from its text as it was."""
    grade = SAMPLES[name]()
    assert record.load(record.dump(grade)) == grade


@pytest.mark.parametrize("name", SAMPLES)
def test_plain_data_is_plain(name: str) -> None:
    """The data of a grade are what JSON can hold, and nothing else."""
    data = record.to_data(SAMPLES[name]())
    assert json.loads(json.dumps(data)) == data
    assert record.from_data(data) == SAMPLES[name]()


def test_the_page_on_reports_names_every_key_and_verdict() -> None:
    """The promises to a reader stand in docs/reports.md."""
    page = (Path(__file__).parents[2] / "docs" / "reports.md").read_text(encoding="utf-8")
    data = record.to_data(wrong_answer())
    parts = (
        data,
        data["origin"],
        data["criteria"][0],
        data["cases"][1],
        data["cases"][1]["findings"][0],
        data["provenance"],
    )
    names = {name for part in parts for name in part} | set(Verdict)
    assert [name for name in sorted(names) if f"`{name}`" not in page and f".{name}`" not in page] == []


def test_the_keys_are_those_of_the_format() -> None:
    """The record has the keys that its readers rely on."""
    data = record.to_data(wrong_answer())
    assert data["schema"] == "grader/grade/2"
    assert {"assignment", "submission", "score", "max_points", "complete", "open_points", "provenance"} <= set(data)
    assert {"id", "title", "points", "open", "max_points", "status"} <= set(data["criteria"][0])
    assert {"id", "criterion", "verdict", "visibility", "findings", "usage"} <= set(data["cases"][0])
    assert {"code", "message", "turn", "hint"} <= set(data["cases"][1]["findings"][0])
    assert {"spec_sha256", "submission_sha256", "grader_version", "seed"} <= set(data["provenance"])


def test_a_record_of_the_form_before_is_read() -> None:
    """It says nothing of what is open of a criterion: all where it has no points, and else nothing."""
    data = record.to_data(full_marks())
    for criterion in data["criteria"]:
        del criterion["open"]
    assert record.from_data({**data, "schema": "grader/grade/1"}) == full_marks()


def test_numbers_keep_their_kind() -> None:
    """A whole score is written without a decimal point, and comes back as an integer."""
    again = record.load(record.dump(full_marks()))
    assert '"score": 90,' in record.dump(full_marks())
    assert isinstance(again.score, int)


def test_text_is_readable_and_can_be_encoded() -> None:
    """Chinese stands as itself, and a lone surrogate does not keep the text from being UTF-8."""
    text = record.dump(replace(full_marks(), handed_in_as="caf\udce9.zip"))
    assert "张海博" in text
    assert record.load(text.encode().decode()).handed_in_as == "caf\udce9.zip"


def test_what_is_no_number_is_no_score() -> None:
    """A score that JSON cannot hold is our fault, and never written."""
    with pytest.raises(ValueError, match="JSON"):
        record.dump(replace(full_marks(), score=float("nan")))


def test_many_grades_make_one_document() -> None:
    """The chunks of a batch are one JSON document with a record for each grade."""
    data = json.loads("".join(record.joined("lc3-nim", map(record.piece, all_grades()))))
    assert (data["schema"], data["assignment"]) == ("grader/grades/1", "lc3-nim")
    assert [record.from_data(one) for one in data["grades"]] == list(all_grades())


def test_an_empty_batch_is_a_document() -> None:
    """Without grades the list is empty."""
    assert json.loads("".join(record.joined("x", [])))["grades"] == []


def test_grades_are_taken_one_at_a_time() -> None:
    """The text of a grade is given before the next grade is asked for."""
    taken = 0

    def grades() -> Iterator[Grade]:
        nonlocal taken
        for grade in all_grades():
            taken += 1
            yield grade

    chunks = record.joined("x", map(record.piece, grades()))
    next(chunks)
    next(chunks)
    assert taken == 1


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda data: data.pop("schema"), "not a record of a grade: found 'no schema'"),
        (lambda data: data.update(schema="grader/grade/3"), "not a record of a grade: found 'grader/grade/3'"),
        (lambda data: data.pop("score"), "damaged record: score: Field required"),
        (lambda data: data["cases"][0].update(verdict="great"), "damaged record: cases.0.verdict"),
    ],
)
def test_a_damaged_record_says_where(spoil: Callable[[dict[str, object]], object], message: str) -> None:
    """Data that are no record are refused with the place and what is wrong."""
    data = record.to_data(full_marks())
    spoil(data)
    with pytest.raises(UsageError) as caught:
        record.from_data(data, place="grade.json")
    assert message in caught.value.message
    assert caught.value.place == "grade.json"


@pytest.mark.parametrize(("text", "message"), [("{", "not JSON"), ("[]", "a JSON object was expected")])
def test_other_files_are_refused(text: str, message: str) -> None:
    """A file that is not JSON, or not an object, is refused."""
    with pytest.raises(UsageError, match=message):
        record.load(text)

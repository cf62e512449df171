"""Finished grades, kept at once and for good."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace

import pytest

from grader.batch.inputs import Inputs
from grader.batch.store import Graded, open_store
from grader.errors import UsageError

INPUTS = Inputs("lc3-nim", "spec", "1.0", {"b": "1", "a": "2"})


@pytest.fixture
def path(tmp_path):
    """Where the store is."""
    return tmp_path / "grades.db"


def graded(submission: str, *, judge_error: bool = False) -> Graded:
    """A finished submission."""
    return Graded(submission, "PB1", judge_error, f"record of {submission}", f"page of {submission}", 0.5)


def test_what_was_added_is_there_again(path):
    """A second opening finds the grades of the first, in the batch's order."""
    with open_store(path, INPUTS) as store:
        store.add(graded("a"))
        store.add(graded("b", judge_error=True))
    with open_store(path, INPUTS) as store:
        assert store.finished() == {"a"}
        assert store.judge_errors() == {"b"}
        assert store.student_ids() == {"a": "PB1", "b": "PB1"}
        assert list(store.records()) == [("b", "record of b"), ("a", "record of a")]
        assert list(store.pages()) == [("b", "page of b"), ("a", "page of a")]


def test_dialogues_are_stored_compressed(path):
    """What says the same again and again takes little room, and comes back as it was, surrogates as JSON writes them included."""
    turns = json.dumps([{"output": f"Player {n % 2 + 1}, 请选择\udce9\n", "typed": "A1\n"} for n in range(20_000)])
    page = "<p>Player 1, 请选择</p>\n" * 20_000
    with open_store(path, INPUTS) as store:
        store.add(Graded("a", "PB1", False, turns, page, 0.5))
        assert list(store.records()) == [("a", turns)]
        assert list(store.pages()) == [("a", page)]
    assert path.stat().st_size < (len(turns.encode()) + len(page.encode())) / 10


def test_a_judge_error_gives_way_to_a_grade(path):
    """What the grader failed on is not finished; graded again it is, once."""
    with open_store(path, INPUTS) as store:
        store.add(graded("a", judge_error=True))
        assert store.finished() == frozenset()
        store.add(graded("a"))
        assert (store.finished(), store.judge_errors()) == ({"a"}, frozenset())
        assert list(store.records()) == [("a", "record of a")]


def test_another_batch_is_refused(path):
    """A store of other inputs is wrong usage: the message says what differs and names both ways out."""
    with open_store(path, INPUTS):
        pass
    with pytest.raises(UsageError) as refused, open_store(path, Inputs("lc3-nim", "spec", "1.1", INPUTS.submissions)):
        pass
    assert "it was graded by version 1.0" in str(refused.value)
    assert "another folder" in refused.value.hint
    assert "--fresh" in refused.value.hint


def test_a_refusal_changes_nothing(path):
    """After a refusal the first batch can go on."""
    with open_store(path, INPUTS) as store:
        store.add(graded("a"))
    with pytest.raises(UsageError), open_store(path, Inputs("c-nim", "spec", "1.0", {})):
        pass
    with open_store(path, INPUTS) as store:
        assert store.finished() == {"a"}


def test_fresh_forgets(path):
    """With ``fresh`` the grades of another batch are forgotten, and of the same one too."""
    other = Inputs("c-nim", "spec", "1.0", {"a": "1"})
    with open_store(path, INPUTS) as store:
        store.add(graded("a"))
    for inputs in (other, other):
        with open_store(path, inputs, fresh=True) as store:
            assert store.finished() == frozenset()
            store.add(graded("a"))


def test_two_batches_at_once_are_refused(path):
    """While a batch is running a second one into the same folder is wrong usage."""
    with (
        open_store(path, INPUTS),
        pytest.raises(UsageError, match="is another batch running"),
        open_store(path, INPUTS),
    ):
        pass


def test_an_exception_keeps_what_is_stored(path):
    """Whatever ends the batch, the grades added before are kept."""

    def interrupted():
        with open_store(path, INPUTS) as store:
            store.add(graded("a"))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with open_store(path, INPUTS) as store:
        assert store.finished() == {"a"}


def test_a_grade_that_does_not_fit(path):
    """Where the disk is full, that is said in a sentence; the grades before are kept, and others can follow."""
    with open_store(path, INPUTS) as store:
        store.add(graded("a"))
        store._connection.execute("PRAGMA max_page_count = 5")
        with pytest.raises(UsageError, match=r"cannot be written.*full.*the same command goes on"):
            store.add(Graded("b", "PB1", False, "".join(map(chr, range(0x4E00, 0x9E00))), "page", 0.5))
        assert store.finished() == {"a"}
    with open_store(path, INPUTS) as store:
        assert store.finished() == {"a"}
        store.add(graded("b"))
        assert store.finished() == {"a", "b"}


def test_a_store_that_was_never_begun(path):
    """An empty file, left by a batch that was killed at its very first moment, is begun anew."""
    path.touch()
    with open_store(path, INPUTS) as store:
        assert store.finished() == frozenset()


@pytest.mark.parametrize("fresh", [False, True])
def test_a_file_that_is_no_store(path, fresh):
    """A file that is no database is refused and left as it is."""
    path.write_bytes(b"important notes, not a database" * 100)
    before = path.read_bytes()
    with pytest.raises(UsageError, match="is no store of grades"), open_store(path, INPUTS, fresh=fresh):
        pass
    assert path.read_bytes() == before


@pytest.mark.parametrize("fresh", [False, True])
def test_a_database_of_something_else(path, fresh):
    """A database of another program is refused and left as it is, with ``fresh`` too."""
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE notes (text)")
    connection.close()
    with pytest.raises(UsageError, match="something else"), open_store(path, INPUTS, fresh=fresh):
        pass


def test_a_grade_whose_wording_is_corrected_otherwise_is_not_finished(path):
    """Only programs of that wording are graded again, and only until they were graded with the correction."""
    corrections = {"w1": {"undo": "y"}}
    with open_store(path, INPUTS) as store:
        store.add(replace(graded("a"), wording="w1"))
        store.add(replace(graded("b"), wording="w2"))
        assert store.finished() == {"a", "b"}
        assert store.finished(corrections) == {"b"}
        store.add(replace(graded("a"), wording="w1", corrections={"undo": "y"}))
        assert store.finished(corrections) == {"a", "b"}
        assert store.finished() == {"b"}

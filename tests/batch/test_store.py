"""Finished grades, kept at once and for good."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from grader.batch import store as stores
from grader.batch.inputs import Inputs
from grader.batch.store import Store
from grader.batch.values import Graded, KeptCall, Owner
from grader.errors import UsageError
from grader.spec.corrections import NONE, Corrections

INPUTS = Inputs("lc3-nim", "spec", "judging", "1.0", {"b": "1", "a": "2"})


@contextmanager
def open_store(
    path: Path, inputs: Inputs = INPUTS, *, fresh: bool = False, corrections: Corrections = NONE
) -> Iterator[Store]:
    """The store, with a call begun in it that rests on these inputs."""
    owners = tuple(Owner(name, f"Name of {name}", "", name, contents) for name, contents in inputs.submissions.items())
    with stores.open_store(path, fresh=fresh) as store:
        store.begin(KeptCall(inputs, owners), corrections)
        yield store


def records(store: Store) -> list[tuple[str, str]]:
    """The kept grades, by submission."""
    return [(kept.owner.submission, kept.record) for kept in store.kept()]


@pytest.fixture
def path(tmp_path):
    """The path of the store."""
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
        assert records(store) == [("b", "record of b"), ("a", "record of a")]
        assert [kept.page for kept in store.kept()] == ["page of b", "page of a"]


def test_dialogues_are_stored_compressed(path):
    """A repetitive text takes little room, and comes back as it was, surrogates as JSON writes them included."""
    turns = json.dumps([{"output": f"Player {n % 2 + 1}, 请选择\udce9\n", "typed": "A1\n"} for n in range(20_000)])
    page = "<p>Player 1, 请选择</p>\n" * 20_000
    with open_store(path, INPUTS) as store:
        store.add(Graded("a", "PB1", False, turns, page, 0.5))
        assert [(kept.record, kept.page) for kept in store.kept()] == [(turns, page)]
    assert path.stat().st_size < (len(turns.encode()) + len(page.encode())) / 10


def test_a_judge_error_gives_way_to_a_grade(path):
    """A submission on which the grader failed is not finished; graded again it is, once."""
    with open_store(path, INPUTS) as store:
        store.add(graded("a", judge_error=True))
        assert store.finished() == frozenset()
        store.add(graded("a"))
        assert (store.finished(), store.judge_errors()) == ({"a"}, frozenset())
        assert records(store) == [("a", "record of a")]


def test_what_has_changed_is_told(path):
    """A call with other inputs goes on in the same store, and says in words what is not as it was."""
    with open_store(path):
        pass
    owners = (Owner("a", "", "", "a", "2"), Owner("c", "", "", "c", "3"))
    later = Inputs("lc3-nim", "dearer", "judging", "1.1", {"a": "2", "c": "3"})
    with stores.open_store(path) as store:
        assert store.begin(KeptCall(later, owners)) == (
            "the spec has changed, but nothing that a verdict depends on: verdicts are kept and scored again",
            "it was graded by version 1.0, and what was handed in is graded again",
            "1 submission is new (c)",
            "1 submission is gone (b)",
        )
        assert store.begin(KeptCall(later, owners)) == ()


def test_only_what_is_new_or_changed_needs_a_grade(path):
    """A grade is found again by what was handed in, the part of the spec that judges, and the version; what is gone stays."""
    with open_store(path) as store:
        store.add(graded("a"))
        store.add(graded("b"))
    changed = {"c": "3", "a": "2", "b": "9"}
    with open_store(path, replace(INPUTS, submissions=changed)) as store:
        assert store.finished() == {"a"}
        store.add(graded("c"))
    with open_store(path, replace(INPUTS, spec="dearer", submissions={"a": "2"})) as store:
        assert store.finished() == {"a"}
        assert records(store) == [("a", "record of a")]
    for other in (replace(INPUTS, judging="other"), replace(INPUTS, engine="1.1")):
        with open_store(path, other) as store:
            assert store.finished() == frozenset()
    with open_store(path) as store:
        assert store.finished() == {"a", "b"}


def test_the_same_files_under_another_name(path):
    """A student who moved to another place in the class keeps the grade: the owner is whoever the roll says."""
    with open_store(path) as store:
        store.add(graded("a"))
    with open_store(path, replace(INPUTS, submissions={"a-2": "2"})) as store:
        (kept,) = store.kept()
        assert (kept.owner.student, kept.student_id, kept.record) == ("Name of a-2", "PB1", "record of a")


def test_calls_are_numbered_by_what_changes(path):
    """A call that changes nothing, as after a crash, has the number of the one before."""
    with open_store(path) as store:
        assert store.number == 1
    with open_store(path) as store:
        assert store.number == 1
    with open_store(path, replace(INPUTS, spec="dearer")) as store:
        assert store.number == 2


def test_what_grades_came_to_is_kept(path):
    """Each call leaves what differs from before, and an earlier one can be asked for."""
    with open_store(path) as store:
        store.keep_final([("a", "3 points"), ("b", "4 points")])
    with open_store(path, replace(INPUTS, spec="dearer")) as store:
        store.keep_final([("a", "2 points"), ("b", "4 points")])
        assert [store.final(name) for name in "abc"] == ["2 points", "4 points", None]
        assert store.final("a", call=1) == "3 points"
        assert store._connection.execute("SELECT count(*) FROM finals").fetchone() == (3,)


def test_another_assignment_is_refused(path):
    """The message names both ways out, and the first batch can go on."""
    with open_store(path) as store:
        store.add(graded("a"))
    with (
        pytest.raises(UsageError, match="it holds grades of lc3-nim") as refused,
        open_store(path, Inputs("c-nim", "spec", "judging", "1.0", {})),
    ):
        pass
    assert "another folder" in refused.value.hint
    assert "--fresh" in refused.value.hint
    with open_store(path) as store:
        assert store.finished() == {"a"}


def test_a_store_of_another_version_is_refused(path):
    """A store of an earlier version of the grader is not read as something else."""
    with open_store(path) as store:
        store._connection.execute("UPDATE batch SET format = 'grader/batch/3'")
        store._connection.commit()
    with pytest.raises(UsageError, match="another version"), open_store(path):
        pass
    with open_store(path, fresh=True) as store:
        assert store.finished() == frozenset()


def test_fresh_forgets(path):
    """With ``fresh`` the grades of another batch are forgotten, and of the same one too."""
    other = Inputs("c-nim", "spec", "judging", "1.0", {"a": "1"})
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
    """If the disk is full, a sentence says so; the grades before are kept, and others can follow."""
    with open_store(path, INPUTS) as store:
        store.add(graded("a"))
        store._connection.execute("PRAGMA max_page_count = 12")
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
    """Only programs of that wording are graded again, and only where they were never graded with the correction."""
    corrections = {"w1": {"undo": "y"}}
    with open_store(path) as store:
        store.add(replace(graded("a"), wording="w1"))
        store.add(replace(graded("b"), wording="w2"))
        assert store.finished() == {"a", "b"}
    with open_store(path, corrections=corrections) as store:
        assert store.finished() == {"b"}
        store.add(replace(graded("a"), wording="w1", corrections={"undo": "y"}))
        assert store.finished() == {"a", "b"}
    with open_store(path) as store:
        assert store.finished() == {"a", "b"}

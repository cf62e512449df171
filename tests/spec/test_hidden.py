"""The secret of a course, the day of a reveal, and what a failing hidden case tells: as a spec says them."""

from __future__ import annotations

import pickle
from datetime import date

import pytest

from grader.build.answer_key import answer_key
from grader.errors import SpecError
from grader.results import Reveals
from grader.spec.loader import load_assignment, read_assignment
from grader.spec.parts import for_judging
from grader.spec.secret import VARIABLE

LONG = "a secret of twenty letters"
SPEC = """assignment: x
title: X
submission: {required: [a.asm]}
program: {language: lc3, sources: [a.asm]}
reference: reference.py
secret: secret.txt
reveal: 2026-12-01
rubric: [{id: a, title: A, points: 1}]
cases:
  - {id: shown, title: Shown, criterion: a, differential: {games: 2, seed: 3}}
  - {id: kept, title: Kept, criterion: a, visibility: hidden, reveals: input, differential: {games: 2, seed: secret}}
  - {id: other, title: Other, criterion: a, visibility: staff, differential: {games: 2, seed: secret}}
"""


@pytest.fixture(autouse=True)
def no_secret_of_this_machine(monkeypatch):
    """A test has the secret that it sets."""
    monkeypatch.delenv(VARIABLE, raising=False)


@pytest.fixture
def spec(tmp_path):
    """Writes a spec, its reference and its secret."""

    def write(text: str = SPEC, secret: str | None = LONG):
        (tmp_path / "reference.py").write_text("def play():\n    yield 'Hello'\n")
        if secret is not None:
            (tmp_path / "secret.txt").write_text(f"{secret}\n")
        (tmp_path / "x.yaml").write_text(text)
        return tmp_path / "x.yaml"

    return write


def seeds(assignment):
    """The seeds of all cases."""
    return [case.differential.seed for case in assignment.spec.cases]


def told(path):
    """Code, place and message of every problem."""
    return [(d.code, d.span.line, d.message) for d in read_assignment(path).diagnostics]


def test_a_secret_seed_is_a_number_of_the_secret_and_of_its_case(spec):
    """Two cases have two seeds, the same each time; a seed that is written down stays."""
    first, second = load_assignment(spec()), load_assignment(spec())
    shown, kept, other = seeds(first)
    assert (shown, seeds(second)) == (3, seeds(first))
    assert isinstance(kept, int)
    assert kept != other


def test_another_secret_draws_other_games_and_is_another_assignment(spec):
    """What was judged by another secret is judged again; where a case stands in its file is no matter."""
    first = load_assignment(spec())
    other = load_assignment(spec(secret="another secret, as long"))
    assert seeds(first)[1] != seeds(other)[1]
    assert first.fingerprint != other.fingerprint
    assert for_judging(first).fingerprint != for_judging(other).fingerprint
    head, _, cases = SPEC.partition("cases:\n")
    reordered = load_assignment(spec(f"{head}cases:\n{chr(10).join(reversed(cases.splitlines()))}\n"))
    assert seeds(reordered) == seeds(first)[::-1]


def test_the_environment_goes_before_the_file(spec, monkeypatch):
    """A service keeps the secret among its own; then there need be no file."""
    by_file = load_assignment(spec())
    monkeypatch.setenv(VARIABLE, "the secret of the service")
    assert seeds(load_assignment(spec()))[1] != seeds(by_file)[1]
    monkeypatch.setenv(VARIABLE, LONG)
    assert seeds(load_assignment(spec(secret=None))) == seeds(by_file)


def test_the_secret_itself_is_nowhere_in_an_assignment(spec):
    """A worker elsewhere is sent numbers, and a record has a digest."""
    assignment = load_assignment(spec())
    assert LONG.encode() not in pickle.dumps(assignment)
    assert len(assignment.secret) == 16
    assert for_judging(assignment).secret == assignment.secret


def test_no_program_can_read_the_secret(spec):
    """It belongs to the answer key, wherever it lies."""
    path = spec()
    assert path.parent / "secret.txt" in answer_key(load_assignment(path))


def test_without_a_secret_there_is_a_sentence_with_the_place_of_its_first_seed(spec):
    """No file, an empty one and one that could be guessed."""
    (found,) = told(spec(secret=None))
    assert found[:2] == ("no-secret", 11)
    assert "the secret cannot be read from" in found[2]
    assert "there is no secret" in told(spec(secret=""))[0][2]
    assert "could be guessed" in told(spec(secret="1234"))[0][2]
    without = told(spec(SPEC.replace("secret: secret.txt\n", ""), secret=None))
    assert [f[2] for f in without] == [f"there is no secret: {VARIABLE} is not set, and the spec names no file for it"]
    with pytest.raises(SpecError):
        load_assignment(spec(SPEC, secret="1234"))


@pytest.mark.parametrize(
    ("before", "after", "code", "said"),
    [
        ("seed: 3", "seed: secret", "secret", "`shown` is visible, and shows what is drawn by the secret"),
        ("seed: secret", "seed: secrt", "value", "is no seed: a whole number, or `secret`"),
        ("2026-12-01", "1.12.2026", "value", "is no day such as 2026-12-01"),
        ("2026-12-01", "2026-13-01", "value", "is no day such as 2026-12-01"),
        ("title: Shown,", "title: Shown, reveals: turn,", "idle-key", "`shown` is visible"),
        ("seed: secret", "seed: 4", "idle-key", "nothing is drawn by the secret"),
    ],
)
def test_a_mistake_of_a_spec_is_told(before, after, code, said, spec):
    """A visible case with the secret, an invalid day, and keys without effect."""
    problems = told(spec(SPEC.replace(before, after)))
    assert problems
    assert any(said in message for _, _, message in problems), problems


def test_a_day_for_nothing_hidden_is_told(spec):
    """If every case is visible there is nothing to reveal."""
    text = SPEC.replace("visibility: hidden, reveals: input, ", "visibility: staff, ")
    assert ("idle-key", 7, "no case is hidden, so nothing is shown on that day") in told(spec(text))


@pytest.mark.parametrize(("day", "revealed"), [((2026, 11, 30), False), ((2026, 12, 1), True), ((2027, 1, 1), True)])
def test_hidden_cases_are_shown_from_their_day_on(day, revealed, spec):
    """The day is given by the command: without one nothing is shown."""
    assert load_assignment(spec(), date(*day)).revealed is revealed
    assert load_assignment(spec()).revealed is False


def test_what_a_failure_tells_is_nothing_to_a_judge(spec):
    """A changed level or day needs no run."""
    first = load_assignment(spec())
    other = load_assignment(spec(SPEC.replace("reveals: input", "reveals: full").replace("2026-12-01", "2027-01-01")))
    assert for_judging(first).fingerprint == for_judging(other).fingerprint
    assert other.spec.cases[1].reveals is Reveals.FULL

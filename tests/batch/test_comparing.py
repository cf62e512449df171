"""Two grades of one submission side by side."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.batch.comparing import Change, changes, grades_in, summed_up
from grader.batch.inputs import Inputs
from grader.batch.opening import last_call
from grader.batch.runner import regrade, run_batch
from grader.batch.store import open_store
from grader.batch.values import Call, KeptCall, Owner
from grader.cli.main import cli
from grader.errors import UsageError
from grader.report.record import dump
from grader.results import Adjustment, Charge, Grade, Verdict
from tests.batch.test_runner import PROGRAM, SPEC, archive, reports
from tests.report.sample_grades import full_marks


def lowered(grade: Grade, points: int = 24, **fields: object) -> Grade:
    """The grade with other points under its second criterion."""
    first, second, *rest = grade.criteria
    changed = replace(second, points=points, **fields)  # type: ignore[arg-type]
    return replace(grade, score=grade.score - 30 + points, criteria=(first, changed, *rest))


def test_equal_grades_have_no_changes():
    """An unchanged grade is not listed."""
    assert changes([full_marks()], [full_marks()]) == ()
    assert summed_up(()) == "no grade changes"


def test_a_case_that_fails_now_is_the_reason():
    """The criterion, its points before and after, and the case whose verdict differs are said."""
    before = full_marks()
    at = next(n for n, case in enumerate(before.cases) if case.criterion == before.criteria[1].id)
    failed = replace(before.cases[at], verdict=Verdict.WRONG_ANSWER, met=False)
    after = lowered(replace(before, cases=(*before.cases[:at], failed, *before.cases[at + 1 :])))
    (change,) = changes([before], [after])
    assert change.fell
    first, reason = change.lines()
    assert first.endswith(f"{before.score} → {before.score - 6} (-6)")
    assert "“Output exactly as in the example” (format): 30 / 30 → 24 / 30" in reason
    assert f"{failed.id} was accepted, now wrong answer" in reason
    assert summed_up((change,)) == "1 falls"


def test_scores_that_fall_come_first():
    """Among many that change without another score nobody overlooks the one whom a new spec costs points."""
    before = [replace(full_marks(), submission=name) for name in "abc"]
    first, *others = full_marks().criteria
    same = [replace(one, criteria=(replace(first, max_points=99), *others)) for one in before]
    found = changes(before, [same[0], lowered(before[1]), same[2]])
    assert [change.submission for change in found] == ["b", "a", "c"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"max_points": 40}, "it is worth 40 instead of 30"),
        ({"charges": (Charge("case", 6, (), "other letters"),)}, "case costs 6 instead of 0"),
    ],
)
def test_a_changed_price_is_the_reason(fields, said):
    """If no verdict differs, the present spec makes the difference."""
    (change,) = changes([full_marks()], [lowered(full_marks(), **fields)])
    assert said in change.why[0]


def test_what_staff_said_is_a_reason():
    """Lateness, an override or a decision is given in its own words."""
    late = replace(
        full_marks(), score=full_marks().score - 5, adjustments=(Adjustment("late", "handed in late: 1 day", -5),)
    )
    (change,) = changes([full_marks()], [late])
    assert change.why == ("Handed in late: 1 day (-5)",)
    assert changes([late], [full_marks()])[0].why == ("no longer: Handed in late: 1 day (-5)",)


def test_new_and_gone_submissions_do_not_fall():
    """Each is named with the score that it has, or had."""
    one, other = full_marks(), replace(full_marks(), submission="other", student="")
    assert [*changes([one], [other])] == [
        Change("other", "", None, other.score, ()),
        Change(one.submission, one.student, one.score, None, ()),
    ]
    assert summed_up(changes([one], [other])) == "1 new, 1 gone"
    assert not any(change.fell for change in changes([one], [other]))


def test_a_batch_can_be_asked_how_it_was(tmp_path):
    """FOLDER is the batch as it is, FOLDER@1 as it was after its first call."""
    with open_store(tmp_path / "grades.db") as store:
        for spec, grade in (("one", full_marks()), ("two", lowered(full_marks()))):
            owner = Owner(grade.submission, grade.student, "", "", "contents")
            store.begin(KeptCall(Inputs("lc3-nim", spec, "judging", "1", {grade.submission: "contents"}), (owner,)))
            store.keep_final([(grade.submission, dump(grade))])
    now, then = grades_in(str(tmp_path)), grades_in(f"{tmp_path}@1")
    assert changes(then, now)[0].fell
    for words, code in (([f"{tmp_path}@1", str(tmp_path)], 1), ([str(tmp_path), f"{tmp_path}@1"], 0)):
        done = CliRunner().invoke(cli, ["compare", *words], catch_exceptions=False, standalone_mode=False)
        assert done.return_value == code
        assert "Output exactly as in the example" in done.output
    with pytest.raises(UsageError, match="its calls are 1 to 2"):
        grades_in(f"{tmp_path}@3")
    with pytest.raises(UsageError, match="holds no batch"):
        grades_in(str(tmp_path / "other"))


def test_regrade_shows_what_would_change_and_changes_nothing(tmp_path):
    """A dearer spec raises a score and a stricter one lowers it; the reports stay until the batch is called."""
    submissions, out = tmp_path / "submissions", tmp_path / "out"
    submissions.mkdir()
    (submissions / "PB00000001.zip").write_bytes(archive(1, PROGRAM))
    run_batch(Call(SPEC, [submissions], out, jobs=1))
    before = reports(out)
    assert regrade(replace(last_call(out), jobs=1)) == ()
    other = Path(tmp_path / "other.yaml")
    text = SPEC.read_text(encoding="utf-8")
    other.write_text(text.replace("points: 2", "points: 3"), encoding="utf-8")
    (change,) = regrade(replace(last_call(out), spec=other, jobs=1))
    assert (change.before, change.after) == (3, 4)
    other.write_text(text.replace("ROW A: ooo", "ROW A: oooo"), encoding="utf-8")
    (change,) = regrade(replace(last_call(out), spec=other, jobs=1))
    assert (change.after, change.fell) == (1, True)
    assert "board was accepted, now wrong answer" in change.why[0]
    assert reports(out) == before
    assert regrade(replace(last_call(out), jobs=1)) == ()
    run_batch(Call(other, [submissions], out, jobs=1))
    assert changes(grades_in(f"{out}@1"), grades_in(str(out))) == (change,)

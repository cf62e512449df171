"""Points: shares, slips, deductions, bonus, what is open, and the one rounding."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from grader.results import CHARGED_ELSEWHERE, CaseResult, Finding, Status, Verdict, Visibility, Weight
from grader.scoring import priced, rounded, score
from grader.spec.model import Spec


def spec(rubric, cases, **more):
    """A spec with this rubric and cases (id, criterion, defect)."""
    return Spec.model_validate(
        {
            "assignment": "x",
            "title": "X",
            "program": {"language": "lc3", "sources": ["x.asm"]},
            "rubric": [{"title": "T", **one} for one in rubric],
            "cases": [{"id": i, "title": "T", "criterion": c, "defect": d, "play": "A1"} for i, c, d in cases],
            **more,
        }
    )


def result(id, criterion, met, verdict=None, *findings, kind="transcript"):
    """A case result of that criterion."""
    verdict = verdict or (Verdict.ACCEPTED if met else Verdict.WRONG_ANSWER)
    return CaseResult(id, "T", kind, criterion, verdict, Visibility.VISIBLE, met, tuple(findings))


CASES = [("a", "c", "k"), ("b", "c", "k"), ("d", "c", "m")]


@pytest.mark.parametrize(("counts", "points"), [("all", 0), ("each", Fraction(20, 3)), ("kinds", 5)])
def test_cases_add_up_as_the_criterion_says(counts, points):
    """One failure of three costs all, a third, or its kind of defect."""
    one = spec([{"id": "c", "points": 10, "counts": counts}], CASES)
    results = [result("a", "c", True), result("b", "c", False), result("d", "c", True)]
    assert score(one, results).score == rounded(Fraction(points), Fraction(1, 100))


def test_all_met_earns_all():
    """Every criterion is full when all its cases are met."""
    for counts in ("all", "each", "kinds"):
        one = spec([{"id": "c", "points": 10, "counts": counts}], CASES)
        assert score(one, [result(i, "c", True) for i, _, _ in CASES]).score == 10


@pytest.mark.parametrize(("failed", "points"), [("a", 2), ("d", 8)])
def test_kinds_of_defects_have_weights(failed, points):
    """A kind that weighs four times as much costs four times as much."""
    one = spec([{"id": "c", "points": 10, "counts": "kinds", "weights": {"k": 4}}], CASES)
    assert score(one, [result(i, "c", i != failed) for i, _, _ in CASES]).score == points


@pytest.mark.parametrize(("failed", "points"), [("a", 4), ("ab", 4), ("d", 3), ("ad", 0), ("", 10)])
def test_kinds_of_defects_have_prices(failed, points):
    """Each kind takes its price off, however many there are, and no more than there is."""
    one = spec([{"id": "c", "points": 10, "counts": "kinds", "prices": {"k": 6, "m": 7}}], CASES)
    assert score(one, [result(i, "c", i not in failed) for i, _, _ in CASES]).score == points


@pytest.mark.parametrize(("counts", "points"), [("all", 10), ("each", 10), ("kinds", 10)])
def test_what_could_not_be_tried_costs_nothing(counts, points):
    """Nor does it make dearer what did fail: of two kinds, one failed costs a half, whether the other could be tried or not."""
    one = spec([{"id": "c", "points": 10, "counts": counts}], CASES)
    results = [result(i, "c", i != "d", Verdict.UNJUDGED if i == "d" else None) for i, _, _ in CASES]
    both = [result(i, "c", i == "b", Verdict.UNJUDGED if i == "d" else None) for i, _, _ in CASES]
    assert score(one, both).score == {"all": 0, "each": 6.67, "kinds": 5}[counts]
    assert score(one, results).score == points
    assert "1 could not be tried" in score(one, [*results[:1], result("b", "c", False), results[2]]).criteria[0].reason


@pytest.mark.parametrize("counts", ["all", "each", "kinds"])
def test_what_could_not_be_tried_earns_nothing_by_itself(counts):
    """If all judged cases are wrong, the rest is no right answer."""
    one = spec([{"id": "c", "points": 10, "counts": counts}], CASES)
    assert score(one, [result(i, "c", False, Verdict.UNJUDGED if i == "d" else None) for i, _, _ in CASES]).score == 0


def test_a_criterion_of_which_nothing_could_be_tried_is_open():
    """It is neither earned nor lost: a person decides."""
    one = spec([{"id": "c", "points": 10}], CASES)
    scored = score(one, [result(i, "c", False, Verdict.UNJUDGED) for i, _, _ in CASES])
    assert (scored.score, scored.open_points, scored.criteria[0].status) == (0, 10, Status.NEEDS_REVIEW)


def test_a_case_may_be_met_in_part():
    """It earns its share of the points, exactly."""
    one = spec([{"id": "c", "points": 10}], [("a", "c", None)])
    case = replace(result("a", "c", False), share=(3, 4))
    assert score(one, [case]).score == 7.5


def slips(*kinds):
    """Findings that are slips of these kinds."""
    return [Finding(kind, "seen", weight=Weight.SLIP) for kind in kinds]


TEXT = {"criterion": "form", "slips": {"case": 1, "wording": "whole", "echo": {"criterion": "c", "price": "1/3"}}}
FORM = [{"id": "form", "points": 4}, {"id": "c", "points": 10}]
FORM_CASES = [("f", "form", None), ("a", "c", None), ("b", "c", None)]


def test_a_slip_is_charged_once_to_the_criterion_that_the_spec_names():
    """The same kind in three cases costs once; the criteria of those cases pay nothing."""
    one = spec(FORM, FORM_CASES, text=TEXT)
    results = [result(i, c, True, Verdict.FORM, *slips("case")) for i, c, _ in FORM_CASES]
    scored = score(one, results)
    assert scored.score == 13
    (charge,) = scored.criteria[0].charges
    assert (charge.slip, charge.points, charge.cases) == ("case", 1, ("f", "a", "b"))
    assert scored.criteria[1].points == 10


def test_a_whole_criterion_is_the_most_that_slips_cost():
    """`whole` takes all, and further slips cannot take more."""
    one = spec(FORM, FORM_CASES, text=TEXT)
    results = [result(i, c, True, Verdict.FORM, *slips("case", "wording")) for i, c, _ in FORM_CASES]
    scored = score(one, results)
    assert (scored.criteria[0].points, scored.score) == (0, 10)


@pytest.mark.parametrize(
    ("first", "second", "kind", "points", "still_open"),
    [
        (Verdict.SKIPPED, Verdict.SKIPPED, "points", 0, 0),
        (Verdict.SKIPPED, Verdict.UNJUDGED, "points", 0, 0),
        (Verdict.UNJUDGED, Verdict.UNJUDGED, "points", 0, 14),
        (Verdict.JUDGE_ERROR, Verdict.SKIPPED, "points", 0, 14),
        (Verdict.WRONG_ANSWER, Verdict.SKIPPED, "points", 4, 0),
        (Verdict.SKIPPED, Verdict.SKIPPED, "deduction", 0, 0),
    ],
)
def test_form_without_any_output_earns_nothing(first, second, kind, points, still_open):
    """A criterion that slips alone decide is not earned where no case ran, and is open where a person must look first."""
    one = spec([{"id": "form", "points": 4, "kind": kind}, FORM[1]], FORM_CASES[1:], text=TEXT)
    built = result("builds", None, True, kind="source")
    scored = score(one, [built, result("a", "c", False, first), result("b", "c", False, second)])
    assert (scored.score, scored.open_points) == (points, still_open)
    assert scored.criteria[0].points == (None if still_open else 4 if kind == "deduction" else points)


def test_a_slip_may_have_a_criterion_of_its_own():
    """An exact fraction is charged to the criterion that the slip names."""
    one = spec(FORM, FORM_CASES, text=TEXT)
    results = [result(i, c, True, Verdict.FORM, *slips("echo")) for i, c, _ in FORM_CASES]
    assert score(one, results).score == 13.67


def test_deductions_and_bonus():
    """A deduction takes its points off when a case fails; a bonus counts beyond the maximum; nothing falls below zero."""
    rubric = [
        {"id": "c", "points": 3},
        {"id": "late", "points": 5, "kind": "deduction"},
        {"id": "extra", "points": 2, "kind": "bonus"},
    ]
    one = spec(rubric, [("a", "c", None), ("l", "late", None), ("e", "extra", None)])

    def total(a, late, extra):
        scored = score(one, [result("a", "c", a), result("l", "late", late), result("e", "extra", extra)])
        assert scored.max_points == 3
        return scored.score

    assert total(True, True, False) == 3
    assert total(True, True, True) == 5
    assert total(True, False, True) == 0
    assert total(False, False, False) == 0


@pytest.mark.parametrize(
    ("verdict", "status"),
    [(Verdict.JUDGE_ERROR, Status.JUDGE_ERROR), (Verdict.NEEDS_REVIEW, Status.NEEDS_REVIEW)],
)
def test_what_we_cannot_judge_is_open_and_not_lost(verdict, status):
    """A judge error or an open question leaves the criterion without points and its points open."""
    manual = {"id": "m", "points": 5, "manual": True, "counts": "kinds"}
    one = spec([{"id": "c", "points": 10}, manual], CASES)
    scored = score(one, [result("a", "c", True), result("b", "c", False, verdict), result("d", "c", True)])
    assert (scored.criteria[0].points, scored.criteria[0].status) == (None, status)
    assert (scored.score, scored.open_points, scored.max_points) == (0, 15, 15)
    assert scored.criteria[1].status is Status.MANUAL


@pytest.mark.parametrize("verdict", [Verdict.NEEDS_REVIEW, Verdict.JUDGE_ERROR])
@pytest.mark.parametrize(
    ("counts", "points", "left_open", "lost"),
    [("kinds", 5, 5, 0), ("each", 6.67, 3.33, 0), ("all", None, 10, 0)],
)
def test_a_case_that_waits_opens_what_rests_on_it(counts, points, left_open, lost, verdict):
    """Of kinds that is its kind, of single cases its share, and else all: the rest is earned."""
    one = spec([{"id": "c", "points": 10, "counts": counts}], CASES)
    (found,) = score(one, [result(i, "c", i != "b", verdict if i == "b" else None) for i, _, _ in CASES]).criteria
    assert (found.points, found.open, found.lost) == (points, left_open, lost)
    assert str(found.status) == str(verdict)


@pytest.mark.parametrize(
    ("counts", "points", "left_open", "lost"),
    [("kinds", 0, 5, 5), ("each", 3.33, 3.34, 3.33), ("all", None, 10, 0)],
)
def test_what_is_judged_beside_a_case_that_waits_is_lost(counts, points, left_open, lost):
    """The kind or the case that failed is lost for certain, and no more is open than what waits."""
    one = spec([{"id": "c", "points": 10, "counts": counts}], CASES)
    wrong = [result("a", "c", True), result("b", "c", False, Verdict.NEEDS_REVIEW), result("d", "c", False)]
    scored = score(one, wrong)
    (found,) = scored.criteria
    assert (found.points, found.open, found.lost) == (points, left_open, lost)
    assert scored.score + scored.open_points + lost == 10


@pytest.mark.parametrize(("failed", "points", "left_open"), [("", 4, 6), ("d", 0, 3), ("b", 4, 6)])
def test_prices_of_what_waits_are_open_as_far_as_points_are_left(failed, points, left_open):
    """A kind for 6 of 10 points waits; with another for 7 lost, 3 are left to wait for. A kind that waits is open whatever else it shows."""
    one = spec([{"id": "c", "points": 10, "counts": "kinds", "prices": {"k": 6, "m": 7}}], CASES)
    results = [result(i, "c", i not in f"a{failed}", Verdict.NEEDS_REVIEW if i == "a" else None) for i, _, _ in CASES]
    (found,) = score(one, results).criteria
    assert (found.points, found.open) == (points, left_open)


def test_a_slip_is_paid_by_what_is_earned_before_what_is_open():
    """A slip for 7 takes the 5 that are earned and 2 of the 5 that are open, so that both ends of what is open are right."""
    text = {"criterion": "c", "slips": {"case": 7}}
    one = spec([{"id": "c", "points": 10, "counts": "kinds"}], CASES, text=text)
    shown = Finding("case", "seen", weight=Weight.SLIP)
    ends = {}
    for verdict in (Verdict.NEEDS_REVIEW, Verdict.ACCEPTED, Verdict.WRONG_ANSWER):
        met = verdict is Verdict.ACCEPTED
        results = [result("a", "c", True, Verdict.FORM, shown), result("b", "c", True), result("d", "c", met, verdict)]
        ends[verdict] = score(one, results)
    assert (ends[Verdict.NEEDS_REVIEW].score, ends[Verdict.NEEDS_REVIEW].open_points) == (0, 3)
    assert (ends[Verdict.ACCEPTED].score, ends[Verdict.WRONG_ANSWER].score) == (3, 0)


def test_a_deduction_takes_off_what_is_lost_for_certain():
    """What of it waits for a person costs nothing until it is decided."""
    rubric = [{"id": "p", "points": 10}, {"id": "c", "points": 4, "kind": "deduction", "counts": "kinds"}]
    one = spec(rubric, [*CASES, ("e", "c", "n"), ("p", "p", None)])
    results = [result("p", "p", True), result("a", "c", False, Verdict.NEEDS_REVIEW), result("b", "c", True)]
    assert score(one, [*results, result("d", "c", True), result("e", "c", True)]).score == 10
    assert score(one, [*results, result("d", "c", False), result("e", "c", True)]).score == 8.67


def test_a_criterion_is_open_where_all_waits_or_could_not_be_tried():
    """Nothing was judged: what could not be tried earns nothing beside a case that waits."""
    one = spec([{"id": "c", "points": 10, "counts": "kinds"}], CASES)
    results = [result(i, "c", False, Verdict.NEEDS_REVIEW if i == "d" else Verdict.UNJUDGED) for i, _, _ in CASES]
    (found,) = score(one, results).criteria
    assert (found.points, found.open) == (None, 10)


@pytest.mark.parametrize(("plays", "points"), [(True, 5), (False, 0), (None, 0)])
def test_a_kind_that_never_came_about_costs_nothing_where_the_program_was_seen_to_play(plays, points):
    """All else of the criterion is wrong: it keeps its points after a case that saw the program, and else nothing seen is nothing earned."""
    one = spec([{"id": "c", "points": 10, "counts": "kinds"}], [("plays", None, None), *CASES])
    required = ("plays",) if plays is not None else ()
    cases = tuple(case.model_copy(update={"requires": required if case.criterion else ()}) for case in one.cases)
    one = one.model_copy(update={"cases": cases})
    results = [result(i, "c", False, Verdict.UNJUDGED if i == "d" else None) for i, _, _ in CASES]
    assert score(one, [result("plays", None, bool(plays)), *results]).score == points


@pytest.mark.parametrize(
    ("plays", "code", "points"),
    [(True, CHARGED_ELSEWHERE, 10), (True, "unjudged", None), (False, CHARGED_ELSEWHERE, None)],
)
def test_kinds_that_a_charged_mistake_kept_from_coming_about_cost_nothing(plays, code, points):
    """The whole criterion keeps its points where the program was seen to play; where nobody charges why, it is open."""
    one = spec([{"id": "c", "points": 10, "counts": "kinds"}], [("plays", None, None), *CASES])
    cases = tuple(case.model_copy(update={"requires": ("plays",) if case.criterion else ()}) for case in one.cases)
    one = one.model_copy(update={"cases": cases})
    results = [result(i, "c", False, Verdict.UNJUDGED, Finding(code, "why")) for i, _, _ in CASES]
    (found,) = score(one, [result("plays", None, plays), *results]).criteria
    assert (found.points, found.open) == (points, 0 if points else 10)


def test_score_and_what_is_open_come_to_what_the_score_may_become():
    """Rounded each by itself, 45.5 and 4.5 of 50 would come to 51."""
    rubric = [{"id": "c", "points": 91, "counts": "kinds", "weights": {"k": 90, "m": 1}}]
    one = spec(rubric, CASES, rounding="2")
    scored = score(one, [result("a", "c", True), result("b", "c", True), result("d", "c", False, Verdict.NEEDS_REVIEW)])
    assert (scored.score, scored.open_points, scored.complete) == (90, 2, False)
    small = score(
        one.model_copy(update={"rounding": Fraction(20)}),
        [result("a", "c", True), result("b", "c", True), result("d", "c", False, Verdict.NEEDS_REVIEW)],
    )
    assert (small.score, small.open_points, small.complete) == (100, 1, False)


def test_a_skipped_case_is_not_met():
    """A case that could not run because something else failed earns nothing."""
    one = spec([{"id": "c", "points": 10}], CASES)
    assert score(one, [result(i, "c", False, Verdict.SKIPPED) for i, _, _ in CASES]).score == 0


def test_criteria_whose_cases_were_not_run_are_left_out():
    """A grade of chosen cases speaks of their criteria alone."""
    one = spec([{"id": "c", "points": 10}, {"id": "form", "points": 4}], [*CASES, ("f", "form", None)])
    scored = score(one, [result("f", "form", True)])
    assert ([c.id for c in scored.criteria], scored.max_points) == (["form"], 4)


@pytest.mark.parametrize(
    ("value", "grain", "shown"),
    [
        (Fraction(1, 3), Fraction(1, 100), 0.33),
        (Fraction(2, 3), Fraction(1, 2), 0.5),
        (Fraction(3, 4), Fraction(1, 2), 1),
        (Fraction(5, 2), Fraction(1), 3),
        (Fraction(5), Fraction(1, 4), 5),
    ],
)
def test_rounding_is_half_up_to_the_grain(value, grain, shown):
    """The score is rounded once, halves up; whole numbers are ints."""
    assert rounded(value, grain) == shown
    assert isinstance(rounded(value, grain), int) == (shown == int(shown))


def _prices(one, *results):
    return {case.id: case.price for case in priced(one, results)}


def test_a_case_costs_what_all_that_require_it_lose():
    """A case without a criterion of its own is as dear as the cases that were skipped for it, at any distance."""
    rubric = [{"id": "c", "points": 10, "counts": "each"}, {"id": "e", "points": 3}]
    one = spec(rubric, [("plays", None, None), ("a", "c", None), ("b", "c", None), ("d", "e", None)])
    chain = {"a": ("plays",), "b": ("a",)}
    cases = tuple(case.model_copy(update={"requires": chain.get(case.id, ())}) for case in one.cases)
    one = one.model_copy(update={"cases": cases})
    skipped = [result(name, "c", False, Verdict.SKIPPED) for name in ("a", "b")]
    found = _prices(one, result("plays", None, False), *skipped, result("d", "e", False))
    assert found == {"plays": 10, "a": 0, "b": 0, "d": 3}


@pytest.mark.parametrize(("counts", "price"), [("all", 10), ("each", 3.33), ("kinds", 5)])
def test_a_case_costs_what_it_would_lose_alone(counts, price):
    """The price is that of the mistake by itself: what others lose beside it makes it neither dearer nor cheaper."""
    one = spec([{"id": "c", "points": 10, "counts": counts}], CASES)
    failed = [result("a", "c", False), result("b", "c", False), result("d", "c", True)]
    assert _prices(one, *failed) == {"a": price, "b": price, "d": 0}


def test_a_slip_costs_its_price_in_each_case_that_shows_it():
    """A bonus costs nothing, and where no points are given nothing has a price."""
    text = {"criterion": "c", "slips": {"case": 2, "spacing": 1}}
    one = spec(
        [{"id": "c", "points": 5}, {"id": "e", "points": 9, "kind": "bonus"}],
        [("a", "c", None), ("b", "e", None)],
        text=text,
    )
    slips = [Finding(kind, kind, weight=Weight.SLIP) for kind in ("case", "spacing")]
    form = result("a", "c", True, Verdict.FORM, *slips)
    assert _prices(one, form, result("b", "e", False)) == {"a": 3, "b": 0}
    assert _prices(one.model_copy(update={"rubric": ()}), form) == {"a": 0}

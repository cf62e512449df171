"""The unit tests of a spec as cases: one for each test that is expected, so that each has a verdict and points of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from grader.results import Visibility
from grader.spec.model import Case, Spec

_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NO_SLUG = re.compile(r"[^a-z0-9]+")


def one_case_each(spec: Spec) -> Spec:
    """The spec with a case for each expected test in place of a case for many; who rests on that one rests on all of them."""
    if not any(case.tests is not None for case in spec.cases):
        return spec
    taken = {case.id for case in spec.cases}
    made = {case.id: tuple(_cases(case, spec, taken)) for case in spec.cases if case.tests is not None}
    ids = {name: tuple(case.id for case in cases) for name, cases in made.items()}
    cases = (one for case in spec.cases for one in made.get(case.id, (case,)))
    return spec.model_copy(update={"cases": tuple(_resting_on(case, ids) for case in cases)})


def _cases(case: Case, spec: Spec, taken: set[str]) -> Iterator[Case]:
    """A case for each test. The name of a test says what it tries: where the case is hidden it has a number instead."""
    assert case.tests is not None
    runs = spec.case(case.tests.run_of).tests if case.tests.run_of else case.tests
    assert runs is not None
    expected = case.tests.expects
    for number, (name, counts) in enumerate(expected.items(), start=1):
        shown = f"test {number}" if case.visibility is Visibility.HIDDEN else name
        update: dict[str, object] = {"tests": runs.model_copy(update={"expects": {name: Fraction(1)}})}
        if len(expected) > 1:
            slug = _NO_SLUG.sub("-", _WORDS.sub("-", shown).lower()).strip("-")
            update["id"] = _free(f"{case.id}-{slug or number}", taken)
            update["title"], update["weight"] = f"{case.title}: {shown}", case.weight * counts
        yield case.model_copy(update=update)


def _free(wanted: str, taken: set[str]) -> str:
    """A name that no other case has; it is taken from then on."""
    names = (wanted, *(f"{wanted}-{more}" for more in range(2, len(taken) + 3)))
    free = next(name for name in names if name not in taken)
    taken.add(free)
    return free


def _resting_on(case: Case, ids: Mapping[str, Iterable[str]]) -> Case:
    """The case, resting on every test where it rested on the case of them all."""
    rests = {"requires": case.requires, "unless": case.unless}
    update = {key: tuple(one for name in names for one in ids.get(name, (name,))) for key, names in rests.items()}
    return case if update == rests else case.model_copy(update=update)

"""The two parts of a spec: one that runs depend on, and one that only scoring reads.

The second part has titles, the language, hints, points, weights, prices and the policy on lateness. The spec that a
judge gets lacks it, so kept verdicts cannot depend on it, and a changed price or hint needs no run. A finding that
quotes a title or a hint has a mark in its place, which scoring fills in. A mark carries the digest of the spec, which
no program can know.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from grader.results import Reveals
from grader.spec.loader import Assignment
from grader.spec.model import Case, Criterion, Slip, Spec
from grader.spec.values import FORGIVE

_JUDGED = "judged"
_ONE_POINT = Fraction(1)
# so that no program can print a mark by chance
_TOKEN = 16  # hexadecimal digits


def for_judging(assignment: Assignment) -> Assignment:
    """The assignment without the part for scoring; its fingerprint covers everything that a verdict can depend on."""
    bare = _bare(assignment.spec, lambda *_: "")
    data = json.dumps(bare.model_dump(), default=str, sort_keys=True)
    fingerprint = hashlib.sha256(f"{assignment.files_sha256}\n{data}".encode("utf-8", "surrogateescape")).hexdigest()
    marked = _bare(assignment.spec, _marks(fingerprint[:_TOKEN]))
    return replace(assignment, spec=marked, fingerprint=fingerprint)


def filler(assignment: Assignment, judged: Assignment) -> Callable[[str], str]:
    """A function that puts titles and hints of ``assignment`` into a text made by ``judged``, its part for judging."""
    texts: dict[str, str] = {}
    mark = _marks(judged.fingerprint[:_TOKEN])
    for case in assignment.spec.cases:
        texts |= {mark("title", case.id): case.title, mark("hint", case.id): case.hint}
        for number, construct in enumerate(case.source.constructs if case.source else ()):
            texts[mark("construct", case.id, number)] = construct.hint
    # U+FDD0 and U+FDD1 are no characters: Unicode leaves them to what happens inside of programs.
    pattern = re.compile(f"\ufdd0{judged.fingerprint[:_TOKEN]}:[a-z]+:[a-z0-9-]+:[0-9]+\ufdd1")

    def fill(text: str) -> str:
        return pattern.sub(lambda match: texts.get(match[0], ""), text) if "\ufdd0" in text else text

    return fill


_Mark = Callable[..., str]


def _marks(token: str) -> _Mark:
    return lambda what, case, number=0: f"\ufdd0{token}:{what}:{case}:{number}\ufdd1"


def _bare(spec: Spec, mark: _Mark) -> Spec:
    # A forgiven slip is not a slip for a judge; the prices and payers of the others do not matter to it.
    slips = {
        kind: slip.model_copy(update={"criterion": None}) if slip.price == FORGIVE else Slip(price=_ONE_POINT)
        for kind, slip in spec.text.slips.items()
    }
    return spec.model_copy(
        update={
            "title": _JUDGED,
            # A grade is English, and is translated where a report is written.
            "language": "en",
            "text": spec.text.model_copy(update={"criterion": None, "slips": slips}),
            "rubric": (Criterion(id=_JUDGED, title=_JUDGED, points=_ONE_POINT),),
            "rounding": _ONE_POINT,
            "late": None,
            "secret": None,
            "reveal": None,
            "cases": tuple(_case(case, mark) for case in spec.cases),
        }
    )


def _case(case: Case, mark: _Mark) -> Case:
    """The case for a judge, who may know whether it has a criterion, but not which."""
    update: dict[str, object] = {
        "title": mark("title", case.id),
        "hint": mark("hint", case.id),
        "criterion": None if case.criterion is None else _JUDGED,
        "defect": None,
        "weight": _ONE_POINT,
        "reveals": Reveals.VERDICT,
    }
    if case.source is not None:
        hints = (mark("construct", case.id, number) for number in range(len(case.source.constructs)))
        pairs = zip(case.source.constructs, hints, strict=True)
        marked = tuple(construct.model_copy(update={"hint": hint}) for construct, hint in pairs)
        update["source"] = case.source.model_copy(update={"constructs": marked})
    return case.model_copy(update=update)

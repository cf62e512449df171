"""Rules on what is hidden: the secret that it is drawn by, the day on which it is shown, and how much a failure tells."""

from __future__ import annotations

from collections.abc import Iterator

from grader.results import Visibility
from grader.spec.document import Loc
from grader.spec.problem import Problem
from grader.spec.rules.draft import Draft, Rule
from grader.spec.secret import SHORTEST, VARIABLE, find_secret, secret_seeds


def _seeds(draft: Draft) -> Iterator[tuple[Loc, tuple[int, ...]]]:
    """The place of each `seed: secret`, and the cases that look at what it draws."""
    for index, case in draft.cases.items():
        for loc in secret_seeds(case):
            yield ("cases", index, *loc), (index,)
    for name, games in draft.games.items():
        for loc in secret_seeds(games):
            yield ("games", name, *loc), tuple(i for i, case in draft.cases.items() if case.game == name)


def secret(draft: Draft) -> Iterator[Problem]:
    """A secret seed is for what is hidden, and needs a secret; a secret is for some seed."""
    seeds = list(_seeds(draft))
    for loc, cases in seeds:
        shown = next((draft.cases[i].id for i in cases if draft.cases[i].visibility is Visibility.VISIBLE), None)
        if shown is not None:
            message = f"`{shown}` is visible, and shows what is drawn by the secret"
            yield Problem("secret", message, loc, "give it `visibility: hidden`, or a seed of its own")
    found = find_secret(draft.folder / draft.secret if draft.secret is not None else None) if seeds else None
    if isinstance(found, str):
        hint = f"set {VARIABLE}, or name in `secret` a file of {SHORTEST} characters or more that students never see"
        yield Problem("no-secret", found, seeds[0][0], hint)
    if draft.complete and draft.secret is not None and not seeds:
        yield Problem.idle("nothing is drawn by the secret", ("secret",), "write `seed: secret` somewhere")


def reveals(draft: Draft) -> Iterator[Problem]:
    """What a failure tells is said of hidden cases; a day is named where there are some."""
    hidden = [case for case in draft.cases.values() if case.visibility is Visibility.HIDDEN]
    for index, case in draft.cases.items():
        loc: Loc = ("cases", index, "reveals")
        if "reveals" in case.model_fields_set and case.visibility is not Visibility.HIDDEN:
            yield Problem.idle(f"`{case.id}` is {case.visibility}", loc, "`reveals` is for hidden cases")
    if draft.complete and draft.reveal is not None and not hidden:
        message = "no case is hidden, so that nothing is shown on that day"
        yield Problem.idle(message, ("reveal",), "remove it, or hide a case")


RULES: tuple[Rule, ...] = (secret, reveals)

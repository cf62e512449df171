"""Faults that games give an occasion for and that no case asks for.

Some mistakes show only after a refusal: a count that is stored before it is checked, a winner by the number of prompts. So what
costs points at all is also to be asked for in games in which illegal answers are typed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grader.games.referee import CRASH
from grader.games.rehearsal import Rehearsal
from grader.source import Severity
from grader.spec.kinds.runs import GameSet
from grader.spec.model import Spec
from grader.spec.problem import Problem


def unasked_faults(spec: Spec, rehearsal: Rehearsal) -> Iterator[Problem]:
    """A warning for all sets of games, and one for those with illegal answers. Raises JudgeError as a rehearsal does.

    Some case is to ask for each fault of the referee. A fault that costs points is wanted in games with illegal answers as well.
    """
    judging = [case for case in spec.cases if case.game]
    kinds = [kind for kind in rehearsal.referee.faults if kind != CRASH]
    everywhere = {kind for case in judging for kind in case.faults}
    yield from _warned(rehearsal, spec.games, [kind for kind in kinds if kind not in everywhere], "any game")
    # Where positions are covered the game goes on from before each refusal.
    refusing = {name: games for name, games in spec.games.items() if games.illegal and not games.covers}
    there = {kind for case in judging if case.game in refusing for kind in case.faults}
    priced = {kind for case in judging if case.criterion for kind in case.faults}
    missing = [kind for kind in kinds if kind in priced - there]
    yield from _warned(rehearsal, refusing, missing, "games in which illegal answers are typed")


def _warned(rehearsal: Rehearsal, sets: Mapping[str, GameSet], kinds: list[str], where: str) -> Iterator[Problem]:
    """A warning, at the first of these sets, of those kinds that have an occasion in any of them."""
    if not kinds:
        return
    shown = {name for games in sets.values() for game in rehearsal.games(games) for name in game.occasions}
    possible = [f"`{kind}`" for kind in kinds if shown.intersection(rehearsal.referee.occasions_for((kind,)))]
    if possible:
        message = (
            f"no case asks for {', '.join(possible)} in {where}: a program with such a mistake loses nothing by it"
        )
        hint = "add it to the `faults` of a case, or add a case for what shows nowhere else"
        yield Problem("unasked-fault", message, ("games", next(iter(sets))), hint, severity=Severity.WARNING)

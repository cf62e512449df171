"""Programs that take too long in games: each costs its limit, so only as many are played as are needed."""

from __future__ import annotations

import pytest

from grader.build.built import Built
from grader.grading.cases import judge_case
from grader.grading.scripts import Scripts
from grader.grading.trial import Trial
from grader.results import Verdict
from grader.transcript import Ending, EndingKind
from tests.grading.small import assignment, submission
from tests.grading.test_decides import RIGHT, Echo
from tests.grading.test_dialogues import GAME, REFEREE

CASES = "\n".join(
    f"  - {{id: keys-{n}, title: Keys, criterion: keys, game: {{games: 12, seed: {n}, faults: [wrong-key]}}}}"
    for n in range(3)
)
CRASHES = """
  - {id: crashes, title: Crashes, criterion: ending, game: {games: 12, seed: 0, faults: [crash]}}
  - {id: person, title: A person, criterion: refusals, manual: Is it?}
"""


class Hangs(Echo):
    """A program that computes without end after so many answers."""

    def __init__(self, after: int) -> None:
        super().__init__(RIGHT)
        self.after = after

    def advance(self) -> Ending | None:
        """Ask, or be stopped."""
        self.turn += 1
        return Ending(EndingKind.TIME_LIMIT, "too long") if self.turn > self.after else None


@pytest.mark.parametrize(
    ("answers", "starts", "verdict"),
    [(2, [3, 1, 1], Verdict.ACCEPTED), (1, [3, 3, 3], Verdict.TIME_LIMIT)],
)
def test_after_some_games_that_hang_one_of_each_case_is_enough(tmp_path, answers, starts, verdict):
    """Three games are waited for in the first case, and one in each further case, unless it shows too little by itself."""
    spec = GAME[: GAME.index("  - {id: keys,")] + CASES + CRASHES
    loaded = assignment(tmp_path, spec=spec, reference=REFEREE)
    program = Hangs(answers)
    one = Trial(
        loaded.spec, submission(), Built(Verdict.ACCEPTED, "lc3", programs={"x": program}, usual="x"), Scripts(loaded)
    )
    for case, more in zip(loaded.spec.cases, starts, strict=False):
        before = program.starts
        assert judge_case(one, case).verdict is verdict
        assert program.starts == before + more

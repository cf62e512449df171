"""Two ways to run one program.

The second decides: what is not accepted in the quick one counts in the sure one alone.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from grader.build.built import Built
from grader.games.follow.study import Study
from grader.games.hear.runs import Wait
from grader.grading import Grading, profiles
from grader.grading.kinds import game
from grader.grading.scripts import Scripts
from grader.grading.trial import Judgement, Trial, case_result
from grader.results import Learned, Lesson, Verdict, Visibility
from grader.sessions.session import USUAL, Setup
from grader.spec.model import Case
from grader.transcript import Ending, EndingKind
from tests.grading.small import assignment, submission
from tests.grading.test_dialogues import GAME, REFEREE
from tests.scripted import Written

RIGHT, WRONG = "got {key}", "had {key}"


class Echo(Written):
    """A program that answers each key in one manner, for two keys, and ends in one way."""

    def __init__(self, says: str, ending: EndingKind = EndingKind.ENDED) -> None:
        self.says, self.ending, self.starts = says, ending, 0

    def start(self, profile: str, *, seed: int | None = None, setup: Setup = USUAL) -> Echo:
        """Begin anew."""
        self.starts += 1
        self.turn, self.typed = 0, ""
        return self

    wants = "key"

    def advance(self) -> Ending | None:
        """Ask twice, then end."""
        self.turn += 1
        return Ending(self.ending, "the end") if self.turn > 2 else None

    def take_output(self) -> bytes:
        """Its texts on the key, and its question."""
        said = {"z": "bad", "": ""}.get(self.typed, self.says.format(key=self.typed))
        return f"{said}{' bye' if self.turn > 2 else ' ? '}".encode()

    def send(self, text: str) -> None:
        """Remember the key."""
        self.typed = text


def trial(folder: Path, quick: Echo, sure: Echo, spec: str = GAME) -> Trial:
    """The small game in front of both programs."""
    loaded = assignment(folder, spec=spec, reference=REFEREE)
    built = Built(
        Verdict.ACCEPTED,
        loaded.spec.program.language,
        programs={"quick": quick, "sure": sure},
        usual="usual",
        decides="sure",
        tried=dict.fromkeys(Visibility, "quick"),
    )
    return Trial(loaded.spec, submission(), built, Scripts(loaded))


@pytest.mark.parametrize(
    ("quick", "sure", "verdict", "starts"),
    [
        (RIGHT, WRONG, Verdict.ACCEPTED, 0),
        (WRONG, RIGHT, Verdict.ACCEPTED, 13),
        (WRONG, WRONG, Verdict.WRONG_ANSWER, 1),
    ],
)
def test_acceptance_is_taken_from_either_and_blame_from_one(tmp_path, quick, sure, verdict, starts):
    """A failure must be seen where it counts: once, in the game that was found; if it is not, all games are played there."""
    programs = Echo(quick), Echo(sure)
    result = profiles.judge(
        trial(tmp_path, *programs), assignment(tmp_path, spec=GAME, reference=REFEREE).spec.case("keys")
    ).result
    assert (result.verdict, programs[1].starts, result.profile) == (verdict, starts, "usual")


NATIVE = GAME.replace("p.asm", "p.c").replace("lc3", "c").replace("instructions: 5M, ", "")
CRASHES = "  - {id: crashes, title: Crashes, criterion: ending, game: legal, faults: [crash]}\n"


@pytest.mark.parametrize("spec", [NATIVE, NATIVE + CRASHES])
def test_a_way_that_takes_too_long_is_left(tmp_path, spec):
    """After the first run that does not end in time the quick way is not tried again, whichever case names the crash."""
    quick, sure = Echo(RIGHT, EndingKind.TIME_LIMIT), Echo(RIGHT, EndingKind.TIME_LIMIT)
    one = trial(tmp_path, quick, sure, spec)
    for case in one.spec.cases:
        assert profiles.judge(one, case).result.verdict is Verdict.TIME_LIMIT
    assert quick.starts == 1


@pytest.mark.parametrize("shares", [{"quick": (1, 4), "sure": (3, 4)}, {"quick": (3, 4), "sure": (1, 4)}])
def test_of_two_ways_that_fail_the_one_that_keeps_more_counts(tmp_path, monkeypatch, shares):
    """If no way decides, a student is judged under the edition that earns most, in part as well as in whole."""

    def in_part(trial: Trial, case: Case, profile: str) -> Judgement:
        return Judgement(replace(case_result(case, Verdict.WRONG_ANSWER, ()), share=shares[profile]), {})

    monkeypatch.setattr(game, "judge", in_part)
    one = trial(tmp_path, Echo(RIGHT), Echo(RIGHT))
    one = replace(one, built=replace(one.built, decides=""))
    assert profiles.judge(one, one.spec.case("keys")).result.share == (3, 4)


BROKE = Wait("", ending=Ending(EndingKind.RUNTIME_EXCEPTION, "it broke"))


@pytest.mark.parametrize(
    ("study", "then", "verdict"),
    [
        (Study(), Wait("Column: "), Verdict.NEEDS_REVIEW),
        (Study(), BROKE, Verdict.RUNTIME_ERROR),
        (Study(learned=Learned((Lesson("marks", "X O", ""),))), Wait(""), Verdict.RUNTIME_ERROR),
    ],
)
def test_a_program_for_spim_may_break_at_once_under_mars(monkeypatch, study, then, verdict):
    """That costs nothing where SPIM leads to no game that could be read. A program that breaks there, too, is no program for SPIM."""
    studies = {"mars": study, "spim": Study(obstacle="no question for a column was found")}
    verdicts = {"mars": (Verdict.RUNTIME_ERROR, 7), "spim": (Verdict.NEEDS_REVIEW, 0)}
    one = SimpleNamespace(
        built=SimpleNamespace(decides="", usual="mars", programs=studies),
        profiles=("mars", "spim"),
        scripts=SimpleNamespace(method=object()),
        dialect=lambda profile: SimpleNamespace(studied=lambda: studies[profile]),
        memory=SimpleNamespace(runs={"spim": SimpleNamespace(steps=lambda: [(Wait("Go? "), "1", then)])}),
    )

    def seen(_trial: Trial, case: Case, profile: str) -> Judgement:
        verdict, inputs = verdicts[profile]
        return Judgement(case_result(case, verdict, ()), {}, inputs)

    monkeypatch.setattr(profiles, "judged", seen)
    case = Case(id="plays", title="Plays", source={"builds": True})
    assert profiles.judge(one, case).result.verdict is verdict


def test_what_a_student_sees_comes_from_no_way_that_saw_a_hidden_case(tmp_path):
    """Visible cases are tried in one way and all others in another, also where they look at the same games."""
    spec = GAME + "  - {id: more, title: More, criterion: ending, visibility: hidden, game: legal, faults: [keys]}\n"
    seen, unseen = Echo(RIGHT), Echo(RIGHT)
    one = trial(tmp_path, seen, Echo(WRONG), spec)
    tried = {Visibility.VISIBLE: "quick", Visibility.HIDDEN: "unseen", Visibility.STAFF: "unseen"}
    one = replace(one, built=replace(one.built, programs={**one.built.programs, "unseen": unseen}, tried=tried))
    starts = []
    for case in reversed(one.spec.cases):
        assert profiles.judge(one, case).result.verdict is Verdict.ACCEPTED
        starts.append((case.visibility, bool(unseen.starts), bool(seen.starts)))
    assert starts[0] == (Visibility.HIDDEN, True, False)
    assert starts[-1] == (Visibility.VISIBLE, True, True)


@pytest.mark.parametrize(("how", "said"), [("exact", ""), ("proc", "looking at"), ("timeout", "silence")])
def test_waits_that_are_no_events_are_told(tmp_path, monkeypatch, how, said):
    """If the kernel does not tell that a program asks for input, the grade says how it was known."""
    monkeypatch.setattr(Echo, "how_waits", how)
    one = trial(tmp_path, Echo(RIGHT), Echo(RIGHT))
    monkeypatch.setattr("grader.grading.build", lambda *_: one.built)
    grade = Grading(assignment(tmp_path, spec=GAME, reference=REFEREE)).grade(submission())
    assert said in grade.provenance.sandbox
    assert bool(grade.provenance.sandbox) is (how != "exact")

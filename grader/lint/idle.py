"""Programs that play no game, graded as programs are: what they earn is what a spec gives for nothing.

They are made of the spec's own reference and referee, so that they say the right words. Each plays the reference truly for a
few answers and then does one idle thing for ever. It says nothing, ends, says the opening again or refuses all input.
Or it names a winner, plays one fixed game, or plays with one row only. Demands on a source, and facts that only a
simulator sees, count as met: a program that plays no game can be written in any way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path

from grader.games.follow.following import Draw, Followed, follow
from grader.games.referee import ANSWERS, Answers
from grader.grading import Judge
from grader.grading.scripts import Scripts
from grader.lint.gifts import Gift, MadeUp, MadeUpSession, gift, given_away
from grader.results import CaseResult, Verdict
from grader.sessions.reference import SpeakingReference, is_silent, load_module
from grader.spec.kinds import KINDS
from grader.spec.loader import Assignment
from grader.spec.problem import Problem
from grader.values import dataclass

MOST = Fraction(15, 100)
"""The largest share of what is judged automatically that a program may earn which plays no game."""

LONGEST_SET_UP = 6
"""Maximum answers before a game begins: some games ask how large they shall be."""

EXPLORED_SET_UP = 4
"""Maximum answers, less one, that are true in programs that are explored."""

LONGEST_GAME = 200
"""Maximum answers until a game is over."""

WRONG = "-1"
"""Input that no game takes for an answer, for references that do not say what they refuse."""


@dataclass(frozen=True, slots=True)
class Idleness:
    """A manner of playing no game: what it is called, and what a session prints for an answer. One that ends never asks for any."""

    name: str
    after: Callable[[IdleSession, str], str] = lambda _session, _typed: ""
    opens: bool = True
    """Whether the first turns are printed at all."""
    ends: bool = False
    plays: bool = False
    """Whether the output depends on a game: after true answers that would be a program with a mistake, and no idle one."""


def _asked_again(session: IdleSession, _typed: str) -> str:
    line = session.turn.rsplit("\n", 1)[-1]
    return line if line.strip() else session.turn


def _won_at_once(session: IdleSession, _typed: str) -> str:
    turn = ""
    for _ in range(LONGEST_GAME):
        if not session.legal:
            break
        turn = session.true_turn(session.legal[-1])
    return turn


def _in_one_row(session: IdleSession, typed: str) -> str:
    return session.true_turn(typed) if typed in session.legal and typed[0] == session.row else session.refusal


MANNERS = (
    Idleness("says nothing", opens=False),
    Idleness("ends at once", opens=False, ends=True),
    Idleness("prints the opening and ends", ends=True),
    Idleness("refuses every answer", lambda session, _: session.refusal),
    Idleness("takes every answer without effect", lambda session, _: session.turn),
    Idleness("asks again and never moves", _asked_again),
    Idleness("accepts every answer and names a winner", _won_at_once, plays=True),
    Idleness(
        "plays one game by heart, whatever is typed",
        lambda session, _: session.true_turn(session.legal[-1]),
        plays=True,
    ),
    Idleness("accepts only answers that begin like the first", _in_one_row, plays=True),
)


class IdleSession(MadeUpSession):
    """A session of a program that plays no game."""

    refusal: str
    turn: str
    row: str

    def __init__(self, reference: SpeakingReference, manner: Idleness, true_answers: int, refusal: str) -> None:
        self._reference = reference
        self._manner = manner
        self._left = true_answers if manner.opens else 0
        self.refusal = refusal
        self.turn = reference.take_output().decode()
        super().__init__(self.turn if manner.opens else "", over=reference.advance() is not None)
        self._idle()

    def _idle(self) -> None:
        """Begin to idle where no true answer is left."""
        if not self._left:
            self.over |= self._manner.ends
            self.row = self.legal[0][:1] if self.legal else ""

    @property
    def legal(self) -> tuple[str, ...]:
        """The answer that the reference would take here."""
        return self._reference.legal

    def true_turn(self, answer: str) -> str:
        """The output of the reference for an answer, without its echo. The session ends where the reference does."""
        echo = answer if self.wants == "key" else ""
        self._reference.send(answer)
        self.over = self._reference.advance() is not None
        return self._reference.take_output().decode().removeprefix(echo)

    @property
    def wants(self) -> str:
        """The question that the reference would ask here."""
        return self._reference.wants

    def close_input(self) -> None:
        """Nothing comes of it."""

    def send(self, text: str) -> None:
        """Play on truly, or do what an idle program does."""
        keys = text if self.wants == "key" and self._manner.opens else ""
        if self._left:
            self._left -= 1
            self.turn = self.true_turn(text)
            self.output = keys + self.turn
            self._idle()
        else:
            self.output = keys + self._manner.after(self, text)


def idle_problems(assignment: Assignment, path: Path) -> Iterator[Problem]:
    """Programs that play no game and earn too much anyway, the one that earns most."""
    if is_silent(load_module(path)):
        return
    most = max(gifts(assignment), key=lambda gift: gift.share)
    if most.share > MOST:
        earns = f"earns {float(100 * most.share):.0f} % of what is judged automatically, by {', '.join(most.cases)}"
        hint = "ask for more in `shows`, or let cases require one that shows that a game is played"
        yield given_away(f"a program that {most.manner} {earns}", hint)


def gifts(assignment: Assignment) -> Iterator[Gift]:
    """The earnings of each idle program under a spec. Raises JudgeError if the reference or the referee fails.

    Without a referee programs are explored, and play truly for up to three answers.
    """
    judge = Judge(assignment)
    reference = partial(SpeakingReference, judge.scripts.reference, echo=assignment.spec.text.echo == "program")
    for true_answers, refusal in _beginnings(reference, judge.scripts):
        for manner in MANNERS:
            if true_answers and (manner.plays or not manner.opens):
                continue
            after = f", after {true_answers} true answers" if true_answers else ""
            program = idle_program(reference, manner, true_answers, refusal)
            yield gift(judge, f"{manner.name}{after}", program, _best)


def idle_program(
    reference: Callable[[], SpeakingReference], manner: Idleness, true_answers: int, refusal: str
) -> MadeUp:
    """A program that plays no game."""
    return MadeUp(lambda _seed: IdleSession(reference(), manner, true_answers, refusal))


def _beginnings(session: Callable[[], SpeakingReference], scripts: Scripts) -> Iterator[tuple[int, str]]:
    """After how many true answers programs idle, and what the reference says to a wrong one there; empty if it refuses none.

    These are no answers, and as many as come before anything can be judged. If nobody says when that is, some are tried.
    """

    def played(count: int, then: Callable[[Answers], str | None] = lambda _answers: None) -> Followed:
        return follow(session(), scripts.rulings, _true(count, then))

    if scripts.method is not None:
        for count in range(EXPLORED_SET_UP):
            true = session()
            for _ in range(count):
                true.send(true.legal[-1])
            true.take_output()
            true.send(WRONG)
            yield count, true.take_output().decode()
        return
    # A program that plays truly until something is judged would only be one with a mistake, and no idle one.
    judged = (count for count in range(LONGEST_SET_UP) if played(count).occasions.keys() - {ANSWERS})
    # The first thing that is judged may be what the last of these answers brings about, or what comes of the next.
    first = next(judged, 0)
    for count in sorted({0, max(first - 1, 0), first}):
        transcript = played(count, lambda answers: answers.illegal[0] if answers.illegal else None).transcript
        typed = transcript.inputs
        yield count, transcript.turns[-1].output.removeprefix(typed[-1]) if len(typed) > count else ""


def _true(count: int, then: Callable[[Answers], str | None]) -> Draw:
    """Draws so many legal answers, then once what ``then`` makes of the next question, then nothing."""
    left = count

    def draw(answers: Answers, *_: object) -> str | None:
        nonlocal left
        left -= 1
        if left >= 0:
            return answers.legal[0]
        return then(answers) if left == -1 else None

    return draw


def _best(result: CaseResult) -> CaseResult:
    """The result, met where the program itself does not decide it."""
    held_up = result.verdict in (Verdict.SKIPPED, Verdict.NEEDS_REVIEW)
    own = (KINDS[result.kind].handed_in and not held_up) or result.verdict is Verdict.JUDGE_ERROR
    return replace(result, verdict=Verdict.ACCEPTED, met=True) if own else result

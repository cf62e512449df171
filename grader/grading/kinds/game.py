"""A ``game`` case, judged: games of the program, however they are found, and the first fault that the case judges.

Several cases may look at the same games for different faults: they are played once. If the referee also rules on all
games together, each begins with other random numbers: its number is the seed.

A case without a fault is not accepted yet: we must have seen the judged events often enough (the occasions of the
referee). If not, the cause decides. If the program ended, refused a legal move or never moved, nothing was shown and
nothing is earned. If we could not read the program, a person decides. If the referee could not follow it after a
mistake that another case charges, this one is unjudged.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING

from grader.checks import ending as endings
from grader.checks.explain import with_inputs
from grader.games.follow.following import Followed
from grader.games.follow.study import Example, Study
from grader.games.referee import ANSWERS, CRASH, UNREAD, Fault
from grader.grading.trial import Judgement, Trial, case_result, judged_turns, show_again, with_run, written_aside
from grader.results import CHARGED_ELSEWHERE, NOT_SHOWN, CaseResult, Finding, Occasion, Verdict, Weight
from grader.sessions.session import play
from grader.spec.model import Case
from grader.transcript import Usage

if TYPE_CHECKING:
    from grader.grading.drawn import Drawn

MOST_LINES, MOST_OUTPUT = 24, 1_200
"""Maximum lines, and characters, of a turn's output that are shown with a fault."""


def judge(trial: Trial, case: Case, profile: str) -> Judgement:
    """The result of a game case.

    If only other cases judge a crash, a game that breaks is judged by its turns before.
    """
    dialect = trial.dialect(profile)
    if dialect.obstacle:
        return Judgement(case_result(case, Verdict.NEEDS_REVIEW, (Finding(UNREAD, dialect.obstacle),)), trial.bindings)
    games, kinds = dialect.of(trial.spec.games.get(case.game or "")), _judged(trial, case)
    shows = partial(_shows, kinds=kinds, charged=trial.charged)
    played = games.played(shows)
    seen = {fault.kind for one in played for _, fault in one.faults}
    shows = partial(shows, seen=seen)
    occasions = _occasions(trial, case, played)
    # All games were played before: the shortest way to a fault is shown.
    failed = min(filter(shows, played), key=lambda one: _first(one, kinds)[0], default=None)
    if failed is None:
        result = replace(_unfailed(trial, case, profile, games, played, occasions), proof=games.proof())
    else:
        kind = _first(failed, kinds)[1].kind
        one_kind = partial(shows, kinds=(kind,))
        result = _failed(trial, case, profile, games.example(failed, len(played), kind, one_kind), kind)
    # Only cases that price no faults have the notes, so that a report says each of them once and not beside each criterion.
    result = _noted(result, dialect.notes if case.criterion is None or not case.faults else {})
    usage = sum((one.transcript.usage for one in played), Usage())
    # In a game that was not found nothing was seen to be missing.
    occasions = tuple(one for one in occasions if one.count or _are_counted(played))
    result = replace(result, usage=usage, occasions=occasions, runs=len(played))
    return Judgement.of(result, trial.bindings, *(one.transcript for one in played))


def _judged(trial: Trial, case: Case) -> Collection[str]:
    """The kinds of faults that a case judges. A crash belongs to every case if no case in the spec names it."""
    named = any(CRASH in other.faults for other in trial.spec.cases)
    return case.faults if named else (*case.faults, CRASH)


def _shows(
    followed: Followed, kinds: Collection[str], charged: Collection[str] = (), seen: Collection[str] = ()
) -> bool:
    """Whether a game shows a fault of these kinds before one that is charged already, or that may follow from it.

    A fault is free whose cause is among those kinds that are ``seen`` in all games.
    """
    # One that lost its capital letters lost nothing for a question that took every letter for a no: the moves came first.
    faults = (fault for _, fault in followed.faults if fault.kind != UNREAD or not set(fault.about) & set(charged))
    before = takewhile(lambda fault: fault.passes or not {fault.kind, *fault.about} & set(charged), faults)
    own = (fault for fault in before if not set(fault.causes) & set(seen))
    return any(fault.kind in kinds for fault in own)


def _first(followed: Followed, kinds: Collection[str]) -> tuple[int, Fault]:
    """The first fault of these kinds in a game that has one, and its turn."""
    return next((turn, fault) for turn, fault in followed.faults if fault.kind in kinds)


def _occasions(trial: Trial, case: Case, played: Sequence[Followed]) -> tuple[Occasion, ...]:
    """The occasions in these games on which the judged faults could show, and those that the case asks for by name.

    A fault that another case has charged, or has left to a person, needs no occasion here. Otherwise a person would be
    asked about a board in columns once more.
    """
    tables = trial.scripts.tables
    kinds = [kind for kind in case.faults if kind not in trial.charged] or case.faults
    counts = {
        name: sum(one.occasions.get(name, 0) for one in played) for name in (*tables.occasions_for(kinds), *case.shown)
    }
    first, *others = case.shown or ("",)
    # A computer that plays all moves itself was told that it makes none: moves are counted from the first of the user on.
    uncounted = others if case.criterion is None and not counts.get(first) else ()
    return tuple(
        Occasion(tables.occasions[name], count, case.needed(name))
        for name, count in counts.items()
        if name not in uncounted
    )


def _are_counted(played: Sequence[Followed]) -> bool:
    """Whether a game was found in what the program says. A program whose first piece falls and that breaks then shows none."""
    return any(one.states or one.occasions.keys() - {ANSWERS} for one in played)


# ------------------------------------------------------------------------------------------------- where no game fails


def _unfailed(
    trial: Trial,
    case: Case,
    profile: str,
    games: Drawn | Study,
    played: Sequence[Followed],
    occasions: Sequence[Occasion],
) -> CaseResult:
    """The result where no single game has a fault that is judged."""
    if any(_shows(one, _judged(trial, case)) for one in played):
        consequence = "the games show this only as a result of a mistake that is charged elsewhere"
        return case_result(case, Verdict.UNJUDGED, (Finding(CHARGED_ELSEWHERE, consequence),))
    unread = next((one for one in played if _unread(one, case, trial.charged)), None)
    # What may follow from another fault is no lack of ours: it was seen, and to call the rest right would contradict it.
    doubted = next((one for one in played if _unread(one, case, trial.charged, doubted=True)), None)
    lacking = [occasion for occasion in occasions if not occasion.enough]
    # Unreadable text matters only if too little else happened: a program may print a line of its own in each game.
    shown = doubted or (unread if lacking or not occasions else None)
    if shown is not None:
        example = Example(shown)
        # All ways of a simulated program are one game, which stays at its start: a banner at the end was quoted from there.
        if trial.spec.covers(case) and not shown.transcript.inputs:
            number = played.index(shown) + 1
            example = games.example(shown, number, UNREAD, partial(_unread, case=case, charged=trial.charged))
        return _noted(_result(trial, case, profile, example.followed, UNREAD), example.notes)
    if lacking and any(_unread(one, case, ()) for one in played):
        elsewhere = "another case leaves this to a person, because we could not read what the games show of it"
        return case_result(case, Verdict.UNJUDGED, (Finding("unjudged", elsewhere),))
    if lacking:
        return _lacking(trial, case, profile, played, lacking)
    # No single game has a fault: the referee may still find one in all of them together.
    faults = trial.scripts.tables.across([one.states[-1] for one in played if one.states])
    judged = [fault for fault in faults if fault.kind in case.faults]
    told = judged or [fault for fault in faults if fault.kind == UNREAD]
    verdict = Verdict.WRONG_ANSWER if judged else Verdict.NEEDS_REVIEW if told else Verdict.ACCEPTED
    result = case_result(case, verdict, tuple(Finding(fault.kind, fault.message) for fault in told[:1]))
    number = sum(_unread(one, case, trial.charged) for one in played)
    if not number:
        return result
    note = f"in {number} of {_games(len(played))} we could not read everything; the rest is judged"
    return _noted(result, {UNREAD: note})


def _unread(followed: Followed, case: Case, charged: Collection[str], *, doubted: bool = False) -> bool:
    """Whether a game has unreadable text that this case may judge, and that no other case has left open.

    Or whether it has a fault of this case that is ``doubted``, since it may follow from one that is charged.
    """
    faults = (fault for _, fault in followed.faults if fault.kind == UNREAD and not set(fault.about) & set(charged))
    faults = (fault for fault in faults if (set(fault.causes) & set(charged) if doubted else not fault.causes))
    return any(not fault.about or set(fault.about) & set(case.faults) for fault in faults)


def _lacking(
    trial: Trial, case: Case, profile: str, played: Sequence[Followed], lacking: Sequence[Occasion]
) -> CaseResult:
    """The result if too few events happened to judge anything."""
    stopped = [one for one in played if one.stop is not None]
    broken = [one for one in played if one.broke]
    # a game that breaks shows why: an undo that always breaks was shown by a game without one, which ended in a tie
    shows = min(broken, key=lambda one: len(one.transcript.inputs), default=played[0])
    example = next((one for one in stopped if one.stop and _charged(trial, case, one.stop)), (*stopped, shows)[0])
    games = _games(len(played))
    sentence = f"{games} had too few {' and '.join(one.lack for one in lacking)}"
    # Where no game was found nothing was counted: a program that played all moves itself was told that it made none.
    if not _are_counted(played):
        sentence = f"we could count too few {' and '.join(one.need for one in lacking)} in {games}"
    if trial.spec.covers(case):  # cases with drawn games judge what the program lacks in any game
        proof = trial.dialect(profile).of(trial.spec.games.get(case.game or "")).proof()
        why = "we could not bring this program into all positions"
        if proof is not None and proof.known and not proof.why:
            why = "it does not come to that in any position that it can reach"
        finding = Finding("unjudged", f"{sentence}: {why}")
        return case_result(case, Verdict.UNJUDGED, (finding,))
    if broken:
        why = "it breaks before that"
    elif all(endings.ended(one.transcript.ending) for one in played):
        # Not “before that”: a program that calls both players by one wrong name plays on.
        why = "they end before there are enough"
    else:
        why = "the games that were tried do not come to that"
    if example.stop is not None:
        cause = with_inputs(example.stop.message, example.transcript.inputs_before(example.faults[-1][0]))
        why = f"we could not follow the games any further after “{cause}”"
        if _charged(trial, case, example.stop):
            finding = Finding(NOT_SHOWN, f"{sentence}: {why}")
            return _with_game(trial, case_result(case, Verdict.UNJUDGED, (finding,)), profile, example)
    finding = Finding(NOT_SHOWN, f"{sentence}: {why}")
    if 2 * sum(_ends_by_other(trial, case, one) for one in played) > len(played):
        return case_result(case, Verdict.UNJUDGED, (replace(finding, code=CHARGED_ELSEWHERE),))
    # A program that broke in each game has the verdict of its crash, with the place; otherwise it only lacks the
    # occasions.
    if len(broken) < len(played):
        # A program that refused every move lost everything by a sentence that named no move.
        faulty = [one for one in played if one.faults and case.criterion is None and example.stop is None]
        first = min(faulty, key=lambda one: one.faults[0][0], default=example)
        shown = [_finding(first, *fault) for fault in first.faults[:1] if faulty]
        # “They end before there are enough” named no game, and a program that called the first piece a win did not learn of it.
        if not shown and case.criterion is None and first.transcript.inputs:
            turn = len(first.transcript.turns)
            shown.append(_finding(first, turn, Fault(NOT_SHOWN, first.transcript.ending.message)))
        findings = (finding, *shown)
        result = _with_game(trial, case_result(case, Verdict.NOT_SHOWN, findings), profile, first)
        # A fault of the first move was to be seen again by sixty.
        typed = first.transcript.inputs_before(first.faults[0][0]) if faulty else first.transcript.inputs
        return replace(result, again=show_again(trial, typed, profile, first.seed))
    ending = example.transcript.ending
    finding = replace(endings.explain(example.transcript), code=NOT_SHOWN, message=f"{ending.message}; {sentence}")
    return _with_game(trial, case_result(case, endings.VERDICTS[ending.kind], (finding,)), profile, example)


def _ends_by_other(trial: Trial, case: Case, followed: Followed) -> bool:
    """Whether a game ends in a turn with a fault that another case charges, by the same games and under the same criterion."""
    # One that ended at each refusal showed the rarest kind of wrong answer twice, where three are needed, and paid nine points more.
    if not endings.ended(followed.transcript.ending):
        return False
    last = len(followed.transcript.turns)
    kinds = {fault.kind for turn, fault in followed.faults if turn == last}
    others = (
        one
        for one in trial.spec.cases
        if one.id != case.id and (one.game, one.criterion) == (case.game, case.criterion)
    )
    return case.criterion is not None and any(kinds & set(one.faults) for one in others)


def _charged(trial: Trial, case: Case, fault: Fault) -> bool:
    """Whether some other case loses points by this kind of fault.

    A case that requires this one does not count: it is not judged either, and a program whose first heap has 5,000
    digits would lose nothing at all.
    """
    return any(
        fault.kind in other.faults and other.criterion is not None and case.id not in _required(trial, other)
        for other in trial.spec.cases
    )


def _required(trial: Trial, case: Case) -> frozenset[str]:
    """The cases that must be met before this one is judged, directly or by way of others."""
    return frozenset(case.requires).union(*(_required(trial, trial.spec.case(name)) for name in case.requires))


def _games(number: int) -> str:
    return "one game" if number == 1 else f"{number} games"


# ------------------------------------------------------------------------------------------------ a game played once more


def confirmed(trial: Trial, profile: str, tried: CaseResult) -> Judgement | None:
    """The judgement on a game that failed under another profile; None if the program acts differently here."""
    if not tried.turns:
        # If nothing could be read, or another case charges the fault, no single game shows it.
        stays = tried.verdict is Verdict.NEEDS_REVIEW or any(one.code == CHARGED_ELSEWHERE for one in tried.findings)
        return Judgement.of(tried, trial.bindings) if stays else None
    inputs = tuple(turn.typed for turn in tried.turns if turn.typed is not None)
    transcript = play(trial.start(profile), inputs)
    if (judged_turns(transcript, {}), transcript.ending.message) != (tried.turns, tried.ending):
        return None
    again, errors = show_again(trial, inputs, profile), written_aside(transcript)
    return Judgement.of(replace(tried, again=again, errors=errors), trial.bindings, transcript)


# --------------------------------------------------------------------------------------------------- where a game fails


def _failed(trial: Trial, case: Case, profile: str, example: Example, kind: str) -> CaseResult:
    """The result for the game that shows a fault; a small game may show it without the required occasions."""
    missing = [name for name in case.shown if not example.followed.occasions.get(name)]
    if missing and "shrunk" in example.notes:  # a fault that shows without any refusal is not caused by one
        without = trial.scripts.tables.occasions[missing[0]]
        finding = Finding("unjudged", f"what the games show of this also shows without {without}: other cases judge it")
        return case_result(case, Verdict.UNJUDGED, (finding,))
    return _noted(_result(trial, case, profile, example.followed, kind), example.notes)


def _noted(result: CaseResult, notes: Mapping[str, str]) -> CaseResult:
    findings = (Finding(code, message, weight=Weight.NOTE) for code, message in notes.items())
    return replace(result, findings=(*result.findings, *findings))


def _result(trial: Trial, case: Case, profile: str, followed: Followed, kind: str) -> CaseResult:
    """The result of a case in which a game shows a fault of this kind."""
    transcript = followed.transcript
    turn, fault = _first(followed, (kind,))
    # Behind the crash a game may say what it leaves to a person.
    if followed.broke and fault.message == transcript.ending.message:
        finding, verdict = endings.explain(transcript), endings.VERDICTS[transcript.ending.kind]
    else:
        finding = _finding(followed, turn, fault)
        verdict = Verdict.NEEDS_REVIEW if kind == UNREAD else Verdict.WRONG_ANSWER
    return _with_game(trial, case_result(case, verdict, (finding,)), profile, followed)


def _with_game(trial: Trial, result: CaseResult, profile: str, followed: Followed) -> CaseResult:
    return with_run(trial, result, profile, followed.transcript, {}, followed.seed)


def _finding(followed: Followed, turn: int, fault: Fault) -> Finding:
    typed = followed.transcript.inputs_before(turn)
    output = followed.transcript.turns[turn - 1].output
    lines = "\n".join(output[-MOST_OUTPUT:].split("\n")[-MOST_LINES:])  # the last ones, where the question stands
    return Finding(
        fault.kind,
        with_inputs(fault.message, typed),
        turn,
        typed=typed,
        output=lines if len(lines) == len(output) else f"…\n{lines}",
        reading=followed.reading(turn),
        position=followed.positions.get(turn, ""),
    )

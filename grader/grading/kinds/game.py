"""A ``game`` case, judged: the referee follows the program through many games, each to the first fault that the case judges.

Several cases may look at the same set of games for different faults: it is played once. Where the referee also rules on
games taken together, each of them begins with other random numbers: its number is the seed.

A case without a fault is not accepted yet: what it judges must have come about often enough in front of us (the occasions
of the referee). Where it did not, somebody is the cause. If it is the program, which ended, refused what is legal or never
moved, nothing was shown and nothing is earned. If we could not read what it says, a person decides. If the referee could not
follow it any further after a mistake that another case charges, this one is unjudged.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile

from grader.checks import ending as endings
from grader.checks.explain import after_inputs
from grader.games.event import Event
from grader.games.following import Draw, Followed, drawing, follow, repeating
from grader.games.referee import CRASH, UNREAD, Fault
from grader.games.shrinking import shrink
from grader.grading import covering
from grader.grading.scripts import Inputs
from grader.grading.trial import (
    TOO_LONG,
    Judgement,
    Trial,
    case_result,
    judged_turns,
    show_again,
    typed_in,
    written_aside,
)
from grader.grading.wording import ears, tables
from grader.reading.facts import Fact
from grader.results import CHARGED_ELSEWHERE, NOT_SHOWN, CaseResult, Finding, Occasion, Verdict, Weight
from grader.sessions.session import play
from grader.spec.kinds.runs import GameSet
from grader.spec.model import Case
from grader.transcript import EndingKind, Usage

SHRINKING = 60
"""How many shorter games are tried: each is a run of the program."""

MOST_LINES, MOST_OUTPUT = 24, 1_200
"""So many lines, and characters, of a turn's output are shown with a fault."""

SHRINKING_SLOW = 8
"""How many are tried where each uses up the instructions of a run."""

PATIENCE = 3
"""After so many games that were stopped for taking too long no more are played."""

PATIENCE_SIMULATED = 20
"""The same for games that used up their instructions: they are the quicker ones, and each may hang at another answer."""


def judge(trial: Trial, case: Case, profile: str) -> Judgement:
    """The result of a game case.

    Where a crash is judged by other cases alone a game that breaks is judged by what came before. When some games had to be
    stopped for taking too long no more are played.
    """
    if trial.spec.game is not None:
        return _explored(trial, case, profile)
    played: list[Followed] = []
    failed: Followed | None = None
    games = _set(trial, case, profile)
    for number in range(games.games):
        played.append(_game(trial, case, profile, number))
        if _shows(played[-1], _judged(trial, case), trial.charged):
            failed = played[-1]
            break
        if _hung(trial, profile, played) or _hangs_again(trial, profile, played[-1]):
            break
        if covering.ends_with(trial, games, profile, number):
            break
    occasions = _occasions(trial, case, played)
    if failed is not None:
        result = _failed(trial, case, profile, failed, len(played))
    else:
        result = _unfailed(trial, case, profile, played, occasions)
        result = replace(result, proof=covering.proof(trial, games, profile))
    learned = ears(trial, profile).sentence
    if learned and (case.criterion is None or not case.faults):
        result = _noted(result, "own-words", f"it is followed in words of its own: {learned}")
    usage = sum((one.transcript.usage for one in played), Usage())
    result = replace(result, usage=usage, occasions=occasions, runs=len(played))
    return Judgement.of(result, trial.bindings, *(one.transcript for one in played))


def _explored(trial: Trial, case: Case, profile: str) -> Judgement:
    """The judgement on the games that were found by experiment: the shortest that shows a fault, or what came about in all."""
    study = trial.study(profile)
    if study.obstacle:
        return Judgement(case_result(case, Verdict.NEEDS_REVIEW, (Finding(UNREAD, study.obstacle),)), trial.bindings)
    played, kinds = study.games, _judged(trial, case)
    failed = min((one for one in played if _shows(one, kinds, trial.charged)), key=_first_fault(kinds), default=None)
    occasions = _occasions(trial, case, played)
    if failed is None:
        result = _unfailed(trial, case, profile, played, occasions)
    else:
        result = _result(
            trial, case, profile, failed, next(fault.kind for _, fault in failed.faults if fault.kind in kinds)
        )
    for code, note in study.notes.items() if not case.faults else ():
        result = _noted(result, code, note)
    usage = sum((one.transcript.usage for one in played), Usage())
    result = replace(result, usage=usage, occasions=occasions, runs=len(played))
    return Judgement.of(result, trial.bindings, *(one.transcript for one in played))


def _first_fault(kinds: Collection[str]) -> Callable[[Followed], int]:
    """The turn in which a game shows the first fault of these kinds."""
    return lambda one: next(turn for turn, fault in one.faults if fault.kind in kinds)


def _hung(trial: Trial, profile: str, played: Sequence[Followed]) -> bool:
    """Whether so many games took too long that no more shall be played: one, where another profile decides anyway."""
    if trial.built.decides not in ("", profile) and trial.memory.hangs.under(profile):
        return True
    endings_seen = [one.transcript.ending.kind for one in played]
    if sum(kind in TOO_LONG for kind in endings_seen) >= PATIENCE:
        return True
    return endings_seen.count(EndingKind.BUDGET) >= PATIENCE_SIMULATED


def _hangs_again(trial: Trial, profile: str, last: Followed) -> bool:
    """Whether this game took too long as most of all sets did before it: what that shows is seen already."""
    if last.transcript.ending.kind not in TOO_LONG:
        return False
    seen = [one.transcript.ending.kind for key, one in trial.memory.games.items() if key[0] == profile]
    hung = sum(kind in TOO_LONG for kind in seen)
    return hung >= PATIENCE and 2 * hung > len(seen)


def _set(trial: Trial, case: Case, profile: str) -> GameSet:
    return covering.limited(trial, trial.spec.games[case.game or ""], profile)


def _occasions(trial: Trial, case: Case, played: Sequence[Followed]) -> tuple[Occasion, ...]:
    """What came about in these games of that on which the judged faults could show, and of what the case asks for by name.

    A fault that another case has charged, or has left to a person, needs no occasion here. A person would else be asked about a
    board in columns once more.
    """
    tables = trial.scripts.tables
    kinds = [kind for kind in case.faults if kind not in trial.charged] or case.faults
    names = dict.fromkeys((*tables.occasions_for(kinds), *case.shown))
    return tuple(
        Occasion(tables.occasions[name], sum(one.occasions.get(name, 0) for one in played), case.needed(name))
        for name in names
    )


# ------------------------------------------------------------------------------------------------- where no game fails


def _unfailed(
    trial: Trial, case: Case, profile: str, played: Sequence[Followed], occasions: Sequence[Occasion]
) -> CaseResult:
    """The result where no single game has a fault that is judged."""
    if any(_shows(one, _judged(trial, case)) for one in played):
        consequence = "what the games show of this follows from a mistake that is charged already"
        return case_result(case, Verdict.UNJUDGED, (Finding(CHARGED_ELSEWHERE, consequence),))
    unread = next((one for one in played if _unread(one, case, trial.charged)), None)
    lacking = [occasion for occasion in occasions if not occasion.enough]
    if unread is not None and (lacking or not occasions):
        return _result(trial, case, profile, unread, UNREAD)
    if lacking and any(_unread(one, case, ()) for one in played):
        elsewhere = "what the games show of this could not be read, and another case leaves it to a person"
        return case_result(case, Verdict.UNJUDGED, (Finding("unjudged", elsewhere),))
    if lacking:
        return _lacking(trial, case, profile, played, lacking)
    result = _together(trial, case, [one.state for one in played])
    number = sum(_unread(one, case, trial.charged) for one in played)
    if not number:
        return result
    return _noted(
        result, UNREAD, f"in {number} of {_games(len(played))} something could not be read; the rest is judged"
    )


def _together(trial: Trial, case: Case, states: Sequence[Hashable]) -> CaseResult:
    """The result where no single game has a fault: the referee may still find one in all of them together."""
    faults = tables(trial).across(states)
    judged = [fault for fault in faults if fault.kind in case.faults]
    unread = [fault for fault in faults if fault.kind == UNREAD]
    verdict = Verdict.WRONG_ANSWER if judged else Verdict.NEEDS_REVIEW if unread else Verdict.ACCEPTED
    return case_result(case, verdict, tuple(Finding(fault.kind, fault.message) for fault in (judged or unread)[:1]))


def _lacking(
    trial: Trial, case: Case, profile: str, played: Sequence[Followed], lacking: Sequence[Occasion]
) -> CaseResult:
    """The result where too little came about to judge anything by it."""
    stopped = [one for one in played if one.stop is not None]
    example = next((one for one in stopped if one.stop and _charged(trial, case, one.stop)), (stopped or played)[0])
    sentence = f"too few {_listed(lacking)} were seen in {_games(len(played))}"
    if trial.spec.covers(case):  # what the program lacks in any game is judged where games are drawn
        finding = Finding("unjudged", f"{sentence}: this program could not be led into all positions")
        return case_result(case, Verdict.UNJUDGED, (finding,))
    why = _why_games_end(played)
    if example.stop is not None:
        cause = f"{example.stop.message}, {after_inputs(typed_in(example.transcript))}"
        why = f"the games could not be followed any further after “{cause}”"
        if _charged(trial, case, example.stop):
            finding = Finding("unjudged", f"{sentence}: {why}")
            return _at_end(trial, case_result(case, Verdict.UNJUDGED, (finding,)), profile, example)
    finding = Finding(NOT_SHOWN, f"{sentence}: {why}")
    if not all(one.broke for one in played):
        return _at_end(trial, case_result(case, Verdict.NOT_SHOWN, (finding,)), profile, example)
    ending = example.transcript.ending
    finding = replace(endings.explain(example.transcript), code=NOT_SHOWN, message=f"{ending.message}; {sentence}")
    return _at_end(trial, case_result(case, endings.VERDICTS[ending.kind], (finding,)), profile, example)


def _charged(trial: Trial, case: Case, fault: Fault) -> bool:
    """Whether some other case loses points by this kind of fault.

    One that requires this case is no such case: it is not judged either, and a program whose first heap has 5,000 digits would
    lose nothing by anything.
    """
    return any(
        fault.kind in other.faults and other.criterion is not None and case.id not in _required(trial, other)
        for other in trial.spec.cases
    )


def _required(trial: Trial, case: Case) -> frozenset[str]:
    """The cases that must be met before this one is judged, directly or by way of others."""
    return frozenset(case.requires).union(*(_required(trial, trial.spec.case(name)) for name in case.requires))


def _listed(lacking: Sequence[Occasion]) -> str:
    return " and ".join(one.lack for one in lacking)


def _games(number: int) -> str:
    return "one game" if number == 1 else f"{number} games"


def _why_games_end(played: Sequence[Followed]) -> str:
    """What the program did instead, as its games ended most often."""
    endings_seen = [one.transcript.ending for one in played]
    if any(one.broke for one in played):
        return "it breaks before that"
    if all(endings.ended(ending) for ending in endings_seen):
        return "it ends before that"
    return "it goes on without that, whatever is typed"


def _at_end(trial: Trial, result: CaseResult, profile: str, followed: Followed) -> CaseResult:
    """A result with the account of one game."""
    transcript = followed.transcript
    return replace(
        result,
        turns=judged_turns(transcript, {}),
        ending=transcript.ending.message,
        errors=written_aside(transcript),
        again=show_again(trial, typed_in(transcript), profile, followed.seed),
    )


# ---------------------------------------------------------------------------------------------------- playing the games


def confirmed(trial: Trial, case: Case, profile: str, tried: CaseResult) -> Judgement | None:
    """The judgement on the game that failed under another profile, played under this one; None where it does not fail here."""
    inputs = tuple(turn.typed for turn in tried.turns if turn.typed is not None)
    if trial.spec.game is not None:
        return _repeated(trial, profile, tried, inputs)
    followed = _follow(trial, profile, partial(repeating, inputs))
    kinds = {UNREAD} if tried.verdict is Verdict.NEEDS_REVIEW else {finding.code for finding in tried.findings}
    kind = next((fault.kind for _, fault in followed.faults if _code(followed, fault) in kinds), None)
    if kind is None:
        return None
    again = _result(trial, case, profile, followed, kind)
    notes = tuple(finding for finding in tried.findings if finding.weight is Weight.NOTE)
    result = replace(
        again, findings=(*again.findings, *notes), usage=tried.usage, occasions=tried.occasions, runs=tried.runs
    )
    return Judgement.of(result, trial.bindings, followed.transcript)


def _repeated(trial: Trial, profile: str, tried: CaseResult, inputs: Inputs) -> Judgement | None:
    """The judgement on a game that was found by experiment, if the program does the same with these inputs under this profile.

    That nothing could be found hangs on no game, and stays.
    """
    if not tried.turns:
        return Judgement.of(tried, trial.bindings)
    transcript = play(trial.start(profile), inputs)
    if judged_turns(transcript, {}) != tried.turns:
        return None
    again = show_again(trial, inputs, profile)
    return Judgement.of(replace(tried, again=again), trial.bindings, transcript)


def _game(trial: Trial, case: Case, profile: str, number: int) -> Followed:
    """A game as it was played; the next case that looks at the same set sees it again."""
    games, referee = _set(trial, case, profile), ears(trial, profile).referee
    key = (profile, *games.drawn_by, number)
    known = trial.memory.games.get(key)
    if known is None and games.covers:
        known = trial.memory.games[key] = covering.game(trial, games, profile)
    if known is None:
        seed = number if referee.reseeds else None
        draw, start = partial(drawing, games, number), referee.start(number)
        known = trial.memory.games[key] = _follow(trial, profile, draw, seed, start)
    return known


def _follow(
    trial: Trial, profile: str, draw: Callable[[], Draw], seed: int | None = None, start: Hashable = None
) -> Followed:
    heard = ears(trial, profile)
    while True:
        followed = follow(trial.start(profile, seed=seed), heard.referee, heard.reader, draw(), start=start)
        if not heard.look():
            return replace(followed, seed=seed)


def _judged(trial: Trial, case: Case) -> Collection[str]:
    """The kinds of faults that a case judges; a crash is every case's where none in the spec names it."""
    named = any(CRASH in other.faults for other in trial.spec.cases)
    return case.faults if named else (*case.faults, CRASH)


def _shows(followed: Followed, kinds: Collection[str], charged: Collection[str] = ()) -> bool:
    """Whether a game shows a fault of these kinds before it shows one of those that are charged already."""
    before = takewhile(lambda fault: fault.kind not in charged, (fault for _, fault in followed.faults))
    return any(fault.kind in kinds for fault in before)


def _unread(followed: Followed, case: Case, charged: Collection[str]) -> bool:
    """Whether something in a game could not be read that this case may judge, and no other case has opened."""
    faults = (fault for _, fault in followed.faults if fault.kind == UNREAD and not set(fault.about) & set(charged))
    return any(not fault.about or set(fault.about) & set(case.faults) for fault in faults)


# --------------------------------------------------------------------------------------------------- where a game fails


def _failed(trial: Trial, case: Case, profile: str, first: Followed, number: int) -> CaseResult:
    """The result for the smallest list of answers after which the program still shows the first fault that is judged."""
    kind = next(fault.kind for _, fault in first.faults if fault.kind in _judged(trial, case))
    games = _set(trial, case, profile)
    shortest = covering.shortest(trial, games, profile, number - 1, kind) if games.covers else None
    if shortest is not None:
        note = f"{shortest.place}; this is the shortest game that shows it"
        failed = _noted(_result(trial, case, profile, shortest.followed, kind), "shortest", note)
        beaten = f"from there you beat it with {', '.join(shortest.wins_by)}"
        return _noted(failed, "beaten", beaten) if shortest.wins_by else failed
    tried: dict[Inputs, Followed] = {}

    def fails(inputs: Inputs) -> bool:
        if trial.spent_up:
            return False
        tried[inputs] = again = _follow(trial, profile, partial(repeating, inputs), first.seed)
        return typed_in(again.transcript) == inputs and _shows(again, (kind,), trial.charged)

    inputs = typed_in(first.transcript)
    place = f"first seen in game {number} of {_set(trial, case, profile).games}"
    if first.transcript.ending.kind in TOO_LONG or trial.spent_up:
        return _noted(_result(trial, case, profile, first, kind), "first-seen", place)
    if not fails(inputs):
        note = f"{place}; with the same answers it did not happen again: the program does not do the same twice"
        return _noted(_result(trial, case, profile, first, kind), "not-deterministic", note)
    slow = first.transcript.ending.kind is EndingKind.BUDGET
    smallest = shrink(inputs, fails, attempts=SHRINKING_SLOW if slow else SHRINKING)
    missing = [name for name in case.shown if not tried[smallest].occasions.get(name)]
    if missing:  # what shows without any refusal comes of none
        without = trial.scripts.tables.occasions[missing[0]]
        finding = Finding("unjudged", f"what the games show of this also shows without {without}: other cases judge it")
        return case_result(case, Verdict.UNJUDGED, (finding,))
    note = f"{place}, shrunk from {len(inputs)} answers to {len(smallest)}"
    return _noted(_result(trial, case, profile, tried[smallest], kind), "shrunk", note)


def _noted(failed: CaseResult, code: str, message: str) -> CaseResult:
    return replace(failed, findings=(*failed.findings, Finding(code, message, weight=Weight.NOTE)))


def _result(trial: Trial, case: Case, profile: str, followed: Followed, kind: str) -> CaseResult:
    """The result of a case in which a game shows a fault of this kind."""
    transcript = followed.transcript
    turn, fault = next((turn, fault) for turn, fault in followed.faults if fault.kind == kind)
    finding = _finding(trial, followed, turn, fault)
    if _is_break(followed, fault):
        finding, verdict = endings.explain(transcript), endings.VERDICTS[transcript.ending.kind]
    else:
        verdict = Verdict.NEEDS_REVIEW if kind == UNREAD else Verdict.WRONG_ANSWER
    return _at_end(trial, case_result(case, verdict, (finding,)), profile, followed)


def _finding(trial: Trial, followed: Followed, turn: int, fault: Fault) -> Finding:
    typed = followed.transcript.inputs_before(turn)
    return Finding(
        fault.kind,
        f"{fault.message}, {after_inputs(typed)}",
        turn,
        typed=typed,
        output=_last_lines(followed.transcript.turns[turn - 1].output),
        reading=followed.readings.get(turn) or tuple(dict.fromkeys(map(_reading, _facts(followed, turn)))),
        position=followed.positions.get(turn) or _position(trial, followed, turn),
    )


def _facts(followed: Followed, turn: int) -> Sequence[Fact | Event]:
    heard = followed.heard[turn - 1] if followed.heard else None
    return heard.facts or heard.events if heard else ()


def _position(trial: Trial, followed: Followed, turn: int) -> str:
    return tables(trial).position(followed.states[turn - 1]) if followed.states else ""


def _last_lines(output: str) -> str:
    """What a person would see of a turn: its last lines, where the question stands."""
    lines = output[-MOST_OUTPUT:].split("\n")[-MOST_LINES:]
    text = "\n".join(lines)
    return text if len(text) == len(output) else f"…\n{text}"


def _reading(fact: Fact | Event) -> str:
    """How a stretch of output was read: ``“COMPUTER moves a1” was read as move: heap a, count 1``."""
    values = ", ".join(f"{name} {value}" for name, value in fact.values.items() if value)
    told = f"{fact.name}{': ' if values else ''}{values}"
    quote = " ".join(fact.quote.split())  # heaps that were learned by experiment have no words of their own
    return f"“{quote}” was read as {told}" if quote else f"the output was read as {told}"


def _is_break(followed: Followed, fault: Fault) -> bool:
    return followed.broke and fault is followed.faults[-1][1]


def _code(followed: Followed, fault: Fault) -> str:
    """The code of the finding that a fault becomes."""
    return str(followed.transcript.ending.kind) if _is_break(followed, fault) else fault.kind

"""Rules within one kind of case: it demands something, and not two things that contradict each other."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from grader.source import Severity
from grader.spec.document import Loc
from grader.spec.hints import near
from grader.spec.model import Case
from grader.spec.problem import Problem
from grader.spec.rules.draft import Draft, Rule
from grader.spec.values import SpecModel

EXPLORED = "explored"
"""What cases call the games that were found by experiment."""

# Keys that say how something is looked at; all others demand something.
_MANNER = {"play", "runs", "given", "keys", "results", "minor", "pdf_pages", "bitmap", "example"}


def demands(draft: Draft) -> Iterator[Problem]:
    """A machine, source or files case demands something."""
    for index, case in draft.cases.items():
        for kind in ("machine", "source", "files"):
            rules: SpecModel | None = getattr(case, kind)
            if rules is not None and not _demanded(rules) and not _of_runs(case):
                keys = ", ".join(key for key in type(rules).model_fields if key not in _MANNER)
                yield Problem(
                    "demands-nothing", f"`{case.id}` demands nothing", ("cases", index, kind), f"add one of {keys}"
                )


def _demanded(rules: SpecModel) -> bool:
    fields = type(rules).model_fields
    return any(
        getattr(rules, key) != fields[key].get_default(call_default_factory=True) for key in fields.keys() - _MANNER
    )


def examples(draft: Draft) -> Iterator[Problem]:
    """A name that must fit a pattern is shown to students by an example, or told in a hint: they read no patterns."""
    for index, case in draft.cases.items():
        patterns = [case.files.handed_in_as, case.files.folder] if case.files else []
        wanted = [pattern for pattern in patterns if pattern is not None]
        loc = ("cases", index, "files")
        for pattern in wanted if case.files and case.files.example else ():
            if not re.fullmatch(pattern, case.files.example if case.files else ""):
                hint = "an example is a whole name, without `.zip`; for two patterns make two cases"
                yield Problem("example", f"the example does not fit {pattern}", (*loc, "example"), hint)
        if case.files and case.files.example and not wanted:
            hint = "it shows what `handed_in_as` or `folder` asks for"
            yield Problem(
                "idle-key", "an example without a pattern has no effect", (*loc, "example"), hint, at_key=True
            )
        if wanted and not case.hint and case.files and not case.files.example:
            message = "students are not told what the name should be: they are shown no patterns"
            hint = "add `example: NAME`, or a `hint` to the case"
            yield Problem("untold", message, loc, hint, at_key=True, severity=Severity.WARNING)


def _of_runs(case: Case) -> bool:
    """Whether runs of a machine case demand something of their own."""
    return case.machine is not None and any(run.registers or run.memory or run.leaves for run in case.machine.runs)


def runs(draft: Draft) -> Iterator[Problem]:
    """A machine case has runs, said in one way; what is repeated by experiment begins as programs do."""
    for index, case in draft.cases.items():
        rules, loc = case.machine, ("cases", index, "machine")
        if rules is None:
            continue
        if not rules.play and not rules.runs:
            yield Problem(
                "missing", "`play` is missing", loc, "the inputs of each run, [''] for one without any; or `runs`"
            )
        elif rules.play and rules.runs:
            message = "the runs are said in two ways"
            yield Problem("contradiction", message, (*loc, "runs"), "give each of `runs` its `play`", at_key=True)
        if (rules.sets_up or rules.runs) and (rules.watches_registers or rules.start_seeds):
            message = "runs that are repeated with other registers begin as the program does, with `play` alone"
            yield Problem("contradiction", message, loc, "make two cases of it", at_key=True)
        if not rules.unread and not any(run.play or run.keys for run in rules.each):
            yield _idle("nothing is typed that could be left unread", (*loc, "unread"), "add `play` or `keys`")


def contradictions(draft: Draft) -> Iterator[Problem]:
    """Nothing is both required and forbidden."""
    for index, case in draft.cases.items():
        if case.machine:
            loc: Loc = ("cases", index, "machine", "required_traps")
            both = set(case.machine.required_traps) & set(case.machine.forbidden_traps)
            yield from _contradictions(loc, [f"x{vector:02X}" for vector in sorted(both)])
        if case.source:
            wanted = {word.upper() for word in case.source.required}
            both_words = wanted & {word.upper() for word in case.source.forbidden}
            yield from _contradictions(("cases", index, "source", "required"), sorted(both_words))


def _contradictions(loc: Loc, both: list[str]) -> Iterator[Problem]:
    for word in both:
        yield Problem("contradiction", f"{word} is both required and forbidden", loc, "remove one", at_key=True)


def results(draft: Draft) -> Iterator[Problem]:
    """Registers are exempt from a rule that is demanded, or count little in it."""
    for index, case in draft.cases.items():
        for key in ("results", "minor"):
            if case.machine and getattr(case.machine, key) and not case.machine.callee_saved:
                loc = ("cases", index, "machine", key)
                yield _idle(f"`{key}` is about `callee_saved`, which is not demanded", loc, "add `callee_saved: true`")


def _idle(message: str, loc: Loc, hint: str) -> Problem:
    return Problem("idle-key", message, loc, hint, at_key=True)


def shares(draft: Draft) -> Iterator[Problem]:
    """The share of illegal inputs is at most all of them, and is said only where there are some."""
    for index, case in draft.cases.items():
        game = case.differential
        if game is None:
            continue
        loc = ("cases", index, "differential", "share")
        if game.share > 1:
            yield Problem("share", "a share is at most 1", loc, "such as 1/3")
        elif "share" in game.model_fields_set and not game.illegal:
            yield _idle("`share` is about `illegal`, which is empty", loc, "remove it, or list shapes in `illegal`")


def games(draft: Draft) -> Iterator[Problem]:
    """A game case names a set of games that there is and the faults that it judges; other cases name neither.

    `shows` is for machine cases and for sources that forbid something, too, as one number.
    """
    used = {case.game for case in draft.cases.values()}
    for index, case in draft.cases.items():
        loc: Loc = ("cases", index)
        if case.game is None:
            forbids = case.machine is not None or (case.source is not None and case.source.forbids)
            foreign = ("faults",) if forbids and not case.shown else ("faults", "shows")
            for key in foreign:
                if key in case.model_fields_set:
                    yield _idle(f"`{key}` is for `game`, and `{case.id}` is none", (*loc, key), "add `game: NAME`")
            continue
        if not case.faults and not case.shown:
            hint = "add `faults: [NAME]`, or name in `shows` what must be seen"
            yield Problem("demands-nothing", f"`{case.id}` judges no fault", loc, hint)
        if draft.complete and draft.game is not None and case.game != EXPLORED:
            hint = f"`game: {EXPLORED}`: all that was found in any game is looked at"
            yield Problem(
                "unknown-games", "programs are explored here, and there are no sets of games", (*loc, "game"), hint
            )
        elif draft.complete and draft.game is None and case.game not in draft.games:
            hint = near(case.game, draft.games, "`games` has")
            yield Problem("unknown-games", f"there is no set of games `{case.game}`", (*loc, "game"), hint)
    if draft.game is not None and draft.complete:
        yield from _explored(draft, used)
    for name in draft.games if draft.complete and draft.game is None else ():
        if name not in used:
            yield _idle(f"no case looks at the games `{name}`", ("games", name), "remove them, or add a case")


def _explored(draft: Draft, used: Collection[str | None]) -> Iterator[Problem]:
    """What a spec says besides a game that is explored: no sets of games, a reference, and a case that looks at it."""
    if draft.games:
        hint = "remove `games`: what is played is found out for each program"
        yield Problem(
            "games-explored",
            "`games` are for a referee, and `game` says that programs are explored",
            ("games",),
            hint,
            at_key=True,
        )
    if draft.reference is None:
        hint = "add `reference: PATH`"
        yield Problem("no-reference", "a `game` needs a reference that has the rules", ("game",), hint, at_key=True)
    if EXPLORED not in used:
        yield _idle("no case looks at the game", ("game",), f"add a case with `game: {EXPLORED}`, or remove it")


def deliverables(draft: Draft) -> Iterator[Problem]:
    """A file that a case looks for is one that can be handed in; pages are counted in a file that is named."""
    handed_in = (*draft.submission.required, *draft.submission.optional) if draft.submission else None
    for index, case in draft.cases.items():
        rules, loc = case.files, ("cases", index, "files")
        if rules is None:
            continue
        if rules.pdf_pages is not None and rules.present is None:
            yield _idle("`pdf_pages` is about the file in `present`", (*loc, "pdf_pages"), "add `present: report.pdf`")
        if rules.present is not None and handed_in is not None and rules.present not in handed_in:
            message = f"`{rules.present}` is not among the files handed in"
            hint = near(rules.present, handed_in, "`submission` lists")
            yield Problem("file", message, (*loc, "present"), hint)


RULES: tuple[Rule, ...] = (demands, runs, examples, contradictions, results, shares, games, deliverables)

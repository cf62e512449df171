"""The rule that numbers fit into a word of the machine: a larger one would lose its upper half without a word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from grader.spec.document import Loc
from grader.spec.kinds.call import CallRules
from grader.spec.kinds.machine import MachineRules, MachineRun
from grader.spec.problem import Problem
from grader.spec.ranges import read_range
from grader.spec.rules.draft import Draft, Rule
from grader.spec.things import numbers_in, word_problem

_OF_CALLS = ("with", "given", "returns", "leaves")
_OF_RUNS = ("given", "registers", "memory", "leaves")


def _written(rules: CallRules | MachineRules | MachineRun, keys: Iterable[str]) -> Iterator[tuple[Loc, int]]:
    for key in keys:
        value = getattr(rules, "with_" if key == "with" else key)
        yield from (((key, *loc), number) for loc, number in numbers_in(value))


def _drawn(rules: CallRules) -> Iterator[tuple[Loc, int]]:
    arguments = rules.arguments
    items = arguments.items() if isinstance(arguments, Mapping) else enumerate(arguments)
    for name, one in items:
        drawn = read_range(one)
        fixed = drawn.thing if drawn.kind == "fixed" and isinstance(drawn.thing, int) else 0
        yield from ((("arguments", name), number) for number in dict.fromkeys((drawn.least, drawn.most, fixed)))


def fit(draft: Draft) -> Iterator[Problem]:
    """Each number of a call and of the set-up of a machine."""
    language = draft.program.simulated if draft.program else None
    if language is None:
        return
    for index, case in draft.cases.items():
        found: list[tuple[Loc, int]] = []
        if case.call is not None:
            found += [(("call", *loc), number) for loc, number in _written(case.call, _OF_CALLS)]
            found += [(("call", *loc), number) for loc, number in _drawn(case.call)]
        if case.machine is not None:
            found += [(("machine", *loc), number) for loc, number in _written(case.machine, _OF_RUNS)]
            for at, run in enumerate(case.machine.runs):
                found += [(("machine", "runs", at, *loc), number) for loc, number in _written(run, _OF_RUNS)]
        for loc, number in found:
            if message := word_problem(number, language):
                yield Problem("range", message, ("cases", index, *loc))


RULES: tuple[Rule, ...] = (fit,)

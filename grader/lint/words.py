"""Words of a spec that the machine or the language does not have: dialects, operations, registers, traps, queries."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from grader.checks.trees import problem_in
from grader.errors import GraderError
from grader.machines.families import family
from grader.spec.document import Loc
from grader.spec.kinds.beginning import Beginning
from grader.spec.kinds.call import CallRules
from grader.spec.kinds.machine import MachineRules, MachineRun
from grader.spec.model import Case, Spec
from grader.spec.problem import Problem, near
from grader.spec.things import behind

# An instruction has eight bits for the vector.
LAST_TRAP = 0xFF
ADDRESS = re.compile("0?[xX][0-9A-Fa-f]{1,8}")
# `4000` is meant for an address, and is no label of any assembler.
HEX = re.compile("[0-9A-Fa-f]{1,8}")
PLACE = re.compile(rf"(?:{ADDRESS.pattern}|[A-Za-z_.$@][A-Za-z0-9_.$@]*)(?:[+-](?:{ADDRESS.pattern}|[0-9]+))?")
REGISTER = re.compile(r"[Rr][0-9]+|\$\w+")


def machine_words(spec: Spec) -> Iterator[Problem]:
    """Dialects, operations, registers and traps that the machine does not have."""
    if spec.program.simulated is None:
        return
    machine = family(spec.program.simulated)
    named = () if spec.program.dialect is None else (spec.program.dialect,)
    yield from _known(named, machine.traits.dialects, "dialect", ("program", "dialect"))
    for index, case in enumerate(spec.cases):
        if case.source:
            loc = ("cases", index, "source")
            for key in ("required", "forbidden"):
                yield from _known(getattr(case.source, key), machine.operations, "mnemonic or directive", (*loc, key))
        if case.machine:
            loc = ("cases", index, "machine")
            yield from _known(case.machine.results, machine.registers, "register", (*loc, "results"))
            yield from _known(case.machine.minor, machine.registers, "register", (*loc, "minor"))
            for run, at in placed(case.machine, loc):
                yield from _known(run.registers, machine.registers, "register", (*at, "registers"))
                yield from _places(run.memory, (*at, "memory"))
                yield from _places(run.leaves, (*at, "leaves"))
            yield from trap_vectors(case.machine, loc)
        for begun, at in beginnings(case, index):
            meant = [name for name in begun.given if REGISTER.fullmatch(name)]
            yield from _known(meant, machine.registers, "register", (*at, "given"))
            yield from _places((name for name in begun.given if name not in meant), (*at, "given"))


def fault(error: GraderError, loc: Loc) -> Problem:
    """A fault of the reference, which says its own place, as a problem of what brought it about."""
    message = f"{error.message}, in {error.place}" if error.place else error.message
    return Problem("reference", message, loc, error.hint)


def placed(rules: MachineRules, loc: Loc) -> Iterator[tuple[MachineRules | MachineRun, Loc]]:
    """Whatever says what lies where, and where it is said: a machine case, and each of its runs."""
    yield rules, loc
    for number, run in enumerate(rules.runs):
        yield run, (*loc, "runs", number)


def beginnings(case: Case, index: int) -> Iterator[tuple[Beginning, Loc]]:
    """Whatever says what a run of a case begins with, and where it is said."""
    loc: Loc = ("cases", index)
    if case.starts is not None:
        yield case.starts, (*loc, "starts")
    yield from ((pair, (*loc, "io", number)) for number, pair in enumerate(case.io or ()))
    yield from placed(case.machine, (*loc, "machine")) if case.machine else ()


def _known(words: Iterable[str], known: Iterable[str], what: str, loc: Loc) -> Iterator[Problem]:
    upper = {word.upper() for word in known}
    for at, word in enumerate(words):
        # Assemblers take `add` and `ADD`; dialects are names of ours, in small letters.
        if word.upper() not in upper:
            meant, words_known = (word, known) if what == "dialect" else (word.upper(), sorted(upper))
            hint = near(meant, words_known, "known are")
            yield Problem("unknown-word", f"there is no {what} `{word}`", (*loc, at, word), hint)


def _places(places: Iterable[str], loc: Loc) -> Iterator[Problem]:
    """Places in memory that are neither labels nor addresses: nothing could ever be found there."""
    for place in places:
        if not PLACE.fullmatch(place):
            how = "a label, or an address such as x4000 or 0x10010000"
            hint = f"an address is written x{place}" if HEX.fullmatch(place) else how
            yield Problem("unknown-word", f"`{place}` is no place in memory", (*loc, place), hint, at_key=True)


def unknown_labels(spec: Spec, symbols: Collection[str]) -> Iterator[Problem]:
    """Labels that a case looks for, and that the model program does not have."""
    known = {name.casefold() for name in symbols}
    for index, case in enumerate(spec.cases):
        runs = placed(case.machine, ("machine",)) if case.machine else ()
        labels = case.source.labels if case.source else ()
        wanted: list[tuple[Loc, str]] = [((*at, "memory", place), place) for run, at in runs for place in run.memory]
        wanted += [(("source", "labels", at), label) for at, label in enumerate(labels)]
        for where, label in wanted:
            plain = label if label.casefold() in known else behind(label)[0]
            if plain.casefold() not in known and not ADDRESS.fullmatch(plain):
                hint = near(label, sorted(symbols), "its labels")
                message = f"the model program has no label `{label}`"
                yield Problem("unknown-word", message, ("cases", index, *where), hint, at_key=where[0] == "machine")


def trap_vectors(rules: MachineRules | CallRules, loc: Loc) -> Iterator[Problem]:
    """Traps that are required or forbidden, and that no machine has; and routines that are traps."""
    for key in ("required_traps", "forbidden_traps"):
        for at, vector in enumerate(getattr(rules, key)):
            if vector > LAST_TRAP:
                message = f"there is no trap x{vector:X}"
                yield Problem("unknown-word", message, (*loc, key, at), f"the last is x{LAST_TRAP:X}")
    # TRAP x25 enters the routine whose address stands at x0025: to call x0025 itself would be to run that address.
    for name in rules.calls if isinstance(rules.calls, Mapping) else ():
        if ADDRESS.fullmatch(name) and int(name.lower().rpartition("x")[2], 16) <= LAST_TRAP:
            message = f"`{name}` is the vector of a trap, and `calls` counts only routines that JSR and JSRR call"
            hint = f"demand the trap with `required_traps: [{name}]`"
            yield Problem("unknown-word", message, (*loc, "calls", name), hint, at_key=True)


def source_queries(spec: Spec) -> Iterator[Problem]:
    """Queries that the grammar of their language does not take."""
    for index, case in enumerate(spec.cases):
        for at, construct in enumerate(case.source.constructs if case.source else ()):
            wrong = problem_in(construct.query, construct.language or spec.program.language[0])
            if wrong:
                loc = ("cases", index, "source", "constructs", at, "query")
                yield Problem("query", f"this is no query: {wrong}", loc, QUERY)


QUERY = 'such as (goto_statement), or ((identifier) @found (#match? @found "^my_"))'

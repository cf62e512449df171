"""A ``machine`` case, judged: observed runs of a simulated program, with facts that only the simulator sees.

Faults can only show on certain events. A case on subroutines and their registers rests on returns; a case on forbidden
acts rests on the answers that the program took.
"""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from grader.checks import ending as endings
from grader.checks import machine, streams
from grader.checks.dialogue import Bindings, Scope
from grader.grading.kinds import registers
from grader.grading.trial import Judgement, Trial, case_result, given, show_again, with_run
from grader.machines.records import Experiment
from grader.results import CaseResult, Finding, Occasion, Verdict, Weight
from grader.sessions.session import Setup, play
from grader.sessions.simulated import Evidence
from grader.spec.kinds.machine import Bitmap
from grader.spec.kinds.runs import Judged
from grader.spec.model import Case
from grader.spec.things import read_thing
from grader.transcript import Usage

_ANYTHING = 0x6B5A
"""Put into a register at the start to see whether the program counts on what it finds there."""


def judge(trial: Trial, case: Case, profile: str) -> Judgement:
    """The result of all observed runs together."""
    rules = given(case.machine)
    evidence = []
    painted = ""
    for run in rules.each:
        session = trial.observed(profile, setup=Setup.of(run))
        transcript = play(session, run.play, enter=True)
        things = {place: read_thing(value) for place, value in run.leaves.items()}
        evidence.append(session.evidence(transcript, tuple(run.memory), things))
        painted = picture(session.machine.read, rules.bitmap) if rules.bitmap else ""
    watched = registers.watch(trial, case, profile, evidence) if rules.watches_registers else None
    findings = machine.check(rules, evidence)
    verdict = machine.verdict(rules, evidence, findings)
    printed, bindings = _printed(trial, case, evidence)
    findings = (*findings, *printed)
    if verdict is Verdict.ACCEPTED and printed:
        defects = any(one.weight is Weight.DEFECT for one in printed)
        slips = any(one.weight is Weight.SLIP for one in printed)
        verdict = Verdict.WRONG_ANSWER if defects else Verdict.FORM if slips else verdict
    share = None
    if watched is not None:
        routines = machine.subroutines(rules, watched)
        findings = (*findings, *routines.findings)
        share = routines.share if verdict is Verdict.ACCEPTED else None
        verdict = Verdict.WRONG_ANSWER if verdict is Verdict.ACCEPTED and routines.share < 1 else verdict
    occasions = tuple(_occasions(case, evidence, watched))
    lacking = [occasion for occasion in occasions if not occasion.enough]
    if verdict is Verdict.ACCEPTED and lacking:
        verdict, share, findings = Verdict.NOT_SHOWN, None, (_not_shown(lacking, evidence),)
    result = replace(
        case_result(case, verdict, findings, met=verdict in (Verdict.ACCEPTED, Verdict.FORM)),
        usage=sum((one.transcript.usage for one in evidence), Usage()),
        again="" if rules.sets_up else show_again(trial, evidence[0].transcript.inputs, profile),
        picture=painted,
        occasions=occasions,
        runs=len(evidence),
        share=share.as_integer_ratio() if share is not None and share < 1 else None,
    )
    if verdict is Verdict.ACCEPTED:
        result = _from_other_values(trial, case, profile, result, evidence)
    return Judgement.of(result, bindings, *(one.transcript for one in evidence))


def _printed(trial: Trial, case: Case, evidence: Sequence[Evidence]) -> tuple[tuple[Finding, ...], Bindings]:
    """Findings on wrong output, if the runs must print something; and the choices bound so far."""
    bindings = trial.bindings
    findings: dict[tuple[str, str], Finding] = {}
    runs = given(case.machine).each
    for number, (wanted, one) in enumerate(zip(runs, evidence, strict=True), start=1):
        if not wanted.demands:
            continue
        where = f"in run {number} of {len(runs)}" if len(runs) > 1 else "in its run"
        text = "".join(turn.output for turn in one.transcript.turns)
        printed = streams.Text(trial.spec.text, Scope.of(case, (Judged.TEXT,)), bindings, one.transcript)
        typed = "".join(one.transcript.inputs)
        wrong = trial.scripts.wrong(wanted.checker, typed, text) if wanted.checker is not None else ""
        printed.compare(wanted, text.encode(), where, wrong)
        bindings = printed.bindings
        for finding in printed.findings:  # one slip in all runs is reported once, and so is a note
            key = (finding.code, finding.message if finding.weight is Weight.DEFECT else "")
            findings.setdefault(key, replace(finding, turn=None))
    return tuple(findings.values()), bindings


def _occasions(case: Case, evidence: Sequence[Evidence], watched: machine.Watched | None) -> Iterator[Occasion]:
    """The events of the runs in which a fault could have shown."""
    rules = given(case.machine)
    needed = case.needed()
    if watched is not None:
        yield Occasion("returns from subroutines", watched.returns, needed)
    offered = sum(len(run.play) for run in rules.each)
    if rules.forbids and offered:
        taken = sum(len(one.transcript.turns) - 1 for one in evidence)
        yield Occasion("answers that it took", taken, min(needed, offered))


def _not_shown(lacking: Sequence[Occasion], evidence: Sequence[Evidence]) -> Finding:
    """The finding on events that never came, with what the program did instead."""
    counts = " and ".join(one.lack for one in lacking)
    runs = "one run" if len(evidence) == 1 else f"{len(evidence)} runs"
    broke = next((one.transcript.ending for one in evidence if endings.faulty(one.transcript.ending)), None)
    called = any(one.observations.calls for one in evidence)
    cause = "" if called else ": no subroutine is called"
    if called and broke is not None:
        cause = f": {broke.message}"
    return Finding("not-shown", f"{runs} had too few {counts}{cause}", place=broke.place if broke else "")


def _from_other_values(
    trial: Trial, case: Case, profile: str, result: CaseResult, evidence: Sequence[Evidence]
) -> CaseResult:
    """The result after each run was repeated with other contents of registers and memory at its start."""
    # A program that relies on zeros in registers or memory is right on one machine, and wrong on the next.
    for seed in given(case.machine).start_seeds:
        for one in evidence:
            transcript = play(trial.start(profile, seed=seed), one.transcript.inputs)
            dependence = machine.start_dependence(one.transcript, transcript)
            if dependence is not None:
                turn = dependence.turn or 1
                dependence = replace(dependence, message=f"{dependence.message}{_unset(trial, profile, one)}")
                if case.criterion is None:  # the text says nothing of what is there at the start
                    dependence = replace(dependence, weight=Weight.NOTE)
                verdict = Verdict.WRONG_ANSWER if case.criterion else Verdict.ACCEPTED
                dependent = case_result(case, verdict, (*result.findings, dependence))
                expected = {turn: one.transcript.turns[turn - 1].output}
                dependent = with_run(trial, dependent, profile, transcript, expected, seed)
                usage = result.usage + transcript.usage
                return replace(dependent, usage=usage, occasions=result.occasions, runs=result.runs)
    return result


def _unset(trial: Trial, profile: str, one: Evidence) -> str:
    """A clause on the registers and cells that a program uses before it writes to them, as far as they are known."""
    family, seen = one.family, one.observations
    names = []
    for number in (*family.kept, family.stack):
        transcript = play(trial.observed(profile, Experiment({number: _ANYTHING})), one.transcript.inputs)
        if machine.start_dependence(one.transcript, transcript) is not None:
            names.append(family.registers[number])
    names += [seen.image.label_at(address) or family.address(address) for address in seen.unfilled_reads]
    return f": the program uses {', '.join(names)} before it stores anything there" if names else ""


# ------------------------------------------------------------------------------------------------------------ the picture

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def picture(read: Callable[[int], int], bitmap: Bitmap) -> str:
    """The words of a bitmap, each ``0x00RRGGBB``, as a ``data:`` address of a PNG.

    PNG as the W3C specifies it (Portable Network Graphics, third edition): one IHDR, one IDAT, one IEND; 8 bits for each of
    red, green and blue; no filter.
    """
    rows = []
    for row in range(bitmap.height):
        first = bitmap.address + 4 * bitmap.width * row
        words = (read(first + 4 * column) for column in range(bitmap.width))
        rows.append(b"\0" + b"".join((word & 0xFF_FFFF).to_bytes(3, "big") for word in words))
    header = struct.pack(">IIBBBBB", bitmap.width, bitmap.height, 8, 2, 0, 0, 0)
    chunks = _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(b"".join(rows), 9)) + _chunk(b"IEND", b"")
    return "data:image/png;base64," + b64encode(_SIGNATURE + chunks).decode("ascii")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

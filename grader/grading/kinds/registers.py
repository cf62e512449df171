"""Changes of registers by subroutines, and whether they are results: found by experiment.

**Contents.** If a register held 0 at the call, nobody sees that a subroutine leaves 0 in it. So programs are watched
from random contents, in as many registers as possible without changing what the program says.

**Results.** If a subroutine changes a register and its caller reads it, it may be a result. It may also be read by
accident: stored before use, or taken for its earlier value. So the run is repeated with the register put back, at each return, to what it held
at the call. If the dialogue then differs, and is no nearer to the expected one, the new value was needed: it is a
result. If it is nearer, the register was clobbered. If nothing changes, other values are tried as well. If the dialogue
depends on them, old and new value had the same effect only by chance, and it is taken for a result. For example, a
mistake elsewhere may keep a game from its end. So it is if the earlier value makes the dialogue better, though not
right, and several others do just that. For example, a wrong sum ends a game, and any number above nothing hides its
end. Otherwise nobody needs the value, and the register was clobbered. Clobbered registers stay restored in the runs
that follow. So restoring all of them, as the student is told to do, leaves the program as good as it was.

**Codes.** A subroutine of an LC-3 program may also answer by the condition codes: it tests a register and returns, and its caller
branches. Nobody reads that register, and to restore it behind the test would change the answer. So it is a result.

**Twins.** One subroutine may store registers, and another one load them again: ``JSR SAVE`` and ``JSR RESTORE``. The
second changes them, and perhaps nobody needs the new values. If it always left the values that the first was called
with, the first is called with other values: if the second restores these, it is not blamed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import field, replace

from grader.checks import dialogue
from grader.checks import ending as endings
from grader.checks.facts import Fact, read_facts
from grader.checks.machine import Kept, Watched
from grader.grading.trial import Trial, given
from grader.machines.memory import noise
from grader.machines.records import Experiment, Use
from grader.sessions.session import WAITS_ON, Account, Session, play
from grader.sessions.simulated import Evidence
from grader.spec.expectations import Script
from grader.spec.kinds.runs import Judged
from grader.spec.model import Case
from grader.transcript import EndingKind, Transcript, Turn, Usage
from grader.values import dataclass

BUDGET = 200_000_000
"""Maximum instructions for the experiments of a case.

A register that is read and still untried then is taken for a result.
"""

_SEED = 75  # of the random values that registers begin with in an experiment; any number does
_OTHER_VALUES = (0, 1, 0xFFFF, 0x6B5A)
"""Values to see whether anything depends on a register: the usual answers, a negative one, and no answer at all."""

_TEXT = dialogue.Scope((Judged.TEXT,))

Dialogues = tuple[Transcript, ...]
"""The dialogues of the runs of a case."""


def watch(trial: Trial, case: Case, profile: str, plain: Sequence[Evidence]) -> Watched:
    """The runs of a case from random contents of registers, and the meaning of the registers that subroutines change.

    ``plain`` are the runs from zeros.
    """
    bench = _Bench(trial, case, profile)
    rules = given(case.machine)
    by_convention = {name.upper() for name in rules.results}
    exempt = {number for number, name in enumerate(plain[0].family.registers) if name.upper() in by_convention}
    experiment = bench.noise(plain[0].family.kept, tuple(one.transcript for one in plain))
    runs = bench.observe(experiment)
    twinned = bench.twinned(experiment, runs)
    unread, read = _changed(runs, exempt, twinned)
    transcripts = tuple(one.transcript for one in runs)
    # Some subroutines push what others pop: nobody is told to restore the stack pointer.
    paired = _paired(runs)
    codes = _told_by_codes(runs)
    left = [kept for kept in read if kept not in paired | codes]
    restored = replace(experiment, restored=unread - codes)
    meant, mending = bench.sorted(left, plain[0].family.stack, restored, transcripts)
    results = _by_places(runs, meant | codes)
    return Watched(runs, paired | results, mending - results, twinned)


def _changed(
    runs: Sequence[Evidence], exempt: Collection[int], twinned: Collection[Kept]
) -> tuple[frozenset[Kept], list[Kept]]:
    """The registers that differed at returns: those that nobody read afterwards, and the others; twins are left out.

    Among the others, registers that no nested subroutine had changed come first.
    """
    changed: set[Kept] = set()
    read: dict[Kept, frozenset[int]] = {}
    for run in runs:
        for change in run.observations.changes:
            changed.add((change.routine.address, change.register))
            if change.use is Use.READ:
                read[change.routine.address, change.register] = change.left_by
        for imbalance in run.observations.imbalances:  # the stack is read wherever there is one
            changed.add((imbalance.routine.address, run.family.stack))
            read[imbalance.routine.address, run.family.stack] = imbalance.left_by
    judged = {kept for kept in changed if kept[1] not in exempt and kept not in twinned}
    return frozenset(judged - read.keys()), sorted(judged & read.keys(), key=lambda kept: (len(read[kept]), kept))


def _likely_twins(runs: Sequence[Evidence]) -> dict[tuple[int, int], list[int]]:
    """Registers that one subroutine always leaves with the values that another was called with, by both addresses."""
    shared: dict[Kept, frozenset[int]] = {}
    for run in runs:
        for change in run.observations.changes:
            kept = (change.routine.address, change.register)
            shared[kept] = shared.get(kept, change.twins) & change.twins
    pairs: dict[tuple[int, int], list[int]] = {}
    for (routine, register), twins in sorted(shared.items()):
        for twin in sorted(twins):
            pairs.setdefault((routine, twin), []).append(register)
    return pairs


def _paired(runs: Sequence[Evidence]) -> frozenset[Kept]:
    """The stack pointer in subroutines, if some push and others pop: that is intended."""
    grown: dict[Kept, bool] = {}
    for run in runs:
        for one in run.observations.imbalances:
            grown.setdefault((one.routine.address, run.family.stack), one.after > one.before)
    return frozenset(grown) if len(set(grown.values())) == 2 else frozenset()


def _told_by_codes(runs: Sequence[Evidence]) -> frozenset[Kept]:
    """The registers whose test is the last thing that a subroutine does before its caller branches."""
    told = runs[0].family.told_by_codes
    return (
        frozenset()
        if told is None
        else frozenset().union(*(told(run.observations.image, run.observations.calls) for run in runs))
    )


def _by_places(runs: Sequence[Evidence], meant: frozenset[Kept]) -> frozenset[Kept]:
    """The results, and the same registers of other subroutines that are called at the same places.

    A jump table calls one subroutine for each row: what the caller takes from one of them it takes from all. Where it
    tests this result wrongly, the dialogue comes right by chance if one of them restores the register.
    """
    called: dict[Kept, set[int]] = {}
    for run in runs:
        for change in run.observations.changes:
            called.setdefault((change.site, change.register), set()).add(change.routine.address)
    shared = ({(routine, register) for routine in routines} for (_, register), routines in called.items())
    return meant.union(*(alike for alike in shared if alike & meant))


class _Bench:
    """The runs of one case under one profile, played under experiments."""

    def __init__(self, trial: Trial, case: Case, profile: str) -> None:
        self._trial, self._profile = trial, profile
        self._left = BUDGET
        self._inputs = given(case.machine).play
        self._scripts = [trial.scripts.expected(inputs) for inputs in self._inputs] if trial.spec.reference else []

    def observe(self, experiment: Experiment) -> tuple[Evidence, ...]:
        """The runs with all evidence."""
        sessions = ((self._trial.observed(self._profile, experiment), inputs) for inputs in self._inputs)
        return tuple(session.evidence(play(session, inputs, enter=True)) for session, inputs in sessions)

    def play(self, experiment: Experiment, before: Dialogues | None = None) -> Dialogues:
        """The dialogues of the runs; each is left at its first difference from ``before``."""
        sessions = (self._trial.observed(self._profile, experiment) for _ in self._inputs)
        if before is None:
            runs = zip(sessions, self._inputs, strict=True)
            transcripts = tuple(play(session, inputs, enter=True) for session, inputs in runs)
        else:
            transcripts = tuple(_play_like(one, session) for one, session in zip(before, sessions, strict=True))
        self._left -= sum(one.usage.instructions for one in transcripts)
        return transcripts

    def twinned(self, experiment: Experiment, runs: Sequence[Evidence]) -> frozenset[Kept]:
        """The registers in which subroutines restore any values that their twins were called with."""
        kept: set[Kept] = set()
        for (routine, twin), registers in _likely_twins(runs).items():
            if self.spent:
                break
            values = dict(zip(registers, noise(_SEED + 1, len(registers)), strict=True))
            given = {(twin, register): value for register, value in values.items()}
            tried = self.observe(replace(experiment, given=given))
            self._left -= sum(run.transcript.usage.instructions for run in tried)
            changes = (change for run in tried for change in run.observations.changes)
            left = ((one.register, one.after) for one in changes if one.routine.address == routine)
            kept |= {(routine, register) for register, value in left if values.get(register) == value}
        return frozenset(kept)

    def sorted(
        self, kept_open: Sequence[Kept], stack: int, experiment: Experiment, said: Dialogues
    ) -> tuple[frozenset[Kept], frozenset[Kept]]:
        """The registers that are results, and those whose restoring makes the dialogue right.

        They are restored one after the other; clobbered ones stay restored while the next is tried. Registers that make it
        right come first: while one register spoils the dialogue, the effect of others may be invisible.
        """

        def tried(*more: Kept) -> int:
            """The comparison if these registers are restored as well."""
            if self.spent or not more:
                return -1 if self.spent else 0
            return self.compared(said, self.play(replace(experiment, restored=experiment.restored | {*more}), said))

        def keep(kept: Kept) -> None:
            """Keep this register restored from now on."""
            nonlocal experiment, said
            experiment = replace(experiment, restored=experiment.restored | {kept})
            said = self.play(experiment)

        def matters(kept: Kept) -> bool:
            """Whether the dialogue depends on the value left.

            For the stack pointer it always does, which proves nothing.
            """
            forced = (replace(experiment, forced={kept: value}) for value in _OTHER_VALUES)
            return kept[1] != stack and any(self.compared(said, self.play(one, said)) for one in forced)

        def by_chance(kept: Kept) -> bool:
            """Whether the dialogue is still wrong with the earlier value, and several others make it the same: nobody needs just that."""
            after = self.play(replace(experiment, restored=experiment.restored | {kept}))
            if self._states_all(after):
                return False
            forced = (replace(experiment, forced={kept: value}) for value in _OTHER_VALUES)
            return sum(not self.compared(after, self.play(one, after)) for one in forced) > 1

        mending: set[Kept] = set()
        while True:
            outcomes = {kept: tried(kept) for kept in kept_open if kept not in mending}
            better = next((kept for kept, outcome in outcomes.items() if outcome > 0 and not by_chance(kept)), None)
            if better is None:
                break
            mending.add(better)
            keep(better)
        # Restoring a result that the program needs makes the dialogue worse; otherwise other values are tried.
        meant = {kept for kept, outcome in outcomes.items() if outcome < 0}
        meant |= {kept for kept in outcomes if kept not in meant and matters(kept)}
        # Two registers may hold the same result, and the program needs one of them: restoring both spoils the dialogue.
        idle = set(outcomes) - meant
        for kept in (one for one in kept_open if one in idle) if tried(*idle) < 0 else ():
            if tried(kept) < 0:
                meant.add(kept)
            else:
                keep(kept)
        return frozenset(meant), frozenset(mending)

    @property
    def spent(self) -> bool:
        """Whether the budget of the experiments is used up."""
        return self._left <= 0

    def noise(self, registers: Sequence[int], transcripts: Dialogues) -> Experiment:
        """Random contents for as many of the registers as possible without changing the dialogue."""
        contents = dict(zip(registers, noise(_SEED, len(registers)), strict=True))
        if self.compared(transcripts, self.play(Experiment(contents), transcripts)) == 0:
            return Experiment(contents)
        kept: dict[int, int] = {}
        for register, value in contents.items():
            tried = {**kept, register: value}
            if self.compared(transcripts, self.play(Experiment(tried), transcripts)) == 0:
                kept = tried
        return Experiment(kept)

    def _states_all(self, said: Dialogues) -> bool:
        """Whether these dialogues state in every turn what they should, and nothing else; form does not count."""
        pairs = zip(self._scripts, said, strict=True)
        turns = ((script, one, at) for script, one in pairs for at in range(len(one.turns)))
        return not any(_wrong(self._trial, *turn).amount for turn in turns)

    def compared(self, before: Dialogues, after: Dialogues) -> int:
        """0 if the dialogue is unchanged, 1 if it is nearer to the expected one, -1 otherwise.

        Without a reference the expected dialogue is unknown.
        """
        signs = {0}
        for number, (one, two) in enumerate(zip(before, after, strict=True)):
            turn = _first_difference(one, two)
            if turn is None:
                continue
            if not self._scripts:  # any change may be for the worse, and a result is never blamed
                return -1
            wrong, still = (_wrong(self._trial, self._scripts[number], transcript, turn) for transcript in (one, two))
            signs.add(1 if still.less_than(wrong) else -1)
        return min(signs) or max(signs)


def _play_like(before: Transcript, session: Session) -> Transcript:
    """The same inputs again, up to the first turn that differs."""
    account = Account(session)
    for turn in before.turns:
        ending = account.listen()
        if ending is not None or turn.typed is None or account.output != turn.output:
            break
        account.say(turn.typed)
    return account.closed(ending)


def _first_difference(one: Transcript, two: Transcript) -> int | None:
    """The first turn, from 0, in which two runs differ; the last one where they end in other ways."""
    for number, (turn, other) in enumerate(zip(one.turns, two.turns, strict=False)):
        if turn != other:
            return number
    return None if one.ending.kind is two.ending.kind else len(two.turns) - 1


@dataclass(frozen=True, slots=True)
class _Wrong:
    """The faults of a turn: a wrong ending or a missing one, facts, slips of form."""

    broken: bool
    missing: Counter[Fact] = field(default_factory=Counter)
    extra: Counter[Fact] = field(default_factory=Counter)
    slips: int = 0

    def less_than(self, other: _Wrong) -> bool:
        """Whether this is a proper part of the other: a turn that is wrong in a different way is not better."""
        part = self.broken <= other.broken and self.missing <= other.missing and self.extra <= other.extra
        return part and (self.amount, self.slips) < (other.amount, other.slips)

    @property
    def amount(self) -> int:
        """The number of faults that are more than form."""
        return self.broken + self.missing.total() + self.extra.total()


def _wrong(trial: Trial, script: Script, transcript: Transcript, at: int) -> _Wrong:
    """The faults of a turn, which is counted from 0."""
    if at >= len(script.turns):
        return _Wrong(broken=True)
    over = transcript.ending.kind is not EndingKind.STILL_WAITING and at == len(transcript.turns) - 1
    should_be_over = script.ends is True and at == len(script.turns) - 1
    output, rules = transcript.turns[at].output, trial.spec.text
    wanted = Script((replace(script.turns[at], typed=None),))
    judged = dialogue.judge(wanted, Transcript((Turn(output),), WAITS_ON, Usage()), rules, trial.bindings, _TEXT)
    due, actual = (Counter(read_facts(text, rules.facts)) for text in (judged.differences.get(1, output), output))
    broken = over != should_be_over or (over and endings.faulty(transcript.ending))
    return _Wrong(broken, due - actual, actual - due, len(judged.findings))

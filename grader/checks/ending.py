"""How a run ended, against how it should have: the one table from endings to verdicts."""

from __future__ import annotations

from typing import Any

from grader.checks import crashes
from grader.results import Finding, Verdict
from grader.transcript import Ending, EndingKind, Transcript

_ENDINGS = {
    Verdict.ACCEPTED: "ended returned dropped-off exit-code",
    Verdict.WRONG_ANSWER: "still-waiting",
    Verdict.RUNTIME_ERROR: """input-ended off-end data-executed illegal-instruction undefined-trap access-violation
        privilege-violation runtime-exception bad-input signal exception process-limit undefined-behaviour""",
    Verdict.TIME_LIMIT: "budget time-limit",
    Verdict.NOT_TERMINATING: "never-ends",
    Verdict.OUTPUT_LIMIT: "output-limit file-limit",
    Verdict.MEMORY_LIMIT: "memory-limit",
}
VERDICTS = {EndingKind(kind): verdict for verdict, kinds in _ENDINGS.items() for kind in kinds.split()}
"""What each ending means where the program should have ended. An unfinished program is a wrong answer.

An exit code is a normal end, since a C program whose ``main`` returns nothing has any code. Only an ``io`` case may ask for one.
"""

_HINTS = {
    EndingKind.OFF_END: "Stop with HALT before the code ends. If a RET led here: store R7 before a TRAP or JSR changes it, and load it from there.",
    EndingKind.DATA_EXECUTED: "Put HALT, RET or a branch before the data, or move the data behind the code.",
    EndingKind.ILLEGAL_INSTRUCTION: "Look at the jump that led here: R7 or a label may hold another address than you think.",
    EndingKind.BUDGET: "Look for a loop whose end is never reached.",
    EndingKind.NEVER_ENDS: "The loop at this place can never end: nothing that it tests changes any more.",
    EndingKind.OUTPUT_LIMIT: "Look for a loop that prints.",
    EndingKind.TIME_LIMIT: "Look for a loop whose end is never reached.",
    EndingKind.MEMORY_LIMIT: "Look for a loop that allocates, or a recursion that never ends.",
    EndingKind.PROCESS_LIMIT: "A console program needs no processes or threads of its own.",
    EndingKind.FILE_LIMIT: "Look for a loop that writes to a file.",
}


def ended(ending: Ending) -> bool:
    """Whether the program came to a normal end."""
    return VERDICTS[ending.kind] is Verdict.ACCEPTED


def faulty(ending: Ending) -> bool:
    """Whether the program broke, rather than ended or waited."""
    return not ended(ending) and ending.kind is not EndingKind.STILL_WAITING


def explain(transcript: Transcript) -> Finding:
    """The finding that says how and where the run ended, and what led there."""
    ending, turn = transcript.ending, len(transcript.turns)
    hint = _HINTS.get(ending.kind) or crashes.hint(ending)
    return finding_of(ending, ending.message, turn=turn, hint=hint, typed=transcript.inputs_before(turn))


def finding_of(ending: Ending, message: str, **others: Any) -> Finding:
    """The finding on a run that ended in this way, with the place, the excerpt and the last steps, and with ``others`` of its fields."""
    where = {"place": ending.place, "excerpt": ending.excerpt, "steps": ending.last_steps}
    return Finding(str(ending.kind), message, **where, **others)

"""How a run ended, against how it should have: the one table from endings to verdicts."""

from __future__ import annotations

from typing import Any

from grader.checks import crashes
from grader.results import Finding, Verdict
from grader.transcript import Ending, EndingKind, Transcript

VERDICTS = dict.fromkeys(EndingKind, Verdict.RUNTIME_ERROR) | {
    EndingKind.ENDED: Verdict.ACCEPTED,
    EndingKind.RETURNED: Verdict.ACCEPTED,
    EndingKind.DROPPED_OFF: Verdict.ACCEPTED,
    EndingKind.EXIT_CODE: Verdict.ACCEPTED,
    EndingKind.STILL_WAITING: Verdict.WRONG_ANSWER,
    EndingKind.BUDGET: Verdict.TIME_LIMIT,
    EndingKind.TIME_LIMIT: Verdict.TIME_LIMIT,
    EndingKind.NEVER_ENDS: Verdict.NOT_TERMINATING,
    EndingKind.OUTPUT_LIMIT: Verdict.OUTPUT_LIMIT,
    EndingKind.FILE_LIMIT: Verdict.OUTPUT_LIMIT,
    EndingKind.MEMORY_LIMIT: Verdict.MEMORY_LIMIT,
}
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
    code, excerpt = str(ending.kind), ending.excerpt
    return Finding(code, message, place=ending.place, excerpt=excerpt, steps=ending.last_steps, **others)

"""Endings of runs: the one table from endings to verdicts, and hints on crashes."""

from __future__ import annotations

import re
from typing import Any

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
"""The verdict on each ending if the program should have ended. An unfinished program is a wrong answer.

An exit code is a normal end, since a C program whose ``main`` returns nothing has any code. Only an ``io`` case may ask for one.
"""

_HINTS = {
    EndingKind.OFF_END: "Stop with HALT before the code ends. If a RET led here: store R7 before a TRAP or JSR changes it, and load it from there.",
    EndingKind.DATA_EXECUTED: "Put HALT, RET or a branch before the data, or move the data behind the code.",
    EndingKind.ILLEGAL_INSTRUCTION: "Look at the jump that led here: R7 or a label may hold a different address than you expect.",
    EndingKind.BUDGET: "Look for a loop whose end is never reached.",
    EndingKind.NEVER_ENDS: "The loop at this place can never end: nothing that it tests changes any more.",
    EndingKind.OUTPUT_LIMIT: "Look for a loop that prints.",
    EndingKind.TIME_LIMIT: "Look for a loop whose end is never reached.",
    EndingKind.MEMORY_LIMIT: "Look for a loop that allocates, or a recursion that never ends.",
    EndingKind.PROCESS_LIMIT: "A console program needs no processes or threads of its own.",
    EndingKind.FILE_LIMIT: "Look for a loop that writes to a file.",
}


# Hints on an exception or a signal, for the author of the line that raised it.

_INDEX = "An index is out of range. Print it and the length before this line; the first index is 0, the last one is the length minus 1."
_NULL = "A variable holds no object (null) here. Look where your program gives it one: which path through your program skips that?"
_NUMBER = "Your program reads the input as the wrong type. Look which question this line reads the answer to, and what was typed there."
_ENDED = "Your program reads more here than is typed. Ask only for the inputs that the assignment describes."
ENDLESS = "The calls never end. Which condition must end them, and does each call come nearer to it?"
"""The hint on calls without end."""
_ZERO = "The divisor is 0 here. Look at the division or remainder in this line."
_KEY = "The collection does not contain this key. Print the key before this line, and compare its type and spelling."
_TYPE = "A value has the wrong type for this line. Print it and its type before this line."
_NAME = "This name has no value before this line. Check the spelling, and the branches that do not set it."
_CHECK = "Your own assertion failed here. Print what it compares before this line."
_EMPTY = "The collection is empty here. Check before this line whether it has an element."
_ANY = "Follow the named lines of your program from the innermost outwards, and print what they work on."

_OF_EXCEPTIONS = {
    "A length below 0 was asked for. Print the number before this line.": "NegativeArraySizeException",
    _INDEX: "ArrayIndexOutOfBoundsException StringIndexOutOfBoundsException IndexOutOfBoundsException IndexError",
    _NULL: "NullPointerException",
    _ZERO: "ArithmeticException ZeroDivisionError",
    _NUMBER: "InputMismatchException NumberFormatException ValueError",
    _ENDED: "NoSuchElementException EOFError",
    _TYPE: "ClassCastException TypeError AttributeError",
    _CHECK: "AssertionError",
    ENDLESS: "StackOverflowError RecursionError",
    _EMPTY: "EmptyStackException",
    _KEY: "KeyError",
    _NAME: "NameError UnboundLocalError",
}
_EXCEPTIONS = {name: text for text, names in _OF_EXCEPTIONS.items() for name in names.split()}
_NAMED = re.compile(r"\b[A-Z]\w*(?:Exception|Error)\b")
_SIGNALS = {
    "SIGSEGV": "Look at the array index or the pointer in this line, and at what it was set to.",
    "SIGFPE": _ZERO,
    "SIGABRT": "Your own assertion failed here, or memory was damaged before. The text that your program wrote to standard error says which.",
}


def ended(ending: Ending) -> bool:
    """Whether the program came to a normal end."""
    return VERDICTS[ending.kind] is Verdict.ACCEPTED


def faulty(ending: Ending) -> bool:
    """Whether the program broke: it neither ended nor waited."""
    return not ended(ending) and ending.kind is not EndingKind.STILL_WAITING


def explain(transcript: Transcript) -> Finding:
    """The finding that says how and where the run ended, with the last steps."""
    ending, turn = transcript.ending, len(transcript.turns)
    hint = _HINTS.get(ending.kind) or crash_hint(ending)
    return finding_of(ending, ending.message, turn=turn, hint=hint, typed=transcript.inputs_before(turn))


def finding_of(ending: Ending, message: str, **others: Any) -> Finding:
    """The finding on a run that ended in this way, with the place, the excerpt and the last steps, and with ``others`` of its fields."""
    code, excerpt = str(ending.kind), ending.excerpt
    return Finding(code, message, place=ending.place, excerpt=excerpt, steps=ending.last_steps, **others)


def crash_hint(ending: Ending) -> str:
    """The hint on a crash, by its exception or signal; empty for other endings."""
    if ending.kind is EndingKind.EXCEPTION:
        known = (_EXCEPTIONS[name] for name in _NAMED.findall(ending.message) if name in _EXCEPTIONS)
        return next(known, _ANY)
    if ending.kind is EndingKind.SIGNAL:
        return next((text for name, text in _SIGNALS.items() if name in ending.message), "")
    return ""

"""Hints on crashes: what an exception or a signal means for whoever wrote the line at which it came."""

from __future__ import annotations

import re

from grader.transcript import Ending, EndingKind

_INDEX = "An index is outside of what is there. Print it and the length before this line; the first index is 0, the last one is the length less 1."
_NULL = "A variable holds no object here. Look at where it should have got one: which way through the program leaves that out?"
_NUMBER = "What was typed is read as something that it is not. Look at which question this line answers, and at what was typed there."
_ENDED = "More is read here than is typed. Ask only for what the text lets the user type."
ENDLESS = "The calls never end. Which condition should end them, and does each call come nearer to it?"
"""The hint on calls without end."""
_ZERO = "The divisor is 0 here. Look at the division or remainder in this line."
_KEY = "This key was never put in. Print the key before this line, and compare its type and spelling."
_TYPE = "A value is of another type than this line needs. Print it and its type before this line."
_NAME = "No way through the program gives this name a value before this line. Look at the spelling, and at the branches that leave it out."
_CHECK = "A check of your own failed here. Print what it compares before this line."
_EMPTY = "Nothing is left to take here. Look whether anything is there before this line."
_ANY = "Follow the named lines of your program from the innermost outwards, and print what they work on."

_HINTS = {
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
_EXCEPTIONS = {name: text for text, names in _HINTS.items() for name in names.split()}
_NAMED = re.compile(r"\b[A-Z]\w*(?:Exception|Error)\b")
_SIGNALS = {
    "SIGSEGV": "Look at the array index or the pointer in this line, and at what it was set to.",
    "SIGFPE": _ZERO,
    "SIGABRT": "A check of your own failed here, or memory was damaged before. What your program wrote to standard error says which.",
}


def hint(ending: Ending) -> str:
    """What to look at after a crash, by the exception or signal that it names; empty for an ending that is no such crash."""
    if ending.kind is EndingKind.EXCEPTION:
        known = (_EXCEPTIONS[name] for name in _NAMED.findall(ending.message) if name in _EXCEPTIONS)
        return next(known, _ANY)
    if ending.kind is EndingKind.SIGNAL:
        return next((text for name, text in _SIGNALS.items() if name in ending.message), "")
    return ""

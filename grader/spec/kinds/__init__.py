"""The kinds of cases, a module each or for a few: what a TA writes below `machine:`, `source:` and so on, and all that the kind is.

A kind is added here, as a key of `Case`, and with a module in ``grader.grading.kinds`` that judges it.
"""

from grader.spec.kinds.call import CALL
from grader.spec.kinds.dialogue import DIALOGUE
from grader.spec.kinds.handed_in import FILES, MANUAL, SOURCE
from grader.spec.kinds.io import IO
from grader.spec.kinds.kind import Kind
from grader.spec.kinds.machine import MACHINE
from grader.spec.kinds.runs import DIFFERENTIAL, GAME, PLAY, TRANSCRIPT
from grader.spec.kinds.tests import TESTS

__all__ = ["KINDS", "PROGRAM_KINDS", "Kind"]

_KINDS = (TRANSCRIPT, PLAY, DIALOGUE, IO, DIFFERENTIAL, GAME, MACHINE, CALL, TESTS, SOURCE, FILES, MANUAL)
KINDS = {kind.name: kind for kind in _KINDS}
"""All kinds by their names."""

PROGRAM_KINDS = frozenset(kind.name for kind in _KINDS if kind.runs) - {PLAY.name}
"""The names of the kinds of cases that run the program; in results a `play` is a `transcript`."""

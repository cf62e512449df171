"""A small assignment and programs for it: asks for a key twice, doubles nothing, says goodbye."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from pathlib import Path

from grader.grading import Grading
from grader.spec.loader import load_assignment
from grader.submission import Form, Submission
from tests.graded import handed_in

REFERENCE = """
from grader.sessions.reference import Keys, perform

def play():
    while True:
        yield "? "
        key = yield Keys(1, legal=("a", "b", "q"))
        yield "\\n"
        if key == "q":
            break
        yield f"got {key}\\n" if key in "ab" else "bad\\n"
    yield "bye"
"""

SPEC = """
assignment: small
title: Small
submission: {required: [p.asm]}
program: {language: lc3, sources: [p.asm], profiles: [default, classic]}
limits: {instructions: 5M, output: 2000}
reference: reference.py
text:
  criterion: form
  echo: program
  facts:
    - {name: key, pattern: 'got (?P<key>.)'}
    - {name: refusal, pattern: bad}
    - {name: farewell, pattern: bye}
  slips: {case: 1, spacing: 1, echo: 2}
rubric:
  - {id: form, points: 4, title: Form}
  - {id: play, points: 6, title: Play, counts: each}
cases:
  - {id: start, title: Starts, criterion: form, play: a}
  - {id: two, title: Two keys, criterion: play, play: a b}
  - {id: ends, title: Ends, criterion: play, play: a q, requires: [start]}
  - {id: games, title: Games, criterion: play, visibility: hidden, differential: {games: 8, seed: 1, illegal: ['[c-f]']}}
"""

PROGRAM = """
        .ORIG x3000
LOOP    LEA R0, ASK
        PUTS
        GETC
        OUT
        ADD R1, R0, #0
        LD R0, NL
        OUT
        LD R2, NEGQ
        ADD R2, R1, R2
        BRz DONE
        LD R2, NEGA
        ADD R2, R1, R2
        BRn BAD
        ADD R2, R2, #-1
        BRp BAD
        LEA R0, GOT
        PUTS
        ADD R0, R1, #0
        OUT
        LD R0, NL
        OUT
        BRnzp LOOP
BAD     LEA R0, NO
        PUTS
        BRnzp LOOP
DONE    LEA R0, BYE
        PUTS
        HALT
ASK     .STRINGZ "? "
GOT     .STRINGZ "got "
NO      .STRINGZ "bad\\n"
BYE     .STRINGZ "bye"
NL      .FILL x0A
NEGQ    .FILL #-113
NEGA    .FILL #-97
        .END
"""


def assignment(folder: Path, spec: str = SPEC, reference: str = REFERENCE):
    """The small assignment, written into a folder and loaded."""
    (folder / "reference.py").write_text(reference)
    path = folder / "small.yaml"
    path.write_text(textwrap.dedent(spec), encoding="utf-8")
    return load_assignment(path)


def grading(folder: Path, **parts: str) -> Grading:
    """The grading of the small assignment."""
    return Grading(assignment(folder, **parts))


def submission(source: str = PROGRAM, name: str = "p.asm", form: Form = Form.FOLDER, **more) -> Submission:
    """A submission of one file."""
    return replace(handed_in({name: source}, form), **more)

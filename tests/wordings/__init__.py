"""Student programs in free wordings, made by a seed: right ones, and ones with each defect.

A reader of dialogues must not be tuned to the programs that its builders know. So the vocabulary is in two parts: ``known``
is for building and trying, ``set_aside`` for one honest measurement. Nobody who builds the reading may look at the second.

    python -m tests.wordings --game pile --known --number 60 --seed 1 FOLDER     writes programs
    python -m tests.wordings.judge FOLDER                                        grades them, and compares

One program is one frozen ``Wording``, drawn by a game, a part of the vocabulary and a number: ``pile-known-1-17`` can be made
again from its name alone. ``sentences`` has what both games share; ``pile`` and ``board`` draw the wordings; ``code`` and
``mips`` write the programs; ``acting`` plays them by a script of its own, without any reading.
"""

"""The reference for lc3-nim (LAB 04): its rules, its exact dialogue, and the referee that follows a program.

``python -m reference.lc3_nim`` plays it on a terminal. Rows A, B, C begin with 3, 5 and 8 rocks. A move is a row and a number
of rocks, typed as two keys without Enter. The player who takes the last rock loses.
"""

from grader.games.heaps.witness import alike as across

from .game import DUEL, FAULTS, OCCASIONS, OCCASIONS_OF, START
from .inputs import POSITIONS, answer, answers, place, typed, ways
from .play import play
from .referee import due, hear, last_words, position

RESEEDS = False
"""Games are looked at together only for what is shown in all of them."""

"""The reference for java-nim (Praktikumsaufgabe 3): its rules, its exact dialogue, and the referee that follows a program.

``python -m reference.java_nim`` plays it on a terminal. There are three rows of matches, of any size. A move takes at least
one match from one row. The player who takes the last match wins. The user moves first; the computer leaves an exclusive or
of 0 if it can.
"""

from grader.games.heaps.witness import alike as across
from grader.games.heaps.witness import follows

from .game import DUEL, FAULTS, OCCASIONS, OCCASIONS_OF, START, STARTS
from .inputs import POSITIONS, answer, answers, openings, place, typed, ways
from .play import play
from .referee import State, due, hear, last_words, position, silence

RESEEDS = False
"""Games are looked at together only for what is shown in all of them."""

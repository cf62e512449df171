"""The reference for c-nim (Project 3): its rules, its exact dialogue, and the referee that follows a program.

``python -m reference.c_nim`` plays it on a terminal. Heaps A, B, C begin with 5, 4 and 3 stones. A move is a letter and a
number of stones, typed as a line. The player who takes the last stone wins. Player 1 is the user, player 2 the computer, and
the loser of a game starts the next.
"""

from grader.games.heaps.witness import alike as across
from grader.games.heaps.witness import follows

from .game import DUEL, FAULTS, OCCASIONS, OCCASIONS_OF, START, STARTS
from .inputs import POSITIONS, answer, answers, place, typed, ways
from .play import play
from .referee import due, hear, last_words, position

RESEEDS = False
"""Games are looked at together only for what is shown in all of them."""

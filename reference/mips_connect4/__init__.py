"""The reference for mips-connect4 (Four in a Row): its rules, and a playable game.

``python -m reference.mips_connect4`` plays it on a terminal. Two players drop pieces into seven columns of six; four of one's own in a
line win, across, upwards or on a slant. After the first piece each player may take back three moves, each before the
opponent's turn. A column that does not exist or is full is a violation; the third one loses the game. A full board is a tie.
"""

from .play import piece, play
from .rules import COLUMNS, LINES, ROWS, TIE, UNDOS, VIOLATIONS, State, moves, outcome, result, undo

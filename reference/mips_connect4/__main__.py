"""``python -m reference.mips_connect4`` plays four in a row on a terminal."""

from functools import partial
from random import choice

from grader.sessions.reference import perform

from .play import play

perform(partial(play, choice((1, 2))))

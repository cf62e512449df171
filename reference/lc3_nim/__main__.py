"""``python -m reference.lc3_nim`` plays lc3-nim on a terminal."""

from grader.sessions.reference import perform

from .play import play

perform(play)

"""``python -m reference.c_nim`` plays c-nim on a terminal."""

from grader.sessions.reference import perform

from .play import play

perform(play)

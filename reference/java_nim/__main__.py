"""``python -m reference.java_nim`` plays java-nim on a terminal."""

from grader.sessions.reference import perform

from .play import play

perform(play)

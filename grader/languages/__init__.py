"""The languages that students are spoken to in: English, in which everything is written, and those that have a catalogue.

Findings and records are in English. A student's report is translated when it is written, by catalogues in the format of
gettext. ``words.po`` has the fixed words of reports; ``messages.po`` has our sentences with named places. Texts without
an entry stay as they are: a course's own titles and hints, and output of programs.
"""

from grader.languages.language import CODES, ENGLISH, Language, language

__all__ = ["CODES", "ENGLISH", "Language", "language"]

"""The languages that students are spoken to in: English, in which everything is written, and those that have a catalogue.

Whoever finds something says it in English, and the record keeps it so. A student's report is translated where it is written,
by catalogues in the format of gettext: ``words.po`` has the fixed words of reports, ``messages.po`` our sentences, each in English with
named places, and what it is in the other language. What no catalogue has stays English: a course's own titles and hints, and what a program printed.
"""

from grader.languages.language import CODES, ENGLISH, Language, language

__all__ = ["CODES", "ENGLISH", "Language", "language"]

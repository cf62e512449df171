"""The lessons from one program's way of talking, as a small table for people: each line can be corrected under its key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grader.games.board.corrections import Corrections, L, W, shown
from grader.games.board.dialogue import Opening
from grader.games.board.rules import Rules
from grader.games.board.telling import Telling
from grader.games.hear.runs import Runs
from grader.games.learn.questions import last_line
from grader.games.learn.table import ENTER, digest, written
from grader.games.learn.way import SIMULATED, masked, ways
from grader.results import Learned, Lesson
from grader.transcript import visible

FIRST_QUESTIONS = 3
"""So many questions tell the wording of a program that could not be read."""


PAINTED = ("the first piece", "the second piece")
"""The sign for the marks of a program that only paints, or has one mark for both."""


def learned(opening: Opening, special: Iterable[Lesson], telling: Telling) -> Learned:
    """The table of what was learned, with lessons that are ``special`` to a game."""
    talk = opening.dialogue
    marks = [visible(talk.picture.shown(sign)) for sign in talk.layout.marks]
    lessons = (
        *_before(opening),
        _marks(opening, marks),
        *special,
        *_result(telling, marks, last_line(talk.run(opening.answers).output)),
    )
    parts = sorted(str(line) for _, _, line in talk.roles) + sorted(telling.wins) + sorted(telling.ties)
    return Learned(lessons, digest(parts), talk.corrections.unheeded)


def refused(opening: Opening) -> Learned:
    """The lessons from a program that plays another game: the way to its board."""
    talk = opening.dialogue
    lessons = (*_before(opening), _marks(opening, [visible(talk.picture.shown(sign)) for sign in talk.layout.marks]))
    return Learned(lessons, digest(sorted(str(line) for _, _, line in talk.roles)), talk.corrections.unheeded)


def unread(rules: Rules, runs: Runs, corrections: Corrections) -> Learned:
    """The values that can be set if no way to a board was found."""
    first = last_line(runs.run(()).output)
    questions: dict[str, None] = {}
    for _, run, again in ways(runs, SIMULATED):
        if not again:
            questions.setdefault(masked(run.output))
        if len(questions) >= FIRST_QUESTIONS:
            break
    lessons = (
        Lesson("opening", "", rules.words.no_first, first),
        Lesson(f"{rules.words.noun}s", "", rules.words.no_labels),
        Lesson("marks", "", "we did not find the marks of the players"),
    )
    return Learned(lessons, digest(questions), corrections.unheeded)


def _before(opening: Opening) -> Iterator[Lesson]:
    runs = opening.dialogue.runs
    answers = opening.answers
    value = ", ".join(visible(text) or ENTER for text in answers)
    words = opening.dialogue.rules.words
    what = words.typed_before.format(typed=value) if answers else words.asked_first
    yield Lesson("opening", written(answers, " "), what, last_line(runs.run(()).output) if answers else "")
    prompt = last_line(runs.run(answers).output)
    labels = opening.name if "|" in opening.name else opening.name.replace("-", " to ")
    how = words.typed_as.format(labels=labels)
    yield Lesson(f"{words.noun}s", opening.name, how, prompt)


def _marks(opening: Opening, marks: Sequence[str]) -> Lesson:
    talk = opening.dialogue
    if not marks:
        sentence = (
            "we could not read a board in the text: "
            "we found the pieces in memory, and a person looks at what the program shows"
        )
        return Lesson("marks", "", sentence)
    first, second = (talk.labels[move] for move in talk.rules.known_game[:2])
    output = talk.run((*opening.answers, *first, *second)).output
    rows = [line.strip() for line in output.split("\n") if any(mark in line for mark in marks)]
    quote = next((row for row in rows if all(mark in row for mark in marks)), rows[0] if rows else "")
    if len(marks) == 1:
        return Lesson("marks", "", f"both players have the mark {marks[0]}", quote)
    return Lesson(
        "marks", " ".join(marks), f"the marks are {marks[0]} and {marks[1]}; who moves is read from the board", quote
    )


def _result(telling: Telling, marks: Sequence[str], prompt: str) -> Iterator[Lesson]:
    called = telling.called.prompts
    if all(called.values()):
        names = [" ".join(sorted(called[player])) for player in "AB"]
        sentence = " and ".join(
            f"the player of {mark} is called {n}"
            for mark, n in zip(marks if len(marks) > 1 else PAINTED, names, strict=True)
        )
        yield Lesson("players", " / ".join(names), sentence, prompt)
    else:
        yield Lesson("players", "", "the players have no names but their marks")
    unknown = telling.says(telling.naming) is None
    what = "is said when a game is won, but we could not tell who wins" if unknown else "names the winner"
    yield _line(telling, "winner", telling.naming, what, "we did not find the line that names the winner")
    if telling.ties:
        yield _line(telling, "tie", sorted(telling.ties), "tells a tie", "")
    losses = [line for line in telling.lost if (W in line) != (L in line)]
    if losses and not set(losses) & telling.wins:
        yield _line(telling, "loser", sorted(losses), "is said after a third violation", "")


def _line(telling: Telling, key: str, lines: list[str], what: str, nothing: str) -> Lesson:
    if not lines:
        return Lesson(key, "", nothing, telling.last_words())
    line = shown(lines[0])
    return Lesson(key, line, f"“{line}” {what}", telling.quotes.get(lines[0], ""))

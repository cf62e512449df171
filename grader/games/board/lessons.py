"""What was learned of one program's way of talking, as a small table for people."""

from __future__ import annotations

import hashlib

from grader.games.board.naming import Telling, W
from grader.games.board.opening import Opening
from grader.games.board.undoing import Undoing
from grader.reading.learned import Learned, Lesson
from grader.transcript import visible


def learned(opening: Opening, undoing: Undoing, told: Telling) -> Learned:
    """The table of what was learned."""
    dialogue = opening.dialogue
    marks = [visible(dialogue.picture.shown(sign)) for sign in dialogue.layout.marks]
    lessons = [
        Lesson("opening", " ".join(opening.answers), _opening(opening.answers)),
        Lesson("columns", opening.name, f"columns {opening.name}"),
        Lesson("marks", " ".join(marks), f"marks {marks[0]} and {marks[1]}; who moves is read from the board"),
    ]
    if undoing.taking.way:
        lessons.append(
            Lesson("undo", undoing.taking.way, f"undo = {visible(undoing.taking.way)}, where a column is asked for")
        )
    for role in dialogue.roles.values():
        if role.kind == "offer" and role.undo is not None:
            said = f"undo = {visible(role.undo) or 'Enter'}, and {visible(role.keep) or 'Enter'} goes on"
            lessons.append(Lesson("undo", role.undo, said))
            break
    naming = sorted(line for line in told.wins if W in line)
    if naming:
        lessons.append(
            Lesson("winner", naming[0].replace(W, "…"), f"“{visible(naming[0].replace(W, '…'))}” names the winner")
        )
    asked = sorted(str(line) for _, _, line in dialogue.roles)
    return Learned(tuple(lessons), hashlib.sha256("\n".join(asked).encode()).hexdigest()[:16])


def _opening(answers: tuple[str, ...]) -> str:
    if not answers:
        return "the first question is for a column"
    typed = ", ".join(visible(text) or "Enter" for text in answers)
    return f"before the first column is typed: {typed}"

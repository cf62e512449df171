"""Rulings on the rounds of a pile game: faults of play and of telling, and the occasions that there were for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.checks.ending import faulty
from grader.games.pile.ledger import Games, Ledger, stones
from grader.games.pile.play import Play
from grader.games.pile.rounds import AFTER, BETWEEN, LEFT, OURS, YOURS, Round
from grader.games.pile.settling import FEW
from grader.games.pile.talk import PROGRAM
from grader.games.pile.telling import SELDOM, Telling, Told, unexplained
from grader.reading.slots import is_read


def rule(ledger: Ledger, games: Games, learned: Telling) -> None:
    """Rule on the rounds of all games."""
    everything = [one for played in games.values() for one in played]
    for play, played in games.items():
        for number, one in enumerate(played):
            told = learned.told(one)
            _note(ledger, one, told)
            if one.over and (one.stays or (play.run.ending is not None and faulty(play.run.ending))):
                break
            if not number:
                _begins(ledger, play, one)
            if not _round(ledger, one, told):
                break
    _untold(ledger, everything, learned)


def rule_moves(ledger: Ledger, games: Games, learned: Telling) -> None:
    """Rule on the moves of the program alone."""
    for played in games.values():
        for one in played:
            _note(ledger, one, learned.told(one))
            if one.ours:
                _move(ledger, one)


def _note(ledger: Ledger, one: Round, told: Sequence[Told]) -> None:
    names = {
        AFTER: "stones left",
        BETWEEN: "stones left",
        OURS: "the move of the program",
        YOURS: "the move of the user",
    }
    words = dict.fromkeys(
        f"“{' '.join(each.quote.split())}” was read as {names.get(each.meaning, 'stones left')}: {each.value}"
        for each in told
    )
    ledger.readings[one.play][one.turn] = tuple(words)
    if one.after is not None:
        ledger.positions[one.play][one.turn] = stones(one.after)


def _begins(ledger: Ledger, play: Play, one: Round) -> None:
    ledger.count(play, "begun", "stones", "first", f"begin-{play.mover}")
    if play.mover == PROGRAM and one.ours == 0 and not one.over:
        message = "0 was typed, so that the program moves first, and the user is asked"
        ledger.fault(play, one.turn, "wrong-begin", message)
    if play.mover != PROGRAM and one.ours and not one.over:
        ledger.fault(play, one.turn, "wrong-begin", "the user was to move first, and the program begins")


def _round(ledger: Ledger, one: Round, told: Sequence[Told]) -> bool:
    """Rule on a round; whether the game can be followed behind it."""
    play, between = one.play, one.between
    false = next(_false_counts(one, told), None)
    if false:
        ledger.fault(play, one.turn, "wrong-count", false)
    if between is None:
        return False
    if one.over:
        _ended(ledger, one)
        return False
    if one.after is None:
        return _lost(ledger, one, told)
    if one.yours and one.after == one.before and not one.stays:
        ledger.fault(
            play, one.turn, "refused-take", f"{one.yours} is not accepted, though {_are(one.before or 0)} left"
        )
        return False
    if one.yours:
        ledger.count(play, "taken")
    if any(each.meaning in LEFT for each in told):
        ledger.count(play, "count")
    if one.moves and one.ours is not None and (one.yours or one.ours):
        _move(ledger, one)
    return True


def _move(ledger: Ledger, one: Round) -> None:
    """Rule on a move of the program, or that there is none."""
    play, between, ours = one.play, one.between or 0, one.ours or 0
    ledger.count(play, "turn")
    if ours == 0:
        ledger.fault(
            play, one.turn, "wrong-turn", "the program was to move, and it asks for the next move without making one"
        )
        return
    if ours < 0:
        ledger.fault(
            play, one.turn, "wrong-count", f"of {stones(between)} there are {one.after} after the move of the program"
        )
        return
    remainder = between % 3
    ledger.count(play, "computer", f"remainder-{remainder}")
    best = ledger.rules.best(between)
    if ours != best:
        illegal = "" if ours in ledger.rules.moves(between) else ", which is not allowed"
        message = f"of {stones(between)} the program takes {ours}{illegal}; the strategy takes {best}"
        ledger.fault(play, one.turn, f"poor-move-{remainder}", message)


def _ended(ledger: Ledger, one: Round) -> None:
    """Rule on the round with which the game ends."""
    play, between = one.play, one.between or 0
    ledger.count(play, "end", *(("taken",) if one.yours else ()))
    left = between
    if one.moves and between > 0 and one.ours:
        if one.after or between in (1, 2, 3):
            _move(ledger, one)
        left = one.after or 0
        if not one.after and between > 3:
            left = between
    if left > 0:
        kind = "ended-early" if left <= FEW else "broken-off"
        ledger.positions[play][one.turn] = stones(left)
        message = f"the program ends the game with {stones(left)} left, before a move takes the last one"
        ledger.fault(play, one.turn, kind, message)


def _lost(ledger: Ledger, one: Round, told: Sequence[Told]) -> bool:
    """A round after which nobody knows how many stones there are: none, perhaps, and it asks on."""
    none_left = any(each.meaning in LEFT and each.value <= 0 for each in told)
    took_all = any(each.meaning == OURS and each.value == one.between for each in told)
    if (none_left or took_all) and one.between is not None and one.between <= FEW:
        ledger.count(one.play, "end", *(("taken",) if one.yours else ()))
        ledger.fault(one.play, one.turn, "plays-on", "no stone is left, and it asks for another move")
        return False
    ledger.unread(one.play, one.turn, "how many stones there are now could not be found out")
    return False


def _false_counts(one: Round, told: Sequence[Told]) -> Iterator[str]:
    """Counts that are none of those that were true in this round."""
    if one.after is None or one.between is None:
        return
    true = {one.after, one.between, one.before, *((0,) if one.over else ())}
    behind = False
    for each in told:
        if each.meaning in LEFT:
            stale = behind and each.meaning != AFTER and each.value != one.after
            if each.shift or each.value not in true or (stale and not one.over and not _told_later(told)):
                yield f"it says that {_are(each.value)} left, and there {_is(one.after)}"
        elif each.meaning == OURS:
            behind = True
            if one.ours is not None and one.ours > 0 and each.value != one.ours and not one.over:
                yield f"it says that the program takes {each.value}, and it takes {one.ours} off the pile"
        elif each.meaning == YOURS and one.yours and each.value != one.yours:
            yield f"it says that the user took {each.value}, and it was {one.yours}"
    if one.stays and one.yours:
        yield f"the user took {one.yours}, and the number of stones is still {one.between}"


def _told_later(told: Sequence[Told]) -> bool:
    """Whether the number of stones after the round is told, too."""
    return any(each.meaning == AFTER and not each.shift for each in told)


def _are(number: int) -> str:
    return f"{stones(number)} {'is' if number == 1 else 'are'}"


def _is(number: int) -> str:
    return f"is {number}" if number == 1 else f"are {number}"


def _untold(ledger: Ledger, everything: Sequence[Round], learned: Telling) -> None:
    """Whether the user is told in nearly all rounds how many stones are left, and how many the program takes."""
    played = [one for one in everything if one.truth and not one.over and one.ours and one.ours > 0]
    unclear: set[Round] = set()
    for meanings, kind, what in (
        (LEFT, "untold-left", "{} left"),
        ((OURS,), "untold-move", "the program takes {}"),
    ):
        silent = [one for one in played if not any(each.meaning in meanings for each in learned.told(one))]
        if len(silent) <= SELDOM * len(played):
            continue
        true = {one: {one.after, one.between} if meanings is LEFT else {one.ours} for one in played}
        hidden = unexplained(played, learned, true)
        for one in silent:
            number = (one.after if meanings is LEFT else one.ours) or 0
            said = what.format(_are(number) if meanings is LEFT else stones(number))
            if one in hidden or not is_read(one.text):
                unclear.add(one)
                ledger.unread(one.play, one.turn, f"{said}, and where it says so could not be read", kind)
            else:
                ledger.fault(one.play, one.turn, kind, f"{said}, and it does not say so")
    for one in played:
        if one not in unclear:
            ledger.count(one.play, "told")

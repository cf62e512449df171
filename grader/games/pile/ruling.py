"""Rulings on the rounds of a pile game: faults of play and of telling, whom it names as the winner, and the occasions for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grader.games.learn.questions import last_line
from grader.games.pile.lessons import Corrections
from grader.games.pile.rounds import AFTER, LEFT, OURS, YOURS, Games, Round, stones
from grader.games.pile.rules import Rules
from grader.games.pile.talk import PROGRAM
from grader.games.pile.telling import FEW, SELDOM, Telling, Told, unexplained
from grader.reading import words
from grader.reading.names import Clauses, Naming, addressed, naming, said, says
from grader.reading.slots import is_read, segments


def rule(games: Games, learned: Telling, rules: Rules) -> None:
    """Rule on the rounds of all games."""
    for play, played in games.items():
        for number, one in enumerate(played):
            told = learned.told(one)
            note(one, told)
            if one.over and play.is_broken:
                break
            if not number:
                _begins(one)
            if not _round(one, told, rules):
                break
    untold([one for played in games.values() for one in played], learned)


def rule_moves(games: Games, learned: Telling, rules: Rules) -> None:
    """Rule on the moves of the program alone."""
    for played in games.values():
        for one in played:
            note(one, learned.told(one))
            if one.ours:
                _move(one, rules)


def note(one: Round, told: Sequence[Told]) -> None:
    """Note how the numbers of a round were read, and how many stones are left behind it."""
    names = {OURS: "the move of the program", YOURS: "the move of the user"}
    readings = dict.fromkeys(
        f"“{' '.join(each.quote.split())}” was read as {names.get(each.meaning, 'stones left')}: {each.value}"
        for each in told
    )
    one.play.readings[one.turn] = tuple(readings)
    if one.after is not None:
        one.play.positions[one.turn] = stones(one.after)


def _begins(one: Round) -> None:
    mover = one.play.mover
    one.play.saw("begun", "stones", "first", f"begin-{mover}")
    if mover == PROGRAM and one.ours == 0 and not one.over:
        one.fault("wrong-begin", "0 was typed, so that the program moves first, and the user is asked")
    if mover != PROGRAM and one.ours and not one.over:
        one.fault("wrong-begin", "the user was to move first, and the program begins")


def _round(one: Round, told: Sequence[Told], rules: Rules) -> bool:
    """Rule on a round; whether the game can be followed behind it."""
    false = next(false_counts(one, told), None)
    if false:
        one.fault("wrong-count", false)
    if one.between is None:
        return False
    if one.over:
        _ended(one, rules)
        return False
    if one.after is None:
        _lost(one, told)
        return False
    if one.yours and one.after == one.before:
        one.fault("refused-take", f"{one.yours} is not accepted, though {_are(one.before or 0)} left")
        return False
    if one.yours:
        one.play.saw("taken")
    if any(each.meaning in LEFT for each in told):
        one.play.saw("count")
    if one.moves and one.ours is not None and (one.yours or one.ours):
        _move(one, rules)
    return True


def _move(one: Round, rules: Rules) -> None:
    """Rule on a move of the program, or that there is none."""
    between, ours = one.between or 0, one.ours or 0
    one.play.saw("turn")
    if ours == 0:
        one.fault("wrong-turn", "the program was to move, and it asks for the next move without making one")
        return
    if ours < 0:
        one.fault("wrong-count", f"of {stones(between)} there are {one.after} after the move of the program")
        return
    remainder = between % 3
    one.play.saw("computer", f"remainder-{remainder}")
    best = rules.best(between)
    if ours != best:
        illegal = "" if ours in rules.moves(between) else ", which is not allowed"
        message = f"of {stones(between)} the program takes {ours}{illegal}; the strategy takes {best}"
        one.fault(f"poor-move-{remainder}", message)


def _ended(one: Round, rules: Rules) -> None:
    """Rule on the round with which the game ends."""
    left = between = one.between or 0
    one.play.saw("end", *(("taken",) if one.yours else ()))
    if one.moves and between > 0 and one.ours:
        if one.after or between in (1, 2, 3):
            _move(one, rules)
        left = one.after or 0
        if not one.after and between > 3:
            left = between
    if left > 0:
        one.play.positions[one.turn] = stones(left)
        message = f"the program ends the game with {stones(left)} left, before a move takes the last one"
        one.fault("ended-early" if left <= FEW else "broken-off", message)


def _lost(one: Round, told: Sequence[Told]) -> None:
    """Rule on a round after which nobody knows how many stones there are: none, perhaps, and it asks on."""
    none_left = any(each.meaning in LEFT and each.value <= 0 for each in told)
    took_all = any(each.meaning == OURS and each.value == one.between for each in told)
    if (none_left or took_all) and one.between is not None and one.between <= FEW:
        one.play.saw("end", *(("taken",) if one.yours else ()))
        one.fault("plays-on", "no stone is left, and it asks for another move")
    else:
        one.unread("how many stones there are now could not be found out")


def false_counts(one: Round, told: Sequence[Told]) -> Iterator[str]:
    """Counts that are none of those that were true in this round."""
    if one.after is None or one.between is None:
        return
    true = {one.after, one.between, one.before, *((0,) if one.over else ())}
    told_later = any(each.meaning == AFTER and not each.shift for each in told)
    behind = False
    for each in told:
        if each.meaning in LEFT:
            stale = behind and each.meaning != AFTER and each.value != one.after
            if each.shift or each.value not in true or (stale and not one.over and not told_later):
                yield f"it says that {_are(each.value)} left, and there {'is' if one.after == 1 else 'are'} {one.after}"
        elif each.meaning == OURS:
            behind = True
            if one.ours is not None and one.ours > 0 and each.value != one.ours and not one.over:
                yield f"it says that the program takes {each.value}, and it takes {one.ours} off the pile"
        elif each.meaning == YOURS and one.yours and each.value != one.yours:
            yield f"it says that the user took {each.value}, and it was {one.yours}"


def _are(number: int) -> str:
    return f"{stones(number)} {'is' if number == 1 else 'are'}"


def untold(everything: Sequence[Round], learned: Telling) -> None:
    """Whether the user is told in nearly all rounds how many stones are left, and how many the program takes."""
    played = [one for one in everything if one.truth and not one.over and one.ours and one.ours > 0]
    unclear: set[Round] = set()
    for meanings, kind in ((LEFT, "untold-left"), ((OURS,), "untold-move")):
        silent = [one for one in played if not any(each.meaning in meanings for each in learned.told(one))]
        if len(silent) <= SELDOM * len(played):
            continue
        true = {one: {one.after, one.between} if meanings is LEFT else {one.ours} for one in played}
        hidden = unexplained(played, learned, true)
        for one in silent:
            what = f"{_are(one.after or 0)} left" if meanings is LEFT else f"the program takes {stones(one.ours or 0)}"
            if one in hidden or not is_read(one.text):
                unclear.add(one)
                one.unread(f"{what}, and where it says so could not be read", kind)
            else:
                one.fault(kind, f"{what}, and it does not say so")
    for one in played:
        if one not in unclear:
            one.play.saw("told")


# ------------------------------------------------------------------------------------------------------- the winner


def winners(
    games: Games, before: Sequence[str], firsts: Sequence[str], given: Corrections
) -> Mapping[str, tuple[Naming, str]]:
    """Rule on who is named as the winner; how each winner's games name him, and what they say.

    ``before`` is what is said before games. ``firsts`` are the answers by which the program and the user begin: some programs
    call the players so. Staff may have set clauses that name a winner.
    """
    ends = [(played[-1], _winner(played[-1])) for played in games.values() if played]
    finals = {
        winner: [one for one, whose in ends if whose == winner and not _is_untaken(one)]
        for winner in (words.USER, words.PROGRAM)
    }
    inner = [*before, *(one.text for played in games.values() for one in played if not one.over)]
    texts = {winner: [one.text for one in rounds] for winner, rounds in finals.items()}
    names = dict(zip(firsts, (words.PROGRAM, words.USER), strict=False))
    told = {
        clauses: winner for winner in given.wins for clauses in _as_said(given, winner, [one.text for one, _ in ends])
    }
    verdicts = naming(texts, inner, names, told)
    if any(verdict is Naming.UNREAD for verdict, _ in verdicts.values()):
        asked = [last_line(one.text) for played in games.values() for one in played if not one.over]
        verdicts = naming(texts, inner, {**names, **addressed(texts, asked)}, told)
    for winner, (verdict, quote) in verdicts.items():
        for one in finals[winner]:
            _name(one, winner, verdict, quote)
    for one, winner in ends:
        # That the last stone stays is charged where games end.
        if winner and _is_untaken(one) and says(one.text) == winner:
            one.play.saw(f"win-{winner}")
    return verdicts


def _as_said(given: Corrections, winner: str, ends: Sequence[str]) -> Iterator[Clauses]:
    """Clauses of which a person has said what they mean, as games end with them: word by word, or else but for their numbers."""
    for text in given.wins[winner]:
        exact = said(text)
        alike = frozenset(one.skeleton for one in segments(text))
        found = {exact for each in ends if exact <= said(each)} or {
            frozenset(clause for one in segments(each) if one.skeleton in alike for clause in said(one.text))
            for each in ends
            if alike <= {one.skeleton for one in segments(each)}
        }
        if not found:
            given.refuse(f"wins-{winner}", f"no game ends with “{text}”")
        yield from found


def _winner(one: Round) -> str:
    """The winner with this round, empty where that is open: whoever took the last stone, or must take it, has lost."""
    if not one.over or one.between is None or one.play.is_broken:
        return ""
    if one.moves and one.after == 1:
        return words.PROGRAM if one.ours else words.USER
    if one.between <= 0 or (not one.moves and one.between == 1):
        return words.PROGRAM
    return words.USER if one.moves and one.after == 0 and one.between <= FEW else ""


def _is_untaken(one: Round) -> bool:
    """Whether the game is over with a stone that nobody has taken."""
    return one.after == 1 or (not one.moves and bool(one.between))


def _name(one: Round, winner: str, verdict: Naming, quote: str) -> None:
    names = {words.USER: "the user", words.PROGRAM: "the program"}
    loser = names[words.USER if winner == words.PROGRAM else words.PROGRAM]
    last = f"the last stone is for {loser}, so that {names[winner]} wins"
    quoted = f": “{' '.join(quote.split())}”" if quote else ""
    if verdict is Naming.UNREAD:
        one.unread(f"{last}; whom it names as the winner could not be read{quoted}", "wrong-winner", "no-winner")
        return
    one.play.saw(f"win-{winner}")
    if verdict is Naming.WRONG:
        one.fault("wrong-winner", f"{last}, and it says that {loser} wins{quoted}")
    elif verdict is Naming.NOBODY:
        one.fault("no-winner", f"{last}, and it names no winner")

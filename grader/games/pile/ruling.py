"""Rulings on the rounds of a pile game: faults of play and of telling, whom it names as the winner, and the occasions for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grader.games.hear import words
from grader.games.hear.names import Clauses, Naming, addressed, naming, said, says
from grader.games.hear.slots import is_read, segments
from grader.games.learn.questions import last_line
from grader.games.pile.lessons import Corrections
from grader.games.pile.rounds import AFTER, LEFT, OURS, YOURS, Games, Round, stones
from grader.games.pile.telling import SELDOM, Telling, Told, unexplained

FEW = 2
"""Maximum number of stones with which one move ends the game."""


def note(one: Round, claims: Sequence[Told]) -> None:
    """Note how the numbers of a round were read, and how many stones are left behind it."""
    names = {OURS: "the move of the program", YOURS: "the move of the user"}
    readings = dict.fromkeys(
        f"“{' '.join(each.quote.split())}” was read as {names.get(each.meaning, 'stones left')}: {each.value}"
        for each in claims
    )
    one.play.readings[one.turn] = tuple(readings)
    one.play.positions[one.turn] = stones(one.after)


def false_counts(one: Round, claims: Sequence[Told]) -> Iterator[str]:
    """Numbers that are not true in this round, at places that tell the truth elsewhere; and a last count that is still that before its move."""
    # “2 stone is left”, “1 stones are left”: the first of its kind may stand in the place of the second
    true = {one.after, one.between, one.before, *((0,) if one.over else ())}
    told_later = any(each.meaning == AFTER and not each.shift for each in claims)
    has_moved = False
    for each in (number for number in claims if number.firm):
        if each.meaning in LEFT and one.over and each.value < 0:
            continue  # “-2 left” at an end is the fault of the move that led there, and a wrong count was charged as well
        if each.meaning in LEFT:
            # “The computer removed 2 stones, leaving 6” was printed before they were taken off
            stale = has_moved and each.meaning != AFTER and each.value != one.after and not (one.over or told_later)
            if each.shift or stale or each.value not in true:
                yield f"the program says that {_are(each.value)} left, but there {'is' if one.after == 1 else 'are'} {one.after}"
        elif each.meaning == OURS:
            has_moved = True
            if one.ours is not None and one.ours > 0 and each.value != one.ours and not one.over:
                yield f"the program says that it takes {each.value}, but takes {one.ours} off the pile"
        elif each.meaning == YOURS and one.yours and each.value != one.yours:
            yield f"the program says that the user took {each.value}, but the user took {one.yours}"


def _are(number: int) -> str:
    return f"{stones(number)} {'is' if number == 1 else 'are'}"


def untold(everything: Sequence[Round], telling: Telling) -> None:
    """Whether the user is told in nearly all rounds how many stones are left, and how many the program takes."""
    rounds = [one for one in everything if not one.over and one.ours and one.ours > 0]
    unclear: set[Round] = set()
    for meanings, kind in ((LEFT, "untold-left"), ((OURS,), "untold-move")):
        silent = [one for one in rounds if not any(each.meaning in meanings for each in telling.told(one))]
        if len(silent) <= SELDOM * len(rounds):
            continue
        true = {one: {one.after, one.between} if meanings is LEFT else {one.ours} for one in rounds}
        hidden = unexplained(rounds, telling, true)
        for one in silent:
            what = f"{_are(one.after)} left" if meanings is LEFT else f"the program takes {stones(one.ours or 0)}"
            if one in hidden or not is_read(one.text):
                unclear.add(one)
                one.unread(f"{what}, but we could not read where the program says so", kind)
            else:
                one.fault(kind, f"{what}, but the program does not say so")
    for one in rounds:
        if one not in unclear:
            one.play.saw("told")


# ------------------------------------------------------------------------------------------------------- the winner


def winners(
    games: Games, before: Sequence[str], firsts: Sequence[str], corrections: Corrections
) -> Mapping[str, tuple[Naming, str]]:
    """Rule on who is named as the winner; how each winner's games name him, and what they say.

    ``before`` are the sentences before games. ``firsts`` are the answers that let the program and the user begin: some programs
    call the players by them. Staff may have set clauses that name a winner.
    """
    ends = [(game[-1], _winner(game[-1])) for game in games.values() if game]
    finals = {
        winner: [one for one, whose in ends if whose == winner and not _is_untaken(one)]
        for winner in (words.USER, words.PROGRAM)
    }
    inner = [*before, *(one.text for game in games.values() for one in game if not one.over)]
    texts = {winner: [one.text for one in rounds] for winner, rounds in finals.items()}
    names = dict(zip(firsts, (words.PROGRAM, words.USER), strict=False))
    by_clauses = {
        clauses: winner
        for winner in corrections.wins
        for clauses in _as_said(corrections, winner, [one.text for one, _ in ends])
    }
    verdicts = naming(texts, inner, names, by_clauses)
    if any(verdict is Naming.UNREAD for verdict, _ in verdicts.values()):
        prompts = [last_line(one.text) for game in games.values() for one in game if not one.over]
        verdicts = naming(texts, inner, {**names, **addressed(texts, prompts)}, by_clauses)
    for winner, (verdict, quote) in verdicts.items():
        for one in finals[winner]:
            _name(one, winner, verdict, quote)
    for one, winner in ends:
        # That the last stone stays is charged where games end.
        if winner and _is_untaken(one) and says(one.text) == winner:
            one.play.saw(f"win-{winner}")
    return verdicts


def _as_said(corrections: Corrections, winner: str, ends: Sequence[str]) -> Iterator[Clauses]:
    """Clauses that a person has set, found in the ends of games: word by word, or else without their numbers."""
    for text in corrections.wins[winner]:
        exact = said(text)
        alike = frozenset(one.skeleton for one in segments(text))
        matches = {exact for each in ends if exact <= said(each)} or {
            frozenset(clause for one in segments(each) if one.skeleton in alike for clause in said(one.text))
            for each in ends
            if alike <= {one.skeleton for one in segments(each)}
        }
        if not matches:
            corrections.refuse(f"wins-{winner}", f"no game ends with “{text}”")
        yield from matches


def _winner(one: Round) -> str:
    """The winner with this round, empty if that is open: whoever took the last stone, or must take it, has lost."""
    if not one.over or one.play.is_broken:
        return ""
    if one.ours is not None and one.after == 1:
        return words.PROGRAM if one.ours else words.USER
    if one.between <= 0 or (one.ours is None and one.between == 1):
        return words.PROGRAM
    return words.USER if one.ours is not None and one.after == 0 and one.between <= FEW else ""


def _is_untaken(one: Round) -> bool:
    """Whether the game is over with a stone that nobody has taken."""
    return one.after == 1 or (one.ours is None and bool(one.between))


def _name(one: Round, winner: str, verdict: Naming, quote: str) -> None:
    names = {words.USER: "the user", words.PROGRAM: "the program"}
    loser = names[words.USER if winner == words.PROGRAM else words.PROGRAM]
    last = f"the last stone is left for {loser}, so {names[winner]} wins"
    quoted = f": “{' '.join(quote.split())}”" if quote else ""
    if verdict is Naming.UNREAD:
        one.unread(
            f"{last}; we could not read whom the program names as the winner{quoted}", "wrong-winner", "no-winner"
        )
        return
    one.play.saw(f"win-{winner}")
    if verdict is Naming.WRONG:
        one.fault("wrong-winner", f"{last}, but it says that {loser} wins{quoted}")
    elif verdict is Naming.NOBODY:
        one.fault("no-winner", f"{last}, but it names no winner")

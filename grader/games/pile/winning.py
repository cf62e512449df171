"""Rulings on whom a program names as the winner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grader.checks.ending import faulty
from grader.games.pile.corrections import Corrections
from grader.games.pile.ledger import Games, Ledger
from grader.games.pile.rounds import Round
from grader.games.pile.settling import FEW
from grader.reading.names import Clauses, Naming, naming, said, says
from grader.reading.slots import segments

USER_WINS, PROGRAM_WINS = "user", "program"
"""Who won a game, as the words know the players."""


def winners(
    ledger: Ledger, games: Games, before: Sequence[str], firsts: Sequence[str], given: Corrections
) -> Mapping[str, tuple[Naming, str]]:
    """Rule on who is named as the winner; how each winner's games name him, and what they say.

    ``before`` is what is said before games. ``firsts`` are the answers by which the program and the user begin: some programs
    call the players so. Staff may have set clauses that name a winner.
    """
    ends = [(played[-1], _winner(played[-1])) for played in games.values() if played]
    finals: dict[str, list[Round]] = {}
    for winner in (USER_WINS, PROGRAM_WINS):
        finals[winner] = [one for one, whose in ends if whose == winner and not _untaken(one)]
    inner = [*before, *(one.text for played in games.values() for one in played if not one.over)]
    found = naming(
        {name: [one.text for one in ends] for name, ends in finals.items()},
        inner,
        dict(zip(firsts, (PROGRAM_WINS, USER_WINS), strict=False)),
        {clauses: winner for winner in given.wins for clauses in _as_said(given, winner, ends)},
    )
    for winner, (verdict, quote) in found.items():
        for one in finals[winner]:
            _name(ledger, one, winner, verdict, quote)
    for one, winner in ends:
        if (
            winner and _untaken(one) and says(one.text) == winner
        ):  # that the last stone stays is charged where games end
            ledger.count(one.play, f"win-{winner}")
    return found


def _as_said(given: Corrections, winner: str, ends: Sequence[tuple[Round, str]]) -> Iterator[Clauses]:
    """What a person has said of clauses, as games end with them: word by word, or, where none does, but for their numbers."""
    texts = [one.text for one, _ in ends]
    for text in given.wins[winner]:
        exact = said(text)
        alike = frozenset(one.skeleton for one in segments(text))
        found = {exact for each in texts if exact <= said(each)} or {
            frozenset(clause for one in segments(each) if one.skeleton in alike for clause in said(one.text))
            for each in texts
            if alike <= {one.skeleton for one in segments(each)}
        }
        if not found:
            given.refuse(f"wins-{winner}", f"no game ends with “{text}”")
        yield from found


def _winner(one: Round) -> str:
    """Who has won with this round, empty where that is open: who took the last stone, or must take it, has lost."""
    ending = one.play.run.ending
    if not one.over or one.stays or one.between is None or (ending is not None and faulty(ending)):
        return ""
    if one.moves and one.after == 1:
        return PROGRAM_WINS if one.ours else USER_WINS
    if one.between <= 0 or (not one.moves and one.between == 1):
        return PROGRAM_WINS
    return USER_WINS if one.moves and one.after == 0 and one.between <= FEW else ""


def _untaken(one: Round) -> bool:
    """Whether the game is over with a stone that nobody has taken."""
    return one.after == 1 or (not one.moves and bool(one.between))


def _name(ledger: Ledger, one: Round, winner: str, verdict: Naming, quote: str) -> None:
    names = {USER_WINS: "the user", PROGRAM_WINS: "the program"}
    loser = names[USER_WINS if winner == PROGRAM_WINS else PROGRAM_WINS]
    last = f"the last stone is for {loser}, so that {names[winner]} wins"
    words = f": “{' '.join(quote.split())}”" if quote else ""
    if verdict is Naming.UNREAD:
        unread = f"{last}; whom it names as the winner could not be read{words}"
        ledger.unread(one.play, one.turn, unread, "wrong-winner", "no-winner")
        return
    ledger.count(one.play, f"win-{winner}")
    if verdict is Naming.WRONG:
        ledger.fault(one.play, one.turn, "wrong-winner", f"{last}, and it says that {loser} wins{words}")
    elif verdict is Naming.NOBODY:
        ledger.fault(one.play, one.turn, "no-winner", f"{last}, and it names no winner")

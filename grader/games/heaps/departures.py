"""The named ways in which programs depart from the rules of heaps: rows of rule, sentence, charge, and what the departure hides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from grader.games.follow.following import Followed
from grader.games.heaps.duel import Duel
from grader.games.heaps.facing import COMPUTER, USER, State
from grader.games.heaps.moving import (
    ADDS,
    ILLEGAL,
    ONE,
    ONE_FEWER,
    ONE_MORE,
    POOR,
    STAYS,
    Drawing,
    Exchanged,
    Naming,
)
from grader.games.learn.fit import Departure

MOVE_FAULTS = frozenset({
    "wrong-board", "refused-legal", "carried-out", "turn-lost", "ended-early", "plays-on", "wrong-winner", "no-winner",
    "wrong-row-taken", "empty-row-taken", "zero-taken", "negative-taken", "too-many-taken", "no-digit-taken", "letter-taken",
})  # fmt: skip
"""Faults that follow from a move that is read or carried out wrongly: other moves are legal then, and games end otherwise."""

WINNER_FAULTS = frozenset({"wrong-winner", "no-winner"})
"""Faults in who is named as the winner."""

END_FAULTS = WINNER_FAULTS | {"ended-early", "plays-on"}
"""Faults in how a game ends."""

# “:” comes behind 9 and counts as ten: one missing comparison was charged twice.
_BOUNDS = (
    Departure(
        "unbounded",
        True,
        "the program accepts moves that take more than there is",
        "too-many-taken",
        frozenset({"no-digit-taken"}),
    ),
)

PLAYER_FAULTS = WINNER_FAULTS | {"turn-lost"}
"""Faults of players who are named. One whose number stood where the row is stored was charged for the question after a refusal as well."""

_TURNS = (
    Departure("begins", frozenset({"start"}), "player 2 begins, and not player 1", "no-alternation"),
    Departure("strangers", True, "the program does not ask players 1 and 2 in turn", "no-alternation", PLAYER_FAULTS),
)
"""Players who do not take turns: who wins is then told by the player whose turn it would be."""

_STARTERS = (
    Departure("begins", frozenset({"first"}), "the computer begins the first game", "wrong-starter"),
    Departure("begins", frozenset({"after-1", "after-2"}), "the winner of a game begins the next", "wrong-starter"),
    Departure("begins", frozenset({"after-1"}), "the user begins each game", "wrong-starter"),
    Departure("begins", frozenset({"first", "after-2"}), "the computer begins each game", "wrong-starter"),
)
"""Departures in who begins. Their values are the occasions at which they show."""

_ENDS = (
    Departure("rest", 1, "the program ends its games when one is left", "ended-early", frozenset({"plays-on"})),
    Departure("rest", -1, "the program never ends a game", "plays-on", WINNER_FAULTS),
)

_NAMED = (Departure("loser", True, "the program names the loser as the winner", "wrong-winner"),)

_EVERY = {"row": "every row", "heap": "every heap"}
"""All heaps of a game, by what one of them is called."""


def departures(duel: Duel, games: Sequence[Followed] = ()) -> tuple[tuple[Departure, ...], ...]:
    """All known ways in which programs depart from the rules of a game: in moves of a user, turns, moves of the computer, beginners and ends.

    Those of several kinds may come together, and of each kind at most one. Its ``games`` show how a program draws the heaps that are typed.
    """
    rows = (*_of_moves(duel), *_of_heaps(duel), *_of_drawing(duel, games))
    # “Player 0 goes first” is neither of the players: it was called a mistake about who of them begins.
    stranger = any(
        duel.game.turn(heard).starter not in (None, USER, COMPUTER) for game in games for heard in game.heard
    )
    return rows, _BOUNDS, _TURNS, (_of_computer(games),), () if stranger else _STARTERS, _ENDS, _NAMED


def _of_computer(games: Sequence[Followed]) -> Departure:
    """A computer that breaks the rules. A strategy that takes nothing, or more than there is, wins no more either."""
    kinds = {fault.kind for game in games for _, fault in game.faults}
    breaks = "the computer breaks the rules in its turns"
    return Departure(
        "lost", POOR if "poor-move" in kinds else ILLEGAL, breaks, "illegal-move", frozenset({"poor-move"})
    )


def _of_moves(duel: Duel) -> Iterator[Departure]:
    """Moves that are read wrongly, from whatever heap they are."""
    yield Departure("more", -1, "the program takes one less than is typed", "wrong-board", MOVE_FAULTS)
    yield Departure("more", 1, "the program takes one more than is typed", "wrong-board", MOVE_FAULTS)
    names = [label.upper() for label in duel.labels]
    names.append(chr(ord(names[-1]) + 1))
    first, *others = range(len(duel.labels))
    # A comparison with the code of “A” decides for the last heap, the first one, or none where the heap is called otherwise.
    before = ((-1, first, *others), (others[-1], first, *others), (first, -1, *others))
    behind = ((*others, -1), (*others, first))
    for heaps in (*list(permutations((first, *others)))[1:], *before, *behind):
        actual, due = ", ".join(names[at] if at >= 0 else "?" for at in heaps), ", ".join(names[: len(heaps)])
        sentence = f"the program takes from {actual} where {due} is typed"
        yield Departure("heaps", Naming(heaps), sentence, "wrong-board", MOVE_FAULTS)
    for at in (first, *others):  # one that takes from no other letter, either: nothing takes from this heap
        heaps = tuple(-1 if heap == at else heap for heap in (first, *others))
        name = f"{duel.game.heap} {names[at]}"
        yield Departure(
            "heaps", Naming(heaps), f"the program refuses all moves from {name}", "refused-legal", MOVE_FAULTS
        )
    # A program that compared with one code too few accepted “@1” for A1, and was charged for that as well.
    # Where “@” was never typed, the refusal of A alone says what was seen.
    named = (chr(ord(names[0]) - 1), *names[:-1])
    for heaps, charge in (((*others, -1), "wrong-board"), ((-1, *others), "refused-legal")):
        actual, due = ", ".join(names[at] if at >= 0 else "?" for at in (first, *heaps)), ", ".join(named)
        sentence = f"the program takes from {actual} where {due} is typed"
        yield Departure("heaps", Naming(heaps, first), sentence, charge, MOVE_FAULTS)
    # One that read numbers as characters refused all: “and takes others” was said of it.
    none = Naming((-1,) * len(duel.labels))
    yield Departure("heaps", none, "the program refuses all moves", "refused-legal", MOVE_FAULTS)
    # Where the number stood for the row, “C9” took nothing, and “A3” the number of the player: that was charged four times.
    sentence = "the program chooses by the typed number from where it takes"
    yield Departure("numbered", len(names) - 1, sentence, "wrong-board", MOVE_FAULTS | {"no-alternation"})
    # A program that looked at the wrong result of a right subroutine was charged three times: “C1” took a rock, and “C9” took none.
    sentence = (
        "the program carries out legal moves but calls them invalid, and accepts moves that take more than there is"
    )
    yield Departure("misreports", True, sentence, "refused-legal", MOVE_FAULTS)


def _of_heaps(duel: Duel) -> Iterator[Departure]:
    """Moves from one heap, or from every heap, that are judged or carried out wrongly."""
    names = [f"{duel.game.heap} {label.upper()}" for label in duel.labels]
    for at, heap in [*enumerate(names), (-1, _EVERY[duel.game.heap])]:
        for how, sentence in (
            (STAYS, f"the program leaves {heap} as it was after a move"),
            (ADDS, f"the program adds what is taken to {heap}"),
            (ONE, f"the program takes one from {heap}, whatever number is typed"),
            (ONE_MORE, f"the program takes one more than is typed from {heap}"),
            (ONE_FEWER, f"the program takes one less than is typed from {heap}"),
        ):
            yield Departure("otherwise", (at, how), sentence, "wrong-board", MOVE_FAULTS)
        for whole, sentence in (
            (False, f"the program refuses legal moves from {heap}, and takes others"),
            (True, f"the program lets nobody take a part of {heap}, and takes more than it has"),
        ):
            yield Departure("inverted", (at, whole), sentence, "refused-legal", MOVE_FAULTS)
    for at, heap in enumerate(names):
        sentence = f"the program shows a wrong number for {heap} after a move"
        # Whatever is shown of a heap is believed: where already the start is wrong, the heap may only be drawn so.
        yield Departure("astray", at, sentence, "wrong-board", MOVE_FAULTS | {"wrong-start"})


def _of_drawing(duel: Duel, games: Sequence[Followed]) -> Iterator[Departure]:
    """Heaps that are drawn wrongly.

    Where two people move it is known what there is, whatever is shown. A computer that moves is followed by what it shows: this must be
    the same for each number, and tell most numbers apart. A program that forgot the sixth match of each row was charged 11 points more
    for a strategy that it played well, with rows that it did not show.
    """
    # Two arguments in the wrong order were charged three times: for the start, for each move, and for a refusal that was right.
    due = ", ".join(label.upper() for label in duel.labels)
    for places in list(permutations(range(len(duel.labels))))[1:]:
        shown = ", ".join(duel.labels[at].upper() for at in places)
        sentence = f"the program shows {shown} where {due} belong"
        yield Departure("drawn", Exchanged(places), sentence, "wrong-start", MOVE_FAULTS)
    names = [f"{duel.game.heap} {label.upper()}" for label in duel.labels]
    drawn = {one for game in games for one in _drawn(duel, game)} if duel.sizes else set()
    # A program that printed no rocks was charged for all moves that it carried out rightly: its rows seemed to be empty.
    # “Every row” was said of a program that drew its first row rightly.
    for at, heap in (*enumerate(names), (-1, f"{duel.game.heap}s")):
        pairs = tuple(sorted({(n, shown) for row, n, shown in drawn if at in (-1, row)}))
        numbers, marks = ({pair[side] for pair in pairs} for side in (0, 1))
        same = len(numbers) == len(pairs) < 2 * len(marks) and any(n != shown for n, shown in pairs)
        if same if duel.sizes else not duel.game.computer:
            sentence = f"the program draws {heap} wrongly"
            yield Departure("drawn", Drawing(at, pairs), sentence, "wrong-start", MOVE_FAULTS)


def _drawn(duel: Duel, game: Followed) -> Iterator[tuple[int, int, int]]:
    """The heaps of the first board, and the one from which the first move takes: each with what it must hold, and what is shown."""
    turns = [(state, heard) for state, heard in zip(game.states, game.heard, strict=True) if isinstance(state, State)]
    known = next((state.possible for state, _ in turns if state.possible), ())
    for row, (shown, n) in enumerate(zip(known[0], known[-1], strict=True) if known else ()):
        yield row, n, shown
    for state, heard in turns:
        boards = duel.game.turn(heard).boards
        if state.first_move is not None and boards:
            row, count = state.first_move.move
            if known[-1][row] >= count:
                yield row, known[-1][row] - count, boards[0][row]
        if state.possible and boards and boards[-1] != known[0]:
            return

"""The named ways in which programs depart from the rules of heaps, and the fit that finds out which of them a program has.

A hypothesis is a `Conduct`. Games that were followed are heard once more by a referee whose states have it: each turn with a fault is a
wait that came otherwise than foretold. If a departure explains games that right rules do not, it is the diagnosis. It is charged once, by the
first game that shows it. Everything else is judged by the rules that the program plays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any, cast

from grader.games.follow.following import Followed
from grader.games.heaps.duel import Duel
from grader.games.heaps.facing import COMPUTER, USER, State
from grader.games.heaps.moving import (
    ADDS,
    ONE,
    ONE_FEWER,
    ONE_MORE,
    RIGHT,
    STAYS,
    Conduct,
    Drawing,
    Exchanged,
    Naming,
    allowed,
    less,
)
from grader.games.learn.fit import RIVAL, Departure, Departures, Foretold, fit
from grader.games.referee import CRASH, Fault, Heard, Referee, Ruling
from grader.spec.expectations import ENTER

_HIDDEN = frozenset({
    "wrong-board", "refused-legal", "carried-out", "turn-lost", "ended-early", "plays-on", "wrong-winner", "no-winner",
    "wrong-row-taken", "empty-row-taken", "zero-taken", "negative-taken", "too-many-taken", "no-digit-taken", "letter-taken",
})  # fmt: skip
"""Faults that follow from a move that is read or carried out wrongly: other moves are legal then, and games end otherwise."""

_WINNER = frozenset({"wrong-winner", "no-winner"})

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

_ASKED = _WINNER | {"turn-lost"}
"""Faults of players who are named. One whose number stood where the row is stored was charged for the question after a refusal as well."""

_TURNS = (
    Departure("begins", frozenset({"start"}), "player 2 begins, and not player 1", "no-alternation"),
    Departure("strangers", True, "the program does not ask players 1 and 2 in turn", "no-alternation", _ASKED),
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
    Departure("rest", -1, "the program never ends a game", "plays-on", _WINNER),
)

_NAMED = (Departure("loser", True, "the program names the loser as the winner", "wrong-winner"),)

_COMPUTER = (
    Departure("lost", True, "the computer breaks the rules in its turns", "illegal-move", frozenset({"poor-move"})),
)
"""A strategy that takes nothing, or more than there is, wins no more either."""

_NUMBERS = ("zero", "negative", "too-many", "no-digit")
"""Kinds of wrong answers that are illegal by their number."""

_TAKEN = "-taken"
"""The end of the kinds of faults that say that a wrong answer was taken."""

SURE = 2
"""Turns in which right rules must find a fault before a departure is looked for. One alone may be that of a rare position, and does not tell
how a program plays."""

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
    return rows, _BOUNDS, _TURNS, _COMPUTER, () if stranger else _STARTERS, _ENDS, _NAMED


def _of_moves(duel: Duel) -> Iterator[Departure]:
    """Moves that are read wrongly, from whatever heap they are."""
    yield Departure("more", -1, "the program takes one less than is typed", "wrong-board", _HIDDEN)
    yield Departure("more", 1, "the program takes one more than is typed", "wrong-board", _HIDDEN)
    names = [label.upper() for label in duel.labels]
    names.append(chr(ord(names[-1]) + 1))
    first, *others = range(len(duel.labels))
    # A comparison with the code of “A” decides for the last heap, the first one, or none where the heap is called otherwise.
    before = ((-1, first, *others), (others[-1], first, *others), (first, -1, *others))
    behind = ((*others, -1), (*others, first))
    for heaps in (*list(permutations((first, *others)))[1:], *before, *behind):
        actual, due = ", ".join(names[at] if at >= 0 else "?" for at in heaps), ", ".join(names[: len(heaps)])
        sentence = f"the program takes from {actual} where {due} is typed"
        yield Departure("heaps", Naming(heaps), sentence, "wrong-board", _HIDDEN)
    # A program that compared with one code too few accepted “@1” for A1, and was charged for that as well.
    named = (chr(ord(names[0]) - 1), *names[:-1])
    for heaps, charge in (((*others, -1), "wrong-board"), ((-1, *others), "refused-legal")):
        actual, due = ", ".join(names[at] if at >= 0 else "?" for at in (first, *heaps)), ", ".join(named)
        sentence = f"the program takes from {actual} where {due} is typed"
        yield Departure("heaps", Naming(heaps, first), sentence, charge, _HIDDEN)
    for at in (first, *others):  # one that takes from no other letter, either: nothing takes from this heap
        heaps = tuple(-1 if heap == at else heap for heap in (first, *others))
        name = f"{duel.game.heap} {names[at]}"
        yield Departure("heaps", Naming(heaps), f"the program refuses all moves from {name}", "refused-legal", _HIDDEN)
    # One that read numbers as characters refused all: “and takes others” was said of it.
    none = Naming((-1,) * len(duel.labels))
    yield Departure("heaps", none, "the program refuses all moves", "refused-legal", _HIDDEN)
    # Where the number stood for the row, “C9” took nothing, and “A3” the number of the player: that was charged four times.
    sentence = "the program chooses by the typed number from where it takes"
    yield Departure("numbered", len(names) - 1, sentence, "wrong-board", _HIDDEN | {"no-alternation"})
    # A program that looked at the wrong result of a right subroutine was charged three times: “C1” took a rock, and “C9” took none.
    sentence = (
        "the program carries out legal moves but calls them invalid, and accepts moves that take more than there is"
    )
    yield Departure("misreports", True, sentence, "refused-legal", _HIDDEN)


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
            yield Departure("otherwise", (at, how), sentence, "wrong-board", _HIDDEN)
        for whole, sentence in (
            (False, f"the program refuses legal moves from {heap}, and takes others"),
            (True, f"the program lets nobody take a part of {heap}, and takes more than it has"),
        ):
            yield Departure("inverted", (at, whole), sentence, "refused-legal", _HIDDEN)
    for at, heap in enumerate(names):
        sentence = f"the program shows a wrong number for {heap} after a move"
        # Whatever is shown of a heap is believed: where already the start is wrong, the heap may only be drawn so.
        yield Departure("astray", at, sentence, "wrong-board", _HIDDEN | {"wrong-start"})


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
        yield Departure("drawn", Exchanged(places), sentence, "wrong-start", _HIDDEN)
    names = [f"{duel.game.heap} {label.upper()}" for label in duel.labels]
    drawn = {one for game in games for one in _drawn(duel, game)} if duel.sizes else set()
    # A program that printed no rocks was charged for all moves that it carried out rightly: its rows seemed to be empty.
    for at, heap in (*enumerate(names), (-1, _EVERY[duel.game.heap])):
        pairs = tuple(sorted({(n, shown) for row, n, shown in drawn if at in (-1, row)}))
        numbers, marks = ({pair[side] for pair in pairs} for side in (0, 1))
        same = len(numbers) == len(pairs) < 2 * len(marks) and any(n != shown for n, shown in pairs)
        if same if duel.sizes else not duel.game.computer:
            sentence = f"the program draws {heap} wrongly"
            yield Departure("drawn", Drawing(at, pairs), sentence, "wrong-start", _HIDDEN)


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


def departed(referee: Referee, games: Sequence[Followed]) -> Departures:
    """The departures that explain games; none if right rules explain all, or nothing is sure."""
    assert referee.duel is not None, "only games of heaps have departures"
    counts = Counter(fault.kind for game in games for _, fault in game.faults)
    results: Departures = ()
    for rows in departures(referee.duel, games):
        hidden = frozenset[str]().union(*(one.hides for one in results))
        if any(one.field == "astray" for one in results):
            hidden |= {"illegal-move"}  # the computer takes from a heap that holds something else than it shows
        sure = [one for one in rows if counts[one.charge] >= SURE and one.charge not in hidden]
        if sure:
            best = fit(sure, _Foretelling(referee, games, rows, frozenset(counts)).foretold, {}, most=1)
            results += best.best.departures if best is not None and best.is_sure else ()
    return results


def conducted(referee: Referee, departures: Departures) -> Referee:
    """The referee that rules by departures."""
    return _Conducted(referee, departures).referee()


class _Foretelling:
    """The games of a program beside hypotheses of one kind; ``seen`` are the kinds of faults that right rules find in them."""

    def __init__(
        self, referee: Referee, games: Sequence[Followed], rows: Sequence[Departure], kinds: frozenset[str]
    ) -> None:
        self._referee, self._kinds = referee, kinds
        # Most departures explain nothing: that shows in the games in which right rules find faults.
        self._games = sorted(games, key=lambda game: -len(game.faults))
        self._known = _hidden_kinds(rows)

    def foretold(self, departures: Departures, most: int) -> Foretold:
        """The turns that come otherwise: with a fault that the departures explain, or one that right rules do not find.

        More of them than ``most`` are not counted. Other faults a program may have beside these departures.
        """
        kinds = _hidden_kinds(departures) | (self._known - self._kinds) if departures else self._known
        conducted = _Conducted(self._referee, departures)
        wrong = right = 0
        for ruling in (ruling for game in self._games for ruling in conducted.replayed(game)):
            is_wrong = any(fault.kind in kinds for fault in ruling.faults)
            wrong, right = wrong + is_wrong, right + (not is_wrong)
            if wrong > most:
                break
        # A program that draws no rocks seemed to refuse legal moves from rows that begin empty: its moves were not believed, and it lost all.
        # One that shows B in the place of C seems to take from C where B is typed.
        drawn = "wrong-start" in self._kinds and any(one.field in ("inverted", "heaps") for one in departures)
        return Foretold(wrong, right, list, more=2 * RIVAL if drawn else 0.0)


def _hidden_kinds(departures: Sequence[Departure]) -> frozenset[str]:
    return frozenset[str]().union(*({one.charge, *one.hides} for one in departures))


class _Conducted:
    """A referee that rules by departures, and charges them where right rules would find a fault."""

    def __init__(self, referee: Referee, departures: Departures) -> None:
        assert referee.duel is not None, "only games of heaps have departures"
        self._referee, self._departures, self._game = referee, departures, referee.duel.game
        fields: dict[str, Any] = {one.field: one.value for one in departures}
        self._conduct = Conduct(**fields)

    def referee(self) -> Referee:
        """That referee."""
        starts = tuple(cast(State, one)._replace(conduct=self._conduct) for one in self._referee.starts)
        return replace(self._referee, starts=starts, hear=self._charge, answer=self._answer, due=self._due)

    def replayed(self, game: Followed) -> Iterator[Ruling]:
        """The rulings on the turns of a game that was followed before."""
        state: Hashable = cast(State, self._referee.start(0))._replace(conduct=self._conduct)
        turns = game.heard[:-1] if game.broke else game.heard  # its last turn was cut short
        for turn, answer in zip(turns, (*game.transcript.inputs, None), strict=False):
            ruling, lacking = self._judge(cast(State, state), turn, self._hear(cast(State, state), turn))
            yield replace(ruling, faults=(*ruling.faults, *(Fault(kind, "") for kind in lacking)))
            if answer is None or any(fault.stops for fault in ruling.faults):
                return
            state = self._answer(ruling.state, turn.question or "", answer.removesuffix(ENTER))

    def _answer(self, before: Hashable, question: str, text: str) -> State:
        state = cast(State, before)._replace(plain=None)
        plain = self._referee.answer(state._replace(conduct=RIGHT), question, text)
        return cast(State, self._referee.answer(state, question, text))._replace(plain=plain)

    def _due(self, before: Hashable) -> str:
        """The fault of a program that breaks now, by right rules: it need not refuse what only its own rules forbid."""
        state = cast(State, before)
        return self._referee.due(state if state.plain is None else state.plain)

    def _hear(self, state: State, heard: Heard) -> Ruling:
        """The ruling on a turn by the conduct alone, before it is known what this leaves open."""
        return self._referee.hear(state._replace(plain=None), heard)

    def _judge(self, state: State, heard: Heard, ruling: Ruling) -> tuple[Ruling, frozenset[str]]:
        """The ruling by the rules that the program plays, and the kinds of faults that it should show and does not."""
        ruling, heaps, left = self._rule(state, heard, ruling), state.heaps, []
        turn = self._game.turn(heard)
        for move in (None if state.wrong else state.move, turn.claim):
            if move is not None and allowed(heaps, move):
                heaps = less(heaps, move)
                left.append(sum(heaps))
        shown = self._conduct.shows(ruling.occasions, left)
        if not shown:
            return ruling, shown
        if turn.winners - {USER, COMPUTER}:  # “Player 0 wins!” names nobody, and not the loser
            shown -= {"wrong-winner"}
        others = tuple(one for one in ruling.faults if one.kind not in shown)
        return replace(ruling, faults=others), shown - {one.kind for one in ruling.faults}

    def _rule(self, state: State, heard: Heard, ruling: Ruling) -> Ruling:
        """The ruling by the rules that the program plays; nothing is found where these leave open what comes of an answer."""
        conduct = self._conduct
        plain = state if state.plain is None else cast(State, state.plain)
        typed, most = (-1, 0) if plain.move is None else plain.move, conduct.numbered
        if most and (state.doubtful or (0 <= typed[0] < most <= typed[1])):
            # Nobody knows what a heap holds that there is not, nor what is overwritten by taking from there.
            return Ruling(cast(State, ruling.state)._replace(doubtful=True), (), ruling.occasions)
        if conduct.unbounded and plain.wrong and not state.wrong:
            ruling = self._referee.hear(plain, heard)
            faults = [one for one in ruling.faults if one.kind != f"{plain.wrong}{_TAKEN}"]
            if len(faults) == len(ruling.faults):
                faults.append(Fault("too-many-taken", ""))  # it is refused: this counts for the fit alone
            return replace(ruling, state=cast(State, ruling.state)._replace(conduct=conduct), faults=tuple(faults))
        if state.wrong and not plain.wrong and not state.doubtful:  # a legal move, which this program should refuse
            is_refused = any(one.kind == "refused-legal" for one in self._referee.hear(plain, heard).faults)
            if conduct.misreports and plain.move is not None:
                left = tuple(less(heaps, plain.move) for heaps in plain.possible if allowed(heaps, plain.move))
                known = cast(State, ruling.state)._replace(possible=left)
                ruling = self._game.ruling(known, ruling.faults, (*ruling.occasions, "move", "turn"))
            acceptance = Fault(f"{state.wrong}{_TAKEN}", "")  # it counts for the fit alone
            return replace(ruling, faults=() if is_refused else (acceptance,))
        heap, after = plain.move[0] if plain.move is not None else None, cast(State, ruling.state)
        if plain.wrong in _NUMBERS and heap is not None and conduct.loses_count(heap):
            # Nobody knows what a heap holds from which too much was taken, or may have been.
            refusals = () if conduct.inverted is None else (one for one in ruling.faults if one.kind == "refused-legal")
            is_taken = bool(ruling.faults) or not state.wrong
            return Ruling(
                after._replace(doubtful=after.doubtful or is_taken), tuple(refusals), (plain.wrong, "refusal")
            )
        if conduct.drawn is not None and (state.doubtful or self._is_doubted(conduct.drawn, heard)):
            return Ruling(after._replace(doubtful=True), (), ruling.occasions)
        # Whoever is asked, a program that ends must not: one that ended at each refusal was asked by a wrong name, and paid for that alone.
        asked = _WINNER if heard.ended else _ASKED
        hidden = {"no-alternation", *asked} if conduct.strangers else set[str]()
        hidden |= {"illegal-move", "poor-move"} if conduct.lost else set()
        if conduct.astray is not None:  # what is shown of a heap is not what there is: nobody knows when it is empty
            hidden |= {"ended-early", "plays-on", *_WINNER}
            hidden |= {"refused-legal"} if heap == conduct.astray else set()
            # Less than nothing is drawn as nothing: a computer that took from there was charged for taking nothing, or for a poor move.
            boards = (*state.possible[:1], *self._game.turn(heard).boards)
            hidden |= set() if all(board[conduct.astray] for board in boards) else {"illegal-move", "poor-move"}
        visible = (one for one in ruling.faults if not hidden.issuperset(one.about or (one.kind,)))
        return replace(ruling, faults=tuple(visible))

    def _is_doubted(self, drawn: Drawing | Exchanged, heard: Heard) -> bool:
        """Whether nobody knows what there is by the heaps that are shown in a turn."""
        return any(map(drawn.doubts, self._game.turn(heard).boards))

    def _is_right(self, state: State, plain: State) -> bool:
        """Whether right rules find the same faults: the move is refused, or carried out as they want it, and what is shown is believed."""
        conduct = self._conduct
        believes = conduct.drawn is None and conduct.astray is None
        if not believes or state._replace(conduct=RIGHT, plain=None) != plain:
            return False
        if state.over or state.wrong or state.move is None:
            return True
        return not state.unseen and conduct.plays_right(state.possible, state.move)

    @property
    def _foretells(self) -> bool:
        """Whether these rules foretell what comes behind a charged mistake: nobody knows what a computer does that breaks them."""
        # One that cleared the table played on without a match, and paid for the end of the game as well.
        return not self._conduct.lost

    def _charge(self, before: Hashable, heard: Heard) -> Ruling:
        """The ruling by the rules that the program plays, and the charge of those."""
        state = cast(State, before)
        plain = state._replace(conduct=RIGHT) if state.plain is None else cast(State, state.plain)
        heard_so = self._hear(state, heard)
        right = heard_so if self._is_right(state, plain) else self._referee.hear(plain, heard)
        ruling = self._judge(state, heard, heard_so)[0]
        if state.wrong and not plain.wrong:  # a legal move is taken that was refused before
            ruling = replace(ruling, faults=tuple(one for one in ruling.faults if not one.kind.endswith(_TAKEN)))
        still = {fault.kind for fault in ruling.faults}
        for one in self._departures:
            # A wrong winner shows no wrong turn, and a poor move is a move: only what follows from a wrong move shows that one as well.
            kinds = _hidden_kinds((one,)) - still if one.hides >= _HIDDEN else {one.charge}
            evidence = next((fault for fault in right.faults if fault.kind in kinds), None)
            if evidence is not None:
                charge = replace(
                    evidence,
                    kind=one.charge,
                    message=f"{one.sentence}, as here: {evidence.message}",
                    passes=self._foretells,
                )
                # A loop that draws no rocks drew them without end where none were left: that is charged where it shows worst.
                charge = replace(charge, causes=(CRASH,)) if one.field == "drawn" else charge
                ruling = replace(ruling, faults=(charge, *ruling.faults))
        return ruling

"""The rules that a program of heaps plays: the fit that finds its departures, and the referee that rules by them.

A hypothesis is a `Conduct`. Games that were followed are heard once more by a referee whose states have it: each turn with a fault is a
wait that came otherwise than foretold. If a departure explains games that right rules do not, it is the diagnosis. It is charged once, by the
first game that shows it. Everything else is judged by the rules that the program plays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

from grader.games.follow.following import Followed
from grader.games.heaps.departures import END_FAULTS, MOVE_FAULTS, PLAYER_FAULTS, WINNER_FAULTS, departures
from grader.games.heaps.facing import COMPUTER, USER, State
from grader.games.heaps.moving import POOR, RIGHT, Conduct, Drawing, Exchanged, allowed, less
from grader.games.learn.fit import EACH, RIVAL, Departure, Departures, Foretold, fit
from grader.games.referee import CRASH, UNREAD, Fault, Heard, Referee, Ruling
from grader.spec.expectations import ENTER

_NUMBERS = ("zero", "negative", "too-many", "no-digit")
"""Kinds of wrong answers that are illegal by their number."""

_TAKEN = "-taken"
"""The end of the kinds of faults that say that a wrong answer was taken."""

_BESIDE_DRAWING = frozenset({"more", "otherwise", "heaps"})
"""The departures in moves that are looked for beside a wrong drawing.

A program that drew no rocks in row C and refused row B showed moves from row A alone: it seemed to play no game, and lost everything. What is
believed of a heap that is ``astray`` explains any other mistake as well, and did so untruly.
"""

_OF_LEGAL_MOVES = ("wrong-board", "refused-legal")
"""Faults in legal moves: no other answer shows them."""

SURE = 2
"""Turns in which right rules must find a fault before a departure is looked for. One alone may be that of a rare position, and does not tell
how a program plays."""


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
            best = fit(sure, _Foretelling(referee, games, rows, frozenset(counts)).foretold, {})
            if best is not None and best.is_sure:
                results += best.best.departures
                conducted = _Conducted(referee, results)
                # Who is asked again after a move of nothing, where one less is taken than is typed, is asked rightly.
                rulings = (ruling for game in games for ruling in conducted.replayed(game))
                counts = Counter(fault.kind for ruling in rulings for fault in ruling.faults)
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

    def foretold(self, departures: Departures, most: int) -> Foretold | None:
        """The turns that come otherwise: with a fault that the departures explain, or one that right rules do not find.

        More of them than ``most`` are not counted. Other faults a program may have beside these departures. If its games also end
        otherwise, that costs more than a departure that explains these ends, by more than a rival may. None for two departures, unless
        one is of a drawing: any two of moves explain too much.
        """
        fields = {one.field for one in departures}
        if len(fields) > 1 and not ("drawn" in fields and fields & _BESIDE_DRAWING):
            return None
        kinds = _hidden_kinds(departures) | (self._known - self._kinds) if departures else self._known
        conducted = _Conducted(self._referee, departures)
        wrong = right = 0
        ends = False
        for ruling in (ruling for game in self._games for ruling in conducted.replayed(game)):
            faults = kinds.intersection(fault.kind for fault in ruling.faults)
            # A program that draws no rocks and ends too early seemed to begin with empty rows, and lost everything.
            if departures and faults and faults <= END_FAULTS and not END_FAULTS & {one.charge for one in departures}:
                ends = True
                continue
            wrong, right = wrong + bool(faults), right + (not faults)
            if wrong > most:
                break
        # A program that draws no rocks seemed to refuse legal moves from rows that begin empty: its moves were not believed, and it lost all.
        # One that shows B in the place of C seems to take from C where B is typed.
        drawn = "wrong-start" in self._kinds and "drawn" not in fields and bool(fields & {"inverted", "heaps"})
        return Foretold(wrong, right, list, more=(EACH + RIVAL + 1) * ends + 2 * RIVAL * drawn)


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
            # A refusal that says and shows nothing seems to be a lost turn: a program with such ones that took one less paid for that thrice.
            silent = not self._game.turn(heard).boards and not any(one.kind.endswith(_TAKEN) for one in ruling.faults)
            plainly = (one.kind for one in self._referee.hear(plain, heard).faults)
            is_refused = silent or "refused-legal" in plainly
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
        asked = WINNER_FAULTS if heard.ended else PLAYER_FAULTS
        hidden = {"no-alternation", *asked} if conduct.strangers else set[str]()
        hidden |= {"illegal-move", "poor-move"} if conduct.lost else set()
        if conduct.astray is not None:  # what is shown of a heap is not what there is: nobody knows when it is empty
            hidden |= {"ended-early", "plays-on", *WINNER_FAULTS}
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

    def _charge(self, before: Hashable, heard: Heard) -> Ruling:
        """The ruling by the rules that the program plays, and the charge of those."""
        state = cast(State, before)
        plain = state._replace(conduct=RIGHT) if state.plain is None else cast(State, state.plain)
        heard_so = self._hear(state, heard)
        right = heard_so if self._is_right(state, plain) else self._referee.hear(plain, heard)
        ruling = self._judge(state, heard, heard_so)[0]
        if state.wrong and not plain.wrong:  # a legal move is taken that was refused before
            ruling = replace(ruling, faults=tuple(one for one in ruling.faults if not one.kind.endswith(_TAKEN)))
        # Its strategy may be wrong by the same mistake: a person decides, and it is not called right.
        if self._conduct.lost == POOR:
            poor = (one for one in right.faults if one.kind == "poor-move")
            open_ = (replace(one, kind=UNREAD, about=(one.kind,), causes=("illegal-move",)) for one in poor)
            ruling = replace(ruling, faults=(*ruling.faults, *open_))
        still = {fault.kind for fault in ruling.faults}
        for one in self._departures:
            # A wrong winner shows no wrong turn, and a poor move is a move: only what follows from a wrong move shows that one as well.
            kinds = _hidden_kinds((one,)) - still if one.hides >= MOVE_FAULTS else {one.charge}
            # A row that was wrong after a move was shown by a move of too many, under the rule that valid moves are carried out.
            kinds = set() if plain.wrong and one.charge in _OF_LEGAL_MOVES else kinds
            evidence = next((fault for fault in right.faults if fault.kind in kinds), None)
            if evidence is not None:
                # Nobody knows what a computer does that breaks the rules: one that cleared the table paid for the end of the game as well.
                charge = replace(
                    evidence,
                    kind=one.charge,
                    message=f"{one.sentence}, as here: {evidence.message}",
                    passes=not (self._conduct.lost or evidence.about),
                )
                # A loop that draws no rocks drew them without end where none were left: that is charged where it shows worst.
                charge = replace(charge, causes=(CRASH,)) if one.field == "drawn" else charge
                ruling = replace(ruling, faults=(charge, *ruling.faults))
        return ruling

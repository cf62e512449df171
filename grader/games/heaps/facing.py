"""Values that the referees of all games of heaps share: a game as its assignment words it, a turn as any program says it, and a state.

An assignment differs from another in what it fixes: its words, whether a computer plays, who wins, what is told and shown. That is
data (`HeapsGame`), and so are the faults and occasions that it knows. All assignments share the decisions. `refusing`: was it refused?
`witness` and `replying`: what is the position after a turn, what did the computer take, is it over, and who has won? They
name every fault and every occasion that they find; those that an assignment does not list are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from grader.games.event import (
    COMPUTER,
    USER,
    Acting,
    Asked,
    Begins,
    Event,
    Named,
    Partly,
    Refused,
    Shown,
    Told,
)
from grader.games.ground import Way
from grader.games.heaps.moving import RIGHT, Conduct, Heaps, Move, less
from grader.games.referee import UNREAD, Fault, Heard, Ruling
from grader.values import dataclass

__all__ = ["AGAIN", "COMPUTER", "COUNT", "MOVE", "SIZE", "USER", "FirstMove", "HeapsGame", "State", "Turn", "Typing"]

MOVE, COUNT, SIZE, AGAIN = "move", "more", "size", "again"
"""Questions of a program: for a move or its first part, for its second part, for the size of a heap, for another game."""


class Turn(NamedTuple):
    """A turn of a program at one glance: one value for all referees of heaps.

    ``boards`` are the heaps as they were shown, one after the other, ``own`` of them before the computer’s turn was announced. ``claim``
    is what the computer says that it takes. ``asks`` is what is asked for, empty if that is nothing known, and ``player`` who is
    asked, None if no player is named. ``winners`` are those who are named, ``unnamed`` says that somebody wins of whom it could
    not be read who it is. ``speaks`` says that something is said that states nothing which is known, and was not said at the beginning,
    or that the error stream has it.
    ``part`` is what was shown of a board in part, as `Partly` has it; None if no board was. All of it is seen from the ``events``.
    """

    boards: tuple[Heaps, ...] = ()
    own: int = 0
    claim: Move | None = None
    announced: bool = False
    asks: str = ""
    player: int | None = None
    winners: frozenset[int] = frozenset()
    unnamed: bool = False
    refuses: bool = False
    ended: bool = False
    speaks: bool = False
    part: tuple[int | None, ...] | None = None
    events: tuple[Event, ...] = ()

    @property
    def starter(self) -> int | None:
        """The player who begins, as the program says, though there may be no such player; None if it does not say."""
        return next((one.player for one in self.events if isinstance(one, Begins)), None)

    @property
    def calls_reply_wrong(self) -> bool:
        """Whether a message stands right behind the move of the computer, which it calls invalid."""
        return (Told, Refused) in pairwise(map(type, self.events))

    @property
    def acts(self) -> bool:
        """Whether the computer moves, as it says, or somebody wins."""
        return self.announced or self.claim is not None or bool(self.winners)

    @property
    def finishes(self) -> bool:
        """Whether the game is over for the program: it ends, or names a winner and asks for no move, or offers another game."""
        return self.ended or self.asks == AGAIN or (not self.asks and bool(self.winners))


class FirstMove(NamedTuple):
    """The first move of a game that was carried out: what was typed, what it left, and the heaps with fewer things by it."""

    move: Move
    rest: Heaps
    fewer: frozenset[int]


class Typing(NamedTuple):
    """The part of a move that is typed by now, where a program takes moves in a manner of its own.

    ``held`` is the first part of a move whose second is still to be typed; ``kept`` the first part where only the second is asked for
    once more. ``events`` were said since the last ruling.
    """

    held: str | None = None
    kept: str | None = None
    events: tuple[Event, ...] = ()


class State(NamedTuple):
    """All that a referee of heaps remembers of a game.

    ``possible`` are the heaps that there may be, those that are shown first; none before the first board. ``player`` is whose turn it
    is, ``asks`` what was asked for last. ``typed`` is the answer in words. ``move`` is the legal move in it, and
    ``wrong`` the reason to refuse it; empty if it need not be refused.

    ``seen`` says that boards can be read, ``announces`` that the program has announced a turn of the computer. ``unseen`` says that the computer has moved since, and that nothing told its move.
    ``doubtful`` says that it cannot be known any more what there is: what follows from that is not judged. ``pending`` is the
    fault of a move of the computer that would be right if the heap ``in_doubt`` were empty. The user then tries to take what is
    shown of that heap. ``over`` says that the game is over, and ``empty`` that nothing was left when it ended. ``winner`` has won then, 0
    where that is not sure, and ``named`` says that nobody is to be named any more. ``first_move`` is the first move that was carried out, and
    ``own`` is what an assignment also remembers.

    ``typing`` is what of a move is typed by now, and ``walked`` what is known of heaps that are neither shown nor told. The program plays
    by a ``conduct``; where that departs from the rules ``plain`` is the state behind the last answer by right ones.
    """

    possible: tuple[Heaps, ...] = ()
    player: int = USER
    asks: str = ""
    typed: str = ""
    move: Move | None = None
    wrong: str = ""
    seen: bool = False
    announces: bool = False
    unseen: bool = False
    doubtful: bool = False
    pending: Fault | None = None
    in_doubt: int = 0
    over: bool = False
    empty: bool = False
    winner: int = 0
    named: bool = False
    first_move: FirstMove | None = None
    own: Hashable = None
    typing: Typing = Typing()
    walked: Hashable = None
    conduct: Conduct = RIGHT
    plain: Hashable = None

    def read(self) -> State:
        """The state where a whole move was typed, with the move as the program reads it.

        An illegal move that it takes is not wrong any more. A legal one that it refuses is wrong by its heap or its number.
        """
        if self.conduct == RIGHT or self.move is None or not self.possible:
            return self
        move = self.conduct.reads(self.move)
        if any(self.conduct.takes(heaps, move) for heaps in self.possible):
            return self._replace(move=move, wrong="")
        return self._replace(move=move, wrong=self.wrong or ("zero" if move[1] < 1 else "too-many"))

    def sees(self, turn: Turn, start: Heaps) -> Turn:
        """The turn with the heaps that there are, where the program draws them wrongly; a game begins with those of ``start``."""
        if self.conduct.drawn is None:
            return turn
        due = self.heaps or start
        if self.move and not self.wrong and not turn.refuses:
            due = self.conduct.after(due, self.move, ())
        return turn._replace(boards=self.conduct.seen(turn.boards, due))

    @property
    def heaps(self) -> Heaps:
        """The heaps as they are shown; none before the first board."""
        return self.possible[0] if self.possible else ()

    @property
    def sure(self) -> bool:
        """Whether it is known for sure what there is, and the game goes on."""
        unsure = self.unseen or self.doubtful or self.pending or self.over or len(self.possible) != 1
        return not unsure and any(self.heaps)

    @property
    def left(self) -> Heaps:
        """The heaps as a person is told that they are: nothing in them once the last one was taken."""
        # “none of the rocks is left” stood beside a drawing with the last rock.
        return (0,) * len(self.heaps) if self.empty else self.heaps


@dataclass(frozen=True, kw_only=True)
class HeapsGame:
    """A game of heaps as its assignment words it.

    ``stated`` makes events of the facts that the patterns of the spec find in a turn. ``questions`` are the spec's names of questions
    whose names are no others, and ``repeats`` is the one that only asks “again”.

    ``occasions_of`` and ``occasions`` are the tables of its referee. ``tell`` writes heaps, ``say`` a move, and ``things`` is what lies
    in the heaps. ``heap`` is what one of them is called; ``players`` are those who are named, as in “player 1”. ``why`` has for each kind
    of wrong answer why it is wrong.
    ``winning`` are the moves that keep a win, ``stall`` what must be done where none does; no rule for that where it is None.

    ``computer`` says that player 2 is the program, and ``last_wins`` that who takes the last one has won. ``told_first`` says that the
    text fixes how the computer tells its move. Then a told move is believed before the heaps that are shown, and heaps that are
    shown twice were not changed. ``halts`` says that a program must end with its game, ``again`` that it must offer another.
    A wrong board makes a game doubtful; ``after_doubt`` are the faults that are judged even then, and their occasions.
    """

    stated: Callable[[Heard], tuple[Event, ...]] = lambda _heard: ()
    occasions_of: Mapping[str, tuple[str, ...]]
    occasions: Mapping[str, str]
    tell: Callable[[Heaps], str]
    say: Callable[[Move], str]
    things: str
    players: Mapping[int, str]
    why: Mapping[str, str]
    questions: Mapping[str, str] = field(default_factory=dict)
    repeats: str = ""
    winning: Callable[[Heaps], Sequence[Move]] = lambda _heaps: ()
    stall: Callable[[Heaps], Move] | None = None
    heap: str = "heap"
    computer: bool = True
    last_wins: bool = True
    told_first: bool = False
    halts: bool = False
    again: bool = False
    after_doubt: frozenset[str] = frozenset()

    def wins(self, mover: int) -> int:
        """The winner if this player has taken the last one."""
        return mover if self.last_wins else 3 - mover

    def events(self, heard: Heard) -> tuple[Event, ...]:
        """The events of a turn: as they were learned, or as the patterns of the spec read them."""
        return heard.events or self.stated(heard)

    @cached_property
    def turn(self) -> Callable[..., Turn]:
        """A function that makes of a ``Heard`` the turn at one glance. A question that only says “again” asks for the same as an earlier one.

        The computer’s own heaps begin where its turn is announced. If the text fixes how a move is told, events begin
        behind the telling. The first told move counts there, and elsewhere the last.
        """
        # In a proof of all positions nine turns of ten were heard before, and two rules may look at each.
        return lru_cache(maxsize=1 << 12)(self._turn)

    def _turn(self, heard: Heard, earlier: str = "") -> Turn:
        events, splits = self.events(heard), (Told,) if self.told_first else (Told, Acting)
        first = next((at for at, one in enumerate(events) if isinstance(one, splits)), None)
        moves = [(one.heap, one.count) for one in events if isinstance(one, Told)]
        winners = [one.player for one in events if isinstance(one, Named)]
        players = [one.player for one in events if isinstance(one, Asked) and one.player is not None]
        kinds = set(map(type, events))
        question = heard.question or ""
        return Turn(
            boards=tuple(one.heaps for one in events if isinstance(one, Shown)),
            own=sum(isinstance(one, Shown) for one in events[:first]) if first is not None else 0,
            claim=moves[0 if self.told_first else -1] if moves else None,
            announced=first is not None or Begins in kinds,
            asks=(earlier or MOVE) if question and question == self.repeats else self.questions.get(question, question),
            player=players[-1] if players and players[-1] in (USER, COMPUTER) else None,
            winners=frozenset(player for player in winners if player is not None),
            unnamed=None in winners,
            refuses=Refused in kinds,
            ended=heard.ended,
            speaks=heard.aside,
            part=next((one.heaps for one in events if isinstance(one, Partly)), None),
            events=events,
        )

    def way(self, heaps: Heaps, move: Move, answer: str | tuple[int, ...], *also: int) -> Way:
        """The way of a legal move against the computer; ``also`` is what else it may go by, such as who began."""
        after = less(heaps, move)
        leads: Hashable = (after, *also) if also else after
        ends = not any(after)
        return Way(answer, leads, counts=None if ends else leads, wins=not self.winning(after), ends=ends)

    def ruling(
        self, state: Hashable, faults: Sequence[Fault], occasions: Sequence[str], *, doubtful: bool = False
    ) -> Ruling:
        """The ruling as far as the assignment lists its faults and occasions, each fault once; where it is ``doubtful`` those judged even then.

        One that does not tell a board that is missing after a move of the user from one after the computer’s lists ``no-board``.
        """
        names = tuple(name for name in occasions if name in (self.after_doubt if doubtful else self.occasions))
        if not faults:
            return Ruling(state, (), names)
        table = self.after_doubt if doubtful else self.occasions_of
        by_kind: dict[str, Fault] = {}
        for fault in faults:
            kind = fault.kind if fault.kind in table else fault.kind.partition("-after-")[0]
            if (kind == UNREAD or kind in table) and (kind not in by_kind or fault.stops):
                by_kind[kind] = fault if kind == fault.kind else replace(fault, kind=kind)
        return Ruling(state, tuple(by_kind.values()), names)

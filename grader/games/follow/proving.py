"""Every position tried: answers that lead a program, game after game, into each position that it can reach.

A program that does the same whenever the same is typed is a map: places in which the user is asked, and ways from one to the
next. The program answers with a move of its own, so the end of a way is known only after it was gone. So the map is drawn
while it is walked. In each place a way is chosen that was not gone yet, or else the shortest path to a place with such a way. When
no way is left, the program was seen in every position that it can reach, and a fault that was not found is not there.

The map has positions, and not everything that a program may remember. It assumes that a program's answers depend on the position,
and on the other facts that the referee counts as part of a place. If one way leads to different places, the assumption is wrong,
or the program plays by chance. Then positions are tried as they come about, and the result claims no proof.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable
from dataclasses import field

from grader.games.follow.following import Followed
from grader.games.ground import Place, Way
from grader.games.referee import UNREAD, Answers, Referee
from grader.results import Proof
from grader.spec.kinds.runs import GameSet
from grader.values import dataclass

BARREN = 5
"""Maximum games in a row that try nothing new: such a program plays by chance, or cannot be followed."""


@dataclass(frozen=True, slots=True)
class Path:
    """The beginning of a game, and the ways that are gone from there."""

    opening: Place
    ways: tuple[Way, ...]


@dataclass(slots=True)
class _Target:
    """The ends of ways that are the same to the program, as far as it is known.

    ``gone`` says that one of them was gone, and ``after`` is where it led. ``unknown`` says that it should have led somewhere, or that
    the program's answer could not be read.
    """

    gone: bool = False
    unknown: bool = False
    after: _Spot | None = None


@dataclass(slots=True, eq=False)
class _Spot:
    """A place on the map with the ways from it; ``new`` are those that nobody had gone when it was last looked at, the next one last.

    Where only a way led to it so far, and nobody looked on from there, it is not ``open``. It is equal to itself alone, so that a
    search need not work out the hash of a place each time it passes.
    """

    place: Place
    open: bool = False
    ways: tuple[tuple[Way, _Target], ...] = ()
    new: list[tuple[Way, _Target]] = field(default_factory=list)

    def next_new(self) -> Way | None:
        """The way that is to be gone next; None if each was gone."""
        while self.new and self.new[-1][1].gone:
            self.new.pop()
        return self.new[-1][0] if self.new else None


class Explorer:
    """The map of one program, drawn over the games of a set: ``walk`` begins the next game, ``close`` takes in how it ended."""

    def __init__(self, referee: Referee, games: GameSet) -> None:
        """Nothing is known yet. Raises JudgeError if the referee does not know its ground."""
        self.ground = referee.known_ground
        self._games = games
        self._spots: dict[Place, _Spot] = {}
        self._roots = dict.fromkeys(map(self._spot, self.ground.openings(games.largest)))
        self._targets: defaultdict[Hashable, _Target] = defaultdict(_Target)
        self._varies = False
        self._barren = 0
        self._proof: Proof | None = None
        self.walks: list[Walk] = []

    @property
    def most_places(self) -> int:
        """Maximum places that are left by all their ways, where sessions fork: a program that does sums wrong has no end of them."""
        return self._games.games

    def walk(self) -> Walk:
        """The next game."""
        self.walks.append(Walk(self, self._games.inputs, self.path()))
        return self.walks[-1]

    def again(self) -> Walk:
        """The latest game once more: what it lacked at its end is known now."""
        last = self.walks.pop().last
        if last is not None:
            place, way = last
            target = self._targets[way.leads]
            target.gone = target.unknown = False
            self._spot(place).new.append((way, target))
        return self.walk()

    def close(self, followed: Followed) -> None:
        """Take in how the latest game ended."""
        walk = self.walks[-1]
        walk.close(followed)
        self._barren = 0 if walk.new else self._barren + 1

    def ends_with(self, number: int) -> bool:
        """Whether the game of this number, from 0, is the last: nothing new would be tried in another."""
        return number + 1 == len(self.walks) and (self._barren >= BARREN or self.path() is None)

    def proof(self) -> Proof:
        """How far the positions that this program can reach were tried."""
        if self._proof is None:
            ways = [step for spot in self._spots.values() for step in spot.ways if step[0].counts is not None]
            known = {way.counts for way, _ in ways}
            rest = {way.counts for way, target in ways if not target.gone or target.unknown}
            more = self.path() is not None
            why = self._lack(left=bool(rest), more=more)
            self._proof = Proof(self.ground.label, len(known - rest), len(known), why, more)
        return self._proof

    def _lack(self, *, left: bool, more: bool) -> str:
        """The reason why this is no full proof; empty if it is one."""
        if self._varies:
            return "it does not always make the same move"
        if more and len(self.walks) == self._games.games:
            return f"the limit of {self._games.games} games is reached"
        if more:
            return "in too many games it takes too long, or we could not follow it"
        return "we could not read what the program does in the others" if left else ""

    # ------------------------------------------------------------------------------------------------------- the map

    def ways(self, place: Place) -> tuple[Way, ...]:
        """The ways from a place."""
        return tuple(way for way, _ in self._opened(self._spot(place)).ways)

    def _spot(self, place: Place) -> _Spot:
        return self._spots.get(place) or self._spots.setdefault(place, _Spot(place))

    def _opened(self, spot: _Spot) -> _Spot:
        if not spot.open:
            ways = (way for way in self.ground.ways(spot.place) if self._games.illegal or not way.stays)
            spot.ways = tuple((way, self._targets[way.leads]) for way in ways)
            spot.open, spot.new = True, [*reversed(spot.ways)]
        return spot

    def is_new(self, way: Way) -> bool:
        """Whether nobody went where this way leads."""
        return not self._targets[way.leads].gone

    def path(self, start: Place | None = None) -> Path | None:
        """The shortest path to a new way, from a place or from the beginning of a game; None if all were gone."""
        return self._search(start, _Spot.next_new)

    def path_to(self, place: Place, way: Way) -> Path | None:
        """The shortest path from the beginning of a game to a place, and on by one of its ways."""
        return self._search(None, lambda there: way if there.place == place else None)

    def _search(self, start: Place | None, test: Callable[[_Spot], Way | None]) -> Path | None:
        todo = [*self._roots] if start is None else [self._spot(start)]
        # most are found at once: to note where each of hundreds of beginnings came from would take longest
        for root in todo:
            last = test(self._opened(root))
            if last is not None:
                return Path(root.place, (last,))
        came: dict[_Spot, tuple[_Spot, Way] | None] = dict.fromkeys(todo)
        for spot in todo:
            last = test(self._opened(spot))
            if last is not None:
                ways, first = [last], spot
                while (step := came[first]) is not None:  # back to where it began
                    first, way = step
                    ways.append(way)
                return Path(first.place, tuple(reversed(ways)))
            for way, target in spot.ways:
                after = target.after
                if after is not None and after not in came:
                    came[after] = (spot, way)
                    todo.append(after)
        return None

    def differs(self) -> None:
        """The program was seen to do something else when the same was typed."""
        # A computer that chooses by chance may move otherwise the next time: nothing is proved of it.
        self._proof, self._varies = None, True

    def begins(self, place: Place) -> None:
        """A game was seen to begin here."""
        self._roots.setdefault(self._spot(place))

    def led(self, before: Place, way: Way, after: Place) -> None:
        """A way was gone, and led here; one that leads nowhere although it should was not carried out."""
        self._proof = None
        target = self._targets[way.leads]
        target.gone = True
        # The program refused what is legal: the way still leads somewhere else, and nobody saw where.
        target.unknown = before == after and not way.stays
        if not target.unknown:
            spot = self._spot(after)
            # The same answer in the same place led elsewhere before: it moves by chance, or by more than the position.
            self._varies = self._varies or target.after not in (None, spot)
            target.after = spot

    def ended(self, way: Way, *, known: bool) -> None:
        """A way was gone, and the game was over or left; ``known`` says whether what the program did then was read."""
        self._proof = None
        target = self._targets[way.leads]
        target.gone = True
        target.unknown = target.unknown or (not known and target.after is None)


class Walk:
    """One game, in which the map chooses what is typed: along ``path`` first, and then to whatever is new.

    With ``winning`` the game is played on after the path to win it, and left when it is over.
    """

    def __init__(self, explorer: Explorer, inputs: int, path: Path | None, *, winning: bool = False) -> None:
        self._map = explorer
        self._left = inputs
        self._opening = path.opening if path else None
        self._plan = deque(path.ways if path else ())
        self._winning = winning
        self.last: tuple[Place, Way] | None = None
        """The last way that was gone, and where it began; None if the game was left otherwise."""
        self._text: str | None = None
        self._typed = 0
        self.steps: list[tuple[int, Place, Way]] = []
        """Each way that was gone: how many inputs came before it, where it began, and the way."""
        self.new = False
        """Whether something new was tried."""
        self.won = False
        """Whether the last way that was gone wins the game for the user, by the rules."""

    def draw(self, answers: Answers, state: Hashable, question: str) -> str | None:
        """The answer that leads on; None if the game is left."""
        self._typed += answers.forced
        self._text = answers.legal[0] if answers.forced else self._choice(state, question)
        return self._text

    def _choice(self, state: Hashable, question: str) -> str | None:
        place = self._map.ground.place(state, question)
        if place is not None:
            if self.last is None:
                self._map.begins(place)
            else:
                self._map.led(*self.last, place)
            way = self._way_from(place) if self._left > 0 else None
            if way is None:
                self.last = None
                return None
            self.last = (place, way)
            self.steps.append((self._typed, place, way))
            self.new = self.new or self._map.is_new(way)
            self.won = way.ends and way.wins
        aim = self.last[1].answer if self.last else self._opening
        self._left -= 1
        self._typed += 1
        return None if aim is None else self._map.ground.typed(state, question, aim)

    def _way_from(self, place: Place) -> Way | None:
        if self._winning and self.won:  # the report shows how the program is beaten, and no more of the game
            return None
        while self._plan:
            way = self._plan.popleft()
            if way in self._map.ways(place):
                return way
            self._plan.clear()  # the program did not lead where it led before
        if self._winning:
            return next((way for way in self._map.ways(place) if way.wins), None)
        path = self._map.path(place)
        if path is None:
            return None
        self._plan.extend(path.ways[1:])
        return path.ways[0]

    def close(self, followed: Followed) -> None:
        """The game is over, or was left: was it read up to there?"""
        unread = bool(followed.faults) and followed.faults[-1][1].kind == UNREAD
        if self.last is not None:
            self._map.ended(self.last[1], known=self._text is not None and not unread)

"""Every position tried: answers that lead a program, game after game, into each position that it can reach.

A program that does the same whenever the same is typed is a map: places in which the user is asked, and ways from one to the
next. Where a way leads is known only once it was gone, because the program answers with a move of its own. So the map is drawn
while it is walked: in each place a way is chosen that was not gone yet, or the shortest path to a place that has one. When
none is left the program was seen in every position that it can reach, and a fault that was not found is not there.

The map is of positions, and not of all that a program may remember: it takes for granted that a program goes by the position
and by what else the referee counts to a place. Where the same way leads to different places the program does not, or it plays by
chance. Then its positions are tried as they come about, and nothing is said to be proved.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace

from grader.games.following import Draw, Followed
from grader.games.ground import Place, Way
from grader.games.referee import UNREAD, Answers, Referee
from grader.results import Proof
from grader.spec.model import GameSet

BARREN = 5
"""After so many games in a row that tried nothing new no more are played: the program plays by chance, or cannot be followed."""


@dataclass(frozen=True, slots=True)
class Path:
    """Where a game begins, and the ways that are gone from there."""

    opening: Place
    ways: tuple[Way, ...]


class Explorer:
    """The map of one program, drawn over the games of a set: ``walk`` begins the next game, ``close`` takes in how it ended."""

    def __init__(self, referee: Referee, games: GameSet) -> None:
        """Nothing is known yet. Raises JudgeError where the referee does not know its ground."""
        self.ground = referee.known_ground
        self._games = games
        self._roots = dict.fromkeys(self.ground.openings(games.largest))
        self._ways: dict[Place, tuple[Way, ...]] = {}
        self._new: dict[Place, list[Way]] = {}
        self._gone: set[Hashable] = set()
        self._unknown: set[Hashable] = set()
        self._next: dict[Hashable, Place] = {}
        self._varies = False
        self._barren = 0
        self._proof: Proof | None = None
        self.walks: list[Walk] = []

    @property
    def most_places(self) -> int:
        """So many places are left by all their ways, where sessions fork: a program that does sums wrong has no end of them."""
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
            self._gone.discard(way.leads)
            self._unknown.discard(way.leads)
            self._new[place].append(way)
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
            self._proof = self._counted()
        return self._proof

    def _counted(self) -> Proof:
        ways = [way for ways in self._ways.values() for way in ways if way.counts is not None]
        known = {way.counts for way in ways}
        left = {way.counts for way in ways if way.leads not in self._gone or way.leads in self._unknown}
        more = self.path() is not None
        return Proof(self.ground.label, len(known - left), len(known), self._lack(left=bool(left), more=more), more)

    def _lack(self, *, left: bool, more: bool) -> str:
        """What the proof lacks; empty where it is one."""
        if self._varies:
            return "it does not always move alike"
        if more and len(self.walks) == self._games.games:
            return f"there are no more than {self._games.games} games for it"
        if more:
            return "it takes too long, or cannot be followed, in too many games"
        return "what it does in the others could not be read" if left else ""

    # ------------------------------------------------------------------------------------------------------- the map

    def ways(self, place: Place) -> tuple[Way, ...]:
        """The ways from a place."""
        if place not in self._ways:
            self._ways[place] = tuple(way for way in self.ground.ways(place) if self._games.illegal or not way.stays)
            self._new[place] = [way for way in self._ways[place] if way.leads not in self._gone][::-1]
        return self._ways[place]

    def is_new(self, way: Way) -> bool:
        """Whether nobody went where this way leads."""
        return way.leads not in self._gone

    def path(self, start: Place | None = None) -> Path | None:
        """The shortest path to a new way, from a place or from the beginning of a game; None where there is none."""
        return self._search(start, self._new_way)

    def path_to(self, place: Place, way: Way) -> Path | None:
        """The shortest path from the beginning of a game to a place, and on by one of its ways."""
        return self._search(None, lambda there: way if there == place else None)

    def _new_way(self, place: Place) -> Way | None:
        self.ways(place)
        new = self._new[place]
        while new and not self.is_new(new[-1]):
            new.pop()
        return new[-1] if new else None

    def _search(self, start: Place | None, wanted: Callable[[Place], Way | None]) -> Path | None:
        roots = self._roots if start is None else {start: None}
        for root in roots:  # most are found at once: to queue all beginnings first would take longer than all else
            last = wanted(root)
            if last is not None:
                return Path(root, (last,))
        seen = set(roots)
        todo: deque[tuple[Place, Place, tuple[Way, ...]]] = deque((root, root, ()) for root in roots)
        while todo:
            root, place, ways = todo.popleft()
            last = wanted(place)
            if last is not None:
                return Path(root, (*ways, last))
            for way in self.ways(place):
                after = self._next.get(way.leads)
                if after is not None and after not in seen:
                    seen.add(after)
                    todo.append((root, after, (*ways, way)))
        return None

    def differs(self) -> None:
        """The program was seen to do something else when the same was typed."""
        self._proof, self._varies = None, True

    def begins(self, place: Place) -> None:
        """A game was seen to begin here."""
        self._roots.setdefault(place)

    def led(self, before: Place, way: Way, after: Place) -> None:
        """A way was gone, and led here; one that leads nowhere although it should was not carried out."""
        self._proof = None
        self._gone.add(way.leads)
        if before == after and not way.stays:
            self._unknown.add(way.leads)
            return
        self._unknown.discard(way.leads)
        self._varies = self._varies or self._next.get(way.leads, after) != after
        self._next[way.leads] = after

    def ended(self, way: Way, *, known: bool) -> None:
        """A way was gone, and the game was over or left; ``known`` says whether what the program did then was read."""
        self._proof = None
        self._gone.add(way.leads)
        if not known and way.leads not in self._next:
            self._unknown.add(way.leads)


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
        self._from: tuple[Place, Way] | None = None
        self._text: str | None = None
        self._typed = 0
        self.steps: list[tuple[int, Place, Way]] = []
        """Each way that was gone: how many inputs came before it, where it began, and the way."""
        self.new = False
        """Whether something new was tried."""
        self.won = False
        """Whether the last way that was gone wins the game for the user, by the rules."""

    def heard_by(self, referee: Referee) -> Referee:
        """The referee, with the answers that are chosen here."""

        def answers(state: Hashable, question: str) -> Answers:
            may = referee.answers(state, question)
            if may.forced:
                self._text = may.legal[0]
                self._typed += 1
                return may
            self._text = self._chosen(state, question)
            return may if self._text is None else Answers((self._text,))

        return replace(referee, answers=answers)

    @property
    def last(self) -> tuple[Place, Way] | None:
        """The last way that was gone, and where it began; None where the game was left otherwise."""
        return self._from

    @property
    def draw(self) -> Draw:
        """What is typed."""
        return lambda _answers: self._text

    def _chosen(self, state: Hashable, question: str) -> str | None:
        place = self._map.ground.place(state, question)
        if place is not None:
            self._arrive(place)
            way = self._way_from(place) if self._left > 0 else None
            if way is None:
                self._from = None
                return None
            self._from = (place, way)
            self.steps.append((self._typed, place, way))
            self.new = self.new or self._map.is_new(way)
            self.won = way.ends and way.wins
        aim = self._from[1].answer if self._from else self._opening
        self._left -= 1
        self._typed += 1
        return None if aim is None else self._map.ground.typed(state, question, aim)

    def _arrive(self, place: Place) -> None:
        if self._from is None:
            self._map.begins(place)
        else:
            self._map.led(*self._from, place)

    def _way_from(self, place: Place) -> Way | None:
        if self._winning and self.won:
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
        if self._from is not None:
            self._map.ended(self._from[1], known=self._text is not None and not unread)

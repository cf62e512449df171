"""How a program is led through a game: which of its waits asks for a move, and how it goes on at each of the others.

The meaning of a wait is found by answering it. A piece is dropped in a fork; its place and its owner tell the position and whose
turn it is. From then on the wait is known by its key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field, replace

from grader.checks.ending import faulty
from grader.games.board.corrections import Corrections, tokens
from grader.games.board.layout import Layout
from grader.games.board.memory import MemoryLayout
from grader.games.board.rules import OTHER, Labels, Rules, Spot
from grader.games.board.trial_pieces import TrialPieces
from grader.games.hear.picture import MOST, MOST_LINES, Picture
from grader.games.hear.runs import Answers, Run, Runs, Wait
from grader.games.learn.questions import GOES_ON, allowed, last_line, mentioned
from grader.games.learn.way import Key, key_of
from grader.values import dataclass

MOST_BEHIND = 12
"""Maximum answers tried at a question behind which a piece may be shown."""


@dataclass(frozen=True, slots=True)
class Role:
    """The meaning of a wait: a ``column``, an ``offer`` to take a move back, a ``pause``, or it is ``over``.

    ``keep`` goes on, ``undo`` takes back.
    """

    kind: str
    keep: str = ""
    undo: str | None = None


COLUMN = Role("column")
OVER = Role("over")
UNKNOWN = Role("unknown")


def elsewhere(key: Key) -> Key:
    """A key without the place that the code returns to."""
    wants, place, line = key
    return wants, place[:1] if isinstance(place, tuple) else place, line


MOST_ANSWERS = 24
"""So many answers are tried at a wait that is not known yet."""

MOST_UNKNOWN = 60
"""So many waits are looked at so; a program that never asks in the same words would be asked for ever."""

MOST_STEPS = 8
"""Maximum waits between two moves; behind that nobody knows where we are."""


@dataclass(frozen=True, slots=True)
class Reached:
    """The effect of an answer: ``kind`` is ``column``, ``over``, ``ended``, ``broke`` or ``unknown``.

    ``text`` was printed since that answer, and ``boards`` are those in it. ``offer`` are the answers before the offer to take the
    move back was answered, None if none was made.
    """

    kind: str
    run: Run
    text: str
    boards: tuple[str, ...]
    offer: Answers | None = None

    @property
    def board(self) -> str | None:
        """The last board that was shown."""
        return self.boards[-1] if self.boards else None

    @property
    def answers(self) -> Answers:
        """All that was typed so far."""
        return self.run.answers


def signs_of(layout: Layout | MemoryLayout, picture: Picture) -> tuple[str, str]:
    """The signs of both players in a drawing: the marks of the program, or two others where it has none that a reader can tell apart.

    A board of numbers by who began stood beside “Player 1 wins”, which meant the other player.
    """
    shown = {player: picture.shown(sign) for sign, player in layout.marks.items()}
    one, two = shown.get("A", ""), shown.get("B", "")
    clear = one != two and all(len(sign) == 1 and sign.isprintable() and not sign.isspace() for sign in (one, two))
    return (one, two) if clear else ("●", "○")


@dataclass(eq=False)
class Dialogue:
    """The known facts about talking to a program, the position that it is in, and the way from each of its moves to the next.

    ``met`` is the number of waits whose role was looked for.
    """

    rules: Rules
    runs: Runs
    layout: Layout | MemoryLayout
    picture: Picture
    labels: Labels
    corrections: Corrections = field(default_factory=Corrections)
    seed: int | None = None
    roles: dict[Key, Role] = field(default_factory=dict)
    quotes: dict[Key, str] = field(default_factory=dict)
    met: int = 0
    pieces: TrialPieces = field(init=False)

    def __post_init__(self) -> None:
        """Look for positions by pieces of these rules."""
        self.pieces = TrialPieces(self.rules)

    def run(self, answers: Sequence[str]) -> Run:
        """The run that comes of answers."""
        return self.runs.run(answers, self.seed)

    @property
    def signs(self) -> tuple[str, str]:
        """The signs of both players in a drawing."""
        return signs_of(self.layout, self.picture)

    @contextmanager
    def seeded(self, seed: int | None) -> Iterator[None]:
        """Talk to the program with other random numbers for a while."""
        before, self.seed = self.seed, seed
        try:
            yield
        finally:
            self.seed = before

    def label(self, move: int) -> str:
        """The label of a move in messages: what is typed for it."""
        return " ".join(self.labels[move])

    def boards(self, wait: Wait) -> tuple[str, ...]:
        """The boards that are shown before a wait; where they are only painted, the one that is in memory then."""
        if not self.layout.drawn:
            return self.layout.boards(wait.seen)
        text = wait.output
        if wait.ending is not None and len(text) > MOST:  # the board stands before the flood in which the program ended
            text = "\n".join(text[:MOST].split("\n")[:MOST_LINES])
        return self.layout.boards(self.picture.text(text))

    def without_boards(self, text: str) -> str:
        """A text without its boards."""
        return self.layout.pattern.sub("\n", self.picture.text(text))

    def role(self, wait: Wait) -> Role:
        """The role of a wait, as far as it is known."""
        key = key_of(wait)
        known = self.roles.get(key)
        if known is None and wait.place:  # the same question, asked from another place in the code
            alike = {role for other, role in self.roles.items() if elsewhere(other) == elsewhere(key)}
            known = alike.pop() if len(alike) == 1 else None
        return known or UNKNOWN

    def situation(self, answers: Answers, candidates: Sequence[Spot]) -> Spot | None:
        """The matching position and player among candidates; None if no candidate matches.

        A piece is dropped aside, and where it lands and whose it is tells both. An empty board is always a candidate: a new game.
        """
        every = (*candidates, Spot(self.rules.start, "A"))
        for move, shows in self.pieces.of(every):
            spot, over = self._situation_by(answers, move, shows)
            if spot is not None or over:
                return spot
        return None

    def _situation_by(self, answers: Answers, move: int, shows: Mapping[str, Spot]) -> tuple[Spot | None, bool]:
        """The situation that the piece of this move shows, and whether another move would show no more."""
        path = (*answers, *self.labels[move])
        for _ in range(3):
            run = self.run(path)
            spot = self._shown_by(run, shows)
            if spot is not None:
                return spot, True
            if run.ending is not None:
                return None, not self.boards(run.last)
            role = self.role(run.last)
            if role is UNKNOWN and key_of(run.last) != key_of(run.waits[len(answers)]):
                return self._behind_unknown(run, shows), True
            if role.kind not in ("offer", "pause"):
                return None, False
            path = (*path, role.keep)
        return None, False

    def _shown_by(self, run: Run, shows: Mapping[str, Spot]) -> Spot | None:
        """The candidate that one of the last two boards shows."""
        return next((shows[board] for board in reversed(self.boards(run.last)[-2:]) if board in shows), None)

    def _behind_unknown(self, run: Run, shows: Mapping[str, Spot]) -> Spot | None:
        """The candidate that is shown behind a question that was not met before: some show a piece only once it is kept."""
        for text in allowed((*mentioned(run.output)[:6], *GOES_ON[:8]), run.last.wants)[:MOST_BEHIND]:
            spot = self._shown_by(self.run((*run.answers, text)), shows)
            if spot is not None:
                return spot
        return None

    # ------------------------------------------------------------------------------------------------ from move to move

    def drop(self, answers: Answers, spot: Spot, move: int, *, back: bool = False) -> Reached:
        """Type a move, and go on to where the next one is asked for; ``back`` takes it back where that is offered."""
        return self.settle((*answers, *self.labels[move]), spot, move, back=back)

    def played(self, answers: Answers, spot: Spot, moves: Iterable[int]) -> Iterator[tuple[Spot, Reached]]:
        """The wait behind each of these moves, and its effect; the last is the first behind which no other is asked for."""
        for move in moves:
            reached = self.drop(answers, spot, move)
            answers, spot = reached.answers, self.rules.after(spot, move)
            yield spot, reached
            if reached.kind != COLUMN.kind:
                return

    def settle(
        self, answers: Answers, spot: Spot, move: int | None, *, back: bool = False, also: Spot | None = None
    ) -> Reached:
        """Go on from the last answer to the next wait for a move.

        ``spot`` is what was before it, ``move`` the one that it made, and ``also`` what else may come of it.
        """
        texts = ""
        boards: tuple[str, ...] = ()
        offer: Answers | None = None
        for _ in range(MOST_STEPS):
            run = self.run(answers)
            texts = f"{texts}\n{run.output}" if texts else run.output
            boards = (*boards, *self.boards(run.last))
            if run.ending is not None:
                return Reached("broke" if faulty(run.ending) else "ended", run, texts, boards, offer)
            role = self.role(run.last)
            if role is UNKNOWN:
                role = self._learn(run, spot, move, also)
            if role.kind == "offer" and back and role.undo is None and offer is None:
                role = self._learn(run, spot, move) if self.met < MOST_UNKNOWN else role
            if role.kind in ("column", "over", "unknown"):
                return Reached(role.kind, run, texts, boards, offer)
            # “Really? y/n” behind the undo was told no, and the piece that stayed was charged.
            again = offer is not None and back and key_of(run.last) != key_of(self.run(offer).last)
            if role.kind == "offer" and role.undo is not None and (offer is None or again):
                offer = offer or answers
                answers = (*answers, role.undo if back else role.keep)
            else:
                answers = (*answers, role.keep)
        return Reached("unknown", run, texts, boards, offer)

    def _learn(self, run: Run, spot: Spot, move: int | None, also: Spot | None = None) -> Role:
        """The meaning of a wait that was not met before."""
        key = key_of(run.last)
        self.quotes.setdefault(key, last_line(run.output))
        if self.met >= MOST_UNKNOWN:
            return UNKNOWN
        self.met += 1
        earlier = self.roles.get(key)
        if earlier is None:
            state = self.situation(run.answers, [*self._may_be(spot, move), *([also] if also else [])])
            if state is not None:
                self.roles[key] = COLUMN
                return COLUMN
        role = self._by_answers(run, spot, move, key)
        if role is UNKNOWN and earlier is None:
            return UNKNOWN
        self.roles[key] = role if earlier is None or role.undo is not None else earlier
        return self.roles[key]

    def _may_be(self, spot: Spot, move: int | None) -> list[Spot]:
        candidates = [spot]
        if move is not None and self.rules.lands(spot.position, move) is not None:
            candidates.insert(0, self.rules.after(spot, move))
        return candidates

    def _by_answers(self, run: Run, spot: Spot, move: int | None, key: Key) -> Role:
        """The role of a wait by what comes of answers to it: one goes on, another may take back."""
        candidates = self._may_be(spot, move)
        came: dict[str, Spot] = {}
        wants = run.last.wants
        own = [text for text in (self.corrections.keep, self.corrections.undo) if text is not None]
        trials = allowed((*own, *mentioned(run.output), *GOES_ON), wants)[:MOST_ANSWERS]
        for text in trials:  # a board may be shown behind the same question alone: first what goes on is looked for
            self.roles[key] = Role("pause", text)
            state = self._came(run, text, key, candidates)
            if state is not None:
                came[text] = state
                if state == candidates[0]:
                    break
        else:
            trials = []  # where nothing goes on nobody can tell what takes back
        for text in trials:
            state = None if text in came else self._came(run, text, key, candidates)
            if state is not None:
                came[text] = state
            if any(one != candidates[0] for one in came.values()):
                break
        self.roles.pop(key, None)
        went_on = {text: state == candidates[0] for text, state in came.items()}
        return self._as_set(self._role(came, spot, candidates[0]), run, went_on)

    def _as_set(self, role: Role, run: Run, went_on: Mapping[str, bool]) -> Role:
        """The role with the answers that staff have set, where each does what it is set for, or the question names it."""
        corrections = self.corrections
        # “Sure about column 3? y/n” comes before “Undo this? y/n” in one program: there y goes on, and n takes the piece back.
        turned = (
            role.undo is not None and corrections.keep in (None, role.undo) and corrections.undo in (None, role.keep)
        )
        if role.kind != "offer" or turned:
            return role
        for name, text in (("keep", corrections.keep), ("undo", corrections.undo)):
            if text is None or allowed([text], run.last.wants) != [text]:
                continue
            # “Press any key” takes the key of an undo as any other, and goes on.
            if went_on.get(text) == (name == "keep") or text.casefold() in tokens(last_line(run.output)):
                role = replace(role, **{name: text})
        return role

    def _came(self, run: Run, text: str, key: Key, candidates: Sequence[Spot]) -> Spot | None:
        """The effect of an answer at a wait; None if it ends, asks the same again, or cannot be told."""
        after = self.run((*run.answers, text))
        role = self.role(after.last)
        if role.kind in ("offer", "pause") and key_of(after.last) != key:  # before each turn any key may be waited for
            after = self.run((*after.answers, role.keep))
        if after.ending is not None or key_of(after.last) == key:
            return None
        state = self.situation(after.answers, candidates)
        if state is None and self.role(after.last) is UNKNOWN and run.last.wants != "line":
            state = self._behind(after, candidates)
        return state

    def _behind(self, run: Run, candidates: Sequence[Spot]) -> Spot | None:
        """The situation behind a pause that follows an answer."""
        for text in allowed(("", "y", "1", "0"), run.last.wants)[:2]:
            state = self.situation((*run.answers, text), candidates)
            if state is not None:
                return state
        return None

    @staticmethod
    def _role(came: dict[str, Spot], spot: Spot, after: Spot) -> Role:
        def first(*spots: Spot) -> str | None:
            return next((text for text, found in came.items() if found in spots), None)

        keep = first(after)
        if spot == after:  # nothing was dropped: whatever goes on
            return Role("pause", keep) if keep is not None else OVER
        back = (spot, Spot(spot.position, OTHER[spot.mover]), Spot(after.position, spot.mover))
        undo = first(*(one for one in back if one != after))  # a piece may replace one of the same player
        if keep is None and undo is not None:
            return UNKNOWN  # this move is not carried out as it should be: another one will tell what is asked
        if keep is None:
            return OVER
        return Role("offer", keep, undo)


@dataclass(frozen=True, slots=True)
class Opening:
    """The answers that lead to the first move, how moves are called, and the dialogue from there on.

    ``early`` says that the program ends or breaks before the known game is over, so that it was read from the beginnings of several.
    """

    answers: Answers
    name: str
    dialogue: Dialogue
    beginner: str
    early: bool = False

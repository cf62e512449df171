"""How a program is led through a game: which of its waits asks for a move, and how it goes on at each of the others.

The meaning of a wait is found by answering it. A piece is dropped in a fork; its place and its owner tell the position and whose
turn it is. From then on the wait is known by its key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from grader.checks.ending import faulty
from grader.games.board.corrections import tokens
from grader.games.board.rules import OTHER, Spot
from grader.games.board.talk import COLUMN, OVER, UNKNOWN, Role, Talk
from grader.games.hear.runs import Answers, Run
from grader.games.learn.questions import GOES_ON, allowed, last_line, mentioned
from grader.games.learn.way import Key, key_of
from grader.values import dataclass

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


@dataclass(eq=False)
class Dialogue(Talk):
    """The way of one program from each of its moves to the next; ``met`` is the number of waits whose role was looked for."""

    met: int = 0

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
            if role.kind == "offer" and offer is None and role.undo is not None:
                offer = answers
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

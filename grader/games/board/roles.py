"""What a wait is for that was not met before, found by what comes of answers to it: one goes on, another may take back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from grader.games.board.asked import COLUMN, OVER, UNKNOWN, Role
from grader.games.board.corrections import tokens
from grader.games.board.rules import OTHER, Spot
from grader.games.board.talk import Talk
from grader.games.learn.questions import GOES_ON, allowed, last_line, mentioned
from grader.games.learn.way import Key, key_of
from grader.reading.runs import Run

MOST_ANSWERS = 24
"""So many answers are tried at a wait that is not known yet."""

MOST_UNKNOWN = 60
"""So many waits are looked at so; a program that never asks in the same words would be asked for ever."""


class Roles:
    """Learns what waits are for."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.met = 0

    def learned(self, run: Run, spot: Spot, move: int | None, also: Spot | None = None) -> Role:
        """What a wait is for that was not met before."""
        key = key_of(run.last)
        self.talk.quotes.setdefault(key, last_line(run.output))
        if self.met >= MOST_UNKNOWN:
            return UNKNOWN
        self.met += 1
        known = self.talk.roles.get(key)
        if known is None:
            found = self.talk.situation(run.answers, [*self._may_be(spot, move), *([also] if also else [])])
            if found is not None:
                self.talk.roles[key] = COLUMN
                return COLUMN
        role = self._by_answers(run, spot, move, key)
        if role is UNKNOWN and known is None:
            return UNKNOWN
        self.talk.roles[key] = role if known is None or role.undo is not None else known
        return self.talk.roles[key]

    def _may_be(self, spot: Spot, move: int | None) -> list[Spot]:
        candidates = [spot]
        if move is not None and self.talk.rules.lands(spot.position, move) is not None:
            candidates.insert(0, self.talk.rules.after(spot, move))
        return candidates

    def _by_answers(self, run: Run, spot: Spot, move: int | None, key: Key) -> Role:
        """The role of a wait by what comes of answers to it: one goes on, another may take back."""
        candidates = self._may_be(spot, move)
        came: dict[str, Spot] = {}
        wants = run.last.wants
        given = [text for text in (self.talk.given.keep, self.talk.given.undo) if text is not None]
        tried = allowed((*given, *mentioned(run.output), *GOES_ON), wants)[:MOST_ANSWERS]
        for text in tried:  # a board may be shown behind the same question alone: first what goes on is looked for
            self.talk.roles[key] = Role("pause", text)
            found = self._came(run, text, key, candidates)
            if found is not None:
                came[text] = found
                if found == candidates[0]:
                    break
        else:
            tried = []  # where nothing goes on nobody can tell what takes back
        for text in tried:
            found = None if text in came else self._came(run, text, key, candidates)
            if found is not None:
                came[text] = found
            if any(one != candidates[0] for one in came.values()):
                break
        self.talk.roles.pop(key, None)
        return self._as_set(self._role(came, spot, candidates[0]), run, came)

    def _as_set(self, role: Role, run: Run, came: Mapping[str, Spot]) -> Role:
        """The role with the answers that staff have set, where they were seen to lead on, or the question names them."""
        if role.kind != "offer":
            return role
        for name, text in (("keep", self.talk.given.keep), ("undo", self.talk.given.undo)):
            if text is None or allowed([text], run.last.wants) != [text]:
                continue
            if text in came or text.casefold() in tokens(last_line(run.output)):
                role = replace(role, **{name: text})
        return role

    def _came(self, run: Run, text: str, key: Key, candidates: Sequence[Spot]) -> Spot | None:
        """What comes of an answer at a wait; None where it ends, asks the same again, or cannot be told."""
        after = self.talk.run((*run.answers, text))
        role = self.talk.role(after.last)
        if role.kind in ("offer", "pause") and key_of(after.last) != key:  # before each turn any key may be waited for
            after = self.talk.run((*after.answers, role.keep))
        if after.ending is not None or key_of(after.last) == key:
            return None
        found = self.talk.situation(after.answers, candidates)
        if found is None and self.talk.role(after.last) is UNKNOWN and run.last.wants != "line":
            found = self._behind(after, candidates)
        return found

    def _behind(self, run: Run, candidates: Sequence[Spot]) -> Spot | None:
        """The situation behind a pause that follows an answer."""
        for text in allowed(("", "y", "1", "0"), run.last.wants)[:2]:
            found = self.talk.situation((*run.answers, text), candidates)
            if found is not None:
                return found
        return None

    @staticmethod
    def _role(came: dict[str, Spot], spot: Spot, after: Spot) -> Role:
        def first(*spots: Spot) -> str | None:
            return next((text for text, found in came.items() if found in spots), None)

        keep = first(after)
        if spot == after:  # nothing was dropped: whatever goes on
            return Role("pause", keep) if keep is not None else OVER
        undo = first(spot, Spot(spot.position, OTHER[spot.mover]), Spot(after.position, spot.mover))
        if keep is None and undo is not None:
            return UNKNOWN  # this move is not carried out as it should be: another one will tell what is asked
        if keep is None:
            return OVER
        return Role("offer", keep, undo)

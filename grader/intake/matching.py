"""Who on a roster handed something in.

A submitter is matched by identifiers first: those of a platform with their own kind only, those that people know (student number,
login, e-mail) with each other. Then by name, in any order of its words, with accents or without, and run together as
Canvas writes it. What is less sure than that is a suggestion for a person to decide, and nothing is done by it.
"""

from __future__ import annotations

import difflib
import itertools
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence

from grader.intake.roster import Person
from grader.submission import Identifier, IdKind, Submitter
from grader.values import dataclass

SURE = 0.9  # from this confidence on a match counts without a person

# Canvas runs the words of a name together, in any order: five words have 120 orders, six 720.
_MOST_WORDS = 5  # of a name whose words are tried in every order
_OF_PLATFORM = (IdKind.USER, IdKind.PARTICIPANT, IdKind.ANONYMOUS)


@dataclass(frozen=True, slots=True)
class Match:
    """Who a submitter is on the roster: ``people`` where it is sure, else a ``suggestion``, if there is one; and why.

    A group's name stands for several people. ``doubt`` is a sentence on what speaks against a match that is sure.
    """

    people: tuple[Person, ...]
    confidence: float
    why: str
    suggestion: Person | None = None
    doubt: str = ""


class Roster:
    """People, found by identifiers and names."""

    def __init__(self, people: Sequence[Person]) -> None:
        self.people = tuple(people)
        self._by_id: dict[tuple[str, str], list[Person]] = defaultdict(list)
        self._by_words: dict[str, list[Person]] = defaultdict(list)
        self._by_joined: dict[str, list[Person]] = defaultdict(list)
        self._groups: dict[str, list[Person]] = defaultdict(list)
        for person in people:
            for key in {key for identifier in person.ids for key in _keys(identifier)}:
                self._by_id[key].append(person)
            words = _words(person.name)
            if words:
                self._by_words[" ".join(sorted(words))].append(person)
            orders = itertools.permutations(words) if len(words) <= _MOST_WORDS else [words]
            for joined in {"".join(order) for order in orders} - {""}:
                self._by_joined[joined].append(person)
            if person.group:
                self._groups["".join(_words(person.group))].append(person)

    def match(self, who: Submitter) -> Match:
        """Who on the roster this is."""
        joined = "".join(_words(who.name))
        if joined and joined in self._groups:
            return Match(tuple(self._groups[joined]), SURE, "the name is that of a group")
        by_id = self._with_ids(who.ids)
        # A student may hand in a file that is called by a partner's number.
        by_platform = self._with_ids(one for one in who.ids if one.kind in _OF_PLATFORM)
        # the word of a platform counts before a file's name
        if len(by_platform or by_id) == 1:
            (person,) = (by_platform or by_id).values()
            others = [other.label for line, other in by_id.items() if line != person.line]
            doubt = f"it is of {person.label}, and the names of its files have the number of {', '.join(others)}"
            if not others:
                doubt = f"it is of {person.label}, and its name is “{who.name}”: perhaps a group's"
                doubt = doubt if _unlike(who.name, person.name) else ""
            return Match((person,), 1.0, "by an identifier", doubt=doubt)
        if by_id:
            return Match((), 0.5, "its identifiers are those of several", next(iter(by_id.values())))
        return self._by_name(who)

    def named(self, text: str) -> Person | None:
        """Whom an identifier or a whole name means, if it means one person alone."""
        wanted = text.casefold()
        found = {p.line: p for p in self.people if any(i.value.casefold() == wanted for i in p.ids)}
        found = found or {p.line: p for p in self.people if wanted in (p.name.casefold(), p.label.casefold())}
        return next(iter(found.values())) if len(found) == 1 else None

    def _with_ids(self, ids: Iterable[Identifier]) -> dict[int, Person]:
        return {p.line: p for identifier in ids for key in _keys(identifier) for p in self._by_id.get(key, ())}

    def _by_name(self, who: Submitter) -> Match:
        words = _words(who.name)
        behind = _words(who.name.partition("-")[2])  # Moodle writes “Group 3-Li Wei”
        if behind and not self._by_joined.get("".join(words)) and len(self._by_joined.get("".join(behind), ())) == 1:
            return Match((self._by_joined["".join(behind)][0],), SURE, "by the name behind that of a group")
        if not words:
            return Match((), 0, "it has no name, and no identifier that is on the roster")
        same = self._by_words.get(" ".join(sorted(words))) or self._by_joined.get("".join(words)) or []
        if len(same) == 1:
            return Match((same[0],), 0.95 if len(words) > 1 else SURE, "by name")
        if same:
            return Match((), 0.5, f"{len(same)} on the roster have this name", same[0])
        spelled = difflib.get_close_matches("".join(words), self._by_joined, n=2, cutoff=0.75)
        if not spelled:
            return Match((), 0, "nobody on the roster has this name")
        likeness = difflib.SequenceMatcher(None, "".join(words), spelled[0]).ratio()
        return Match((), round(0.8 * likeness, 2), "the name is like one on the roster", self._by_joined[spelled[0]][0])


def _keys(identifier: Identifier) -> list[tuple[str, str]]:
    """Under what an identifier is found. A login is often the number, and an e-mail begins with it; sheets drop zeros."""
    value = identifier.value.casefold()
    if identifier.kind in _OF_PLATFORM:
        return [(identifier.kind, value)]
    own = value.partition("@")[0] if identifier.kind is IdKind.EMAIL else value
    # Excel saves 0012 as 12.
    own = own.lstrip("0") if own.isdigit() else own
    if identifier.kind is IdKind.GITHUB:
        return [("GitHub", value)]
    return [("known", own), ("e-mail", value)] if "@" in value else [("known", own)]


def _words(name: str) -> list[str]:
    """The words of a name, without accents and case."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c)).casefold()
    return [word for word in re.split(r"[\W_]+", plain) if word]


def _unlike(name: str, other: str) -> bool:
    """Whether two names have no word in common. One in Chinese and one in Latin letters can have none, and tell nothing."""
    words, theirs = _words(name), _words(other)
    whole, their_whole = "".join(words), "".join(theirs)
    # 李伟 and Li Wei share no letter and may be one person.
    if whole.isascii() != their_whole.isascii() or not whole or not their_whole:
        return False
    return not any(word in their_whole for word in words) and not any(word in whole for word in theirs)

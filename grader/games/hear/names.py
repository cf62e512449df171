"""Names of winners: sentences of only the ends of games, compared between games that one player won and the other.

Words help only to tell which of two endings is which. A few stems of winning and losing are used, and the words for the
players, each with the player that stands nearest. If neither words nor players tell, a person decides.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from enum import StrEnum
from itertools import product
from types import MappingProxyType

from grader.games.hear.slots import Segment, segments, skeleton, slots_of
from grader.games.hear.words import BEAT, BY, LOSE, NOT, PROGRAM, USER, WIN, split, words
from grader.values import dataclass

FAINT = 0.5
"""The weight of a word of winning that names no player: it is the user's, then."""

MOST_OF_A_NAME = 4
"""Maximum words of a sentence that only names a player: “It is the computer!”."""

NO_NAMES: Mapping[str, str] = MappingProxyType({})

Clauses = frozenset[str]
"""Clauses that stand together, each as `said` has them."""

NO_CLAUSES: Mapping[Clauses, str] = MappingProxyType({})


class Naming(StrEnum):
    """How the endings that belong to one winner name him."""

    RIGHT = "right"
    WRONG = "wrong"
    NOBODY = "nobody"
    UNREAD = "unread"


@dataclass(frozen=True, slots=True)
class Endings:
    """The ends of games that one player won: how much they speak for the user, and the sentence that shows it.

    ``sure`` says that a person has told what that sentence means.
    """

    score: float
    quote: str
    decisive: frozenset[str]
    own: frozenset[str]
    sure: bool = False


def naming(
    finals: Mapping[str, Sequence[str]],
    inner: Iterable[str],
    names: Mapping[str, str],
    by_clauses: Mapping[Clauses, str] = NO_CLAUSES,
    movers: Set[str] = frozenset(),
    asked: Set[str] = frozenset(),
) -> Mapping[str, tuple[Naming, str]]:
    """For each winner how the endings of his games name him, and a quote.

    ``finals`` are the last texts of games, by their true winner. ``inner`` are the sentences within games. ``names`` maps a
    program's names to players, and ``by_clauses`` clauses to the player whom they name, as set by a person. ``movers`` are words
    that stand wherever moves of the program are told, and ``asked`` such as stand in all questions for a move: they may be names.
    """
    usual = {
        one.wording for one in {one for text in inner for one in segments(text)}
    }  # of one word a stem is too little
    verdicts: Mapping[str, tuple[Naming, str]] = {}

    def called_by(names: Mapping[str, str]) -> Mapping[str, Endings]:
        return {winner: _endings(texts, usual, names, by_clauses) for winner, texts in finals.items() if texts}

    for called in dict.fromkeys((False, bool(names))):  # their own names only where words do not tell
        endings = called_by(names if called else NO_NAMES)
        again = _judged(endings)
        if not called or _are_read(again):
            verdicts = again
        if _are_read(verdicts):
            break
        # “Game 1 goes to Robot” has no verb of winning that we know: each ending mentions its winner alone.
        alone = _each_by_himself(endings, movers)
        if alone:
            return {winner: (Naming.RIGHT, quote) for winner, quote in alone.items()}
    # “The squirrel grabs two.”, and then “The squirrel loses.”: none of these words is surely a name, so no win is wrong by one.
    pairs = product(sorted(movers), ("", *sorted(asked)))
    calls = ({**names, **({his: USER} if his else {}), ours: PROGRAM} for ours, his in pairs if not _are_read(verdicts))
    named = (_judged(called_by(one)) for one in calls)
    scored = {} if _are_read(verdicts) else _scored(finals)
    return next(
        (each for each in named if {verdict for verdict, _ in each.values()} == {Naming.RIGHT}), scored or verdicts
    )


def _scored(finals: Mapping[str, Sequence[str]]) -> Mapping[str, tuple[Naming, str]]:
    """A quote for each winner, if a line of each end gives him more points than the other: “USER 1 - 0 PROGRAM”; else nothing."""
    found: dict[str, tuple[Naming, str]] = {}
    for winner, texts in finals.items():
        quotes = [next((line for line in text.splitlines() if _ahead(line) == winner), "") for text in texts]
        if not quotes or not all(quotes):
            return {}
        found[winner] = (Naming.RIGHT, quotes[0].strip())
    return found if len(found) == len(_PLAYERS) else {}


def _ahead(line: str) -> str:
    """The player with the greater of the two numbers of a line, in which the first one is that of the player who is named first."""
    called = [one for one in words().meanings(line) if one in _PLAYERS]
    numbers = [value for _, value in slots_of(line)]
    if len(numbers) != len(_PLAYERS) or len(called) != len(_PLAYERS) or set(called) != {*_PLAYERS}:
        return ""
    return "" if numbers[0] == numbers[1] else called[numbers[0] < numbers[1]]


def _judged(endings: Mapping[str, Endings]) -> Mapping[str, tuple[Naming, str]]:
    """How the endings name each winner, with a quote."""
    return {winner: (_judge(winner, endings), one.quote) for winner, one in endings.items()}


def _are_read(verdicts: Mapping[str, tuple[Naming, str]]) -> bool:
    return all(verdict is not Naming.UNREAD for verdict, _ in verdicts.values())


def each_named(
    finals: Mapping[str, Sequence[str]], inner: Iterable[str], by_clauses: Mapping[Clauses, str] = NO_CLAUSES
) -> Mapping[str, tuple[str, str]]:
    """The winner whom each end names, with its sentence, where the same sentences end games of either winner; else nothing.

    A program that named who made the odd moves was right in the games that the user began, and wrong in all others. What stands in every
    end names nobody. There must be two ways to end, one for each player. “You win!” behind all games is judged by the true winner, and
    jokes about losing that come by turns are not sure.
    """
    if by_clauses:  # a person has said what is meant
        return {}
    usual = {one.wording for text in inner for one in segments(text)}
    parts = {text: _telling(text, usual) for texts in finals.values() for text in texts}
    everywhere = frozenset[str]().union(*parts.values()).intersection(*parts.values())
    ways = {text: frozenset(each) - everywhere for text, each in parts.items()}
    scores = {way: sum(parts[text][each][0] for each in way) for text, way in ways.items() if way}
    user, program = ({ways[text] for text in finals.get(one, ()) if ways[text]} for one in _PLAYERS)
    # ends of two kinds, by words that name a player, and one of the kinds behind games of either
    if not user & program or len(scores) != len(_PLAYERS) or not min(scores.values()) <= -1 < 1 <= max(scores.values()):
        return {}
    # “You win! Congratulations.”: the first says it plainly
    plain = {
        text: max((parts[text][each] for each in way), key=lambda one: abs(one[0]))[1]
        for text, way in ways.items()
        if way
    }
    return {text: (USER if scores[ways[text]] > 0 else PROGRAM, quote) for text, quote in plain.items()}


def _telling(text: str, usual: Container[str]) -> Mapping[str, tuple[float, str]]:
    """The sentences of an end that speak of winning, by their skeletons, each with how much it says that the user won."""
    new = _sentences(text, usual)
    return {one.skeleton: (score, one.text) for one in new if (score := polarity(one.text)) is not None}


def _sentences(text: str, usual: Container[str] = (), names: Mapping[str, str] = NO_NAMES) -> list[Segment]:
    """The sentences of an end but the usual ones, an announcement of the winner, or the loser, in one with the name behind it.

    “And the winner is ... the program”, or “We have a winner!” and “The user!”: the first part is the same at all ends, and was taken for
    the user’s win.
    """
    result: list[Segment] = []
    for one in segments(text):
        size = len(split(one.text))
        if one.wording in usual or not size:  # a line of dashes may stand between them
            continue
        announces = bool(result) and abs(polarity(result[-1].text, names) or 0) == FAINT
        is_name = size <= MOST_OF_A_NAME and not one.values and bool(mentioned(one.text.casefold(), names))
        if announces and is_name and polarity(one.text, names) is None:
            result[-1:] = segments(f"{result[-1].text.rstrip(' .,:;!?')}: {one.text}")
        else:
            result.append(one)
    return result


def _each_by_himself(endings: Mapping[str, Endings], movers: Set[str]) -> Mapping[str, str]:
    """A sentence for each winner that is said of him alone, where these mention no other: who takes the crown has won, whatever that is.

    One of the players may have a name that nobody knows, such as the user’s own.
    """
    if len(endings) < len(_PLAYERS):  # of one winner's games alone nobody knows what the other's would say
        return {}
    user, program = ({skeleton(text): text for text in endings[one].own} for one in (USER, PROGRAM))
    shared = user.keys() & program.keys()  # a score may be shown behind all games, with other numbers
    for each in shared:
        del user[each], program[each]
    if not user or not program:
        return {}
    # “You lose.” mentions the user as well, and was taken for his win.
    if any((polarity(text) or 0) <= -1 for text in user.values()) or any(
        (polarity(text) or 0) >= 1 for text in program.values()
    ):
        return {}
    # “HAL picks 2.”, and then “HAL takes the crown.”
    known = movers - {word for text in user.values() for word in split(text)}

    def whom(text: str) -> str:
        return mentioned(text) or (PROGRAM if known & set(split(text)) else "")

    mentions = tuple({whom(text) for text in texts.values()} - {""} for texts in (user, program))
    if mentions not in (({USER}, {PROGRAM}), ({USER}, set()), (set(), {PROGRAM})):
        return {}
    quotes = (
        (who, sorted(texts.values(), key=lambda text: not whom(text)))
        for who, texts in ((USER, user), (PROGRAM, program))
    )
    return {who: texts[0] for who, texts in quotes}


def mentioned(sentence: str, names: Mapping[str, str] = NO_NAMES) -> str:
    """The only player whom a sentence mentions; empty if it mentions nobody, or both."""
    players = {player for name, player in names.items() if name in sentence}
    players |= set(words().meanings(sentence.replace("-", " "))) & {USER, PROGRAM}
    return players.pop() if len(players) == 1 else ""


def _endings(
    texts: Sequence[str], inner: set[str], names: Mapping[str, str], by_clauses: Mapping[Clauses, str]
) -> Endings:
    scores: list[float] = []
    decisive: set[str] = set()
    own: set[str] = set()
    quote = ""
    for text in texts:
        new = _sentences(text, inner, names)
        own |= {_clause(one) for one in new}
        parts = [(polarity(one.text, names), one) for one in new]
        telling = [one for score, one in parts if score is not None]
        decisive |= {_clause(one) for one in telling}
        scores.append(sum(score or 0 for score, _ in parts))
        quote = quote or (telling[-1].text if telling else new[-1].text if new else "")
    endings = Endings(sum(scores) / len(scores), quote, frozenset(decisive), frozenset(own))
    matches = [
        (whose, clauses, text) for text in texts for clauses, whose in by_clauses.items() if clauses <= said(text)
    ]
    sure = sum(1.0 if whose == USER else -1.0 for whose, _, _ in matches)
    if not sure:
        return endings
    _, clauses, text = matches[0]
    quote = next(one.text for one in segments(text) if _clause(one) in clauses)
    return replace(endings, score=sure, quote=quote, sure=True)


def addressed(finals: Mapping[str, Sequence[str]], prompts: Sequence[str]) -> Mapping[str, str]:
    """The names of both players, as the endings of their wins differ in one word each: the user’s stands in all questions for a move.

    Nothing where the program’s stands there: whose name that is nobody can be sure of.
    """
    user, program = (
        {tuple(split(each)) for text in finals.get(one, ()) for each in said(text)} for one in (USER, PROGRAM)
    )
    questions = [set(split(text)) for text in prompts]
    for one, other in product(user - program, program - user):
        differs = [pair for pair in zip(one, other, strict=False) if pair[0] != pair[1]]
        if len(one) == len(other) and len(differs) == 1 and questions:
            ours, theirs = differs[0]
            if all(ours in words and theirs not in words for words in questions):
                return {ours: USER, theirs: PROGRAM}
    return NO_NAMES


def said(text: str) -> Clauses:
    """The clauses of a text."""
    return frozenset(map(_clause, segments(text)))


def _clause(segment: Segment) -> str:
    return segment.text.casefold()


def _judge(winner: str, endings: Mapping[str, Endings]) -> Naming:
    """Whether the endings of this winner's games name him, by their own words and by how the other's differ."""
    mine = endings[winner]
    other = next((one for name, one in endings.items() if name != winner), None)
    score = mine.score if winner == USER else -mine.score
    if mine.sure:  # a person has said so
        return Naming.RIGHT if score > 0 else Naming.WRONG
    against = 0.0 if other is None else (other.score if winner == PROGRAM else -other.score)
    shared = other is not None and bool(mine.decisive & other.decisive)
    # “You win!” at all ends is right for the user, and wrong for the program: the same sentence decides both.
    if score > 0 and (against >= 0 or shared):
        return Naming.RIGHT
    if score < 0 and (other is None or shared or against < 0):
        return Naming.WRONG
    # “Game over.” behind every game names nobody.
    if not mine.own or (other is not None and not mine.decisive and mine.own <= other.own):
        return Naming.NOBODY
    # “You win!” and “Better luck next time.”: the second belongs to the other one, though it has no word for that.
    if score == 0 and against > 0 and other is not None and mine.own - other.own:
        return Naming.RIGHT
    return Naming.UNREAD


def players(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of a text that call the program, and those that call the user."""
    meanings = {word: set(words().meanings(word)) for word in split(text)}
    ours, users = (tuple(word for word in meanings if meanings[word] == {whose}) for whose in (PROGRAM, USER))
    return ours, users


def says(text: str) -> str:
    """The winner that a text names, by its words alone; empty if it names nobody, or both."""
    scores = [score for one in _sentences(text) if (score := polarity(one.text)) is not None]
    total = sum(scores)
    return USER if total > 0 else PROGRAM if total < 0 else ""


def named_winner(names: Sequence[str], text: str) -> int | None:
    """The winner, 0 or 1, of the two players with these ``names``; None if the text names no winner.

    Words that mean any player, as in “player 2 wins”, name nobody where a name stands beside them.
    """
    score = polarity(text, dict(zip(names, (USER, PROGRAM), strict=False)), alone=True)
    return int(score < 0) if score else None


def polarity(text: str, names: Mapping[str, str] = NO_NAMES, *, alone: bool = False) -> float | None:
    """How much a sentence says that the user won: below 0 that the program did; None if it speaks of neither.

    ``names`` are what players are called, in small letters; ``alone`` says that no other word means a player.
    """
    parts = _JOINT.split(text.casefold())
    pieces = [list(_meanings(part, names, alone=alone)) for part in parts[::2]]
    values = [
        _value(
            meanings, at, _subject(pieces, number, at, parts[2 * number + 1 : 2 * number + 2]), 0.0 if alone else FAINT
        )
        for number, meanings in enumerate(pieces)
        for at, meaning in enumerate(meanings)
        if meaning in _VERBS
    ]
    return sum(values) if values else None


_VERBS, _PLAYERS = (WIN, LOSE, BEAT), (USER, PROGRAM)

_JOINT = re.compile(r"([:：]|\s[-–—]\s|[,;.!?]\s(?![.:]))")
"""The places that cut a line into pieces. A verb belongs to a player of its own piece: “X loses. The winner is Y”."""


def _meanings(text: str, names: Mapping[str, str], *, alone: bool) -> Iterator[str]:
    """The meanings of the words of a text, a name being the player who is called so."""
    pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    # A name of letters is no part of a word; the sign that stands for a number in “P2” touches a letter.
    parts = re.split(rf"(?:(?<!\w)|(?!\w))({pattern})(?:(?!\w)|(?<!\w))", text) if pattern else [text]
    for number, part in enumerate(parts):
        if number % 2:
            yield names[part]
        else:
            yield from (one for one in words().meanings(part) if not (alone and one in _PLAYERS))


def _subject(pieces: Sequence[Sequence[str]], number: int, at: int, joint: Sequence[str]) -> str:
    """The player to whom a verb belongs: of its own piece, else behind a colon or dash, else before it; empty if nobody is named."""
    piece = pieces[number]
    players = [one for one in piece if one in _PLAYERS]
    verbs = [place for place, one in enumerate(piece) if one in _VERBS]
    if len(players) == len(verbs):  # one by one, in either order: “pierde el jugador 1 y gana el jugador 2”
        return players[verbs.index(at)]
    before = [one for one in piece[:at] if one in _PLAYERS]
    if players:  # “bob was beaten by ann”, “Congratulations, ann, you win”: the nearest before the verb
        return before[-1] if before else players[0]
    earlier, later = (
        [one for each in some for one in each if one in _PLAYERS] for some in (pieces[:number], pieces[number + 1 :])
    )
    # “bob took the last stone - winner: ann”: a colon or a dash points forward, a comma or full stop does not.
    if later and (not earlier or (joint and joint[0].strip() not in ",;.!?")):
        return later[0]
    return earlier[-1] if earlier else ""


def _value(verbs: Sequence[str], at: int, subject: str, faint: float) -> float:
    """The weight of one word of winning or losing among the meanings of its piece: above 0 for the user, ``faint`` where nobody is named."""
    wins = verbs[at] == WIN
    if verbs[at] == BEAT:
        # One player beats another, wherever a language puts the two, or is beaten by him, or just beaten.
        before = [one for one in verbs[:at] if one in _PLAYERS]
        behind = [one for one in verbs[at + 1 :] if one in _PLAYERS]
        both = list(dict.fromkeys([*before[-2:], *behind[:1]]))
        subject = both[0] if both else subject
        wins = len(both) > 1 and BY not in verbs
    if NOT in verbs[max(at - 1, 0) : at]:
        wins = not wins
    value = 1.0 if wins else -1.0
    return -value if subject == PROGRAM else value if subject == USER else faint * value

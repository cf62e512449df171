"""Rulings on the rounds of a pile game: faults of play and of telling, whom it names as the winner, and the occasions for them.

If a program departs from the rules, charges come from its departures alone, each once, where it first shows. All else is judged as far as
it can be seen behind them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from grader.games.hear import words
from grader.games.hear.names import Clauses, Naming, addressed, each_named, naming, said, says
from grader.games.hear.slots import is_read, segments
from grader.games.learn.fit import Departure
from grader.games.learn.questions import last_line
from grader.games.pile.departures import OVER, PROGRAM_BEGINS, USER_BEGINS, Custom, Moment, course
from grader.games.pile.faults import OCCASIONS_OF
from grader.games.pile.fitting import Explained, Step, seen
from grader.games.pile.lessons import Corrections
from grader.games.pile.rounds import AFTER, BEFORE, BETWEEN, EACH, LEFT, OURS, YOURS, Games, Play, Round, stones
from grader.games.pile.talk import Part
from grader.games.pile.telling import SELDOM, Telling, Told, unexplained

_DIGITS = re.compile(r"\d{1,9}")

FEW = 2
"""Maximum number of stones with which one move ends the game."""


def note(one: Round, claims: Sequence[Told]) -> None:
    """Note how the numbers of a round were read, and how many stones are left behind it."""
    names = {OURS: "the move of the program", YOURS: "the move of the user"}
    readings = dict.fromkeys(
        f"“{' '.join(each.quote.split())}” was read as {names.get(each.meaning, 'stones left')}: {each.value}"
        for each in claims
    )
    one.play.readings[one.turn] = tuple(readings)
    one.play.positions[one.turn] = stones(one.after)


def false_counts(one: Round, claims: Sequence[Told]) -> Iterator[tuple[str, str]]:
    """Numbers that are not true in this round, at places that tell the truth elsewhere; and a last count that is still that before its move.

    Each comes with a sentence that it may be no such number, empty where it surely is.
    """
    # “2 stone is left”, “1 stones are left”: the first of its kind may stand in the place of the second
    due = {AFTER: one.after, BETWEEN: one.between, BEFORE: one.before}
    true = {*due.values(), *((0,) if one.over else ())}
    told_later = any(each.meaning == AFTER and not each.shift for each in claims)
    has_moved = False
    for each in (number for number in claims if number.firm):
        if each.meaning in LEFT and one.over and each.value < 0:
            continue  # “-2 left” at an end is the fault of the move that led there, and a wrong count was charged as well
        if each.meaning in LEFT:
            # “4 good stones and 1 poisoned one” tells five stones in two parts, by its digits
            if each.shift and sum(map(int, _DIGITS.findall(each.quote))) == each.value - each.shift:
                continue
            # “The computer removed 2 stones, leaving 6” was printed before they were taken off
            stale = has_moved and each.meaning != AFTER and each.value != one.after and not (one.over or told_later)
            if each.shift or stale or each.value not in true:
                left = each.value - each.shift if each.shift else one.after
                others = (other for other in claims if other is not each and not other.shift)
                told = {other.meaning for other in others if other.value == due.get(other.meaning)}
                beside = each.meaning in told or (bool(told) and each.shift != 0 and left != due[each.meaning])
                message = (
                    f"the program says that {_are(each.value)} left, but there {'is' if left == 1 else 'are'} {left}"
                )
                yield message, _other_number(each) if beside else ""
        elif each.meaning == OURS:
            has_moved = True
            if one.ours is not None and one.ours > 0 and each.value != one.ours and not one.over:
                yield f"the program says that it takes {each.value}, but takes {one.ours} off the pile", ""
        elif each.meaning == YOURS and one.yours and each.value != one.yours:
            yield f"the program says that the user took {each.value}, but the user took {one.yours}", ""


def _other_number(claim: Told) -> str:
    """Who says “If you take 1, 0 are left”, or counts the stones that go one by one, tells the stones that are left beside it, and lost ten points."""
    quote = " ".join(claim.quote.split())
    return f"we could not read what {claim.value} means in “{quote}”: another number beside it tells the stones that are left"


def _are(number: int) -> str:
    return f"{stones(number)} {'is' if number == 1 else 'are'}"


def untold(everything: Sequence[Round], telling: Telling) -> None:
    """Whether the user is told in nearly all rounds how many stones are left, and how many the program takes."""
    rounds = [one for one in everything if not one.over and one.ours and one.ours > 0]
    unclear: set[Round] = set()
    for meanings, kind in ((LEFT, "untold-left"), ((OURS,), "untold-move")):
        silent = [one for one in rounds if not any(each.meaning in meanings for each in telling.told(one))]
        if len(silent) <= SELDOM * len(rounds):
            continue
        true = {one: {one.after, one.between} if meanings is LEFT else {one.ours} for one in rounds}
        hidden = unexplained(rounds, telling, true)
        for one in silent:
            what = f"{_are(one.after)} left" if meanings is LEFT else f"the program takes {stones(one.ours or 0)}"
            if one in hidden or not is_read(one.text):
                unclear.add(one)
                one.unread(f"{what}, but we could not read where the program says so", kind)
            else:
                one.fault(kind, f"{what}, but the program does not say so")
    for one in rounds:
        if one not in unclear:
            one.play.saw("told")


# ------------------------------------------------------------------------------------------------------- the winner


def winners(
    games: Games,
    before: Sequence[str],
    firsts: Sequence[str],
    corrections: Corrections,
    telling: Telling | None = None,
) -> Mapping[str, tuple[Naming, str]]:
    """Rule on who is named as the winner; how each winner's games name him, and what they say.

    ``before`` are the sentences before games. ``firsts`` are the answers that let the program and the user begin: some programs
    call the players by them. Staff may have set clauses that name a winner.
    """
    ends = [(game[-1], _winner(game[-1])) for game in games.values() if game]
    finals = {
        winner: [one for one, whose in ends if whose == winner and not _is_untaken(one)]
        for winner in (words.USER, words.PROGRAM)
    }
    inner = [*before, *(one.text for game in games.values() for one in game if not one.over)]
    texts = {winner: [one.text for one in rounds] for winner, rounds in finals.items()}
    names = dict(zip(firsts, (words.PROGRAM, words.USER), strict=False))
    by_clauses = {
        clauses: winner
        for winner in corrections.wins
        for clauses in _as_said(corrections, winner, [one.text for one, _ in ends])
    }
    # “Hello, I am HAL. And you are?” names the program, and is asked for no move.
    prompts = [last_line(one.text) for game in games.values() for one in game if one.stop in one.play.move_waits]
    movers = telling.movers([one for rounds in games.values() for one in rounds]) if telling else frozenset[str]()
    asked = frozenset.intersection(*(frozenset(words.split(text)) for text in prompts)) if prompts else movers
    verdicts = naming(texts, inner, names, by_clauses, movers, asked - movers)
    if any(verdict is Naming.UNREAD for verdict, _ in verdicts.values()):
        verdicts = naming(texts, inner, {**names, **addressed(texts, prompts)}, by_clauses)
    named = each_named(texts, inner, by_clauses)
    for winner, (verdict, quote) in verdicts.items():
        for one in finals[winner]:
            if one.text in named:
                whom, sentence = named[one.text]
                _name(one, winner, Naming.RIGHT if whom == winner else Naming.WRONG, sentence)
            else:
                # a finding quotes the end of its own game: another may be worded otherwise
                _name(one, winner, verdict, quote if quote in one.text else "")
    for one, winner in ends:
        # That the last stone stays is charged where games end.
        if winner and _is_untaken(one) and says(one.text) == winner:
            one.play.saw(f"win-{winner}")
    return verdicts


def _as_said(corrections: Corrections, winner: str, ends: Sequence[str]) -> Iterator[Clauses]:
    """Clauses that a person has set, found in the ends of games: word by word, or else without their numbers."""
    for text in corrections.wins[winner]:
        exact = said(text)
        alike = frozenset(one.skeleton for one in segments(text))
        matches = {exact for each in ends if exact <= said(each)} or {
            frozenset(clause for one in segments(each) if one.skeleton in alike for clause in said(one.text))
            for each in ends
            if alike <= {one.skeleton for one in segments(each)}
        }
        if not matches:
            corrections.refuse(f"wins-{winner}", f"no game ends with “{text}”")
        yield from matches


def _winner(one: Round) -> str:
    """The winner with this round, empty if that is open: whoever took the last stone, or must take it, has lost."""
    if not one.over or one.play.is_broken:
        return ""
    if one.ours is not None and one.after == 1:
        return words.PROGRAM if one.ours else words.USER
    if one.between <= 0 or (one.ours is None and one.between == 1):
        return words.PROGRAM
    return words.USER if one.ours is not None and one.after == 0 and one.between <= FEW else ""


def _is_untaken(one: Round) -> bool:
    """Whether the game is over with a stone that nobody has taken."""
    return one.after == 1 or (one.ours is None and bool(one.between))


def _name(one: Round, winner: str, verdict: Naming, quote: str) -> None:
    names = {words.USER: "the user", words.PROGRAM: "the program"}
    loser = names[words.USER if winner == words.PROGRAM else words.PROGRAM]
    last = f"the last stone is left for {loser}, so {names[winner]} wins"
    quoted = f": “{' '.join(quote.split())}”" if quote else ""
    if verdict is Naming.UNREAD:
        one.unread(
            f"{last}; we could not read whom the program names as the winner{quoted}", "wrong-winner", "no-winner"
        )
        return
    one.play.saw(f"win-{winner}")
    if verdict is Naming.WRONG:
        one.fault("wrong-winner", f"{last}, but it says that {loser} wins{quoted}")
    elif verdict is Naming.NOBODY:
        one.fault("no-winner", f"{last}, but it names no winner")


# -------------------------------------------------------------------------------------------- departures from the rules


UNREAD_FIRST: Mapping[Departure, str] = {
    PROGRAM_BEGINS: "it reads no answer to who moves first: the program always begins",
    USER_BEGINS: "it reads no answer to who moves first: the user always begins",
}
"""What is said instead of “whatever is answered” where no answer is read, by who begins."""


class Account:
    """Notes in the games of a program what its departures charge, and what could be seen beside them."""

    def __init__(self, player: Explained, telling: Telling) -> None:
        self._player = player
        self._telling = telling
        self._departures = player.explanation.departures
        self._tells = any(one.name in (OURS, EACH) for one in player.explanation.meanings.values())
        self._hides = frozenset(kind for one in self._departures for kind in one.hides)

    def note(self, play: Play) -> None:
        """Note what one game shows."""
        for one in self._departures:
            self._charge(play, one)
        for number, (step, _, moment) in enumerate(self._player.moments(play)):
            self._saw(play, step, moment, first=not number)

    def _charge(self, play: Play, departure: Departure) -> None:
        """Charge a departure in the turn in which a game without it would go on otherwise."""
        game = seen(play, self._player.talk)
        others = tuple(one for one in self._departures if one is not departure)
        talk = self._player.talk
        mine = course(self._player.custom, talk, game.answers, game.lefts)
        without = course(Custom.of(self._player.rules, others), talk, game.answers, game.lefts)
        for step, one, other in zip(game.steps, mine, without, strict=False):
            if one == other:
                continue
            if departure.field == "begins" and not talk.firsts:  # nothing is answered where nothing is asked
                play.note(step.at + 1, "unasked-first", UNREAD_FIRST.get(departure, departure.sentence), stops=True)
            elif departure.charge:
                is_before = isinstance(one.asks, Part) or departure.field == "begins"
                # “The same player always moves, here with 0 stones left” says nothing of the moves that led to that end.
                where = "" if is_before or one.after <= 0 else f", here with {stones(one.after)} left"
                play.note(step.at + 1, departure.charge, f"{departure.sentence}{where}", stops=True)
            return

    def told(self, rounds: Sequence[Round]) -> None:
        """Rule on the numbers that the rounds tell, and on those that they do not tell."""
        kinds = {one.charge for one in self._departures}
        for one in rounds if "wrong-count" not in kinds else ():
            claims = self._telling.told(one)
            note(one, claims)
            if any(each.meaning in LEFT for each in claims):
                one.play.saw("count")
            message, doubt = min(false_counts(one, claims), key=lambda pair: bool(pair[1]), default=("", ""))
            if doubt:
                one.unread(doubt, "wrong-count")
            elif message:
                one.fault("wrong-count", message)
        untold(rounds, self._telling)

    def hide(self, plays: Sequence[Play]) -> None:
        """Take back the faults that follow from what is charged, and the occasions for them; what is right there counts."""
        for kind in self._hides:
            showing = [play for play in plays if any(fault.kind == kind for _, fault in play.faults)]
            for play in showing:
                play.faults[:] = [(turn, fault) for turn, fault in play.faults if fault.kind != kind]
            for play in plays if showing else ():
                for name in OCCASIONS_OF[kind]:
                    play.occasions.pop(name, None)

    def _saw(self, play: Play, step: Step, moment: Moment, *, first: bool) -> None:
        """Count what could be seen in a step."""
        names: list[str] = []
        if first:
            # “17 answers to who moves first that were accepted” stood below “it reads no answer to who moves first”.
            parts, chosen = self._player.talk.parts, ["first", f"begin-{play.mover}"]
            names += ["begun"] + ["stones"] * (Part.STONES in parts) + chosen * (Part.FIRST in parts)
        names += ["taken"] * bool(moment.yours) + ["turn"] * bool(moment.yours and moment.ours)
        # If one step has several moves, nobody knows the single ones, unless the program tells them.
        if len(moment.ours) == 1 or self._tells:
            for between, ours in zip((moment.between, *moment.left), moment.ours, strict=False):
                self.move(play, step.at, between, ours)
        else:
            names += ["computer"] * len(moment.ours)
        names += ["end"] * (moment.asks == OVER)
        play.saw(*names)
        play.positions[step.at + 1] = stones(moment.after)

    def move(self, play: Play, at: int, between: int, ours: int) -> None:
        """Rule on a move of the program before the wait ``at``, where it found so many stones."""
        if between <= 0 or not ours:
            return
        remainder, best = between % 3, self._player.rules.best(between)
        play.saw("computer", f"remainder-{remainder}")
        if ours != best:
            illegal = "" if ours in self._player.rules.moves(between) else ", which is not allowed"
            message = f"of {stones(between)} the program takes {ours}{illegal}; the strategy takes {best}"
            play.note(at + 1, f"poor-move-{remainder}", message)

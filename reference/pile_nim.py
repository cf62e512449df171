"""The reference for pile-nim (Lab06), and the referee that follows other programs in whatever words they use.

``python reference/pile_nim.py`` plays it on a terminal. One pile; the program and the user take one or two stones in turn;
whoever takes the last stone loses. The program follows the strategy of the text: the remainder of the stones by three tells
how many to take.

The referee hears facts, as the patterns of the spec read them, and what is read of a program is read nowhere else. The
computer's move may be announced, or follow from the stones that are left, or both, and then both must be true. What may be
right in words that could not be read is ``unread``.

The referee follows the program's own game. After a false count either the program plays on with what it shows, or it only shows
it wrongly: both numbers are kept, until a move fits one of them alone. A wrong answer is refused where the stones stay, the same
question comes again, and a message says why; each of these is a fault of its own, so that one mistake is charged once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace

from grader.games.referee import UNREAD, Answers, Fault, Heard, Ruling
from grader.reading.facts import Fact
from grader.sessions.reference import Line, Play, perform

PROGRAM, USER = 0, 1

PILES = tuple(map(str, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 20, 25)))
"""The piles that games begin with."""

BAD_PILES = ("0", "-1", "-7")
BAD_FIRSTS = ("2", "-1", "5")
BAD_TAKES = ("0", "3", "-1", "7")

FAULTS = (
    "unasked-stones",
    "unasked-first",
    "refused-stones",
    "refused-first",
    "refused-take",
    "wrong-begin",
    "accepted-stones",
    "accepted-first",
    "accepted-take",
    "accepted-too-many",
    "accepted-second",
    "not-repeated",
    "no-message",
    "wrong-turn",
    "wrong-count",
    "untold-left",
    "untold-move",
    "poor-move-0",
    "poor-move-1",
    "poor-move-2",
    "broken-off",
    "ended-early",
    "plays-on",
    "wrong-winner",
    "no-winner",
    "left",
)
"""What may be found. The number of a poor move is the remainder of the stones by three. ``left`` is no fault of the program:
the game is over, or goes no further, and no case judges it."""

OCCASIONS = {
    "begun": "games that began",
    "stones": "numbers of stones that were accepted",
    "first": "answers to who moves first that were accepted",
    "begin-0": "games that the program was to begin",
    "begin-1": "games that the user was to begin",
    "taken": "moves of the user that were carried out",
    "computer": "moves of the computer",
    "turn": "turns after a move",
    "count": "turns that say how many stones are left",
    "told": "turns with a move of the computer",
    "end": "games that came to an end",
    "win-program": "games that the program won",
    "win-user": "games that the user won",
    "remainder-0": "moves of the computer from a number of stones that three divides",
    "remainder-1": "moves of the computer with a remainder of one",
    "remainder-2": "moves of the computer with a remainder of two",
    "bad-stones": "wrong numbers of stones to begin with",
    "bad-first": "wrong answers to who moves first",
    "bad-take": "moves of other numbers than one and two",
    "bad-too-many": "moves of more stones than are left",
    "refused": "wrong answers that were refused",
    "message": "refusals whose words could be read",
}
OCCASIONS_OF = {
    "unasked-stones": ("begun",),
    "unasked-first": ("begun",),
    "refused-stones": ("stones",),
    "refused-first": ("first",),
    "refused-take": ("taken",),
    "wrong-begin": ("begin-0", "begin-1"),
    "accepted-stones": ("bad-stones",),
    "accepted-first": ("bad-first",),
    "accepted-take": ("bad-take",),
    "accepted-too-many": ("bad-too-many",),
    "accepted-second": ("refused",),
    "not-repeated": ("refused",),
    "no-message": ("message",),
    "wrong-turn": ("turn",),
    "wrong-count": ("count",),
    "untold-left": ("told",),
    "untold-move": ("told",),
    "poor-move-0": ("remainder-0",),
    "poor-move-1": ("remainder-1",),
    "poor-move-2": ("remainder-2",),
    "broken-off": ("end",),
    "ended-early": ("end",),
    "plays-on": ("end",),
    "wrong-winner": ("win-program", "win-user"),
    "no-winner": ("win-program", "win-user"),
}


# ----------------------------------------------------------------------------------------------------------- the rules


@dataclass(frozen=True, slots=True)
class Position:
    """The stones in the pile, and who moves next: PROGRAM or USER."""

    stones: int
    mover: int = PROGRAM


def moves(position: Position) -> tuple[int, ...]:
    """How many stones may be taken."""
    return (1, 2)[: position.stones]


def result(position: Position, move: int) -> Position:
    """The position after a legal move."""
    return Position(position.stones - move, 1 - position.mover)


def outcome(position: Position) -> int | None:
    """The winner once no stone is left: who did not take the last one; None while the game goes on."""
    return position.mover if position.stones == 0 else None


def advised(stones: int) -> int:
    """How many of ``stones`` the strategy of the text takes."""
    return 2 if stones % 3 == 0 else 1


# -------------------------------------------------------------------------------------------------------- the dialogue


def play() -> Play:
    """The whole dialogue, in words of our own: the assignment leaves them open."""
    stones = yield from _ask("How many stones shall be in the pile? ", PILES, lambda n: n > 0, "at least 1")
    first = yield from _ask("Who moves first (0 = program, 1 = user)? ", ("0", "1"), lambda n: n in (0, 1), "0 or 1")
    position = Position(stones, first)
    while outcome(position) is None:
        yield f"Stones left: {position.stones}\n"
        if position.mover == PROGRAM:
            move = advised(position.stones)
            yield f"The computer takes {move}.\n"
        else:
            legal = moves(position)
            rule = "1 or 2, and not more than there are"
            move = yield from _ask("How many do you take? ", tuple(map(str, legal)), legal.__contains__, rule)
        position = result(position, move)
    yield "You took the last stone: the computer wins.\n" if outcome(position) == PROGRAM else "You win!\n"


def _ask(
    question: str, legal: tuple[str, ...], allowed: Callable[[int], bool], rule: str
) -> Generator[str | Line, str, int]:
    """Ask until the answer is a number that is allowed."""
    while True:
        yield question
        answer = yield Line(legal=legal)
        digits = answer.strip().removeprefix("-")
        if digits.isascii() and digits.isdigit() and allowed(int(answer)):
            return int(answer)
        yield f"Invalid: it must be {rule}.\n"


# --------------------------------------------------------------------------------------------------------- the referee

UNKNOWN = -1
"""Who moves first, where the answer was none that the assignment knows: what the program then does shows it."""


@dataclass(frozen=True, slots=True)
class State:
    """What the referee remembers of a game.

    ``stones`` and ``first`` are what the user chose, None before. ``position`` is how the game stands by what the program
    shows, None before it begins. ``rival`` is how many stones there are by the moves alone, where a false count was shown; it
    is None where the two agree, or where a move has told which of them the program plays with. ``deaf`` says that it is not
    the one that is shown. ``lost`` says that nobody knows how the game stands, and ``mute`` that the program has said nothing
    of a move. ``miscounted`` says that a false count was shown, and ``played`` that the program has taken stones.

    ``typed`` is the last answer, 0 where the user took nothing. ``asked`` is the question that was asked last, ``named`` what
    the patterns took it for, ``text`` the turn that asked it first, and ``offers`` the numbers in it. ``due`` is the fault
    that it is not to refuse the last answer, empty where that was legal; ``accepted`` holds those of this game. ``again`` is
    the wrong answer that was refused a moment ago. ``tried`` is the last right answer, and ``spurned`` are those to who moves
    first that were not accepted. ``plan`` are the number of stones and who moves first, as they will be typed; empty where
    any may be.
    """

    stones: int | None = None
    first: int | None = None
    position: Position | None = None
    rival: int | None = None
    deaf: bool = False
    lost: bool = False
    mute: bool = False
    typed: int = 0
    asked: str = ""
    named: str = ""
    text: str = ""
    due: str = ""
    accepted: frozenset[str] = frozenset()
    again: str = ""
    tried: str = ""
    miscounted: bool = False
    spurned: frozenset[str] = frozenset()
    offers: tuple[int, ...] = ()
    played: bool = False
    plan: tuple[str, ...] = ()

    @property
    def piles(self) -> tuple[int, ...]:
        """The numbers of stones that there may be, first what the program shows; none where nobody knows."""
        if self.position is None or self.lost:
            return ()
        both = (self.position.stones, *(() if self.rival is None else (self.rival,)))
        return tuple(dict.fromkeys(both))

    @property
    def doubtful(self) -> bool:
        """Whether a false count was shown, from which all else may follow."""
        return self.lost or self.deaf or self.rival is not None


START = State()
STARTS = tuple(State(plan=plan) for plan in ((), ("1", "0"), (), ("2", "1"), (), ("1", "1"), (), ("3", "0")))
"""Every other game is a small one: those end with either winner, however badly the program plays, and show the last stones."""


def due(state: State) -> str:
    """What a program that breaks now fails to do: to refuse the last answer; empty where that was legal."""
    return state.due


def answers(state: State, question: str) -> Answers:
    """What may be typed at the question that was heard last; after a refusal, of what is wrong the same once more."""
    can = _answers(state, question)
    return replace(can, illegal=(state.again,)) if state.again in can.illegal else can


def _answers(state: State, question: str) -> Answers:  # noqa: ARG001  what is asked is known from the state
    """What means the same, however the game stands."""
    if state.asked == "stones":
        return Answers(state.plan[:1] if state.plan and state.tried != state.plan[0] else PILES, BAD_PILES)
    if state.asked == "first":
        # A number that the question itself offers is no wrong answer: that it is offered is charged already.
        bad = tuple(text for text in BAD_FIRSTS if int(text) not in state.offers)
        return Answers(state.plan[1:] or ("0", "1"), bad) if not state.spurned else Answers(_other_firsts(state))
    if state.position is None:
        return Answers(("1",))
    if not state.piles or min(state.piles) < 1:
        return Answers(("1",), BAD_TAKES)
    legal = tuple(map(str, moves(Position(min(state.piles)))))
    return Answers(legal, ("2",) if max(state.piles) == 1 else BAD_TAKES)


def _other_firsts(state: State) -> tuple[str, ...]:
    """What a program may want instead of the 0 or the 1 that it does not accept: the game shall go on."""
    rest = tuple(text for text in ("0", "1") if text not in state.spurned)
    if rest:
        return rest
    words = "".join(char if char.isalnum() else " " for char in state.text).split()
    return ("y", "n") if "y" in words or "yes" in state.text else ("2", "user", "computer")


def answer(state: State, question: str, text: str) -> State:
    """The state after an answer; an illegal one changes nothing but that it must be refused."""
    if text not in answers(state, question).legal:
        due = "too-many" if state.asked == "take" and text == "2" else state.asked
        return replace(state, typed=int(text), due=f"accepted-{due}")
    state = replace(state, again="", tried=text)
    if state.asked == "stones":
        return replace(state, stones=int(text))
    if state.asked == "first":
        return replace(state, first=UNKNOWN if state.spurned else int(text), typed=0)
    if state.position is None:
        return state
    number = int(text)
    rival = None if state.rival is None else state.rival - number
    return replace(state, typed=number, rival=rival, position=_less(state.position, number))


def _less(position: Position, number: int) -> Position:
    return Position(position.stones - number, 1 - position.mover)


def hear(state: State, heard: Heard) -> Ruling:
    """Rule on one turn of the program."""
    told = _told(heard)
    question = _meant(state, told)
    if state.due:
        return _after_illegal(state, told, question)
    if state.position is not None:
        return _turn(state, told, question)
    if question in ("stones", "first"):
        return _asks(state, told, question)
    return _begins(state, told, question)


# ------------------------------------------------------------------------------------------------- what a turn tells


@dataclass(frozen=True, slots=True)
class _Told:
    """What one turn tells: stones left, in order; stones taken by the computer, by the user and by nobody named.

    ``since`` are the counts that come after the move of the computer. ``objects`` says that there is a word among them that is
    said only to refuse something.
    """

    lefts: tuple[int, ...]
    tells_left: bool
    since: tuple[int, ...]
    mine: tuple[int, ...]
    yours: tuple[int, ...]
    nobodys: tuple[int, ...]
    winners: frozenset[int]
    names: frozenset[str]
    numbers: tuple[int, ...]
    choices: int
    objects: bool
    text: str
    question: str
    ended: bool

    def mentions(self, number: int) -> bool:
        """Whether a number is written more often than something was understood by it."""
        read = (*self.lefts, *self.mine, *self.yours, *self.nobodys, *(1, 2) * self.choices)
        return self.numbers.count(number) > read.count(number)

    def shows_a_move(self, stones: int) -> bool:
        """Whether the computer has taken some of so many stones."""
        return bool(self.mine or self.nobodys) or any(n < stones for n in self.lefts)

    def shows_an_opening(self, stones: int) -> bool:
        """Whether the computer has begun with so many stones, where it was not to: one false count is no move."""
        fewer = any(n < stones for n in self.lefts)
        return bool(self.mine or self.nobodys) or (fewer and ("program" in self.names or len(set(self.lefts)) > 1))

    def stands_still(self, stones: int) -> bool:
        """Whether nothing was taken of so many stones, as far as is said."""
        silent = not self.lefts and "program" not in self.names
        return not self.mine and (silent or set(self.lefts) == {stones})

    def refuses(self, state: State) -> bool:
        """Whether it says that the last answer was wrong, or only repeats the question."""
        again = state.text.endswith(self.text) or (bool(state.text) and self.text.endswith(state.text))
        return again or "refusal" in self.names


_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBERS = {"no": 0, "empty": 0, "out": 0, "a": 1, "acouple": 2, "apair": 2, "couple": 2, "pair": 2} | {
    word: n for n, word in enumerate(_WORDS)
}
_OURS = frozenset(
    {"i", "my", "me", "it", "computer", "program", "comp", "cpu", "machine", "pc", "bot", "robot", "ai", "opponent"}
)
_USERS = frozenset({"you", "your", "u", "user", "human", "player"})


def _told(heard: Heard) -> _Told:
    takes = [(_group(fact, "who"), _number(fact)) for fact in heard.facts if fact.name == "took"]
    movers = _OURS if any(who in _OURS for who, _ in takes) else {""}
    moved = [at for at, fact in enumerate(heard.facts) if fact.name == "took" and _group(fact, "who") in movers]
    lefts = [(at, _number(fact)) for at, fact in enumerate(heard.facts) if fact.name == "left"]
    return _Told(
        lefts=tuple(n for _, n in lefts),
        tells_left=bool(lefts),
        since=tuple(n for at, n in lefts if moved and at > moved[-1]),
        mine=tuple(n for who, n in takes if who in _OURS),
        yours=tuple(n for who, n in takes if who in _USERS),
        nobodys=tuple(n for who, n in takes if not who),
        winners=frozenset(_winner(fact) for fact in heard.facts if fact.name == "winner"),
        names=frozenset(fact.name for fact in heard.facts),
        numbers=tuple(_number(fact) for fact in heard.facts if fact.name == "number"),
        choices=sum(fact.name == "choice" for fact in heard.facts),
        objects=any(fact.name == "refusal" and bool(fact.values.get("strong")) for fact in heard.facts),
        text="".join(_group(fact, "all") for fact in heard.facts if fact.name == "text"),
        question=heard.question or "",
        ended=heard.ended,
    )


def _group(fact: Fact, prefix: str) -> str:
    """The text of the one group of this family that took part in the match; empty where none did."""
    return next((text for name, text in fact.values.items() if name.startswith(prefix) and text), "")


def _number(fact: Fact) -> int:
    text = _group(fact, "n")
    return _NUMBERS[text] if text in _NUMBERS else int(text)


def _winner(fact: Fact) -> int:
    who = PROGRAM if _group(fact, "who") in _OURS else USER
    did = _group(fact, "did")
    lost = did.startswith("los") or did in ("beaten", "defeated")
    return 1 - who if lost else who


def _meant(state: State, told: _Told) -> str:
    """The question that is asked, empty where none is: often the state of the game says more than the words."""
    expected = "stones" if state.stones is None else "first" if state.first is None else "take"
    if told.question == "again":
        return state.asked or expected
    if told.question == "some" or (state.due and told.question == state.named):
        return state.asked if state.due else expected
    if told.question == "take" and state.stones is None and not told.lefts:
        return "stones"
    if told.question == "stones" and state.stones is not None and not (state.due or told.refuses(state)):
        return expected
    within = state.position is not None and not state.due
    return "take" if within and told.question in ("stones", "first") else told.question


def _awaiting(state: State, told: _Told, question: str) -> State:
    """The state in which the user is asked something."""
    position = state.position and Position(state.position.stones, USER)
    since = replace(state, asked=question, named=told.question, text=told.text, offers=told.numbers)
    return replace(since, typed=0, position=position)


# ---------------------------------------------------------------------------------------------------- setting the game up


def _set_up(state: State) -> tuple[str, ...]:
    """The occasion that a question before the game was answered, and something else is asked now."""
    chosen = {"stones": state.stones, "first": state.first}
    return (state.asked,) if chosen.get(state.asked) is not None else ()


def _asks(state: State, told: _Told, question: str) -> Ruling:
    """It asks one of the two questions that come before the game; where that was answered, it did not like the answer."""
    if question == "stones" and state.stones is not None:
        message = f"{state.stones} is not accepted as the number of stones: any number greater than zero is allowed"
        faults = (Fault("refused-stones", message),) if told.refuses(state) else ()
        return Ruling(replace(state, stones=None, asked=question), faults)
    if question == "first" and state.first is not None:
        return _spurns(state, told)
    false = [_miscounted(n, state.stones) for n in told.lefts if state.stones not in (None, n)]
    return Ruling(_awaiting(state, told, question), tuple(false[:1]), _set_up(state))


def _spurns(state: State, told: _Told) -> Ruling:
    """It asks once more who moves first: 0 and 1 must be accepted, and where they are not the game shall go on all the same."""
    again = replace(state, first=None, asked="first", spurned=state.spurned | {state.tried})
    if state.first == UNKNOWN or not told.refuses(state):
        return Ruling(again if state.first == UNKNOWN else replace(again, spurned=state.spurned))
    message = f"{state.first} is not accepted as the answer to who moves first (0 = program, 1 = user)"
    return Ruling(again, (Fault("refused-first", message),))


def _begins(state: State, told: _Told, question: str) -> Ruling:
    """It moves, asks for a move or ends: the game has begun, with or without the questions that come before."""
    stones, first = state.stones, state.first
    faults: list[Fault] = []
    if (stones is None or first is None) and (told.ended or question != "take"):
        return _stopped(state, "broken-off", "it ends before the game begins") if told.ended else Ruling(state)
    if stones is None:
        faults.append(Fault("unasked-stones", "it does not ask how many stones the game begins with"))
        stones = max(told.lefts, default=0)
        if stones <= 0:
            return _stopped(state, UNREAD, "how many stones there are could not be read", faults)
    occasions = ("begun", *_set_up(state), *(() if first in (None, UNKNOWN) else (f"begin-{first}",)))
    if first is None and "accepted-first" not in state.accepted:
        faults.append(Fault("unasked-first", "it does not ask who moves first"))
    if first in (None, UNKNOWN):
        first = PROGRAM if told.shows_a_move(stones) else USER
    begun = replace(state, stones=stones, first=first, position=Position(stones, first), typed=0)
    ruling = _first_turn(begun, told, question, chosen=state.first in (PROGRAM, USER))
    return replace(ruling, faults=(*faults, *ruling.faults), occasions=(*occasions, *ruling.occasions))


def _first_turn(state: State, told: _Told, question: str, *, chosen: bool) -> Ruling:
    """The first turn of the game, which shows who begins; that it is not who was chosen is a fault of its own."""
    position = state.position
    assert position is not None, "the game has begun"
    if position.mover == USER and told.shows_an_opening(position.stones):
        message = "1 was typed, so that the user moves first, and the program begins"
        ruling = _turn(replace(state, position=Position(position.stones, PROGRAM)), told, question)
        return replace(ruling, faults=(Fault("wrong-begin", message), *ruling.faults))
    ruling = _turn(state, told, question)
    if not chosen or position.mover == USER:
        return ruling
    message = "0 was typed, so that the program moves first, and the user is asked"
    faults = (Fault("wrong-begin", message) if fault.kind == "wrong-turn" else fault for fault in ruling.faults)
    return replace(ruling, faults=tuple(faults))


# -------------------------------------------------------------------------------------------------------- illegal answers


def _why_wrong(state: State) -> str:
    """What was accepted, and why it must not be, in the words of the assignment."""
    return {
        "accepted-stones": f"{state.typed} was accepted: the initial number of stones must be greater than zero",
        "accepted-first": f"{state.typed} was accepted: who moves first must be zero or one",
        "accepted-take": f"{state.typed} was accepted: the number of stones removed must be one or two",
        "accepted-too-many": f"{state.typed} was accepted: only one stone is left",
    }[state.due]


def _after_illegal(state: State, told: _Told, question: str) -> Ruling:
    """The last answer was illegal: a message, and the same question again."""
    occasion = state.due.replace("accepted", "bad")
    if not told.ended and not told.text:
        silent = Fault("no-message", f"after {state.typed}, which is not allowed, it waits without a word", stops=True)
        return Ruling(state, (silent,), (occasion, "refused", "message"))
    vague = told.question == "some" and not told.refuses(state)
    if vague and _went_on(state, told):
        return _accepted(state, told, "take")
    if not told.ended and (not question or vague):
        return _stopped(state, UNREAD, "whether it refused the last answer could not be read")
    if question == state.asked and not (question == "take" and _carried_out(state, told)):
        faults, occasions = _message_faults(state, told)
        return Ruling(_kept(state), faults, (occasion, "refused", *occasions))
    if _says_no(state, told):
        return _not_repeated(state, told, question, occasion)
    return _accepted(state, told, question)


def _kept(state: State) -> State:
    """The state after a refusal."""
    return replace(state, due="", typed=0, again=str(state.typed))


def _message_faults(state: State, told: _Told) -> tuple[tuple[Fault, ...], tuple[str, ...]]:
    """A refusal says what was wrong: more than the question that was asked before."""
    if state.text.endswith(told.text):
        fault = Fault("no-message", f"after {state.typed}, which is not allowed, it asks again without a message")
        return (fault,), ("message",)
    if "refusal" not in told.names:
        return (Fault(UNREAD, "whether it says what was wrong could not be read"),), ()
    return (), ("message",)


def _went_on(state: State, told: _Told) -> bool:
    """Whether the game has begun, or gone on, whatever the question means that it ends with."""
    if state.position is None:
        return state.asked == "first" and bool(told.mine or told.lefts)
    return _carried_out(state, told)


def _carried_out(state: State, told: _Told) -> bool:
    """Whether the game went on after an illegal move."""
    claimed = "refusal" not in told.names and (told.winners or state.typed in told.yours)
    return bool(told.mine or claimed) or (
        bool(state.piles) and told.lefts[-1:] not in ((), *((n,) for n in state.piles))
    )


def _says_no(state: State, told: _Told) -> bool:
    """Whether it refuses the answer, although it does not ask for it again: it ends, asks for something else, or moves itself."""
    if state.typed in told.yours or (told.winners and not told.mine):
        return False
    if told.ended and not told.mine:
        return "refusal" in told.names
    after = {pile - state.typed - sum(told.mine[-1:]) for pile in state.piles if state.typed}
    return told.objects and not (set(told.lefts[-1:]) & after)


def _not_repeated(state: State, told: _Told, question: str, occasion: str) -> Ruling:
    """It refuses an answer and does not ask for it again: the game is followed where it goes from there."""
    occasions = (occasion, "refused", "message")
    instead = "the program moves" if told.mine else "the program ends" if told.ended else "something else is asked"
    fault = Fault("not-repeated", f"{state.typed} is refused, and {instead}: the same request must be repeated")
    since = replace(_kept(state), again="")
    if told.ended:
        return Ruling(since, (fault,), occasions)
    if question == "stones" and state.asked != "stones":
        anew = State(accepted=since.accepted)
        return Ruling(_awaiting(anew, told, question), (fault,), occasions)
    if question != "take" or state.stones is None:
        return Ruling(since, (replace(fault, stops=True),), occasions)
    if state.position is None:
        ruling = _begins(replace(since, first=UNKNOWN), told, question)
    else:
        ruling = _turn(replace(since, position=Position(state.position.stones, PROGRAM)), told, question)
    return replace(ruling, faults=(fault, *ruling.faults), occasions=(*occasions, *ruling.occasions))


def _accepted(state: State, told: _Told, question: str) -> Ruling:
    """It did not refuse an illegal answer. A later question may still be refused, so the game is followed as far as it goes."""
    fault, occasions = _acceptance(state), ("refused",) if state.again else (state.due.replace("accepted", "bad"),)
    since = replace(state, due="", again="", accepted=state.accepted | {state.due})
    taken = state.typed if state.asked == "take" else 0
    ends_here = state.due == "accepted-stones" or told.ended or question != "take"
    if ends_here or (taken and any(pile <= taken for pile in state.piles)):
        return Ruling(since, (replace(fault, stops=True),), occasions)
    if state.position is None:
        ruling = _begins(since, told, question)
    else:
        rival = None if state.rival is None else state.rival - taken
        carried = replace(since, position=Position(state.position.stones - taken), rival=rival, typed=0)
        ruling = _turn(carried, told, question)
    return replace(ruling, faults=(fault, *ruling.faults), occasions=(*occasions, *ruling.occasions))


def _acceptance(state: State) -> Fault:
    """The fault of accepting an illegal answer.

    One that was refused a moment ago tells that the program looks at the first answer alone: one mistake, whatever is asked.
    """
    if state.again:
        message = f"{state.typed} is refused, and is accepted when it is typed once more: the request must be repeated"
        return Fault("accepted-second", message)
    return Fault(state.due, _why_wrong(state))


# ------------------------------------------------------------------------------------------------------------- the game


def _turn(state: State, told: _Told, question: str) -> Ruling:
    """A turn in the game: the program moves, where it is to, and asks for the next move or says who won."""
    position = state.position
    assert position is not None, "the game has begun"
    if state.deaf:  # what it shows is known to be wrong, and was charged
        told = replace(told, lefts=(), since=())
    if state.lost:
        return _lost_turn(state, told, question)
    before = position.stones + state.typed
    if state.typed and question == "take" and "refusal" in told.names and told.stands_still(before):
        refused = Fault(
            "refused-take", f"{_stones(state.typed)} may be taken of {before}, and the program refuses that"
        )
        rival = None if state.rival is None else state.rival + state.typed
        return Ruling(replace(state, position=Position(before, USER), rival=rival, typed=0), (refused,))
    occasions = ("count",) if told.tells_left else ()
    over = _last_taken(state, told, question, occasions)
    if over is not None:
        return over
    if position.mover == PROGRAM:
        return _program_moves(_going_on(state), told, question, occasions)
    return _goes_on(*_shown_first(state, told), told, question, occasions)


def _last_taken(state: State, told: _Told, question: str, occasions: tuple[str, ...]) -> Ruling | None:
    """The ruling where the user has taken the last stone; None where there may be more, and the program plays on."""
    assert state.position is not None, "the game has begun"
    finishes = told.ended or question != "take" or bool(told.winners)
    nothing = [pile <= 0 for pile in state.piles]
    if not (all(nothing) or (finishes and any(nothing))):
        return None
    if finishes:
        return _over(state, told, state.position.mover, [], (*occasions, "taken"))
    if told.lefts and told.lefts[-1] > 0:
        believing = _believing(state, told.lefts[-1], told.lefts[-1])
        return Ruling(_awaiting(believing, told, "take"), (_miscounted(told.lefts[-1], 0),), (*occasions, "taken"))
    if not (told.lefts or state.played) and state.text.endswith(told.text):
        return Ruling(_awaiting(replace(state, lost=True, mute=True, rival=None), told, "take"))
    return _over(state, told, state.position.mover, [], occasions)


def _going_on(state: State) -> State:
    """The state without a number of stones that is none: the game goes on."""
    assert state.position is not None, "the game has begun"
    if state.rival is not None and state.rival <= 0:
        return replace(state, rival=None)
    if state.position.stones <= 0 and state.rival is not None:
        return replace(state, position=Position(state.rival, state.position.mover), rival=None, deaf=True)
    return state


def _shown_first(state: State, told: _Told) -> tuple[State, list[Fault]]:
    """The state in which the user begins, and whether the number of stones is shown as it was chosen."""
    assert state.position is not None, "the game has begun"
    pile = state.position.stones
    false = [n for n in told.lefts if n != pile]
    if not false:
        return state, []
    return _believing(state, told.lefts[-1], pile), [_miscounted(false[0], pile)]


def _believing(state: State, shown: int, reckoned: int) -> State:
    """The state after a false count: there may be as many stones as are shown, or as many as the moves have left."""
    assert state.position is not None, "the game has begun"
    rival = None if reckoned == shown else reckoned
    return replace(state, position=Position(shown, state.position.mover), rival=rival, miscounted=True)


def _lost_turn(state: State, told: _Told, question: str) -> Ruling:
    """A turn in a game of which nobody knows how it stands: nothing is judged until a count is shown."""
    if told.ended or question == "new-game":
        ending = (Fault(UNREAD, "the game ends, and the moves of the program could not be read"),) if state.mute else ()
        return Ruling(state, ending) if told.ended else _stopped(state, "left", "the game is over", ending)
    if told.lefts and told.lefts[-1] > 0:
        found = replace(state, position=Position(told.lefts[-1], USER), lost=False, mute=False, rival=None)
        return Ruling(_awaiting(found, told, "take"))
    return Ruling(_awaiting(state, told, "take"))


def _program_moves(state: State, told: _Told, question: str, occasions: tuple[str, ...]) -> Ruling:
    """The program is to move: by what it says, or by what it leaves, of one of the numbers of stones that there may be."""
    readings = [_read_move(state, told, pile) for pile in state.piles]
    reading = next((one for one in readings if _is_true(state, told, one)), readings[0])
    pile, move, spoken = reading
    if spoken is None and not move:
        return _unmoved(state, told, question, pile, occasions)
    false = _false_counts(state, told, reading)
    poor, ruled_out, remainder = _move_faults(state, told, reading)
    untold, telling = ([], ()) if false else _telling_faults(told, reading)
    after = _moved(state, told, reading, ruled_out, false=bool(false))
    faults = [*false, *poor, *untold]
    occasions = (*occasions, "computer", "turn", *(("taken",) if state.typed else ()), remainder, *telling)
    if min(after.piles) > 0 or (max(after.piles) > 0 and question == "take"):
        return _goes_on(_going_on(after), faults, told, question, occasions)
    return _over(after, told, USER, faults, occasions)


_Reading = tuple[int, int, int | None]
"""Of how many stones the program takes how many, and how many it says, None where it does not say."""


def _read_move(state: State, told: _Told, pile: int) -> _Reading:
    shown = pile - told.lefts[-1] if told.lefts else 0
    spoken = _spoken(state, told, shown)
    move = max(shown, 0) if spoken is None else spoken
    if spoken is None and not move and pile <= 2 and told.winners == {USER}:
        move = pile  # nothing is said of the last stones but who won
    return pile, move, spoken


def _is_true(state: State, told: _Told, reading: _Reading) -> bool:
    """Whether all counts are true where the program takes so many of so many stones."""
    _, move, spoken = reading
    return (spoken is not None or move > 0) and not _false_counts(state, told, reading)


def _spoken(state: State, told: _Told, shown: int) -> int | None:
    """How many stones it says that it took, None where it does not say: what nobody is said to have taken may be the user's."""
    if told.mine:
        return told.mine[-1]
    nobodys = told.nobodys
    if nobodys[:1] == (state.typed,) and (len(nobodys) > 1 or shown not in (0, state.typed)):
        nobodys = nobodys[1:]
    return nobodys[-1] if nobodys else None


def _unmoved(state: State, told: _Told, question: str, pile: int, occasions: tuple[str, ...]) -> Ruling:
    """No move of the program could be read, though it was to move."""
    if told.ended or question == "new-game":
        return _goes_on(state, [], told, question, occasions)
    if told.lefts and told.lefts[-1] > pile:
        believing = _believing(state, told.lefts[-1], pile)
        return _goes_on(believing, [_miscounted(told.lefts[-1], pile)], told, question, occasions)
    if not told.lefts or "program" in told.names:
        numbers = len(told.numbers) > 2 * told.choices
        bare = state.asked != "take" and not (numbers or told.nobodys or "program" in told.names)
        mute = bare or state.text.endswith(told.text)  # it asks, and says nothing else that could be a move
        lost = _awaiting(replace(state, lost=True, mute=mute, rival=None), told, "take")
        unread = Fault(UNREAD, "it was to move, and how many stones it took could not be read")
        return Ruling(lost, () if mute else (unread,), occasions)
    what = "asks for the next move without making one" if state.typed else "lets the user begin"
    fault = Fault("wrong-turn", f"the program was to move, and it {what}")
    occasions = (*occasions, "turn", *(("taken",) if state.typed else ()))
    return _goes_on(state, [fault], told, question, occasions)


def _false_counts(state: State, told: _Told, reading: _Reading) -> list[Fault]:
    """The first count that is not true, or that contradicts a move."""
    pile, move, spoken = reading
    since = told.since if spoken is not None else ()
    before = told.lefts[: len(told.lefts) - len(since)]
    false = [(n, pile) for n in before if n not in (pile, pile - move)]
    false += [(n, pile - move) for n in since if n != pile - move]
    if not false and list(told.lefts) != sorted(told.lefts, reverse=True):
        false = [(told.lefts[-1], pile - move)]
    if false:
        return [_miscounted(*false[0])]
    lies = [n for n in told.yours if state.typed and n != state.typed]
    return [Fault("wrong-count", f"it says that the user took {n}, and it was {state.typed}") for n in lies[:1]]


def _miscounted(number: int, true: int | None) -> Fault:
    return Fault("wrong-count", f"it says that {_stones(number)} are left, and there are {true}")


def _move_faults(state: State, told: _Told, reading: _Reading) -> tuple[list[Fault], frozenset[int], str]:
    """What is wrong with a move of the program, the numbers of stones that it rules out, and the occasion that it was.

    The strategy tells one move for each number of stones. Where a false count was shown, also a moment ago, the move is right if
    it is the one for what is shown or for what there is.
    """
    pile, move, spoken = reading
    before = told.lefts[-1:] if spoken is not None and not told.since else ()
    tracks = dict.fromkeys((pile, *state.piles, *(n for n in before if n not in (0, pile - move))))
    after = tuple(n + move for n in told.since[-1:])  # it may not have taken its move off yet: that rules nothing out
    fitting = [n for n in (*tracks, *after) if advised(n) == move]
    if fitting:
        return [], frozenset(tracks) - frozenset(fitting), f"remainder-{fitting[0] % 3}"
    illegal = "" if move in moves(Position(pile)) else ", which is not allowed"
    message = f"of {_stones(pile)} the program takes {move}{illegal}; the strategy takes {advised(pile)}"
    return [Fault(f"poor-move-{pile % 3}", message)], frozenset(), f"remainder-{pile % 3}"


def _moved(state: State, told: _Told, reading: _Reading, ruled_out: frozenset[int], *, false: bool) -> State:
    """The state after a move of the program, for the user to move next."""
    pile, move, spoken = reading
    shown, true = pile, pile if state.rival is None else state.rival
    if false and told.lefts:
        after = told.lefts[-1]
        shown = after if spoken is not None and not told.since and after != pile - move else after + move
    deaf = shown in ruled_out and true not in ruled_out
    kept = true if deaf else shown
    rival = None if true in (kept, *ruled_out) else true - move
    return replace(
        state,
        position=Position(kept - move, USER),
        rival=rival,
        deaf=state.deaf or deaf,
        typed=0,
        played=True,
        miscounted=state.miscounted or false,
    )


def _telling_faults(told: _Told, reading: _Reading) -> tuple[list[Fault], tuple[str, ...]]:
    """The user must be told how many stones the program takes, and how many are left."""
    pile, move, spoken = reading
    faults = []
    if spoken is None:
        faults.append(_untold("untold-move", f"the program takes {_stones(move)}", unread=told.mentions(move)))
    if not told.tells_left and not told.ended and pile > move:
        unread = told.mentions(pile) or told.mentions(pile - move)
        faults.append(_untold("untold-left", f"{_stones(pile - move)} are left", unread=unread))
    return faults, () if any(fault.kind == UNREAD for fault in faults) else ("told",)


def _untold(kind: str, what: str, *, unread: bool) -> Fault:
    """The fault of not telling something; a number that nothing explains may be what tells it."""
    if unread:
        return Fault(UNREAD, f"{what}, and where it says so could not be read")
    return Fault(kind, f"{what}, and it does not say so")


def _goes_on(state: State, faults: list[Fault], told: _Told, question: str, occasions: tuple[str, ...]) -> Ruling:
    """The game is not over: the program must ask for the next move."""
    assert state.position is not None, "the game has begun"
    if question != "new-game" and not told.ended:
        return Ruling(_awaiting(state, told, "take"), tuple(faults), occasions)
    if state.doubtful:
        return _stopped(state, "left", "the game is over", faults, occasions)
    pile, users = state.position.stones, state.position.mover == USER
    kind = "ended-early" if pile <= 2 else "broken-off"
    occasions = (*occasions, "end")
    if pile == 1 and users and told.winners == {PROGRAM}:
        occasions = (*occasions, "win-program")  # who must take the last stone has lost, though it was not taken
    left = "the last stone is not taken" if pile == 1 else f"{_stones(pile)} are left"
    return _stopped(state, kind, f"it ends the game, and {left}", faults, occasions)


def _over(state: State, told: _Told, winner: int, faults: list[Fault], occasions: tuple[str, ...]) -> Ruling:
    """The last stone was taken: the program must say who won, and ask for no more moves."""
    occasions = (*occasions, "end")
    if told.question == "take" and not (told.winners or "applause" in told.names):
        fault = Fault("plays-on", "no stone is left, and it asks for another move", stops=True)
        return Ruling(state, (*faults, fault), occasions)
    named, winners = _named(state, told, winner)
    faults, occasions = [*faults, *named], (*occasions, *winners)
    if told.ended:
        return Ruling(state, tuple(faults), occasions)
    return _stopped(state, "left", "the game is over", faults, occasions)


def _named(state: State, told: _Told, winner: int) -> tuple[list[Fault], tuple[str, ...]]:
    """What is wrong with the winner that is named, and the occasion that this was; where nobody played, nobody wins."""
    if not state.played and state.stones != 1:
        return [], ()
    names = {PROGRAM: "the program", USER: "the user"}
    last = f"the last stone is for {names[1 - winner]}, so that {names[winner]} wins"
    occasion = ("win-program" if winner == PROGRAM else "win-user",)
    claimed = told.winners or ({USER} if "applause" in told.names else frozenset())
    if len(claimed) == 2 or (not claimed and "result" in told.names):
        unread = Fault(UNREAD, f"{last}; whom it names as the winner could not be read")
        return ([unread] if state.played else []), ()
    if not claimed:
        return [Fault("no-winner", f"{last}, and it names no winner")], occasion
    if winner not in claimed and state.miscounted:
        return [], ()  # it may go by stones that are not there: that was charged
    if winner not in claimed:
        return [Fault("wrong-winner", f"{last}, and it says that {names[1 - winner]} wins")], occasion
    return [], occasion


def _stopped(
    state: State, kind: str, message: str, before: Sequence[Fault] = (), occasions: tuple[str, ...] = ()
) -> Ruling:
    """A ruling after which the game is followed no further; ``left`` is a kind that no case judges."""
    return Ruling(state, (*before, Fault(kind, message, stops=True)), occasions)


def _stones(number: int) -> str:
    return "1 stone" if number == 1 else f"{number} stones"


def position(state: State) -> str:
    """How many stones there must be; empty before that is known."""
    if state.position is None:
        return ""
    return "1 stone" if state.position.stones == 1 else f"{state.position.stones} stones"


if __name__ == "__main__":
    perform(play)

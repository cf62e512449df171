"""The reference for pile-nim (Lab06), and the referee that follows other programs in whatever words they use.

``python reference/pile_nim.py`` plays it on a terminal. One pile; the program and the user take one or two stones in turn;
whoever takes the last stone loses. The program follows the strategy of the text: the remainder of the stones by three tells
how many to take.

The referee hears facts, as the patterns of the spec read them, and what is read of a program is read nowhere else. The
computer's move may be announced, or follow from the stones that are left, or both, and then both must be true. Where a
program may be right in words that could not be read, the fault is ``unread``, ``unclear-play`` or ``unclear-message``. After
a false count, or an illegal move that was carried out, nobody knows which pile the program plays with: in the rest of that
game nothing is judged but what it refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace

from grader.games.referee import UNREAD, Answers, Fault, Heard, Ruling, Said
from grader.sessions.reference import Line, Play, perform

PROGRAM, USER = 0, 1

PILES = tuple(map(str, (1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 20, 25)))
"""The piles that games begin with; the smallest one twice, for it is forgotten most."""

BAD_PILES = ("0", "-1", "-7")
BAD_FIRSTS = ("2", "-1", "5")
BAD_TAKES = ("0", "3", "-1", "7")

FAULTS = (
    "broken-off",
    "unasked-stones",
    "unasked-first",
    "refused-stones",
    "refused-first",
    "refused-take",
    "accepted-stones",
    "accepted-first",
    "accepted-take",
    "accepted-too-many",
    "no-message",
    "unclear-message",
    "wrong-turn",
    "wrong-count",
    "untold-left",
    "untold-move",
    "unclear-play",
    "poor-move-0",
    "poor-move-1",
    "poor-move-2",
    "ended-early",
    "plays-on",
    "wrong-winner",
    "no-winner",
    "left",
)
"""What may be found. The number of a poor move is the remainder of the stones by three. ``left`` is no fault of the program:
the game is over, or goes no further, and no case judges it."""

OCCASIONS: dict[str, str] = {}
OCCASIONS_OF: dict[str, tuple[str, ...]] = {}


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


@dataclass(frozen=True, slots=True)
class State:
    """What the referee remembers of a game.

    ``stones`` and ``first`` are what the user chose, None before. ``position`` is what the rules make of the moves so far,
    None before the game begins, and what the program says where it is ``doubtful``. ``typed`` is the last answer, 0 where the
    user took nothing. ``asked`` is the question that was asked last, ``named`` what the patterns took it for, and ``text``
    the turn that asked it first. ``due`` is the fault that it is not to refuse the last answer, empty where that was legal;
    ``accepted`` holds those of this game.
    """

    stones: int | None = None
    first: int | None = None
    position: Position | None = None
    doubtful: bool = False
    typed: int = 0
    asked: str = ""
    named: str = ""
    text: str = ""
    due: str = ""
    accepted: frozenset[str] = frozenset()


START = State()


def due(state: State) -> str:
    """What a program that breaks now fails to do: to refuse the last answer; empty where that was legal."""
    return state.due


def answers(state: State, question: str) -> Answers:  # noqa: ARG001  what is asked is known from the state
    """What may be typed at the question that was heard last."""
    if state.asked == "stones":
        return Answers(PILES, BAD_PILES)
    if state.asked == "first":
        return Answers(("0", "1"), BAD_FIRSTS)
    if state.position is None:
        return Answers(())
    if state.doubtful:
        return Answers(("1",), BAD_TAKES)
    legal = tuple(map(str, moves(state.position)))
    return Answers(legal, BAD_TAKES if len(legal) == 2 else (*BAD_TAKES, "2", "2", "2"))


def answer(state: State, question: str, text: str) -> State:
    """The state after an answer; an illegal one changes nothing but that it must be refused."""
    number = int(text)
    if text not in answers(state, question).legal:
        due = "too-many" if state.asked == "take" and number == 2 else state.asked
        return replace(state, typed=number, due=f"accepted-{due}")
    if state.asked == "stones":
        return replace(state, stones=number)
    if state.asked == "first":
        return replace(state, first=number)
    assert state.position is not None, "nothing is taken before the game begins"
    return replace(state, typed=number, position=result(state.position, number))


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

    ``since`` are the counts that come after the move of the computer.
    """

    lefts: tuple[int, ...]
    since: tuple[int, ...]
    mine: tuple[int, ...]
    yours: tuple[int, ...]
    nobodys: tuple[int, ...]
    winners: frozenset[int]
    names: frozenset[str]
    numbers: tuple[int, ...]
    choices: int
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
    takes = [(_group(said, "who"), _number(said)) for said in heard.facts if said.fact == "took"]
    movers = _OURS if any(who in _OURS for who, _ in takes) else {""}
    moved = [at for at, said in enumerate(heard.facts) if said.fact == "took" and _group(said, "who") in movers]
    lefts = [(at, _number(said)) for at, said in enumerate(heard.facts) if said.fact == "left"]
    return _Told(
        lefts=tuple(n for _, n in lefts),
        since=tuple(n for at, n in lefts if moved and at > moved[-1]),
        mine=tuple(n for who, n in takes if who in _OURS),
        yours=tuple(n for who, n in takes if who in _USERS),
        nobodys=tuple(n for who, n in takes if not who),
        winners=frozenset(_winner(said) for said in heard.facts if said.fact == "winner"),
        names=frozenset(said.fact for said in heard.facts),
        numbers=tuple(_number(said) for said in heard.facts if said.fact == "number"),
        choices=sum(said.fact == "choice" for said in heard.facts),
        text="".join(_group(said, "all") for said in heard.facts if said.fact == "text"),
        question=heard.question or "",
        ended=heard.ended,
    )


def _group(said: Said, prefix: str) -> str:
    """The text of the one group of this family that took part in the match; empty where none did."""
    return next((text for name, text in said.groups.items() if name.startswith(prefix) and text), "")


def _number(said: Said) -> int:
    text = _group(said, "n")
    return _NUMBERS[text] if text in _NUMBERS else int(text)


def _winner(said: Said) -> int:
    who = PROGRAM if _group(said, "who") in _OURS else USER
    did = _group(said, "did")
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


def _awaiting(state: State, told: _Told, question: str, pile: int | None = None) -> State:
    """The state in which the user is asked something; in the game, with what is in the pile."""
    position = None if pile is None else Position(pile, USER)
    return replace(state, asked=question, named=told.question, text=told.text, typed=0, position=position)


# ---------------------------------------------------------------------------------------------------- setting the game up


def _asks(state: State, told: _Told, question: str) -> Ruling:
    """It asks one of the two questions that come before the game; where that was answered, it did not like the answer."""
    if question == "stones" and state.stones is not None:
        refused = Fault("refused-stones", "it does not accept this number of stones to begin with")
        return Ruling(replace(state, stones=None, asked=question), (refused,) if told.refuses(state) else ())
    if question == "first" and state.first is not None:
        refused = Fault("refused-first", "it does not accept this answer to who moves first")
        return Ruling(replace(state, first=None, asked=question), (refused,) if told.refuses(state) else ())
    false = [_miscounted(n, state.stones) for n in told.lefts if state.stones not in (None, n)]
    return Ruling(_awaiting(state, told, question), tuple(false[:1]))


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
    if first is None:
        if not state.accepted:
            faults.append(Fault("unasked-first", "it does not ask who moves first"))
        first = PROGRAM if told.shows_a_move(stones) else USER
    begun = replace(state, stones=stones, first=first, position=Position(stones, first), typed=0)
    ruling = _turn(begun, told, question)
    return replace(ruling, faults=(*faults, *ruling.faults))


# -------------------------------------------------------------------------------------------------------- illegal answers


_ILLEGAL = {
    "accepted-stones": "it does not ask again after this number of stones to begin with",
    "accepted-first": "it does not ask again after this answer to who moves first",
    "accepted-take": "it does not ask again after this number of stones to take",
    "accepted-too-many": "it does not ask again when more stones are to be taken than are left",
}


def _after_illegal(state: State, told: _Told, question: str) -> Ruling:
    """The last answer was illegal: a message, and the same question again."""
    if not told.ended and not told.text:
        return _stopped(state, "no-message", "after an answer that is not allowed it waits without a word")
    vague = told.question == "some" and not told.refuses(state)
    if vague and _went_on(state, told):
        return _accepted(state, told, "take")
    if not told.ended and (not question or vague):
        return _stopped(state, UNREAD, "whether it refused the last answer could not be read")
    if question != state.asked or (question == "take" and _carried_out(state, told)):
        return _accepted(state, told, question)
    return Ruling(replace(state, due=""), tuple(_message_faults(state, told)))


def _message_faults(state: State, told: _Told) -> Iterator[Fault]:
    """A refusal says what was wrong: more than the question that was asked before."""
    if state.doubtful:
        return
    if state.text.endswith(told.text):
        yield Fault("no-message", "it asks again without a word on what was wrong")
    elif "refusal" not in told.names:
        yield Fault("unclear-message", "whether it says what was wrong could not be read")


def _went_on(state: State, told: _Told) -> bool:
    """Whether the game has begun, or gone on, whatever the question means that it ends with."""
    if state.position is None:
        return state.asked == "first" and bool(told.mine or told.lefts)
    return _carried_out(state, told)


def _carried_out(state: State, told: _Told) -> bool:
    """Whether the game went on after an illegal move."""
    assert state.position is not None, "moves are made in the game"
    claimed = "refusal" not in told.names and (told.winners or state.typed in told.yours)
    return bool(told.mine or claimed) or told.lefts[-1:] not in ((), (state.position.stones,))


def _accepted(state: State, told: _Told, question: str) -> Ruling:
    """It did not refuse an illegal answer. A later question may still be refused, so the game is followed as far as it goes."""
    faults = [Fault(state.due, _ILLEGAL[state.due])]
    if state.asked == "take" and "accepted-first" in state.accepted and "refusal" not in told.names:
        faults.append(Fault("no-message", "it refuses nothing, and so never says what is wrong"))
    since = replace(state, due="", accepted=state.accepted | {state.due})
    if state.due == "accepted-stones" or told.ended or question != "take":
        return _stopped(since, "left", "the game cannot go on from here", faults)
    if state.position is None:
        ruling = _begins(since, told, question)
        return replace(ruling, faults=(*faults, *ruling.faults))
    pile = state.position.stones - state.typed
    if pile <= 0:
        return _stopped(since, "left", "the game cannot go on from here", faults)
    ruling = _turn(replace(since, position=Position(pile)), told, question)
    stops = tuple(replace(fault, kind="left") for fault in ruling.faults if fault.stops)
    return replace(ruling, faults=(*faults, *stops))


def _doubtful_turn(state: State, told: _Told, question: str) -> Ruling:
    """A turn in a game of which nobody knows how it stands: the program is believed, and nothing is judged."""
    assert state.position is not None, "the game has begun"
    pile = told.lefts[-1] if told.lefts else state.position.stones - sum(told.mine[-1:] or told.nobodys[-1:])
    if question != "take" or pile <= 0:
        return _stopped(state, "left", "nobody knows how the game stands")
    return Ruling(_awaiting(state, told, question, pile))


# ------------------------------------------------------------------------------------------------------------- the game


def _turn(state: State, told: _Told, question: str) -> Ruling:
    """A turn in the game: the program moves, where it is to, and asks for the next move or says who won."""
    position = state.position
    assert position is not None, "the game has begun"
    if state.doubtful:
        return _doubtful_turn(state, told, question)
    before = position.stones + state.typed
    if state.typed and question == "take" and "refusal" in told.names and told.stands_still(before):
        refused = Fault("refused-take", "it does not let the user take this number of stones")
        return Ruling(replace(state, position=Position(before, USER), typed=0), (refused,))
    if outcome(position) is not None:
        return _over(state, told, position.mover, [])
    if position.mover == PROGRAM:
        return _program_moves(state, told, question, position.stones)
    if told.shows_a_move(position.stones):
        early = Fault("wrong-turn", "the program begins, where the user was to begin")
        ruling = _program_moves(state, told, question, position.stones)
        return replace(ruling, faults=(early, *ruling.faults))
    false = [_miscounted(n, position.stones) for n in told.lefts if n != position.stones]
    return _goes_on(replace(state, doubtful=bool(false)), told, question, position.stones, false[:1])


def _program_moves(state: State, told: _Told, question: str, pile: int) -> Ruling:
    """The program is to move, with so many stones in the pile."""
    shown = pile - told.lefts[-1] if told.lefts else 0
    spoken = _spoken(state, told, shown)
    move = max(shown, 0) if spoken is None else spoken
    if spoken is None and not move and pile <= 2 and told.winners == {USER}:
        move = pile  # nothing is said of the last stones but who won
    if spoken is None and not move:
        return _unmoved(state, told, question, pile, shown)
    faults = _false_counts(state, told, pile, move, spoken)
    if not faults:
        faults = [*_move_faults(pile, move), *_telling_faults(told, pile, move, spoken)]
    doubtful = any(fault.kind == "wrong-count" for fault in faults)
    if pile > move:
        return _goes_on(replace(state, doubtful=doubtful), told, question, pile - move, faults)
    if doubtful:
        return _stopped(state, "left", "nobody knows how the game stands", faults)
    return _over(state, told, USER, faults)


def _spoken(state: State, told: _Told, shown: int) -> int | None:
    """How many stones it says that it took, None where it does not say: what nobody is said to have taken may be the user's."""
    if told.mine:
        return told.mine[-1]
    nobodys = told.nobodys
    if nobodys[:1] == (state.typed,) and (len(nobodys) > 1 or shown not in (0, state.typed)):
        nobodys = nobodys[1:]
    return nobodys[-1] if nobodys else None


def _unmoved(state: State, told: _Told, question: str, pile: int, shown: int) -> Ruling:
    """No move of the program could be read, though it was to move."""
    if told.ended or question == "new-game":
        return _goes_on(state, told, question, pile, [])
    if shown < 0:
        return _goes_on(replace(state, doubtful=True), told, question, pile, [_miscounted(told.lefts[-1], pile)])
    if not told.lefts or "program" in told.names:
        return _stopped(state, UNREAD, "it was to move, and how many stones it took could not be read")
    what = "asks for the next move without making one" if state.typed else "lets the user begin"
    return _goes_on(state, told, question, pile, [Fault("wrong-turn", f"the program was to move, and it {what}")])


def _false_counts(state: State, told: _Told, pile: int, move: int, spoken: int | None) -> list[Fault]:
    """The first count that is not true, or that contradicts a move."""
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


def _miscounted(said: int, true: int | None) -> Fault:
    return Fault("wrong-count", f"it says that {_stones(said)} are left, and there are {true}")


def _move_faults(pile: int, move: int) -> Iterator[Fault]:
    """What is wrong with a move of the program: the strategy tells one for each pile, and it is always a legal one."""
    if move != advised(pile):
        illegal = "" if move in moves(Position(pile)) else ", which is not allowed"
        message = f"of {_stones(pile)} the program takes {move}{illegal}; the strategy takes {advised(pile)}"
        yield Fault(f"poor-move-{pile % 3}", message)


def _telling_faults(told: _Told, pile: int, move: int, spoken: int | None) -> Iterator[Fault]:
    """The user must be told how many stones the program takes, and how many are left."""
    if spoken is None:
        kind = "unclear-play" if told.mentions(move) else "untold-move"
        yield Fault(kind, f"the program takes {_stones(move)}, and where it says so could not be read")
    if not told.lefts and not told.ended and pile > move:
        kind = "unclear-play" if told.mentions(pile) or told.mentions(pile - move) else "untold-left"
        yield Fault(kind, f"{_stones(pile - move)} are left, and where it says so could not be read")


def _goes_on(state: State, told: _Told, question: str, pile: int, faults: list[Fault]) -> Ruling:
    """The game is not over: the program must ask for the next move."""
    believed = told.lefts[-1] if state.doubtful and told.lefts else pile
    if question != "new-game" and not told.ended:
        return Ruling(_awaiting(state, told, "take", believed), tuple(faults))
    if state.doubtful:
        return _stopped(state, "left", "nobody knows how the game stands", faults)
    kind = "ended-early" if pile <= 2 else "broken-off"
    return _stopped(state, kind, f"it ends the game with {_stones(pile)} left", faults)


def _over(state: State, told: _Told, winner: int, faults: list[Fault]) -> Ruling:
    """The last stone was taken: the program must say who won, and ask for no more moves."""
    names = {PROGRAM: "the program", USER: "the user"}
    last = f"{names[1 - winner]} took the last stone, so that {names[winner]} wins"
    claimed = told.winners or ({USER} if "applause" in told.names else frozenset())
    if told.question == "take" and not claimed:
        faults.append(Fault("plays-on", "no stone is left, and it asks for another move"))
    elif len(claimed) == 1 and winner not in claimed:
        faults.append(Fault("wrong-winner", f"{last}, and it says that {names[1 - winner]} wins"))
    elif len(claimed) == 2 or (not claimed and "result" in told.names):
        faults.append(Fault("unclear-play", f"{last}; whom it names as the winner could not be read"))
    elif not claimed:
        faults.append(Fault("no-winner", f"{last}, and it names no winner"))
    return Ruling(state, tuple(faults)) if told.ended else _stopped(state, "left", "the game is over", faults)


def _stopped(state: State, kind: str, message: str, before: Sequence[Fault] = ()) -> Ruling:
    """A ruling after which the game is followed no further; ``left`` is a kind that no case judges."""
    return Ruling(state, (*before, Fault(kind, message, stops=True)))


def _stones(number: int) -> str:
    return "1 stone" if number == 1 else f"{number} stones"


if __name__ == "__main__":
    perform(play)

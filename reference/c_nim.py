"""The reference for c-nim (Project 3): the exact transcript as a generator, the rules of the game, and its referee.

``python reference/c_nim.py`` plays it on a terminal. Heaps A, B, C begin with 5, 4 and 3 stones; a move is a letter and a
number of stones, typed as a line; whoever takes the last stone wins. Player 1 is the user, player 2 the computer, and the
loser of a game starts the next.

The referee (``START``, ``hear``, ``answers``, ``answer``, ``due``) plays the user. It believes what a program says of itself as long
as that is possible: a move of the computer may be announced, or seen from the heaps that are shown, or both; what is not
said at all is judged by the cases on format. What is said must be true. ``FAULTS`` lists all that it may find.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, replace

from grader.games.referee import UNREAD, Answers, Fault, Heard, Ruling, Said
from grader.games.solving import Solver
from grader.sessions.reference import Choice, Line, Play, perform

LETTERS = "abc"
USER, COMPUTER = 1, 2
BAD_LETTERS = "dexz"
BAD_ANSWERS = ("p", "x", "q", "a")

FAULTS = (
    "illegal-move",
    "poor-move",
    "wrong-stall",
    "no-move",
    "wrong-heaps",
    "wrong-start",
    "wrong-winner",
    "no-winner",
    "plays-on",
    "ended-early",
    "never-asks",
    "wrong-score",
    "no-score",
    "wrong-starter",
    "letter-taken",
    "zero-taken",
    "negative-taken",
    "excess-taken",
    "carried-out",
    "turn-lost",
    "no-message",
    "no-board",
    "no-starter",
    "untold-move",
    "refused-legal",
    "answer-refused",
    "answer-taken",
    "does-not-stop",
)

OCCASIONS: dict[str, str] = {}
OCCASIONS_OF: dict[str, tuple[str, ...]] = {}


@dataclass(frozen=True, slots=True)
class Position:
    """The stones in each heap, and the player (1 or 2) whose turn it is."""

    heaps: tuple[int, ...] = (5, 4, 3)
    player: int = USER


def moves(position: Position) -> tuple[str, ...]:
    """Every legal move: ``c2`` takes two stones from heap C. A program takes the letters in either case."""
    return tuple(
        f"{letter}{n}" for letter, stones in zip(LETTERS, position.heaps, strict=True) for n in range(1, stones + 1)
    )


def result(position: Position, move: str) -> Position:
    """The position after a legal move."""
    taken, count = LETTERS.index(move[0]), int(move[1:])
    heaps = tuple(n - count if i == taken else n for i, n in enumerate(position.heaps))
    return Position(heaps, 3 - position.player)


def outcome(position: Position) -> int | None:
    """The winner once no stone is left: the player who took the last one; None while the game goes on."""
    return None if any(position.heaps) else 3 - position.player


SOLVER: Solver[Position, str] = Solver(moves, result)


def perfect(position: Position) -> tuple[str, ...]:
    """What the computer may do: any winning move; where there is none, one stone from the first heap that has any."""
    return SOLVER.winning(position) or moves(position)[:1]


def canonical(typed: str) -> str:
    """A typed move as ``moves`` writes it; empty where it is no letter followed by a number."""
    found = re.fullmatch(r"\s*([a-z])\s*([+-]?\d+)\s*", typed, re.IGNORECASE | re.ASCII)
    return f"{found[1].lower()}{int(found[2])}" if found else ""


# ------------------------------------------------------------------------------------------------------- the transcript


def play() -> Play:
    """The whole dialogue. What the assignment leaves open is a named choice of the spec."""
    yield "Welcome to the Ancient Game of Nim\nPlayer 1 is you (the human)\nPlayer 2 is me (the computer)\n"
    yield Choice("greeting-line", "\n")
    match = START
    while not match.stopped:
        winner = yield from _game(match.starter)
        match = match.after(winner)
        yield from _scoreboard(match)
        match = yield from _asked_again(match)
    yield Choice("last-newline", "")


def _game(starter: int) -> Generator[str | Choice | Line, str, int]:
    """One game; returns its winner."""
    yield f"Player {starter} goes first this time!\n"
    position = Position(player=starter)
    while outcome(position) is None:
        yield _board(position)
        if position.player == COMPUTER:
            move = perfect(position)[0]
            yield f"COMPUTER moves {move}\n"
        else:
            yield "Enter the letter of the heap and number of stones to remove: "
            move = canonical((yield Line(legal=_typed(moves(position)))))
            if move not in moves(position):
                yield "Illegal move! Try again.\n"
                continue
        position = result(position, move)
    winner = outcome(position) or 0
    yield f"Player {winner} wins!\n"
    return winner


def _board(position: Position) -> str:
    heaps = "".join(f"{letter.upper()}: {n}\n" for letter, n in zip(LETTERS, position.heaps, strict=True))
    return f"\nPlayer {position.player}\nHeaps:\n{heaps}"


def _scoreboard(match: Match) -> Play:
    yield "\n"
    yield Choice("stars", "* * * * *")
    yield "\nCurrent Score:\nPlayer 1 (Human):"
    yield Choice("user-gap", " ")
    yield f"{match.wins[0]}\nPlayer 2 (Computer):"
    yield Choice("computer-gap", " ")
    yield f"{match.wins[1]}\n"


def _asked_again(match: Match) -> Generator[str | Choice | Line, str, Match]:
    while True:
        yield "\nDo you want to play again? (y/n) "
        typed = yield Line(legal=("y", "Y", "n", "N"))
        match = answer(match, "again", typed)
        if not match.refusal_due:
            return match
        yield "Bad input! Try again.\n"


def _typed(legal: tuple[str, ...]) -> tuple[str, ...]:
    """Moves as they may be typed: in either case."""
    return (*legal, *(move.upper() for move in legal))


# --------------------------------------------------------------------------------------------------------- the referee


@dataclass(frozen=True, slots=True)
class Match:
    """All that the referee remembers of the games so far.

    ``position`` is None between two games, and ``before`` is the one in which the user made the last move; ``starter`` is who
    must start the next game; ``wins`` are those of the user and of the computer; ``question`` is the one that was answered
    last; ``refusal_due`` is why the answer must be refused, empty where it need not be; ``stopped`` says that the user wants
    no more games.
    """

    position: Position | None = None
    before: Position | None = None
    starter: int = USER
    wins: tuple[int, int] = (0, 0)
    question: str = ""
    refusal_due: str = ""
    stopped: bool = False

    def after(self, winner: int) -> Match:
        """The match after a game: it is counted, and its loser starts the next."""
        user, computer = self.wins
        wins = (user + 1, computer) if winner == USER else (user, computer + 1)
        return replace(self, position=None, starter=3 - winner, wins=wins)


START = Match()


def hear(match: Match, heard: Heard) -> Ruling:
    """Rule on what the program said up to its question, or to its end."""
    heard = replace(heard, question=_meant(match, heard.question))
    if match.stopped:
        return Ruling(match, tuple(_after_no(heard)))
    if match.refusal_due:
        return Ruling(match, tuple(_after_illegal(match, heard)))
    refused = _refused(match, heard)
    if refused is not None:
        return Ruling(match, (refused,))
    return _Hearing(match, heard).ruling()


def due(match: Match) -> str:
    """What a program that breaks now fails to do: to refuse, or to stop; empty where nothing was due."""
    return _REFUSALS[match.refusal_due][0] if match.refusal_due else "does-not-stop" if match.stopped else ""


def answers(match: Match, question: str) -> Answers:
    """What may be typed now. Every second game the user plays as well as possible, so that both win and both start."""
    if _meant(match, question) == "again":
        return Answers(("y", "Y", "y", "Y", "n", "N"), BAD_ANSWERS)
    if match.position is None:
        return Answers(())
    good = SOLVER.best(match.position) if sum(match.wins) % 2 else moves(match.position)
    return Answers(_typed(good), _typed(_illegal(match.position)))


def answer(match: Match, question: str, text: str) -> Match:
    """The match after ``text`` was typed, legal or not."""
    asked = replace(match, question=_meant(match, question) or "", refusal_due="")
    if asked.question == "again":
        known = text.strip().lower()
        return replace(asked, stopped=known == "n", refusal_due="" if known in ("y", "n") else "answer")
    position = match.position or Position()
    wrong = _wrong_with(text, position)
    if wrong:
        return replace(asked, refusal_due=wrong)
    return replace(asked, position=result(position, canonical(text)), before=position)


def _wrong_with(text: str, position: Position) -> str:
    """Why a typed move must be refused; empty where it is legal."""
    move = canonical(text)
    if move in moves(position):
        return ""
    if move[:1] not in LETTERS or not move:
        return "letter"
    return "excess" if int(move[1:]) > 0 else "zero" if int(move[1:]) == 0 else "negative"


def _illegal(position: Position) -> tuple[str, ...]:
    """Moves that must be refused: another letter, no stones or fewer, more stones than the heap has."""
    letters = [f"{letter}{n}" for letter, n in zip(BAD_LETTERS, (4, 2, 1, 3), strict=True)]
    counts = [(letter, n) for letter, stones in zip(LETTERS, position.heaps, strict=True) for n in (0, -1, stones + 1)]
    return (*letters, *(f"{letter}{n}" for letter, n in counts), "a10")


def _meant(match: Match, question: str | None) -> str | None:
    """The question, where a mere “try again” repeats the last one."""
    return match.question or "move" if question == "retry" else question


def _said(heard: Heard, *names: str) -> bool:
    return any(said.fact in names for said in heard.facts)


def _after_no(heard: Heard) -> Iterator[Fault]:
    """The user has said no: the program must end."""
    if heard.ended:
        return
    if _said(heard, "refusal") and heard.question == "again":
        yield Fault("answer-refused", "n is an answer, and it is refused", stops=True)
    else:
        yield Fault("does-not-stop", "the user wants no other game, and the program does not end", stops=True)


def _after_illegal(match: Match, heard: Heard) -> Iterator[Fault]:
    """Something was typed that must be refused: nothing may happen, and the same must be asked again."""
    kind, what = _REFUSALS[match.refusal_due]
    boards = _boards(heard)
    refused = _said(heard, "refusal")
    unlike = match.position is None or any(not _shows(board, match.position) for board in boards)
    if heard.ended:
        yield Fault(kind, f"the program ends after {what}", stops=True)
    elif heard.question not in (match.question, None) or _said(heard, "move", "starter", "winner"):
        if refused and match.question == "move":
            yield Fault("turn-lost", f"{what} is refused, and the game goes on all the same", stops=True)
        else:
            yield Fault(kind, f"{what} is not refused: the game goes on", stops=True)
    elif boards and unlike:
        yield Fault("carried-out" if refused and match.position else kind, f"after {what} the heaps change", stops=True)
    elif not refused:
        yield Fault("no-message", f"{what} is refused without a word")
    elif match.question == "move" and not boards:
        yield Fault("no-board", f"the heaps are not shown again after {what}")


_REFUSALS = {
    "letter": ("letter-taken", "a letter that no heap has"),
    "zero": ("zero-taken", "a move of no stones"),
    "negative": ("negative-taken", "a move of a negative number of stones"),
    "excess": ("excess-taken", "a move of more stones than the heap holds"),
    "answer": ("answer-taken", "an answer that is neither y nor n"),
}
"""What must be refused: the kind of fault if it is not, and its name."""


def _refused(match: Match, heard: Heard) -> Fault | None:
    """The fault of refusing what is legal, if that is what happens: it is asked again as if nothing had been typed."""
    if _said(heard, "move", "starter", "winner"):
        return None
    if match.question == "again" and (heard.ended or heard.question == "again"):
        return Fault("answer-refused", "no other game begins after the answer y", stops=True)
    if heard.question != match.question:
        return None
    boards = _boards(heard)
    unchanged = bool(boards) and match.before is not None and all(_shows(board, match.before) for board in boards)
    if match.question == "move" and (unchanged or _said(heard, "refusal")):
        return Fault("refused-legal", "a legal move is refused", stops=True)
    return None


Board = dict[str, int | None]
"""The stones that a program shows in each heap; None for what is no number of stones."""


def _events(heard: Heard) -> Iterator[Said | Board]:
    """What was said in its order, with heaps that are shown one after the other as one board."""
    board: Board = {}
    for said in heard.facts:
        heap = said.groups.get("heap", "")
        if board and (said.fact != "heap" or heap in board):
            yield board
            board = {}
        if said.fact == "heap":
            board[heap] = said.number("stones")
        else:
            yield said
    if board:
        yield board


def _boards(heard: Heard) -> list[Board]:
    return [event for event in _events(heard) if isinstance(event, dict)]


def _shows(board: Mapping[str, int | None], position: Position) -> bool:
    """Whether the heaps that a board shows are those of a position."""
    return all(position.heaps[LETTERS.index(heap)] == stones for heap, stones in board.items())


def _tell(heaps: tuple[int, ...]) -> str:
    return ", ".join(f"{letter.upper()} {n}" for letter, n in zip(LETTERS, heaps, strict=True))


class _Hearing:
    """One turn heard in a running match, fact by fact: the position as it is told, and the faults so far."""

    def __init__(self, match: Match, heard: Heard) -> None:
        self._heard = heard
        self._match = match
        self._faults: list[Fault] = []
        self._fresh = self._begins = match.position is None
        self._position = match.position or Position(player=match.starter)
        self._seen_from_heaps = ""
        self._shown = 0
        self._winner_named = False
        self._scores: set[int] = set()
        self._counted = outcome(self._position) is not None
        if self._counted:
            self._match = match.after(outcome(self._position) or 0)

    def ruling(self) -> Ruling:
        """What comes of the turn."""
        for event in _events(self._heard):
            if isinstance(event, dict):
                self._on_board(event)
            else:
                self._on_fact(event)
            if self._stopped:
                break
        if not self._stopped:
            self._at_its_end()
        position = None if self._counted else self._position
        return Ruling(replace(self._match, position=position), tuple(self._faults))

    @property
    def _stopped(self) -> bool:
        return any(fault.stops for fault in self._faults)

    def _fault(self, kind: str, message: str, *, stops: bool = False) -> None:
        self._faults.append(Fault(kind, message, stops))

    def _on_fact(self, said: Said) -> None:
        if said.fact == "starter" and self._fresh:
            self._starts(_player(said))
        elif said.fact == "move":
            self._on_move(said)
        elif said.fact == "winner":
            self._on_winner(_player(said))
        elif said.fact == "score":
            self._on_score(_player(said), said.number("wins"))

    def _starts(self, player: int) -> None:
        """A player starts, rightly or not; the game is followed all the same."""
        due = self._match.starter
        if player != due and not any(fault.kind == "wrong-starter" for fault in self._faults):
            self._fault("wrong-starter", f"player {player} starts the game, and it is player {due} who must")
        self._position = replace(self._position, player=player)

    # -------------------------------------------------------------------------------------------------------- the heaps

    def _on_board(self, board: Board) -> None:
        if _shows(board, self._position):
            self._shown += set(board) == set(LETTERS)
            return
        move = self._move_to(board)
        if move:
            self._seen_from_heaps = move
            self._moved(move)
        elif self._fresh and set(board) == set(LETTERS) and all(board.values()):
            heaps = tuple(board[letter] or 0 for letter in LETTERS)
            self._fault("wrong-start", f"a game begins with {_tell(self._position.heaps)}, not with {_tell(heaps)}")
            self._position, self._shown = replace(self._position, heaps=heaps), 1
        else:
            shown = ", ".join(f"{heap.upper()} {'?' if n is None else n}" for heap, n in board.items())
            self._fault(
                "wrong-heaps", f"the heaps hold {_tell(self._position.heaps)}, and it shows {shown}", stops=True
            )

    def _shown_before(self, event: str) -> None:
        if not self._shown and not any(fault.kind == "no-board" for fault in self._faults):
            self._fault("no-board", f"{event}, and the heaps are not shown before")

    def _move_to(self, board: Board) -> str:
        """The move of the computer that a board shows to be made; empty where there is none, or where another is told."""
        if self._position.player != COMPUTER or self._seen_from_heaps or set(board) != set(LETTERS):
            return ""
        told = {_announced(said) for said in self._heard.facts if said.fact == "move"}
        among = (move for move in moves(self._position) if not told or move in told)
        return next((move for move in among if _shows(board, result(self._position, move))), "")

    # -------------------------------------------------------------------------------------------------------- the moves

    def _on_move(self, said: Said) -> None:
        if self._seen_from_heaps:
            self._seen_from_heaps = ""
            return
        move = _announced(said)
        if self._position.player == USER and self._fresh:
            self._starts(COMPUTER)
        if self._position.player == USER or move not in moves(self._position):
            self._fault("illegal-move", f"the computer moves {move} with {_tell(self._position.heaps)}", stops=True)
        else:
            self._moved(move)

    def _moved(self, move: str) -> None:
        """The computer has made a legal move: is it one that the strategy allows?"""
        self._shown_before("the computer moves")
        good = perfect(self._position)
        if move not in good:
            kind = "poor-move" if SOLVER.wins(self._position) else "wrong-stall"
            told = _tell(self._position.heaps)
            self._fault(
                kind,
                f"with {told} the computer moves {move}; right {'is' if len(good) == 1 else 'are'} {', '.join(good)}",
            )
        self._position = result(self._position, move)
        self._fresh = False
        self._shown = 1 if self._seen_from_heaps else 0
        winner = outcome(self._position)
        if winner is not None:
            self._match, self._counted = self._match.after(winner), True

    # ---------------------------------------------------------------------------------------------------- winner, score

    def _on_winner(self, player: int) -> None:
        last = [move for move in moves(self._position) if outcome(result(self._position, move)) is not None]
        if last and player == COMPUTER == self._position.player:
            self._moved(last[0])
        winner = outcome(self._position)
        self._winner_named = True
        if winner is None:
            self._fault(
                "ended-early", f"a winner is named, and the heaps hold {_tell(self._position.heaps)}", stops=True
            )
        elif player != winner:
            said = f"player {winner} took the last stone, and player {player} is named as the winner"
            self._fault("wrong-winner", said, stops=True)

    def _on_score(self, player: int, wins: int | None) -> None:
        true = self._match.wins[player - 1]
        self._scores.add(player)
        if wins != true:
            self._fault("wrong-score", f"player {player} has won {true} games, and the score says {wins}")

    # -------------------------------------------------------------------------------------------------------- the end

    def _at_its_end(self) -> None:
        if self._begins and not _said(self._heard, "starter"):
            self._fault("no-starter", "a game begins, and it is not told who goes first")
        if self._seen_from_heaps:
            self._fault(
                "untold-move", f"the heaps show that the computer took {self._seen_from_heaps}, and no text tells it"
            )
        if self._counted:
            self._at_the_end_of_a_game()
        elif self._heard.ended:
            self._fault("ended-early", "the program ends in the middle of a game", stops=True)
        elif self._heard.question == "again":
            told = _tell(self._position.heaps)
            self._fault("ended-early", f"it asks for another game, and the heaps hold {told}", stops=True)
        elif self._heard.question == "move" and self._position.player == COMPUTER:
            self._without_a_move()
        elif self._heard.question == "move":
            self._before_a_move()

    def _at_the_end_of_a_game(self) -> None:
        if self._heard.question == "move":
            self._fault("plays-on", "no stone is left, and it asks for a move", stops=True)
            return
        if not self._winner_named:
            self._fault("no-winner", "the game is over, and no winner is named")
        if self._scores != {USER, COMPUTER}:
            self._fault("no-score", "the game is over, and the score of both is not shown")
        if self._heard.ended:
            self._fault("never-asks", "the program ends without asking for another game", stops=True)
        elif _said(self._heard, "refusal"):
            self._fault("answer-refused", "an answer is refused that nobody gave")

    def _before_a_move(self) -> None:
        """The user is asked for a move, and rightly."""
        self._shown_before("the user is asked")
        if self._match.question == "move" and _said(self._heard, "refusal"):
            self._fault("refused-legal", "a move is refused that nobody made")

    def _without_a_move(self) -> None:
        """The user is asked, and nobody has said what the computer took."""
        if self._fresh and self._shown:
            self._starts(USER)
        elif self._shown > 1:
            self._fault("no-move", "it is the computer’s turn, and it does not move", stops=True)
        else:
            self._fault(UNREAD, "the computer must have moved, and what it took could not be read", stops=True)


def _player(said: Said) -> int:
    """The player that a fact names, by number or in a word; “you lose” names the computer."""
    number = said.number("player") or said.number("named")
    return number or (USER if said.groups.get("name") in ("you", "human", "user") else COMPUTER)


def _announced(said: Said) -> str:
    groups = said.groups
    return canonical(f"{groups.get('heap') or groups.get('pile')}{groups.get('count') or groups.get('number')}")


if __name__ == "__main__":
    perform(play)

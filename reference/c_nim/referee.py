"""The referee of c-nim, which plays the user.

It believes what a program says of itself as long as that is possible: a move of the computer may be announced, or seen from the heaps
that are shown, or both. It follows the program's own games: the start of each is judged once, and after a mistake a game goes on
from the heaps that are shown. Where they are not what the moves leave, nothing more of that game is judged. A refusal is
known by what it is: the heaps stay, the user is asked again, and a message says why.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from grader.games.ground import Way
from grader.games.referee import UNREAD, Answers, Fault, Heard, Ruling
from grader.reading.facts import Fact

from .rules import COMPUTER, LETTERS, SOLVER, USER, Position, best, canonical, either_case, moves, outcome, result

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
    "read-twice",
    "answer-taken",
    "does-not-stop",
    "bad-end",
    "own-words",
)

OCCASIONS = {
    "moved": "legal moves of the user that were carried out",
    "computer": "turns of the computer",
    "won-position": "turns of the computer with a winning move",
    "lost-position": "turns of the computer without a winning move",
    "start": "games that began",
    "heaps": "heaps shown after a move",
    "asked": "moves asked for",
    "small": "legal moves with a small letter",
    "capital": "legal moves with a capital letter",
    "end": "games that came to an end",
    "won": "games whose winner was told",
    "score": "scores of both players",
    "first": "first games",
    "after-1": "games after one that the user won",
    "after-2": "games after one that the computer won",
    "letter": "moves with a letter that no heap has",
    "zero": "moves of no stones",
    "negative": "moves of a negative number of stones",
    "excess": "moves of more stones than the heap holds",
    "refusal": "illegal moves that were refused",
    "yes": "answers y and Y",
    "no": "answers n and N",
    "answer": "answers that are neither y nor n",
}
OCCASIONS_OF = {
    "illegal-move": ("computer",),
    "poor-move": ("won-position",),
    "wrong-stall": ("lost-position",),
    "no-move": ("computer",),
    "wrong-heaps": ("heaps",),
    "wrong-start": ("start",),
    "wrong-winner": ("won",),
    "no-winner": ("end",),
    "plays-on": ("end",),
    "ended-early": ("end",),
    "never-asks": ("end",),
    "wrong-score": ("score",),
    "no-score": ("end",),
    "wrong-starter": ("first", "after-1", "after-2"),
    "letter-taken": ("letter",),
    "zero-taken": ("zero",),
    "negative-taken": ("negative",),
    "excess-taken": ("excess",),
    "carried-out": ("refusal",),
    "turn-lost": ("refusal",),
    "no-message": ("refusal",),
    "no-board": ("asked",),
    "no-starter": ("start",),
    "untold-move": ("computer",),
    "refused-legal": ("small", "capital"),
    "answer-refused": ("yes", "no"),
    "read-twice": ("asked",),
    "answer-taken": ("answer",),
    "does-not-stop": ("no",),
    "bad-end": ("no",),
    "own-words": ("asked",),
}

BAD_LETTERS = "dexz"
BAD_ANSWERS = ("p", "x", "q", "a")
_ANYTHING = ("a1", "b1", "c1")


@dataclass(frozen=True, slots=True)
class Match:
    """All that the referee remembers of the games so far.

    ``position`` is None between two games, and ``before`` is the one in which the user made the last move; ``starter`` is who
    must start the next game, 0 where a mistake leaves that open; ``wins`` are those of the user and of the computer, None where a
    mistake leaves them open; ``games`` are those that are over. ``question`` is the one that was answered last, ``typed``
    the answer; ``refusal_due`` is why it must be refused, empty where it need not be; ``stopped`` says that the user wants
    no more games.

    ``doubtful`` says that the heaps were shown wrongly in this game: what the program makes of its own heaps then follows from
    that, so that neither its moves, its refusals nor the winner are judged. ``unseen`` says that the computer had to move,
    and that the heaps were shown as they were before: whether it stood still, or moved unread, the next heaps tell.
    ``well`` says that the user plays the first game well, and then every second one.
    """

    position: Position | None = None
    before: Position | None = None
    starter: int = USER
    wins: tuple[int | None, int | None] = (0, 0)
    games: int = 0
    question: str = ""
    typed: str = ""
    refusal_due: str = ""
    stopped: bool = False
    doubtful: bool = False
    unseen: bool = False
    well: bool = False

    def after(self, winner: int) -> Match:
        """The match after a game: it is counted, and its loser starts the next."""
        user, computer = self.wins
        wins = (_more(user), computer) if winner == USER else (user, _more(computer))
        return replace(self.over(), starter=3 - winner, wins=wins)

    def over(self) -> Match:
        """The match after a game of which a mistake leaves open who won, and so who starts the next."""
        return replace(self, position=None, starter=0, games=self.games + 1, doubtful=False, unseen=False)


def _more(wins: int | None) -> int | None:
    return None if wins is None else wins + 1


START = Match()
STARTS = (START, Match(well=True))
"""The user plays the second game of one match well, and the first of the next: some programs play only one."""

_WELL = 200
"""How much likelier than others the best moves are in a game that the user plays well."""


def hear(match: Match, heard: Heard) -> Ruling:
    """Rule on what the program said up to its question, or to its end."""
    heard = replace(heard, question=_meant(match, heard.question))
    if match.stopped:
        return _after_no(match, heard)
    if match.refusal_due:
        return _after_illegal(match, heard)
    return _refused(match, heard) or _Hearing(match, heard).ruling()


def last_words(match: Match, _heard: Heard) -> Ruling:
    """Of a turn in which the program broke, that no was answered: a program that breaks then plays no other game."""
    return Ruling(match, (), ("no",) if match.stopped else ())


def due(match: Match) -> str:
    """What a program that breaks now fails to do: to refuse, or to end; empty where nothing was due."""
    return _REFUSALS[match.refusal_due][0] if match.refusal_due else "bad-end" if match.stopped else ""


def answers(match: Match, question: str) -> Answers:
    """What may be typed now. Every second game the user plays well, so that both win and both start.

    The other moves stay legal even then, so that what was typed in a game may be typed again in a shorter one.
    """
    if _meant(match, question) == "again":
        return Answers(("y", "Y", "y", "Y", "n", "N"), BAD_ANSWERS)
    if match.position is None:
        return Answers(())
    legal = moves(match.position) or _ANYTHING
    if match.well != bool(match.games % 2) and any(match.position.heaps):
        legal = (*legal, *SOLVER.best(match.position) * _WELL)
    return Answers(either_case(legal), either_case(_illegal(match.position)))


def answer(match: Match, question: str, text: str) -> Match:
    """The match after ``text`` was typed, legal or not."""
    asked = replace(match, question=_meant(match, question) or "", typed=text, refusal_due="")
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


# --------------------------------------------------------------------------------- all positions that can be reached

POSITIONS = "positions in which the computer has to move"


def place(match: Match, question: str) -> tuple[tuple[int, ...], int] | None:
    """The heaps, and who began the game; no heaps between two games, and None where either is not known for sure."""
    if not match.starter:
        return None
    if _meant(match, question) == "again":
        return (), match.starter
    if match.position is None or match.doubtful or match.unseen or not any(match.position.heaps):
        return None
    return match.position.heaps, match.starter


def ways(place: tuple[tuple[int, ...], int]) -> tuple[Way, ...]:
    """The user's moves; between two games a y, after which the computer may have to begin."""
    heaps, starter = place
    if not heaps:
        begun = (Position().heaps, starter)
        return (Way("y", leads=("begins", *begun), counts=begun if starter == COMPUTER else None),)
    return tuple(_way(Position(heaps), move, starter) for move in moves(Position(heaps)))


def _way(position: Position, move: str, starter: int) -> Way:
    after = result(position, move)
    ends = outcome(after) is not None
    return Way(
        move,
        leads=(after.heaps, starter),
        counts=None if ends else (after.heaps, starter),
        wins=not SOLVER.wins(after),
        ends=ends,
    )


def typed(match: Match, question: str, aim: object) -> str | None:
    """What is typed for a way: its answer in either case, as long as it is known where that leads."""
    known = place(match, question)
    return None if known is None else str(aim).upper() if sum(known[0]) % 2 else str(aim)


def _meant(match: Match, question: str | None) -> str | None:
    """The question, where a mere “try again” repeats the last one."""
    return match.question or "move" if question == "retry" else question


def _said(heard: Heard, *names: str) -> bool:
    return any(fact.name in names for fact in heard.facts)


def _after_no(match: Match, heard: Heard) -> Ruling:
    """The user has said no: the program must end."""
    if heard.ended:
        return Ruling(match, (), ("no",))
    if _said(heard, "refusal") and heard.question == "again":
        fault = Fault("answer-refused", f"{match.typed} is an answer, and it is refused")
        return Ruling(replace(match, stopped=False), (fault,), ("no",))
    if heard.question is None and not heard.facts:
        fault = Fault("bad-end", f"after {match.typed} the program waits for something instead of ending", stops=True)
    else:
        fault = Fault("does-not-stop", f"after {match.typed}, no other game, the program goes on", stops=True)
    return Ruling(match, (fault,), ("no",))


_REFUSALS = {
    "letter": ("letter-taken", "the heaps are A, B and C"),
    "zero": ("zero-taken", "the number of stones must be greater than 0"),
    "negative": ("negative-taken", "the number of stones must be greater than 0"),
    "excess": ("excess-taken", "the heap does not hold so many stones"),
    "answer": ("answer-taken", "only y and n are answers, in either case"),
}
"""What must be refused: the kind of fault if it is not, and why."""


def _after_illegal(match: Match, heard: Heard) -> Ruling:
    """Something was typed that must be refused: the heaps stay, the same is asked again, and a message says why."""
    if match.doubtful and match.question == "move":
        return Ruling(_resumed(match, heard))
    kind, why = _REFUSALS[match.refusal_due]
    boards = _boards(heard)
    refused = _said(heard, "refusal")
    kept = match.position is not None and all(_shows(board, match.position) for board in boards)
    same = heard.question in (match.question, None) and not _said(heard, "move", "starter", "winner")
    of_move = match.question == "move"
    if match.unseen and not kept:
        return Ruling(match, (Fault(UNREAD, _UNSEEN, stops=True),))
    asked = (match.refusal_due, *(("refusal",) if of_move else ()))
    if refused and of_move and (heard.ended or not same):
        what = "the program ends" if heard.ended else "the game goes on"
        lost = f"{match.typed} is refused, and {what} instead of the user being asked again"
        return Ruling(_resumed(match, heard), (Fault("turn-lost", lost, stops=heard.ended),), asked)
    if refused and of_move and not kept:
        changed = f"{match.typed} is refused, and yet the heaps change"
        return Ruling(_resumed(match, heard), (Fault("carried-out", changed),), asked)
    if heard.ended or not same or (boards and not kept):
        ends = ", and the program ends" if heard.ended else ""
        taken = Fault(kind, f"{match.typed} was accepted: {why}{ends}", stops=heard.ended)
        return Ruling(_resumed(match, heard), (taken,), asked[:1])
    faults = []
    if not refused:
        faults.append(Fault("no-message", f"{match.typed} is refused without an error message"))
    if of_move and not boards:
        faults.append(Fault("no-board", f"the heaps are not shown again after {match.typed}, which is refused"))
    return Ruling(match, tuple(faults), (*asked, "asked") if of_move else asked)


def _refused(match: Match, heard: Heard) -> Ruling | None:
    """The ruling where what is legal is refused: it is asked again as if nothing had been typed. None where it is not."""
    if not match.question or _said(heard, "move", "starter", "winner"):
        return None
    if match.question == "again":
        told = f"no other game begins after the answer {match.typed}"
        fault = Fault("answer-refused", told, stops=heard.ended)
        return Ruling(match, (fault,), ("yes",)) if heard.ended or heard.question == "again" else None
    boards = _boards(heard)
    unchanged = match.before is not None and all(_shows(board, match.before) for board in boards)
    if heard.question != match.question or not (unchanged and (boards or _said(heard, "refusal"))):
        return None
    again = replace(match, position=match.before, unseen=False)
    if match.unseen:
        return Ruling(again, (Fault(UNREAD, _UNSEEN, stops=True),))
    if match.doubtful:
        return Ruling(again)
    return Ruling(
        again, (Fault("refused-legal", f"{match.typed} is a legal move, and it is refused"),), (_case(match),)
    )


_UNSEEN = "the computer must have moved, and what it took could not be read"


def _case(match: Match) -> str:
    """The occasion that a legal move is: whether its letter was small or capital."""
    return "capital" if match.typed.strip()[:1].isupper() else "small"


def _resumed(match: Match, heard: Heard) -> Match:
    """The match as the program itself shows it, after something happened that should not: the game goes on from there."""
    scores = {_player(fact): fact.number("wins") for fact in heard.facts if fact.name == "score"}
    if heard.question == "again":
        wins = (scores.get(USER), scores.get(COMPUTER)) if match.question != "again" else match.wins
        between = match.over() if match.question != "again" else match
        return replace(between, wins=wins)
    boards = [board for board in _boards(heard) if set(board) == set(LETTERS)]
    heaps = _heaps(boards[-1]) if boards else None
    if heaps is None or not any(heaps):
        return replace(match, position=match.position or Position(), doubtful=True, unseen=False)
    return replace(match, position=Position(heaps), unseen=False)


Board = dict[str, int | None]
"""The stones that a program shows in each heap; None for what is no number of stones."""


def _events(heard: Heard) -> Iterator[Fact | Board]:
    """What was said in its order, with heaps that are shown one after the other as one board."""
    board: Board = {}
    for fact in heard.facts:
        heap = fact.values.get("heap", "")
        if board and (fact.name != "heap" or heap in board):
            yield board
            board = {}
        if fact.name == "heap":
            board[heap] = fact.number("stones")
        else:
            yield fact
    if board:
        yield board


def _boards(heard: Heard) -> list[Board]:
    return [event for event in _events(heard) if isinstance(event, dict)]


def _shows(board: Mapping[str, int | None], position: Position) -> bool:
    """Whether the heaps that a board shows are those of a position."""
    return all(position.heaps[LETTERS.index(heap)] == stones for heap, stones in board.items())


def _heaps(board: Board) -> tuple[int, ...] | None:
    """The heaps of a whole board of which a game can be played on; None where they are no such."""
    heaps = tuple(board.get(letter) for letter in LETTERS)
    known = tuple(stones for stones in heaps if stones is not None and stones <= _MOST)
    return known if len(known) == len(LETTERS) else None


_MOST = 9
"""The largest heap with which a game is followed: ten stones are too many for any heap."""


def _tell(heaps: tuple[int, ...]) -> str:
    return ", ".join(f"{letter.upper()} {n}" for letter, n in zip(LETTERS, heaps, strict=True))


class _Hearing:
    """One turn heard in a running match, fact by fact: the position as it is told, and the faults so far."""

    def __init__(self, match: Match, heard: Heard) -> None:
        self._heard = heard
        self._was = self._match = match
        self._faults: list[Fault] = []
        self._occasions: list[str] = []
        self._fresh = self._begins = match.position is None
        self._position = match.position or Position(player=match.starter or USER)
        self._doubtful = match.doubtful
        self._unseen = match.unseen
        self._anew = False
        """Whether the next heaps are believed, because the game cannot be followed up to them."""
        self._seen_from_heaps = ""
        self._shown = 0
        self._winner_named = self._early = False
        self._scores: set[int] = set()
        self._winner = outcome(self._position) or 0
        if self._winner:
            self._match = match.after(self._winner)
        if match.question == "move" and not match.doubtful:
            self._occasions.append(_case(match))
        elif match.question == "again":
            self._occasions.append("yes")

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
        if self._winner:
            after = replace(self._match, position=None)
        else:
            after = replace(self._match, position=self._position, doubtful=self._doubtful, unseen=self._unseen)
        return Ruling(after, tuple(self._faults), tuple(self._occasions))

    @property
    def _stopped(self) -> bool:
        return any(fault.stops for fault in self._faults)

    def _fault(self, kind: str, message: str, *, stops: bool = False) -> None:
        self._faults.append(Fault(kind, message, stops))

    def _found(self, kind: str) -> bool:
        return any(fault.kind == kind for fault in self._faults)

    def _on_fact(self, fact: Fact) -> None:
        if fact.name == "starter" and self._fresh:
            self._starts(_player(fact))
        elif fact.name == "move":
            self._on_move(fact)
        elif fact.name == "winner":
            self._on_winner(_player(fact))
        elif fact.name == "score":
            self._on_score(_player(fact), fact.number("wins"))

    def _starts(self, player: int) -> None:
        """A player starts, rightly or not; the game is followed all the same."""
        due = self._match.starter
        if due and player != due and not self._found("wrong-starter"):
            self._fault("wrong-starter", f"player {player} starts the game, and it is player {due} who must")
        self._position = replace(self._position, player=player)

    # -------------------------------------------------------------------------------------------------------- the heaps

    def _on_board(self, board: Board) -> None:
        whole = set(board) == set(LETTERS)
        if whole and not self._fresh and not self._doubtful:
            self._occasions.append("heaps")
        if self._unseen and whole:
            self._seen_at_last(board)
            return
        if _shows(board, self._position):
            self._shown += whole
            self._carried_out()
            return
        move = self._move_to(board)
        if move:
            self._seen_from_heaps = move
            self._moved(move)
        elif self._fresh and whole:
            self._wrong_start(board)
        else:
            self._wrong_heaps(board)
        self._anew = self._anew and not whole

    def _seen_at_last(self, board: Board) -> None:
        """The first heaps after a turn of the computer of which nothing was read."""
        self._unseen = False
        if not _shows(board, self._position):
            self._fault(UNREAD, _UNSEEN, stops=True)
            return
        self._shown += 1
        self._carried_out()
        self._fault("no-move", "it was the computer’s turn before, and it did not move")

    def _carried_out(self) -> None:
        """What the program says now shows that the user’s move was made."""
        if self._was.question == "move" and "moved" not in self._occasions:
            self._occasions.append("moved")

    def _wrong_start(self, board: Board) -> None:
        heaps = _heaps(board)
        begins = f"a game begins with {_tell(self._position.heaps)}"
        self._fault("wrong-start", f"{begins}, not with {_listed(board)}", stops=heaps is None or not any(heaps))
        self._position, self._shown = replace(self._position, heaps=heaps or self._position.heaps), 1

    def _wrong_heaps(self, board: Board) -> None:
        """The heaps are not what the moves leave: the program is believed, and judged no further in this game."""
        if not self._doubtful and not self._anew:
            self._fault("wrong-heaps", f"the heaps hold {_tell(self._position.heaps)}, and it shows {_listed(board)}")
        heaps = _heaps(board)
        self._doubtful = self._doubtful or not self._anew or heaps is None
        self._shown += set(board) == set(LETTERS)
        if heaps is not None:
            self._position = replace(self._position, heaps=heaps)

    def _shown_before(self, event: str) -> None:
        if not self._shown and not self._found("no-board"):
            self._fault("no-board", f"{event}, and the heaps are not shown before")

    def _move_to(self, board: Board) -> str:
        """The move of the computer that a board shows to be made; empty where there is none, or where another is told."""
        if self._position.player != COMPUTER or self._seen_from_heaps or set(board) != set(LETTERS):
            return ""
        told = {_announced(fact) for fact in self._heard.facts if fact.name == "move"}
        among = (move for move in moves(self._position) if not told or move in told)
        return next((move for move in among if _shows(board, result(self._position, move))), "")

    # -------------------------------------------------------------------------------------------------------- the moves

    def _on_move(self, fact: Fact) -> None:
        if self._seen_from_heaps:
            self._seen_from_heaps = ""
            return
        move = _announced(fact)
        if self._position.player == USER and self._fresh:
            self._starts(COMPUTER)
        if self._position.player == COMPUTER and move in moves(self._position):
            self._moved(move)
            return
        if not self._doubtful:
            with_heaps = f"with {_tell(self._position.heaps)}"
            twice = f"the computer moves, and it is the user’s turn, {with_heaps}"
            self._fault("illegal-move", f"the computer moves {move or '?'} {with_heaps}" if self._its_turn else twice)
            self._occasions.append("computer")
            self._carried_out()
        self._anew, self._fresh = True, False
        self._position = replace(self._position, player=USER)

    @property
    def _its_turn(self) -> bool:
        return self._position.player == COMPUTER

    def _moved(self, move: str) -> None:
        """The computer has made a legal move: is it one that the strategy allows?"""
        if not self._fresh:
            self._carried_out()
        if not self._doubtful:
            self._judge_move(move)
        self._position = result(self._position, move)
        self._fresh = self._unseen = False
        self._shown = 1 if self._seen_from_heaps else 0
        self._winner = outcome(self._position) or 0
        if self._winner:
            self._match = self._match.after(self._winner)

    def _judge_move(self, move: str) -> None:
        self._shown_before("the computer moves")
        good, wins = best(self._position), SOLVER.wins(self._position)
        self._occasions += ["computer", "won-position" if wins else "lost-position"]
        if move not in good:
            told = f"with {_tell(self._position.heaps)} the computer moves {move}"
            if wins:
                self._fault("poor-move", f"{told}; {' or '.join(good)} would have kept the win")
            else:
                self._fault("wrong-stall", f"{told}; right is {good[0]}")

    # ---------------------------------------------------------------------------------------------------- winner, score

    def _on_winner(self, player: int) -> None:
        if self._early:
            return
        last = [move for move in moves(self._position) if outcome(result(self._position, move)) is not None]
        if last and player == COMPUTER == self._position.player:
            self._moved(last[0])
        self._winner_named = True
        if self._winner and (player == self._winner or self._doubtful):
            self._match = self._match if player == self._winner else self._was.after(player)
        elif self._winner:
            told = f"player {self._winner} took the last stone, and player {player} is named as the winner"
            self._fault("wrong-winner", told)
            self._match = replace(self._match, starter=0, wins=(None, None))
        else:
            self._too_early(player)

    def _too_early(self, player: int) -> None:
        if not self._doubtful:
            self._fault("ended-early", f"a winner is named, and the heaps hold {_tell(self._position.heaps)}")
        self._early, self._winner = True, player
        self._match = self._match.after(player)

    def _on_score(self, player: int, wins: int | None) -> None:
        true = self._match.wins[player - 1]
        self._scores.add(player)
        if true is not None and wins != true:
            self._fault(
                "wrong-score",
                f"player {player} has won {true} games, and the score says {'?' if wins is None else wins}",
            )
        shown = (wins, self._match.wins[1]) if player == USER else (self._match.wins[0], wins)
        self._match = replace(self._match, wins=shown)

    # -------------------------------------------------------------------------------------------------------- the end

    def _at_its_end(self) -> None:
        if self._begins:
            self._at_the_start_of_a_game()
        if self._seen_from_heaps and not self._doubtful:
            took = f"the heaps show that the computer took {self._seen_from_heaps}"
            self._fault("untold-move", f"{took}, and no text tells it")
        if self._winner:
            self._at_the_end_of_a_game()
        elif self._heard.ended:
            self._fault("ended-early", "the program ends in the middle of a game", stops=True)
            self._occasions.append("end")
        elif self._heard.question == "again":
            self._asks_too_early()
        elif self._heard.question == "move" and self._position.player == COMPUTER:
            self._without_a_move()
        elif self._heard.question == "move":
            self._before_a_move()

    def _at_the_start_of_a_game(self) -> None:
        told = _said(self._heard, "starter")
        if not told and self._heard.question != "again":
            self._fault("no-starter", "a game begins, and it is not told who goes first")
        if not self._shown and self._fresh and not told:
            return  # nothing of a game is to be seen
        self._occasions.append("start")
        if self._was.starter:
            self._occasions.append(f"after-{3 - self._was.starter}" if self._was.games else "first")

    def _asks_too_early(self) -> None:
        if not self._doubtful:
            told = _tell(self._position.heaps)
            self._fault("ended-early", f"it asks for another game, and the heaps hold {told}")
            self._occasions.append("end")
        self._match, self._winner = replace(self._match.over(), wins=self._known_scores()), USER

    def _known_scores(self) -> tuple[int | None, int | None]:
        user, computer = self._match.wins
        return (user if USER in self._scores else None, computer if COMPUTER in self._scores else None)

    def _at_the_end_of_a_game(self) -> None:
        self._occasions.append("end")
        if self._heard.question == "move":
            if self._early or self._doubtful:  # it names a winner, and plays on: its heaps tell how
                self._winner, self._doubtful = 0, True
                self._match = self._was
                return
            self._fault("plays-on", "no stone is left, and it asks for a move", stops=True)
            return
        if self._was.question == "move":
            self._carried_out()
        unread = not self._winner_named and _said(self._heard, "somebody-wins")
        if unread:
            who = "the game is over, and who is said to win could not be read"
            self._faults.append(Fault(UNREAD, who, about=("no-winner", "wrong-winner")))
        elif not self._winner_named:
            self._fault("no-winner", "the game is over, and no winner is named")
        if self._scores == {USER, COMPUTER}:
            self._occasions.append("score")
        else:
            self._fault("no-score", "the game is over, and the score of both is not shown")
        if not self._doubtful and not self._early and not unread and (self._winner_named or self._scores):
            self._occasions.append("won")
        if self._heard.ended:
            self._fault("never-asks", "the program ends without asking for another game", stops=True)
        elif _said(self._heard, "refusal"):
            self._fault("read-twice", "an answer is refused that nobody gave")

    def _before_a_move(self) -> None:
        """The user is asked for a move, and rightly."""
        self._occasions.append("asked")
        self._shown_before("the user is asked")
        if self._was.question == "move" and _said(self._heard, "refusal") and not self._doubtful:
            self._fault("read-twice", "a move is refused that nobody made")

    def _without_a_move(self) -> None:
        """The user is asked, and nobody has said what the computer took."""
        told = any(fact.name == "starter" and _player(fact) == COMPUTER for fact in self._heard.facts)
        if self._fresh and self._shown and not (told and self._shown > 1):
            self._starts(USER)
        elif self._shown > 1 and not self._doubtful:
            self._occasions.append("computer")
            self._fault("no-move", "it is the computer’s turn, and it does not move")
        elif self._shown and not self._doubtful:
            self._unseen = True
        elif not self._doubtful:
            self._fault(UNREAD, _UNSEEN, stops=True)
        self._position = replace(self._position, player=USER)


def _listed(board: Board) -> str:
    return ", ".join(f"{heap.upper()} {'?' if stones is None else stones}" for heap, stones in board.items())


def _player(fact: Fact) -> int:
    """The player that a fact names, by number or in a word; “you lose” names the computer."""
    number = fact.number("player") or fact.number("named")
    return number or (USER if fact.values.get("name") in ("you", "human", "user") else COMPUTER)


def _announced(fact: Fact) -> str:
    groups = fact.values
    return canonical(f"{groups.get('heap') or groups.get('pile')}{groups.get('count') or groups.get('number')}")


def position(match: Match) -> str:
    """The heaps that there must be, as the assignment shows them; empty before the first ones."""
    heaps = match.position.heaps if match.position else ()
    return "\n".join(f"{letter}: {stones}" for letter, stones in zip(LETTERS, heaps, strict=False))

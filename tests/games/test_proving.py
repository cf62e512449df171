"""Every position tried: a pile of six, from which players take one or two.

The player who takes the last wins, and the program answers at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from grader.games.follow.following import Followed, Reader, Rulings, follow
from grader.games.follow.forking import Forks
from grader.games.follow.proving import Explorer, Path, Walk
from grader.games.ground import Way
from grader.games.referee import AFTER_REFUSAL, Answers, Fault, Heard, Referee, Ruling, of_module
from grader.results import Proof
from grader.spec.kinds.runs import GameSet
from grader.spec.model import TextRules
from grader.transcript import Ending, EndingKind
from tests.scripted import Written

READER = Reader(
    TextRules.model_validate(
        {
            "facts": [{"name": "left", "pattern": r"(?P<count>\d+) left"}],
            "questions": [{"name": "take", "pattern": r"take\?"}],
        }
    )
)
GAMES = GameSet(games=20, inputs=20, covers="positions")
LABEL = "positions in which the program has to take"


class Pile:
    """The rules: the program must leave a multiple of three where it can."""

    START = 6
    FAULTS = ("poor-move", "taken")
    OCCASIONS: ClassVar = {"reply": "replies"}
    OCCASIONS_OF: ClassVar = {"poor-move": ("reply",), "taken": ("reply",)}
    POSITIONS = LABEL

    def hear(self, left: int, heard: Heard) -> Ruling:
        """The rest tells what the program took."""
        shown = heard.facts[-1].number("count") if heard.facts else None
        if shown is None or left == self.START:
            return Ruling(left)
        poor = Fault("poor-move", f"of {left} it leaves {shown}")
        return Ruling(shown, (poor,) if left % 3 and shown % 3 else (), ("reply",))

    def answers(self, left: int, _question: str) -> Answers:
        """One or two."""
        return Answers(("1", "2"))

    def answer(self, left: int, _question: str, text: str) -> int:
        """The pile after the user's move."""
        return left - int(text)

    def place(self, left: int, _question: str) -> int | None:
        """What is left."""
        return left if left > 0 else None

    def ways(self, left: int) -> tuple[Way, ...]:
        """One and two, and 0, which must be refused."""
        legal = (n for n in (1, 2) if n <= left)
        moves = tuple(
            Way(str(n), left - n, counts=left - n or None, wins=not (left - n) % 3, ends=n == left) for n in legal
        )
        return (Way("0", (left, "0"), stays=True), *moves)

    def typed(self, _left: int, _question: str, aim: object) -> str:
        """As it is."""
        return str(aim)


REFEREE = of_module(Pile(), "here")


@dataclass
class Talk(Written):
    """A program that leaves ``reply(left, number of its move)`` stones."""

    reply: Callable[[int, int], int]
    left: int = 6
    moves: int = 0
    instructions: int = 0

    def advance(self) -> Ending | None:
        """Wait as long as there are stones."""
        return None if self.left > 0 else Ending(EndingKind.ENDED, "ended")

    def take_output(self) -> bytes:
        """What is left."""
        return f"{self.left} left, take? ".encode()

    def send(self, text: str) -> None:
        """Take what was typed, and answer."""
        self.left -= int(text)
        self.moves += 1
        self.instructions += 10
        if self.left > 0 and int(text):
            self.left = self.reply(self.left, self.moves)

    def fork(self) -> Self:
        """Another in the same state."""
        return replace(self)


def perfect(left: int, _number: int) -> int:
    """The numbers that are right to leave."""
    return left - (left % 3 or 1)


def errs_at_five(left: int, number: int) -> int:
    """Wrong in one position."""
    return 4 if left == 5 else perfect(left, number)


def explored(reply: Callable[[int, int], int], games: GameSet = GAMES) -> tuple[Explorer, list[Followed]]:
    """All games that are played with such a program."""
    explorer = Explorer(REFEREE, games)
    played = []
    for number in range(games.games):
        walk = explorer.walk()
        played.append(follow(Talk(reply), Rulings(REFEREE, READER), walk.draw))
        explorer.close(played[-1])
        if explorer.ends_with(number):
            break
    return explorer, played


def test_every_position_that_a_perfect_program_reaches_is_tried():
    """From six the user leaves five or four, from three two or one; no game is played twice."""
    explorer, played = explored(perfect)
    assert explorer.proof() == Proof(LABEL, 4, 4)
    assert explorer.proof().sentence == f"proved over all 4 {LABEL}"
    assert len(played) == 2
    assert not any(one.faults for one in played)


def test_a_fault_in_one_position_is_found():
    """The program errs at five alone."""
    _, played = explored(errs_at_five)
    assert {fault.message for one in played for _, fault in one.faults} == {"of 5 it leaves 4"}


def test_the_shortest_path_to_a_fault_is_played_on_to_the_win():
    """From six by one to five, where the program errs and leaves four: the user then leaves three, and wins."""
    explorer, _ = explored(errs_at_five)
    walk = Walk(explorer, 20, Path(6, (REFEREE.known_ground.ways(6)[1],)), winning=True)
    followed = follow(Talk(errs_at_five), Rulings(REFEREE, READER), walk.draw)
    assert [turn.typed for turn in followed.transcript.turns[:2]] == ["1\n", "1\n"]
    assert walk.won


def test_without_enough_games_it_is_said_how_far_they_came():
    """One game is not enough for all positions, and the result claims no proof."""
    explorer, _ = explored(perfect, GAMES.model_copy(update={"games": 1}))
    sentence = explorer.proof().sentence
    assert sentence == f"tried in 2 of at least 4 {LABEL}: the limit of 1 games is reached"


def test_a_program_that_does_not_always_move_alike_proves_nothing():
    """After the same answer in the same position it leaves four, and in another game three."""
    explorer, _ = explored(perfect)
    way = explorer.ways(6)[0]
    explorer.led(6, way, 4)
    explorer.led(6, way, 3)
    assert explorer.proof().sentence == f"tried in all 4 {LABEL}, and not proved: it does not always make the same move"


def test_what_must_be_refused_is_typed_only_where_a_set_asks_for_it():
    """A share of illegal answers brings the ways that lead nowhere along."""
    explorer, played = explored(perfect, GAMES.model_copy(update={"illegal": 1}))
    typed = [turn.typed for one in played for turn in one.transcript.turns]
    assert typed.count("0\n") == 2
    assert explorer.proof().tried == 4


def test_a_session_that_forks_goes_every_way_once():
    """The same positions, each way from a fork of its place: as one game, with the shortest inputs to each fault."""
    explorer = Explorer(REFEREE, GAMES.model_copy(update={"illegal": 1}))
    forks = Forks(explorer, Rulings(REFEREE, READER), spent_up=lambda: False)
    followed = forks.explore(Talk(errs_at_five))
    assert followed is not None
    assert [fault.message for _, fault in followed.faults] == ["of 5 it leaves 4"]
    assert forks.shows["poor-move"][0] == ("1",)
    assert explorer.proof().why == ""
    assert followed.transcript.usage.instructions == forks.instructions > 0


class Refused(Pile):
    """The same rules, where games also go on after what was refused."""

    FAULTS = (*Pile.FAULTS, AFTER_REFUSAL)
    OCCASIONS: ClassVar = {**Pile.OCCASIONS, "gone-on": "moves after a refusal"}
    OCCASIONS_OF: ClassVar = {**Pile.OCCASIONS_OF, AFTER_REFUSAL: ("gone-on",)}


@dataclass
class Offended(Talk):
    """A program that leaves two stones in the place of three once it has refused something, or ``mutters`` and does so after a one."""

    refused: bool = False
    mutters: bool = False

    def take_output(self) -> bytes:
        """What is left."""
        return b"Hm. " * (self.refused and self.mutters) + super().take_output()

    def send(self, text: str) -> None:
        """Remember whether something was refused."""
        if text.strip() == "0":
            self.refused = True
            return
        super().send(text)
        if self.refused and self.left == 3 and text.strip() in (("1",) if self.mutters else ("1", "2")):
            self.left = 2


def forked(program: Talk, referee: Referee) -> tuple[Forks, Followed]:
    """All ways of a program, and what they show."""
    forks = Forks(
        Explorer(referee, GAMES.model_copy(update={"illegal": 1})), Rulings(referee, READER), spent_up=lambda: False
    )
    followed = forks.explore(program)
    assert followed is not None
    return forks, followed


def test_a_game_goes_on_from_a_fork_that_has_refused() -> None:
    """A fault that only follows a refusal has a kind of its own; one that shows without a refusal counts there, and not here."""
    referee = of_module(Refused(), "here")
    _, followed = forked(Talk(lambda left, _: left - 1), referee)
    assert {fault.kind for _, fault in followed.faults} == {"poor-move"}
    assert followed.occasions["gone-on"] > 0
    forks, followed = forked(Offended(perfect), referee)
    assert {fault.kind: fault.message for _, fault in followed.faults} == {AFTER_REFUSAL: "of 4 it leaves 2"}
    assert (forks.underlying, forks.shows[AFTER_REFUSAL][1]) == ("poor-move", ("0", "2"))


def test_every_way_is_gone_where_a_refusal_changes_the_text() -> None:
    """The game takes two, which is right, and says something else than without a refusal: one is tried as well."""
    forks, _ = forked(Offended(perfect, mutters=True), of_module(Refused(), "here"))
    assert forks.shows[AFTER_REFUSAL][1] == ("0", "1")


def test_no_game_goes_on_where_the_referee_knows_no_such_fault() -> None:
    """The same program shows nothing to a referee that does not ask for it."""
    _, followed = forked(Offended(perfect), REFEREE)
    assert not followed.faults
    assert "gone-on" not in followed.occasions


@dataclass
class Endless(Talk):
    """A program that adds stones, and prints pages with each: there is no end of its positions."""

    def take_output(self) -> bytes:
        """The rest, and pages."""
        return b"." * 12_000 + super().take_output()


def test_a_program_without_an_end_of_positions_is_left() -> None:
    """The result of the ways that were gone, and the output on them."""
    explorer = Explorer(REFEREE, GAMES.model_copy(update={"games": 10_000}))
    forks = Forks(explorer, Rulings(REFEREE, READER), spent_up=lambda: False)
    followed = forks.explore(Endless(lambda left, _: left + 9))
    assert followed is not None
    assert followed.transcript.usage.turns < 3000
    assert explorer.proof().more

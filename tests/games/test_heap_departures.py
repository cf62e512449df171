"""Departures from the rules of heaps: a program that plays by one is told by it, and charged once."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.games.follow.following import Followed, Reader, Rulings, follow
from grader.games.heaps.departures import departures
from grader.games.heaps.moving import RIGHT, STAYS, Conduct, Drawing, Exchanged, allowed, less
from grader.games.heaps.own_rules import conducted, departed
from grader.games.learn.fit import Departure
from grader.games.referee import CRASH, of_module
from grader.sessions.reference import load
from grader.spec.loader import load_assignment
from grader.transcript import Ending, EndingKind
from tests.scripted import Scripted

ROOT = Path(__file__).parents[2]
REFEREE = of_module(load(ROOT / "reference" / "lc3_nim"), "lc3_nim")
READER = Reader(load_assignment(ROOT / "specs" / "lc3-nim.yaml").spec.text)
HALTED = Ending(EndingKind.ENDED, "halted")
ROWS = "ABC"
MOVES, BOUNDS, TURNS, COMPUTER, STARTERS, ENDS, NAMED = departures(REFEREE.duel)
GAMES = (
    "A1 B2 C3 A1 B1 C1 A2 B3 C9 C4 B1 C2 A1 C1",
    "C8 B4 A4 B1 A2 C1 B6 A1 B1 A1 B1 C1",
    "B5 A2 C7 A9 B2 C1 B0 A0 A1 C1 A1 B1",
    "C2 C1 C9 @1 C4 B2 D2 B1 A3 @2 D1 C1 B2 C1 B1 A1",
)
"""Moves that are tried: those of each row, the last rock of each among them, and more than there are."""


def said(conduct: Conduct, moves: list[str], refusal: str) -> list[str]:
    """The turns of a program that plays so, up to the end of its game."""
    rocks, player = (3, 5, 8), 2 if conduct.begins else 1
    turns = []

    def shows(text: str) -> None:
        at = conduct.drawn.heap if isinstance(conduct.drawn, Drawing) else None
        drawn = tuple(7 if at in (-1, row) else n for row, n in enumerate(rocks))
        if isinstance(conduct.drawn, Exchanged):
            drawn = tuple(rocks[row] for row in conduct.drawn.places)
        board = "".join(f"ROW {row}: {'o' * n}\n" for row, n in zip(ROWS, drawn, strict=True))
        turns.append(f"{text or board}Player {player}, choose a row and number of rocks: ")

    shows("")
    for move in moves:
        typed = conduct.reads((ord(move[0]) - ord("A"), int(move[1])))
        if not conduct.takes(rocks, typed):
            rocks = less(rocks, typed) if conduct.misreports and allowed(rocks, typed) else rocks
            shows(refusal)
            continue
        wrong = tuple(min(n + 1, 9) if row == conduct.astray else n for row, n in enumerate(rocks))
        rocks = conduct.after(rocks, typed, (wrong,))
        player = player if conduct.strangers else 3 - player
        if sum(rocks) == conduct.rest or (not any(rocks) and conduct.rest >= 0):
            return [*turns, f"Player {3 - player if conduct.loser else player} Wins.\n"]
        shows("")
    return turns


def played(conduct: Conduct, referee=REFEREE, refusal: str = "Invalid move. Try again.\n") -> list[Followed]:
    """The games of such a program."""
    games = []
    for moves in (game.split() for game in GAMES):
        turns = said(conduct, moves, refusal)
        ending = HALTED if "Wins" in turns[-1] else None
        games.append(follow(Scripted(*turns, wants="key", ending=ending), Rulings(referee, READER), typing(moves)))
    return games


def typing(moves: list[str]):
    """The moves one after the other, whatever may be typed."""
    rest = iter(moves)
    return lambda *_: next(rest, None)


def conduct_of(row: Departure) -> Conduct:
    """The conduct with this departure alone."""
    return Conduct(**{row.field: row.value})


def charges(games: list[Followed]) -> set[str]:
    """The kinds of faults in games."""
    return {fault.kind for game in games for _, fault in game.faults}


def test_right_rules_are_never_departed_from():
    """A program that plays by the rules has no fault, and nothing is looked for."""
    assert charges(played(RIGHT)) == set()
    assert departed(REFEREE, played(RIGHT)) == ()


@pytest.mark.share(3)
@pytest.mark.parametrize("row", [*MOVES, *BOUNDS, *TURNS, *ENDS, *NAMED], ids=lambda row: row.sentence)
def test_a_program_that_departs_from_the_rules_is_charged_for_that_alone(row):
    """It is told by its departure, or by one that foretells the same and has the same charge; nothing else is charged behind it."""
    found = departed(REFEREE, played(conduct_of(row)))
    assert [one.charge for one in found] == [row.charge]
    assert charges(played(conduct_of(row), conducted(REFEREE, found))) == {row.charge}


@pytest.mark.parametrize("conduct", [Conduct(more=-1), Conduct(otherwise=(-1, STAYS)), Conduct(astray=2)])
def test_a_departure_in_valid_moves_is_shown_by_a_valid_move(conduct):
    """“B6” of five rocks is accepted as well, where one less is taken than is typed; that is no example of a wrong board."""
    referee = conducted(REFEREE, departed(REFEREE, played(conduct)))
    examples = [
        fault.message.partition(", as here: ")[2] for game in played(conduct, referee) for _, fault in game.faults
    ]
    assert examples
    assert not any("accepts" in one for one in examples)


def test_a_row_that_is_refused_is_told_as_that_where_no_code_before_its_letter_was_typed():
    """“From A, ?, B where @, A, B is typed” explains the same games, and tells of a “@” that nobody typed."""
    row = next(one for one in MOVES if one.sentence == "the program refuses all moves from row A")
    without_codes = [game for game in played(conduct_of(row)) if "@1" not in game.transcript.inputs]
    assert [one.sentence for one in departed(REFEREE, without_codes)] == [row.sentence]


def test_a_wrong_drawing_is_free_where_the_program_breaks_as_it_draws():
    """A loop that draws no rocks may draw them without end later: the crash is charged, and not the start as well."""
    found = departed(REFEREE, played(Conduct(drawn=Drawing(-1))))
    faults = [
        fault for game in played(Conduct(drawn=Drawing(-1)), conducted(REFEREE, found)) for _, fault in game.faults
    ]
    assert {(fault.kind, fault.causes) for fault in faults} == {("wrong-start", (CRASH,))}


def test_a_fault_that_is_seen_once_is_no_departure():
    """One rock too many is charged as it is; where it comes twice it is how the program plays."""
    once = next(game for game in played(Conduct(otherwise=(0, "one-more"))) if len(game.faults) == 1)
    assert departed(REFEREE, [once]) == ()
    assert departed(REFEREE, [once, once]) != ()


def test_a_fault_that_no_departure_explains_is_judged_beside_it():
    """A program that leaves row B as it was, and refuses without a message, is charged for both."""
    conduct = Conduct(otherwise=(1, "stays"))
    found = departed(REFEREE, played(conduct, refusal=""))
    assert [one.sentence for one in found] == ["the program leaves row B as it was after a move"]
    assert charges(played(conduct, conducted(REFEREE, found), refusal="")) == {"wrong-board", "no-message"}


def test_games_that_are_drawn_wrongly_and_end_wrongly_show_two_mistakes():
    """A program that draws no rocks and names the loser was read as one that accepts moves from empty rows."""
    conduct = Conduct(drawn=Drawing(-1), loser=True)
    found = departed(REFEREE, played(conduct))
    assert [one.charge for one in found] == ["wrong-start"]
    assert charges(played(conduct, conducted(REFEREE, found))) == {"wrong-start", "wrong-winner"}


def test_a_row_that_is_drawn_wrongly_and_another_that_is_refused_are_both_told():
    """Only moves from row A showed that it plays at all: the two mistakes are found together."""
    refused = next(one for one in MOVES if one.sentence == "the program refuses all moves from row B")
    conduct = Conduct(drawn=Drawing(2), heaps=refused.value)
    found = departed(REFEREE, played(conduct))
    assert {one.field for one in found} == {"drawn", "heaps"}
    assert charges(played(conduct, conducted(REFEREE, found))) == {"wrong-start", "refused-legal"}


def test_a_departure_that_explains_the_ends_is_no_rival_of_one_that_leaves_them():
    """One less is taken than is typed, and row B is drawn wrongly: that also explains how the games seem to end."""
    conduct = Conduct(more=-1, drawn=Drawing(1))
    assert {one.field for one in departed(REFEREE, played(conduct))} == {"more", "drawn"}


def test_a_departure_is_found_beside_refusals_that_say_nothing():
    """Where one less is taken, one is refused as nothing, and the same player is asked again: that follows, and is no lost turn."""
    found = departed(REFEREE, played(Conduct(more=-1), refusal="\n"))
    assert [one.sentence for one in found] == ["the program takes one less than is typed"]
    assert charges(played(Conduct(more=-1), conducted(REFEREE, found), refusal="\n")) == {"wrong-board", "no-message"}


def test_a_program_that_ends_at_a_refusal_is_charged_whoever_it_asks():
    """Players who do not take turns explain that another is asked after a refusal, and not that the program ends."""
    strangers = tuple(row for row in TURNS if row.field == "strangers")
    rulings = Rulings(conducted(REFEREE, strangers), READER)
    first = said(RIGHT, [], "")[0]
    ends = follow(Scripted(first, "Invalid move.\n", wants="key", ending=HALTED), rulings, typing(["D1"]))
    goes_on = "Invalid move.\nPlayer 2, choose a row and number of rocks: "
    asks = follow(Scripted(first, goes_on, wants="key", ending=None), rulings, typing(["D1"]))
    assert [charges([game]) for game in (ends, asks)] == [{"turn-lost"}, set()]


def test_a_game_is_known_behind_a_departure_unless_a_computer_breaks_the_rules():
    """Player 2 who begins hides nothing that comes later. What a computer does that takes what it likes is foretold by nobody."""
    (begins, *_), (lost,) = TURNS, COMPUTER
    for row, passes in ((begins, True), (lost, False)):
        games = played(conduct_of(begins), conducted(REFEREE, (begins, row) if row is lost else (begins,)))
        assert {fault.passes for game in games for _, fault in game.faults} == {passes}


def test_a_drawing_tells_what_a_heap_holds_where_no_two_look_alike():
    """7 is shown as 6, and so is 6: what is due may be there, and else nobody knows. A number of no pair is shown as it is."""
    drawing = Drawing(-1, ((6, 6), (7, 6), (8, 9), (9, 10)))
    assert drawing.held((9, 3, 6), due=(8, 3, 7)) == (8, 3, 7)
    assert drawing.held((9, 3, 2), due=(7, 3, 7)) == (8, 3, 2)
    assert [drawing.doubts(heaps) for heaps in ((9, 3, 2), (9, 3, 6), (10, 3, 2))] == [False, True, True]
    assert Drawing(0).held((7, 3, 2), due=(8, 3, 7)) == (8, 3, 2)


def test_games_that_end_early_only_now_and_then_are_no_departure():
    """Where two games end when one rock is left and others go on, no rule of the program says when they end."""
    early = played(Conduct(rest=1))
    assert departed(REFEREE, early) != ()
    assert departed(REFEREE, [*early[:2], *played(RIGHT)]) == ()


def test_a_program_plays_right_from_heaps_in_which_its_departure_does_not_show() -> None:
    """A program that leaves row B as it was is ruled on once for moves from the others."""
    conduct = Conduct(otherwise=(1, STAYS))
    assert conduct.plays_right([(3, 5, 8)], (0, 2))
    assert not conduct.plays_right([(3, 5, 8)], (1, 2))
    assert not Conduct(inverted=(0, False)).plays_right([(3, 5, 8)], (0, 2))

"""Games drawn by a seed, and shapes of inputs."""

from __future__ import annotations

from fractions import Fraction

import pytest

from grader.bundled import specs_folder
from grader.errors import JudgeError
from grader.games.follow.sampling import parse_shape, sample, shrink
from grader.games.heaps.moving import allowed, less
from grader.sessions.reference import ReferenceSession, load
from grader.spec.kinds.runs import Differential

NIM = load(specs_folder().parent / "reference" / "lc3_nim")


def test_the_same_seed_draws_the_same_games():
    """A seed stands for its games; another seed draws others."""
    first = sample(NIM.play, Differential(games=5, seed=4))
    assert first == sample(NIM.play, Differential(games=5, seed=4))
    assert first != sample(NIM.play, Differential(games=5, seed=5))


def test_legal_games_are_legal_and_come_to_an_end():
    """Without illegal shapes every input is a legal move, and each game is played to its end."""
    for game in sample(NIM.play, Differential(games=20, seed=1)):
        heaps = (3, 5, 8)
        for typed in game:
            move = "ABC".index(typed[0]), int(typed[1])
            assert allowed(heaps, move)
            heaps = less(heaps, move)
        assert heaps == (0, 0, 0)


def test_illegal_shapes_are_drawn_in_their_share():
    """About the asked share of inputs comes from the illegal shapes."""
    games = sample(NIM.play, Differential(games=50, seed=1, illegal=("[D-F]9",), share=Fraction(1, 2)))
    drawn = [text for game in games for text in game]
    bad = sum(text[0] in "DEF" for text in drawn)
    assert 0.4 < bad / len(drawn) < 0.6


def test_a_game_is_cut_off_after_so_many_inputs():
    """The limit on inputs holds, and is reached."""
    games = sample(NIM.play, Differential(games=3, seed=1, illegal=("Z9",), share=Fraction(1), inputs=7))
    assert [len(game) for game in games] == [7, 7, 7]


def test_unfinished_games_stop_before_their_last_move():
    """Games that are not to be finished are the same games, without the move that ends them."""
    whole = sample(NIM.play, Differential(games=10, seed=1))
    unfinished = sample(NIM.play, Differential(games=10, seed=1, finish=False))
    assert unfinished == tuple(game[:-1] for game in whole)


@pytest.mark.parametrize(
    ("shape", "places"),
    [("A1", ("A", "1")), ("[A-C][0*]", ("ABC", "0*")), (r"\[[\]-]", ("[", "]-")), ("[!-/]", ("!\"#$%&'()*+,-./",))],
)
def test_shapes(shape, places):
    """A shape is literal characters and classes with ranges and escapes."""
    assert parse_shape(shape) == places


def test_a_broken_shape_is_our_fault():
    """A text that is no shape is refused with its text."""
    with pytest.raises(JudgeError, match=r"\[A-"):
        parse_shape("[A-")


def test_shrinking_keeps_only_what_is_needed():
    """The remaining game fails, and fails no longer when any one input is left out."""
    fails = lambda inputs: {"B", "E"} <= set(inputs)  # noqa: E731
    assert shrink(tuple("ABCDEFGH"), fails) == ("B", "E")


def test_shrinking_stops_after_so_many_attempts():
    """A predicate that is never satisfied again costs no more than the attempts allowed."""
    calls = []
    inputs = tuple("ABCDEFGH")
    assert shrink(inputs, lambda one: bool(calls.append(one)), attempts=5) == inputs
    assert len(calls) == 5


def test_a_fork_of_the_reference_is_a_replay():
    """A fork goes its own way from the same state."""
    session = ReferenceSession(NIM.play)
    session.answer("A1")
    twin = session.fork()
    twin.answer("A2")
    assert "A2" in session.request.legal
    assert "A2" not in twin.request.legal


def test_the_reference_refuses_inputs_of_the_wrong_length():
    """Two keys are two keys."""
    session = ReferenceSession(NIM.play)
    with pytest.raises(JudgeError, match="2 keys"):
        session.answer("A")

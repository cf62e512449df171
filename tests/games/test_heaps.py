"""Games of heaps against the computer in words of its own: what is learned of ten-line programs, and what it leads to."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import pytest

from grader.games.event import COMPUTER, USER, Named, Refused, Score, Shown, Told
from grader.games.follow.following import Reader, Rulings, drawing, follow
from grader.games.heaps import words
from grader.games.heaps.duel import Manner
from grader.games.heaps.facing import COUNT, MOVE
from grader.games.heaps.hearing import Wording
from grader.games.heaps.inferring import Inferring
from grader.games.heaps.learning import played
from grader.games.heaps.moving import Position, allowed, balancing, legal
from grader.games.heaps.speaking import OwnWords, Speaker
from grader.games.heaps.telling import LETTERS, Walks, tellings
from grader.games.referee import of_module
from grader.sessions.reference import Line, SpeakingReference
from grader.spec.kinds.runs import GameSet
from grader.spec.model import TextRules
from reference import c_nim
from reference.c_nim.turns import move_of, say
from tests.reference.test_floods import JOINED, within_seconds
from tests.scripted import runs_of

Play = Generator[str | Line, str, None]


@dataclass(frozen=True)
class Words:
    """How a program talks the game over; each is formatted with what it needs."""

    shows: str = "A={0} B={1} C={2}\n"
    asks: str = "Zug? "
    takes: str = "Der Rechner nimmt {1} von {0}.\n"
    refuses: str = "Geht nicht!\n"
    user: str = "Du gewinnst!\n"
    computer: str = "Der Rechner gewinnt!\n"
    score: str = "Du {0}, Rechner {1}\n"
    again: str = "Noch einmal (y/n)? "
    starts: tuple[str, str] = ("Du beginnst.\n", "Der Rechner beginnt.\n")
    lead: str = ""
    pause: str = ""
    least: int = 1
    apart: bool = False
    first: str = ""
    heaps: tuple[int, ...] = (5, 4, 3)
    poor: Mapping[tuple[int, ...], str] = field(default_factory=dict)


def program(said: Words) -> Callable[[], Play]:
    """A right program in these words, with the given differences."""
    return partial(_play, said)


def _play(said: Words) -> Play:
    if said.lead:
        yield said.lead
        yield Line()
    wins, starter, more = [0, 0], 1, "y"
    while more == "y":
        winner = yield from _game(said, starter)
        wins[winner - 1] += 1
        yield (said.user if winner == 1 else said.computer).format(sum(wins)) + said.score.format(*wins)
        starter, more = 3 - winner, ""
        while more not in ("y", "n"):
            yield said.again
            more = (yield Line()).lower()
            if more not in ("y", "n"):
                yield said.refuses


def _game(said: Words, starter: int) -> Generator[str | Line, str, int]:
    position = Position(said.heaps, starter)
    log = ""
    yield said.starts[starter - 1]
    if said.first:
        yield said.first
        yield Line()
        position = position.after((0, 1))
    while any(position.heaps):
        yield said.shows.format(*position.heaps, log)
        if position.player == COMPUTER:
            best = (balancing(position.heaps) or legal(position.heaps))[0]
            move = said.poor.get(position.heaps) or say(best)
            yield said.takes.format(move[0].upper(), move[1:])
        else:
            move = yield from _asked(said)
        if allowed(position.heaps, move_of(move)):
            position, log = position.after(move_of(move)), f"{log} {move}"
            if said.pause:
                yield said.pause
                yield Line()
        elif move[:1] in "abc" and move[1:] == "0" and not said.least:
            position = position._replace(player=COMPUTER)
        else:
            yield said.refuses
    return 3 - position.player


def _asked(said: Words) -> Generator[str | Line, str, str]:
    yield said.asks
    move = (yield Line()).lower()
    if said.apart:
        yield "Wie viele? "
        move += yield Line()
    return move


def learned(said: Words) -> Wording | None:
    """The lessons from such a program."""
    runs = runs_of(program(said))
    player = played(runs, c_nim.DUEL)
    return None if player is None else words.learn(player)


class Aside(SpeakingReference):
    """A program that also writes to its error stream in each turn."""

    def take_errors(self) -> bytes:
        """The error stream since the last call."""
        return b"Geht nicht!\n"


def faults(said: Words, games: int = 6, program_of: type[SpeakingReference] = SpeakingReference) -> set[str]:
    """The kinds of faults that the referee of the assignment finds in games with such a program."""
    player = played(runs_of(program(said)), c_nim.DUEL)
    assert player is not None
    wording = words.learn(player)
    reader = OwnWords(wording, Reader(TextRules()))
    referee, look = Speaker(of_module(c_nim, "c_nim"), wording).referee(), _nothing
    if isinstance(wording.display, Walks):
        inferring = Inferring(referee, wording, player.waits)
        referee, look = inferring.referee(), inferring.look
    found: set[str] = set()
    for number in range(games):
        again = True
        while again:
            session = program_of(program(said), echo=False)
            rules = GameSet(games=games, seed=3, illegal="1/4", inputs=60)  # type: ignore[arg-type]
            followed = follow(session, Rulings(referee, reader), drawing(rules, number), start=referee.start(number))
            again = look()
        found |= {fault.kind for _, fault in followed.faults}
    return found - {"own-words"}


def _nothing() -> bool:
    return False


RIGHT = {
    "in German": Words(),
    "marks behind a pause": Words(lead="Press Enter.", shows="A {0}\nB {1}\nC {2}\n", takes="I take {0}{1}\n"),
    "two questions for a move": Words(apart=True, refuses="No.\n"),
    "heap C first, and numbers by words": Words(shows="C: {2}\nB: {1}\nA: {0}\n", score="You: {0}\nMe: {1}\n"),
    "“Enter: ” at every question": Words(asks="Enter: ", again="Enter: "),
    "a line above the same question": Words(asks="Your move\nAnswer: ", again="Again y/n\nAnswer: "),
    "a sign beside the number that is always there": Words(takes='{{"heap": "{0}", "count": {1}}}\n'),
    "nobody is named": Words(user="Gewonnen!\n", computer="Verloren!\n"),
    "players by their numbers, in Polish": Words(user="Wygrywa gracz 1!\n", computer="Wygrywa gracz 2!\n"),
    "players by their numbers, in short": Words(user="Spiel {0}: Sieg für P1\n", computer="Spiel {0}: Sieg für P2\n"),
    "the computer has a name": Words(user="Sie siegen in Spiel {0}!\n", computer="Deep Blue siegt in Spiel {0}!\n"),
    "all moves so far": Words(shows="{3}\nA={0} B={1} C={2}\n", refuses="No.\n"),
    "a joke of losing behind what is refused": Words(refuses="You cannot lose what you never had.\n"),
    "a crown for the winner": Words(user="Human wears the crown\n", computer="Computer wears the crown\n"),
}


@pytest.mark.parametrize("said", RIGHT.values(), ids=RIGHT)
def test_a_right_program_has_no_fault_in_any_words(said: Words) -> None:
    """Moves, refusals, winners, scores and who starts are all read."""
    assert faults(said) == set()


@pytest.mark.parametrize(("count", "is_open"), [("2", False), ("77", True)])
def test_an_answer_that_nobody_would_type_leaves_open_what_there_is(count: str, is_open: bool) -> None:
    """A game that is heard again by a wrong departure may hold other heaps than those for which it was typed."""
    said = Words(apart=True)
    wording = learned(said)
    assert wording is not None
    referee = Speaker(of_module(c_nim, "c_nim"), wording).referee()
    state = referee.start(0)._replace(possible=((5, 4, 3),), asks=MOVE)
    after = referee.answer(referee.answer(state, MOVE, "a"), COUNT, count)
    assert after.doubtful is is_open


WRONG = {
    "zero-taken": Words(least=0),
    "wrong-winner": Words(user="Der Rechner gewinnt!\n", computer="Du gewinnst!\n"),
    "no-message": Words(refuses=""),
    "no-score": Words(score=""),
    "no-winner": Words(user="", computer=""),
    "wrong-score": Words(score="Du {0}, Rechner 0\n"),
    "wrong-start": Words(heaps=(5, 4, 2)),
}


@pytest.mark.parametrize(("kind", "said"), WRONG.items(), ids=WRONG)
def test_a_mistake_is_found_in_any_words(kind: str, said: Words) -> None:
    """Nothing but the mistake that is there, also where every question ends with the same words."""
    assert faults(said) == {kind}
    assert faults(replace(said, asks="Eingabe: ", again="Eingabe: ")) == {kind}


def test_a_message_on_the_error_stream_is_a_message() -> None:
    """A terminal shows both streams."""
    assert faults(Words(refuses="")) == {"no-message"}
    assert faults(Words(refuses=""), program_of=Aside) == set()


def test_sentences_mean_what_was_true_when_they_were_said() -> None:
    """Heaps, the computer's move, refusals, the winner and the score are named."""
    wording = learned(Words())
    assert wording is not None
    assert wording.talk.entry.manner == Manner("abc", "abc")
    said = "Geht nicht!\nA=5 B=4 C=1\nDer Rechner nimmt 2 von B.\nDer Rechner gewinnt!\nDu 1, Rechner 2\nNoch einmal (y/n)? "
    score = (Score(USER, 1), Score(COMPUTER, 2))
    assert wording.events(said) == (Shown((5, 4, 1)), Told(1, 2), Refused(), Named(COMPUTER), *score)
    assert Named(USER) in wording.events("A=0 B=0 C=0\nDu gewinnst!\nDu 1, Rechner 0\nNoch einmal (y/n)? ")


def test_rules_that_are_said_as_a_game_begins_name_no_winner() -> None:
    """“Whoever takes the last one wins” was read as a win, and the sentence behind it was quoted for that."""
    rules = "Wer zuletzt nimmt, gewinnt.\n"
    wording = learned(Words(starts=(f"{rules}Du beginnst.\n", f"{rules}Der Rechner beginnt.\n")))
    assert wording is not None
    assert not any(isinstance(one, Named) for one in wording.events(f"{rules}Du beginnst.\nA=5 B=4 C=3\nZug? "))
    assert Named(USER) in wording.events("A=0 B=0 C=0\nDu gewinnst!\nDu 1, Rechner 0\nNoch einmal (y/n)? ")


def test_a_winner_is_named_by_what_is_said_whenever_he_has_won() -> None:
    """Two sentences that differ and mention nobody; a person decides where one of them mentions the other player."""
    said = Words(user="Hurra!\n", computer="Oh weh!\n")
    wording = learned(said)
    assert wording is not None
    assert Named(USER) in wording.events("Hurra!\nDu 1, Rechner 0\nNoch einmal (y/n)? ")
    assert faults(said) == set()
    assert "unread" in faults(Words(user="Ein Hurra dem Rechner\n", computer="Ein Hurra dem Menschen\n"))


def test_regret_for_the_user_who_wins_is_left_to_a_person() -> None:
    """It may be that of the computer, or name the wrong winner; words that nobody knows name whoever wins whenever they come."""
    assert "unread" in faults(Words(user="Oh weh!\n", computer="Hurra!\n"))
    assert "unread" in faults(Words(user="Aus.\n", computer="Hurra!\n"))
    assert faults(Words(user="Aus die Maus.\n", computer="Hopsa.\n")) == set()


OTHERS = {
    "other heaps": Words(heaps=(7, 5, 3)),
    "other heaps that are not shown": Words(heaps=(7, 5, 3), shows=""),
    "a first move for the user": Words(first="Der erste Zug ist a1. Enter: "),
}


@pytest.mark.parametrize("said", OTHERS.values(), ids=OTHERS)
def test_another_game_is_not_read(said: Words) -> None:
    """Other heaps than the assignment's, and a first move that is made for the user, are never taken for its game."""
    assert learned(said) is None


TOLD = Words(shows="", takes="-> {0}{1}\n")


def test_heaps_that_are_never_shown_follow_from_the_moves_that_are_told() -> None:
    """A program that only tells its moves is followed: nothing is wrong but that no heaps are shown."""
    assert faults(TOLD) == {"no-board"}
    assert faults(replace(TOLD, least=0)) == {"no-board", "zero-taken"}


SILENT = Words(shows="", takes="")

IN_SILENCE = {
    "right": (SILENT, set()),
    "two questions for a move": (replace(SILENT, apart=True), set()),
    "behind a question for a name": (replace(SILENT, lead="Name? "), set()),
    "one poor move": (replace(SILENT, poor={(4, 4, 3): "a1"}), {"poor-move"}),
    "behind a pause after each move": (replace(SILENT, pause="Weiter mit Enter."), set()),
    "no stones may be taken": (replace(SILENT, least=0), {"zero-taken"}),
    "the winners are exchanged": (
        replace(SILENT, user="Der Rechner gewinnt!\n", computer="Du gewinnst!\n"),
        {"wrong-winner"},
    ),
}


@pytest.mark.parametrize(("said", "kinds"), IN_SILENCE.values(), ids=IN_SILENCE)
def test_moves_that_nothing_shows_or_tells_are_found_by_what_is_refused(said: Words, kinds: set[str]) -> None:
    """Walks down from numbers that are too large find the heaps: what is missing is charged, and all else is judged as ever."""
    assert faults(said) == {"no-board", "untold-move"} | kinds


def test_silence_that_refuses_without_a_word_is_not_read() -> None:
    """If a refusal says nothing that a legal move does not, walks tell nothing."""
    assert learned(replace(SILENT, refuses="")) is None


def test_heaps_that_are_shown_in_no_way_that_is_read_are_left_to_a_person() -> None:
    """Numbers to the base of two are followed by walks; whether heaps are shown and moves are told nobody can say, so that it costs nothing."""
    assert faults(replace(SILENT, shows="Haufen {0:03b} {1:03b} {2:03b}\n")) == {"unread"}
    assert faults(replace(TOLD, shows="Haufen {0:03b} {1:03b} {2:03b}\n")) == {"unread"}


def test_a_told_move_is_looked_for_in_time_that_grows_with_the_marks_of_a_turn_and_not_faster():
    """A turn of 40 lines with 100 marks each has thousands of ways to tell a move: each line is read once for all of them."""
    text = "\n".join(f"{JOINED[: 2 * 50]} {number}" for number in range(40))
    with within_seconds():
        for _ in range(10):
            assert list(tellings(text, (5, 4, 2), LETTERS))

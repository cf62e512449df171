"""A referee that follows a program: a pile of three, from which a program and its user take one stone at a time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import pytest

from grader.errors import JudgeError
from grader.games.follow.following import Followed, Reader, Rulings, drawing, follow, repeating
from grader.games.referee import ANSWERS, CRASH, UNREAD, Answers, Fault, Heard, Ruling, of_module
from grader.games.referee import Referee as Rules
from grader.spec.kinds.runs import GameSet
from grader.spec.model import TextRules
from grader.transcript import EndingKind
from tests.scripted import Scripted

RULES = TextRules.model_validate(
    {
        "facts": [
            {"name": "left", "pattern": r"(?P<count>\d+) left"},
            {"name": "drawn", "pattern": r"pile: (?P<stones>[o ]*)!", "lengths": ["stones"]},
            {"name": "refused", "pattern": "no such"},
        ],
        "questions": [{"name": "take", "pattern": "take\\?"}, {"name": "again", "pattern": "again\\?"}],
    }
)
READER = Reader(RULES)


@dataclass(frozen=True)
class State:
    """How many stones are left, and whether a refusal is due."""

    left: int = 3
    refuse: bool = False


class Referee:
    """The rules of the pile."""

    START = State()
    FAULTS = ("wrong-count", "not-refused")
    OCCASIONS: ClassVar = {"count": "counts", "refusal": "refusals"}
    OCCASIONS_OF: ClassVar = {"wrong-count": ("count",), "not-refused": ("refusal",)}

    def hear(self, state: State, heard: Heard) -> Ruling:
        """The count must be true, and a wrong answer refused."""
        faults = [
            Fault("wrong-count", f"{said.number('count')} instead of {state.left}", stops=said.number("count") == 99)
            for said in heard.facts
            if said.name == "left" and said.number("count") != state.left
        ]
        if state.refuse and not any(said.name == "refused" for said in heard.facts):
            faults.append(Fault("not-refused", "a wrong answer was taken"))
        counts = ["count" for said in heard.facts if said.name == "left"]
        return Ruling(replace(state, refuse=False), tuple(faults), (*counts, *["refusal"] * state.refuse))

    def answers(self, state: State, question: str) -> Answers:
        """One stone, and no other number."""
        return Answers(("1",) if question == "take" and state.left else (), ("0", "2"))

    def answer(self, state: State, question: str, text: str) -> State:
        """The pile after an answer."""
        return State(state.left - 1) if text == "1" else State(state.left, refuse=True)


class Patient(Referee):
    """The same rules, and a program that asks once may wait for more."""

    def silence(self, state: State) -> str:
        """After the first stone the next may be typed without a question."""
        return "take" if state.left < START_LEFT else ""


START_LEFT = State().left


def rules(module: object | None = None) -> Rules:
    """The referee that a module is; the one above where none is given."""
    return of_module(module or Referee(), "reference.py")


def followed(talk: Scripted, *inputs: str) -> Followed:
    """The game with these answers."""
    return follow(talk, Rulings(rules(), READER), repeating(inputs))


def test_a_true_program_has_no_faults():
    """A whole game is followed to its end, each answer with its Enter."""
    talk = Scripted("3 left, take?", "2 left, take?", "1 left, take?", "0 left")
    game = followed(talk, "1", "1", "1")
    assert (game.faults, talk.typed, game.transcript.ending.kind) == ((), ["1\n"] * 3, EndingKind.ENDED)


def test_a_key_is_typed_without_enter():
    """A program that reads single keys gets no Enter, which would be a key of its own."""
    talk = Scripted("3 left, take?", "2 left, take?", "end", wants="key")
    followed(talk, "1", "1")
    assert talk.typed == ["1", "1"]


def test_a_fault_has_its_turn():
    """A mistake is told with the turn in which it was said, and the game goes on."""
    game = followed(Scripted("3 left, take?", "3 left, take?", "1 left"), "1", "1")
    assert [(turn, fault.message) for turn, fault in game.faults] == [(2, "3 instead of 2")]


def test_a_fault_may_stop_the_game():
    """If the referee cannot follow any further, nothing more is typed."""
    talk = Scripted("3 left, take?", "99 left, take?", "1 left")
    assert len(followed(talk, "1", "1").faults) == 1
    assert talk.typed == ["1\n"]


@pytest.mark.parametrize(("said", "kinds"), [("no such number, take?", []), ("take?", ["not-refused"])])
def test_an_illegal_answer_must_be_refused(said, kinds):
    """The referee knows which answers are wrong, and hears whether they were refused."""
    game = followed(Scripted("3 left, take?", said, "end"), "2", "1")
    assert [fault.kind for _, fault in game.faults] == kinds


def test_a_question_that_cannot_be_read_is_for_a_person():
    """A program that waits with words that no pattern knows is not called wrong."""
    game = followed(Scripted("3 left, how many?", "end"), "1")
    assert [fault.kind for _, fault in game.faults] == [UNREAD]


def test_a_question_that_cannot_be_read_is_quoted():
    """Its last line tells a person which words are unknown."""
    game = followed(Scripted("3 left\n\nhow many?  \n", "end"), "1")
    assert game.faults[-1][1].message.endswith("could not read what it asks for: “how·many?”")


def test_each_turn_is_kept_with_what_was_read_and_the_state_after_it():
    """A report says of a fault how its turn was read, and where the game stands."""
    game = followed(Scripted("3 left, take?", "3 left, take?", "1 left"), "1", "1")
    assert [[said.quote for said in heard.facts] for heard in game.heard] == [["3 left"], ["3 left"], ["1 left"]]
    assert game.states == (State(3), State(2), State(1))


@pytest.mark.parametrize(("said", "kinds", "typed"), [("", [], 3), (" \n", [], 3), ("Well,", [UNREAD], 1)])
def test_a_second_answer_may_be_waited_for_in_silence(said, kinds, typed):
    """If nothing is printed the referee may know what is meant; words that no pattern knows are for a person."""
    talk = Scripted("3 left, take?", said, "1 left, take?", "end")
    game = follow(talk, Rulings(rules(Patient()), READER), repeating(("1", "1", "1")))
    assert ([fault.kind for _, fault in game.faults], len(talk.typed)) == (kinds, typed)


def test_silence_is_unread_where_the_referee_does_not_know_it():
    """A referee without that part takes no silence for a question."""
    assert [fault.kind for _, fault in followed(Scripted("3 left, take?", "", "end"), "1", "1").faults] == [UNREAD]


def test_a_question_without_an_answer_is_our_own_fault():
    """A referee that lets a program ask something must know what to answer."""
    with pytest.raises(JudgeError, match="again"):
        followed(Scripted("again?", "end"), "1")


def test_a_fault_of_another_kind_is_our_own():
    """A referee that finds what it does not list would judge nothing: no case can name it."""
    referee = Referee()
    referee.FAULTS = ("not-refused",)
    with pytest.raises(JudgeError, match="wrong-count"):
        follow(Scripted("7 left, take?", "end"), Rulings(rules(referee), READER), repeating(("1",)))


def test_answers_that_do_not_fit_end_the_game():
    """A shorter list of answers is played as far as it may be typed."""
    talk = Scripted("3 left, take?", "2 left, take?", "end")
    assert followed(talk, "1", "7").transcript.ending.kind is EndingKind.STILL_WAITING
    assert talk.typed == ["1\n"]


def test_games_are_drawn_by_their_seed():
    """The same game draws the same answers, another one others; the share of wrong answers and the length are kept."""
    answers = Answers(tuple("abcdefgh"), ("!",))

    def drawn(number: int, illegal: Fraction = Fraction(0)) -> list[str | None]:
        draw = drawing(GameSet(games=9, seed=4, illegal=illegal, inputs=20), number)
        return [draw(answers) for _ in range(21)]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert "!" not in drawn(1)
    assert set(drawn(1, Fraction(1))[:-1]) == {"!"}
    assert 2 < drawn(3, Fraction(1, 3)).count("!") < 15
    assert drawn(1)[-1] is None


def test_a_module_without_a_part_is_no_referee():
    """A missing part is named, with where to read about it."""
    with pytest.raises(JudgeError, match="START"):
        of_module(object(), "reference.py")
    assert of_module(Referee(), "reference.py")


def test_a_game_may_begin_elsewhere():
    """Game after game takes the next of the referee's beginnings, and after the last the first again."""
    referee = Referee()
    assert rules(referee).start(7) == State()
    referee.STARTS = (State(3), State(2))
    assert [rules(referee).start(number).left for number in range(4)] == [3, 2, 3, 2]
    talk = Scripted("2 left, take?", "end")
    assert follow(talk, Rulings(rules(), READER), repeating(("1",)), start=State(2)).states[-1] == State(1)


@pytest.mark.parametrize(("pure", "calls"), [(True, 2), (False, 4)])
def test_a_turn_is_ruled_on_once_whoever_says_it(pure: bool, calls: int):
    """Two programs that say the same are heard once, and twice by a referee that learns while it listens."""
    referee, heard = Referee(), []
    hear = referee.hear
    referee.hear = lambda state, said: heard.append(said) or hear(state, said)
    rulings = Rulings(rules(referee), READER, pure=pure)
    first, second = (follow(Scripted("3 left, take?", "1 left, take?"), rulings, repeating(("1",))) for _ in "ab")
    assert (first.faults, len(heard)) == (second.faults, calls)
    assert [fault.kind for _, fault in first.faults] == ["wrong-count"]


def test_a_referee_that_is_changed_in_the_same_way_rules_once():
    """Programs that depart from the rules in the same way are heard by the same rulings, and by others than right ones."""
    rulings = Rulings(rules(), READER)

    def change(referee: Rules, left: int) -> Rules:
        return replace(referee, starts=(State(left),))

    assert rulings.by(change, 2) is rulings.by(change, 2)
    assert [one.referee.start(0) for one in (rulings, rulings.by(change, 2), rulings.by(change, 1))] == [
        State(),
        State(2),
        State(1),
    ]


def test_games_are_ruled_on_together_by_a_referee_that_can():
    """Others find nothing in them."""
    referee = Referee()
    assert (rules(referee).across((State(), State())), rules(referee).reseeds) == ((), False)
    referee.across = lambda states: tuple(Fault("same", str(state.left)) for state in states)
    assert [fault.message for fault in rules(referee).across((State(3), State(2)))] == ["3", "2"]
    assert rules(referee).reseeds


def test_occasions_are_counted():
    """Occasions are counted by the referee's names for them, and so is every answer."""
    game = followed(Scripted("3 left, take?", "no such number, take?", "2 left, take?", "end"), "2", "1", "1")
    assert game.occasions == {"count": 2, "refusal": 1, ANSWERS: 3}


def test_an_occasion_that_the_referee_does_not_list_is_our_own_fault():
    """It could not be told to anybody, in a turn or by kind of fault."""
    referee = Referee()
    referee.OCCASIONS = {"refusal": "refusals"}
    with pytest.raises(JudgeError, match="OCCASIONS_OF names count"):
        rules(referee)
    referee.OCCASIONS_OF = {}
    with pytest.raises(JudgeError, match="reports count"):
        follow(Scripted("3 left, take?", "end"), Rulings(rules(referee), READER), repeating(("1",)))


def test_occasions_belong_to_kinds_of_faults():
    """Each is named once, and a crash can come about wherever something is typed."""
    assert rules().occasions_for(("wrong-count", CRASH, "wrong-count", "not-refused")) == ("count", ANSWERS, "refusal")


@pytest.mark.parametrize(
    ("turns", "message"),
    [(("99 left, take?", "end"), "99 instead of 3"), (("99 left",), None), (("3 left, take?", "2 left"), None)],
)
def test_a_stop_is_a_fault_behind_which_a_living_program_is_not_followed(turns, message):
    """A program that has ended was followed as far as it went."""
    stop = followed(Scripted(*turns), "1").stop
    assert (stop.message if stop else None) == message


def test_the_referee_hears_what_is_waited_for():
    """A key, a line or a number; nothing where the program has ended."""
    heard = []
    referee = Referee()
    hear = referee.hear
    referee.hear = lambda state, said: (heard.append(said.wants), hear(state, said))[1]
    follow(Scripted("3 left, take?", "end", wants="integer"), Rulings(rules(referee), READER), repeating(("1",)))
    assert heard == ["integer", ""]

"""What a program's text provokes is never our error, and never takes long: referees and normalisers under floods.

The program is the reference itself, whose turns are spoilt in one way each: so what it says is read by the patterns, and
reaches the referee. No time is asserted but one that only a search without bound passes.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import lru_cache
from itertools import islice, product
from pathlib import Path

import pytest

from grader.bounded import LONGEST_LINE, LONGEST_RUN, LONGEST_TURN, bounded
from grader.bundled import bundled_specs, spec_path
from grader.checks.slips import compare
from grader.errors import JudgeError
from grader.games.follow.following import Reader, Rulings, drawing, follow
from grader.games.hear.runs import Runs, SpentError
from grader.games.methods import method
from grader.games.referee import Heard, Referee, Ruling, of_module
from grader.lint.patterns import floods
from grader.sessions.reference import SpeakingReference, load
from grader.spec.kinds.runs import GameSet
from grader.spec.loader import Assignment, load_assignment

SPECS = [spec_path(name) for name in bundled_specs()]
EXPLORED = [path for path in SPECS if load_assignment(path).spec.game]
FOLLOWED = [path for path in SPECS if path not in EXPLORED]
SECONDS = 10
"""Of computing, for one call: nothing here needs a tenth of it."""
EXPLORING = 60
"""The same for an exploration, which hears thousands of turns: here each of them floods, and nothing cuts it off."""
JOINED = "\U0001f468\u200d" * 2000
"""14 kB that are 4,000 numbers to whoever counts marks: a slot each."""
FLOODS = tuple(flood.text() for flood in floods())[::3]
"""Every third of the floods of ``lint``, which tries all of them on each pattern."""
PARTS = 4
LONG = 5000

Spoil = Callable[[str], str]


def _numbers(text: str) -> Spoil:
    return lambda turn: re.sub(r"\d+", text, turn)


def _digits(digits: str) -> Spoil:
    return lambda turn: re.sub(r"\d", lambda digit: digits[int(digit[0])], turn)


SPOILT: dict[str, Spoil] = {
    "5,000 nines": _numbers("9" * LONG),
    "5,000 zeros": _numbers("0" * LONG),
    "a negative number of 5,000 digits": _numbers("-" + "7" * LONG),
    "a one with 5,000 zeros before it": _numbers("0" * LONG + "1"),
    "19 digits": _numbers("9" * 19),
    "superscripts": _digits("⁰¹²³⁴⁵⁶⁷⁸⁹"),
    "Arabic digits": _digits("٠١٢٣٤٥٦٧٨٩"),
    "mathematical digits": _digits("𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗"),
    "digits in circles": _digits("⓪①②③④⑤⑥⑦⑧⑨"),
    "no digits": _numbers(""),
    "letters that grow when folded": lambda turn: turn.replace("s", "ß").replace("i", "İ"),
    "full-width letters": lambda turn: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in turn),
    "odd blanks": lambda turn: turn.replace(" ", "\u2003"),
    "odd line ends": lambda turn: turn.replace("\n", "\u2028"),
    "no line ends": lambda turn: turn.replace("\n", " "),
    "control characters": "\0\x1b[2J\x07".join,
    "every line 40 times": lambda turn: "".join(line * 40 for line in turn.splitlines(keepends=True)),
    "every word backwards": lambda turn: " ".join(word[::-1] for word in turn.split(" ")),
    "no text": lambda _turn: "",
}


@contextmanager
def within_seconds(seconds: float = SECONDS) -> Iterator[None]:
    """Fail what computes for too long, however busy the machine is."""

    def fail(*_: object) -> None:
        pytest.fail(f"not done after {seconds} s")

    before = signal.signal(signal.SIGVTALRM, fail)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


class SpoiltReference(SpeakingReference):
    """The reference, which says something else than it should from turn ``since`` on."""

    def __init__(self, assignment: Assignment, spoil: Spoil, since: int = 0) -> None:
        super().__init__(_module(assignment).play, echo=assignment.spec.text.echo == "program")
        self._spoil = spoil
        self._since = since
        self._turn = 0

    def take_output(self) -> bytes:
        """What is said instead."""
        text = super().take_output().decode()
        self._turn += 1
        return (self._spoil(text) if self._turn > self._since else text).encode("utf-8", "replace")

    def send(self, text: str) -> None:
        """Take an answer; one that it does not take where it really is changes nothing."""
        with suppress(JudgeError):
            super().send(text)


@lru_cache
def _assignment(path: Path) -> Assignment:
    return load_assignment(path)


@lru_cache
def _reader(path: Path) -> Reader:
    return Reader(_assignment(path).spec.text)


def _module(assignment: Assignment):  # type: ignore[no-untyped-def]
    assert assignment.reference is not None
    return _loaded(assignment.reference)


@lru_cache  # a study begins the reference a thousand times
def _loaded(reference: Path):  # type: ignore[no-untyped-def]
    return load(reference)


@lru_cache
def _referee(path: Path) -> Referee:
    assignment = _assignment(path)
    return of_module(_module(assignment), str(path))


def _played(path: Path, spoil: Spoil, since: int = 0, games: int = 2, inputs: int = 8) -> None:
    """Games with answers of both kinds, to their ends or the first fault that stops them."""
    drawn = GameSet(games=games, seed=1, illegal="1/3", inputs=inputs)  # type: ignore[arg-type]  # read as a fraction
    referee = _referee(path)
    states = []
    for number in range(games):
        session = SpoiltReference(_assignment(path), spoil, since)
        with within_seconds():
            followed = follow(
                session, Rulings(referee, _reader(path)), drawing(drawn, number), start=referee.start(number)
            )
        states.append(followed.states[-1])
    with within_seconds():
        referee.across(states)


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_a_referee_takes_whatever_a_program_says(spoil: Spoil) -> None:
    """Numbers of 5,000 digits, odd digits, letters and blanks are what they are; from the first turn, and later ones."""
    for path, since in product(FOLLOWED, (0, 1, 4)):
        _played(path, spoil, since)


ODD = (
    "9" * LONG, "-" + "7" * LONG, "1234567890" * 400, "٣", "３", "²", "Ⅻ", "③", "½", "一", "1e9", "0x1F", "1_000", "-0",
    "ı", "İ", "ſ", "K", "ß", "1\u0301", "a\u0301", "\u202e1", "\0", "😀", "\r", "\u2028", "\\xff", "l", "O", "",
)  # fmt: skip
"""What may stand in the place of one number, word or sign: no digits, digits of other scripts, and letters that fold oddly."""


def _heard(path: Path) -> dict[tuple[object, str], str]:
    """What the reference says in some games: each turn with the state that it is heard in, and what it waits for."""
    referee, found = _referee(path), {}

    plain = Reader(_assignment(path).spec.text)

    class Listening:
        def read(self, text: str, *, ended: bool, wants: str = "line") -> Heard:
            found["text"] = text, wants
            return plain.read(text, ended=ended, wants=wants)

    turns: dict[tuple[object, str], str] = {}

    def hear(state: object, heard: Heard) -> Ruling:
        text, wants = found["text"]
        turns[state, text] = wants
        return referee.hear(state, heard)

    drawn = GameSet(games=4, seed=3, illegal="1/3", inputs=20)  # type: ignore[arg-type]  # read as a fraction
    echo = _assignment(path).spec.text.echo == "program"
    reader = Listening()
    for number in range(drawn.games):
        session = SpeakingReference(_module(_assignment(path)).play, echo=echo)
        follow(
            session,
            Rulings(replace(referee, hear=hear), reader, pure=False),
            drawing(drawn, number),
            start=referee.start(number),
        )
    return turns


@pytest.mark.parametrize("path", FOLLOWED, ids=lambda path: path.stem)
def test_a_referee_takes_one_odd_word(path: Path) -> None:
    """Each number, word and sign of real turns is replaced by odd ones, and the game goes on from there."""
    referee, reader = _referee(path), _reader(path)
    turns = list(_heard(path).items())[::3]
    for turn, ((state, text), wants) in enumerate(turns):
        words = list(re.finditer(r"\w+|[^\w\s]", text))
        for at, word in enumerate(words[turn % 3 :: 3]):
            for odd in ODD[(turn + at) % 5 :: 5]:
                spoilt = text[: word.start()] + odd + text[word.end() :]
                with within_seconds():
                    referee.last_words(state, reader.read(spoilt, ended=True))
                    heard = reader.read(spoilt, ended=False, wants=wants)
                    ruling = referee.hear(state, heard)
                    assert (referee.due(ruling.state), referee.position(ruling.state)) != (None, None)
                    if heard.question and not any(fault.stops for fault in ruling.faults):
                        given = referee.answers(ruling.state, heard.question)
                        for answer in (*given.legal[:1], *given.illegal[:2]):
                            referee.answer(ruling.state, heard.question, answer)


@pytest.mark.parametrize("path", FOLLOWED, ids=lambda path: path.stem)
def test_a_referee_takes_floods(path: Path) -> None:
    """64 KiB of anything, before and after what should be said."""
    for number, flood in enumerate(FLOODS):
        spoil = (lambda turn: turn + flood) if number % 2 else (lambda turn: flood + turn)  # noqa: B023  used at once
        _played(path, spoil, since=1, games=1, inputs=2)


@pytest.mark.parametrize("path", FOLLOWED, ids=lambda path: path.stem)
def test_a_referee_takes_the_last_words_of_a_program_that_breaks(path: Path) -> None:
    """What a turn that was cut short still shows may be as odd as any other."""
    referee, reader = _referee(path), _reader(path)
    session = SpeakingReference(_module(_assignment(path)).play, echo=False)
    session.advance()
    opening = session.take_output().decode()
    for spoil in (*SPOILT.values(), *(lambda _turn, flood=flood: flood for flood in FLOODS)):
        with within_seconds():
            heard: Heard = reader.read(spoil(opening), ended=True)
            referee.last_words(referee.start(0), heard)


@pytest.mark.parametrize(
    ("spoil", "path"),
    [
        pytest.param(spoil, path, id=f"{name}-{path.stem}", marks=pytest.mark.share(8))
        for name, spoil in SPOILT.items()
        for path in EXPLORED
    ],
)  # exploring plays dozens of games: a whole run takes one of eight
def test_exploring_takes_whatever_a_program_says(path: Path, spoil: Spoil) -> None:
    """From the first turn on and from later ones, it ends in a study, which may only say why nothing was learned."""
    for since in (0, 4):
        _explored(path, spoil, since)


@pytest.mark.parametrize(
    ("number", "path"),
    [
        pytest.param(number, path, marks=() if number == 4 * at else pytest.mark.spare, id=f"{number}-{path.stem}")
        for number in range(0, len(FLOODS), 4)
        for at, path in enumerate(EXPLORED)
    ],
)  # a whole run takes one flood for each game, every second one of all stands behind what is said
def test_exploring_takes_floods(number: int, path: Path) -> None:
    """64 KiB of anything before and after what should be said."""
    flood = FLOODS[number]
    _explored(path, (lambda turn: turn + flood) if number % 8 else (lambda turn: flood + turn), since=1)


def _explored(path: Path, spoil: Spoil, since: int) -> None:
    assignment = _assignment(path)
    assert assignment.spec.game is not None
    runs = Runs(lambda _seed: SpoiltReference(assignment, spoil, since))
    with within_seconds(EXPLORING), suppress(SpentError):
        study = method(assignment.spec.game, _module(assignment)).explore(runs, {})
        assert study.games or study.obstacle


@pytest.mark.parametrize(
    ("path", "part"),
    [
        pytest.param(path, part, marks=() if part == at % PARTS else pytest.mark.spare, id=f"{path.stem}-{part}")
        for at, path in enumerate(SPECS)
        for part in range(PARTS)
    ],
)
def test_normalisers_take_floods(path: Path, part: int) -> None:
    """64 KiB of anything is compared with what should have been said, as it is and mixed with that; a whole run tries a part for each spec."""
    rules = _assignment(path).spec.text
    session = SpeakingReference(_module(_assignment(path)).play, echo=False)
    session.advance()
    opening = session.take_output().decode()
    for number, flood in enumerate(FLOODS[part::PARTS]):
        mixed = (opening + flood, flood + opening, opening.replace("\n", f"{flood[:8000]}\n"))
        for actual in (flood, mixed[number % len(mixed)]):
            with within_seconds():
                compare(opening, actual, "B2" if number % 2 else "", rules.facts)


def test_patterns_see_no_flood() -> None:
    """Whatever is printed, runs, lines and turns have bounds; what is meant to be read is seen as it is."""
    for flood in (*FLOODS, ("x y " * 300 + "\n") * 500):
        seen = bounded(flood)
        assert len(seen) <= LONGEST_TURN + 1
        assert max(map(len, seen.split("\n"))) <= LONGEST_LINE + 1
    assert bounded(" " * 1000 + "x" * 1000) == " " * LONGEST_RUN + "x" * LONGEST_RUN
    board = "\n".join("| . | X | O | . | . | . | . |" for _ in range(100))
    assert bounded(board) == board
    assert bounded("ab" * LONGEST_LINE).count("…") == 1


def test_floods_are_of_64_kib_and_of_many_kinds() -> None:
    """The texts of these tests are what they say."""
    assert {len(flood) for flood in FLOODS} == {1 << 16}
    assert len(set(FLOODS)) > 30
    assert all(len(flood.text()) == 1 << 16 for flood in islice(floods(r"stones?\s+left"), 300))

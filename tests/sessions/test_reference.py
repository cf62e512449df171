from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from grader.errors import JudgeError
from grader.sessions import reference
from grader.sessions.reference import Choice, Keys, Line, Play, ReferenceSession, SpeakingReference, perform, script
from grader.sessions.session import play
from grader.spec.expectations import ExpectedTurn


def greet() -> Play:
    """Ask for a name by Enter and for a mark by two keys."""
    yield "Name? "
    name = yield Line(legal=("Ann", "Bo"))
    yield f"Mark of {name}? "
    mark = yield Keys(2)
    yield f"\n{name}: {mark}\n"


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys pressed on a terminal: A and +."""
    keys: Iterator[str] = iter("A+")
    monkeypatch.setattr(click, "getchar", lambda: next(keys))


def test_a_line_is_answered_by_a_text_of_any_length() -> None:
    """A line may be empty or long, and comes to the reference without its end."""
    for name in ("", "Ann", "Ann of Green Gables"):
        session = ReferenceSession(greet)
        assert session.request == Line(legal=("Ann", "Bo"))
        session.answer(name)
        assert "".join(map(str, session.take_output())) == f"Name? Mark of {name}? "


def test_a_line_holds_no_second_line() -> None:
    """An answer with an Enter in it is our own fault; the one that ends it may be written or not."""
    with pytest.raises(JudgeError, match=r"asks for one line, and 'Ann\\nBob\\n' has an Enter in it"):
        ReferenceSession(greet).answer("Ann\nBob\n")
    session = ReferenceSession(greet)
    session.answer("Ann\n")
    assert session.take_output() == ("Name? ", "Mark of Ann? ")


@pytest.mark.parametrize("keys", ["A", "A++"])
def test_keys_are_counted(keys: str) -> None:
    """Two keys are neither one nor three."""
    session = ReferenceSession(greet)
    session.answer("Ann")
    with pytest.raises(JudgeError, match=f"asks for 2 keys, and .* has {len(keys)}"):
        session.answer(keys)
    session.answer("A+")
    assert session.request is None


def test_what_has_ended_takes_no_line() -> None:
    """An input after the end is refused."""
    session = ReferenceSession(greet)
    for text in ("Ann", "A+"):
        session.answer(text)
    with pytest.raises(JudgeError, match="has ended"):
        session.answer("")


def test_a_fork_has_had_the_same_lines() -> None:
    """An answer to a fork leaves the other alone."""
    session = ReferenceSession(greet)
    session.answer("Ann")
    session.take_output()
    twin = session.fork()
    twin.answer("B+")
    assert twin.take_output() == ("\nAnn: B+\n",)
    assert session.request == Keys(2)
    assert session.take_output() == ()


def test_a_program_echoes_keys_and_no_lines() -> None:
    """The terminal shows a line while it is typed; the keys after it the program must show itself."""
    assert script(greet, ("Ann", "A+"), echo=True).turns == (
        ExpectedTurn(("Name? ",), "Ann\n", ""),
        ExpectedTurn(("Mark of Ann? ",), "A+", ""),
        ExpectedTurn(("\nAnn: A+\n",), None, "A+"),
    )


def test_lines_and_keys_are_performed(
    keyboard: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a terminal a line is read up to Enter, and keys are echoed one by one."""
    terminal = io.StringIO("Ann\n")
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", terminal)
    perform(greet)
    assert capsys.readouterr().out == "Name? Mark of Ann? A+\nAnn: A+\n"


@pytest.mark.parametrize("tail", ["A+\nAnn: A+\n", "A"])
def test_keys_come_from_a_pipeline_too(
    tail: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a terminal keys are read from standard input; where it ends, the performance stops."""
    monkeypatch.setattr("sys.stdin", io.StringIO(f"Ann\n{tail[:2]}"))
    perform(greet)
    assert capsys.readouterr().out == f"Name? Mark of Ann? {tail}"


def test_the_end_of_input_ends_a_performance(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If no line comes any more the performance stops; an empty line is a line."""
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    perform(greet)
    assert capsys.readouterr().out == "Name? "


def test_a_reference_may_yield_nothing_else() -> None:
    """A number is neither text nor a request."""

    def play() -> Play:
        yield 3  # type: ignore[misc]

    with pytest.raises(JudgeError, match="neither text nor a Choice nor Keys nor a Line"):
        ReferenceSession(play)


def mark() -> Play:
    """Ask for a mark and a name, and say both with a choice between."""
    yield "Mark? "
    mark = yield Keys(1)
    name = yield Line()
    yield mark
    yield Choice("gap", " ")
    yield name


@pytest.mark.parametrize(("echo", "shown"), [(True, ["Mark? ", "+", "+ Ann"]), (False, ["Mark? ", "", "+ Ann"])])
def test_a_reference_speaks_as_a_program_does(echo: bool, shown: list[str]) -> None:
    """Keys are echoed where programs echo them, lines never; choices take their defaults; the end is a normal one."""
    transcript = play(SpeakingReference(mark, echo=echo), ("+", "Ann\n"))
    assert [turn.output for turn in transcript.turns] == shown
    assert transcript.ending.kind == "ended"
    assert play(SpeakingReference(mark, echo=echo), ("+",)).ending.kind == "still-waiting"


def test_a_reference_knows_no_end_of_input() -> None:
    """Closing it is our own fault."""
    with pytest.raises(JudgeError, match="cannot be closed"):
        SpeakingReference(mark, echo=False).close_input()


def test_what_a_reference_prints_between_requests_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many pieces as may be are printed, and one more is a fault; each request begins the count anew."""
    monkeypatch.setattr(reference, "TURN_LIMIT", 3)

    def prints(count: int) -> Play:
        for _ in range(2):
            for _ in range(count):
                yield "x"
            yield Line()

    assert len(script(lambda: prints(3), ("",), echo=False).turns) == 2
    with pytest.raises(JudgeError, match="the reference prints 3 pieces and more, and asks for nothing"):
        ReferenceSession(lambda: prints(4))


def package(folder: Path, said: str) -> Path:
    """A reference that is a package, and says something."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "__init__.py").write_text("from .talk import play\n", encoding="utf-8")
    (folder / "talk.py").write_text(f"def play():\n    yield {said!r}\n", encoding="utf-8")
    return folder


def test_a_package_is_loaded_with_its_own_modules(tmp_path: Path) -> None:
    """Another of the same name elsewhere is another reference."""
    first, second = (reference.load(package(tmp_path / said / "game", said)) for said in ("one", "two"))
    assert [ReferenceSession(one.play).take_output() for one in (first, second)] == [("one",), ("two",)]


@pytest.mark.parametrize("packed", [False, True])
def test_what_was_edited_in_the_same_second_is_read(packed, tmp_path, monkeypatch) -> None:
    """Also where Python keeps bytecode: it distinguishes files by their second and size.

    None is left beside a reference.
    """
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    for said in ("one", "two"):
        path = package(tmp_path / "game", said)
        for file in path.iterdir():
            os.utime(file, (1e9, 1e9))
        module = reference.load(path if packed else path / "talk.py")
        assert ReferenceSession(module.play).take_output() == (said,)
    assert not [*tmp_path.rglob("*.pyc")]


def test_a_folder_without_a_package_is_no_reference(tmp_path: Path) -> None:
    """It is our own fault, and says where."""
    with pytest.raises(JudgeError, match="cannot be imported"):
        reference.load(tmp_path)

"""Runs as a function of what is typed: made once, taken up by forks or anew, and capped."""

import pytest

from grader.games.hear.runs import Runs, SpentError
from grader.transcript import Ending, EndingKind
from tests.scripted import Written


class Adder(Written):
    """A session that adds what is typed, ends at ``0``, hangs at ``h`` and can be told to print how often it was started."""

    started = 0

    def __init__(self, *, luck: bool = False) -> None:
        type(self).started += 1
        self.typed: list[str] = []
        self.printed = f"start {self.started if luck else ''}\n"

    @property
    def instructions(self) -> int:
        """One for each answer."""
        return len(self.typed)

    def advance(self) -> Ending | None:
        """Wait, end or hang."""
        last = self.typed[-1:]
        if last == ["h"]:
            return Ending(EndingKind.TIME_LIMIT, "it hangs")
        return Ending(EndingKind.ENDED, "the program ended") if last == ["0"] else None

    def take_output(self) -> bytes:
        """The sum, or the greeting."""
        text, self.printed = self.printed, ""
        return text.encode()

    def send(self, text: str) -> None:
        """Add a number."""
        self.typed.append(text.removesuffix("\n"))
        self.printed = f"{sum(int(one) for one in self.typed if one.isdigit())}\n"


class Forked(Adder):
    """The same on a machine that forks."""

    place = (7, 9)

    def fork(self) -> "Forked":
        """A copy."""
        twin = Forked.__new__(Forked)
        twin.typed, twin.printed = list(self.typed), self.printed
        return twin


@pytest.fixture(params=[Adder, Forked])
def kind(request):
    """A session of either kind."""
    request.param.started = 0
    return request.param


def test_a_run_is_what_its_answers_make_of_it(kind):
    """Each answer closes a turn, and the last moment tells what the program waits for."""
    run = Runs(lambda _seed: kind()).run(("1", "2"))
    assert run.turns == ("start \n", "1\n", "3\n")
    assert (run.ending, run.last.wants, run.last.place) == (None, "line", (7, 9) if kind is Forked else ())


def test_what_is_known_is_not_run_again(kind):
    """Prefixes of a run, and what would follow an end, cost no run."""
    runs = Runs(lambda _seed: kind())
    assert runs.run(("1", "2", "0")).ending.kind is EndingKind.ENDED
    assert runs.run(("1",)).turns == ("start \n", "1\n")
    after = runs.run(("1", "2", "0", "5"))
    assert (after.taken, after.output) == (("1", "2", "0"), "3\n")
    assert runs.number == 1


def test_a_machine_is_started_once_and_a_native_program_for_each_branch():
    """A fork takes up where a run waits; without one a native program goes on only in the session that still waits."""
    for kind, starts in ((Forked, 1), (Adder, 2)):
        kind.started = 0
        runs = Runs(lambda _seed, kind=kind: kind())
        assert [runs.run(path).output for path in (("1",), ("1", "2"), ("1", "3"))] == ["1\n", "3\n", "4\n"]
        assert kind.started == starts


def test_a_session_that_was_let_go_leaves_those_behind_it_where_they_are(kind, monkeypatch):
    """Few are kept in a browser: one that is asked for again is made anew, and is still what its answers make of it."""
    monkeypatch.setattr("grader.games.hear.runs.LIVE", 1)
    runs = Runs(lambda _seed: kind())
    ways = [("1",), ("1", "2"), ("1", "2", "3"), ()]
    for way in (*ways, *ways[::-1], *ways):
        runs.run(way)
        assert runs.session(way).typed == list(way)


def test_each_seed_has_runs_of_its_own(kind):
    """A run under another seed is another run."""
    runs = Runs(lambda _seed: kind())
    runs.run((), 1)
    runs.run((), 2)
    runs.run((), 1)
    assert kind.started == 2


def test_a_program_of_chance_is_found_out():
    """A program that prints something else at the same place is not steady."""
    Adder.started = 0
    runs = Runs(lambda _seed: Adder(luck=True))
    runs.run(("1",))
    assert runs.steady
    runs.run(("2",))
    assert not runs.steady


def test_chance_is_found_where_no_run_was_made_twice(kind):
    """The longest runs are made once more; those that took too long are not."""
    runs = Runs(lambda _seed: kind())
    runs.run(("1", "2"))
    runs.run(("1", "1", "h"))
    assert not runs.by_chance()
    runs = Runs(lambda seed: kind(luck=bool(seed)))
    runs.run(("1", "2"))
    assert runs.by_chance()
    runs = Runs(lambda _seed: kind(), most=1)
    runs.run(("1", "2"))
    assert not runs.by_chance()


def test_runs_are_capped(kind):
    """No more runs are made than were granted, and few that take too long."""
    runs = Runs(lambda _seed: kind(), most=2)
    runs.run(("1",))
    runs.run(("2",))
    with pytest.raises(SpentError, match="2 times"):
        runs.run(("3",))
    runs = Runs(lambda _seed: kind(), patience=2)
    runs.run(("h",))
    runs.run(("1", "h"))
    with pytest.raises(SpentError, match="too long"):
        runs.run(("3",))


def test_instructions_are_counted_once():
    """Instructions that a fork had executed before it was made are not counted again."""
    runs = Runs(lambda _seed: Forked())
    runs.run(("1", "2"))
    runs.run(("1", "2", "3"))
    runs.run(("1", "2", "4"))
    assert runs.instructions == 4


class Grumbling(Adder):
    """The same, which says of a negative number on its error stream that it has none."""

    def take_errors(self) -> bytes:
        """What it grumbles."""
        return b"No negative ones!\n" if self.typed[-1:] == ["-1"] else b""


def test_what_goes_to_the_error_stream_is_heard_aside():
    """A terminal shows it too; where in the output it would stand nobody knows."""
    runs = Runs(lambda _seed: Grumbling())
    assert [wait.aside for wait in runs.run(("1", "-1", "2")).waits] == ["", "", "No negative ones!\n", ""]
    assert [wait.aside for wait in Runs(lambda _seed: Adder()).run(("1", "-1")).waits] == ["", "", ""]

"""``grader check --watch``, by the looks at a file that an editor saves: no clock is waited for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.bundled import bundled_specs, spec_path
from grader.cli import check as module
from grader.cli.check import check, saves
from grader.cli.main import COMMANDS, cli
from grader.errors import UsageError

NIM = Path("nim.asm")
OLD, HALF, NEW = {NIM: (1, 90)}, {NIM: (2, 40)}, {NIM: (2, 95)}
GONE: dict[Path, tuple[int, int]] = {}
BAD = ".ORIG x3000\nADD R0, R0, #99\n.END\n"
IDLE = ".ORIG x3000\nHALT\n.END\n"


class _EndOfLooksError(Exception):
    pass


def looked(*looks) -> tuple[list[bool], int]:
    """The results of these looks without the last, which is never reached, and the number of pauses."""
    rest, pauses = iter(looks), []

    def look():
        try:
            return next(rest)
        except StopIteration:
            raise _EndOfLooksError from None

    found = []
    with suppress(_EndOfLooksError):
        for again in saves(look, lambda: pauses.append(1)):
            found.append(again)  # noqa: PERF402 -- what comes before the looks end
    return found, len(pauses)


@pytest.mark.parametrize(
    ("looks", "found"),
    [
        ((OLD, OLD, OLD, OLD), [False]),
        ((OLD, OLD, NEW, NEW, NEW), [False, True]),
        ((OLD, GONE, GONE, NEW, NEW), [False, True]),  # many editors remove it first
        ((OLD, HALF, NEW, NEW), [False, True]),  # and some write it in pieces
        ((OLD, HALF, GONE, GONE, NEW, NEW, NEW), [False, True]),
        ((OLD, NEW, NEW, NEW, OLD, OLD), [False, True, True]),
        ((OLD, GONE, OLD, OLD), [False]),
    ],
)
def test_a_program_is_checked_again_when_it_was_saved(looks, found):
    """Once for each save, when two looks see the same; not while it is gone, and not where it is as before."""
    assert looked(*looks)[0] == found


def test_there_is_a_pause_before_every_look_but_the_first():
    """Watching costs nothing to speak of."""
    assert looked(OLD, OLD, NEW, NEW, NEW)[1] == 5


def test_what_is_watched_is_said_and_a_file_that_cannot_be_read_ends_nothing(tmp_path, monkeypatch):
    """Each check is told with its time, and behind it how to go on; half an archive is tried again when it is whole."""
    path = tmp_path / "nim.asm"
    path.write_text(BAD, encoding="utf-8")

    def three_times(_look, _pause) -> Iterator[bool]:
        yield False
        path.unlink()
        yield True
        path.write_text(IDLE, encoding="utf-8")
        yield True
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "saves", three_times)
    done = CliRunner().invoke(check, ["--watch", "lc3-nim", str(path)])
    assert [line for line in done.stdout.splitlines() if line.endswith("nim.asm was saved")] != []
    assert "assembles does not build" in done.stdout
    assert "plays not shown" in done.stdout
    assert done.stderr.count(f"{path} is checked again whenever it is saved; Ctrl-C ends this") == 3
    assert "nim.asm" in done.stderr.split("Ctrl-C")[1].splitlines()[1]
    assert "Traceback" not in done.output


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_a_command_with_a_letter_left_out_or_twice_is_offered(command):
    """Whatever command was meant, its name is among the words of the answer."""
    for typed in (command[:1] + command[2:], command[:2] + command[1:]):
        if typed not in COMMANDS:
            said = CliRunner().invoke(cli, [typed])
            assert said.exit_code == 2
            assert f"did you mean `{command}`?" in said.stderr


@pytest.mark.parametrize("spec", bundled_specs())
def test_a_spec_with_another_sign_or_a_letter_left_out_is_offered(spec):
    """Names are typed from memory."""
    for typed in (spec.replace("-", "_"), spec.replace("-", ""), spec.upper(), spec[:-1]):
        with pytest.raises(UsageError) as error:
            spec_path(typed)
        assert f"did you mean {spec}?" in error.value.hint

"""``grader run`` on a terminal: keys and lines as a person types them."""

from __future__ import annotations

import sys
from pathlib import Path

import pexpect
import pytest

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")  # a child that execs at once is safe

NIM = FIXTURES / "lc3-nim/accepted/stack-in-r6/submission/nim.asm"
MARS = FIXTURES / "mips-connect4/accepted/mars-macros/submission/connect4.s"
KEYS = FIXTURES / "mips-connect4/accepted/keys-bitboards/submission/connect4.s"
SPIM = FIXTURES / "mips-connect4/accepted/spim-main/submission/connect4.s"


@pytest.fixture
def run():
    """Start ``grader run`` on a terminal of its own."""
    started = []

    def start(*arguments: object) -> pexpect.spawn:
        words = ["-m", "grader", "run", *map(str, arguments)]
        child = pexpect.spawn(sys.executable, words, timeout=30, encoding="utf-8")
        started.append(child)
        return child

    yield start
    for child in started:
        child.close(force=True)


def ended(child: pexpect.spawn) -> int | None:
    """The exit code, once the program is over."""
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus


def test_keys_go_to_the_program_as_they_are_typed(run):
    """No Enter is needed, and each key appears because the program prints it."""
    child = run(NIM)
    for move in ("A3", "B5", "C8"):
        child.expect_exact("rocks: ")
        child.send(move[0])
        child.expect_exact(move[0])
        child.send(move[1])
    child.expect_exact("Player 2 Wins.")
    assert ended(child) == 0


def test_lines_are_read_where_the_program_wants_a_line(run):
    """A MARS program gets whole lines, edited and shown by the terminal; Ctrl-D ends the input."""
    child = run(MARS)
    child.expect_exact("2 = O: ")
    child.sendline("1")
    child.expect("column")
    child.sendline("3")
    child.expect("column")
    child.sendeof()
    assert ended(child) == 1


def test_a_mips_program_may_read_keys(run):
    """System call 12 takes one key without Enter; Ctrl-C ends the run with 130."""
    child = run(KEYS)
    child.expect("> ")
    child.send("p")
    child.expect("(?i)r")
    child.send("r")
    child.expect("column")
    child.sendintr()
    assert ended(child) == 130


def test_a_program_for_spim_plays_under_its_profile(run):
    """The profile decides the dialect and the machine."""
    child = run(SPIM, "--profile", "spim")
    child.expect("(?i)number")
    child.sendline("5")
    child.expect("(?i)x")

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


def test_keys_typed_at_once_all_arrive(run):
    """Both keys of a pasted move are played, and those that were typed before the program asked."""
    for _ in range(3):
        child = run(NIM)
        child.send("A3")
        for move in ("B5", "C8"):
            child.expect_exact("rocks: ")
            child.send(move)
        child.expect_exact("Player 2 Wins.")
        assert ended(child) == 0


def test_end_of_input_at_a_key_ends_the_input(run):
    """Ctrl-D is what the end of a pipe is: the program asked for more than there is, which is exit code 1."""
    child = run(NIM)
    child.expect_exact("rocks: ")
    child.send("A")
    child.expect_exact("A")
    child.sendeof()
    child.expect_exact("the input has ended")
    assert ended(child) == 1


def test_end_of_input_may_be_typed_ahead(run):
    """Ctrl-D before the program asks for its first key also ends the input."""
    child = run(NIM)
    child.sendeof()
    child.expect_exact("the input has ended")
    assert ended(child) == 1


def test_an_interrupt_prints_nothing_again(run):
    """Ctrl-C at a key ends the run with 130, and the board stands there once."""
    child = run(NIM)
    child.expect_exact("rocks: ")
    child.sendintr()
    child.expect(pexpect.EOF)
    assert "ROW" not in child.before
    child.close()
    assert child.exitstatus == 130


def test_the_terminal_is_left_as_it_was_found(run):
    """Echo and lines are back after the program, however it ended."""
    for finish in (pexpect.spawn.sendintr, pexpect.spawn.sendeof):
        child = pexpect.spawn("bash", ["--norc"], timeout=30, encoding="utf-8")
        child.sendline(f"stty -a > /dev/null; PS1=ready; {sys.executable} -m grader run {NIM}; stty -a; echo over")
        child.expect_exact("rocks: ")
        finish(child)
        child.expect(" icanon")
        child.expect(" echo ")
        child.close(force=True)


def test_a_program_may_ask_for_keys_and_lines_in_turn(run, tmp_path):
    """Keys come at once and unseen, lines are shown and edited, and what is pasted at a key goes on into the line."""
    program = tmp_path / "both.asm"
    program.write_text(
        "main: li $v0, 12\nsyscall\nmove $t0, $v0\nli $v0, 5\nsyscall\nadd $a0, $v0, $t0\nli $v0, 1\nsyscall\n"
        "li $v0, 11\nli $a0, 33\nsyscall\nb main\n"
    )
    child = run(program)
    child.send("\x02")
    child.sendline("12")
    child.expect_exact("14!")
    child.send("\x0130\n")
    child.expect_exact("31!")
    child.sendeof()
    assert ended(child) == 1


def test_counts_stand_in_a_line_of_their_own(run, tmp_path):
    """Also after a program that ends without a newline."""
    program = tmp_path / "p.asm"
    program.write_text("main: li $v0, 1\nli $a0, 42\nsyscall\nli $v0, 10\nsyscall\n")
    child = run(program, "--stats")
    child.expect(r"42\r?\ngrader: 5 instructions\r?\n")
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

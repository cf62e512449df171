"""Sessions on a simulated machine: waits as events, endings with places, forks."""

from __future__ import annotations

import pytest

from grader.machines.families import family
from grader.machines.lc3.assembler import assemble
from grader.sessions.session import play
from grader.sessions.simulated import SimulatedProgram, as_keys
from grader.source import SourceFile
from grader.spec.model import Limits
from grader.transcript import EndingKind, Turn

LC3 = family("lc3")
ECHO_TWO = ".ORIG x3000\nGETC\nOUT\nGETC\nOUT\nLD R0, E\nOUT\nHALT\nE .FILL x21\n.END\n"


def program(source: str = ECHO_TWO, **limits) -> SimulatedProgram:
    """The assembled source."""
    image = assemble(SourceFile("p.asm", source)).image
    assert image is not None
    return SimulatedProgram(LC3, image, Limits.model_validate(limits))


def test_a_turn_is_what_was_printed_up_to_a_wait():
    """Each input closes a turn; what is echoed of it belongs to the next one."""
    transcript = play(program().start("default"), ["a", "b"])
    assert transcript.turns == (Turn("", "a"), Turn("a", "b"), Turn("b!"))
    assert transcript.ending.kind is EndingKind.ENDED
    assert (transcript.usage.turns, transcript.usage.output_bytes, transcript.usage.instructions) == (3, 3, 7)


def test_two_keys_can_be_one_input():
    """A program reads the keys of one input one by one, and waits only when they are used up."""
    assert play(program().start("default"), ["ab"]).turns == (Turn("", "ab"), Turn("ab!"))


def test_waiting_after_the_last_input_is_an_ending_of_its_own():
    """The program is left waiting: nobody closes its input."""
    assert play(program().start("default"), ["a"]).ending.kind is EndingKind.STILL_WAITING


def test_an_ended_program_gets_no_more_input():
    """Inputs beyond the end are not given."""
    transcript = play(program().start("default"), ["ab", "c", "d"])
    assert [t.typed for t in transcript.turns] == ["ab", None]


def test_a_closed_input_ends_the_run_where_it_is_asked_for():
    """Reading past the end has a place and the steps that led there."""
    session = program().start("default")
    session.send("a")
    session.close_input()
    ending = session.advance()
    assert ending is not None
    assert (ending.kind, ending.place) == (EndingKind.INPUT_ENDED, "p.asm:4:1")
    assert "GETC" in ending.excerpt
    assert ending.last_steps


def test_a_fork_has_its_own_future():
    """Both go on from the same state, each with its own input."""
    session = program().start("default")
    session.send("a")
    assert session.advance() is None
    twin = session.fork()
    session.send("b")
    twin.send("c")
    session.advance()
    twin.advance()
    assert (session.take_output(), twin.take_output()) == (b"ab!", b"ac!")


def test_starting_again_starts_anew():
    """A program is assembled once and run from the start each time, whatever the run before did."""
    one = program()
    first = play(one.start("default"), ["a", "b"])
    assert play(one.start("default"), ["a", "b"]) == first
    assert play(one.start("default", seed=3), ["a", "b"]).turns == first.turns


@pytest.mark.parametrize(("budget", "kind"), [(6, EndingKind.BUDGET), (7, EndingKind.ENDED)])
def test_the_instruction_budget_is_exact(budget, kind):
    """Seven instructions run in seven, and not in six."""
    assert play(program(instructions=budget).start("default"), ["ab"]).ending.kind is kind


@pytest.mark.parametrize(("limit", "kind"), [(2, EndingKind.OUTPUT_LIMIT), (3, EndingKind.ENDED)])
def test_the_output_limit_is_exact(limit, kind):
    """Three bytes may be printed where three are allowed."""
    assert play(program(output=limit).start("default"), ["ab"]).ending.kind is kind


ECHOES = ".ORIG x3000\nMORE GETC\nOUT\nOUT\nOUT\nBR MORE\n.END\n"
"""Prints three bytes for each key."""


@pytest.mark.parametrize(("limit", "taken"), [(2, 0), (3, 10)])
def test_an_answer_allows_as_much_output_again(limit, taken):
    """Three bytes may be printed in each turn where three are allowed, and ten times as many in all, also in a fork."""
    session = program(ECHOES, output=limit).start("default")
    answered = 0
    while session.advance() is None:
        answered += 1
        session = session.fork()
        session.send("x")
    assert answered == taken + 1


def test_a_bare_program_keeps_the_machine_s_banner_out():
    """HALT of the second edition prints a message, which is no output of the student's."""
    image = program().image
    loud, bare = SimulatedProgram(LC3, image, Limits()), SimulatedProgram(LC3, image, Limits(), bare=True)
    assert "halting" in play(loud.start("classic"), ["ab"]).turns[-1].output
    assert play(bare.start("classic"), ["ab"]).turns[-1].output == "ab!"


def test_keys_are_bytes():
    """A key is one byte where Latin-1 has it, and UTF-8 where not; no text is refused."""
    assert as_keys("A*é") == b"A*\xe9"
    assert as_keys("你") == "你".encode()
    assert as_keys("\udcff你") == b"\xff" + "你".encode()


def test_a_trace_shows_every_instruction_once():
    """Tracing executes as advancing does, and shows each step."""
    session = program().start("default")
    session.send("ab")
    steps = []
    assert session.trace(steps.append) is not None
    assert [step.split()[0] for step in steps] == [f"x{address:04X}" for address in range(0x3000, 0x3007)]
    assert session.take_output() == b"ab!"


DRAWS = "li $v0, 41\nsyscall\nli $v0, 1\nsyscall\nli $v0, 10\nsyscall\n"
READS = """.data
name: .asciiz "board.txt"
buffer: .space 8
.text
la $a0, name\nli $v0, 13\nli $a1, 0\nsyscall
move $a0, $v0\nla $a1, buffer\nli $a2, 7\nli $v0, 14\nsyscall
la $a0, buffer\nli $v0, 4\nsyscall
"""


def mips(text, **options) -> SimulatedProgram:
    """The MIPS program for these options."""
    machine = family("mips")
    image = machine.assemble(SourceFile("p.s", text), "mars", {}).image
    assert image is not None
    return SimulatedProgram(machine, image, Limits(), **options)


def printed(started) -> str:
    """All that a session prints."""
    return play(started, []).turns[0].output


def test_generators_begin_with_the_random_seed_of_the_program():
    """Every start draws the same; another random seed draws otherwise, and a seed of one start goes before it."""
    draws = mips(DRAWS, random_seed=5)
    first = printed(draws.start("mars"))
    assert printed(draws.start("mars", seed=7)) == printed(mips(DRAWS).start("mars", seed=7)) != first
    assert printed(draws.start("mars")) == first != printed(mips(DRAWS).start("mars"))


def test_a_program_finds_the_files_that_it_is_given():
    """The folder of the file calls is a mapping; another start finds it as it was."""
    reads = mips(READS, files={"board.txt": b"X O"})
    assert [printed(reads.start("mars")) for _ in range(2)] == ["X O", "X O"]
    assert printed(mips(READS).start("mars")) == ""


def test_a_program_starts_where_it_is_told():
    """At its first instruction, or at main."""
    text = "li $a0, 1\n.globl main\nmain: li $v0, 1\nsyscall\nli $v0, 10\nsyscall\n"
    assert [printed(mips(text, entry=entry).start("mars")) for entry in ("", "first", "main")] == ["1", "1", "0"]

"""Words that a program is called with: where MARS puts them, and SPIM."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from grader.machines.mips.assembler import assemble
from grader.machines.mips.machine import Machine
from grader.machines.mips.profiles import PROFILES
from grader.source import SourceFile

PRINTS = """
        .data
line:   .asciiz "\\n"
        .text
        .globl main
main:   addu $s0, $a0, $zero
        addu $s1, $a1, $zero
        lw   $a0, 0($a2)        # nothing stands where an environment would
        li   $v0, 1
        syscall
        addu $a0, $s0, $zero
        syscall
next:   lw   $a0, 0($s1)
        beq  $a0, $zero, done
        li   $v0, 4
        syscall
        la   $a0, line
        syscall
        addiu $s1, $s1, 4
        j    next
done:   li   $v0, 10
        syscall
"""


def machine(profile: str, *arguments: bytes) -> Machine:
    """A machine with the program that prints what it is called with."""
    image = assemble(SourceFile("p.s", PRINTS), dialect=profile).image
    assert image is not None
    return Machine(image, PROFILES[profile], arguments=arguments)


def text_at(one: Machine, address: int) -> bytes:
    """The bytes from an address up to a zero."""
    data = b""
    while True:
        byte = one.read(address) >> 8 * (address % 4) & 0xFF
        if not byte:
            return data
        data += bytes([byte])
        address += 1


def test_mars_puts_the_texts_on_top_and_the_table_below_the_stack_pointer():
    """The first text is the highest; the table ends with a zero where the stack pointer usually is, and begins with their number."""
    one = machine("mars", b"abc", b"", b"de")
    a0, a1, sp = (one.registers[number] for number in (4, 5, 29))
    assert (a0, a1, sp) == (3, sp + 4, 0x7FFF_EFFC - 16)
    assert [one.read(sp), one.read(0x7FFF_EFFC)] == [3, 0]
    addresses = [one.read(a1 + 4 * number) for number in range(3)]
    assert addresses == [0x7FFF_FFF9, 0x7FFF_FFF8, 0x7FFF_FFF5]
    assert [text_at(one, address) for address in addresses] == [b"abc", b"", b"de"]


def test_many_words_move_the_stack_pointer_below_them():
    """More than 4 KiB of them, which is what lies above it."""
    words = [bytes([97 + number % 26]) * 100 for number in range(60)]
    one = machine("mars", *words)
    assert one.registers[29] < 0x7FFF_EFFC - 6000 + 4096
    addresses = [one.read(one.registers[5] + 4 * number) for number in range(61)]
    assert addresses.pop() == 0
    assert [text_at(one, address) for address in addresses] == words
    assert min(addresses) > one.registers[29] + 4 * 61


def test_without_words_nothing_is_moved():
    """As MARS begins without `pa`."""
    one = machine("mars")
    assert [one.registers[number] for number in (4, 5, 29)] == [0, 0, 0x7FFF_EFFC]


def test_a_machine_that_begins_anew_has_them_again():
    """Whatever the run before has made of them."""
    one = machine("spim", b"x")
    first = one.run(), one.take_output()
    one.reset()
    assert (one.run().kind, one.take_output()) == (first[0].kind, first[1])


@pytest.mark.skipif(shutil.which("spim") is None, reason="SPIM is not installed")
@pytest.mark.parametrize("words", [(), ("one",), ("one", "two three", "äöü"), ("x" * 3000, "y" * 3000)])
def test_programs_print_what_they_print_on_spim(tmp_path, words):
    """The name of the program is the first of the words there."""
    source = tmp_path / "program.s"
    source.write_text(PRINTS)
    command = [shutil.which("spim"), "-file", "program.s", *words]
    run = subprocess.run(command, capture_output=True, check=True, stdin=subprocess.DEVNULL, cwd=tmp_path, env={})
    one = machine("spim", *(word.encode() for word in words))
    one.run()
    assert one.take_output() == run.stdout.rpartition(b"exceptions.s\n")[2]

"""Random programs on our machine, in the profile ``spim``, and on Debian's SPIM 8."""

import subprocess

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.machines.mips.assembler import assemble
from grader.machines.mips.machine import Machine
from grader.machines.mips.profiles import PROFILES
from grader.source import SourceFile

REGISTERS = [f"$t{n}" for n in range(8)]
REGISTER = st.sampled_from(REGISTERS)
NUMBER = st.one_of(st.sampled_from([0, 1, -1, 2**31 - 1, -(2**31), 255, 32768]), st.integers(-(2**31), 2**31 - 1))
SMALL = st.integers(-0x8000, 0x7FFF)
THREE = st.builds(
    "{} {}, {}, {}".format,
    st.sampled_from(
        [
            "add",
            "addu",
            "sub",
            "subu",
            "and",
            "or",
            "xor",
            "nor",
            "slt",
            "sltu",
            "mul",
            "sllv",
            "srlv",
            "srav",
            "movz",
            "movn",
        ]
    ),
    REGISTER,
    REGISTER,
    REGISTER,
)
TWO = st.builds(
    "{} {}, {}".format, st.sampled_from(["mult", "multu", "madd", "maddu", "msub", "msubu"]), REGISTER, REGISTER
)
DIVISION = st.builds(
    "{} {}, {}\nmflo {}\nmfhi {}".format, st.sampled_from(["div", "divu"]), REGISTER, REGISTER, REGISTER, REGISTER
)
RESULT = st.builds("{} {}".format, st.sampled_from(["mfhi", "mflo", "mthi", "mtlo"]), REGISTER)
COUNT = st.builds("{} {}, {}".format, st.sampled_from(["clz", "clo"]), REGISTER, REGISTER)
NUMBERED = st.builds(
    "{} {}, {}, {}".format, st.sampled_from(["addi", "addiu", "slti", "sltiu"]), REGISTER, REGISTER, SMALL
)
BITS = st.builds(
    "{} {}, {}, {}".format, st.sampled_from(["andi", "ori", "xori"]), REGISTER, REGISTER, st.integers(0, 0xFFFF)
)
SHIFT = st.builds(
    "{} {}, {}, {}".format, st.sampled_from(["sll", "srl", "sra"]), REGISTER, REGISTER, st.integers(0, 31)
)
MEMORY = st.builds(
    "{} {}, {}($s0)".format,
    st.sampled_from(["lw", "lh", "lhu", "lb", "lbu", "sw", "sh", "sb", "lwl", "lwr", "swl", "swr"]),
    REGISTER,
    st.integers(0, 15),
)
BRANCH = st.builds(
    "{} {}, {}, FORWARD".format, st.sampled_from(["beq", "bne", "blt", "bge", "bltu", "bgeu"]), REGISTER, REGISTER
) | st.builds("{} {}, FORWARD".format, st.sampled_from(["blez", "bgtz", "bltz", "bgez"]), REGISTER)
STATEMENT = st.one_of(THREE, THREE, TWO, DIVISION, RESULT, COUNT, NUMBERED, BITS, SHIFT, MEMORY, MEMORY, BRANCH)


def program(numbers, statements):
    """A program that sets the registers, runs the statements, and prints registers and memory."""
    lines = [f"li {register}, {number}" for register, number in zip(REGISTERS, numbers, strict=True)]
    for place, statement in enumerate(statements):
        lines.append(f"L{place}: " + statement.replace("FORWARD", f"L{min(place + 2, len(statements))}"))
    lines.append(f"L{len(statements)}: nop")
    for shown in [f"move $a0, {register}" for register in REGISTERS] + [f"lw $a0, {at}($s0)" for at in range(0, 20, 4)]:
        lines += [shown, "li $v0, 1", "syscall", "li $a0, 10", "li $v0, 11", "syscall"]
    head = ".data\nx: .word 1, -2, 0x89abcdef, 0x7fffffff, 5\n.text\n.globl main\nmain: la $s0, x\n"
    return head + "\n".join(lines) + "\nli $v0, 10\nsyscall\n"


def printed_by_spim(text, folder):
    """The output of SPIM after its banner."""
    source = folder / "program.s"
    source.write_text(text, encoding="ascii")
    run = subprocess.run(["spim", "-file", str(source)], capture_output=True, check=True, stdin=subprocess.DEVNULL)
    assert b"(parser)" not in run.stderr, run.stderr
    return run.stdout.split(b"exceptions.s\n", 1)[1]


@given(st.lists(NUMBER, min_size=8, max_size=8), st.lists(STATEMENT, min_size=5, max_size=40))
@settings(max_examples=60, deadline=None, suppress_health_check=(HealthCheck.function_scoped_fixture,))
def test_random_programs_print_what_spim_prints(tmp_path, numbers, statements):
    """Arithmetic with its exceptions, products, quotients, unaligned memory and branches."""
    text = program(numbers, statements)
    image = assemble(SourceFile("program.s", text), dialect="spim").image
    assert image is not None
    machine = Machine(image, PROFILES["spim"])
    machine.run()
    assert machine.take_output() == printed_by_spim(text, tmp_path)

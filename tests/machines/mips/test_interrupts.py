"""Interrupts of the keyboard and the display: when they come, what the handler finds, and when a program waits."""

from dataclasses import replace

import pytest

from grader.machines.mips import machine
from grader.machines.mips.assembler import assemble
from grader.machines.mips.profiles import PROFILES
from grader.machines.stop import StopKind
from grader.source import SourceFile

pytestmark = pytest.mark.usefixtures("each_loop")
LISTEN = "main: lui $t0, 0xffff\nli $t1, 2\nsw $t1, 0($t0)\n"
ALLOW = "mfc0 $t2, $12\nori $t2, $t2, 1\nmtc0 $t2, $12\n"
IDLE = "idle: beq $0, $0, idle\nnop\n"
ECHO = """.ktext 0x80000180
lui $k0, 0xffff
lw $a0, 4($k0)
li $v0, 11
syscall
bne $a0, 113, back
li $v0, 10
syscall
back: eret
"""
SHOW = """.ktext 0x80000180
mfc0 $a0, $13
li $v0, 34
syscall
mfc0 $a0, $14
syscall
mfc0 $a0, $12
syscall
li $v0, 10
syscall
"""


def made(text, profile="mars", handler=ECHO, **options):
    """A machine with the program and its handler."""
    assembly = assemble(SourceFile("test.s", f".globl main\n.text\n{text}{handler}"), dialect=profile)
    assert assembly.image is not None, [d.one_line() for d in assembly.errors]
    return machine.Machine(assembly.image, PROFILES[profile], **options)


@pytest.mark.parametrize("profile", ["mars", "spim"])
@pytest.mark.parametrize("observe", [False, True])
def test_a_key_interrupts_a_program_that_idles(profile, observe):
    """It waits when its state comes back; each key is one interrupt, in the order in which they were typed."""
    tried = made(LISTEN + ALLOW + IDLE, profile, observe=observe)
    stop = tried.run()
    assert (stop.kind, tried.wants, stop.instructions < 10_000) == (StopKind.WAITS, "key", True)
    tried.feed(b"ab")
    assert tried.run().kind is StopKind.WAITS
    assert tried.take_output() == b"ab"
    twin = tried.fork()
    twin.close_input()
    assert twin.run().kind is StopKind.INPUT_ENDED
    tried.feed(b"cqd")
    assert tried.run().kind is StopKind.HALTED
    assert tried.take_output() == b"cq"


def test_delayed_branches_are_not_torn_apart():
    """A key that arrives between a branch and its slot interrupts after them, and the program goes on as before."""
    image = made(LISTEN + "idle: b idle\naddi $s0, $s0, 1\n").image
    tried = machine.Machine(image, replace(PROFILES["mars"], delayed=True), budget=1000)
    for _ in range(5):
        assert tried.step() is None
    tried.feed(b"xq")
    assert tried.run().kind is StopKind.HALTED
    assert tried.take_output() == b"xq"


@pytest.mark.parametrize(
    ("profile", "text", "cause", "status"),
    [("mars", LISTEN, "100", "0000ff13"), ("spim", LISTEN + ALLOW, "800", "3000ff13")],
)
def test_the_handler_finds_cause_place_and_status(profile, text, cause, status):
    """The cause has the device's bit, the place is that of the instruction that has not run, and more are kept out."""
    handler = SHOW if profile == "mars" else SHOW.replace("34", "1")
    tried = made(text + IDLE, profile, handler)
    tried.run()
    tried.feed(b"x")
    tried.run()
    printed = tried.take_output().decode()
    idle = tried.image.symbols["idle"]
    if profile == "mars":
        assert printed == f"0x00000{cause}0x{idle:08x}0x{status}"
    else:
        assert printed == f"{int(cause, 16)}{idle}{int(status, 16)}"


def test_a_busy_program_is_interrupted_when_the_key_is_typed():
    """It need not idle; what it was doing goes on after the handler."""
    count = "li $s0, 0\nagain: addi $s0, $s0, 1\nblt $s0, 100, again\nmove $a0, $s0\nli $v0, 1\nsyscall\n"
    tried = made(LISTEN + count + "li $v0, 10\nsyscall\n")
    for _ in range(50):
        assert tried.step() is None
    tried.feed(b"x")
    assert tried.run().kind is StopKind.HALTED
    assert tried.take_output() == b"x100"


@pytest.mark.parametrize(("status", "printed"), [(0xFF10, b"0"), (0xFF13, b"0"), (0xFF11, b"x0"), (1, b"x0")])
def test_the_status_register_keeps_interrupts_out(status, printed):
    """While interrupts are off, or an exception is under way; the key is not lost and comes when they are let in."""
    text = f"main: li $t3, {status}\nmtc0 $t3, $12\n{LISTEN.replace('main: ', '')}"
    text += "li $a0, 0\nli $v0, 1\nsyscall\nli $t3, 0xff11\nmtc0 $t3, $12\nnop\nli $v0, 10\nsyscall\n"
    tried = made(text)
    tried.feed(b"x")
    assert tried.run().kind is StopKind.HALTED
    output = tried.take_output()
    assert output.index(b"x") == (1 if printed == b"0" else 0)


def test_spim_masks_the_bit_of_the_device():
    """Without bit 11 in the status register no key gets through: the program idles for ever."""
    masked = "li $t2, 0xf701\nmtc0 $t2, $12\n"
    tried = made(LISTEN + masked + IDLE, "spim")
    tried.feed(b"x")
    assert tried.run().kind is StopKind.NEVER_ENDS


def test_without_a_handler_an_interrupt_is_an_exception():
    """In MARS it ends the program; SPIM's own handler prints a line."""
    tried = made(LISTEN + IDLE, handler="")
    assert tried.run().kind is StopKind.WAITS
    tried.feed(b"x")
    stop = tried.run()
    assert (stop.kind, stop.message) == (
        StopKind.RUNTIME_EXCEPTION,
        "Runtime exception at 0x0040000c: External Interrupt",
    )
    tried = made(LISTEN + ALLOW + IDLE, "spim", handler="")
    tried.feed(b"x")
    assert tried.run().kind is StopKind.WAITS
    assert tried.take_output() == b"  Exception 0  [Interrupt]  occurred and ignored\n"


SEND = """.ktext 0x80000180
la $k0, text
add $k0, $k0, $s0
lb $k1, 0($k0)
beqz $k1, done
addi $s0, $s0, 1
lui $k0, 0xffff
sw $k1, 12($k0)
eret
done: li $v0, 10
syscall
.data
text: .asciiz "ello"
"""


@pytest.mark.parametrize(("profile", "printed"), [("mars", b"hello"), ("spim", b"ello")])
def test_the_display_interrupts_when_it_is_ready_again(profile, printed):
    """After each byte that it shows; in SPIM also when its interrupts are switched on."""
    text = "main: lui $t0, 0xffff\nli $t1, 2\nsw $t1, 8($t0)\n" + (ALLOW if profile == "spim" else "")
    tried = made(f"{text}li $t1, 104\nsw $t1, 12($t0)\n{IDLE}", profile, SEND)
    assert tried.run().kind is StopKind.HALTED
    assert tried.take_output() == printed


def test_a_traced_program_waits_too():
    """Step by step as well as in one run, the state that comes back is a wait."""
    tried = made(LISTEN + IDLE)
    stop = None
    while stop is None:
        stop = tried.step()
    assert (stop.kind, stop.instructions < 10_000) == (StopKind.WAITS, True)
    tried.feed(b"q")
    while (stop := tried.step()) is None:
        pass
    assert stop.kind is StopKind.HALTED


def test_a_reset_forgets_interrupts():
    """Neither device, status nor pending key is left."""
    tried = made(LISTEN + IDLE)
    tried.feed(b"q")
    assert tried.run().kind is StopKind.HALTED
    tried.reset()
    assert tried.run().kind is StopKind.WAITS
    assert tried.take_output() == b""

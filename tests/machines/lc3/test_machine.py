import pytest

from grader.errors import JudgeError
from grader.machines.lc3.load import load
from grader.machines.lc3.profiles import PROFILES
from grader.machines.memory import noise
from grader.machines.stop import StopKind

STORES = "ST R0, MARK | GETC | HALT | MARK .FILL 7"
ECHO_TWO = "GETC | OUT | GETC | OUT | HALT"
CALL_A_TRAP_OF_ITS_OWN = """
 LEA R0, ROUTINE
 STI R0, VECTOR
 TRAP x30
 LD R0, A
 OUT
 HALT
ROUTINE ST R7, SAVED
 LD R0, B
 OUT
 LD R7, SAVED
 {back}
SAVED .FILL 0
VECTOR .FILL x30
A .FILL x41
B .FILL x42
"""


def test_a_machine_waits_for_a_key_takes_it_and_goes_on(machine_for):
    """A wait names the instruction that asks, and repeats itself until something is typed."""
    made = machine_for(ECHO_TWO)
    assert (made.run().kind, made.run().address, made.pc) == (StopKind.WAITS, 0x3000, 0x3000)
    made.feed(b"x")
    assert (made.run().kind, made.run().address, made.take_output()) == (StopKind.WAITS, 0x3002, b"x")
    made.feed(b"y")
    assert (made.run().kind, made.take_output(), made.take_output()) == (StopKind.HALTED, b"y", b"")


def test_a_final_stop_stays(machine_for):
    """Running, typing and closing after the end change nothing."""
    made = machine_for("HALT")
    stop = made.run()
    made.feed(b"x")
    made.close_input()
    assert made.run() is stop
    assert stop.final


def test_asking_after_the_input_was_closed_ends_the_run(play):
    """Earlier input is still read; the next request is an ending with its place."""
    kind, output, made = play(ECHO_TWO, b"x")
    assert (kind, output, made.run().address) == ("input-ended", b"x", 0x3002)
    assert play(ECHO_TWO, b"xy")[:2] == ("halted", b"xy")


def test_instructions_registers_and_condition_can_be_read(play):
    """HALT counts, changes no register, and the PC stays on it."""
    _, _, made = play("AND R1, R1, #0 | ADD R1, R1, #-3 | ST R1, #10 | HALT")
    assert made.registers == (0, 0xFFFD, 0, 0, 0, 0, 0, 0)
    assert (made.condition, made.instructions, made.pc, made.read(0x300D)) == ("n", 4, 0x3003, 0xFFFD)


@pytest.mark.parametrize(
    ("text", "condition"), [("HALT", "z"), ("ADD R0, R0, #1 | HALT", "p"), ("NOT R0, R0 | HALT", "n")]
)
def test_the_condition_code_is_z_at_the_start_and_then_that_of_the_last_result(play, text, condition):
    """One of three letters."""
    assert play(text)[2].condition == condition


@pytest.mark.parametrize(("budget", "kind"), [(4, "halted"), (3, "budget")])
def test_the_budget_is_exact(play, budget, kind):
    """Four instructions run within a budget of four, and not within one of three."""
    ended, _, made = play("NOP | NOP | NOP | HALT", budget=budget)
    assert (ended, made.instructions) == (kind, budget)


@pytest.mark.parametrize(("limit", "kind"), [(3, "halted"), (2, "output-limit")])
@pytest.mark.parametrize(
    "text", ['LEA R0, S | PUTS | HALT | S .STRINGZ "abc"', "LD R0, A | OUT | OUT | OUT | HALT | A .FILL x61"]
)
def test_the_output_limit_is_exact(play, text, limit, kind):
    """Three bytes may be printed under a limit of three; under one of two, the third ends the run."""
    ended, output, _ = play(text, output_limit=limit)
    assert (ended, len(output)) == (kind, limit)


def test_a_fork_on_the_arrays_of_an_ended_one_holds_nothing_of_it(machine_for):
    """Neither words nor kinds, in pages that only the ended one has written; what was written before the fork it holds."""
    made = machine_for(STORES)
    made.run()
    ended = made.fork()
    ended.store(0x5000, [0x1021] * 600)
    arrays = ended._memory
    del ended
    twin = made.fork()
    assert twin._memory is arrays
    assert (twin._memory, twin._kinds) == (made._memory, made._kinds)
    assert (twin.read(0x3003), twin.read(0x5000)) == (0, 0)


def test_a_reset_machine_holds_what_was_loaded_with_its_seed(machine_for):
    """In all pages, those included that a run has written; a fork of it does not take arrays from before."""
    made = machine_for(STORES)
    made.run()
    made.fork()
    made.store(0x5000, [5])
    made.reset()
    assert (made.read(0x3003), made.read(0x5000)) == (7, 0)
    made.reset(seed=3)
    assert made.fork()._memory == made._memory == load(made.image, protects=made.protects, seed=3).memory


def test_a_fork_has_its_own_future(machine_for):
    """Neither of two copies sees what the other was given or printed."""
    made = machine_for(ECHO_TWO)
    made.run()
    made.feed(b"a")
    made.run()
    twin = made.fork()
    twin.feed(b"b")
    assert (twin.run().kind, twin.take_output()) == (StopKind.HALTED, b"ab")
    assert (made.run().kind, made.take_output()) == (StopKind.WAITS, b"a")
    made.feed(b"c")
    made.run()
    assert (made.take_output(), made.registers[0], twin.registers[0]) == (b"c", ord("c"), ord("b"))


def test_a_reset_machine_is_as_new(machine_for):
    """Memory, registers, input, output and count all begin anew, with the seed that is given."""
    text = "LD R1, A | ADD R1, R1, #1 | ST R1, A | GETC | OUT | HALT | A .FILL 7"
    made = machine_for(text)
    made.feed(b"q")
    first = made.run(), made.registers, made.take_output()
    made.reset()
    assert made.run().kind is StopKind.WAITS
    made.feed(b"q")
    assert (made.run(), made.registers, made.take_output()) == first
    made.reset(5)
    assert made.registers == machine_for(text, seed=5).registers


def test_a_seed_fills_registers_and_untouched_memory_and_nothing_else(machine_for):
    """The program's words, the vectors and the devices are as without a seed; equal seeds are equal, others differ."""
    plain, one, same, other = (machine_for("A .FILL 1 | B .BLKW 2", seed=seed) for seed in (None, 7, 7, 8))
    assert plain.registers == (0,) * 8
    assert one.registers == same.registers != other.registers
    assert all(one.read(at) == same.read(at) for at in range(0x10000))
    for at in (0x0025, 0x0180, 0x3000, 0x3001, 0x3002, 0xFE00, 0xFFFE):
        assert one.read(at) == plain.read(at)
    assert one.read(0x4000) != 0 != other.read(0x4000)
    assert one.condition == "z"


def test_noise_is_the_same_everywhere():
    """The first words for a seed, written down once: SHAKE-128 does not depend on platform or version."""
    assert [f"{word:04x}" for word in noise(42, 4)] == EXPECTED_NOISE
    assert len(noise(1, 65536)) == 65536
    assert noise(1, 3, "I").itemsize == 4


EXPECTED_NOISE = ["4e60", "77d9", "cee3", "1c9a"]


@pytest.mark.parametrize(
    ("profile", "output"),
    [
        ("default", b"\n"),
        ("lc3tools", b"\n\n\n--- Halting the LC-3 ---\n\n"),
        ("classic", b"\r\n\n--- halting the LC-3 ---\n\n"),
    ],
)
def test_a_carriage_return_and_a_halt_print_as_the_edition_says(play, profile, output):
    """OUT of x0D, then HALT."""
    assert play("LD R0, A | OUT | HALT | A .FILL x0D", profile=profile)[1] == output


def test_in_prompts_once_echoes_and_ends_the_line(machine_for):
    """The prompt comes before the wait and not again after it."""
    made = machine_for("IN | HALT")
    assert (made.run().kind, made.take_output()) == (StopKind.WAITS, b"\nInput a character> ")
    made.feed(b"k")
    assert (made.run().kind, made.take_output(), made.registers[0]) == (StopKind.HALTED, b"k\n", ord("k"))


def test_each_in_prompts_anew(play):
    """The second one too."""
    assert play("IN | IN | HALT", b"ab")[1] == b"\nInput a character> a\n\nInput a character> b\n"


def test_the_budget_holds_for_the_instructions_of_routines_too(play):
    """Under lc3tools a loop of OUT and BR takes ten instructions a round."""
    _, output, made = play("L OUT | BR L", profile="lc3tools", budget=100)
    assert (made.run().kind, made.instructions, len(output)) == (StopKind.BUDGET, 100, 10)


def test_in_counts_as_the_routine_of_lc3tools(play):
    """305 for IN and 383 for HALT."""
    assert play("IN | HALT", b"k", profile="lc3tools")[2].instructions == 305 + 383


def test_puts_prints_low_bytes_and_putsp_both(play):
    """PUTS ends at a word of zero; PUTSP at a byte of zero."""
    assert play("LEA R0, S | PUTS | HALT | S .FILL x4161 | .FILL x62 | .FILL 0")[1] == b"ab"
    assert play("LEA R0, S | PUTSP | HALT | S .FILL x4161 | .FILL x0062 | .FILL x63 | .FILL 0")[1] == b"aAb"


@pytest.mark.parametrize(("profile", "r7", "condition"), [("default", 9, "z"), ("classic", 0x3004, "p")])
def test_r7_after_a_trap_and_lea_are_as_the_edition_says(play, profile, r7, condition):
    """The second edition puts the return address into R7, and LEA sets the condition codes."""
    text = "AND R7, R7, #0 | ADD R7, R7, #9 | AND R0, R0, #0 | OUT | LEA R1, A | BRz #0 | ST R7, A | HALT | A .FILL 0"
    _, _, made = play(text, profile=profile)
    assert made.read(0x3008) == r7
    assert made.condition == condition


def test_jsrr_r7_jumps_to_the_old_r7(play):
    """And R7 is the return address afterwards."""
    assert play("LEA R7, F | JSRR R7 | HALT | F LD R0, A | OUT | RET | A .FILL x41")[:2] == ("halted", b"A")


@pytest.mark.parametrize(
    ("profile", "back", "kind"),
    [("default", "RTI", "halted"), ("classic", "RET", "halted"), ("default", "RET", "off-end")],
)
def test_a_trap_of_the_programs_own_works(play, profile, back, kind):
    """Its routine returns by RTI in the third edition, where R7 says nothing, and by RET in the second."""
    ended, output, _ = play(CALL_A_TRAP_OF_ITS_OWN.format(back=back), profile=profile)
    assert (ended, output.startswith(b"BA" if kind == "halted" else b"B")) == (kind, True)


def test_a_program_may_replace_halt(play):
    """A vector that the program filled is its own, also one that the machine serves."""
    text = "LEA R0, MINE | STI R0, V | HALT | LD R0, A | OUT | TRAP x26 | MINE RTI | V .FILL x25 | A .FILL x61"
    assert play(text)[:2] == ("undefined-trap", b"a")


@pytest.mark.parametrize(
    "text",
    ["LDI R0, A | HALT | A .FILL x2FFF", "STI R0, A | HALT | A .FILL xFE06", "LD R1, A | JMP R1 | A .FILL xFE00"],
)
def test_lc3tools_protects_memory_outside_the_users(play, text):
    """Loads, stores and jumps end there with the text of the tool; in the default they do not."""
    kind, output, _ = play(text, profile="lc3tools")
    assert (kind, output) == ("access-violation", b"\n\n--- Access violation---\n\n\n\n--- Halting the LC-3 ---\n\n")
    assert play(text)[0] != "access-violation"


@pytest.mark.parametrize("at", [0x3000, 0xFDFF])
def test_lc3tools_lets_a_user_touch_both_ends_of_his_memory(play, at):
    """x3000 and xFDFF are the user's."""
    assert play(f"STI R0, A | LDI R0, A | HALT | A .FILL x{at:X}", profile="lc3tools")[0] == "halted"


def test_a_program_in_the_systems_memory_may_not_run_under_lc3tools(play):
    """Its first fetch is a violation; in the default it runs."""
    assert play("HALT", profile="lc3tools", origin="x0400")[0] == "access-violation"
    assert play("HALT", origin="x0400")[0] == "halted"


def test_devices_answer(play):
    """The display is ready, MCR runs, PSR says user mode and Z; clearing bit 15 of MCR halts."""
    text = """
 LDI R1, DSR
 LDI R2, MCR
 AND R0, R0, #0
 LDI R3, PSR
 LD R0, A
 STI R0, DDR
 AND R0, R0, #0
 STI R0, MCR
DSR .FILL xFE04
DDR .FILL xFE06
MCR .FILL xFFFE
PSR .FILL xFFFC
A .FILL x41"""
    kind, output, made = play(text)
    assert (kind, output, made.registers[1:4]) == ("halted", b"A", (0x8000, 0x8000, 0x8002))


INTERRUPTS = """
 LD R6, STACK
 LEA R0, ROUTINE
 STI R0, VECTOR
 AND R5, R5, #0
 LD R0, ENABLE
 STI R0, KBSR
WAIT ADD R1, R5, #-2
 BRn WAIT
 HALT
ROUTINE LDI R0, KBDR
 OUT
 ADD R5, R5, #1
 RTI
STACK .FILL xFD00
VECTOR .FILL x0180
ENABLE .FILL x4000
KBSR .FILL xFE00
KBDR .FILL xFE02"""


def test_a_key_interrupts_where_the_program_allows_it(machine_for):
    """It waits as long as no key comes, without looking; each key runs the routine, and RTI brings back stack and mode."""
    made = machine_for(INTERRUPTS)
    assert made.run().kind is StopKind.WAITS
    for key, kind in ((b"a", StopKind.WAITS), (b"b", StopKind.HALTED)):
        made.feed(key)
        assert (made.run().kind, made.take_output(), made.registers[6]) == (kind, key, 0xFD00)


def test_two_keys_at_once_interrupt_twice(play):
    """The second waits until the routine for the first is over."""
    assert play(INTERRUPTS, b"ab")[:2] == ("halted", b"ab")


def test_a_routine_is_not_interrupted_by_its_own_keyboard(play):
    """The key that is being served is still there when the routine allows interrupts again."""
    text = INTERRUPTS.replace("ROUTINE LDI R0, KBDR", "ROUTINE LD R0, ENABLE | STI R0, KBSR | LDI R0, KBDR")
    assert play(text, b"ab")[:2] == ("halted", b"ab")


def test_without_a_routine_a_key_does_not_interrupt(play):
    """The vector at x0180 was never filled."""
    assert play("LD R0, A | STI R0, B | HALT | A .FILL x4000 | B .FILL xFE00", b"a")[0] == "halted"


def test_no_key_for_an_interrupt_after_the_end_of_input_is_an_ending(play):
    """A program that waits for it can only end so."""
    assert play(INTERRUPTS, b"a")[:2] == ("input-ended", b"a")


def test_stops_have_a_place_and_the_last_steps(play):
    """The span is that of the statement; steps come oldest first, with text and span."""
    stop = play("AND R0, R0, #0 | BRz #0 | TRAP x77 | HALT")[2].run()
    assert (stop.kind, stop.address, stop.span.line) == (StopKind.UNDEFINED_TRAP, 0x3002, 4)
    assert [step.text for step in stop.last] == ["AND R0, R0, #0", "BRz #0", "TRAP x77"]
    assert [step.span.line for step in stop.last] == [2, 3, 4]


def test_only_the_last_steps_are_kept(play):
    """Eight in a stop; up to sixteen on demand."""
    made = play("L ADD R0, R0, #1 | BRnp L | ADD R1, R1, #1 | TRAP x00", budget=200_000)[2]
    assert [len(made.run().last), len(made.last(3)), len(made.last(100))] == [8, 3, 16]
    assert [step.text for step in made.last(2)] == ["ADD R1, R1, #1", "TRAP x00"]


def test_a_machine_that_keeps_no_records_says_so(machine_for):
    """It is our fault to ask, so the error is ours."""
    with pytest.raises(JudgeError, match="observe=True"):
        machine_for("HALT").observations  # noqa: B018


def test_every_profile_has_its_own_name():
    """The mapping's key is the name of the profile."""
    assert [profile.name for profile in PROFILES.values()] == list(PROFILES)

import pytest

from grader.machines.stop import StopKind

POLL = "L LDI R1, KBSR | BRzp L | LDI R0, KBDR | OUT | HALT | KBSR .FILL xFE00 | KBDR .FILL xFE02"


@pytest.fixture
def soon(monkeypatch, each_loop):
    """The search for a returning state begins after 100 instructions; both loops."""
    monkeypatch.setattr(each_loop, "WATCH_FROM", 100)


def test_the_second_look_for_a_key_at_one_place_is_a_wait(machine_for):
    """The machine stands before the look, with what the first one did done; a key lets it go on."""
    made = machine_for(POLL)
    stop = made.run()
    assert (stop.kind, stop.address, stop.instructions) == (StopKind.WAITS, 0x3000, 2)
    made.feed(b"k")
    assert (made.run().kind, made.take_output()) == (StopKind.HALTED, b"k")


def test_a_single_look_is_no_wait(play):
    """A program may look whether a key is there and go on without one, also from several places."""
    assert play("LDI R1, A | LDI R2, A | LDI R3, A | HALT | A .FILL xFE00")[0] == "halted"
    assert play(POLL)[0] == "input-ended"


def test_a_look_after_output_is_a_first_look(machine_for):
    """A program that prints between two looks does not wait at the second: it may be counting down."""
    text = """
 AND R2, R2, #0
 ADD R2, R2, #3
L LDI R1, KBSR
 BRn DONE
 LD R0, DOT
 OUT
 ADD R2, R2, #-1
 BRp L
DONE HALT
KBSR .FILL xFE00
DOT .FILL x2E"""
    made = machine_for(text)
    assert (made.run().kind, made.take_output()) == (StopKind.HALTED, b"...")


@pytest.mark.parametrize("look", ["LDI R1, KBSR", "LD R2, KBSR | LDR R1, R2, #0"])
def test_a_program_that_prints_between_looks_waits_once_its_state_comes_back(machine_for, look):
    """It spins and shows that it does; without keys nothing else can ever happen."""
    text = f"L LD R0, DOT | OUT | {look} | BRzp L | LDI R0, KBDR | OUT | HALT"
    made = machine_for(f"{text} | KBSR .FILL xFE00 | KBDR .FILL xFE02 | DOT .FILL x2E")
    stop = made.run()
    assert (stop.kind, set(made.take_output())) == (StopKind.WAITS, {ord(".")})
    assert stop.instructions < 100
    assert made.run() is stop
    made.feed(b"k")
    assert (made.run().kind, made.take_output()[-1:]) == (StopKind.HALTED, b"k")


def test_a_fork_remembers_where_the_program_looked(machine_for):
    """Closing the input ends both at once, in the same look."""
    made = machine_for(POLL)
    made.run()
    twin = made.fork()
    for each in (made, twin):
        each.close_input()
    assert made.run() == twin.run()
    assert made.run().instructions == 2


def test_a_look_at_the_data_register_counts_as_a_look(play):
    """KBDR without a key is asked again and again by programs that know no KBSR."""
    assert play("L LDI R0, A | BRz L | OUT | HALT | A .FILL xFE02")[0] == "input-ended"
    assert play("L LDI R0, A | BRz L | OUT | HALT | A .FILL xFE02", b"k")[:2] == ("halted", b"k")


def test_running_past_the_last_instruction_is_off_the_end(play):
    """The place is the first address that holds nothing; the sentence asks for the HALT."""
    stop = play("AND R0, R0, #0")[2].run()
    assert (stop.kind, stop.address, stop.instructions) == (StopKind.OFF_END, 0x3001, 1)
    assert "HALT" in stop.message


def test_returning_from_the_program_is_off_the_end(play):
    """R7 is x0000 where no JSR has set it."""
    stop = play("RET")[2].run()
    assert (stop.kind, stop.address) == (StopKind.OFF_END, 0)
    assert "RET" in stop.message


@pytest.mark.parametrize(
    ("text", "whence"),
    [
        (
            "JSR F | HALT | F LD R7, KEPT | RET | KEPT .FILL 0",
            "R7 was loaded from KEPT, which held this address from the start",
        ),
        (
            "JSR F | HALT | F LD R7, KEPT | ADD R0, R0, #1 | RET | KEPT .BLKW 1",
            "from KEPT, which held this address from the start",
        ),
        (
            "LD R6, S | JSR F | HALT | F LDR R7, R6, #1 | ADD R6, R6, #2 | RET | S .FILL x4000",
            "R7 was loaded from x4001, which held this address from the start",
        ),
        ("LDI R7, P | RET | P .FILL x5000", "R7 was loaded from x5000, which held this address from the start"),
        ("LD R1, T | JMP R1 | T .BLKW 1", "R1 was loaded from T, which held this address from the start"),
        ("LD R1, T | JSRR R1 | T .FILL x5000", "R1 was loaded from T, which held this address from the start"),
        (
            "ST R7, KEPT | ADD R7, R7, #1 | LD R7, KEPT | RET | KEPT .FILL 7",
            "R7 was loaded from KEPT, which held this address",
        ),
    ],
)
def test_a_jump_to_nowhere_names_the_cell_that_its_target_came_from(play, text, whence):
    """A return address that was never saved is the cause of most returns to x0000; a stack pointer that moves hides nothing."""
    stop = play(text)[2].run()
    assert stop.kind is StopKind.OFF_END
    assert stop.message.endswith(whence)


@pytest.mark.parametrize(
    "text", ["AND R7, R7, #0 | RET", "LD R7, A | ADD R7, R7, R0 | RET | A .FILL 0", "LEA R1, A | JMP R1 | A"]
)
def test_a_target_that_was_computed_has_no_cell(play, text):
    """Nothing is said where it is not known."""
    assert "loaded" not in play(text)[2].run().message


@pytest.mark.parametrize("seed", [None, 1])
def test_noise_beyond_the_end_is_not_executed(play, seed):
    """Random words are no program, even where they happen to be instructions."""
    assert play("NOP", seed=seed)[0] == "off-end"


def test_code_that_the_program_stored_runs(play):
    """A word that was stored is the program's, wherever it is."""
    assert play("LD R0, A | STI R0, B | LD R1, B | JMP R1 | A .FILL xF025 | B .FILL x5000")[0] == "halted"


@pytest.mark.parametrize("data", ['.STRINGZ "hello"', ".BLKW 3"])
def test_a_string_or_a_block_never_runs(play, data):
    """Its words would do nothing, which hides that a HALT or a branch is missing."""
    stop = play(f"AND R0, R0, #0 | {data} | HALT")[2].run()
    assert (stop.kind, stop.address, stop.span.line) == (StopKind.DATA_EXECUTED, 0x3001, 3)


@pytest.mark.parametrize("data", [".FILL x0005", ".FILL x1021", ".BLKW 1"])
def test_a_single_word_of_data_runs_when_it_is_an_instruction(play, data):
    """Some courses write instructions as numbers."""
    assert play(f"{data} | HALT")[0] == "halted"


@pytest.mark.parametrize("end", [".FILL xD000", ".FILL x8000", ".FILL xF077", '.STRINGZ "ab"', ""])
def test_data_that_leads_to_a_bad_end_is_the_fault_itself(play, end):
    """The stop is at the first word of data that ran, not at the last."""
    stop = play(f"AND R0, R0, #0 | .FILL 1 | .FILL 2 | {end}")[2].run()
    assert (stop.kind, stop.address) == (StopKind.DATA_EXECUTED, 0x3001)


def test_an_illegal_word_that_was_stored_is_illegal_and_no_data(play):
    """The program made it code by storing there."""
    stop = play("LD R0, A | ST R0, B | BR B | A .FILL xD000 | B .FILL 0")[2].run()
    assert (stop.kind, stop.address, stop.message) == (
        StopKind.ILLEGAL_INSTRUCTION, 0x3004, "xD000 is no instruction of the LC-3",
    )  # fmt: skip


def test_a_block_that_was_filled_with_code_runs(play):
    """The word that the program has stored counts."""
    assert play("LD R0, A | ST R0, B | BR B | A .FILL xF025 | B .BLKW 3")[0] == "halted"


def test_rti_is_for_supervisors(play):
    """A user's program ends with a privilege violation; the second edition knows none and calls it illegal."""
    assert play("RTI")[0] == "privilege-violation"
    assert play("RTI", profile="classic")[0] == "illegal-instruction"


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(
    "text",
    [
        "L BR L",
        "L JSR L",
        "LEA R1, L | L JMP R1",
        "L ADD R1, R1, #1 | BR L",
        "L LD R1, N | ADD R1, R1, #1 | AND R1, R1, #7 | ST R1, N | BR L | N .FILL 0",
        "L ST R1, N | BR L | N .FILL 0",
        "LD R2, F | L STR R1, R2, #0 | BR L | F .FILL x5000",
        "L LD R0, A | OUT | BR L | A .FILL x61",
        "L LEA R1, N | LDR R2, R1, #0 | NOT R2, R2 | STR R2, R1, #0 | BR L | N .FILL 0",
    ],
    ids=["itself", "call", "jump", "register", "memory", "same-store", "untouched", "printing", "toggling"],
)
def test_a_loop_whose_state_comes_back_never_ends(play, text):
    """Also with a counter in memory that wraps, stores that change nothing, and output."""
    assert play(text, budget=2_000_000)[0] == "never-ends"


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(
    "text",
    [
        "LD R2, N | L LD R1, N | I ADD R1, R1, #-1 | BRp I | ADD R2, R2, #-1 | BRp L | HALT | N .FILL 300",
        "L LD R1, N | ADD R1, R1, #-1 | ST R1, N | BRp L | HALT | N .FILL 2000",
        "LD R1, N | L LDR R2, R1, #0 | NOT R2, R2 | STR R2, R1, #0 | ADD R1, R1, #-1 | BRn L | HALT | N .FILL xFDFF",
    ],
    ids=["nested", "in-memory", "over-memory"],
)
def test_a_long_loop_that_ends_is_not_said_to_be_endless(play, text):
    """Something is different each time around, in registers or in memory alone."""
    assert play(text, budget=2_000_000)[0] == "halted"


BEFORE = "NOP | " * 101 + "AND R0, R0, #0 | ADD R1, R0, #1 | BR DOWN | "  # the copy is taken by the jump at DOWN


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("L BRz END | AND R0, R0, #0 | BR L | END HALT | DOWN BR L", "halted"),
        (
            (
                "L LDI R2, PSR | LD R3, MASK | AND R2, R2, R3 | BRnp END | LD R2, URGENT | STI R2, PSR"
                " | AND R2, R2, #0 | AND R3, R3, #0 | BR L | END HALT"
                " | PSR .FILL xFFFC | MASK .FILL x0700 | URGENT .FILL x8102 | DOWN AND R2, R2, #0 | BR L"
            ),
            "halted",
        ),
        ("L OUT | STI R0, VECTOR | BR L | VECTOR .FILL x0021 | DOWN BR L", "off-end"),
    ],
    ids=["condition", "priority", "first-store"],
)
def test_a_state_that_differs_in_one_small_thing_is_another_state(play, text, kind):
    """Registers and memory are equal on the second way through L, but not the condition code, or the priority, or that
    a word, still zero, is now the program's own.
    """
    assert play(BEFORE + text)[0] == kind


@pytest.mark.usefixtures("soon")
def test_taking_a_key_each_time_around_is_no_endless_loop(machine_for):
    """The same state with another position in the input is another state."""
    made = machine_for("L GETC | OUT | AND R0, R0, #0 | BR L")
    made.feed(b"x" * 500)
    assert (made.run().kind, len(made.take_output())) == (StopKind.WAITS, 500)
    made.close_input()
    assert made.run().kind is StopKind.INPUT_ENDED


def test_the_search_begins_late_and_finds_the_loop_at_once(play):
    """After twenty thousand instructions; the counts are the same on each run."""
    _, _, made = play("L BR L")
    assert made.run().kind is StopKind.NEVER_ENDS
    assert 20_000 <= made.run().instructions < 20_010

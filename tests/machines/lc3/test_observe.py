import pytest

from grader.machines.records import MAX_FRAMES, Experiment, Use
from tests.observed import lines_never_run, lines_run

SAVES = """
 LD R6, STACK
 AND R1, R1, #0
 ADD R1, R1, #5
 JSR F
 ADD R2, R1, #0
 HALT
F ADD R6, R6, #-1
 STR R1, R6, #0
 AND R1, R1, #0
 LDR R1, R6, #0
 ADD R6, R6, #1
 RET
STACK .FILL xFD00
"""


@pytest.fixture
def observed(play):
    """``observed(text, keys=b"")``: what an observed run shows."""

    def run(text, keys=b"", **options):
        return play(text, keys, observe=True, **options)[2].observations

    return run


def uses(seen):
    """Changes as (subroutine, register, use)."""
    return {(str(change.routine), change.register, change.use) for change in seen.changes}


def clobbers(seen):
    """Changes that nobody reads anywhere, as (subroutine, register)."""
    read = {(str(change.routine), change.register) for change in seen.changes if change.use is Use.READ}
    return {(str(change.routine), change.register) for change in seen.changes} - read


def test_a_register_that_is_restored_is_no_change(observed):
    """It is compared by value at the return."""
    seen = observed(SAVES)
    assert (seen.changes, seen.imbalances) == ((), ())


def test_a_register_that_the_caller_reads_first_is_a_result(observed):
    """Noted, and no clobber; both values and the place of the call are known."""
    seen = observed("JSR F | ADD R2, R1, #0 | HALT | F ADD R1, R1, #7 | RET")
    (change,) = seen.changes
    assert (str(change.routine), change.site, change.register) == ("F", 0x3000, 1)
    assert (change.before, change.after, change.use) == (0, 7, Use.READ)
    assert clobbers(seen) == set()


@pytest.mark.parametrize(
    "write", ["AND R1, R1, #0", "LD R1, #0", "LEA R1, #0", "NOT R1, R2", "ADD R1, R2, R3", "LDR R1, R2, #0"]
)
def test_a_register_that_the_caller_writes_first_was_clobbered(observed, write):
    """Also by AND with 0, which reads the register in name only."""
    seen = observed(f"JSR F | {write} | HALT | F ADD R1, R1, #7 | RET")
    assert uses(seen) == {("F", 1, Use.WRITTEN)}
    assert clobbers(seen) == {("F", 1)}


@pytest.mark.parametrize(
    "read",
    [
        "ADD R2, R1, #0",
        "AND R1, R1, #7",
        "ADD R2, R3, R1",
        "NOT R2, R1",
        "LDR R2, R1, #0",
        "STR R2, R1, #0",
        "ST R1, #5",
        "JMP R1",
    ],
)
def test_any_instruction_that_reads_makes_a_result(observed, read):
    """As an operand, a base, the value stored or a target."""
    assert clobbers(observed(f"JSR F | {read} | HALT | F LEA R1, G | RET | G HALT | .BLKW 9")) == set()


def test_traps_read_and_write_r0(observed):
    """OUT reads what the subroutine left there, GETC overwrites it."""
    assert uses(observed("JSR F | OUT | HALT | F ADD R0, R0, #7 | RET")) == {("F", 0, Use.READ)}
    assert uses(observed("JSR F | GETC | HALT | F ADD R0, R0, #7 | RET", b"k")) == {("F", 0, Use.WRITTEN)}


def test_a_register_that_nobody_touches_again_was_clobbered_too(observed):
    """It is told apart as unused."""
    seen = observed("JSR F | HALT | F ADD R3, R3, #7 | RET")
    assert uses(seen) == {("F", 3, Use.UNUSED)}
    assert clobbers(seen) == {("F", 3)}


def test_a_result_that_one_caller_ignores_is_still_a_result(observed):
    """Once read anywhere, the register is a result of that subroutine."""
    seen = observed("JSR F | ADD R2, R1, #0 | JSR F | AND R1, R1, #0 | HALT | F ADD R1, R1, #7 | RET")
    assert uses(seen) == {("F", 1, Use.READ), ("F", 1, Use.WRITTEN)}
    assert clobbers(seen) == set()


def test_a_result_may_be_passed_on_as_an_argument(observed):
    """The caller need not read it itself: the routine that it calls next does, or stores it as a value."""
    for reads in ("ADD R2, R0, #0", "ST R0, KEPT"):
        seen = observed(
            f"JSR F | JSR G | AND R0, R0, #0 | HALT | F ADD R0, R0, #7 | RET | G {reads} | RET | KEPT .FILL 0"
        )
        assert ("F", 0, Use.READ) in uses(seen)
        assert ("F", 0) not in clobbers(seen)


def test_a_result_may_be_passed_up(observed):
    """A routine that returns what another returned to it leaves the reading to its caller."""
    text = "LD R6, S | JSR F | ADD R2, R0, #0 | HALT | F ST R7, B | JSR G | LD R7, B | RET | G ADD R0, R0, #7 | RET | S .FILL xFD00 | B .FILL 0"
    assert uses(observed(text)) == {("F", 0, Use.READ), ("G", 0, Use.READ)}


def test_saving_a_register_deeper_down_is_no_use_of_it(observed):
    """A routine that stores it, uses it for itself and restores it has not read it for its caller."""
    text = """
 JSR F
 JSR G
 AND R1, R1, #0
 HALT
F ADD R1, R1, #7
 RET
G ST R1, KEPT
 LD R1, NINE
 ADD R1, R1, #1
 LD R1, KEPT
 RET
KEPT .FILL 0
NINE .FILL 9
"""
    assert uses(observed(text)) == {("F", 1, Use.WRITTEN)}


def test_an_argument_that_is_stored_and_not_restored_was_used(observed):
    """It was no save, since it did not come back."""
    text = "JSR F | JSR G | HALT | F ADD R1, R1, #7 | RET | G ST R1, KEPT | AND R1, R1, #0 | RET | KEPT .FILL 0"
    assert ("F", 1, Use.READ) in uses(observed(text))


def test_overwriting_deeper_down_closes_a_change(observed):
    """Nobody can read it any more."""
    text = "JSR F | JSR G | ADD R2, R1, #0 | HALT | F ADD R1, R1, #7 | RET | G AND R1, R1, #0 | ADD R1, R1, #1 | RET"
    assert uses(observed(text)) == {("F", 1, Use.WRITTEN), ("G", 1, Use.READ)}


def test_returns_are_counted_by_subroutine_and_place(observed):
    """Of two calls one never comes back."""
    seen = observed("JSR F | JSR G | HALT | F RET | G HALT")
    assert [(str(call.routine), call.returned) for call in seen.calls] == [("F", 1), ("G", 0)]


def test_what_a_nested_subroutine_left_is_told_with_it(observed):
    """F left R1 as G left it, and changed R2 by itself; the stack as G moved it."""
    text = "JSR F | HALT | F ST R7, B | JSR G | ADD R2, R2, #1 | LD R7, B | RET | G ADD R1, R1, #7 | ADD R6, R6, #-1 | RET | B .FILL 0"
    seen = observed(text)
    inner = next(change.routine.address for change in seen.changes if str(change.routine) == "G")
    left_by = {(str(change.routine), change.register): change.left_by for change in seen.changes}
    assert left_by == {("G", 1): frozenset(), ("F", 1): {inner}, ("F", 2): frozenset()}
    assert {(str(one.routine), one.left_by) for one in seen.imbalances} == {
        ("G", frozenset()),
        ("F", frozenset({inner})),
    }


def test_what_is_brought_back_for_the_caller_is_no_change(observed):
    """R1 is again what it was when F was called; R2 is not, and so both count."""
    text = "ADD R1, R1, #3 | JSR F | HALT | F ST R7, B | AND R1, R1, #0 | JSR G | LD R7, B | RET | G ADD R1, R1, #3 {more} | RET | B .FILL 0"
    assert observed(text.format(more="")).changes == ()
    assert clobbers(observed(text.format(more="| ADD R2, R2, #1"))) == {("G", 1), ("G", 2), ("F", 2)}


def test_an_experiment_fills_registers_and_puts_them_back(machine_for):
    """At each return of one subroutine, as if it had restored them itself; a fork goes on with it, and a reset ends it."""
    made = machine_for(
        "JSR F | GETC | JSR F | HALT | F ADD R1, R1, #1 | ADD R2, R2, #1 | ADD R6, R6, #1 | RET", observe=True
    )
    entry = next(iter(made.image.symbols.values()))
    made.reset(experiment=Experiment({1: 40}, frozenset({(entry, 1), (entry, 6)})))
    made.run()
    for each in (made, made.fork()):
        each.feed(b"x")
        each.run()
        assert (each.registers[1], each.registers[2], each.registers[6]) == (40, 2, 0)
        assert {change.register for change in each.observations.changes} == {2}
    made.reset()
    made.run()
    assert made.registers[1] == 1


def test_an_experiment_forces_values_only_where_a_register_was_changed(machine_for):
    """R2 is as it was at the call, and stays so."""
    made = machine_for("JSR F | HALT | F ADD R1, R1, #1 | RET", observe=True)
    entry = next(iter(made.image.symbols.values()))
    made.reset(experiment=Experiment(forced={(entry, 1): 9, (entry, 2): 9}))
    made.run()
    assert made.registers[1:3] == (9, 0)


def test_equal_changes_are_not_repeated(observed):
    """The values are those of the first time."""
    text = "ADD R5, R5, #3 | L JSR F | AND R1, R1, #0 | ADD R5, R5, #-1 | BRp L | HALT | F ADD R1, R1, #7 | RET"
    (change,) = observed(text).changes
    assert (change.before, change.after) == (0, 7)


def test_r7_and_the_stack_pointer_are_no_changes_of_registers(observed):
    """R7 is exempt; R6 is an imbalance, with both values."""
    seen = observed("JSR F | JSR F | HALT | F ADD R6, R6, #-1 | RET")
    assert seen.changes == ()
    assert [(str(i.routine), i.site, i.before, i.after) for i in seen.imbalances] == [
        ("F", 0x3000, 0, 0xFFFF),
        ("F", 0x3001, 0xFFFF, 0xFFFE),
    ]


def test_calls_and_depth_are_counted(observed):
    """By subroutine and place; the depth is that of the deepest nest; JSRR counts as JSR."""
    text = """
 LD R6, S
 AND R0, R0, #0
 ADD R0, R0, #4
 JSR F
 LEA R1, F
 JSRR R1
 HALT
F ADD R0, R0, #-1
 BRnz BACK
 ADD R6, R6, #-1
 STR R7, R6, #0
 JSR F
 LDR R7, R6, #0
 ADD R6, R6, #1
BACK RET
S .FILL xFD00
"""
    seen = observed(text)
    assert [call.site for call in seen.calls] == [0x3003, 0x3005, 0x300B]
    assert {call.routine.label for call in seen.calls} == {"F"}
    assert seen.imbalances == ()


def test_a_subroutine_without_a_label_is_named_by_its_address(observed):
    """As students write addresses."""
    (call,) = observed("LD R1, A | JSRR R1 | A .FILL x3003 | RET").calls
    assert str(call.routine) == "x3003"


def test_lines_that_ran_and_lines_that_never_did(observed):
    """Lines with instructions only; a label alone or data is neither."""
    seen = observed("AND R0, R0, #0 | BRz DONE | ADD R0, R0, #1 | DONE HALT | A .FILL 1")
    assert (lines_run(seen), lines_never_run(seen)) == ({2, 3, 5}, {4})
    assert seen.executed == {0x3000, 0x3001, 0x3003}


def test_traps_are_counted_by_vector_and_place(observed):
    """A wait is not a use; the key that ends it is."""
    seen = observed("GETC | OUT | OUT | HALT", b"x")
    assert seen.traps == ((0x20, 0x3000), (0x21, 0x3001), (0x21, 0x3002), (0x25, 0x3003))
    assert observed("GETC | HALT").traps == ()


def test_stores_into_code_are_seen(observed):
    """A program that changes itself; data that is stored into is no code."""
    seen = observed("LD R1, N | ST R1, X | ST R1, D | X NOP | HALT | N NOP | D .FILL 0")
    assert seen.patches == ((0x3003, 0x3001),)


def test_reads_of_memory_that_nothing_filled_are_seen(observed):
    """Zeros by luck; a block, and what the program stored, are filled."""
    seen = observed("LDI R1, P | STI R1, Q | LDI R1, Q | LD R1, B | HALT | P .FILL x5000 | Q .FILL x5001 | B .BLKW 2")
    assert seen.unfilled_reads == {0x5000: 0x3000}


def test_instructions_are_those_of_the_machine(play):
    """The same number."""
    _, _, made = play(SAVES, observe=True)
    assert made.observations.instructions == made.instructions == 12


def test_records_of_a_fork_are_its_own(machine_for):
    """Those before the fork are in both, those after it in one."""
    made = machine_for("JSR F | GETC | JSR F | HALT | F ADD R1, R1, #1 | RET", observe=True)
    made.run()
    before = made.observations
    twin = made.fork()
    twin.feed(b"x")
    twin.run()
    assert made.observations == before
    assert len(twin.observations.calls) == len(before.calls) + 1 == 2


def test_a_reset_begins_new_records(machine_for):
    """Nothing of the first run is left."""
    made = machine_for("JSR F | HALT | F ADD R1, R1, #1 | RET", observe=True)
    made.run()
    first = made.observations
    made.reset()
    assert (made.observations.executed, made.observations.calls) == (frozenset(), ())
    made.run()
    assert made.observations == first


def test_endless_recursion_keeps_bounded_records(play):
    """A call that never returns ends as a loop or in the budget, and open calls are kept up to memory's size."""
    kind, _, made = play("F ADD R1, R1, #1 | JSR F", observe=True, budget=200_000)
    assert kind == "budget"
    assert len(made._records._frames) <= MAX_FRAMES

"""The numbers that the MIPS loop works with: operations, faults, registers, the map of memory."""

from __future__ import annotations

from grader.machines.reasons import OTHERS

# Reasons to stop that only this machine has.
SERVICE_FAILED, INVALID_PC, UNSUPPORTED = range(OTHERS, OTHERS + 3)

# Kinds of exceptions. The first ten come from memory; their value is the address.
FETCH_WORD, FETCH_HALF, FETCH_DOUBLE, STORE_WORD, STORE_HALF, STORE_DOUBLE = range(6)
FETCH_RANGE, STORE_RANGE, READ_TEXT, WRITE_TEXT = range(6, 10)
OVERFLOW, TRAP, BREAK, SERVICE, RESERVED, ODD_REGISTER = range(10, 16)
ZERO_DIVISOR, INTERRUPT, UNSET_REGISTER, UNSET_BYTE = range(16, 20)

# The value of SERVICE: what a system call was refused for.
REFUSED, BAD_INPUT, UNKNOWN = range(3)

CAUSES = (4, 4, 4, 5, 5, 5, 4, 5, 4, 5, 12, 13, 9, 8, 10, 10, 13, 0, 13, 13)
"""The exception code of each fault, in the cause register of coprocessor 0."""

# The indices of HI and LO after the general registers, and a slot for writes to $zero.
HI, LO, SINK, REGISTERS = 32, 33, 34, 36
# Of mipsy: $zero $a0 $a1 $k0 $gp $sp $fp $ra.
SET_AT_START = sum(1 << number for number in (0, 4, 5, 26, 28, 29, 30, 31))
V0, A0, A1, A2, A3, GP, SP, FP, RA = 2, 4, 5, 6, 7, 28, 29, 30, 31

TEXT, TEXT_BYTES = 0x0040_0000, 0x0040_0000
KERNEL_TEXT, HANDLER = 0x8000_0000, 0x8000_0180
CALLER = TEXT - 4  # where a routine returns to that is called by nobody's code
DATA, HEAP, DATA_BYTES = 0x1000_0000, 0x1004_0000, 0x0040_0000
STACK, STACK_BYTES = 0x7FC0_0000, 0x0040_0000
KERNEL_DATA, KERNEL_DATA_BYTES = 0x9000_0000, 0x0010_0000
DEVICES, DEVICE_BYTES = 0xFFFF_0000, 0x0001_0000

# All memory but text is one array of words: data, stack, kernel data, device registers, in this order.
STACK_PLACE = DATA_BYTES // 4
KERNEL_DATA_PLACE = STACK_PLACE + STACK_BYTES // 4
DEVICE_PLACE = KERNEL_DATA_PLACE + KERNEL_DATA_BYTES // 4
WORDS = DEVICE_PLACE + DEVICE_BYTES // 4
PAGE_WORDS = 1024
PAGES = WORDS // PAGE_WORDS

# Kinds of waits.
NOTHING, INTEGER, FLOAT, DOUBLE, LINE, KEY, BYTES, CONFIRMATION = range(8)
WANTS = ("", "integer", "float", "double", "line", "key", "line", "confirmation")

OPERATIONS = (
    "", "sll", "srl", "sra", "sllv", "srlv", "srav", "addu", "subu", "and",
    "or", "xor", "nor", "slt", "sltu", "addiu", "andi", "ori", "xori", "slti",
    "sltiu", "lui", "add", "sub", "addi", "lw", "sw", "lb", "lbu", "lh",
    "lhu", "sb", "sh", "beq", "bne", "blez", "bgtz", "bltz", "bgez", "j",
    "jal", "jr", "jalr", "mul", "mult", "multu", "div", "divu", "mfhi", "mflo",
    "mthi", "mtlo", "movz", "movn", "syscall", "bltzal", "bgezal", "movf", "movt", "madd",
    "maddu", "msub", "msubu", "clz", "clo", "lwl", "lwr", "swl", "swr", "ll",
    "sc", "break", "teq", "tne", "tge", "tgeu", "tlt", "tltu", "teqi", "tnei",
    "tgei", "tgeiu", "tlti", "tltiu", "mfc0", "mtc0", "eret", "mfc1", "mtc1", "bc1f",
    "bc1t", "lwc1", "swc1", "ldc1", "sdc1", "add.s", "sub.s", "mul.s", "div.s", "sqrt.s",
    "abs.s", "mov.s", "neg.s", "round.w.s", "trunc.w.s", "ceil.w.s", "floor.w.s", "movf.s", "movt.s", "movz.s",
    "movn.s", "cvt.d.s", "cvt.w.s", "c.eq.s", "c.lt.s", "c.le.s", "add.d", "sub.d", "mul.d", "div.d",
    "sqrt.d", "abs.d", "mov.d", "neg.d", "round.w.d", "trunc.w.d", "ceil.w.d", "floor.w.d", "movf.d", "movt.d",
    "movz.d", "movn.d", "cvt.s.d", "cvt.w.d", "c.eq.d", "c.lt.d", "c.le.d", "cvt.s.w", "cvt.d.w",
)  # fmt: skip
"""The basic instructions by the number of their operation; 0 stands for where there is no code."""

NO_CODE, ILLEGAL_WORD, WILD = 0, 139, 140

OPERATION_OF = {name: number for number, name in enumerate(OPERATIONS)}

from grader.machines.lc3.isa import TABLE
from tests.machines.soundness import encoded, unsound


def test_the_table_is_sound():
    """Width, contiguity, no overlap, and encode then decode is the identity, for every row of the LC-3."""
    assert unsound(TABLE) == ()


def test_every_word_decodes_to_itself_or_to_nothing():
    """For all 65,536 words, encoding what was decoded gives the word back."""
    for word in range(1 << 16):
        decoded = TABLE.decode(word)
        if decoded is not None:
            assert encoded(decoded.row, decoded.values) == word


def test_as_many_words_are_instructions_as_the_manual_says():
    """The count of legal words follows from the manual's fixed bits alone."""
    three_registers_or_imm5 = 2 * (512 + 2048)
    not_ = 64
    pc_relative_with_register = 5 * 4096
    branches_and_nop = 4096
    base_and_offset = 2 * 4096
    jsr, jsrr_and_jmp, rti, trap = 2048, 2 * 8, 1, 256
    legal = sum(TABLE.row_of(word) is not None for word in range(1 << 16))
    assert legal == (
        three_registers_or_imm5 + not_ + pc_relative_with_register + branches_and_nop + base_and_offset
        + jsr + jsrr_and_jmp + rti + trap
    )  # fmt: skip


def test_each_trap_alias_has_the_vector_of_the_manual():
    """GETC to HALT are TRAP x20 to x25, and PUTC is OUT."""
    words = {name: TABLE.forms[name][0].bits for name in ("GETC", "OUT", "PUTC", "PUTS", "IN", "PUTSP", "HALT")}
    assert words == {
        "GETC": 0xF020, "OUT": 0xF021, "PUTC": 0xF021, "PUTS": 0xF022, "IN": 0xF023, "PUTSP": 0xF024, "HALT": 0xF025,
    }  # fmt: skip

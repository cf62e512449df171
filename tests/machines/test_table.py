import pytest

from grader.machines.table import Alias, Kind, Operand, Row, Table
from tests.machines.soundness import encoded, unsound

MEANINGS = {"d": Operand(Kind.REGISTER, "DR"), "i": Operand(Kind.SIGNED, "imm"), "p": Operand(Kind.RELATIVE, "off")}
SOUND = Table(
    8, MEANINGS, (Row("SET", "00 dd iiii", "d, i"), Row("GO", "01 pppppp", "p")), (Alias("SELF", "GO", {"p": -1}),)
)


def test_a_sound_table_has_no_problems():
    """A table of contiguous, distinct, eight-bit rows passes every proof."""
    assert unsound(SOUND) == ()


def test_encoding_puts_each_field_into_its_bits_and_decoding_takes_it_out():
    """A negative number is stored in two's complement and comes back negative."""
    word = encoded(SOUND.rows[0], {"d": 2, "i": -3})
    assert word == 0b00_10_1101
    assert SOUND.decode(word) == (SOUND.rows[0], {"d": 2, "i": -3})


def test_a_value_too_wide_for_its_field_is_refused():
    """Encoding never cuts a value: 16 in four bits is a ValueError, 15 is not."""
    assert encoded(SOUND.rows[0], {"d": 0, "i": 15}) == 15
    with pytest.raises(ValueError, match="16 does not fit field i of 4 bits"):
        encoded(SOUND.rows[0], {"d": 0, "i": 16})


def test_a_word_that_no_row_matches_is_no_instruction():
    """Decoding such a word gives None rather than the nearest row."""
    assert SOUND.decode(0b10_000000) is None


def test_an_alias_is_a_form_with_fewer_operands():
    """SELF has the bits of GO -1 and nothing left to write; GO has its one operand."""
    (form,) = SOUND.forms["SELF"]
    assert (form.bits, form.letters) == (0b01_111111, ())
    assert SOUND.short_forms == {0b01_111111: form}
    assert SOUND.usage(SOUND.forms["GO"][0]) == "GO off6"


def test_each_kind_of_defect_is_found():
    """Width, contiguity, an unknown letter, an unwritten field, an overlap and bad aliases are each named."""
    defects = {
        "7 bits, not 8": Table(8, MEANINGS, (Row("A", "00 ddddd", "d"),)),
        "not contiguous": Table(8, MEANINGS, (Row("A", "00 d 0 dddd", "d"),)),
        "nothing says what field q means": Table(8, MEANINGS, (Row("A", "00 qqqqqq", "q"),)),
        "written with": Table(8, MEANINGS, (Row("A", "00 dd iiii", "d"),)),
        "matches both A (00 dddddd) and B (0 0 iiiiii)": Table(
            8, MEANINGS, (Row("A", "00 dddddd", "d"), Row("B", "0 0 iiiiii", "i"))
        ),
        "there is no row B": Table(8, MEANINGS, (Row("A", "00 dddddd", "d"),), (Alias("C", "B"),)),
        "A has no field i": Table(8, MEANINGS, (Row("A", "00 dddddd", "d"),), (Alias("C", "A", {"i": 0}),)),
        "64 does not fit": Table(8, MEANINGS, (Row("A", "00 dddddd", "d"),), (Alias("C", "A", {"d": 64}),)),
    }
    for problem, table in defects.items():
        assert any(problem in found for found in unsound(table)), problem

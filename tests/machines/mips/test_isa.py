from grader.machines.mips.isa import REGISTER_NAMES, TABLE
from tests.machines.soundness import unsound


def test_the_table_is_sound():
    """Width, contiguity, no overlap, and encode then decode is the identity, for every row of MIPS."""
    assert unsound(TABLE) == ()


def test_there_are_as_many_basic_instructions_as_mars_has():
    """139 mnemonics, written in 155 ways."""
    assert len(TABLE.forms) == 139
    assert sum(map(len, TABLE.forms.values())) == 155


def test_every_register_has_a_name():
    """There are 32 names, all different."""
    assert len(set(REGISTER_NAMES)) == 32

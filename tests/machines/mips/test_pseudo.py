import pytest

from grader.machines.mips.dialect import DIALECTS
from grader.machines.mips.forms import TooFarError, encode
from grader.machines.mips.pseudo import PSEUDOS

FORMS = DIALECTS["mars"].forms


def sizes(name):
    """The sizes of the pseudo-forms of an instruction, in the order in which they are tried."""
    return [form.size for form in FORMS.by_name[name] if isinstance(form.becomes, str)]


def test_there_are_as_many_pseudo_instructions_as_mars_has():
    """388 formats of 83 mnemonics."""
    assert len(PSEUDOS) == 388
    assert len({row.name for row in PSEUDOS}) == 83


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_row_can_be_made_into_instructions(dialect):
    """Each form of each dialect becomes as many steps as it has words, and each shape leads to a form."""
    for forms in DIALECTS[dialect].forms.by_name.values():
        for form in forms:
            assert len(form.steps) == form.size


def test_no_row_is_hidden_by_those_before_it():
    """Each of MARS's formats is the first fit of some operands."""
    reached = {id(form) for shapes in FORMS.shapes.values() for form in shapes.values()}
    assert [form.example for forms in FORMS.by_name.values() for form in forms if id(form) not in reached] == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("li", [1, 1, 2]),
        ("la", [1, 1, 1, 2, 2, 3, 2, 3, 2, 3]),
        ("lw", [1, 1, 2, 2, 3, 3, 2, 3, 2, 3]),
        ("lwc1", [1, 1, 2, 3, 2, 3, 2, 3]),
        ("blt", [2, 2, 4]),
        ("ble", [2, 3, 4]),
        ("seq", [3, 4, 5]),
        ("sne", [2, 3, 4]),
        ("sgt", [1, 2, 3]),
        ("mul", [2, 3]),
        ("mulo", [7, 8, 9]),
        ("mulou", [5, 6, 7]),
        ("div", [4, 3, 4]),
        ("rol", [4, 3]),
        ("ulw", [4, 4, 4, 4, 2, 6, 6, 6]),
        ("ulh", [6, 6, 6, 6, 4, 8, 8, 8]),
        ("ush", [10, 10, 10, 10, 8, 12, 12, 12]),
        ("abs", [3]),
    ],
)
def test_expansions_have_the_sizes_of_mars(name, expected):
    """How many words each format becomes fixes every address after it."""
    assert sizes(name) == expected


@pytest.mark.parametrize(
    ("shape", "example"),
    [
        ("rr0", "addi $t1,$t2,-100"),
        ("rr3", "addi $t1,$t2,-100"),
        ("rr2", "addi $t1,$t2,100000"),
        ("rr4", "addi $t1,$t2,100000"),
    ],
)
def test_the_first_form_that_fits_is_taken(shape, example):
    """A number beyond 16 signed bits makes addi a pseudo-instruction; a smaller one does not."""
    assert FORMS.find("addi", shape).example == example


def test_an_upper_half_is_adjusted_where_the_lower_is_negative():
    """For 0x1234_8000 it is 0x1235, since the offset is -0x8000; for 0x1234_7fff it is 0x1234."""
    step = FORMS.find("lw", "r4").steps[0]
    assert encode(step, [8, 0x1234_8000], 0) & 0xFFFF == 0x1235
    assert encode(step, [8, 0x1234_7FFF], 0) & 0xFFFF == 0x1234


def test_a_branch_reaches_so_far_and_no_farther():
    """32,767 instructions beyond the next, and 32,768 back from it."""
    step = FORMS.find("bgtz", "rL").steps[0]
    assert encode(step, [8, 0x40_0004 + 4 * 32767], 0x40_0000) & 0xFFFF == 0x7FFF
    assert encode(step, [8, 0x40_0004 - 4 * 32768], 0x40_0000) & 0xFFFF == 0x8000
    for distance in (32768, -32769):
        with pytest.raises(TooFarError):
            encode(step, [8, 0x40_0004 + 4 * distance], 0x40_0000)

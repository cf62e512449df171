"""150 one-feature sources against what lc3tools and lc3as made of them; the exceptions are read from the documentation."""

import pytest

from grader.machines.lc3.assembler import assemble
from grader.source import SourceFile
from tests.machines.vectors import differences_told, recorded

VECTORS = recorded("lc3/assembler.json")

COMPARISONS = [
    pytest.param("default", "lc3tools", id="default-as-lc3tools"),
    pytest.param("lc3tools", "lc3tools", id="strict-lc3tools"),
    pytest.param("lc3as", "lc3as", id="strict-lc3as"),
]


def documented_exceptions(dialect, tool):
    """The vectors named in the first column of the table under the heading for this comparison."""
    told = differences_told("lc3-assembler.md", f"`{dialect}` and {tool}\n")
    return [name for names, _ in told for name in names]


def made_here(source, dialect):
    """The blocks as lc3tools' results show them, or "error"."""
    image = assemble(SourceFile("vector.asm", source), dialect=dialect).image
    if image is None:
        return "error"
    return " ".join(f"@{b.origin:04x}{''.join(f' {word:04x}' for word in b.words)}" for b in image.blocks)


def made_there(result):
    """The recorded result of a tool in the same form; warnings are cut off, and an origin gets its @."""
    if result.startswith("ERR"):
        return "error"
    words = result.removeprefix("OK").split(";")[0].strip()
    return words if words.startswith("@") or not words else f"@{words}"


@pytest.mark.parametrize(("dialect", "tool"), COMPARISONS)
def test_every_difference_from_a_tool_is_documented_and_every_documented_one_is_real(dialect, tool):
    """The vectors on which we differ are exactly those that the document gives a reason for."""
    different = {v["name"] for v in VECTORS if made_here(v["source"], dialect) != made_there(v["results"][tool])}
    assert different == set(documented_exceptions(dialect, tool))


@pytest.mark.parametrize(("dialect", "tool"), COMPARISONS)
def test_no_difference_is_documented_twice(dialect, tool):
    """Each vector stands in one row of its table."""
    names = documented_exceptions(dialect, tool)
    assert len(names) == len(set(names))


@pytest.mark.parametrize(("dialect", "others"), [("lc3tools", {"esc_e", "esc_zero"}), ("lc3as", set())])
def test_a_strict_dialect_only_refuses(dialect, others):
    """Everything that it assembles has the words of the default dialect, except escapes that lc3tools does not know."""
    assembled = {vector["name"]: made_here(vector["source"], dialect) for vector in VECTORS}
    usual = {vector["name"]: made_here(vector["source"], "default") for vector in VECTORS}
    assert {name for name, made in assembled.items() if made not in ("error", usual[name])} == others

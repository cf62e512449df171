"""How it is told whose fault it is that a compiler did not end well."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from grader.build import tool
from grader.build.tool import CRASH, TOOL_LIMITS, DisturbedToolError, Product, Watch
from grader.build.workshop import Workshop
from grader.sandbox import Status, best_tier
from grader.sandbox.machine import free_memory, memory_kills, total_memory
from tests.build.conftest import built, printed

C = {"language": "c", "sources": ["main.c"]}
HELLO = '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n'
BEGINS = -1


def status(code: int | None = None, number: int | None = None, limit: str | None = None, asleep: float = 0.0) -> Status:
    """How a tool ended."""
    return Status(code, number, limit, 1.0, 1 << 20, asleep)


def parts(*reports: int) -> bytes:
    """The reports of parts of a compiler: that they begin, and their wait statuses."""
    return b"".join(report.to_bytes(4, "little", signed=True) for report in reports)


@pytest.mark.parametrize(
    ("ended", "reports", "limit"),
    [
        (status(0), parts(BEGINS, 0), ""),
        (status(1), parts(BEGINS, 1 << 8), ""),
        (status(1), parts(BEGINS, 0, BEGINS, 1 << 8), ""),
        (status(None, signal.SIGKILL, "memory"), parts(BEGINS), "memory"),
        (status(1, None, "cpu"), parts(BEGINS, signal.SIGKILL), "cpu"),
        (status(4), parts(BEGINS, signal.SIGXCPU), "cpu"),
        (status(1), parts(BEGINS, signal.SIGXFSZ), "file-size"),
    ],
    ids=["well", "refuses", "refuses in its second part", "memory", "cpu", "cpu of a part", "file size of a part"],
)
def test_what_was_handed_in_did_it(ended, reports, limit):
    """A tool that ended by itself, or at one of our limits, did so for what it was given."""
    assert Watch(TOOL_LIMITS).passed_limit("gcc", ended, reports) == limit


@pytest.mark.parametrize(
    ("ended", "reports", "message", "product"),
    [
        (status(4), parts(BEGINS, signal.SIGKILL), "somebody ended gcc (SIGKILL)", None),
        (status(4), parts(BEGINS), "somebody ended gcc (SIGKILL)", None),
        (status(None, signal.SIGTERM), b"", "somebody ended gcc (SIGTERM)", None),
        (status(4), parts(BEGINS, signal.SIGSEGV), "gcc broke (SIGSEGV)", CRASH),
        (status(None, signal.SIGKILL, "wall", 2.0), b"", "this machine held gcc up for 30 s", None),
        (status(None, signal.SIGKILL, "wall", 29.0), b"", "gcc slept until its time was over", "wall"),
    ],
    ids=["part killed", "part and its watcher killed", "killed", "breaks", "held up", "sleeps"],
)
def test_a_disturbance_is_told_apart(ended, reports, message, product):
    """A compiler that was killed or held up runs once more; if it breaks or sleeps again, its input caused that."""
    with pytest.raises(DisturbedToolError) as caught:
        Watch(TOOL_LIMITS).passed_limit("gcc", ended, reports)
    assert caught.value.message == message
    assert (caught.value.product.stopped if caught.value.product else None) == product
    assert caught.value.alone == (product != CRASH)


def test_the_kernel_s_count_of_kills_is_believed(monkeypatch):
    """A compiler that ends by its own code after the kernel killed something for lack of memory may have lacked it as well."""
    watch = Watch(TOOL_LIMITS)
    monkeypatch.setattr(tool, "memory_kills", lambda: memory_kills() + 1)
    with pytest.raises(DisturbedToolError, match="lack of memory"):
        watch.passed_limit("gcc", status(1), parts(BEGINS, 1 << 8))
    assert watch.passed_limit("gcc", status(0), b"") == ""


def test_who_needs_more_than_the_machine_has_is_not_charged(monkeypatch):
    """If less memory is free than a compiler is promised, its limit is lowered; to pass that is the machine's fault."""
    monkeypatch.setattr(tool, "free_memory", lambda: 200 << 20)
    watch = Watch(TOOL_LIMITS)
    assert watch.limits.memory == 160 << 20
    with pytest.raises(DisturbedToolError, match="more memory than the 160 MiB that it can have here"):
        watch.passed_limit("gcc", status(None, signal.SIGKILL, "memory"), b"")


def test_a_compiler_that_breaks_on_a_program_each_time_tells_so(workshop):
    """Brackets that are nested deeper than its stack break gcc: the student is told, and not asked to believe a lost line."""
    made = built(workshop, {"main.c": f"int main(void) {{ return {'(' * 200_000}0{')' * 200_000}; }}\n"}, **C)
    assert [finding.message for finding in made.findings] == ["the compiler crashes on this program"]


@pytest.mark.parametrize("again", ["sleeps", "is killed", "works"])
def test_what_happens_again_decides(tmp_path, again):
    """A tool that sleeps twice sleeps for its source, with a note for staff; one that is killed twice is our failure."""
    slept = DisturbedToolError("it slept", Product({}, stopped="wall", note="look"))
    outcomes = {"sleeps": slept, "is killed": DisturbedToolError("killed"), "works": Product({"a": b"1"})}
    left = [slept, outcomes[again]]

    def make() -> Product:
        outcome = left.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    products = tmp_path / "products"
    with Workshop(best_tier(), products) as alone:
        if again == "is killed":
            with pytest.raises(DisturbedToolError, match="killed"):
                alone.product([b"x"], make)
        else:
            assert alone.product([b"x"], make) == (slept.product if again == "sleeps" else outcomes[again])
    assert (len(list(products.iterdir())), left) == (again != "is killed", [])


def test_who_shares_the_machine_does_not_decide(tmp_path):
    """Beside others a tool is slow or short of memory by their doing: it is left to a workshop that is alone."""
    left = [DisturbedToolError("killed"), Product({"a": b"1"})]

    def make() -> Product:
        outcome = left.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    with Workshop(best_tier(), tmp_path, shares=True) as shared:
        with pytest.raises(DisturbedToolError):
            shared.product([b"x"], make)
        assert len(left) == 1


def test_products_of_earlier_ways_of_building_are_not_found(new_workshop, monkeypatch):
    """A kept product may have been made wrong by an older version: it has another key."""
    printed(built(new_workshop, {"main.c": HELLO}, **C))
    kept = set(Path(new_workshop.hidden[-1]).iterdir())
    monkeypatch.setattr("grader.build.workshop._MAKING", b"1")
    printed(built(new_workshop, {"main.c": HELLO}, **C))
    assert len(set(Path(new_workshop.hidden[-1]).iterdir()) - kept) == len(kept)


def test_a_source_cannot_forge_what_the_compiler_tells(workshop):
    """A line by `#line` and `#error` says that cc1 was killed; how it ended says that it refused the program."""
    text = '#line 1 "gcc: fatal error: Killed signal terminated program cc1"\n#error Killed\nint main(void) { return 0; }\n'
    made = built(workshop, {"main.c": text}, **C)
    assert made.verdict == "compile-error"


def test_the_memory_of_this_machine_is_known():
    """The free memory is a part of all memory; the kernel's count of kills only grows."""
    assert 0 < free_memory() <= total_memory() <= os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert memory_kills() >= 0

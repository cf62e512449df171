"""Whatever stands in a spec: an assignment, or problems with their places, and never a crash."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.bundled import spec_path
from grader.source import Severity, SourceFile
from grader.spec.document import read_document
from grader.spec.loader import read_assignment

BUNDLED = spec_path("lc3-nim").read_text(encoding="utf-8")
LINES = BUNDLED.splitlines(keepends=True)
PIECES = st.sampled_from(
    [
        *"[]{}:,#&*!|>'\"%@`?-<~ \n\t·‹›«»0é\0\r\u2028",
        *(
            ": ",
            "- ",
            "<<: ",
            "&a ",
            "*a",
            "!!str ",
            "null",
            "1e999",
            ".nan",
            "9" * 50,
            "[[[[[[[[",
            "---\n",
            "\ud7ff",
            "(?P<x>",
        ),
        *(
            "criterion: x",
            "requires: [opening]",
            "play: ",
            "transcript: |\n",
            "points: 1/0",
            "true",
            "-1",
            "{}",
            "[]",
            "''",
        ),
    ]
)


def load(text: str) -> None:
    """Read a spec, which must raise nothing, and look at every place that is told."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.yaml"
        path.write_text(text, encoding="utf-8", newline="", errors="surrogatepass")
        reading = read_assignment(path)
    assert reading.assignment or any(d.severity is Severity.ERROR for d in reading.diagnostics)
    for problem in reading.diagnostics:
        assert problem.render()
        assert problem.span is None or 1 <= problem.span.line <= text.count("\n") + text.count("\r") + 2


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """The bundled spec with a few places overwritten, cut out or doubled."""
    text = BUNDLED
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        length = draw(st.integers(0, 12))
        text = text[:at] + draw(PIECES) + text[at + length :]
    return text


@st.composite
def shuffled(draw: st.DrawFn) -> str:
    """Some lines of the bundled spec, in any order and at any depth."""
    lines = draw(st.lists(st.sampled_from(LINES), max_size=25))
    return "".join(" " * draw(st.integers(0, 4)) + line for line in lines)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(mutated())
def test_mutations_of_a_spec_raise_nothing_else(text: str) -> None:
    """A few characters changed anywhere."""
    load(text)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(shuffled())
def test_shuffled_lines_raise_nothing_else(text: str) -> None:
    """Right lines in wrong places."""
    load(text)


SCALARS = st.sampled_from(
    [None, True, 0, -1, 2.5, float("nan"), 10**30, "", "x", "B2", "1/4", "whole", "text", "(", "[A-Z]", "lc3", "‹a›\n"]
)


def values(model_keys: list[str]) -> st.SearchStrategy[object]:
    """Any data whose keys are those of specs."""
    keys = st.sampled_from(model_keys)
    return st.recursive(
        SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=6), max_leaves=20
    )


KEYS = [
    *(
        "assignment",
        "title",
        "program",
        "rubric",
        "cases",
        "text",
        "id",
        "criterion",
        "points",
        "play",
        "transcript",
        "requires",
    ),
    *(
        "language",
        "sources",
        "choices",
        "slips",
        "facts",
        "case",
        "price",
        "manual",
        "machine",
        "start",
        "seeds",
        "counts",
        "files",
    ),
    *(
        "reference",
        "submission",
        "required",
        "differential",
        "games",
        "illegal",
        "share",
        "defect",
        "present",
        "pdf_pages",
    ),
]


def flow(value: object) -> str:
    """Data as YAML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    return "null" if value is None else str(value).lower()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from(KEYS), values(KEYS), min_size=1, max_size=8))
def test_any_data_raises_nothing_else(data: dict[str, object]) -> None:
    """Right keys with wrong values, at any depth."""
    load("\n".join(f"{key}: {flow(value)}" for key, value in data.items()))


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_read(text: str) -> None:
    """The reader of YAML never raises."""
    read_document(SourceFile("s.yaml", text))

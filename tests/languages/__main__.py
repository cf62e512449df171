"""Takes the sentences of ours out of records of grades, for the test that each can be said in every language.

    python -m tests.languages RECORD.json ...

Give it records as ``grader grade --json`` writes them, of as many different programs as there are. One sentence of each shape is kept in
``said.txt``, beside those that are there.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import yaml

from grader.bundled import bundled_specs, spec_path
from grader.report.record import load
from tests.languages.reading import by_a_tool, said

SAID = Path(__file__).with_name("said.txt")


def sentences() -> list[str]:
    """Those that are kept."""
    return (
        [line.replace("\\n", "\n") for line in SAID.read_text(encoding="utf-8").splitlines()] if SAID.exists() else []
    )


def shape(sentence: str) -> str:
    """A sentence without what programs and inputs put into it."""
    bare = re.sub(r"“.*”|x[0-9A-F]{4}|\b[A-Za-z]*\d[\w.,:]*|, after .*", "7", sentence)
    return re.sub(r"(7[ ,]*)+", "7", bare)


def _texts(data: object) -> set[str]:
    if isinstance(data, dict):
        return set().union(*map(_texts, data.values()))
    if isinstance(data, list):
        return set().union(*map(_texts, data))
    return {data.strip()} if isinstance(data, str) else set()


def texts_of_courses() -> set[str]:
    """All that the bundled specs say."""
    return set().union(
        *(_texts(yaml.safe_load(path.read_text(encoding="utf-8"))) for path in map(spec_path, bundled_specs()))
    )


def main() -> None:
    """Add what the records have."""
    course = texts_of_courses()
    kept = {shape(one): one for one in sentences()}
    for path in sys.argv[1:]:
        for one in said(load(Path(path).read_text(encoding="utf-8"))):
            if one and one not in course and not by_a_tool(one):
                kept.setdefault(shape(one), one)
    SAID.write_text("\n".join(sorted(one.replace("\n", "\\n") for one in kept.values())) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""The keys of an `io` case: what a run is given, and what it must print, write and end with."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field, WithJsonSchema

from grader.spec.values import SpecModel
from grader.values import dataclass


@dataclass(frozen=True)
class Content:
    """A text of a spec, written out or in a file: ``path`` is then the file's, and ``text`` is there once the spec is loaded.

    Bytes that are no UTF-8 are in the text as surrogates. ``exact`` says that it is compared byte by byte.
    """

    text: str = ""
    path: str = ""
    exact: bool = False

    @property
    def data(self) -> bytes:
        """The bytes of the file, or of the text as UTF-8."""
        return self.text.encode("utf-8", "surrogateescape")


def read_content(value: object) -> Content:
    """A text, ``{path: FILE}`` or ``{text: TEXT}``, the latter two with ``exact: true`` or without. Raises ValueError."""
    if isinstance(value, Content):
        return value
    if isinstance(value, str):
        return Content(value)
    if not isinstance(value, dict):
        raise ValueError("a text in quotes, or {path: FILE}, is expected")
    strange = [str(key) for key in value if key not in ("text", "path", "exact")]
    if strange:
        raise ValueError(f"there is no key `{strange[0]}` here: it may be `path` or `text`, and `exact`")
    if ("text" in value) == ("path" in value):
        raise ValueError("exactly one of `text` and `path` is expected")
    text, path, exact = value.get("text", ""), value.get("path", ""), value.get("exact", False)
    if not isinstance(text, str) or not isinstance(path, str):
        raise ValueError("`text` and `path` are texts: put them in quotes")
    if not isinstance(exact, bool):
        raise ValueError("`exact` is `true` or `false`")
    return Content(text, path, exact)


Text = Annotated[
    Content,
    BeforeValidator(read_content),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string"},
                {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {
                        "text": {"type": "string"},
                        "path": {"type": "string"},
                        "exact": {"type": "boolean"},
                    },
                },
            ]
        }
    ),
]


class Pair(SpecModel):
    """An input and what must come of it, in a run of its own. Several are a list; a text alone is a `folder`.

    A text is written out, or is `{path: FILE}` with a path relative to the spec. What is compared is compared as `text` says,
    with its slips and its tolerance; `{path: FILE, exact: true}` is compared byte by byte.
    """

    name: str = Field(default="", max_length=60)
    """What findings call it, in quotes."""
    folder: str | None = None
    """A folder with a pair for each `NAME.in`, whose output is `NAME.out` or `NAME.ans`; the other keys hold for all of them."""
    input: Text | None = None
    """What the program reads, given as from a file: whole, and then the input ends."""
    arguments: tuple[str, ...] = ()
    """The words behind the program's name on its command line. A MIPS program gets them as from `pa` of MARS: their number in
    `$a0`, the address of their addresses in `$a1`."""
    files: dict[str, Text] = Field(default_factory=dict)
    """Files that the program finds in its folder, by their names there."""
    output: Text | None = None
    """What it must print, all of it. Without this key what it prints is not judged."""
    errors: Text | None = None
    """What it must write to standard error; only programs of the computer itself have one."""
    writes: dict[str, Text] = Field(default_factory=dict)
    """Files that must be in its folder at the end, by their names there, with what they must hold."""
    exit: int | None = Field(default=None, ge=0, le=255)
    """The code that it must end with; for MIPS that of system call 17. Without this key any will do."""

    @property
    def contents(self) -> tuple[Content, ...]:
        """All texts of the pair."""
        single = (text for text in (self.input, self.output, self.errors) if text is not None)
        return (*single, *self.files.values(), *self.writes.values())

    @property
    def shows(self) -> bool:
        """Whether it demands something that a program which does nothing does not do."""
        printed = any(text is not None and text.text.strip() for text in (self.output, self.errors))
        return printed or bool(self.writes) or bool(self.exit)

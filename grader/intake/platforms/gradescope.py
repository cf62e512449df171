"""Gradescope: ``submission_metadata.yml`` beside a folder for each submission, which names all who share it.

The keys of the file are symbols of Ruby (``:submitters``, ``:name``, ``:sid``, ``:email``), plain text for YAML; values may have
tags of Ruby, which are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from grader.intake.names import clean
from grader.intake.platforms.platform import Download, Found, Gradebook, Listing, Part, Platform
from grader.submission import Identifier, IdKind, Origin, Submitter

SYSTEM = "Gradescope"
METADATA = "submission_metadata.yml"
_IDS = (("sid", IdKind.NUMBER), ("email", IdKind.EMAIL))
# Levels of values in each other that are read; the metadata of Gradescope have three.
_DEEPEST = 20
_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Metadata(_Loader):  # type: ignore[misc]
    """YAML as Ruby writes it."""


def _untagged(loader: Any, _: str, node: yaml.Node) -> object:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return node.value


_Metadata.add_multi_constructor("", _untagged)
for _implicit in ("timestamp", "int", "float", "bool"):  # a student number keeps its zeros, and a date its text
    _Metadata.add_constructor(f"tag:yaml.org,2002:{_implicit}", lambda _, node: node.value)


def read(listing: Listing) -> Download | None:
    """The listing as an export of Gradescope; None if its file is not there, or says nothing that could be read."""
    if METADATA not in listing.files:
        return None
    try:
        text = listing.read(METADATA)
        _refuse_deep(text)
        metadata = yaml.load(text, Loader=_Metadata)  # noqa: S506 -- a safe loader
    except (yaml.YAMLError, ValueError, RecursionError, AttributeError):
        metadata = None
    if not isinstance(metadata, Mapping):
        return None
    submissions: dict[str, Found] = {}
    ignored = [f"{METADATA}: what Gradescope says of the submissions"]
    for key, held in metadata.items():
        name, about = _text(key), _plain(held)
        if name in listing.folders:
            origin = Origin(SYSTEM, tuple(_submitters(about)), late=_text(about.get("late")).casefold() == "true")
            submissions[name] = Found(origin, (Part(name, ""),))
        else:
            ignored.append(f"{name}: named in {METADATA}, but there is no such folder")
    return Download(SYSTEM, tuple(submissions.values()), frozenset({METADATA, *submissions}), tuple(ignored))


def _refuse_deep(text: bytes) -> None:
    """Raise YAMLError where values lie deep in each other: the loader goes down into them on the stack of C, which may end."""
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            raise yaml.YAMLError("too deep")


def _plain(held: object) -> dict[str, Any]:
    """A mapping with its keys as text, without the colon that Ruby writes before them."""
    return {_text(key).lstrip(":"): value for key, value in held.items()} if isinstance(held, Mapping) else {}


def _submitters(about: Mapping[str, Any]) -> Iterator[Submitter]:
    listed = about.get("submitters")
    for person in listed if isinstance(listed, list) else []:
        held = _plain(person)
        ids = [Identifier(kind, value) for key, kind in _IDS if (value := _text(held.get(key)))]
        yield Submitter(_text(held.get("name")), tuple(ids))


def _text(value: object) -> str:
    """A value that is text. Anything else could be a value of gigabytes, which aliases make out of a kilobyte."""
    return clean(value).strip() if isinstance(value, str) else ""


PLATFORM = Platform(
    "gradescope",
    read,
    heads={IdKind.NUMBER: "sid"},
    gradebook=Gradebook(r"Total Score", ("SID", "Email"), ("Name",), maximum="Max Points"),
)

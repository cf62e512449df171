"""The JSON schema of specs, for editors that complete and check YAML while it is written (draft 2020-12).

It is generated from the model and says less than the loader: what spans several keys, only the loader knows.
"""

from __future__ import annotations

import json
from typing import Any

from grader.spec.fields import as_written, meanings, parts_below
from grader.spec.kinds import KINDS
from grader.spec.kinds.call import Called
from grader.spec.model import Case, Slip, Spec
from grader.spec.values import SpecModel, Tolerance

DIALECT = "https://json-schema.org/draft/2020-12/schema"


# Editors would mark the short form as wrong: pydantic knows only what comes of it.
# Models that may be written as the value of one of their keys alone: a price is a slip, too.
_SHORT: dict[type[SpecModel], str] = {Slip: "price", Tolerance: "absolute", Called: "times"}


def schema_text() -> str:
    """The schema as ``grader schema`` prints it and ``specs/schema.json`` holds it."""
    return json.dumps(spec_schema(), indent=2, ensure_ascii=False) + "\n"


def spec_schema() -> dict[str, Any]:
    """The schema as data."""
    schema = _tidy(Spec.model_json_schema())
    assert isinstance(schema, dict)
    parts = schema["$defs"]
    for part in parts_below(Spec):
        described = schema if part.model is Spec else parts[part.model.__name__]
        for key, meaning in meanings(part.model).items():
            described["properties"][as_written(key)]["description"] = meaning
    pairs = parts[Case.__name__]["properties"]["io"]
    pairs["anyOf"] = [
        {"type": "string"},
        pairs["items"],
        {key: pairs.pop(key) for key in ("type", "items", "minItems")},
    ]
    parts[Case.__name__]["oneOf"] = [{"required": [kind]} for kind in KINDS]
    for model, key in _SHORT.items():
        whole = parts[model.__name__]
        alone = whole["properties"][key]
        parts[model.__name__] = {"anyOf": [*(alone.get("anyOf") or [{"type": alone["type"]}]), whole]}
    return {"$schema": DIALECT, "title": "A grader spec", **schema}


def _tidy(node: Any) -> Any:
    """A schema without the titles that pydantic makes up, and without null, which no spec may say."""
    if isinstance(node, list):
        return [_tidy(item) for item in node]
    if not isinstance(node, dict):
        return node
    out = {key: _tidy(value) for key, value in node.items() if not (key == "title" and isinstance(value, str))}
    if "default" in out and (out["default"] is None or isinstance(out["default"], dict)):
        del out["default"]  # a part that may be left out has the defaults of its own keys
    if {"type": "null"} in out.get("anyOf", ()):
        others = [item for item in out.pop("anyOf") if item != {"type": "null"}]
        out |= others[0] if len(others) == 1 else {"anyOf": others}
    return out

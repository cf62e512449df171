"""The model's account of itself: the keys below a node, their meanings, the models of a spec, the JSON schema."""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from grader.spec.document import Loc
from grader.spec.kinds import KINDS
from grader.spec.kinds.call import Called
from grader.spec.model import Case, Slip, Spec
from grader.spec.values import SpecModel, Tolerance
from grader.values import dataclass


def model_at(loc: Loc) -> type[SpecModel] | None:
    """The model of the mapping at ``loc``; None if there is no mapping with fixed keys."""
    here: Any = Spec
    for step in loc:
        here = _below(plain(here), step)
    model = plain(here)
    return model if _is_model(model) else None


def _below(kind: Any, step: str | int) -> Any:
    """The type of the node that ``step`` leads to from a node of type ``kind``; None if it leads nowhere."""
    if _is_model(kind):
        keys = typed_keys(kind)
        # `with` is `with_` in the model.
        return keys.get(str(step), keys.get(f"{step}_"))
    if get_origin(kind) is tuple:
        item = get_args(kind)[0]
        return item if isinstance(step, int) else _below(plain(item), step)  # one alone may stand for a list of one
    if get_origin(kind) is dict:
        return get_args(kind)[1]
    return None


def as_written(key: str) -> str:
    """A key as a TA writes it: ``with`` is called ``with_`` in the model, where Python has the word for itself."""
    return key.removesuffix("_")


def typed_keys(model: type[SpecModel]) -> dict[str, Any]:
    """The annotations of a model's keys, in order, with what is ``Annotated``."""
    named = get_type_hints(model, include_extras=True)
    return {name: named[name] for name in model.model_fields}


def describe(model: type[SpecModel], key: str) -> str:
    """The meaning of a key: its own description, or that of the model that it holds."""
    inner = plain(typed_keys(model)[key])
    return meanings(model).get(key) or ((inspect.getdoc(inner) or "") if _is_model(inner) else "")


@cache
def meanings(model: type[SpecModel]) -> Mapping[str, str]:
    """The docstrings below the keys of a model, and below the keys that it has from other models.

    They are read on demand: when pydantic read them as classes were made, every start of the grader took a tenth longer.
    """
    definition = ast.parse(textwrap.dedent(inspect.getsource(model))).body[0]
    assert isinstance(definition, ast.ClassDef)
    by_field: dict[str, str] = {}
    for base in model.__bases__ if SpecModel not in model.__bases__ else ():
        by_field |= meanings(base)
    for key, text in pairwise(definition.body):
        if isinstance(key, ast.AnnAssign) and isinstance(key.target, ast.Name) and isinstance(text, ast.Expr):
            by_field[key.target.id] = inspect.cleandoc(str(ast.literal_eval(text.value)))
    return by_field


@dataclass(frozen=True, slots=True)
class Part:
    """A model, and how a TA gets to it: ``cases[].machine``."""

    path: str
    model: type[SpecModel]


def parts_below(model: type[SpecModel], path: str = "") -> tuple[Part, ...]:
    """The model and all that it is made of, in the order in which a reader meets them."""
    parts = [Part(path, model)]
    for key, annotation in typed_keys(model).items():
        for inner, suffix in models_in(annotation):
            parts.extend(parts_below(inner, f"{path}.{key}{suffix}".removeprefix(".")))
    return tuple(parts)


def models_in(annotation: Any) -> Iterator[tuple[type[SpecModel], str]]:
    """Each model in a type, with what stands for the way to it: ``[]`` for any item, ``.*`` for any key."""
    kind = plain(annotation)
    if _is_model(kind):
        yield kind, ""
    elif get_origin(kind) in (tuple, dict):
        inner = get_args(kind)[0 if get_origin(kind) is tuple else 1]
        suffix = "[]" if get_origin(kind) is tuple else ".*"
        yield from ((model, suffix + more) for model, more in models_in(inner))


def _is_model(kind: Any) -> bool:
    return inspect.isclass(kind) and issubclass(kind, SpecModel)


def plain(annotation: Any) -> Any:
    """The type without ``Annotated`` and without ``| None``."""
    inner = optional(annotation)
    return plain(get_args(inner)[0]) if get_origin(inner) is Annotated else inner


def optional(annotation: Any) -> Any:
    """The type without ``| None``."""
    if get_origin(annotation) not in (Union, UnionType):
        return annotation
    others = [part for part in get_args(annotation) if part is not NoneType]
    return others[0] if len(others) == 1 else annotation


# ------------------------------------------------------------------------------------------------------- the JSON schema

# Editors complete and check YAML by it while it is written (draft 2020-12). The loader checks more: rules over several
# keys.
DIALECT = "https://json-schema.org/draft/2020-12/schema"


# Editors would mark the short form as wrong: pydantic knows only what comes of it.
# Models with a short form, which is the value of one key: a price alone is a slip.
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

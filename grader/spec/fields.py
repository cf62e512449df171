"""What the model says about itself: the keys below a node, the models that make up a spec, types in a TA's words."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from grader.spec.document import Loc
from grader.spec.model import Spec, SpecModel
from grader.spec.values import Inputs, Pattern, Points, Price, Quantity, Slug, Word

_WORDS: tuple[tuple[object, str], ...] = (
    (Slug, "name"),
    (Points, "number or fraction"),
    (Price, "points, `whole` or `forgive`"),
    (Quantity, "amount"),
    (Word, "number or `x25`"),
    (Pattern, "regular expression"),
    (Inputs, "inputs"),
    (str, "text"),
    (int, "whole number"),
    (bool, "`true` or `false`"),
)


def model_at(loc: Loc) -> type[SpecModel] | None:
    """The model of the mapping at ``loc``; None where there is no mapping with fixed keys."""
    here: Any = Spec
    for step in loc:
        here = _below(_plain(here), step)
    found = _plain(here)
    return found if inspect.isclass(found) and issubclass(found, SpecModel) else None


def _below(kind: Any, step: str | int) -> Any:
    """The type of the node that ``step`` leads to from a node of type ``kind``; None where it leads nowhere."""
    if inspect.isclass(kind) and issubclass(kind, SpecModel):
        return typed_keys(kind).get(str(step))
    if get_origin(kind) is tuple and isinstance(step, int):
        return get_args(kind)[0]
    if get_origin(kind) is dict:
        return get_args(kind)[1]
    return None


def typed_keys(model: type[SpecModel]) -> dict[str, Any]:
    """The annotations of a model's keys, in order, with what is ``Annotated``."""
    named = get_type_hints(model, include_extras=True)
    return {name: named[name] for name in model.model_fields}


def describe(model: type[SpecModel], key: str) -> str:
    """What a key means: its own description, or that of the model that it holds."""
    field = model.model_fields[key]
    inner = _plain(typed_keys(model)[key])
    if field.description:
        return field.description
    return (inspect.getdoc(inner) or "") if inspect.isclass(inner) and issubclass(inner, SpecModel) else ""


def models_below(model: type[SpecModel]) -> tuple[type[SpecModel], ...]:
    """The model and all that it is made of, each once, in the order in which a reader meets them."""
    found: list[type[SpecModel]] = [model]
    for here in found:
        for annotation in typed_keys(here).values():
            found.extend(m for m in _models_in(annotation) if m not in found)
    return tuple(found)


def _models_in(annotation: Any) -> tuple[type[SpecModel], ...]:
    if inspect.isclass(annotation) and issubclass(annotation, SpecModel):
        return (annotation,)
    return tuple(m for part in get_args(annotation) for m in _models_in(part))


def in_words(annotation: Any) -> str:
    """A type as a TA would say it: ``list of names``, ``one of `all`, `each`, `kinds` ``."""
    kind = _optional(annotation)
    arguments = get_args(kind)
    word = next((word for known, word in _WORDS if kind is known), None)
    if word is not None:
        return word
    if get_origin(kind) is Literal:
        return _one_of(str(value) for value in arguments)
    if get_origin(kind) is tuple:
        return f"list of {in_words(arguments[0])}"
    if get_origin(kind) is dict:
        return f"{in_words(arguments[0])}: {in_words(arguments[1])}, …"
    if inspect.isclass(kind) and issubclass(kind, Enum):
        return _one_of(str(member.value) for member in kind)
    return f"[{kind.__name__}](#{kind.__name__.lower()})"


def _plain(annotation: Any) -> Any:
    """The type without ``Annotated`` and without ``| None``."""
    inner = _optional(annotation)
    return _plain(get_args(inner)[0]) if get_origin(inner) is Annotated else inner


def _optional(annotation: Any) -> Any:
    """The type without ``| None``."""
    if get_origin(annotation) not in (Union, UnionType):
        return annotation
    others = [part for part in get_args(annotation) if part is not NoneType]
    return others[0] if len(others) == 1 else annotation


def _one_of(words: Iterable[str]) -> str:
    return "one of " + ", ".join(f"`{word}`" for word in words)

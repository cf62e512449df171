"""The secret of a course, by which what is hidden is drawn: `seed: secret` in a spec stands for a number made of it.

It is staff's: no spec, kit or report holds it, and a record only a digest. `GRADER_SECRET` of the environment goes before the
file that a spec names, so that a service can keep it among its own secrets.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path
from typing import Any

from grader.spec.document import Loc
from grader.spec.values import SECRET, SpecModel
from grader.values import dataclass

VARIABLE = "GRADER_SECRET"
SHORTEST = 16
_LONGEST = 4096
_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret; it is not shown when it is printed."""

    text: bytes = field(repr=False)

    @property
    def digest(self) -> str:
        """What tells two secrets apart, and nothing else of them."""
        return hmac.new(self.text, b"grader", hashlib.sha256).hexdigest()[:_DIGITS]

    def seed(self, of: str) -> int:
        """The seed of one set of runs: another for each, so that none tells of another."""
        return int.from_bytes(hmac.new(self.text, of.encode(), hashlib.sha256).digest()[:8], "big") >> 1


def find_secret(named: Path | None) -> Secret | str:
    """The secret of the environment or of a file; a sentence where there is none that would do."""
    told = os.environ.get(VARIABLE, "").strip().encode("utf-8", "surrogateescape")
    where = VARIABLE
    if not told and named is not None:
        where = str(named)
        try:
            with named.open("rb") as file:
                told = file.read(_LONGEST).strip()
        except (OSError, ValueError) as error:
            return f"the secret cannot be read from {named}: {getattr(error, 'strerror', None) or error}"
    if not told:
        return f"there is no secret: {VARIABLE} is not set" + ("" if named else ", and the spec names no file for it")
    if len(told) < SHORTEST:
        return f"the secret in {where} has {len(told)} characters, and could be guessed: it needs {SHORTEST}"
    return Secret(told)


def secret_seeds(model: SpecModel) -> Iterator[Loc]:
    """The place of every `seed: secret` in a part of a spec."""
    for key in type(model).model_fields:
        value = getattr(model, key)
        if key == "seed" and value == SECRET:
            yield (key,)
        yield from ((key, *rest) for rest in _in_value(value))


def _in_value(value: Any) -> Iterator[Loc]:
    if isinstance(value, SpecModel):
        yield from secret_seeds(value)
    elif isinstance(value, tuple):
        yield from ((at, *rest) for at, item in enumerate(value) for rest in _in_value(item))
    elif isinstance(value, dict):
        yield from ((at, *rest) for at, item in value.items() for rest in _in_value(item))


def with_seeds(model: SpecModel, secret: Secret, path: str = "") -> Any:
    """A part of a spec with numbers in place of `seed: secret`: each is made of the secret and of the names on the way to it."""
    update: dict[str, Any] = {}
    for key in type(model).model_fields:
        value = getattr(model, key)
        made = (
            secret.seed(f"{path}/{key}") if key == "seed" and value == SECRET else _made(value, secret, f"{path}/{key}")
        )
        if made is not value:
            update[key] = made
    return model.model_copy(update=update) if update else model


def _made(value: Any, secret: Secret, path: str) -> Any:
    if isinstance(value, SpecModel):
        return with_seeds(value, secret, path)
    if isinstance(value, tuple):
        made: Any = tuple(_made(item, secret, f"{path}/{getattr(item, 'id', at)}") for at, item in enumerate(value))
        return made if any(new is not old for new, old in zip(made, value, strict=True)) else value
    if isinstance(value, dict):
        made = {name: _made(item, secret, f"{path}/{name}") for name, item in value.items()}
        return made if any(made[name] is not value[name] for name in value) else value
    return value

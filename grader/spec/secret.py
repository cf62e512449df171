"""The secret of a course, which seeds hidden cases: `seed: secret` in a spec stands for a number made of it.

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
from grader.spec.values import SECRET, SpecModel, parts_of
from grader.values import dataclass

VARIABLE = "GRADER_SECRET"
# characters: all shorter ones could be tried
SHORTEST = 16
# bytes of the file that are read: it may be a device
_LONGEST = 4096
# of a digest in hexadecimal: no two secrets of courses have as many in common
_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret; it is not shown when it is printed."""

    text: bytes = field(repr=False)

    @property
    def digest(self) -> str:
        """A digest that distinguishes secrets without revealing them."""
        return hmac.new(self.text, b"grader", hashlib.sha256).hexdigest()[:_DIGITS]

    def seed(self, of: str) -> int:
        """The seed of one set of runs: another for each, so that none tells of another."""
        return int.from_bytes(hmac.new(self.text, of.encode(), hashlib.sha256).digest()[:8], "big") >> 1


def find_secret(named: Path | None) -> Secret | str:
    """The secret of the environment or of a file; otherwise a sentence that says what is wrong."""
    # A service keeps it among its own secrets, and the spec need not name a file there.
    secret = os.environ.get(VARIABLE, "").strip().encode("utf-8", "surrogateescape")
    where = VARIABLE
    if not secret and named is not None:
        where = str(named)
        try:
            with named.open("rb") as file:
                secret = file.read(_LONGEST).strip()
        except (OSError, ValueError) as error:
            return f"the secret cannot be read from {named}: {getattr(error, 'strerror', None) or error}"
    if not secret:
        return f"there is no secret: {VARIABLE} is not set" + ("" if named else ", and the spec names no file for it")
    if len(secret) < SHORTEST:
        return f"the secret in {where} has {len(secret)} characters, and could be guessed: it needs {SHORTEST}"
    return Secret(secret)


def secret_seeds(value: object, loc: Loc = ()) -> Iterator[Loc]:
    """The place of every `seed: secret` in a part of a spec."""
    for key, part in parts_of(value):
        if isinstance(value, SpecModel) and key == "seed" and part == SECRET:
            yield (*loc, key)
        yield from secret_seeds(part, (*loc, key))


def with_seeds(value: Any, secret: Secret, path: str = "") -> Any:
    """A part of a spec with numbers in place of `seed: secret`: each is made of the secret and of the names on the way to it.

    ``path`` has the names of cases, so that a case that moves keeps its seed, and their indices where they have none.
    """
    if isinstance(value, tuple):
        named = ((item, getattr(item, "id", index)) for index, item in enumerate(value))
        return tuple(with_seeds(item, secret, f"{path}/{name}") for item, name in named)
    if isinstance(value, dict):
        return {key: with_seeds(item, secret, f"{path}/{key}") for key, item in value.items()}
    if not isinstance(value, SpecModel):
        return value
    update = {}
    for key, item in ((key, getattr(value, key)) for key in type(value).model_fields):
        drawn = key == "seed" and item == SECRET
        update[key] = secret.seed(f"{path}/{key}") if drawn else with_seeds(item, secret, f"{path}/{key}")
    return value.model_copy(update={key: item for key, item in update.items() if item != getattr(value, key)})

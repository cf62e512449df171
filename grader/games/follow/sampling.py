"""Games drawn by a seed: at every request of the reference a legal move, or an input of an illegal shape.

A shape is a row of characters and classes: ``[D-Z][1-9]`` draws one character from each class.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from grader.errors import JudgeError
from grader.sessions.reference import PlayFunction, ReferenceSession
from grader.spec.kinds.runs import Differential

_PLACE = re.compile(r"\[((?:\\.|[^\]\\])+)\]|\\(.)|([^\[\]\\])")
_MEMBER = re.compile(r"(\\.|[^\\])-(\\.|[^\\])|(\\.|[^\\])", re.DOTALL)


def sample(play: PlayFunction, spec: Differential) -> tuple[tuple[str, ...], ...]:
    """The inputs of each game, the same for the same seed on every machine and Python version."""
    legal, illegal = ([parse_shape(shape) for shape in shapes] for shapes in (spec.legal, spec.illegal))
    return tuple(
        _game(ReferenceSession(play), Random(f"{spec.seed}/{number}"), legal, illegal, spec)
        for number in range(spec.games)
    )


Shape = tuple[str, ...]
"""The characters that each place of an input may hold."""


def _game(
    session: ReferenceSession, random: Random, legal: Sequence[Shape], illegal: Sequence[Shape], spec: Differential
) -> tuple[str, ...]:
    inputs: list[str] = []
    share = spec.share
    while session.request is not None and len(inputs) < spec.inputs:
        listed = session.request.legal
        may = bool(listed or legal)
        if illegal and (not may or _below(random, share.denominator) < share.numerator):
            text = _text(random, illegal)
        elif listed:
            text = listed[_below(random, len(listed))]
        elif legal:
            text = _text(random, legal)
        else:
            raise JudgeError("the reference names no legal answers, and the spec no illegal ones, to draw from")
        inputs.append(text)
        session.answer(text)
    # A program that names the wrong winner lost points under four criteria: games for moves stop before their end.
    return tuple(inputs if spec.finish or session.request is not None else inputs[:-1])


def _text(random: Random, shapes: Sequence[Shape]) -> str:
    shape = shapes[_below(random, len(shapes))]
    return "".join(chars[_below(random, len(chars))] for chars in shape)


def _below(random: Random, bound: int) -> int:
    """A number from 0 up to ``bound``; ``random()`` alone is the same in every version of Python."""
    return int(random.random() * bound)


def parse_shape(shape: str) -> tuple[str, ...]:
    """The characters that each place of a shape may hold. Raises JudgeError if it is no shape."""
    places = list(_PLACE.finditer(shape))
    if "".join(place[0] for place in places) != shape:
        raise JudgeError(f"{shape!r} is no shape of inputs", hint="characters and classes, such as [D-Z][1-9]")
    shaped = []
    for body, escaped, plain in (place.groups("") for place in places):
        members: list[str] = []  # of a class such as ``A-C*``
        for first, last, single in _MEMBER.findall(body):
            members += single[-1:] or map(chr, range(ord(first[-1]), ord(last[-1]) + 1))
        shaped.append("".join(members) or escaped or plain)
    return tuple(shaped)


# ----------------------------------------------------------------------------------------------------------- shrinking

Inputs = tuple[str, ...]


def shrink(inputs: Inputs, fails: Callable[[Inputs], bool], *, attempts: int = 400) -> Inputs:
    """A sublist of ``inputs`` that still fails and from which no single input can be left out.

    ``inputs`` itself must fail. At most ``attempts`` lists are tried; the smallest so far is returned then.
    """
    size = max(1, len(inputs) // 2)
    while True:
        at = 0
        progress = False
        while at < len(inputs):
            candidate = inputs[:at] + inputs[at + size :]
            attempts -= 1
            if attempts < 0:
                return inputs
            if fails(candidate):
                inputs, progress = candidate, True
            else:
                at += size
        if size == 1 and not progress:
            return inputs
        size = max(1, size // 2)

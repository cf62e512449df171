"""The smallest list of inputs that still shows a defect: stretches are left out, the longest first, until none can be."""

from __future__ import annotations

from collections.abc import Callable

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

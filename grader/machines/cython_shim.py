"""The few names of Cython's pure Python mode that a run loop uses, for where Cython is not installed.

Cython is needed to build only. Types stand in annotations, which nobody evaluates; what is left are decorators that
change nothing and ``declare``, which gives a class attribute its type.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

compiled = False

int = uint = longlong = bint = object  # noqa: A001  Cython's names of types, which only ``declare`` looks at


def cclass(cls: T) -> T:
    """The class as it is; compiled, an extension type."""
    return cls


def cfunc(function: T) -> T:
    """The function as it is; compiled, one that only C can call."""
    return function


def ccall(function: T) -> T:
    """The function as it is; compiled, one that C and Python can call."""
    return function


def inline(function: T) -> T:
    """The function as it is; compiled, one that the C compiler may put into its callers."""
    return function


def exceptval(*, check: bool) -> Callable[[T], T]:
    """The function as it is; compiled, ``check=False`` spares its callers from asking whether it raised."""
    del check
    return lambda function: function


def declare(_kind: object, visibility: str = "private") -> None:
    """Nothing; compiled, an attribute of type ``_kind``."""
    del visibility

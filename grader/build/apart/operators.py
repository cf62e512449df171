"""Python's special methods, each with the function that calls it: mostly one of the same name in ``operator``, ``builtins`` or ``math``."""

from __future__ import annotations

import builtins
import copy
import math
import operator
from collections.abc import Callable
from typing import Any, Final

_BINARY: Final = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift"
_UNARY: Final = "contains getitem setitem delitem index neg pos abs invert"
_BUILTIN: Final = "iter next reversed len bool hash int float complex round bytes str repr format"


def _of_operator(names: str, sign: str = "") -> dict[str, Callable[..., Any]]:
    return {(name := f"__{sign}{one}__"): getattr(operator, name) for one in names.split()}


def _swapped(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda right, left: function(left, right)


ORDER: Final = _of_operator("lt le gt ge")
EQUAL: Final = _of_operator("eq ne")

_FORWARD: Final[dict[str, Callable[..., Any]]] = {**_of_operator(_BINARY), "__divmod__": divmod}
ARITHMETIC: Final[dict[str, Callable[..., Any]]] = {
    **_FORWARD,
    **{f"__r{name.removeprefix('__')}": _swapped(function) for name, function in _FORWARD.items()},
    **_of_operator(_BINARY, "i"),
}

OPERATORS: Final[dict[str, Callable[..., Any]]] = {
    **_of_operator(_UNARY),
    **{f"__{name}__": getattr(builtins, name) for name in _BUILTIN.split()},
    "__call__": lambda one, args, named: one(*args, **named),
    "__trunc__": math.trunc,
    "__floor__": math.floor,
    "__ceil__": math.ceil,
    "__enter__": lambda one: type(one).__enter__(one),
    "__exit__": lambda one, kind, error, _: type(one).__exit__(one, kind, error, None),
    **ORDER,
    **EQUAL,
    **ARITHMETIC,
}

ACCESS: Final[dict[str, Callable[..., Any]]] = {
    "getattr": getattr,
    "setattr": setattr,
    "delattr": delattr,
    "dir": dir,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}
"""What is done with any object, whatever methods it has."""

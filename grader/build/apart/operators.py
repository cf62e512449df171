"""Python's special methods, each with the function or operator that calls it."""

from __future__ import annotations

import copy
import math
import operator
from collections.abc import Callable
from typing import Any, Final


def _swapped(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda right, left: function(left, right)


BINARY: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "divmod": divmod,
    "pow": operator.pow,
    "matmul": operator.matmul,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "lshift": operator.lshift,
    "rshift": operator.rshift,
}

ORDER: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "__lt__": operator.lt,
    "__le__": operator.le,
    "__gt__": operator.gt,
    "__ge__": operator.ge,
}

EQUAL: Final[dict[str, Callable[[Any, Any], Any]]] = {"__eq__": operator.eq, "__ne__": operator.ne}

ARITHMETIC: Final[dict[str, Callable[[Any, Any], Any]]] = {
    **{f"__{name}__": function for name, function in BINARY.items()},
    **{f"__r{name}__": _swapped(function) for name, function in BINARY.items()},
    **{f"__i{name}__": getattr(operator, f"i{name}") for name in BINARY if name not in ("divmod", "and", "or")},
    "__iand__": operator.iand,
    "__ior__": operator.ior,
}

UNARY: Final[dict[str, Callable[..., Any]]] = {
    "__call__": lambda one, args, named: one(*args, **named),
    "__iter__": iter,
    "__next__": next,
    "__reversed__": reversed,
    "__len__": len,
    "__bool__": bool,
    "__hash__": hash,
    "__contains__": operator.contains,
    "__getitem__": operator.getitem,
    "__setitem__": operator.setitem,
    "__delitem__": operator.delitem,
    "__int__": int,
    "__float__": float,
    "__complex__": complex,
    "__index__": operator.index,
    "__round__": round,
    "__trunc__": math.trunc,
    "__floor__": math.floor,
    "__ceil__": math.ceil,
    "__neg__": operator.neg,
    "__pos__": operator.pos,
    "__abs__": abs,
    "__invert__": operator.invert,
    "__bytes__": bytes,
    "__str__": str,
    "__repr__": repr,
    "__format__": format,
    "__enter__": lambda one: type(one).__enter__(one),
    "__exit__": lambda one, kind, error, _: type(one).__exit__(one, kind, error, None),
}

OPERATORS: Final[dict[str, Callable[..., Any]]] = {**UNARY, **ORDER, **EQUAL, **ARITHMETIC}

ACCESS: Final[dict[str, Callable[..., Any]]] = {
    "getattr": getattr,
    "setattr": setattr,
    "delattr": delattr,
    "dir": dir,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}
"""What is done with any object, whatever methods it has."""

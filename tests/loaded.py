"""Modules that no import finds: scripts, and a loop from its source where a compiled one lies beside it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]


def module_of(path: Path) -> ModuleType:
    """The module in a file, run anew."""
    spec = importlib.util.spec_from_file_location(f"{path.stem}_of_a_file", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module

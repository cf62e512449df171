"""The specs that come with the package, by name, and its documentation, in a checkout and in an installed wheel alike.

A wheel carries ``specs/``, ``reference/`` and ``docs/`` inside this package; a checkout, and an editable install of one, has them
at its top. Either way the first two are siblings, because a spec names its reference relative to itself.
"""

from __future__ import annotations

import difflib
from pathlib import Path, PurePosixPath

from grader.errors import UsageError

SUFFIX = ".yaml"
_HERE = Path(__file__).resolve().parent
_CHECKOUT = _HERE.parents[1]


def in_checkout() -> bool:
    """Whether this package is used from a checkout, where sources can change after they were compiled."""
    return not (_HERE / "specs").is_dir()


def specs_folder() -> Path:
    """The folder of bundled specs, which need not exist in a broken installation; ``reference/`` is its sibling."""
    return (_CHECKOUT if in_checkout() else _HERE) / "specs"


def docs_folder() -> Path:
    """The folder with the pages of the documentation, in Markdown."""
    return (_CHECKOUT if in_checkout() else _HERE) / "docs"


def own_folders() -> tuple[Path, ...]:
    """The folder of the grader itself with its specs and references, which no program of a student may read.

    In a checkout there are also programs that earn full marks, and copies of all that.
    """
    package = _HERE.parent
    beside = (_CHECKOUT / name for name in ("specs", "reference", "fixtures", "tests", "build", "dist", ".git"))
    return (package, *(beside if in_checkout() else ()), *package.parent.glob(f"{package.name}-*"))


def bundled_specs() -> tuple[str, ...]:
    """The names of the bundled specs, sorted; ``NAME.survivors.yaml`` belongs to a spec and does not count."""
    return tuple(sorted(path.stem for path in specs_folder().glob(f"*{SUFFIX}") if "." not in path.stem))


def examples() -> tuple[Path, ...]:
    """The specs of the worked examples, sorted by name: each lies in a folder of its own, ``NAME/NAME.yaml``."""
    folders = (specs_folder() / "examples").glob("*/")
    return tuple(sorted(spec for folder in folders if (spec := folder / f"{folder.name}{SUFFIX}").is_file()))


def reference_path(folder: Path, name: str) -> Path:
    """The place of the reference that a spec in ``folder`` names: there, or else the bundled one of that name.

    So a copy of a bundled spec works wherever it lies, without a copy of its reference.
    """
    return _there_or(folder / name, specs_folder().parent / "reference" / PurePosixPath(name).name)


def support_path(folder: Path, name: str) -> Path:
    """The place of a support file that a spec in ``folder`` names: there, or else beside the bundled specs."""
    return _there_or(folder / name, specs_folder() / name)


def _there_or(path: Path, bundled: Path) -> Path:
    """The path, unless only the bundled one is there, and inside what comes with the package."""
    try:
        if path.exists():
            return path
        inside = bundled.resolve().is_relative_to(specs_folder().parent.resolve()) and bundled.exists()
    except (OSError, ValueError):  # a name that no file can have
        return path
    return bundled if inside else path


def spec_path(name_or_path: str) -> Path:
    """The file of a spec that is given by the name of a bundled spec or of a worked example, or by a path.

    Such a name wins over a file of the same name in the working directory, so that a command means the same
    everywhere; ``./name`` is always a path. Raises UsageError when there is no such file.
    """
    names = bundled_specs()
    known = {spec.stem: spec for spec in examples()} | {name: specs_folder() / f"{name}{SUFFIX}" for name in names}
    if name_or_path in known:
        return known[name_or_path]
    path = Path(name_or_path)
    if path.is_file():
        return path
    near = difflib.get_close_matches(path.name.removesuffix(SUFFIX).casefold(), known, n=1)
    listed = f"bundled specs: {', '.join(names)}"
    hint = f"did you mean {near[0]}? {listed}" if near else f"{listed}; or give the path of a {SUFFIX} file"
    if not names:
        hint = f"no specs came with this installation; expected them in {specs_folder()}"
    # An empty name, as of a variable of a shell that is not set, would be the path of this folder.
    if name_or_path and path.exists():
        what = "a folder" if path.is_dir() else "neither a file nor a folder"
        raise UsageError(f"a spec is one YAML file, and this is {what}", place=name_or_path, hint=hint)
    raise UsageError(f"no such spec: {name_or_path or 'its name is empty'}", hint=hint)

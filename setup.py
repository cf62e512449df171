"""What pyproject.toml cannot say: the compiled run loop, and two folders of the checkout that travel inside the package.

The loop of the LC-3 is one source in Cython's pure Python mode. Compiled it is an extension module next to its source;
where there is no C compiler the same source runs uncompiled, slower and with the same results, so the extension is
optional here. ``make`` demands it, and ``grader doctor`` says which of the two is in use.

Specs name their reference relative to themselves (``../reference/lc3_nim.py``), so both folders become siblings
inside ``grader/bundled/``.
"""

from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, find_packages, setup

LOOP = Path("grader/machines/lc3/loop.py")
BUNDLED = ("specs", "reference")


def compiled_loop() -> list[Extension]:
    """The run loop as an extension that may fail to build."""
    if not LOOP.exists():
        return []
    name = ".".join(LOOP.with_suffix("").parts)
    loop = Extension(name, [str(LOOP)], extra_compile_args=["-O3"], optional=True)
    modules: list[Extension] = cythonize([loop], build_dir="build/cython", language_level=3)
    return modules


setup(
    packages=[*find_packages(include=["grader", "grader.*"]), *(f"grader.bundled.{folder}" for folder in BUNDLED)],
    package_dir={f"grader.bundled.{folder}": folder for folder in BUNDLED},
    ext_modules=compiled_loop(),
)

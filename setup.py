"""What pyproject.toml cannot say: the compiled run loops, and two folders of the checkout that a wheel carries along.

The loop of each machine is one source in Cython's pure Python mode. Compiled it is an extension module next to its
source; where there is no C compiler the same source runs uncompiled, slower and with the same results, so the extension
is optional here. ``make`` demands it, and ``grader doctor`` says which of the two is in use.
"""

import shutil
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_py import build_py

LOOPS = (Path("grader/machines/lc3/loop.py"), Path("grader/machines/mips/loop.py"))
BUNDLED = ("specs", "reference")


class BuildWithBundled(build_py):
    """Puts the bundled folders into ``grader/bundled/``, as siblings: a spec names ``../reference/lc3_nim.py``."""

    def run(self) -> None:
        """Build the package, then copy the folders; an editable install finds them at the top of the checkout."""
        super().run()
        if self.editable_mode:
            return
        for folder in BUNDLED:
            target = Path(self.build_lib, "grader", "bundled", folder)
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(folder, target, ignore=shutil.ignore_patterns("__pycache__", ".*"))


def compiled_loops() -> list[Extension]:
    """The run loops as extensions that may fail to build."""
    sources = [
        Extension(".".join(loop.with_suffix("").parts), [str(loop)], extra_compile_args=["-O3"]) for loop in LOOPS
    ]
    modules: list[Extension] = cythonize(sources, build_dir="build/cython", language_level=3)
    for module in modules:
        module.optional = True  # cythonize does not hand this on from the extension that it is given
    return modules


setup(cmdclass={"build_py": BuildWithBundled}, ext_modules=compiled_loops())

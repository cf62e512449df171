"""The build steps that pyproject.toml cannot say: compiled parts, and three folders of the checkout that a wheel carries along.

The loop of each machine is one source in Cython's pure Python mode. The compiled form is an extension module next to its
source. Without a C compiler the same source runs uncompiled, slower and with the same results, so the extension is optional
here. ``make`` demands it, and ``grader doctor`` says which of the two is in use.

The launcher of the sandbox is a program in C next to its sources, for Linux only. Without it programs for simulated
machines are still graded. A command that starts a foreign program says what is missing.

Our programs in Java are compiled if there is a javac. If there was none, or the sources have changed since, the first command
that compiles a student's Java program compiles them as well, in half a second.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import CCompilerError

LOOPS = sorted(Path("grader/machines").glob("*/loop.py"))
BUNDLED = ("specs", "reference", "docs")
SANDBOX = Path("grader/sandbox")
JAVA = Path("grader/java")
# The options of grader.build.java, which compiles them if this could not be done; here for any Java from 17 on.
JAVAC = [
    "javac",
    "--release",
    "17",
    "-encoding",
    "UTF-8",
    "-g",
    "-nowarn",
    "-proc:none",
    "-implicit:none",
    "-XDstringConcat=inline",
]
OPTIMIZED = [] if "-O" in os.environ.get("CFLAGS", "") else ["-O3"]
"""The loops are what speed hangs on, unless who builds asks for something else: at -O3 they take most of the time of an installation."""

SPECIALIZED = [
    "--param=max-inline-insns-single=30000",
    "--param=max-inline-insns-auto=60",
    "--param=inline-unit-growth=300",
    "--param=large-function-growth=3000",
]
"""Only within these limits does gcc make one copy of a loop's body for each set of its flags; others ignore the options.

The loop of MIPS is up to a third faster by them. That of the LC-3 is not, and is compiled without.
"""


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


class BuildWithPrograms(build_ext):
    """Compiles the sandbox's launcher and our programs in Java beside the extensions; as them, they may fail to build."""

    def initialize_options(self) -> None:
        """Compile the loops beside each other, where nothing else is asked for."""
        super().initialize_options()
        self.parallel = True

    def run(self) -> None:
        """Build the extensions, then the launcher, then the classes."""
        super().run()
        if sys.platform != "linux":
            return
        home = Path() if self.inplace or self.editable_mode else Path(self.build_lib)
        try:
            self.build_launcher(home / SANDBOX)
        except CCompilerError as error:
            self.warn(f"the sandbox's launcher was not built: {error}")
        try:
            build_classes(home / JAVA)
        except (OSError, subprocess.CalledProcessError) as error:
            self.warn(f"our programs in Java were not compiled: {error}")

    def build_launcher(self, folder: Path) -> None:
        """Compile and link; without a shared library to load it starts and forks faster, but not every system can."""
        sources = [str(source) for source in sorted(SANDBOX.glob("*.c"))]
        flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra"]
        objects = self.compiler.compile(sources, output_dir=self.build_temp, extra_postargs=flags)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            self.compiler.link_executable(objects, "launcher", output_dir=str(folder), extra_postargs=["-static"])
        except CCompilerError:
            self.compiler.link_executable(objects, "launcher", output_dir=str(folder))


def build_classes(folder: Path) -> None:
    """Compile our programs in Java into one archive, which says of what sources it was made (``grader.sessions.jdk``)."""
    sources = sorted(JAVA.glob("*.java"))
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
    with tempfile.TemporaryDirectory() as made:
        subprocess.run((*JAVAC, "-d", made, *map(str, sources)), check=True)  # noqa: S603 -- ours
        folder.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(folder / "classes.zip", "w") as archive:
            archive.writestr(zipfile.ZipInfo("sources.sha256"), digest)
            for path in sorted(Path(made).rglob("*.class")):
                archive.writestr(zipfile.ZipInfo(path.relative_to(made).as_posix()), path.read_bytes())


def compiled_loops() -> list[Extension]:
    """The run loops as extensions that may fail to build."""
    sources = []
    for loop in LOOPS:
        options = OPTIMIZED + (SPECIALIZED if loop.parent.name == "mips" else [])
        sources.append(Extension(".".join(loop.with_suffix("").parts), [str(loop)], extra_compile_args=options))
    modules: list[Extension] = cythonize(sources, build_dir="build/cython", language_level=3)
    for module in modules:
        module.optional = True  # cythonize does not hand this on from the extension that it is given
    return modules


setup(cmdclass={"build_ext": BuildWithPrograms, "build_py": BuildWithBundled}, ext_modules=compiled_loops())

"""Compiles the loops of the machines for browsers: ``grader/kit/loops.zip``, part of `make assets`.

Cython makes C of them as for any computer, here for Python's stable ABI (PEP 384), so that the modules outlive a version of
Pyodide. The compiler is the Clang in the wheel of Zig: Emscripten itself is in no registry that the project uses. It compiles for
WASI, which differs from Emscripten only in its system library. A loop calls six functions of that library, and Pyodide has them. The
module is linked as Emscripten's side modules are (WebAssembly, tool-conventions, DynamicLinking.md: "dylink.0").

Headers are those of this Python. It is 3.11, the first whose stable ABI has buffers: the same headers give the same bytes.
"""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from grader.kit import assets  # noqa: E402

ZIG = assets.Asset(
    name="ziglang",
    version="0.17.1",
    pypi="packages/59/e3/2a34676370a11c36b7cd04ffb2439c1089c0530cf4b01408c77cf7f8d9c3/ziglang-0.17.1-py3-none-manylinux_2_12_x86_64.manylinux2010_x86_64.musllinux_1_1_x86_64.whl",
    integrity="sha256-6mzF2HsDPPCu37yPlUmpCMrmxQrDHxaYGI+kinRSS1Q=",
    take={"ziglang/": ""},
)
ABI = (3, 11)
COMPILE = (
    *("-target", "wasm32-wasi", "-O3", "-fPIC", "-fvisibility=hidden", "-fno-sanitize=all"),
    *("-DCYTHON_LIMITED_API=1", f"-DPy_LIMITED_API=0x{ABI[0]:02X}{ABI[1]:02X}0000"),
)
LINK = ("--experimental-pic", "-shared", "--no-entry", "--strip-all", "--allow-undefined", "--export=PyInit_loop")

PYCONFIG = """\
#ifndef Py_PYCONFIG_H
#define Py_PYCONFIG_H
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_VOID_P 4
#define SIZEOF_SIZE_T 4
#define SIZEOF_UINTPTR_T 4
#define SIZEOF_WCHAR_T 4
#define SIZEOF_OFF_T 8
#define SIZEOF_TIME_T 8
#define SIZEOF_PID_T 4
#define SIZEOF_FLOAT 4
#define SIZEOF_DOUBLE 8
#define SIZEOF__BOOL 1
#define ALIGNOF_LONG 4
#define ALIGNOF_SIZE_T 4
#define HAVE_STDINT_H 1
#define HAVE_INTTYPES_H 1
#define HAVE_STDDEF_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_SSIZE_T 1
#define DOUBLE_IS_LITTLE_ENDIAN_IEEE754 1
#endif
"""
"""The findings of ``configure`` about WebAssembly of 32 bits, as far as the headers ask for them."""


def loops() -> bytes:
    """The compiled loops, by their paths in a page: an archive, each time the same."""
    if sys.version_info[:2] != ABI:
        raise SystemExit("the loops are compiled with the headers of Python {}.{}".format(*ABI))
    packed = io.BytesIO()
    with tempfile.TemporaryDirectory() as made, zipfile.ZipFile(packed, "w") as archive:
        home = Path(made)
        for path, content in ZIG.files(assets.fetched(ZIG)):
            target = home / "zig" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        (home / "zig/zig").chmod(0o755)
        shutil.copytree(sysconfig.get_path("include"), home / "include")
        (home / "include/pyconfig.h").write_text(PYCONFIG, encoding="utf-8")
        for source in assets.LOOP_SOURCES:
            archive.writestr(zipfile.ZipInfo(assets.in_page(source)), _compiled(source, home), zipfile.ZIP_DEFLATED, 9)
        archive.writestr(zipfile.ZipInfo("made-of.json"), json.dumps(assets.loop_digests()), zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()


def _compiled(source: str, home: Path) -> bytes:
    """One loop as a module of WebAssembly."""
    name = source.removesuffix(".py").replace("/", ".")
    code, part, module = home / f"{name}.c", home / f"{name}.o", home / f"{name}.so"
    zig = str(home / "zig/zig")
    commands = (
        (sys.executable, "-m", "cython", "-3", "--module-name", name, "-o", str(code), source),
        (zig, "cc", *COMPILE, f"-I{home / 'include'}", "-c", str(code), "-o", str(part)),
        (zig, "wasm-ld", *LINK, str(part), "-o", str(module)),
    )
    for command in commands:
        subprocess.run(command, check=True, cwd=ROOT)  # noqa: S603 -- ours
    return module.read_bytes()


if __name__ == "__main__":
    assets.LOOPS.write_bytes(loops())
    print(f"written: {assets.LOOPS.relative_to(ROOT)}")

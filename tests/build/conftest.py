"""Small specs of native programs, and what the shared workshop makes of them."""

from __future__ import annotations

from collections.abc import Mapping

from grader.build.built import Built
from grader.build.java import Compiled, Compiler, read
from grader.build.native import build_native
from grader.build.workshop import Workshop
from grader.source import SourceFile
from grader.spec.model import Spec
from grader.submission import SubmittedFile
from tests.graded import handed_in


def spec(**program: object) -> Spec:
    """A spec of one program."""
    return Spec.model_validate(
        {
            "assignment": "x",
            "title": "X",
            "program": program,
            "rubric": [{"id": "a", "title": "A", "points": 1}],
            "cases": [{"id": "c", "title": "C", "source": {"builds": True}}],
        }
    )


def built(
    workshop: Workshop, files: Mapping[str, str | bytes], support: Mapping[str, str] = {}, **program: object
) -> Built:
    """The result of building these files."""
    given = tuple(SubmittedFile(name, text.encode()) for name, text in support.items())
    return build_native(spec(**program), given, handed_in(files), workshop)


def printed(made: Built, seed: int | None = None) -> bytes:
    """The output of a program that asks for nothing."""
    (program,) = made.programs.values()
    session = program.start("", seed=seed)
    assert session.advance() is not None
    output = session.take_output()
    made.close()
    return output


def compiled_by(
    compiler: Compiler,
    own: tuple[SubmittedFile, ...],
    given: tuple[SubmittedFile, ...] = (),
    flags: tuple[str, ...] = (),
) -> Compiled:
    """The result of building Java files of a student together with those of the course."""
    sources, support = (tuple(SourceFile.from_bytes(f.path, f.data) for f in files) for files in (own, given))
    return read(compiler.make(sources, support, flags), {source.name: source for source in sources + support})

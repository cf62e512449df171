"""The compilers of Java: what a student is told, and what one submission can do to the next."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.build.built import Built
from grader.build.java import Compiled, Compiler, read
from grader.build.java_server import Outcome, Server, _answer, _Reader, request
from grader.build.tool import DisturbedToolError
from grader.errors import JudgeError
from grader.results import Verdict
from grader.sandbox import best_tier
from grader.sessions import jdk
from grader.sessions.jvm import FRESH, HOST_PACKAGE
from grader.source import Severity, SourceFile
from grader.submission import SubmittedFile
from tests.build.conftest import built, compiled_by

pytestmark = pytest.mark.xdist_group("java")
MAIN = "public static void main(String[] args) {}"


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    """A compiler that has served before."""
    with Compiler(best_tier()) as compiler:
        compiled_by(compiler, (SubmittedFile("A.java", b"class A {}"),))
        yield compiler


def files(sources: dict[str, str | bytes]) -> tuple[SubmittedFile, ...]:
    """Handed-in files by their paths."""
    return tuple(
        SubmittedFile(path, text.encode() if isinstance(text, str) else text) for path, text in sources.items()
    )


def students(compiled: Compiled) -> list[str]:
    """The class files that are not the host's."""
    return sorted(path for path in compiled.classes if not path.startswith(HOST_PACKAGE))


def test_classes_come_with_the_host_that_runs_them(compiler):
    """Every class of the sources is there by its path, and the host beside them."""
    sources = {
        "src/nim/Nim.java": f"package nim; public class Nim {{ class Heap {{}} {MAIN} }}",
        "src/Old.java": "class Old {}",
    }
    compiled = compiled_by(compiler, files(sources))
    assert students(compiled) == ["Old.class", "nim/Nim$Heap.class", "nim/Nim.class"]
    assert all(data[:4] == bytes.fromhex("cafebabe") for data in compiled.classes.values())
    assert f"{HOST_PACKAGE}CaseHost.class" in compiled.classes
    assert compiled.version.startswith("javac ")
    assert compiled.diagnostics == ()


def test_our_own_programs_were_compiled_when_the_grader_was_installed():
    """`make` compiles them anew when their sources change."""
    assert {f"{HOST_PACKAGE}CaseHost.class", f"{HOST_PACKAGE}CompileServer.class"} <= set(jdk.own_classes())


@pytest.fixture
def own_programs(tmp_path, monkeypatch) -> Path:
    """A copy of the folder of our programs in Java, which is used in place of it."""
    for file in (Path(jdk.__file__).parents[1] / "java").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.setattr(jdk, "_OWN_FOLDER", tmp_path)
    return tmp_path


@pytest.mark.parametrize("kept", ["nothing", "no archive", "what was made of others"])
def test_what_was_compiled_of_others_or_not_at_all_is_not_used(kept, own_programs):
    """There was no JDK then, or the sources are others now."""
    assert jdk.own_classes()
    if kept == "nothing":
        (own_programs / "classes.zip").unlink()
    elif kept == "no archive":
        (own_programs / "classes.zip").write_bytes(b"PK")
    else:
        source = own_programs / "CaseInput.java"
        source.write_bytes(source.read_bytes() + b"\n")
    assert jdk.own_classes() == {}


def test_where_they_were_not_they_are_compiled_when_first_needed(own_programs):
    """The student's classes are the same, and the host is there."""
    source = own_programs / "CaseInput.java"
    source.write_bytes(source.read_bytes() + b"\n")
    with Compiler(best_tier()) as compiler:
        compiled = compiled_by(compiler, (SubmittedFile("A.java", f"class A {{ {MAIN} }}".encode()),))
    assert students(compiled) == ["A.class"]
    assert f"{HOST_PACKAGE}CaseHost.class" in compiled.classes


def test_no_class_of_a_student_gets_among_those_of_the_host(compiler):
    """Classes in the host's package are left out: there they would outlive their run, statics and all."""
    sources = {
        "Main.java": f"package grader.host; class Main {{ static int runs; {MAIN} class CaseHost {{}} }}",
        "A.java": "class A {}",
    }
    compiled = compiled_by(compiler, files(sources))
    assert students(compiled) == ["A.class"]
    assert not any("Main" in path for path in compiled.classes)


def test_classes_that_can_be_started_are_in_the_order_of_the_sources(compiler):
    """``main`` may be inherited, nested or in an interface; it must be public and static, and take texts."""
    sources = {
        "Z.java": f"public class Z {{ {MAIN} static class Inner {{ public static void main(String... a) {{}} }} }}",
        "A.java": "class A extends Z {} class B { static void main(String[] a) {} } class C { public static void main() {} }",
        "I.java": "interface I { static void main(String[] a) {} } class D { public static int main(String[] a) { return 0; } }",
    }
    assert compiled_by(compiler, files(sources)).mains == ("Z", "Z$Inner", "A", "I")


def test_a_class_of_the_course_is_compiled_and_never_started(compiler):
    """Support files serve the student's, and their own ``main`` is not offered."""
    support = files({"given/Environment.java": f"public class Environment {{ int answer() {{ return 42; }} {MAIN} }}"})
    sources = files(
        {"Nim.java": "class Nim extends Environment { public static void main(String... a) { new Nim().answer(); } }"}
    )
    compiled = compiled_by(compiler, sources, support)
    assert students(compiled) == ["Environment.class", "Nim.class"]
    assert compiled.mains == ("Nim",)


def test_an_error_has_place_code_and_hint(compiler):
    """Line and column count characters in the file as it was handed in, whatever its line ends, tabs and letters."""
    text = "class A {\r\n\t/* 😀 石 */ int x = yy;\r\n}\r\n"
    (problem,) = compiled_by(compiler, files({"a/A.java": text})).diagnostics
    assert (problem.severity, problem.code) == (Severity.ERROR, "cant-resolve-location")
    assert problem.message == "cannot find symbol (symbol: variable yy, location: class A)"
    assert problem.span is not None
    assert (problem.span.place, problem.span.end_column) == ("a/A.java:2:20", 22)
    assert problem.hint


def test_what_does_not_compile_has_no_classes(compiler):
    """One wrong class among right ones leaves none, and none to start."""
    compiled = compiled_by(
        compiler, files({"A.java": f"class A {{ {MAIN} }}", "B.java": "class B { int x = true; }"}), (), ()
    )
    assert (compiled.classes, compiled.mains) == ({}, ())
    assert [d.code for d in compiled.diagnostics] == ["prob-found-req"]


def test_warnings_are_no_errors(compiler):
    """A flag's warnings are told, and the classes are there."""
    compiled = compiled_by(compiler, files({"A.java": "class A { int f() { return (int) 3; } }"}), (), ("-Xlint:all",))
    assert [(d.severity, d.code) for d in compiled.diagnostics] == [(Severity.WARNING, "redundant-cast")]
    assert students(compiled) == ["A.class"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_sources_in_any_encoding_compile(compiler, encoding):
    """Text in a program is the same text, whatever the encoding of the file."""
    compiled = compiled_by(compiler, files({"A.java": 'class A { String s = "张海博"; }'.encode(encoding)}))
    assert "张海博".encode() in compiled.classes["A.class"]


def test_latin_1_compiles(compiler):
    """Umlauts that are no UTF-8 are umlauts."""
    compiled = compiled_by(compiler, files({"A.java": 'class A { String s = "Menü"; }'.encode("latin-1")}))
    assert "Menü".encode() in compiled.classes["A.class"]


def test_a_lone_file_may_have_any_name(compiler):
    """A learning platform renames what is handed in; beside other files the name must be that of the public class."""
    nim = {"1234_nim.java": f"public class Nim {{ {MAIN} }}"}
    assert compiled_by(compiler, files(nim)).mains == ("Nim",)
    (problem,) = compiled_by(compiler, files({**nim, "B.java": "class B {}"})).diagnostics
    assert problem.code == "class-public-should-be-in-file"


def test_nothing_of_one_submission_is_there_for_the_next(compiler):
    """A class that another student handed in is not known."""
    assert compiled_by(compiler, files({"Helper.java": "public class Helper {}"})).classes
    compiled = compiled_by(compiler, files({"A.java": "class A extends Helper {}"}))
    assert [d.code for d in compiled.diagnostics] == ["cant-resolve"]


def test_no_annotation_processor_of_a_submission_runs(compiler):
    """A processor is compiled as any class, and does not take part."""
    processor = (
        "import java.util.*; import javax.annotation.processing.*; import javax.lang.model.element.*;"
        '@SupportedAnnotationTypes("*") public class P extends AbstractProcessor { public boolean process('
        "Set<? extends TypeElement> s, RoundEnvironment r) { System.exit(3); return false; } }"
    )
    service = SubmittedFile("META-INF/services/javax.annotation.processing.Processor", b"P")
    assert students(compiled_by(compiler, (*files({"P.java": processor}),), (service,))) == []
    assert students(compiled_by(compiler, files({"P.java": processor}))) == ["P.class"]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("class A { int x = " + "1+" * 50_000 + "1; }", "nested too deeply"),
        (
            'class A { static final String s0 = "0123456789abcdef"'
            + "".join(f", s{n} = s{n - 1} + s{n - 1}" for n in range(1, 28))
            + "; }",
            "",
        ),
    ],
    ids=["nesting", "doubling"],
)
def test_what_breaks_the_compiler_is_an_error_of_the_student(compiler, source, said):
    """A source that the compiler cannot take is refused with words, and the next one compiles."""
    compiled = compiled_by(compiler, files({"A.java": source}))
    assert compiled.classes == {}
    assert said in compiled.diagnostics[0].message
    assert compiled_by(compiler, files({"A.java": "class A {}"})).classes


def test_flags_that_javac_refuses_are_our_fault(compiler):
    """They stand in the spec, so nobody loses points by them."""
    with pytest.raises(JudgeError, match="--nonsense"):
        compiled_by(compiler, files({"A.java": "class A {}"}), (), ("--nonsense",))


def test_a_server_that_died_is_replaced(compiler):
    """A dead server costs nobody anything, and the next submission finds a warm one."""
    compiler._server._process.kill()
    assert students(compiled_by(compiler, files({"A.java": "class A {}"}))) == ["A.class"]
    assert compiler._server.serves


def test_a_server_that_takes_too_long_is_stopped():
    """The time for a request is bounded by our clock."""
    with Server(best_tier(), {}) as server:
        server._process._wall_left = 0.001
        answer = server.ask(request((), (SourceFile("A.java", "class A {}"),), ()))
        assert answer.outcome is Outcome.BROKEN
        assert not server.serves
        with pytest.raises(DisturbedToolError, match="held the Java compiler up"):
            server.passed_limit()


def test_a_product_keeps_everything(compiler):
    """A kept compilation gives the same places and hints as the compilation itself."""
    sources = (SourceFile("A.java", "class A { java.util.List l; }"), SourceFile("B.java", f"class B {{ {MAIN} }}"))
    product = compiler.make(sources, (), ("-Xlint:rawtypes",))
    compiled = read(product, {source.name: source for source in sources})
    assert compiled.diagnostics[0].span == sources[0].span(1, 11, 25)
    assert compiled.mains == ("B",)
    assert compiled.classes == product.files


GOOD = b"\x01" + b"\0\0\0\0" + b"\0\0\0\1" + b"\0\0\0\1A" + b"\0\0\0\2xy" + b"\0\0\0\0" + b"\0\0\0\0"


def test_an_answer_is_read_as_it_was_written():
    """An outcome, what was said, one class with its bytes, no mains and no complaints."""
    answer = _answer(_Reader(GOOD))
    assert (answer.classes, answer.mains, answer.complaints) == ({"A": b"xy"}, (), ())


@pytest.mark.parametrize(
    "message",
    [GOOD[:size] for size in range(len(GOOD))]
    + [
        GOOD + b"\0",
        b"\x07" + GOOD[1:],
        b"\x01\x7f\xff\xff\xff",
        b"\x01\xff\xff\xff\xff",
        b"\x01\0\0\0\0\x7f\xff\xff\xff" + bytes(100),
        b"\x01\0\0\0\1\xff" + bytes(12),
    ],
)
def test_no_length_in_an_answer_is_believed(message):
    """An answer that is cut short, too long, negative, unknown or no UTF-8 is ignored."""
    with pytest.raises(ValueError, match=r"."):
        _answer(_Reader(message))


def test_what_the_course_hands_out_may_be_handed_in_along(workshop):
    """The student's version is used, and staff are told; without one, or with a mere copy, it is the course's."""
    program = f"class Nim extends Environment {{ {MAIN.replace('{}', '{ System.out.print(name); }')} }}"
    given = {"Environment.java": 'class Environment { static String name = "course"; }'}
    own = {"lib/Environment.java": 'class Environment { static String name = "student"; }'}
    rules = {"language": "java", "sources": ["*.java"]}
    alone = built(workshop, {"Nim.java": program}, given, **rules)
    along = built(workshop, {"Nim.java": program, **own}, given, **rules)
    copied = built(workshop, {"Nim.java": program, **given}, given, **rules)
    assert (alone.verdict, alone.review) == (copied.verdict, copied.review) == (Verdict.ACCEPTED, ())
    assert along.verdict is Verdict.ACCEPTED
    assert along.review == ("Environment.java was handed in, and is used in place of the course's",)
    assert (said(alone), said(along)) == (b"course", b"student")


def said(made: Built) -> bytes:
    """The output of a Java program that asks for nothing."""
    session = made.programs[FRESH].start(FRESH)
    assert session.advance() is not None
    output = session.take_output()
    made.close()
    return output

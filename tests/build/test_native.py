"""C, C++ and Python programs, from what was handed in to what they print or what is wrong with them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import venv
from dataclasses import replace
from pathlib import Path

import pytest

from grader.build import gcc, native
from grader.build.tool import Product
from grader.build.workshop import Workshop
from grader.errors import JudgeError, UsageError
from grader.results import Verdict, Weight
from grader.sandbox import Tier, best_tier
from grader.submission import Form
from tests.build.conftest import built, handed_in, printed, spec

HELLO = '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n'
HELLO_CPP = '#include <iostream>\nint main() { std::cout << "hello" << std::endl; }\n'
JAVA = "public class Nim { public static void main(String[] args) {} }"
C = {"language": "c", "sources": ["main.c"]}
ANY = {"language": ["c", "cpp", "python"], "sources": ["*.c", "*.cpp", "*.py"]}


@pytest.mark.parametrize(
    ("name", "text"), [("a.c", HELLO), ("a.cpp", HELLO_CPP), ("a.py", "print('hello')\n"), ("A.CPP", HELLO_CPP)]
)
def test_the_language_is_told_by_the_name(workshop, name, text):
    """A program in any of the languages that a spec admits is built as what its name says."""
    made = built(workshop, {name: text}, **ANY)
    assert (made.verdict, made.diagnostics) == (Verdict.ACCEPTED, ())
    assert printed(made) == b"hello\n"


@pytest.mark.parametrize("text", ["", " \n\n"])
def test_a_file_without_text_is_told_as_such(workshop, text):
    """The place is the file, and the linker's own words about `main` are left out."""
    made = built(workshop, {"main.c": text}, **C)
    assert [(f.code, f.message, f.place) for f in made.findings] == [
        ("no-program", "there is no program in this file", "main.c:1:1")
    ]


def test_what_built_it_is_recorded(workshop):
    """The compiler with its version and the spec's flags stand beside the tier of the sandbox."""
    made = built(workshop, {"main.c": HELLO}, **C, flags={"c": ["-std=c11"]})
    assert made.tools.startswith("gcc ")
    assert made.tools.endswith(" -std=c11")
    assert made.sandbox == best_tier()


@pytest.mark.parametrize(
    ("text", "line", "said", "hint"),
    [
        ("int main(void) { return 0 }\n", 1, "expected ‘;’", "semicolon"),
        ("int main(void)\n{\n    n = 1;\n}\n", 3, "‘n’ undeclared", "declare it"),
        ("int main(void) {\n", 1, "end of input", "closing brace"),
        ('#include "mine.h"\nint main(void) { return 0; }\n', 1, "No such file", "header"),
    ],
)
def test_a_compile_error_has_its_place_and_a_hint(workshop, text, line, said, hint):
    """The compiler's message reaches the student with file, line and what to do."""
    made = built(workshop, {"main.c": text}, **C)
    first = made.findings[0]
    assert made.verdict is Verdict.COMPILE_ERROR
    assert first.place.startswith(f"main.c:{line}:")
    assert said.replace("‘", "").replace("’", "") in first.message.replace("'", "").replace("‘", "").replace("’", "")
    assert hint in first.hint
    assert not made.programs


def test_what_the_linker_misses_is_told_once(workshop):
    """A function that is called and not defined is one complaint, a missing main another."""
    made = built(workshop, {"main.c": "void f(void); int main(void) { f(); f(); return 0; }"}, **C)
    assert [f.message for f in made.findings] == ["undefined reference to `f'"]
    assert "main" in built(workshop, {"main.c": "int f;"}, **C).findings[0].message


def test_warnings_are_notes(workshop):
    """A warning is shown, and costs nothing."""
    made = built(workshop, {"main.c": "int main(void) { int unused; return 0; }"}, **C)
    assert made.verdict is Verdict.ACCEPTED
    assert [(f.code, f.weight) for f in made.findings] == [("wunused-variable", Weight.NOTE)]


def test_a_syntax_error_in_python_has_its_line(workshop):
    """Python programs are looked at before they run; the place is the interpreter's."""
    made = built(workshop, {"a.py": "x = 1\nif x = 1:\n    pass\n"}, **ANY)
    assert made.verdict is Verdict.COMPILE_ERROR
    assert made.findings[0].place.startswith("a.py:2:")


def test_a_set_in_python_has_the_same_order_in_each_run(workshop):
    """The output of a program about a set of words does not change from run to run."""
    words = {"a.py": "print({'left', 'right', 'up', 'down', 'in', 'out'})\n"}
    assert len({printed(built(workshop, words, **ANY)) for _ in range(4)}) == 1


LUCK = [
    ({"a.py": "import random\nprint(random.random())\n"}, ANY),
    (
        {
            "main.c": "#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n"
            'int main(void) { srand(time(NULL)); printf("%d %d\\n", rand(), rand()); return 0; }\n'
        },
        C,
    ),
    ({"main.c": '#include <stdio.h>\n#include <stdlib.h>\nint main(void) { printf("%d\\n", rand()); return 0; }\n'}, C),
]


def test_random_numbers_are_the_same_in_each_run_of_a_seed(workshop):
    """A program that plays by chance does the same in each run, in whatever second it begins, and other numbers only where these are asked for."""
    programs = [built(workshop, files, **language) for files, language in LUCK]
    usual = [printed(made) for made in programs]
    time.sleep(1.1)
    assert [printed(made) for made in programs] == usual
    other = [printed(made, seed=1) for made in programs]
    assert not set(other) & set(usual)
    assert [printed(made, seed=1) for made in programs] == other


def test_a_program_may_call_a_thing_of_its_own_as_we_call_ours(workshop):
    """A variable called time, without the header, is the program's."""
    text = '#include <stdio.h>\nint time = 7;\nint main(void) { printf("%d\\n", time); return 0; }\n'
    assert printed(built(workshop, {"main.c": text}, **C)) == b"7\n"


def test_a_python_program_finds_what_programs_expect(workshop):
    """`exit` is there, and its own modules come first; what is installed comes last, and no `.pth` file has run."""
    files = {
        "a.py": "import random, sys\nprint(random.MINE, __name__, __file__, sys.argv)\n"
        "print(sys.path[0] == '', 'packages' in sys.path[-1], sys.flags.no_site)\nexit()\nprint('not reached')\n",
        "random.py": "MINE = 'mine'\n",
    }
    made = built(workshop, files, language=["python"], sources=["a.py"])
    assert printed(made) == b"mine __main__ a.py ['a.py']\nTrue True 1\n"


@pytest.mark.parametrize("encoding", ["utf-8", "gbk", "utf-8-sig", "utf-16"])
def test_sources_may_be_in_any_encoding(workshop, encoding):
    """A program prints its Chinese text as UTF-8, whatever its source was written in."""
    text = HELLO.replace("hello", "尼姆游戏")
    assert printed(built(workshop, {"main.c": text.encode(encoding)}, **C)) == "尼姆游戏\n".encode()


def test_headers_and_support_files_are_beside_the_source(workshop):
    """A header of the student and a source that the course hands out are compiled along."""
    files = {
        "src/main.c": '#include "mine.h"\nint given(void);\nint main(void) { return MINE + given(); }',
        "src/mine.h": "#define MINE 0",
    }
    made = built(workshop, files, {"given.c": "int given(void) { return 0; }"}, **C)
    assert made.diagnostics == ()
    assert printed(made) == b""


def test_a_file_without_main_is_compiled_along(workshop):
    """A prototype, a call and a comment that speak of main do not start a program."""
    files = {
        "nim.c": "void f(void); int main(void)\n{ f(); }",
        "f.c": HELLO.replace("int main(void)", "/* called by main() { */ int main(void); void f(void)").replace(
            "return 0;", ""
        ),
    }
    made = built(workshop, files, language="c", sources=["*.c"])
    assert printed(made) == b"hello\n"
    assert made.review == ()


@pytest.mark.parametrize(
    "files",
    [
        {"new.c": HELLO.replace("hello", "new"), "old/new.c": HELLO},
        {"a.py": "print('hello')", "b.c": HELLO},
        {"nim.py": "import board\nboard.play()", "board.py": "def play(): pass\nif __name__ == '__main__': play()"},
        {"Nim.java": JAVA, "Probe.java": JAVA.replace("Nim", "Probe")},
        {"Nim.java": JAVA, "old/Nim.java": JAVA.replace("{}", "{ }")},
    ],
    ids=["two versions", "two languages", "two modules", "two classes", "one class twice"],
)
def test_of_two_programs_a_person_says_which_one_counts(workshop, files):
    """Neither an old version in a folder nor a class to try things costs anything: nothing is guessed."""
    made = built(workshop, files, language=["c", "java", "python"], sources=["*.c", "*.java", "*.py"])
    assert (made.verdict, made.programs) == (Verdict.NEEDS_REVIEW, {})
    assert "a person must say which one counts" in made.review[0]


def test_a_class_that_the_spec_names_is_the_one(workshop):
    """If the spec says which class is started, a class to try things leaves no doubt."""
    files = {"Nim.java": JAVA, "Probe.java": JAVA.replace("Nim", "Probe")}
    made = built(workshop, files, language="java", sources=["*.java"], main="Nim")
    assert (made.verdict, len(made.sources)) == (Verdict.ACCEPTED, 2)
    made.close()


def test_two_equal_copies_are_one_program(workshop):
    """A copy in another folder is not compiled along, where it would define everything twice."""
    assert printed(built(workshop, {"nim.c": HELLO, "copy/nim.c": HELLO}, language="c", sources=["*.c"])) == b"hello\n"


def test_a_module_that_is_imported_starts_nothing(workshop):
    """A module may do something when it is imported; the one that imports it is the program."""
    files = {"words.py": "WORD = 'hello'\nprint(WORD)", "nim.py": "import words\nfor n in range(1): pass"}
    assert printed(built(workshop, files, **ANY)) == b"hello\n"


@pytest.mark.parametrize(("size", "verdict"), [(1 << 20, Verdict.ACCEPTED), ((1 << 20) + 1, Verdict.COMPILE_ERROR)])
def test_a_source_has_a_largest_size(workshop, size, verdict):
    """A source of a mebibyte is compiled; a byte more is refused with the limit."""
    made = built(workshop, {"main.c": HELLO.ljust(size)}, **C)
    assert made.verdict is verdict
    assert ("1,048,576" in "".join(made.diagnostics)) is (verdict is Verdict.COMPILE_ERROR)


@pytest.mark.parametrize("text", [b"", b"\0\0\0", b"\xff\xfe", "ü".encode()])
def test_what_is_no_program_is_a_compile_error(workshop, text):
    """Empty files, zeros and bytes that are no text are the student's to mend."""
    assert built(workshop, {"main.c": text}, **C).verdict is Verdict.COMPILE_ERROR


def test_a_program_that_is_not_there_is_missing(workshop):
    """Without a source the verdict says so, for names and for patterns."""
    assert built(workshop, {"a.txt": "x"}, **C).verdict is Verdict.MISSING_FILE
    made = built(workshop, {"a.txt": "x"}, **ANY)
    assert made.findings[0].message == "there is no program: no file is called *.c, *.cpp, *.py"


def test_a_second_build_needs_no_compiler(new_workshop, monkeypatch):
    """Equal sources, flags and compilers have been built before; other flags have not."""
    assert built(new_workshop, {"main.c": HELLO}, **C).programs
    made = []
    monkeypatch.setitem(native.RECIPES, "c", _counting(made))
    assert printed(built(new_workshop, {"main.c": HELLO}, **C)) == b"hello\n"
    assert made == []
    built(new_workshop, {"main.c": HELLO}, **C, flags={"c": ["-O2"]})
    assert made == [1]


def test_what_is_linked_into_all_programs_is_compiled_once(new_workshop, monkeypatch):
    """Another program needs it compiled no more; with flags that our part must fit to it does."""
    made = []
    compiled = gcc.our_part
    monkeypatch.setattr(gcc, "our_part", lambda *given: made.append(1) or compiled(*given))
    for text in (HELLO, HELLO + "\n"):
        assert printed(built(new_workshop, {"main.c": text}, **C)) == b"hello\n"
    assert made == [1]
    built(new_workshop, {"main.c": HELLO}, **C, flags={"c": ["-O2"]})
    assert made == [1]
    built(new_workshop, {"main.c": HELLO}, **C, flags={"c": ["-fwrapv"]})
    assert made == [1, 1]


@pytest.mark.parametrize(
    ("name", "text", "flags"),
    [
        ("a.cpp", HELLO_CPP, ["-std=c++20", "-Werror"]),
        ("a.c", HELLO, ["-std=c89", "-pedantic-errors", "-Werror", "-Wextra"]),
        ("a.c", "int main(void) { puts(HELLO); return 0; }\n", ["-include", "own.h"]),
    ],
)
def test_what_a_course_asks_of_students_is_not_asked_of_us(workshop, name, text, flags):
    """The code that we link into every program is no C++, has no standard to keep, and needs no header of the program's."""
    files = {name: text, "own.h": '#include <stdio.h>\n#define HELLO "hello"\n'}
    made = built(workshop, files, **ANY, flags={"c": flags, "cpp": flags})
    assert (made.diagnostics, printed(made)) == ((), b"hello\n")


def test_a_file_of_the_same_name_is_not_linked(workshop):
    """Ours is, whatever was handed in."""
    assert printed(built(workshop, {"main.c": HELLO, "grader_terminal.o": "x"}, **C)) == b"hello\n"


def test_a_compiler_that_refuses_ours_is_our_own_fault(workshop):
    """Flags that no compiler knows cost no student a point, and are named."""
    with pytest.raises(JudgeError, match="-fno-such-thing") as refused:
        built(workshop, {"main.c": HELLO}, **C, flags={"c": ["-fno-such-thing"]})
    assert "flags" in refused.value.hint


def test_a_compiler_that_is_too_slow_for_our_part_is_told_without_blaming_flags(monkeypatch):
    """Whoever grades on a busy machine need not look at the spec."""
    monkeypatch.setattr(gcc, "TOOL_LIMITS", replace(gcc.TOOL_LIMITS, cpu=0.001))
    with Workshop(best_tier(), None) as workshop, pytest.raises(JudgeError, match="cpu") as stopped:
        gcc.our_part(workshop, "c", ())
    assert stopped.value.hint == "the machine may be busy: grade again"


def _counting(made):
    recipe = gcc.recipe("c")
    return replace(recipe, make=lambda *given: made.append(1) or recipe.make(*given))


def test_a_failed_build_is_kept_too(workshop, monkeypatch):
    """The compiler's messages on a wrong program are said again without it."""
    wrong = {"main.c": "int main(void) { return 0 }\n"}
    first = built(workshop, wrong, **C)
    made = []
    monkeypatch.setitem(native.RECIPES, "c", _counting(made))
    assert (built(workshop, wrong, **C).findings, made) == (first.findings, [])


def test_a_damaged_product_is_made_again(new_workshop, tmp_path):
    """A file that was cut short is as good as none."""
    built(new_workshop, {"main.c": HELLO}, **C)
    for path in (tmp_path / "products").iterdir():
        path.write_bytes(path.read_bytes()[:100])
    assert printed(built(new_workshop, {"main.c": HELLO}, **C)) == b"hello\n"


def test_where_nothing_can_be_kept_it_is_built_all_the_same(tmp_path):
    """A folder that cannot be made, because a file is in its way, costs time alone."""
    (tmp_path / "file").write_text("")
    with Workshop(best_tier(), tmp_path / "file" / "products") as workshop:
        assert printed(built(workshop, {"main.c": HELLO}, **C)) == b"hello\n"


def test_a_compiler_that_is_not_there_is_our_own_fault(workshop, monkeypatch):
    """Without gcc the grade is a judge error with a hint, never a compile error."""
    monkeypatch.setitem(gcc._COMPILERS, "c", "no-such-gcc")
    monkeypatch.setitem(native.RECIPES, "c", gcc.recipe("c"))
    with pytest.raises(JudgeError, match="doctor"):
        built(workshop, {"main.c": HELLO}, **C)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('#include "/dev/zero"\n', ""),
        ("char huge[1 << 30] = {1};\nint main(void) { return huge[0]; }\n", "the compiler"),
        ('#include "main.c"\n', "nested"),
        (f'#line 1 "main.c:{"9" * 5000}:1: error: x"\nint main(void) {{ return y; }}\n', "undeclared"),
    ],
)
def test_a_compiler_that_is_attacked_is_stopped(workshop, text, said):
    """A source that includes a device or itself, makes a huge program, or has 5,000 digits for a place, is a compile error."""
    made = built(workshop, {"main.c": text}, **C)
    assert made.verdict is Verdict.COMPILE_ERROR
    assert said in "".join(made.diagnostics)


def test_a_product_comes_back_as_it_was_kept(workshop):
    """Files and messages of any bytes go through the folder unchanged."""
    product = Product({"a": b"\0\xff", "d/b": b""}, "said ü\n")
    assert workshop.product([b"x"], lambda: product) == product
    assert workshop.product([b"x"], lambda: pytest.fail("made again")) == product
    assert workshop.product([b"x", b""], lambda: Product({})) == Product({})


@pytest.mark.parametrize("unsafe", [False, True])
def test_where_nothing_is_caged_staff_are_refused(monkeypatch, unsafe):
    """The bare tier runs nobody else's programs, unless it is asked for."""
    monkeypatch.setattr("grader.build.workshop.best_tier", lambda: Tier.BARE)
    if unsafe:
        with Workshop.opened(unsafe=True) as workshop:
            assert not workshop.caged
    else:
        with pytest.raises(UsageError, match="has no sandbox"):
            Workshop.opened()


@pytest.mark.parametrize("unsafe", [False, True])
def test_where_the_key_cannot_be_hidden_staff_are_refused(unsafe):
    """A path right in a folder that programs need cannot be hidden from them: no program runs, unless it is asked for."""
    needed = Path("/bin")
    if unsafe:
        Workshop.opened(unsafe=True, hidden=(needed,)).close()
    else:
        with pytest.raises(UsageError, match="/bin: programs could read what lies here") as refused:
            Workshop.opened(hidden=(needed,))
        assert "folder of its own" in refused.value.hint
        assert refused.value.exit_code == 2


def test_a_file_alone_is_the_program(workshop):
    """A single file is the program, whatever it is called."""
    made = native.build_native(spec(**C), (), handed_in({"mein programm.c": HELLO}, Form.FILE), workshop)
    assert printed(made) == b"hello\n"


def test_what_lies_beside_does_not_disturb(workshop):
    """A file with the name of a program, and thousands of files, are no reason not to build."""
    files = {"main.c": HELLO, "program": "x", "a.out": "x", **{f"data/{n}.txt": "x" for n in range(5000)}}
    assert printed(built(workshop, files, **C)) == b"hello\n"


def test_a_copied_interpreter_is_not_what_programs_run_on(tmp_path):
    """A virtual environment of copies holds one in a folder that no cage shows; programs get the one that it was copied from."""
    venv.create(tmp_path / "copies", symlinks=False)
    asked = [tmp_path / "copies/bin/python", "-c", "from grader.build import python; print(python.INTERPRETER)"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    interpreter = subprocess.run(asked, env=environment, capture_output=True, text=True, check=True).stdout.strip()
    assert Path(interpreter).is_file()
    assert tmp_path not in Path(interpreter).parents

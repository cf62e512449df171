"""Functions, constructs and comments of native sources, from both sides of each rule."""

from __future__ import annotations

import subprocess
import sys
from textwrap import dedent

import pytest

from grader.checks import syntax, trees
from grader.checks.syntax import check
from grader.checks.trees import parsed, problem_in
from grader.errors import JudgeError
from grader.source import SourceFile
from grader.spec.kinds.handed_in import SourceRules

C = """\
#include <stdio.h>
#define FOREACH(i) for (int i = 0; i < 3; i++)
#define HEAPS 3 // as in the sample

/* Takes stones
   from a heap. */
static int *take(int *heap, int n) {
    *heap -= n;
    return heap; // the same
}

int (*chosen(void))(int) {
    /****/
    return 0;
}

int main(void) {
    int a = 0;
    FOREACH(i) { take(&a, i); }
    goto end;
end:
    return a;
}
"""
CPP = """\
#include <string>
struct Heap {
    int n;
    Heap(int n) : n(n) {}
    ~Heap() {}
    Heap(const Heap &) = default;
    int left() const { return n; }
    virtual int must() = 0;
    template <class T> T as(T x) { return x; }
};
int &ref(int &x) { return x; }
auto later() -> int { return [](int x) { return x; }(1); }
int declared(int);
int main() { return 0; }
"""
JAVA = """\
import java.util.Scanner;
/** The game. */
public class Nim {
    private int n; // matches

    Nim() { n = 3; }
    interface Player { int move(); }
    // asks
    // twice
    int ask() { return new Scanner(System.in).nextInt(); }
    static void show(int n) {
        Runnable r = () -> System.out.println(n);
        r.run();
    }
    public static void main(String[] args) { show(1); }
}
"""
PYTHON = '''\
"""The game."""
import sys

class Nim:
    """One pile."""
    def __init__(self, n):
        self.n = n  # stones

    def left(self):
        """How many.

        Stones.
        """
        return self.n

async def play():
    text = """# no comment
    """
    return [x for x in text if (lambda: x)()]

def main():
    play()
'''
SOURCES = {"c": C, "cpp": CPP, "java": JAVA, "python": PYTHON}


def findings(language: str, *texts: str, **rules):
    """The constructs found in sources of one language."""
    sources = [(language, SourceFile(f"p{number}", text)) for number, text in enumerate(texts)]
    return check(SourceRules.model_validate(rules), sources)


def construct(query: str, **more):
    """A construct called `it`, forbidden if nothing else is said."""
    return {"name": "it", "query": query, **(more or {"most": 0})}


def times(language: str, text: str, query: str) -> int:
    """How often a query finds something."""
    tree = parsed(language, SourceFile("p", text))
    return len(trees.found(query, [tree]))


@pytest.mark.parametrize(("language", "defined"), [("c", 2), ("cpp", 4), ("java", 2), ("python", 2)])
def test_functions_are_counted_where_they_are_defined(language, defined):
    """Not main, constructors, destructors, lambdas, macros with a block, nor what is declared without a body."""
    assert findings(language, SOURCES[language], functions=defined) == []
    (finding,) = findings(language, SOURCES[language], functions=defined + 1)
    said = f"{defined} functions are defined besides main; at least {defined + 1} required"
    assert (finding.code, finding.message) == ("few-functions", said)


def test_functions_of_all_sources_count():
    """Each file adds its own."""
    assert findings("c", C, "int f(void) { return 1; }", functions=3) == []
    assert [f.message for f in findings("c", "int x;", "void f() {}", functions=2)] == [
        "1 function is defined besides main; at least 2 required"
    ]


@pytest.mark.parametrize(
    ("language", "query", "number"),
    [
        ("c", "(goto_statement)", 1),
        ("c", "(for_statement)", 0),
        ("c", '((identifier) @x (#eq? @x "take"))', 2),
        ("c", '((identifier) @x (#match? @x "^ta"))', 2),
        ("c", '((identifier) @x (#not-match? @x "^[a-z]"))', 2),
        ("c", '((identifier) @x (#any-of? @x "take" "chosen"))', 3),
        ("c", "(parameter_declaration declarator: (pointer_declarator)) @found", 1),
        ("c", "(goto_statement) (return_statement) ; either", 4),
        ("c", "[(goto_statement) (return_statement)]", 4),
        ("c", "(call_expression arguments: (argument_list (_)))", 1),
        ("c", "(call_expression arguments: (argument_list (_) @found))", 2),
        ("c", "(goto_statement (statement_identifier) @found) (labeled_statement)", 2),
        ("cpp", "(lambda_expression)", 1),
        ("java", "(lambda_expression)", 1),
        ("java", '(import_declaration (scoped_identifier) @x (#not-eq? @x "java.util.Scanner"))', 0),
        ("java", '(import_declaration (scoped_identifier) @x (#match? @x "^java[.]util[.]"))', 1),
        ("python", "(list_comprehension)", 1),
        ("python", "(lambda)", 1),
    ],
)
def test_a_construct_occurs_as_often_as_there_are_places(language, query, number):
    """At `@found`, or else where the pattern begins; predicates choose, and several ways to match one place are one."""
    assert times(language, SOURCES[language], query) == number


def test_least_and_most_are_met_at_their_limits():
    """One more or less is a finding that says how often the construct was found."""
    returns = "(return_statement)"
    assert findings("c", C, constructs=[construct(returns, least=3, most=3)]) == []
    (few,) = findings("c", C, constructs=[construct(returns, least=4, hint="write more")])
    assert (few.code, few.hint) == ("missing-construct", "write more")
    assert few.message == "it: found 3 times; at least 4 times required"
    (many,) = findings("c", C, constructs=[construct(returns, most=2, hint="write less")])
    assert (many.code, many.hint) == ("forbidden-construct", "write less")
    assert many.message == "it: found 3 times; at most 2 times allowed"
    assert many.place == "p0:22:5"


def test_a_construct_that_must_be_there_once_or_never():
    """Is said in a sentence, and a forbidden one is pointed at."""
    assert findings("c", C, constructs=[construct("(goto_statement)", least=1)]) == []
    (missing,) = findings("c", C, constructs=[construct("(while_statement)", least=1)])
    assert (missing.message, missing.place) == ("it does not occur", "")
    assert findings("c", C, constructs=[construct("(while_statement)")]) == []
    (forbidden,) = findings("c", C, constructs=[construct("(goto_statement)")])
    assert (forbidden.message, forbidden.place) == ("it is not allowed here", "p0:20:5")
    assert forbidden.excerpt == "   20 |     goto end;\n      |     ^^^^^^^^^"


def test_places_count_characters_and_every_kind_of_line_end():
    """Wide characters before a find, CR and CRLF do not move it; of a find of several lines the first is marked."""
    (finding,) = findings(
        "c", "int a;\rint b;\r\n/* 石头é */ struct x {\r\n};", constructs=[construct("(struct_specifier)")]
    )
    assert finding.place == "p0:3:11"
    assert finding.excerpt.endswith("| " + " " * 12 + "^" * 10)


def test_what_may_stand_in_an_unread_part_is_not_missing():
    """C without types is no C of the grammar's: what is not found in such a source is left to a person."""
    old, new = "greet() { return 0; }\n", "int greet() { return 0; }\n"
    jumps = construct("(goto_statement)", least=1)
    (unread,) = findings("c", old, functions=1)
    assert (unread.code, "no functions are defined" in unread.message) == (syntax.UNREAD, True)
    assert [f.code for f in findings("c", old, constructs=[jumps])] == [syntax.UNREAD]
    assert findings("c", old + new, functions=1) == []
    assert [f.code for f in findings("c", new, functions=2, constructs=[jumps])] == [
        "few-functions",
        "missing-construct",
    ]


def test_a_construct_is_for_its_language():
    """The same rules serve every language that a student may choose; queries for others are not even read."""
    for_c = construct("(goto_statement)", language="c", least=1)
    for_java = construct("(lambda_expression)", language="java", most=0)
    assert findings("c", C, constructs=[for_c, for_java]) == []
    assert [f.code for f in findings("java", JAVA, constructs=[for_c, for_java])] == ["forbidden-construct"]


def test_what_does_not_parse_cleanly_is_looked_at():
    """An error in the text hides no function or construct elsewhere in it."""
    broken = C.replace("int a = 0;", "int a = = ;")
    assert parsed("c", SourceFile("p", broken)).tree.root_node.has_error
    assert findings("c", broken, functions=2) == []
    assert [f.code for f in findings("c", broken, constructs=[construct("(goto_statement)")])] == [
        "forbidden-construct"
    ]


@pytest.mark.parametrize(
    ("language", "share", "more", "said"),
    [
        ("c", "3/14", "4/14", "21 %"),
        ("cpp", "0", "1/100", "0 %"),
        ("java", "3/10", "4/10", "30 %"),
        ("python", "4/11", "5/11", "36 %"),
    ],
)
def test_comments_are_a_share_of_the_lines_of_code(language, share, more, said):
    """A comment counts for the line that it stands on, or for the next of code; a docstring for the line before it."""
    assert findings(language, SOURCES[language], comments=share) == []
    (finding,) = findings(language, SOURCES[language], comments=more)
    assert finding.code == "few-comments"
    assert finding.message.startswith(f"{said} of the lines of code have a comment")


@pytest.mark.parametrize(
    ("language", "text", "code", "commented"),
    [
        ("c", "int a; // x", 1, 1),
        ("c", "// x\nint a;", 1, 1),
        ("c", "// x\n\n// y\nint a;\nint b;", 2, 1),
        ("c", "/* x */ int a;\nint b; /* y\n*/ int c;", 3, 3),
        ("c", "int a; // ---", 1, 0),
        ("c", "int f()\n{\n}\n", 1, 0),
        ("c", "// x", 0, 0),
        ("c", "#define A 1 /* x */\n#define B 2\n", 2, 1),
        ("cpp", "#define A 1 // x\nint b;\n", 2, 1),
        ("java", "/** x */\nclass A {\n}\n", 1, 1),
        ("python", "def f(a,\n      b):\n    'x'\n    return 1\n", 3, 1),
        ("python", "def f(): 'x'\n", 1, 1),
        ("python", "def f():\n    'x'\n    return 1 # y\n", 2, 2),
        ("python", "'x'\na = 1\n'y'\n", 1, 1),
        ("python", "a = 'x'\nf('y')\n", 2, 0),
    ],
)
def test_lines_with_a_comment(language, text, code, commented):
    """Marks alone are neither code nor a comment; strings that are used are no docstrings."""
    rows, those = syntax._commented(parsed(language, SourceFile("p", text)))
    assert (len(rows), len(those)) == (code, commented)


def test_an_empty_source_keeps_the_share_of_comments():
    """Without lines of code no line lacks a comment."""
    assert findings("python", "", comments="1/2") == []


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("(goto)", "Invalid node type at row 1, column 2: goto"),
        ("(goto_statement", "Unexpected EOF"),
        ("(break_statement)\n(if_statement (identifier))", "Impossible pattern at row 2, column 15"),
        ("(goto_statement labels: (_))", "Invalid field name at row 1, column 17: labels"),
        ('((identifier) @x (#match? @x "("))', "regular expression error"),
        ('((identifier) @x (#eq? @y "a"))', "Invalid capture name at row 1, column 25: y"),
        ('((identifier) @x (#matches? @x "a"))', "there is no predicate #matches?; known are #any-eq?"),
        ("((identifier) @x (#is-not? local))", "there is no predicate #is-not?"),
        ("; nothing", "it holds no pattern"),
    ],
)
def test_what_is_no_query_is_told(query, said):
    """In words and with a place; at grading it is our fault, and never a lost point."""
    assert said in problem_in(query, "c")
    with pytest.raises(JudgeError):
        findings("c", C, constructs=[construct(query)])


@pytest.mark.parametrize("query", ["(goto_statement)", '((identifier) @x (#eq? @x "#no?")) ; #nor?\n'])
def test_a_query_is_right_in_its_language(query):
    """Marks within strings and comments are no predicates, and what one grammar has another lacks."""
    assert problem_in(query, "c") == ""
    assert problem_in("(goto_statement)", "java") != ""


def test_sources_beyond_the_limit_of_size_are_left_to_a_person():
    """All sources count together, in bytes."""
    half = "/" * 2 + "é" * (syntax.SIZE_LIMIT // 4 - 1)
    assert findings("c", half, half, comments="0") == []
    assert [f.code for f in findings("c", half, half + "x", comments="0")] == [syntax.UNREAD]


def test_text_that_costs_too_many_steps_is_left_to_a_person(monkeypatch):
    """A chain of what may be casts is read while it is short; ordinary code of the same length is."""
    monkeypatch.setattr(trees, "DEPTH_LIMIT", 10_000)
    chain = "int f(int a, int b) { return " + "(a)*(b)-" * 2000 + "1; }"
    plain = "int f(int a, int b) { return a * b - 1; }\n" * 400
    assert [f.code for f in findings("c", chain, functions=1)] == [syntax.UNREAD]
    assert findings("c", chain.replace("(a)*(b)-" * 1990, ""), functions=1) == []
    assert findings("c", plain, functions=400) == []


def test_a_tree_that_is_too_deep_is_left_to_a_person():
    """Depth is counted in nodes, from the root."""
    room = trees.DEPTH_LIMIT - 4  # the file, the statement, the innermost number and its bracket are there as well
    assert times("python", "(" * room + "1" + ")" * room, "(integer)") == 1
    assert parsed("python", SourceFile("p", "(" * (room + 5) + "1" + ")" * (room + 5))) is None


@pytest.mark.parametrize("char", "(!*{")
def test_a_node_with_too_many_parts_is_left_to_a_person(char):
    """64 KiB of one mark are a node with as many parts, which a query looks at again and again; a long table has fewer."""
    assert parsed("c", SourceFile("p", char * syntax.SIZE_LIMIT)) is None
    assert (
        times("c", f"int t[] = {{{'1, ' * (trees.BREADTH_LIMIT // 2 - 2)}}};", "(number_literal)")
        == trees.BREADTH_LIMIT // 2 - 2
    )


def test_tree_sitter_is_imported_for_its_languages_alone():
    """Looking at assembly, or asking a native program only whether it builds, costs nothing."""
    code = """
        import sys
        from grader.checks import source, syntax
        from grader.source import SourceFile
        from grader.spec.kinds.handed_in import SourceRules
        syntax.check(SourceRules(builds=True), [("c", SourceFile("p", "int x;"))])
        print(any(name.startswith("tree_sitter") for name in sys.modules))
        syntax.check(SourceRules(functions=1), [("c", SourceFile("p", "int x;"))])
        print(sorted(name for name in sys.modules if name.startswith("tree_sitter_") and "." not in name))
        """
    done = subprocess.run([sys.executable, "-c", dedent(code)], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["False", "['tree_sitter_c']"]

"""Sources and results as hostile as can be made: whatever is handed in or printed is read, checked and shown in bounded time.

``test_patterns`` tries the time that patterns need; here we try the rest of our work. No time is asserted but one that
only work without bound passes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from grader.bounded import number
from grader.build import gcc, python
from grader.build.pieces import distinct, left_out, starts_of
from grader.build.tool import Product
from grader.checks import syntax
from grader.checks.explain import first_difference
from grader.grading.trial import SHOWN_OUTPUT
from grader.intake.names import identify, safe_id
from grader.intake.names import shown as shown_name
from grader.machines.families import family, language_of
from grader.report import console, github, gradescope, junit, page, record, shown, table, words
from grader.results import Finding, JudgedTurn, Verdict, for_student
from grader.sandbox import Status
from grader.sessions.java_endings import Endings
from grader.source import SourceFile
from grader.spec.kinds.handed_in import SourceRules
from grader.submission import SubmittedFile
from grader.transcript import decode, visible
from tests.reference.test_floods import within_seconds
from tests.report.sample_grades import case, full_marks, view

SOURCE = 1 << 18
FLOOD = 1 << 16

PIECES = (
    " ", "\t", "\xa0", "\u2003", "\u3000", "\v", "\f", "\r", "\n", "\r\n", "\u200b", " \t\v\f\r\n\xa0\u2003\u3000\u200b",
    "0", "9", "٣", "0123456789", "(", "[", "{", "([{<", "()", "|", "!", "¦", "│", "║", "|!¦│║", "a", "é", "字",
    '"', "'", "\\", '"\\', "'\\", "\\\n", "/", "/*", "//", "#", ";", ":", ",", ".", "$", "-", "@", "\0", "\x1b[2J",
    "a: ", "a\n", "'\n", "0\n", ".fill 0\n", ".word 1 ", "import ", "from a ", "main (", "void main ", ".globl a ",
    "#define a ", "x:1: error: ", "\tat a(", "\u202e", "e\u0301", "😀",
)  # fmt: skip
"""The pieces of programs and sources that repeat one thing without end."""


def of(piece: str, length: int) -> str:
    """So many characters of a piece over and over."""
    return (piece * (length // len(piece) + 1))[:length]


def _starts(language: str) -> Callable[[str], object]:
    def look(text: str) -> object:
        files = [SubmittedFile(name, f"{first}{text}".encode()) for name, first in (("a", ""), ("b", "from"))]
        return starts_of(language, files), distinct(files), left_out([], files)

    return look


def _assembled(language: str, dialect: str) -> Callable[[str], object]:
    def assemble(text: str) -> object:
        source = SourceFile("a.asm", text)
        made = family(language).assemble(source, dialect, {})
        return [one.render() for one in made.diagnostics], family(language).statements(source)

    return assemble


def _tree(language: str) -> Callable[[str], object]:
    rules = SourceRules(functions=2, comments="1/5")  # type: ignore[arg-type]  # read as a fraction
    return lambda text: syntax.check(rules, [(language, SourceFile("a", text[: syntax.SIZE_LIMIT // 4]))])


def _java(text: str) -> object:
    endings = Endings(frozenset({"a"}), (SourceFile("a.java", text),))
    before = (
        "",
        'Exception in thread "main" ',
        'Exception in thread "main" x\n\tat ',
        'Exception in thread "main" x\nCaused by: ',
    )
    return [endings.explain(Status(1, None, None, 0.0, 0), f"{first}{text}") for first in before]


def _told(text: str) -> object:
    product_, sources = Product({}, text), {"a": SourceFile("a", text)}
    return [one.render() for read in (gcc._read, python._read) for one in read(product_, sources)]


READERS: dict[str, Callable[[str], object]] = {
    "bytes": lambda text: SourceFile.from_bytes("a", text.encode()).lines,
    "language": lambda text: language_of(SourceFile("a", text)),
    **{f"starts in {language}": _starts(language) for language in ("c", "java", "python", "mips")},
    **{
        f"{name} for {dialect}": _assembled(name, dialect)
        for name in ("lc3", "mips")
        for dialect in family(name).traits.dialects
    },
    **{f"tree of {language}": _tree(language) for language in ("c", "cpp", "java", "python")},
    "a trace of Java": _java,
    "messages of compilers": _told,
}
PARTS = 8
HUGE = (" ", "\n", "(", "/*", '"', "'", '"\\')
"""What 256 KiB are read of; of all else it is 64 KiB, and 16 by assemblers, which are slow and take each statement by itself."""


def _read(number: int, reader: str, part: int) -> object:
    """A reader and every eighth piece as parameters: a whole run has each reader once, and each piece with some of them."""
    marks = pytest.mark.spare if part != number % PARTS else ()
    return pytest.param(reader, PIECES[part::PARTS], id=f"{reader} {part}", marks=marks)


@pytest.mark.share(2)
@pytest.mark.parametrize(
    ("reader", "pieces"), [_read(*one, part) for one in enumerate(READERS) for part in range(PARTS)]
)
def test_a_source_of_anything_is_read(reader: str, pieces: tuple[str, ...]) -> None:
    """256 KiB of blanks, brackets, quotes and comments, some KiB of all else, and none of it raises."""
    for piece in pieces:
        assembler = reader.startswith(("lc3", "mips"))
        text = of(piece, FLOOD // 4 if assembler else SOURCE if piece in HUGE else FLOOD)
        with within_seconds():
            READERS[reader](text)


def _grade(text: str):  # type: ignore[no-untyped-def]
    """A grade that holds such text wherever a submission can put some."""
    finding = Finding(
        "text", text, turn=1, typed=(text[:500],), expected=text, actual=text, place=text, excerpt=text, output=text
    )
    turn = JudgedTurn(text[:SHOWN_OUTPUT], text[:500], text[:SHOWN_OUTPUT])
    cases = tuple(
        case(f"c{n}", Verdict.WRONG_ANSWER, findings=(finding,), turns=(turn,), ending=text, again=text)
        for n in range(2)
    )
    return replace(full_marks(), cases=cases, student=text[:500], diagnostics=(text,), review=(text,))


SHOWN = [
    pytest.param(piece, id=repr(piece), marks=pytest.mark.spare if n % 8 else ()) for n, piece in enumerate(PIECES)
]


@pytest.mark.share(2)
@pytest.mark.parametrize("piece", SHOWN)
def test_a_result_of_anything_is_shown(piece: str) -> None:
    """Each report is written of it, and each function through which text of a submission goes takes 64 KiB of it."""
    text = of(piece, FLOOD)
    grade = _grade(text[:SHOWN_OUTPUT])  # as results keep it
    with within_seconds():
        for one in (grade, for_student(grade)):
            assert console.render(one, verbose=True)
            assert page.student_page(one, audience="staff")
            assert junit.render("a", [one])
            assert github.summary(one)
            assert github.annotations(one)
            assert gradescope.document(view(one))
            assert record.load(record.dump(one)) == one
            assert table.row(one, ["format"])
        assert words.once(grade.cases)
    with within_seconds():
        for show in (shown.plain, shown.line, shown.key, shown.exposed, shown.marked, visible, shown_name, safe_id):
            assert show(text)
        assert decode(text.encode()) == text
        first_difference(text, f"{text}x")
        identify(text, r"\d{8}")
        SourceFile("a", text).span(1, FLOOD // 2).excerpt()


@pytest.mark.parametrize(
    "digits", ["", "-1", "+1", "1_0", " 1", "²", "٣", "１", "Ⅻ", "½", "1" * 19, "9" * 5000, "0x1", "1e9", "\udcff"]
)
def test_what_is_no_number_is_none(digits: str) -> None:
    """A number is ASCII digits alone, and 18 of them at most."""
    assert number(digits) is None
    assert (number("0"), number("007"), number("9" * 18)) == (0, 7, 10**18 - 1)


DIGITS = "9" * 10_000
ODD = ("٣", "３", "²", "Ⅻ", "1e9", "0x", "1_0", "\udcff", "'", "9" * 19)


@pytest.mark.parametrize(
    ("language", "dialect"), [(name, one) for name in ("lc3", "mips") for one in family(name).traits.dialects]
)
def test_a_number_in_assembly_may_be_anything(language: str, dialect: str) -> None:
    """10,000 digits, in any base, of any sign and script, in every place for a number: an image, or errors with a place."""
    lc3 = (
        ".orig {}", ".fill {}", ".blkw {}", "add r0, r0, {}", "ldr r0, r1, {}", "trap {}", "ld r0, {}", ".stringz {}",
    )  # fmt: skip
    mips = (
        ".word {}", ".space {}", ".align {}", ".byte {}", ".float {}", ".double {}", ".word 1 : {}", ".extern a {}", ".eqv a {}",
        ".text {}", ".data {}", "li $t0, {}", "lw $t0, {}($t1)", "sll $t0, $t0, {}", "break {}", "a = {}", "addi $t0, $t0, {}",
        "lw $t0, a+{}", ".asciiz {}", "la $t0, {}", "b {}b",
    )  # fmt: skip
    signs = ("", "-", "#", "#-", "x", "0x", "-0x", "b", "0b", "'", '"', "0", ".", "1e", "1e-", "$")
    numbers = [*(f"{sign}{DIGITS.replace('9', digit)}" for sign in signs for digit in "19"), *ODD]
    assemble = _assembled(language, dialect)
    # One routine reads the numbers of a dialect wherever they stand: each form has a third of them, the next form another.
    cases = ((form, one) for at, form in enumerate(lc3 if language == "lc3" else mips) for one in numbers[at % 3 :: 3])
    for form, written in cases:
        head = ".orig x3000\n" if language == "lc3" and not form.startswith(".orig") else ""
        with within_seconds():
            assemble(f"{head}a: {form.format(written)}\n")
            assemble(f"{head}.data\n{form.format(written)}\n")

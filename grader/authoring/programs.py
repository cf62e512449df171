"""Programs that say a sample run word for word, in each language: what a new spec is tried with before there is a real one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from string import Template

from grader.spec.expectations import ENTER, ExpectedTurn, Script
from grader.spec.languages import Language
from grader.values import dataclass


def quoted(text: str) -> str:
    """The text between double quotes, as all these languages write it."""
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
    return '"' + "".join(escapes.get(char, char) for char in text) + '"'


def _printed(text: str, form: str) -> list[str]:
    """A statement of this form for each line of a text."""
    return [form.format(quoted(line)) for line in text.splitlines(keepends=True)]


@dataclass(frozen=True, slots=True)
class _Layout:
    """How a program in a language for people is written: what it begins and ends with, and statements that print a text and read a line.

    ``declares`` stands behind the beginning where anything is read. ``$name`` and ``$stem`` are the name of the file and what stands
    before its dot.
    """

    head: str
    prints: str
    reads: str
    declares: str = ""
    tail: str = ""


_C = """/* $name: the sample run, word for word. */
#include <stdio.h>

int main(void)
{"""
_CPP = """// $name: the sample run, word for word.
#include <iostream>
#include <string>

int main()
{"""
_JAVA = """import java.util.Scanner;

/** The sample run, word for word. */
public class $stem {
    public static void main(String[] args) {"""
_GETS = "    fgets(line, sizeof line, stdin);"
_SCANNER = "        Scanner in = new Scanner(System.in);"

_LAYOUTS: Mapping[Language, _Layout] = {
    "c": _Layout(_C, "    fputs({}, stdout);", _GETS, "    char line[1000];", "    return 0;\n}"),
    "cpp": _Layout(_CPP, "    std::cout << {};", "    std::getline(std::cin, line);", "    std::string line;", "}"),
    "java": _Layout(_JAVA, "        System.out.print({});", "        in.nextLine();", _SCANNER, "    }\n}"),
    "python": _Layout('"""$name: the sample run, word for word."""\n', 'print({}, end="")', "input()"),
}


def _in_words(layout: _Layout, turns: Sequence[ExpectedTurn], name: str) -> list[str]:
    lines = [Template(layout.head).substitute(name=name, stem=PurePosixPath(name).stem)]
    lines += [layout.declares] if layout.declares and len(turns) > 1 else []
    for turn in turns:
        lines += _printed(turn.text({}), layout.prints)
        lines += [layout.reads] if turn.typed is not None else []
    return [*lines, layout.tail] if layout.tail else lines


def _lc3(turns: Sequence[ExpectedTurn], name: str) -> list[str]:
    code, texts = [f"; {name}: the sample run, word for word", "        .ORIG x3000"], []
    for number, turn in enumerate(turns, 1):
        # The address of a text lies beside the code that prints it: LEA reaches 256 words.
        code += [f"        LD R0, AT{number}", f"        BRnzp SAY{number}"]
        code += [f"AT{number:<6}.FILL TEXT{number}", f"SAY{number:<5}PUTS"]
        code += ["        GETC", "        OUT"] * len(turn.typed or "")
        texts += [f"TEXT{number:<4}.STRINGZ {quoted(turn.text({}))}"]
    return [*code, "        HALT", *texts, "        .END"]


def _mips(turns: Sequence[ExpectedTurn], name: str) -> list[str]:
    data = [f"# {name}: the sample run, word for word", "        .data", "line:   .space 1000"]
    code = ["        .text", "        .globl main", "main:"]
    for number, turn in enumerate(turns, 1):
        data += [f"text{number}:  .asciiz {quoted(turn.text({}))}"]
        code += [f"        la $a0, text{number}", "        li $v0, 4", "        syscall"]
        if turn.typed is not None:
            code += ["        la $a0, line", "        li $a1, 1000", "        li $v0, 8", "        syscall"]
    return [*data, *code, "        li $v0, 10", "        syscall"]


def program(language: Language, name: str, script: Script) -> str:
    """A program called ``name`` that says the sample run, whatever is typed."""
    assembly = {"lc3": _lc3, "mips": _mips}.get(language)
    lines = assembly(script.turns, name) if assembly else _in_words(_LAYOUTS[language], script.turns, name)
    return "\n".join(lines) + "\n"


_REFERENCE = '''"""What a right program says: $title. `python reference.py` plays it on the terminal."""

from grader.sessions.reference import $names


def play() -> Play:
    """So far the sample run, whatever is typed: `answer = yield …` is what was typed, to go by."""
$body


if __name__ == "__main__":
    perform(play)
'''


def reference(title: str, script: Script, *, by_line: bool) -> str:
    """A reference in Python that says the sample run, for the author to go on from."""
    requests = {"Line" if by_line else "Keys"} if len(script.turns) > 1 else set()
    # As isort orders names: classes before functions.
    names = ", ".join(sorted({"Choice", "Play", "perform"} | requests, key=lambda name: (name.islower(), name)))
    body: list[str] = []
    for turn in script.turns:
        for piece in turn.pieces:
            if isinstance(piece, str):
                body += _printed(piece, "    yield {}")
            else:
                body += [f"    yield Choice({quoted(piece.name)}, {quoted(piece.default)})"]
        if turn.typed is not None:
            typed = turn.typed.removesuffix(ENTER)
            request = "Line()" if by_line else f"Keys({len(turn.typed)})"
            body += [f"    yield {request}  # {quoted(typed)} in the sample run"]
    return Template(_REFERENCE).substitute(title=title, names=names, body="\n".join(body))

"""Programs that say a sample run word for word, in each language: what a new spec is tried with before there is a real one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath

from grader.spec.expectations import ENTER, Script
from grader.spec.languages import Language
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Say:
    """One turn of a sample run: what is printed, and how many keys are typed then; None at the end."""

    text: str
    keys: int | None


def sayings(script: Script) -> tuple[Say, ...]:
    """What a program prints in the turns of a script, and what it reads."""
    return tuple(Say(turn.text({}), None if turn.typed is None else len(turn.typed)) for turn in script.turns)


def quoted(text: str) -> str:
    """The text between double quotes, as all these languages write it."""
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
    return '"' + "".join(escapes.get(char, char) for char in text) + '"'


def lines_of(text: str) -> list[str]:
    """The text cut behind each line end."""
    return text.splitlines(keepends=True)


def _printed(text: str, form: str) -> list[str]:
    return [form.format(quoted(line)) for line in lines_of(text)]


def _c(turns: Sequence[Say], name: str) -> list[str]:
    body: list[str] = []
    for turn in turns:
        body += _printed(turn.text, "    fputs({}, stdout);")
        body += ["    fgets(line, sizeof line, stdin);"] if turn.keys is not None else []
    reads = ["    char line[1000];"] if len(turns) > 1 else []
    return [
        f"/* {name}: the sample run, word for word. */",
        "#include <stdio.h>",
        "",
        "int main(void)",
        "{",
        *reads,
        *body,
        "    return 0;",
        "}",
    ]


def _cpp(turns: Sequence[Say], name: str) -> list[str]:
    body: list[str] = []
    for turn in turns:
        body += _printed(turn.text, "    std::cout << {};")
        body += ["    std::getline(std::cin, line);"] if turn.keys is not None else []
    head = [
        f"// {name}: the sample run, word for word.",
        "#include <iostream>",
        "#include <string>",
        "",
        "int main()",
        "{",
    ]
    return [*head, *(["    std::string line;"] if len(turns) > 1 else []), *body, "}"]


def _java(turns: Sequence[Say], name: str) -> list[str]:
    body: list[str] = []
    for turn in turns:
        body += _printed(turn.text, "        System.out.print({});")
        body += ["        in.nextLine();"] if turn.keys is not None else []
    reads = ["        Scanner in = new Scanner(System.in);"] if len(turns) > 1 else []
    head = [
        "import java.util.Scanner;",
        "",
        "/** The sample run, word for word. */",
        f"public class {PurePosixPath(name).stem} {{",
    ]
    return [*head, "    public static void main(String[] args) {", *reads, *body, "    }", "}"]


def _python(turns: Sequence[Say], name: str) -> list[str]:
    body: list[str] = []
    for turn in turns:
        body += _printed(turn.text, 'print({}, end="")')
        body += ["input()"] if turn.keys is not None else []
    return [f'"""{name}: the sample run, word for word."""', "", *body]


def _lc3(turns: Sequence[Say], name: str) -> list[str]:
    code, texts = [f"; {name}: the sample run, word for word", "        .ORIG x3000"], []
    for number, turn in enumerate(turns, 1):
        # The address of a text lies beside the code that prints it: LEA reaches 256 words.
        code += [
            f"        LD R0, AT{number}",
            f"        BRnzp SAY{number}",
            f"AT{number:<6}.FILL TEXT{number}",
            f"SAY{number:<5}PUTS",
        ]
        code += ["        GETC", "        OUT"] * (turn.keys or 0)
        texts += [f"TEXT{number:<4}.STRINGZ {quoted(turn.text)}"]
    return [*code, "        HALT", *texts, "        .END"]


def _mips(turns: Sequence[Say], name: str) -> list[str]:
    data, code = (
        [f"# {name}: the sample run, word for word", "        .data", "line:   .space 1000"],
        ["        .text", "        .globl main", "main:"],
    )
    for number, turn in enumerate(turns, 1):
        data += [f"text{number}:  .asciiz {quoted(turn.text)}"]
        code += [f"        la $a0, text{number}", "        li $v0, 4", "        syscall"]
        if turn.keys is not None:
            code += ["        la $a0, line", "        li $a1, 1000", "        li $v0, 8", "        syscall"]
    return [*data, *code, "        li $v0, 10", "        syscall"]


_WRITERS: Mapping[Language, Callable[[Sequence[Say], str], list[str]]] = {
    "c": _c, "cpp": _cpp, "java": _java, "python": _python, "lc3": _lc3, "mips": _mips,
}  # fmt: skip


def program(language: Language, name: str, script: Script) -> str:
    """A program called ``name`` that says the sample run, whatever is typed."""
    return "\n".join(_WRITERS[language](sayings(script), name)) + "\n"


def reference(title: str, script: Script, *, by_line: bool) -> str:
    """A reference in Python that says the sample run, for the author to go on from."""
    requests = {"Line" if by_line else "Keys"} if len(script.turns) > 1 else set()
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
            body += [
                f"    yield {'Line()' if by_line else f'Keys({len(turn.typed)})'}  # {quoted(typed)} in the sample run"
            ]
    return "\n".join(
        [
            f'"""What a right program says: {title}. `python reference.py` plays it on the terminal."""',
            "",
            f"from grader.sessions.reference import {names}",
            "",
            "",
            "def play() -> Play:",
            '    """So far the sample run, whatever is typed: `answer = yield …` is what was typed, to go by."""',
            *body,
            "",
            "",
            'if __name__ == "__main__":',
            "    perform(play)",
            "",
        ]
    )

"""Small programs as statements, written out in C, C++, Java and Python.

Conditions and expressions are in the syntax of C. All variables are integers but ``key``, a character, and ``name``, a text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tests.wordings.sentences import Piece, Plural, as_python


@dataclass(frozen=True, slots=True)
class Say:
    """Print a sentence, with or without a new line behind it."""

    pieces: tuple[Piece, ...]
    newline: bool = True


@dataclass(frozen=True, slots=True)
class Read:
    """Read a number, a ``key`` (the first character of a line), a ``name``, or, without a variable, a line that is not used."""

    variable: str = ""


@dataclass(frozen=True, slots=True)
class Let:
    """Give a variable a value."""

    variable: str
    value: str


@dataclass(frozen=True, slots=True)
class If:
    """One branch or the other."""

    condition: str
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class While:
    """Repeat; for ever, where the condition is ``1``."""

    condition: str
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the loop (``break``), begin it anew (``continue``), or end the program (``stop``)."""

    how: str = "break"


Statement = Say | Read | Let | If | While | Leave


@dataclass(frozen=True, slots=True)
class Style:
    """How a program is written, beside what it says.

    ``reads`` is ``plain`` (scanf, cin, nextInt, int(input())) or ``lines``. ``forms`` are those of the noun, ``numbers`` the
    number words from zero, ``mark`` what stones are drawn with.
    """

    language: str
    reads: str
    plural: Plural
    forms: tuple[str, ...]
    numbers: tuple[str, ...]
    mark: str


FILES = {"c": "nim.c", "cpp": "nim.cpp", "java": "Nim.java", "python": "nim.py"}


def written(program: tuple[Statement, ...], style: Style) -> str:
    """The source of a program."""
    writer = {"c": _C, "cpp": _Cpp, "java": _Java, "python": _Python}[style.language](style)
    return writer.source(program)


def _walk(program: Iterable[Statement]) -> Iterable[Statement]:
    for one in program:
        yield one
        if isinstance(one, If):
            yield from _walk(one.then)
            yield from _walk(one.otherwise)
        elif isinstance(one, While):
            yield from _walk(one.body)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\x1b", "\\033") + '"'


@dataclass
class _Writer:
    style: Style
    lines: list[str] = field(default_factory=list)

    def block(self, body: Iterable[Statement], depth: int) -> None:
        for one in body:
            self._write(one, depth)

    def put(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def _write(self, one: Statement, depth: int) -> None:
        raise NotImplementedError

    def uses(self, program: tuple[Statement, ...]) -> tuple[set[str], set[str]]:
        """The kinds of pieces that occur, and the variables that are read or set."""
        every = list(_walk(program))
        kinds = {piece.kind for one in every if isinstance(one, Say) for piece in one.pieces}
        kinds |= {"pause"} if any(isinstance(one, Read) and not one.variable for one in every) else set()
        variables = {one.variable for one in every if isinstance(one, Read | Let) and one.variable}
        return kinds, variables


class _Braces(_Writer):
    """The common part of C, C++ and Java."""

    say: Callable[[Say], list[str]]
    read: Callable[[str], list[str]]
    forever = "1"
    stop = "return 0;"

    def _write(self, one: Statement, depth: int) -> None:
        if isinstance(one, Say):
            for line in self.say(one):
                self.put(depth, line)
        elif isinstance(one, Read):
            for line in self.read(one.variable):
                self.put(depth, line)
        elif isinstance(one, Let):
            self.put(depth, f"{one.variable} = {one.value};")
        elif isinstance(one, Leave):
            self.put(depth, self.stop if one.how == "stop" else f"{one.how};")
        elif isinstance(one, While):
            self.put(depth, f"while ({self.forever if one.condition == '1' else one.condition}) {{")
            self.block(one.body, depth + 1)
            self.put(depth, "}")
        else:
            self.put(depth, f"if ({one.condition}) {{")
            self.block(one.then, depth + 1)
            if one.otherwise:
                self.put(depth, "} else {")
                self.block(one.otherwise, depth + 1)
            self.put(depth, "}")

    def helpers(self, kinds: set[str], text: str, *, static: str = "") -> list[str]:
        """Functions that give the noun and the number word."""
        lines: list[str] = []
        if "noun" in kinds:
            lines.append(f"{static}{text} noun(int n) {{")
            lines += [
                f"    if ({condition}) return {_quoted(form)};"
                for condition, form in zip(self.style.plural.conditions, self.style.forms, strict=False)
            ]
            lines += [f"    return {_quoted(self.style.forms[-1])};", "}", ""]
        return lines


class _C(_Braces):
    def say(self, one: Say) -> list[str]:
        """One printf between any two drawings of marks."""
        lines: list[str] = []
        form, values = "", ""
        for piece in one.pieces:
            if piece.kind == "text":
                form += piece.value.replace("%", "%%")
            elif piece.kind == "marks":
                if form:
                    lines.append(f"printf({_quoted(form)}{values});")
                lines.append(f"marks({piece.value});")
                form, values = "", ""
            else:
                form += "%d" if piece.kind == "number" else "%s"
                values += ", " + {"number": "{}", "noun": "noun({})", "word": "word({})", "name": "{}"}[
                    piece.kind
                ].format(piece.value)
        form += "\n" if one.newline else ""
        if form:
            lines.append(f"printf({_quoted(form)}{values});")
        return lines

    def read(self, variable: str) -> list[str]:
        plain = self.style.reads == "plain"
        if variable == "name":
            return ['scanf("%40s%*c", name);'] if plain else ["getline_(name, 40);"]
        if variable == "key":
            return ['scanf(" %c%*c", &key);'] if plain else ["getline_(line, 100);", "key = line[0];"]
        if not variable:
            return ["while (getchar() != '\\n') { }"]
        return [f'scanf("%d%*c", &{variable});'] if plain else ["getline_(line, 100);", f"{variable} = atoi(line);"]

    def source(self, program: tuple[Statement, ...]) -> str:
        kinds, variables = self.uses(program)
        self.lines += ["#include <stdio.h>", "#include <stdlib.h>", "#include <string.h>", ""]
        self.lines += self.helpers(kinds, "const char *")
        if "word" in kinds:
            names = ", ".join(map(_quoted, self.style.numbers))
            self.lines += [f"static const char *numbers[] = {{{names}}};", "static char digits[20];", ""]
            self.lines += [
                "const char *word(int n) {",
                f"    if (n >= 0 && n < {len(self.style.numbers)}) return numbers[n];",
            ]
            self.lines += ['    sprintf(digits, "%d", n);', "    return digits;", "}", ""]
        if "marks" in kinds:
            self.lines += ["void marks(int n) {", "    int i;"]
            self.lines += [f'    for (i = 0; i < n; i++) printf("%s", {_quoted(self.style.mark)});', "}", ""]
        if self.style.reads == "lines":
            self.lines += ["void getline_(char *text, int size) {", "    if (!fgets(text, size, stdin)) exit(1);"]
            self.lines += ['    text[strcspn(text, "\\r\\n")] = 0;', "}", ""]
        self.lines += ["int main(void) {"]
        for name in sorted(variables):
            self.put(1, {"key": "char key = ' ';", "name": 'char name[64] = "";'}.get(name, f"int {name} = 0;"))
        if self.style.reads == "lines":
            self.put(1, "char line[100];")
        self.block(program, 1)
        self.put(1, "return 0;")
        return "\n".join([*self.lines, "}", ""])


class _Cpp(_Braces):
    def say(self, one: Say) -> list[str]:
        shown = [
            {"text": _quoted(piece.value), "noun": f"noun({piece.value})", "word": f"word({piece.value})",
             "marks": f"marks({piece.value})"}.get(piece.kind, piece.value)
            for piece in one.pieces
        ]  # fmt: skip
        shown = [f"({text})" if " " in text and not text.startswith('"') else text for text in shown]
        end = ["endl"] if one.newline else []
        return ["cout << " + " << ".join([*shown, *end]) + ";"] if shown or end else []

    def read(self, variable: str) -> list[str]:
        plain = self.style.reads == "plain"
        if not variable:
            return ["getline(cin, line);"]
        if plain:
            return [f"cin >> {variable};", "cin.ignore(1000, '\\n');"]
        value = {"name": "line", "key": "line.empty() ? ' ' : line[0]"}.get(variable, "atoi(line.c_str())")
        return ["getline(cin, line);", f"{variable} = {value};"]

    def source(self, program: tuple[Statement, ...]) -> str:
        kinds, variables = self.uses(program)
        self.lines += ["#include <iostream>", "#include <string>", "#include <cstdlib>", "using namespace std;", ""]
        self.lines += self.helpers(kinds, "string")
        if "word" in kinds:
            names = ", ".join(map(_quoted, self.style.numbers))
            self.lines += ["string word(int n) {", f"    static const string numbers[] = {{{names}}};"]
            self.lines += [f"    return n >= 0 && n < {len(self.style.numbers)} ? numbers[n] : to_string(n);", "}", ""]
        if "marks" in kinds:
            self.lines += ["string marks(int n) {", "    string text;"]
            self.lines += [
                f"    for (int i = 0; i < n; i++) text += {_quoted(self.style.mark)};",
                "    return text;",
                "}",
                "",
            ]
        self.lines += ["int main() {"]
        for name in sorted(variables):
            self.put(1, {"key": "char key = ' ';", "name": "string name;"}.get(name, f"int {name} = 0;"))
        if self.style.reads == "lines" or "pause" in kinds:
            self.put(1, "string line;")
        self.block(program, 1)
        self.put(1, "return 0;")
        return "\n".join([*self.lines, "}", ""])


class _Java(_Braces):
    forever = "true"
    stop = "System.exit(0);"

    def say(self, one: Say) -> list[str]:
        shown = [
            {"text": _quoted(piece.value), "noun": f"noun({piece.value})", "word": f"word({piece.value})",
             "marks": f"marks({piece.value})"}.get(piece.kind, piece.value)
            for piece in one.pieces
        ]  # fmt: skip
        shown = [f"({text})" if " " in text and not text.startswith('"') else text for text in shown]
        if shown and not shown[0].startswith('"'):
            shown.insert(0, '""')
        return [f"System.out.print{'ln' if one.newline else ''}({' + '.join(shown)});"]

    def read(self, variable: str) -> list[str]:
        if not variable:
            return ["in.nextLine();"]
        if self.style.reads == "plain" and variable not in ("key", "name"):
            return [f"{variable} = in.nextInt();", "in.nextLine();"]
        if variable == "name":
            return ["name = in.nextLine();"]
        if variable == "key":
            return ["key = (in.nextLine() + ' ').charAt(0);"]
        return [f"{variable} = Integer.parseInt(in.nextLine().trim());"]

    def source(self, program: tuple[Statement, ...]) -> str:
        kinds, variables = self.uses(program)
        self.lines += ["import java.util.Scanner;", "", "public class Nim {"]
        helpers = self.helpers(kinds, "String", static="static ")
        if "word" in kinds:
            names = ", ".join(map(_quoted, self.style.numbers))
            helpers += [f"static final String[] NUMBERS = {{{names}}};", "static String word(int n) {"]
            helpers += ["    return n >= 0 && n < NUMBERS.length ? NUMBERS[n] : String.valueOf(n);", "}", ""]
        if "marks" in kinds:
            helpers += ["static String marks(int n) {", '    String text = "";']
            helpers += [
                f"    for (int i = 0; i < n; i++) text += {_quoted(self.style.mark)};",
                "    return text;",
                "}",
                "",
            ]
        self.lines += ["    " + line if line else "" for line in helpers]
        self.put(1, "public static void main(String[] args) {")
        self.put(2, "Scanner in = new Scanner(System.in);")
        for name in sorted(variables):
            self.put(2, {"key": "char key = ' ';", "name": 'String name = "";'}.get(name, f"int {name} = 0;"))
        self.block(program, 2)
        return "\n".join([*self.lines, "    }", "}", ""])


class _Python(_Writer):
    def _write(self, one: Statement, depth: int) -> None:
        if isinstance(one, Say):
            self.put(depth, self._say(one))
        elif isinstance(one, Read):
            self.put(depth, self._read(one.variable))
        elif isinstance(one, Let):
            self.put(depth, f"{one.variable} = {_conditional(one.value)}")
        elif isinstance(one, Leave):
            self.put(depth, "sys.exit()" if one.how == "stop" else one.how)
        elif isinstance(one, While):
            self.put(depth, f"while {'True' if one.condition == '1' else as_python(one.condition)}:")
            self.block(one.body, depth + 1)
        else:
            self.put(depth, f"if {as_python(one.condition)}:")
            self.block(one.then, depth + 1)
            if one.otherwise:
                self.put(depth, "else:")
                self.block(one.otherwise, depth + 1)

    def _say(self, one: Say) -> str:
        manner = {"text": _quoted, "noun": "noun({})".format, "word": "word({})".format}
        shown = [
            f"{_quoted(self.style.mark)} * ({piece.value})"
            if piece.kind == "marks"
            else manner.get(piece.kind, str)(piece.value)
            for piece in one.pieces
        ]
        options = [] if len(shown) < 2 else ['sep=""']
        options += [] if one.newline else ['end=""', "flush=True"]
        return f"print({', '.join([*shown, *options])})"

    def _read(self, variable: str) -> str:
        if not variable:
            return "input()"
        if variable in ("key", "name"):
            return f"{variable} = input().strip(){'[:1].lower()' if variable == 'key' else ''}"
        return f"{variable} = int(input())" if self.style.reads == "plain" else f"{variable} = number()"

    def source(self, program: tuple[Statement, ...]) -> str:
        kinds, variables = self.uses(program)
        self.lines += ["import sys", ""]
        if "noun" in kinds:
            self.lines += ["", "def noun(n):"]
            for condition, form in zip(self.style.plural.conditions, self.style.forms, strict=False):
                self.lines += [f"    if {as_python(condition)}:", f"        return {_quoted(form)}"]
            self.lines += [f"    return {_quoted(self.style.forms[-1])}", ""]
        if "word" in kinds:
            names = ", ".join(map(_quoted, self.style.numbers))
            self.lines += ["", f"NUMBERS = [{names}]", "", "def word(n):"]
            self.lines += ["    return NUMBERS[n] if 0 <= n < len(NUMBERS) else str(n)", ""]
        if self.style.reads == "lines":
            self.lines += ["", "def number():", "    try:", "        return int(sys.stdin.readline())"]
            self.lines += ["    except ValueError:", "        return -1", ""]
        self.lines += ["", *(f"{name} = {chr(34) * 2 if name in ('key', 'name') else 0}" for name in sorted(variables))]
        self.block(program, 0)
        return "\n".join([*self.lines, ""])


def _conditional(value: str) -> str:
    """``a ? b : c`` as Python says it."""
    if " ? " not in value:
        return as_python(value)
    condition, rest = value.split(" ? ", 1)
    yes, no = rest.split(" : ", 1)
    return f"{yes} if {as_python(condition)} else {_conditional(no)}"

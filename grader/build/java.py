"""Java programs: compiled by a server that stays warm, and by a fresh compiler where the server does not succeed.

Theory of operation. A compiler that has run before takes a tenth of the time of one that has not. So a small program of ours
(grader/java/CompileServer.java) runs ``javax.tools`` in a cage of its own. It compiles one submission after another, in
memory, and never executes anything of a submission. From a server that has served before only success is taken. A
program that does not compile, hangs or breaks it is compiled again, alone, by a new one in a new cage, and only that
counts. A server that hung
or broke is replaced.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from grader.build.java_server import SOURCE, Answer, Complaint, Outcome, Server, no_answer, request, why_it_broke
from grader.build.recipe import Recipe, Task
from grader.build.tool import Product
from grader.errors import JudgeError
from grader.sandbox import Closing, Tier
from grader.sessions import jdk
from grader.sessions.jvm import students
from grader.source import Diagnostic, Severity, SourceFile, Span
from grader.spec.kinds.tests import UnitTests
from grader.values import dataclass

HINTS: Final[Mapping[str, str]] = {
    "already-defined": "a name can be declared once in a method; leave the type out to give the variable another value",
    "array-req-but-found": "only arrays take an index in square brackets",
    "cant-apply-symbol": "call it with the number and the types of values that it is declared with",
    "cant-apply-symbols": "call it with the types of values that one of its declarations has",
    "cant-assign-val-to-var": "it is final: it keeps its first value",
    "cant-deref": "int, char and boolean are not objects and have no methods",
    "cant-inherit-from-final": "this class may not be extended",
    "cant-ref-non-effectively-final-var": "a lambda or an inner class sees only variables that keep their first value",
    "cant-resolve": "declare it before it is used; spelling and case count, and the braces decide where it is known",
    "cant-resolve-args": "there is no such method; spelling and case count",
    "cant-resolve-location": "declare it or import it; spelling and case count, and the braces decide where it is known",
    "cant-resolve-location-args": "there is no such method here; spelling and case count",
    "class-public-should-be-in-file": "rename the file as the message says; case counts",
    "concrete-inheritance-conflict": "rename one of the two methods",
    "does-not-override-abstract": "write the method that is missing, or declare the class abstract",
    "doesnt-exist": "hand in the files of the package as well; only Java's own libraries are available",
    "duplicate-class": "hand in each class once: an old copy of the file lies beside the new one",
    "else-without-if": "look for a semicolon after the condition of the if, or for a missing brace",
    "empty-char-lit": 'a character stands between single quotes; an empty text is ""',
    "expected": "a character is missing at this place, or just before",
    "expected2": "a character is missing at this place, or just before",
    "expected3": "a character or a word is missing here or too many; often it is a brace before this place",
    "expected4": "a character or a word is missing here or too many; often it is a brace before this place",
    "illegal-char": "Java does not know this character; quotes and dashes that are copied from a text are often different characters",
    "illegal-esc-char": "in a text a backslash is written twice",
    "illegal-start-of-expr": "a method cannot stand inside another; look for a missing brace or bracket before it",
    "illegal-start-of-type": "statements stand inside methods; look for an extra brace before it",
    "incomparable-types": "only values of the same type can be compared; compare texts with equals",
    "incompatible-types-in-conditional": "both values of ?: need one type",
    "int-number-too-large": "an int is at most 2147483647; write L after the number for a long",
    "invalid-meth-decl-ret-type-req": "a method needs a type, such as void; a constructor the name of its class",
    "local-var-accessed-from-icls-needs-final": "declare the variable final",
    "missing-ret-stmt": "every path through the method must return a value, even if no condition is true",
    "non-static-cant-be-ref": "make it static, or call it on an object made with new",
    "not-def-public-cant-access": "declare it public, or put both classes into one package",
    "not-loop-label": "the label must stand before a loop",
    "not-stmt": "an expression alone does nothing; is it = rather than ==, or are there brackets missing after a method?",
    "operator-cant-be-applied": "this operator does not accept a value of this type",
    "operator-cant-be-applied-1": "this operator does not accept values of these types; compare texts with equals",
    "orphaned": "it stands outside the block that it belongs to; look for an extra brace before it",
    "premature-eof": "a closing brace is missing somewhere above",
    "prob-found-req": "the value has the wrong type for this place; (int) cuts a number, and Integer.parseInt reads a text",
    "ref-ambiguous": "say which of the two is meant",
    "report-access": "it is private; use the methods of its class",
    "ret-outside-meth": "look for an extra brace before it",
    "undef-label": "no loop around it has this label",
    "unclosed-char-lit": "one character stands between single quotes; texts stand between double quotes",
    "unclosed-comment": "the comment needs */ at its end",
    "unclosed-str-lit": "the text needs a double quote at its end, on the same line",
    "unreachable-stmt": "this line is never reached: the lines before it never continue to it",
    "unreported-exception-need-to-catch-or-throw": "catch it, or write throws after the head of the method",
    "var-might-already-be-assigned": "it is final: give it a value once",
    "var-might-not-have-been-initialized": "give it a value where it is declared",
    "variable-not-allowed": "put the declaration into braces",
    "void-not-allowed-here": "this method returns nothing that could be used here",
}
"""Hints by the code of a diagnostic: that of javac without its first two words, joined by hyphens."""


_HOST: Final = tuple(
    f"{name}.java" for name in ["CaseHost", "CaseInput", "CaseLoader", "CaseOutput", "CaseSettings", "ExitRedirection"]
)
_HOST_CLASSES: Final = re.compile(r"grader/host/(?!CompileServer)")
# Concatenation without invokedynamic: each run has a class loader of its own, which would work out each "+" of texts anew.
_USUAL: Final = ("-g", "-proc:none", "-implicit:none", "-XDstringConcat=inline")
_SEVERITIES: Final = {"ERROR": Severity.ERROR, "WARNING": Severity.WARNING, "MANDATORY_WARNING": Severity.WARNING}


@dataclass(frozen=True, slots=True)
class Compiled:
    """The result of compiling sources.

    ``classes`` are class files by their paths, empty where the sources do not compile; those of the host that a
    ``JvmProgram`` needs are among them. ``mains`` are the names of the student's classes that ``java`` can start, in the
    order of the sources. ``diagnostics`` are the complaints of javac, warnings and notes too; each file and line is the
    student's own. ``version`` is ``javac 17.0.15`` or the like.
    """

    classes: Mapping[str, bytes]
    mains: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]
    version: str


class Compiler(Closing):
    """A compile server in a cage, started when first needed. One serves many submissions; a context manager.

    ``hidden`` is what nothing that it compiles can read.
    """

    def __init__(self, tier: Tier, hidden: tuple[Path, ...] = ()) -> None:
        self._tier = tier
        self._hidden = hidden
        self._server: Server | None = None
        self._own = jdk.own_classes()

    def make(
        self,
        sources: tuple[SourceFile, ...],
        support: tuple[SourceFile, ...],
        flags: tuple[str, ...],
        jars: Mapping[str, bytes] = MappingProxyType({}),
    ) -> Product:
        """The result of compiling sources of a student together with those of the course, as a product that can be kept; ``read`` reads it.

        ``jars`` are archives of the course's, whose classes can be used.

        Raises:
            JudgeError: there is no JDK, javac refuses the flags, or the sandbox fails.
        """
        names = [source.name for source in sources + support]
        held = {f"{hashlib.sha256(data).hexdigest()}.jar": data for data in jars.values()}
        path = ("-classpath", ":".join(held)) if held else ()
        message = request((*_USUAL, *flags, *path), sources, support)
        server = self._warm()
        server.hold(held)
        # No earlier submission can have changed the result of a server's first request.
        alone = server.served == 0
        answer = server.ask(message)
        # The state of a warm compiler may come from another student’s sources: from it only success is believed.
        if not alone and answer.outcome is not Outcome.COMPILED:
            with Server(self._tier, self._own_classes(), self._hidden) as fresh:
                fresh.hold(held)
                answer, server = fresh.ask(message), fresh
        if answer.outcome is Outcome.BROKEN and (stopped := server.passed_limit()):
            return Product({}, stopped=stopped)
        if answer.outcome is Outcome.WRONG_FLAGS:
            raise JudgeError(f"javac refuses its flags: {answer.said}", hint="they stand in program.flags of the spec")
        own = self._own_classes() if answer.outcome is Outcome.COMPILED else {}
        host = {path: data for path, data in own.items() if _HOST_CLASSES.match(path)}
        return _product(answer, names, host, server.version)

    def _warm(self) -> Server:
        """The server, or another where it has ended or used up its share."""
        if self._server is not None and not self._server.serves:
            self.close()
        if self._server is None:
            self._server = Server(self._tier, self._own, self._hidden)
        return self._server

    def _own_classes(self) -> Mapping[str, bytes]:
        """Those of our programs in Java, compiled when first needed where they were not when the grader was installed."""
        if not self._own:
            sources = tuple(SourceFile.from_bytes(name, jdk.own_source(name)) for name in (*_HOST, SOURCE))
            server = self._warm()
            answer = server.ask(request(_USUAL, (), sources))
            server.passed_limit()
            if answer.outcome is not Outcome.COMPILED:
                why = answer.complaints[0].message
                raise JudgeError(f"our programs in Java do not compile: {why}", hint="they need Java 17 or newer")
            self._own = answer.classes
        return self._own

    def close(self) -> None:
        """End the server."""
        if self._server is not None:
            self._server.close()
            self._server = None


def tools() -> str:
    """Everything that a product depends on besides its files and the flags of a spec: the JDK, our own flags and programs. Raises JudgeError."""
    return " ".join((jdk.version(), *_USUAL, jdk.own_digest()))


def read(product: Product, texts: Mapping[str, SourceFile]) -> Compiled:
    """The result of ``Compiler.make``, with places in ``texts``: the files of the student and of the course, by name."""
    if product.stopped:
        return Compiled({}, (), product.stop(), f"javac {jdk.version()}")
    content = json.loads(product.said)
    diagnostics = tuple(_diagnostic(Complaint(*fields), texts.get(name)) for name, *fields in content["complaints"])
    return Compiled(product.files, tuple(content["mains"]), diagnostics, content["version"])


def _product(answer: Answer, names: Sequence[str], host: Mapping[str, bytes], version: str) -> Product:
    complaints = answer.complaints
    if answer.outcome is not Outcome.COMPILED and not any(c.kind == "ERROR" for c in complaints):
        complaints = no_answer(why_it_broke(answer.said)).complaints
    placed = [(names[one.file] if 0 <= one.file < len(names) else "", *one) for one in complaints]
    content = {"mains": answer.mains, "complaints": placed, "version": version}
    own = students(answer.classes)  # a class in the host's package would be one of the host, and keep its statics
    return Product({**own, **host}, json.dumps(content))


def _diagnostic(complaint: Complaint, source: SourceFile | None) -> Diagnostic:
    code = re.sub(r"^compiler\.(?:err|warn|misc|note)\.", "", complaint.code).replace(".", "-")
    span = _span(complaint, source) if source is not None else None
    severity = _SEVERITIES.get(complaint.kind, Severity.NOTE)
    # Javac puts details of a message on lines of their own.
    first, *details = [" ".join(line.split()) for line in complaint.message.splitlines() if line.strip()] or [""]
    message = f"{first} ({', '.join(details)})" if details else first
    return Diagnostic(severity, code, message, span, HINTS.get(code, ""))


def _span(complaint: Complaint, source: SourceFile) -> Span | None:
    """The words that javac complains of, as far as they lie on the line at which it would point."""
    if complaint.position < 0:
        return None
    text = source.text.encode("utf-16-le")
    line, column = _place(text, complaint.position)
    first = _place(text, complaint.start) if complaint.start >= 0 else (line, column)
    last = _place(text, complaint.end) if complaint.end >= 0 else (line, column)
    begin = first[1] if first[0] == line else column
    end = last[1] if last[0] == line else len(source.span(line, 1).text) + 1
    return source.span(line, begin, max(begin + 1, end))


def _place(text: bytes, offset: int) -> tuple[int, int]:
    """Line and column, from 1, of an offset in UTF-16."""
    return SourceFile("", text[: 2 * offset].decode("utf-16-le", "replace")).end


def _make(task: Task, tests: UnitTests | None) -> Product:
    """The classes of a task. Archives of the course are there for its tests, and for nothing that runs without them."""
    support = tuple(SourceFile.from_bytes(f.path, f.data) for f in task.support if f.path.casefold().endswith(".java"))
    jars = {file.path: file.data for file in task.support if file.path.casefold().endswith(".jar")}
    return task.workshop.java.make(task.sources, support, task.flags, jars if tests else {})


RECIPE: Final = Recipe(
    name="javac",
    version=lambda _: tools(),
    make=_make,
    read=lambda product, texts: read(product, texts).diagnostics,
    readable=jdk.readable,
    environment=jdk.ENVIRONMENT,
)
"""How Java programs are made; `grader.build.native` says how they are started."""

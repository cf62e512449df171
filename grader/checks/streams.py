"""One run of an ``io`` case against its expected output, files and ending."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from grader.bounded import bounded
from grader.checks import dialogue, numbers
from grader.checks import ending as endings
from grader.checks.dialogue import Bindings, Judgement, Scope
from grader.checks.explain import first_difference, parting
from grader.results import NOT_SHOWN, Finding, Verdict
from grader.sessions.session import Piped
from grader.spec.expectations import ExpectedTurn, Script
from grader.spec.kinds.beginning import Printed
from grader.spec.kinds.content import Content
from grader.spec.kinds.io import Pair
from grader.spec.kinds.runs import Judged
from grader.spec.model import TextRules
from grader.transcript import Transcript, Turn, decode, visible


@dataclass
class Text:
    """The comparison of the texts of one run, so far. ``ends`` says whether its ending is judged."""

    rules: TextRules
    scope: Scope
    bindings: Bindings
    transcript: Transcript
    ends: bool = False
    findings: list[Finding] = field(default_factory=list)

    def compare(self, wanted: Printed, printed: bytes, where: str, wrong: str = "") -> str | None:
        """Compare the output with all that is expected; ``wrong`` is a checker's complaint.

        Return the expected text if it differs.
        """
        expected = None
        if wanted.output is not None:
            expected = self.text(wanted.output, printed, where, any_order=wanted.any_order)
        output = decode(printed)
        lacking = [text for text in wanted.contains if text not in output]
        for text in lacking:
            message = f"“{visible(text)}” is not in the output, {where}"
            self.findings.append(Finding("not-said", message, expected=visible(text), actual=_shown(output)))
        if wanted.matches is not None and not re.search(wanted.matches, bounded(output)):
            message = f"the output does not match the expected output, {where}"
            self.findings.append(Finding("not-said", message, expected=wanted.expectation, actual=_shown(output)))
        if wrong:
            self.findings.append(Finding("checker", f"{wrong}, {where}", actual=_shown(output)))
        return expected

    def text(self, content: Content, printed: bytes, where: str, *, any_order: bool = False) -> str | None:
        """Compare one text. Return the expected text if it differs."""
        # A filter that counts bytes or encrypts prints no text.
        if content.exact:
            return self._bytes(content.data, printed, where)
        # A course's files saved on Windows have CRLF; text in a spec never has.
        wanted, actual = decode(content.data.replace(b"\r\n", b"\n") if content.path else content.data), decode(printed)
        wanted = _in_order_of(wanted, actual, self.rules) if any_order else wanted
        script = Script((ExpectedTurn((wanted,)),), ends=None)
        scope = replace(self.scope, judges=(Judged.TEXT, *((Judged.ENDING,) if self.ends else ())), where=where)
        printed_alone = replace(self.transcript, turns=(Turn(actual),))
        judged = dialogue.judge(script, printed_alone, self.rules, self.bindings, scope)
        self.bindings = judged.bindings
        ending = str(self.transcript.ending.kind)  # is reported once, and not for each text
        self.findings += [replace(finding, typed=()) for finding in judged.findings if finding.code != ending]
        return judged.differences.get(1)

    def _bytes(self, wanted: bytes, actual: bytes, where: str) -> str | None:
        if wanted == actual:
            return None
        at = parting(wanted, actual) + 1
        sizes = f"{len(actual):,} bytes instead of {len(wanted):,}; they differ from byte {at:,} on"
        message = f"{sizes}, {where}"
        expected, printed = first_difference(decode(wanted), decode(actual))
        self.findings.append(Finding("bytes", message, expected=expected, actual=printed))
        return decode(wanted)


_SHOWN = 400
"""Characters of an output that a finding quotes, its last ones."""


def _shown(printed: str) -> str:
    return visible(printed[-_SHOWN:]) or "(nothing)"


_MOST_UNLIKE = 200
"""Maximum lines on either side that are compared each with each; a longer output is not."""


def _in_order_of(expected: str, actual: str, rules: TextRules) -> str:
    """The expected lines in the order of the output.

    Lines are matched if they are equal, then if they differ in form or by near numbers.

    Other lines fill the remaining places, in their own order.
    """
    printed, wanted = dict(enumerate(actual.split("\n"))), dict(enumerate(expected.split("\n")))
    placed: dict[int, str] = {}

    def place(at: int, number: int) -> None:
        placed[at] = wanted.pop(number)
        del printed[at]

    for key in (str, lambda line: "".join(line.split()).casefold()):
        waiting: dict[str, list[int]] = {}
        for number, line in reversed(wanted.items()):
            waiting.setdefault(key(line), []).append(number)
        for at, line in [*printed.items()]:
            if waiting.get(key(line)):
                place(at, waiting[key(line)].pop())
    for at, line in [*printed.items()] if max(len(printed), len(wanted)) <= _MOST_UNLIKE else ():
        near = [number for number, other in wanted.items() if numbers.adapted(other, line, rules) == line]
        if near:
            place(at, near[0])
    placed |= zip(printed, wanted.values(), strict=False)
    rest = [*wanted.values()][len(printed) :]
    return "\n".join([*(placed[at] for at in sorted(placed)), *rest])


def compare(
    pair: Pair, run: Piped, rules: TextRules, bindings: Bindings, scope: Scope, where: str, wrong: str = ""
) -> Judgement:
    """Compare one run, whose output counts as the first turn.

    ``where`` is a phrase that names it, ``wrong`` a checker's complaint.
    """
    transcript = Transcript((Turn(decode(run.output)),), run.ending, run.usage)
    ends = Judged.ENDING in scope.judges or pair.exit is not None
    one = Text(rules, scope, bindings, transcript, ends)
    expected = None
    if Judged.TEXT in scope.judges:
        expected = one.compare(pair, run.output, where, wrong)
        if pair.errors is not None:
            one.text(pair.errors, run.errors, f"in the error stream, {where}")
        for name, content in pair.writes.items():
            _written(one, name, content, run.left.get(name), where)
    ended = list(_ended(pair, transcript, where)) if ends else []
    if Judged.TEXT not in scope.judges and not ended:
        ended += _unshown(pair, run, where)
    failed = Verdict.NOT_SHOWN if any(finding.code == NOT_SHOWN for finding in ended) else Verdict.WRONG_ANSWER
    if ended and endings.faulty(run.ending):
        failed = endings.VERDICTS[run.ending.kind]
    return Judgement.of((*ended, *one.findings), failed, one.bindings, {} if expected is None else {1: expected})


def _unshown(pair: Pair, run: Piped, where: str) -> Iterator[Finding]:
    """A run that printed or read nothing although it should: if only its ending is judged, that shows nothing."""
    if pair.output is not None and pair.output.text.strip() and not run.output.strip():
        yield Finding(NOT_SHOWN, f"it ended before it printed anything, {where}")
    elif pair.input is not None and pair.input.text and not run.reads:
        yield Finding(NOT_SHOWN, f"it ended before it read anything, {where}")


def _written(run: Text, name: str, content: Content, data: bytes | None, where: str) -> None:
    if data is None:
        message = f"the program did not write the file {name}, {where}"
        run.findings.append(Finding("missing-file", message, subject=(name,)))
    # An empty file is made by every program that opens it, and has nothing to compare.
    elif not data.strip() and content.data.strip():
        run.findings.append(Finding("no-output", f"nothing is written, in {name}, {where}", subject=(name,)))
    else:
        run.text(content, data, f"in {name}, {where}")


def _ended(pair: Pair, transcript: Transcript, where: str) -> Iterator[Finding]:
    """A wrong ending. A run that broke has no exit code of its own: that is one mistake, not two."""
    ending = transcript.ending
    if not endings.ended(ending):
        finding = endings.explain(transcript)
        yield replace(finding, message=f"{finding.message}, {where}", turn=None)
    elif pair.exit is not None and ending.code != pair.exit:
        code = "no exit code" if ending.code is None else f"exit code {ending.code}"
        message = f"the program ended with {code}; expected {pair.exit}, {where}"
        yield Finding("wrong-exit", message, expected=str(pair.exit), actual=str(ending.code), place=ending.place)

"""The source of a program: whether it builds, its constructs, labels and comments.

Assembly is checked here, statement by statement; the other languages are checked in ``syntax``.
"""

from __future__ import annotations

from dataclasses import replace

from grader.build import Built
from grader.checks import syntax
from grader.machines.assembler import Statement
from grader.results import Finding, Verdict
from grader.spec.kinds.handed_in import SourceRules

TAKES_NO_COMMENT = frozenset({".ORIG", ".END"})


def check(rules: SourceRules, built: Built) -> tuple[Verdict, tuple[Finding, ...]]:
    """The rules that the source breaks. Without a source, the verdict and findings of building it."""
    broken = not built.programs and built.verdict is not Verdict.ACCEPTED  # tests may call mere functions
    if built.source is None or (rules.builds and broken):
        return built.verdict, built.findings
    if built.family is None:
        findings = syntax.check(rules, [(built.language, source) for source in built.sources])
    else:
        lines = built.family.statements(built.source)
        findings = [*_constructs(rules, lines), *_comments(rules, lines)]
    if findings:
        unread = any(finding.code == syntax.UNREAD for finding in findings)
        return Verdict.NEEDS_REVIEW if unread else Verdict.WRONG_ANSWER, tuple(findings)
    return Verdict.ACCEPTED, built.findings if rules.builds else ()


def lines_of_code(built: Built) -> int:
    """The number of lines with code in all sources. Raises nothing: an unreadable source counts as 0."""
    if built.family is None:
        return sum(syntax.lines_of_code(built.language, source) for source in built.sources)
    family = built.family
    return sum(1 for source in built.sources for line in family.statements(source) if _is_code(line))


def _is_code(line: Statement) -> bool:
    return bool(line.mnemonic) and line.mnemonic not in TAKES_NO_COMMENT


def _constructs(rules: SourceRules, lines: tuple[Statement, ...]) -> list[Finding]:
    used: dict[str, Statement] = {}
    for line in lines:
        used.setdefault(line.mnemonic.casefold(), line)
    missing = [name for name in rules.required if name.casefold() not in used]
    findings = [Finding("missing-construct", f"{name} does not occur", subject=(name,)) for name in missing]
    for name in rules.forbidden:
        if name.casefold() in used:
            span = used[name.casefold()].span
            finding = Finding("forbidden-construct", f"{name} is not allowed here", subject=(name,))
            findings.append(replace(finding, place=span.place, excerpt=span.excerpt()))
    defined = {label.casefold() for line in lines for label in line.labels}
    undefined = [label for label in rules.labels if label.casefold() not in defined]
    findings += [Finding("missing-label", f"the label {label} is not defined", subject=(label,)) for label in undefined]
    return findings


def _comments(rules: SourceRules, lines: tuple[Statement, ...]) -> list[Finding]:
    """A comment counts for the line that it stands on, or for the next one where it has a line of its own."""
    if rules.comments is None:
        return []
    code = [line for line in lines if _is_code(line)]
    commented = sum(1 for line in lines if line.comment.strip("; \t"))
    if not code or commented >= rules.comments * len(code):
        return []
    share = round(100 * commented / len(code))
    wanted = f"{round(100 * float(rules.comments))} % are required"
    return [Finding("few-comments", f"{share} comments for every 100 lines of code; {wanted}")]

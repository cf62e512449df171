"""For GitHub: annotations on the student's lines, the step summary, the notices of Classroom, and a fenced log.

A workflow command begins a line of the log with two colons. Whatever a student chose is escaped inside a command, and
printed between ``stop-commands`` fences outside of one. The fence's token is a digest of what it encloses: a text
cannot hold its own digest, and the same grade gives the same bytes.
"""

import hashlib
import json
import re
from collections.abc import Iterator

from grader.languages import Language, language
from grader.report import shown, words
from grader.report.document import View
from grader.report.translation import translated
from grader.results import CaseResult, Finding, Grade, Verdict, Weight

ANNOTATIONS = 10  # as many errors as GitHub shows for one step
SUMMARY_LIMIT = 900_000  # bytes of a step summary; GitHub refuses 1 MiB
_CASE_LIMIT = 20_000  # characters of one case, so that a flood leaves room for the others
_PLACE = re.compile(r"\A(?P<file>.+?):(?P<line>\d+)(?::(?P<column>\d+))?$")
_MARKUP = re.compile(r"""[\\`*_{}\[\]()#+\-.!|<>~&@:'"$]""")
_LONGEST_FENCE = re.compile("`{3,}")


def annotations(grade: Grade) -> str:
    """One ``::error`` line for each of the first mistakes, those with a place first, and the notices of Classroom.

    A mistake without a place stands at the first line of the program. If nothing could be judged, Classroom gets no
    points: they would read as a zero.
    """
    spoken = language(grade.language)
    mistakes = list(_mistakes(translated(grade, spoken)))
    mistakes.sort(key=lambda pair: not pair[1].place)
    program = grade.sources[0].name if grade.sources else ""
    lines = [_annotation(case, finding, program) for case, finding in mistakes[:ANNOTATIONS]]
    # A job was green where two programs lay side by side, and Classroom was told 0 of 100.
    if grade.nothing_judged:
        reason = words.OUR_FAULT if grade.has_judge_error else words.NOTHING_JUDGED
        return "".join(
            (*lines, f"::error title={_property(shown.line(grade.title))}::{_escaped(spoken.word(reason))}\n")
        )
    points = json.dumps({"totalPoints": grade.score, "maxPoints": grade.max_points})
    earned, most = words.number(grade.score), words.number(grade.max_points)
    complete = f"::notice title=Autograding complete::Points {earned}/{most}\n"
    return "".join((*lines, complete, f"::notice title=Autograding report::{_escaped(points)}\n"))


def fenced(text: str) -> str:
    """The text for a log in which no line of it can be a workflow command."""
    token = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    end = "" if text.endswith("\n") else "\n"
    return f"::stop-commands::{token}\n{text}{end}::{token}::\n"


def summary(grade: Grade) -> str:
    """The Markdown of ``$GITHUB_STEP_SUMMARY``; cases that would make it too long are named and left out."""
    spoken = language(grade.language)
    grade = translated(grade, spoken)
    parts = list(_head(grade, spoken))
    room = SUMMARY_LIMIT - sum(len(part.encode()) for part in parts)
    left_out = 0
    for case in grade.cases:
        if case.verdict is Verdict.ACCEPTED:
            continue
        heading = f"{_markdown(case.title or case.id)}: {words.phrase(case.verdict, spoken)}"
        body = shown.clipped("\n".join(line.text for line in words.tell(case, spoken)), _CASE_LIMIT)
        part = f"\n<details><summary>{heading}</summary>\n\n{_code(body)}\n</details>\n"
        size = len(part.encode())
        if size <= room:
            room -= size
            parts.append(part)
        else:
            left_out += 1
    if left_out:
        sentence = spoken.words(
            "{number} more case would not fit here; the record holds it.",
            "{number} more cases would not fit here; the record holds them.",
            left_out,
        )
        parts.append(f"\n{sentence}\n")
    return "".join(parts)


def document(view: View) -> str:
    """The step summary of a view."""
    return summary(view.student)


def _mistakes(grade: Grade) -> Iterator[tuple[CaseResult, Finding]]:
    """Every defect, and each kind of slip where it is seen first."""
    slips: set[str] = set()
    for case in grade.cases:
        for finding in case.findings if case.verdict.blames_student else ():
            known = finding.weight is Weight.SLIP and finding.code in slips
            if finding.weight is not Weight.NOTE and not known:
                yield case, finding
            if finding.weight is Weight.SLIP:
                slips.add(finding.code)


def _annotation(case: CaseResult, finding: Finding, program: str) -> str:
    # A pull request shows no annotation that has no file.
    properties = [f"file={_property(shown.line(program))}", "line=1"] if program else []
    if place := _PLACE.match(shown.line(finding.place)):
        properties = [f"file={_property(place['file'])}", f"line={place['line']}"]
        properties += [f"col={place['column']}"] if place["column"] else []
    properties.append(f"title={_property(shown.line(case.title or case.id))}")
    at = f"at {finding.place}" if finding.place else ""
    text = "\n".join(shown.line(part) for part in (finding.message, finding.detail, at, finding.hint) if part)
    return f"::error {','.join(properties)}::{_escaped(text)}\n"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def _head(grade: Grade, spoken: Language) -> Iterator[str]:
    yield f"## {_markdown(grade.title)}\n\n**{_markdown(words.score_line(grade, spoken))}**\n\n"
    yield f"| | {spoken.word('criterion')} | {spoken.word('points')} | |\n|---|---|---:|---|\n"
    for criterion in grade.criteria:
        charges = (words.charged(one, spoken) for one in criterion.charges)
        reasons = _markdown("; ".join(filter(None, (words.why(criterion, spoken), *charges))))
        points = words.points_of(criterion, spoken)
        yield f"| {words.mark(criterion)} | {_markdown(criterion.title)} | {points} | {reasons} |\n"
    advice = words.fix_first(grade)
    if advice is not None:
        message = advice.finding.message if advice.finding else words.phrase(advice.case.verdict, spoken)
        case = spoken.word("(case {case})", case=_markdown(advice.case.id))
        yield f"\n**{spoken.word('What to fix first')}:** {_markdown(message)} {case}\n"
    if grade.diagnostics:
        yield f"\n{_code(shown.clipped(chr(10).join(grade.diagnostics), _CASE_LIMIT))}"


def _markdown(text: str) -> str:
    """Text with every character that Markdown or HTML could read as markup as a character reference."""
    return _MARKUP.sub(lambda match: f"&#{ord(match[0])};", shown.line(text))


def _code(text: str) -> str:
    """A code block whose fence is longer than any run of backticks inside."""
    safe = shown.plain(text)
    fence = "`" * (1 + max((len(run) for run in _LONGEST_FENCE.findall(safe)), default=2))
    return f"{fence}text\n{safe}\n{fence}\n"

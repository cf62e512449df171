"""What was handed in besides the program, and under which name."""

from __future__ import annotations

import io
import re
from pathlib import PurePosixPath

from grader.results import Finding, Verdict
from grader.spec.model import FilesRules
from grader.submission import Submission, SubmittedFile


def check(rules: FilesRules, submission: Submission) -> tuple[Verdict, tuple[Finding, ...]]:
    """What of the rules a submission does not keep; the verdict is wrong-answer, or missing-file for a file."""
    findings: list[Finding] = []
    missing = False
    if rules.handed_in_as is not None:
        findings += _handed_in_as(rules.handed_in_as, submission)
    if rules.folder is not None:
        findings += _folder(rules.folder, submission)
    if rules.present is not None:
        file = _find(rules.present, submission)
        missing = file is None
        findings += _present(rules, file)
    if not findings:
        return Verdict.ACCEPTED, ()
    return Verdict.MISSING_FILE if missing else Verdict.WRONG_ANSWER, tuple(findings)


def _handed_in_as(pattern: str, submission: Submission) -> list[Finding]:
    name = re.sub(r"\.(zip|tar|tgz|gz|7z|rar)$", "", submission.handed_in_as, flags=re.IGNORECASE)
    if re.fullmatch(pattern, name):
        return []
    return [Finding("archive-name", f"it was handed in as “{name}”", hint=f"the name should fit {pattern}")]


def _folder(pattern: str, submission: Submission) -> list[Finding]:
    """Everything lies in one folder of that name, be it inside the archive or what was handed in itself."""
    tops = {PurePosixPath(f.path).parts[0] if f.depth else "" for f in submission.files}
    name = next(iter(tops)) if len(tops) == 1 and tops != {""} else submission.handed_in_as
    if tops and len(tops) == 1 and re.fullmatch(pattern, name):
        return []
    found = ", ".join(f"“{top}”" for top in sorted(tops - {""})) or "none"
    return [Finding("folder-name", f"folders found: {found}", hint=f"one folder, whose name fits {pattern}")]


def _find(name: str, submission: Submission) -> SubmittedFile | None:
    named = [f for f in submission.files if f.name.casefold() == name.casefold()]
    return min(named, key=lambda f: (f.depth, f.path), default=None)


def _present(rules: FilesRules, file: SubmittedFile | None) -> list[Finding]:
    if file is None:
        return [Finding("missing-file", f"{rules.present} is missing")]
    if rules.pdf_pages is None:
        return []
    pages = pdf_pages(file.data)
    if pages is None:
        return [Finding("broken-pdf", f"{file.path} cannot be opened as a PDF", place=file.path)]
    if pages < rules.pdf_pages:
        return [Finding("short-pdf", f"{file.path} has {pages} pages of at least {rules.pdf_pages}", place=file.path)]
    return []


def pdf_pages(data: bytes) -> int | None:
    """The number of pages of a PDF, or None for what no reader can open."""
    from pypdf import PdfReader

    if b"%PDF-" not in data[:1024]:
        return None
    try:
        return len(PdfReader(io.BytesIO(data)).pages)
    except Exception:  # noqa: BLE001 -- a hostile PDF may fail anywhere in the reader; all of it means that it cannot be opened
        return None

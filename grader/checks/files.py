"""The rules on files beside the program, and on their names."""

from __future__ import annotations

import io
import re
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from grader.results import Finding, Verdict, Weight
from grader.spec.kinds.handed_in import FilesRules
from grader.submission import Submission, SubmittedFile, without_suffix

_DOCUMENTS = (".doc", ".docx", ".odt", ".pages", ".rtf", ".md", ".html")
_NAMED = 5  # of the files that a hint lists


def check(rules: FilesRules, submission: Submission) -> tuple[Verdict, tuple[Finding, ...]]:
    """The rules that a submission breaks; the verdict is wrong-answer, or missing-file for a file."""
    findings: list[Finding] = []
    missing = False
    name = without_suffix(submission.handed_in_as)
    if rules.handed_in_as is not None and not re.fullmatch(rules.handed_in_as, name):
        hint = f"the name should be like “{rules.example}”" if rules.example else ""
        findings.append(Finding("archive-name", f"it was handed in as “{name}”", hint=hint, subject=(name,)))
    if rules.folder is not None:
        findings += _folder(rules.folder, rules.example, submission)
    if rules.present is not None:
        # Windows and macOS do not tell `Report.PDF` from `report.pdf`.
        wanted = rules.present.casefold()
        named = [f for f in submission.files if wanted == f.name.casefold() or fnmatchcase(f.name.casefold(), wanted)]
        named.sort(key=lambda f: (f.depth, f.path))
        missing = not named
        findings += _present(rules.present, rules.pdf_pages, named, submission)
    if all(finding.weight is Weight.NOTE for finding in findings):
        return Verdict.ACCEPTED, tuple(findings)
    return Verdict.MISSING_FILE if missing else Verdict.WRONG_ANSWER, tuple(findings)


def _folder(pattern: str, example: str, submission: Submission) -> list[Finding]:
    """A finding unless everything lies in one folder of that name, inside the archive or handed in itself."""
    tops = {PurePosixPath(f.path).parts[0] if f.depth else "" for f in submission.files}
    name = next(iter(tops)) if len(tops) == 1 and tops != {""} else submission.handed_in_as
    if tops and len(tops) == 1 and re.fullmatch(pattern, name):
        return []
    names = ", ".join(f"“{top}”" for top in sorted(tops - {""})) or "none"
    hint = f"there should be one folder, with a name like “{example}”" if example else ""
    return [Finding("folder-name", f"folders found: {names}", hint=hint, subject=(names,))]


def _present(name: str, pages: int | None, named: list[SubmittedFile], submission: Submission) -> list[Finding]:
    """Findings on a file that must be there. If several files match, one right file is enough."""
    if not named:
        return [_missing(name, submission)]
    wrong = {file.path: None if pages is None else _wrong_pdf(file, pages) for file in named}
    # If a pattern allows any PDF, the assignment's text may lie beside the report.
    right = [path for path, finding in wrong.items() if finding is None]
    if not right:
        return [finding for finding in (wrong[named[0].path],) if finding is not None]
    if len(named) == 1 or "*" not in name:
        return []
    return [Finding("several-files", f"either may be meant: {', '.join(wrong)}", weight=Weight.NOTE)]


def _missing(name: str, submission: Submission) -> Finding:
    """The finding on a missing file, with files that may be meant for it."""
    suffix = PurePosixPath(name).suffix.casefold()
    message = f"there is no {suffix[1:].upper()} file" if "*" in name and suffix else f"{name} is missing"
    alike = [f.path for f in submission.files if PurePosixPath(f.path).suffix.casefold() in (suffix, *_DOCUMENTS)]
    hint = f"there is {', '.join(sorted(alike)[:_NAMED])}" if alike else ""
    return Finding("missing-file", message, hint=hint, subject=(name,))


def _wrong_pdf(file: SubmittedFile, wanted: int) -> Finding | None:
    pages = pdf_pages(file.data)
    if pages is not None and pages >= wanted:
        return None
    code, message = "broken-pdf", f"{file.path} cannot be opened as a PDF"
    if pages is not None:
        code, message = "short-pdf", f"{file.path} has {pages} pages of at least {wanted}"
    return Finding(code, message, place=file.path, subject=(file.name,))


def pdf_pages(data: bytes) -> int | None:
    """The number of pages of a PDF, or None for what no reader can open."""
    from pypdf import PdfReader

    # Readers of PDF look as far for the header, and some programs write other lines before it.
    if b"%PDF-" not in data[:1024]:
        return None
    try:
        return len(PdfReader(io.BytesIO(data)).pages)
    except Exception:  # noqa: BLE001 -- a hostile PDF may fail anywhere in the reader; all of it means that it cannot be opened
        return None

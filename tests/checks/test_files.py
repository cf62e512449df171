"""Names and deliverables, and PDFs of all sorts."""

from __future__ import annotations

import io

import pytest
from pypdf import PdfWriter

from grader.checks.files import check, pdf_pages
from grader.results import Verdict
from grader.spec.kinds.handed_in import FilesRules
from grader.submission import Form, Submission, SubmittedFile


def pdf(pages: int) -> bytes:
    """A real PDF of so many blank pages."""
    writer = PdfWriter()
    for _ in range(pages):
        writer.add_blank_page(100, 100)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def judged(rules: dict, *paths: str, named: str = "PB07210340 张海博 LAB04.zip", data: bytes = b"x"):
    """The verdict and slugs for files at these paths."""
    submission = Submission("s", "S", tuple(SubmittedFile(p, data) for p in paths), Form.ARCHIVE, handed_in_as=named)
    verdict, findings = check(FilesRules.model_validate(rules), submission)
    return verdict, [f.code for f in findings]


ID = "[A-Z]{2}[0-9]{8}"


@pytest.mark.parametrize(
    ("named", "codes"),
    [("PB07210340 张海博 LAB04.zip", []), ("PB07210340_LAB04.ZIP", []), ("lab4.zip", ["archive-name"])],
)
def test_archive_names(named, codes):
    """The whole name without its extension must fit."""
    assert judged({"handed_in_as": f"{ID}.*LAB ?04.*"}, "nim.asm", named=named)[1] == codes


def test_a_student_is_shown_an_example_and_no_pattern():
    """Without one the hint is left to the case."""
    submission = Submission("s", "S", (SubmittedFile("nim.asm", b"x"),), Form.ARCHIVE, handed_in_as="lab.zip")
    for rules in ({"handed_in_as": ID}, {"folder": ID}):
        shown = check(FilesRules.model_validate({**rules, "example": "PB07210340"}), submission)[1][0]
        assert "like “PB07210340”" in shown.hint
        assert check(FilesRules.model_validate(rules), submission)[1][0].hint == ""


@pytest.mark.parametrize(
    ("paths", "codes"),
    [
        (["PB07210340/nim.asm", "PB07210340/report.pdf"], []),
        (["PB07210340/nim.asm", "report.pdf"], ["folder-name"]),
        (["nim.asm"], ["folder-name"]),
        (["lab/nim.asm"], ["folder-name"]),
    ],
)
def test_one_folder_holds_everything(paths, codes):
    """Everything lies in one folder whose name fits."""
    assert judged({"folder": ID}, *paths)[1] == codes


def test_present_files_and_pdf_pages():
    """A file must be there, in any folder and case; a PDF must open and have its pages."""
    rules = {"present": "report.pdf", "pdf_pages": 2}
    assert judged(rules, "a/Report.PDF", data=pdf(2)) == (Verdict.ACCEPTED, [])
    assert judged(rules, "report.pdf", data=pdf(1))[1] == ["short-pdf"]
    assert judged(rules, "report.pdf", data=b"%PDF-1.4 nonsense")[1] == ["broken-pdf"]
    assert judged(rules, "report.doc") == (Verdict.MISSING_FILE, ["missing-file"])


def test_any_pdf_may_be_the_one_that_is_asked_for():
    """A pattern takes a PDF of any name; of two either may be meant, and one that opens is enough."""
    rules = {"present": "*.pdf", "pdf_pages": 1}
    assert judged(rules, "nhom 5/Bao cao.PDF", data=pdf(3)) == (Verdict.ACCEPTED, [])
    assert judged(rules, "a.pdf", "sheet.pdf", data=pdf(1)) == (Verdict.ACCEPTED, ["several-files"])
    assert judged(rules, "a.pdf", "sheet.pdf") == (Verdict.WRONG_ANSWER, ["broken-pdf"])
    files = (SubmittedFile("a.pdf", b"x"), SubmittedFile("b.pdf", pdf(1)))
    assert check(FilesRules.model_validate(rules), Submission("s", "S", files))[0] is Verdict.ACCEPTED


@pytest.mark.parametrize(
    ("rules", "name", "message", "hint"),
    [
        ({"present": "*.pdf"}, "Report.docx", "there is no PDF file", "there is Report.docx"),
        ({"present": "report.pdf"}, "Bericht.pdf", "report.pdf is missing", "there is Bericht.pdf"),
        ({"present": "*.pdf"}, "game.asm", "there is no PDF file", ""),
    ],
)
def test_what_there_is_in_place_of_a_missing_file_is_told(rules, name, message, hint):
    """A report in another format or under another name than the demanded one is named."""
    submission = Submission("s", "S", (SubmittedFile(name, b"x"),))
    verdict, (finding,) = check(FilesRules.model_validate(rules), submission)
    assert (verdict, finding.message, finding.hint) == (Verdict.MISSING_FILE, message, hint)


@pytest.mark.parametrize("data", [b"", b"%PDF-", b"%PDF-1.7\n" + bytes(range(256)) * 20, pdf(1)[:-30], b"\x00" * 5000])
def test_no_pdf_makes_the_check_fail(data):
    """Whatever the bytes, the answer is a number of pages or None."""
    assert pdf_pages(data) in (None, 0, 1)

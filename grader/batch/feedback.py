"""The pages of students in an archive, in the layout in which learning platforms take feedback back."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable
from pathlib import Path

from grader.batch.export import listed
from grader.errors import UsageError
from grader.results import Grade


def feedback(system: str, grades: Iterable[Grade], pages: Path, into: Path) -> tuple[str, ...]:
    """Write an archive of the students' pages in the layout in which Moodle and Canvas take feedback back.

    Returns sentences on what was left out. Raises UsageError where it cannot be written.
    """
    left = []
    half = into.with_name(into.name + ".part")
    try:
        with zipfile.ZipFile(half, "w", zipfile.ZIP_DEFLATED) as archive:
            for grade in grades:
                page, name = pages / f"{grade.submission}.html", _feedback_name(system, grade.handed_in_as)
                if name and page.is_file():
                    entry = zipfile.ZipInfo(name)  # without a time, so that the same pages make the same archive
                    entry.compress_type = zipfile.ZIP_DEFLATED
                    archive.writestr(entry, page.read_bytes())
                else:
                    left.append(grade.submission)
        half.replace(into)
    except OSError as fault:
        half.unlink(missing_ok=True)
        raise UsageError(f"cannot be written ({fault.strerror})", place=str(into)) from fault
    what = "submissions without feedback in the archive, since they do not come from a download of this platform"
    return (f"{len(left)} {what}: {listed(left)}",) if left else ()


def _feedback_name(system: str, handed_in_as: str) -> str:
    """Where the page of a submission lies in the archive: the platform knows by that whose it is."""
    if system == "moodle" and (found := re.match(r".+_\d+_assignsubmission_file", handed_in_as)):
        return f"{found[0]}_/feedback.html"
    if system == "canvas" and re.search(r"_\d+_\d+_", handed_in_as):
        return f"{handed_in_as.rpartition('.')[0] or handed_in_as}.html"
    return ""

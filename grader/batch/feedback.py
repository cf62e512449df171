"""The pages of students in an archive, in the layout in which learning platforms take feedback back."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable
from pathlib import Path

from grader.batch.export import listed
from grader.errors import UsageError
from grader.results import Grade
from grader.submission import Origin


def feedback(system: str, grades: Iterable[Grade], pages: Path, into: Path) -> tuple[str, ...]:
    """Write an archive of the students' pages in the layout in which Moodle and Canvas take feedback back.

    Returns sentences on what was left out. Raises UsageError where it cannot be written.
    """
    left = []
    half = into.with_name(into.name + ".part")
    try:
        with zipfile.ZipFile(half, "w", zipfile.ZIP_DEFLATED) as archive:
            for grade in grades:
                page, name = pages / f"{grade.submission}.html", _feedback_name(system, grade.origin)
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
    if not left:
        return ()
    many = "1 submission" if len(left) == 1 else f"{len(left)} submissions"
    why = "does not come" if len(left) == 1 else "do not come"
    return (f"{many} without feedback in the archive, which {why} from a download of this platform: {listed(left)}",)


def _feedback_name(system: str, origin: Origin) -> str:
    """Where the page of a submission lies in the archive: the platform knows by that whose it is."""
    name = origin.platform_name
    if origin.system.casefold() != system or set(name) & set("/\\\0"):
        return ""
    if system == "moodle" and (found := re.match(r".+_\d+_assignsubmission_file", name, re.DOTALL)):
        return f"{found[0]}_/feedback.html"
    if system == "canvas":
        return f"{name.rpartition('.')[0] or name}.html"
    return ""

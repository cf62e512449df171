"""Downloads of learning platforms, recognised by the names in them.

Each system has a module with ``SYSTEM``, its name, and ``read``, which gives a `Download`, or None where not one name is as this
system writes them. The system that explains most names is the one. Where it explains less than half of them the
listing is taken for none, and that is a doubt which a person is told of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grader.intake.downloads import blackboard, canvas, clones, gradescope, moodle
from grader.intake.downloads.listing import Download, Found, Listing, Part

__all__ = ["Download", "Found", "Listing", "Part", "canvas", "recognise"]

_READERS: Sequence[Callable[[Listing], Download | None]] = (
    gradescope.read,
    moodle.read,
    blackboard.read,
    canvas.read,
    clones.read,
)


def recognise(listing: Listing) -> tuple[Download | None, str]:
    """How a listing is understood as a download, if it is one; and a sentence where its names fit one in part only."""
    read = [download for reader in _READERS if (download := reader(listing)) is not None]
    best = max(read, key=lambda download: len(download.fitting), default=None)
    if best is None:
        return None, ""
    fitting, total = len(best.fitting), len(listing.names)
    if fitting == total:
        return best, ""
    told = f"{fitting} of {total} names are as {best.system} writes them"
    if 2 * fitting >= total:
        return best, f"{told}; the others were taken for what their names say"
    return None, f"{told}, too few to take it for a download of {best.system}"

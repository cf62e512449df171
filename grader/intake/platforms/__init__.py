"""Learning platforms, one module each: the names in its downloads, the heads of its rosters, and its gradebook.

Each module gives a `Platform`. Its ``read`` returns a `Download`, or None if no name has the form of this platform. The
platform that explains most names wins. If it explains less than half of them, the listing is not treated as a download,
and a person is told of the doubt.
"""

from __future__ import annotations

from grader.intake.platforms import blackboard, canvas, github, gradescope, moodle
from grader.intake.platforms.platform import Download, Listing

PLATFORMS = (gradescope.PLATFORM, moodle.PLATFORM, blackboard.PLATFORM, canvas.PLATFORM, github.PLATFORM)
"""All platforms: to add one, add its module and its row here. If two explain equally many names, the first one wins."""


def recognise(listing: Listing) -> tuple[Download | None, str]:
    """The listing as a download, if it is one; and a sentence if only part of its names fit."""
    downloads = [download for platform in PLATFORMS if (download := platform.read(listing)) is not None]
    best = max(downloads, key=lambda download: len(download.fitting), default=None)
    if best is None:
        return None, ""
    fitting, total = len(best.fitting), len(listing.names)
    if fitting == total:
        return best, ""
    share = f"{fitting} of {total} names are as {best.system} writes them"
    # A list or a note of staff lies beside the files of a download; in a folder of anything one name may fit by
    # chance.
    if 2 * fitting >= total:
        return best, f"{share}; the others were taken for what their names say"
    return None, f"{share}, too few to take it for a download of {best.system}"

"""Learning platforms, a module for each with all that intake knows of it: how a download is recognised, the heads of its rosters, and its gradebook.

Each module gives a `Platform`. Its ``read`` gives a `Download`, or None where not one name is as this platform writes them. The
platform that explains most names is the one. Where it explains less than half of them the listing is taken for none, and
that is a doubt which a person is told of.
"""

from __future__ import annotations

from grader.intake.platforms import blackboard, canvas, github, gradescope, moodle
from grader.intake.platforms.platform import Download, Listing

PLATFORMS = (gradescope.PLATFORM, moodle.PLATFORM, blackboard.PLATFORM, canvas.PLATFORM, github.PLATFORM)
"""All platforms: to add one is to add its module and its row here. Of two that explain as many names the first one counts."""


def recognise(listing: Listing) -> tuple[Download | None, str]:
    """How a listing is understood as a download, if it is one; and a sentence where its names fit one in part only."""
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

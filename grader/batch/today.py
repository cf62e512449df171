"""The day on which a command is called, by which hidden cases are shown or not: no module below the commands asks for it."""

from __future__ import annotations

from datetime import UTC, date, datetime


def today() -> date:
    """The day of this computer's own time zone."""
    return datetime.now(UTC).astimezone().date()

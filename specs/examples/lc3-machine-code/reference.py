"""What the routine of the lab gives back."""


def absolute(number: int) -> int:
    """The absolute value."""
    return abs(number)

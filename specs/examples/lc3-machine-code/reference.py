"""The result of the lab's routine."""


def absolute(number: int) -> int:
    """The absolute value."""
    return abs(number)

"""The tutorials work as they stand: each command is typed, in the order of the page, in an empty folder."""


def test_a_course_builds_an_assignment_from_nothing(followed):
    """From a pasted sample run to the grades of a class."""
    followed("docs/tutorial-course.md")

"""The tutorials work as they stand: each command is typed, in the order of the page, in an empty folder."""


def test_a_course_builds_an_assignment_from_nothing(followed):
    """From a pasted sample run to the grades of a class."""
    followed("docs/tutorial-course.md")


def test_a_referee_is_written_as_its_page_says(followed):
    """The blocks of the page are a whole assignment, and its mistakes cost what the page says."""
    followed("docs/referees.md")

"""``python -m grader`` is ``grader``."""

from grader.cli.main import main

main()

"""A pytest plugin: ``pytest --grader-spec SPEC --grader-submission PATH`` makes each case of a spec one test item.

Theory of operation. The spec becomes an argument of the session, like a test file. pytest collects it as a file whose items are
the cases. So selection (``-k``, ``-x``, node ids, ``--lf``), xdist and ``--junitxml`` are pytest's own. Without both options
the plugin does nothing, and imports nothing of the grader. The first item grades all selected cases at once; each item then
reports its own result. The student's faults are raised in ``runtest``, which pytest counts as failures. All other
troubles are raised in ``setup``, which it counts as errors or skips.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from grader.values import dataclass

if TYPE_CHECKING:
    from grader.grading import Grading
    from grader.results import CaseResult, Grade
    from grader.spec.loader import Reading
    from grader.spec.model import Case
    from grader.submission import Submission

SPEC_OPTION, SUBMISSION_OPTION = "--grader-spec", "--grader-submission"


@dataclass(frozen=True)
class Chosen:
    """The values of the options: a spec that was read, and the submission that it is applied to."""

    reading: Reading
    path: Path
    submission: Submission
    beside: Path  # the folder in which the submission lies, perhaps with those of others

    @property
    def id(self) -> str:
        """The name of the assignment; node ids begin with it."""
        return self.reading.assignment.id if self.reading.assignment else ""


_CHOSEN = pytest.StashKey[Chosen]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the two options."""
    group = parser.getgroup("grader", "grading a submission by a spec")
    group.addoption(SPEC_OPTION, metavar="SPEC", help="a spec, by path or bundled name: each of its cases is a test")
    group.addoption(SUBMISSION_OPTION, metavar="PATH", help="the submission to grade: a file, a folder or an archive")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Refuse a configuration that lies in the submission: it would run a student's conftest.py as ours.

    pytest looks for its configuration beside every argument that is a path, before it knows that this one is an option's.
    """
    submission, configuration = (
        getattr(early_config.known_args_namespace, "grader_submission", None),
        early_config.inipath,
    )
    if submission is None or configuration is None:
        return
    here = early_config.invocation_params.dir.resolve()
    whole = (here / submission).resolve()
    folder, holding = whole if whole.is_dir() else whole.parent, configuration.resolve().parent
    # who starts pytest in the folder of the submission trusts what is there
    if holding.is_relative_to(folder) and not here.is_relative_to(holding):
        raise pytest.UsageError(
            f"{configuration} lies in the submission, and would configure pytest:"
            f" write {SUBMISSION_OPTION}={submission} with an equals sign, or give -c FILE"
        )


def pytest_configure(config: pytest.Config) -> None:
    """Read spec and submission, and make the spec what the session collects. Raises pytest.UsageError."""
    spec, submission = config.getoption(SPEC_OPTION), config.getoption(SUBMISSION_OPTION)
    if spec is None and submission is None:
        return
    if spec is None or submission is None:
        missing = SPEC_OPTION if spec is None else SUBMISSION_OPTION
        raise pytest.UsageError(f"{SPEC_OPTION} and {SUBMISSION_OPTION} go together: {missing} is missing")
    chosen = config.stash[_CHOSEN] = _chosen(spec, Path(submission))
    # what the session collects: the spec, and what else was asked for; a node id such as ``lc3-nim::opening`` works
    arguments = []
    for argument in config.args if config.args_source is pytest.Config.ArgsSource.ARGS else []:
        name, parts, case = argument.partition("::")
        arguments.append(f"{chosen.path}{parts}{case}" if name == chosen.id else argument)
    named = any(argument.partition("::")[0] == str(chosen.path) for argument in arguments)
    config.args = arguments if named else [*arguments, str(chosen.path)]


def _chosen(spec: str, submission: Path) -> Chosen:
    from grader.bundled import spec_path
    from grader.errors import GraderError, SpecError
    from grader.intake.course import CourseFiles
    from grader.intake.source import read_submission
    from grader.spec.loader import read_assignment

    try:
        path = spec_path(spec).resolve()
        reading = read_assignment(path)
        if reading.assignment is None:
            raise SpecError(reading.diagnostics)
        pattern, course = reading.assignment.spec.submission.student_id, CourseFiles.of(reading.assignment)
        read = read_submission(submission, pattern, course=course)
        return Chosen(reading, path, read, submission.parent)
    except GraderError as error:
        raise pytest.UsageError(str(error)) from error


def pytest_report_header(config: pytest.Config) -> str | None:
    """Name the spec and the submission."""
    chosen = config.stash.get(_CHOSEN, None)
    return f"grader: {chosen.id}, {chosen.submission.id}" if chosen else None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect the spec, by its name whatever its path, so that node ids are the same on every machine."""
    chosen = parent.config.stash.get(_CHOSEN, None)
    if chosen is None or file_path.resolve() != chosen.path:
        return None
    cases: SpecFile = SpecFile.from_parent(parent, path=file_path, name=chosen.id, nodeid=chosen.id)
    return cases


class SpecFile(pytest.File):
    """A spec, whose items are its cases in the order of the file."""

    def collect(self) -> Iterator[pytest.Item]:
        """One item for each case."""
        document = self._chosen.reading.document
        places = {case.id: ("cases", n) for n, case in enumerate(self._grading.assignment.spec.cases)}
        for case in self._grading.cases:
            line = document.value_span(places[case.id]).line - 1 if case.id in places else None
            item: CaseItem = CaseItem.from_parent(self, name=case.id, case=case, line=line)
            yield item

    @cached_property
    def _chosen(self) -> Chosen:
        return self.config.stash[_CHOSEN]

    @cached_property
    def _grading(self) -> Grading:
        from grader.grading import Grading

        assert self._chosen.reading.assignment is not None
        return Grading(self._chosen.reading.assignment, hidden=(self._chosen.beside,))

    @cached_property
    def grade(self) -> Grade:
        """The grade of the selected cases, worked out once in a process."""
        selected = {item.name for item in self.session.items if item.parent is self}
        return self._grading.grade(self._chosen.submission, only=selected)


class CaseItem(pytest.Item):
    """One case of the spec on the one submission."""

    def __init__(self, *, case: Case, line: int | None, **named: object) -> None:
        super().__init__(**named)  # type: ignore[arg-type]
        self._title, self._line = case.title, line
        # So that `-k CRITERION` chooses all cases of one.
        if case.criterion is not None:
            self.extra_keyword_matches.add(case.criterion)

    def setup(self) -> None:
        """Have everything graded; skip what is open, and raise what is our own fault."""
        from grader.results import Verdict

        result = self._result
        if result.verdict is Verdict.JUDGE_ERROR:
            # In `setup`, which pytest counts as an error and not as a failure of the student's.
            raise NotAcceptedError(_account(result, ()))
        if not result.verdict.blames_student and result.verdict is not Verdict.ACCEPTED:
            pytest.skip(f"{self.name}: {result.findings[0].message if result.findings else result.verdict}")

    def runtest(self) -> None:
        """Fail when the student's program did."""
        result = self._result
        if result.verdict.blames_student:
            raise NotAcceptedError(_account(result, self._file.grade.diagnostics))

    @property
    def _file(self) -> SpecFile:
        assert isinstance(self.parent, SpecFile)
        return self.parent

    @cached_property
    def _result(self) -> CaseResult:
        return next(case for case in self._file.grade.cases if case.id == self.name)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: str | None = None) -> str:
        """The finding of the case, rather than the line where this plugin raised it."""
        if isinstance(excinfo.value, NotAcceptedError):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo, style=style))  # type: ignore[arg-type]

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The line of the spec that the case stands in, and its title."""
        return self.path, self._line, f"{self._title} ({self.name})"


class NotAcceptedError(Exception):
    """A case was not accepted; the text is its whole account."""


def _account(result: CaseResult, diagnostics: tuple[str, ...]) -> str:
    """All findings of a case in plain lines, and why the program did not build if that is the reason."""
    from grader.report.words import PHRASES, tell
    from grader.results import Verdict

    lines = [f"{PHRASES[result.verdict]}: {result.title}", *(line.text for line in tell(result))]
    if result.verdict is Verdict.COMPILE_ERROR:
        lines += diagnostics
    return "\n".join(lines)

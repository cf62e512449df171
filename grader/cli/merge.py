"""``grader merge``: shards that several machines graded, as one batch."""

from __future__ import annotations

from pathlib import Path

from grader.cli import options
from grader.values import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """What `grader merge` is asked for."""

    folders: tuple[Path, ...] = options.argument(nargs=-1, required=True, metavar="DIR...", type=options.FOLDER_HERE)
    out: Path = options.option("-o", "--output", required=True, type=options.FOLDER, help="The folder to write.")
    spec: Path | None = options.another_spec("The spec, where it does not lie here as it did for the first shard.")
    roster: Path | None = options.roster("Who should have handed in, as for `grader batch`.")
    jobs: int | None = options.jobs("one a core")
    drop_marks: bool = options.drop_marks()


@options.command(Options)
def merge(asked: Options) -> int:
    """Put the folders DIR that `grader batch … --shard I/N` wrote together, all N of them: nothing is run.

    Of each only its grades.db is needed, and marks.csv where staff have given marks in it: they are carried into that of the whole. The reports are those that one machine would have written.
    """
    from grader.batch.merging import merge_batches
    from grader.batch.values import Call
    from grader.cli.batch import loud, tell

    call = Call(asked.spec, asked.folders, asked.out, asked.roster, jobs=asked.jobs, warn=loud)
    summary = merge_batches(call, drop_marks=asked.drop_marks)
    tell(summary)
    return summary.exit_code

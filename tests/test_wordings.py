"""The generated programs are what they claim to be: each is played by a script, which knows its wording, and reads nothing."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from grader.machines.mips.assembler import assemble
from grader.machines.mips.machine import Machine
from grader.machines.mips.profiles import PROFILES
from grader.source import SourceFile
from tests.wordings.acting import BoardScript, PileScript
from tests.wordings.board import DEFECTS as BOARD_DEFECTS
from tests.wordings.board import BoardWording
from tests.wordings.made import made
from tests.wordings.pile import DEFECTS as PILE_DEFECTS
from tests.wordings.pile import PileWording

COMPILERS = {
    "c": ["gcc", "-O1", "-w", "-o", "nim", "nim.c"],
    "cpp": ["g++", "-O0", "-w", "-o", "nim", "nim.cpp"],
    "java": ["javac", "-encoding", "UTF-8", "Nim.java"],
    "python": ["true"],
}
STARTS = {
    "c": ["./nim"],
    "cpp": ["./nim"],
    "java": [
        "java",
        "-Dfile.encoding=UTF-8",
        "-Dstdout.encoding=UTF-8",
        "-Xshare:auto",
        "-XX:TieredStopAtLevel=1",
        "Nim",
    ],
    "python": ["python3", "nim.py"],
}
TIE = "656173566152215676422337377473141445425321"
LINES = ("1647362", "74451312", "1412171", "31216151", "46354646655", "4366546655", "7654657432544", "3213241211")


def some(names: list[str]) -> list[object]:
    """The names as parameters; two of three are spare."""
    return [pytest.param(name, id=name, marks=pytest.mark.share(3)) for name in names]


def right(game: str, part: str, seed: int, number: int) -> list[str]:
    """The names of the first right programs of a seed."""
    return [f"{game}-{part}-{seed}-{3 * n}" for n in range(number)]


def pile_says(wording: PileWording, folder: Path, scripts: list[PileScript]) -> list[str]:
    """The output of a program in each of several games."""
    (folder / wording.file).write_text(wording.source(), encoding="utf-8")
    subprocess.run(COMPILERS[wording.language], cwd=folder, check=True)
    return [
        subprocess.run(
            STARTS[wording.language], cwd=folder, input="".join(f"{text}\n" for text in script.typed).encode(), capture_output=True,
            timeout=10, check=True, env={"PATH": "/usr/local/bin:/usr/bin:/bin", "PYTHONUTF8": "1"},
        ).stdout.decode()
        for script in scripts
    ]  # fmt: skip


def plays_the_pile(name: str, folder: Path) -> None:
    """A right program prints what the script says, in games that either side begins and wins."""
    wording = made(name)
    assert isinstance(wording, PileWording)
    scripts = [PileScript(wording) for _ in range(3)]
    for script, (stones, first, takes) in zip(scripts, ((7, 1, (2, 1, 1)), (9, 0, (1, 2, 2)), (1, 0, ())), strict=True):
        script.play(stones, first, takes)
    for script, said in zip(scripts, pile_says(wording, folder, scripts), strict=True):
        assert said == script.text


@pytest.mark.parametrize("name", some(right("pile", "known", 1, 6) + right("pile", "aside", 1, 4)))
def test_a_right_program_plays_the_pile_as_its_wording_says(name, tmp_path):
    """Every question, refusal, count and result stands where the script has it."""
    plays_the_pile(name, tmp_path)


class Board:
    """A program for four in a row at play, beside its script."""

    def __init__(self, wording: BoardWording, *, profile: str = "", seed: int = 3) -> None:
        assembly = assemble(SourceFile(wording.file, wording.source()), dialect=profile or wording.dialect)
        assert assembly.image is not None, assembly.diagnostics
        self.profile = profile or wording.dialect
        self.image, self.wording, self.seed = assembly.image, wording, seed

    def says(self, script: BoardScript) -> str:
        """Its output when the script's input is typed."""
        machine = Machine(self.image, PROFILES[self.profile], random_seed=self.seed)
        stop = machine.run()
        for text, how in script.typed:
            if stop.final:
                break
            machine.feed((text + ("" if how == "key" else "\n")).encode())
            stop = machine.run()
        ended = "" if stop.final == script.over else f"\n(ended: {stop.final})"
        return machine.take_output().decode("utf-8") + ended

    def follows(self, columns: str, undone: dict[int, bool] | None = None, profile: str = "") -> bool:
        """Whether a game of columns (from 1; 0 and 8 do not exist) prints what the script says, whoever begins."""
        scripts = [BoardScript(self.wording, first) for first in (0, 1)]
        said = ""
        for script in scripts:
            script.open()
            for number, column in enumerate(columns):
                script.drop(int(column) - 1, undo=bool(undone and undone.get(number)))
            said = self.says(script)
            if said == script.text if script.over else said.startswith(script.text):
                return True
        print(said, "\n=========\n", scripts[0].text)  # noqa: T201  seen where it differs
        return False


def plays_the_board(name: str) -> None:
    """A right program prints what the script says: lines, a tie, undos, violations."""
    wording = made(name)
    assert isinstance(wording, BoardWording)
    board = Board(wording)
    for columns in (*LINES, TIE, "4444441844", "88458", "09230"):
        assert board.follows(columns)
    assert board.follows("4412356712", dict.fromkeys((2, 3, 4, 5, 6, 8), True))
    begun = {script_first(Board(wording, seed=seed)) for seed in range(8)} if wording.starts != "typed" else {0, 1}
    assert begun == {0, 1}


def script_first(board: Board) -> int:
    """Who begins."""
    scripts = [BoardScript(board.wording, first) for first in (0, 1)]
    for script in scripts:
        script.open()
        script.drop(3)
        script.drop(3)
    return next(number for number, script in enumerate(scripts) if board.says(script).startswith(script.text))


@pytest.mark.parametrize("name", some(right("board", "known", 1, 8) + right("board", "aside", 1, 6)))
def test_a_right_program_plays_four_in_a_row_as_its_wording_says(name):
    """Every board, question, refusal and result stands where the script has it."""
    plays_the_board(name)


GAMES = (
    *LINES,
    TIE,
    "4444441844",
    "88458",
    "09230",
    "848588",
    "6271145",
    "211121151",
    "435334662441125452326555336466",
)
"""Games in which each defect shows: lines of each kind, over an edge and in the top row, a full board, and wrong columns."""


def shows(wording: BoardWording) -> bool:
    """Whether a program differs from the script of a right one."""
    if wording.defect == "player-one-begins":
        return {script_first(Board(wording, seed=seed)) for seed in range(8)} != {0, 1}
    undos = dict.fromkeys((2, 3, 4, 5, 6, 7, 8), True)
    games = (*((columns, {}) for columns in GAMES), ("4412356712345", undos))
    board = Board(wording)
    return any(not board.follows(columns, undone) for columns, undone in games)


@pytest.mark.parametrize("defect", some(sorted(BOARD_DEFECTS)))
def test_a_defect_of_four_in_a_row_shows(defect):
    """A program with a defect does not print what a right one of its wording would."""
    wordings = (made(f"board-known-5-{n}") for n in range(300))
    assert shows(next(one for one in wordings if one.defect == defect and one.undo_style == "after"))


@pytest.mark.parametrize("defect", some(sorted(PILE_DEFECTS)))
def test_a_defect_of_the_pile_shows(defect, tmp_path):
    """A program with a defect does not print what a right one of its wording would, in some game."""
    found = next(one for one in (made(f"pile-known-5-{n}") for n in range(200)) if one.defect == defect)
    wording = replace(found, language="python", reads="plain")
    scripts = [PileScript(wording) for _ in range(8)]
    games = (
        (7, 1, (2, 1, 1)),
        (9, 0, (1, 2, 2)),
        (1, 0, ()),
        (1, 1, ()),
        (2, 1, (2,)),
        (2, 0, ()),
        (6, 0, (1, 1)),
        (8, 1, (1, 2)),
    )
    for script, (stones, first, takes) in zip(scripts, games, strict=True):
        script.play(stones, first, takes)
    (tmp_path / wording.file).write_text(wording.source(), encoding="utf-8")
    runs = [
        subprocess.run(
            STARTS["python"], cwd=tmp_path, input="".join(f"{text}\n" for text in script.typed).encode(), capture_output=True,
            timeout=10, check=False, env={"PATH": "/usr/local/bin:/usr/bin:/bin", "PYTHONUTF8": "1"},
        ).stdout.decode()
        for script in scripts
    ]  # fmt: skip
    assert runs != [script.text for script in scripts]

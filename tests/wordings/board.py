"""Programs for ``mips-connect4``: four in a row on seven columns of six, in MIPS assembly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType

from tests.wordings.pile import Defect
from tests.wordings.tongues import BoardManners, BoardTongue, Layout, Marks, Menu, Pair

DEFECTS: Mapping[str, Defect] = MappingProxyType({
    "full-board-is-no-tie": Defect(("ties",)),
    "tie-one-piece-early": Defect(("ties",)),
    "across-does-not-win": Defect(("across",)),
    "upwards-does-not-win": Defect(("upwards",)),
    "rising-does-not-win": Defect(("rising",)),
    "falling-does-not-win": Defect(("falling",)),
    "top-row-is-forgotten": Defect(("across",)),
    "no-line-wins": Defect(("across", "upwards", "rising", "falling"), ("nothing-else-wins", "winner", "result-read")),
    "lines-cross-the-edge": Defect(("nothing-else-wins",), ("ties",)),
    "winner-is-exchanged": Defect(("winner",)),
    "no-undo": Defect(("undo",), ("undo-limit", "undo-first")),
    "undo-leaves-the-piece": Defect(("undo",)),
    "undo-passes-the-turn": Defect(("undo",)),
    "undo-for-one-player": Defect(("undo",)),
    "fourth-undo": Defect(("undo-limit",)),
    "undo-at-the-first-move": Defect(("undo-first",)),
    "full-column-is-accepted": Defect(("full-columns",), ("violations",)),
    "column-eight-is-accepted": Defect(("missing-columns",), ("violations",)),
    "violation-costs-the-turn": Defect(("full-columns", "missing-columns"), ("violations",)),
    "refused-piece-falls": Defect(("full-columns", "missing-columns"), ("violations",)),
    "full-columns-do-not-count": Defect(("violations",)),
    "third-violation-does-not-lose": Defect(("violations",)),
    "second-violation-loses": Defect(("violations",), ("full-columns", "missing-columns")),
    "violations-are-shared": Defect(("violations",)),
    "violator-wins": Defect(("violations",)),
    "violation-crashes": Defect(("full-columns", "missing-columns", "violations"), ("unbroken",)),
    "player-one-begins": Defect(("random-start",)),
    "board-is-upside-down": Defect(("board",)),
    "row-is-not-drawn": Defect(("board",), ("board-read",)),
    "column-seven-is-refused": Defect(("legal",), ("ties",)),
    "same-player-after-column-four": Defect(("legal",), (
        "across", "upwards", "rising", "falling", "nothing-else-wins", "winner", "ties", "undo", "undo-limit", "undo-first",
        "full-columns", "missing-columns", "violations",
    )),
})  # fmt: skip
"""Small changes of a right program, with what they cost."""


@dataclass(frozen=True, slots=True)
class BoardWording:
    """One program for four in a row. An empty sentence is not said; ``defect`` is empty in a right program."""

    name: str
    dialect: str
    tongue: str
    layout: Layout
    marks: Marks
    labels: str
    reads: str
    undo_style: str
    undo_read: str
    undo_key: str
    called: str
    starts: str
    ends: str
    storage: str
    checks_first: bool
    line_prompts: bool
    player: str
    hello: str
    rules: tuple[str, ...]
    menu: Menu | None
    pause: str
    names: Pair | None
    seed: str
    pick: str
    begins: str
    column: str
    undo: tuple[str, str, str]
    undo_hint: str
    undone: str
    dropped: str
    cannot: str
    missing: str
    full: str
    violation: str
    lost: str
    wins: str
    tie: str
    again: tuple[str, str, str] | None
    bye: str
    defect: str = ""

    @property
    def file(self) -> str:
        """The name of the source."""
        return "connect4.asm" if self.dialect == "mars" else "connect4.s"

    @property
    def fails(self) -> tuple[str, ...]:
        """The cases that must not be accepted."""
        return DEFECTS[self.defect].fails if self.defect else ()

    @property
    def may_fail(self) -> tuple[str, ...]:
        """The cases without demands."""
        return DEFECTS[self.defect].may if self.defect else ()

    def source(self) -> str:
        """The program."""
        from tests.wordings.mips import source

        return source(self)


def draw(
    name: str, tongues: tuple[BoardTongue, ...], manners: BoardManners, random: Random, defect: str = ""
) -> BoardWording:
    """A wording of this vocabulary."""
    tongue = tongues[0] if random.random() < 0.3 else random.choice(tongues)
    dialect = "spim" if not tongue.latin or random.random() < 0.15 else "mars"

    def one(sentences: tuple[str, ...]) -> str:
        return random.choice(sentences) if sentences else ""

    def seldom(sentences: tuple[str, ...], chance: float) -> str:
        return one(sentences) if random.random() < chance else ""

    layouts = [one for one in manners.layouts if not (defect == "board-is-upside-down" and one.turned)]
    labels, reads = random.choice(manners.labels), random.choice(manners.reads)
    if reads == "integer" and not labels.isdigit():
        reads = "line"
    marks = random.choice([marks for marks in manners.marks if labels.isdigit() or marks.one not in labels])
    called = random.choice(manners.called)
    if called == "name" and not tongue.names:
        called = "number"
    undo = random.choice(tongue.undo)
    undo_style = random.choice(manners.undo)
    keys = [key for key in manners.undo_keys if key not in labels and (reads != "integer" or key.isdigit())]
    if not keys or (defect in ("undo-leaves-the-piece", "undo-passes-the-turn", "no-undo") and undo_style == "before"):
        undo_style = "after"
    plain = len(marks.one) == len(marks.two) == 1
    starts = "typed" if dialect == "spim" else random.choice(manners.starts)
    undo_reads = ["line", "key", *(["integer"] if undo[1].isdigit() and undo[2].isdigit() else [])]
    storage = random.choice(("rows", "columns"))
    return BoardWording(
        name=name,
        dialect=dialect,
        tongue=tongue.code,
        layout=random.choice(layouts),
        marks=marks,
        labels=labels,
        reads=reads,
        undo_style=undo_style,
        undo_read=random.choice(undo_reads),
        undo_key=random.choice(keys) if keys else "",
        called=called,
        starts=starts,
        ends="exit" if dialect == "spim" and random.random() < 0.5 else random.choice(manners.ends),
        storage=storage,
        checks_first=random.random() < 0.6,
        line_prompts=random.random() < 0.15,
        player=one(tongue.player),
        hello=one(tongue.hello),
        rules=random.choice(tongue.rules) if tongue.rules and random.random() < 0.25 else (),
        menu=random.choice(tongue.menu) if tongue.menu and random.random() < 0.2 else None,
        pause=seldom(tongue.pause, 0.12),
        names=random.choice(tongue.names) if called == "name" else None,
        seed=one(tongue.seed),
        pick=seldom(tongue.pick, 0.25) if plain and called != "mark" else "",
        begins=seldom(tongue.begins, 0.6),
        column=one(tongue.column),
        undo=undo,
        undo_hint=one(tongue.undo_key),
        undone=seldom(tongue.undone, 0.4),
        dropped=seldom(tongue.dropped, 0.2),
        cannot=one(tongue.cannot),
        missing=one(tongue.missing),
        full=one(tongue.full),
        violation=seldom(tongue.violation, 0.7),
        lost=seldom(tongue.lost, 0.7),
        wins=one(tongue.wins),
        tie=one(tongue.tie),
        again=random.choice(tongue.again) if tongue.again and random.random() < 0.12 else None,
        bye=seldom(tongue.bye, 0.2),
        defect=defect,
    )

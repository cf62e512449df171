"""Each rule between keys, from both sides: what breaks it, where that is said, and what is just allowed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from grader.source import Diagnostic

Changed = Callable[[str, str], list[tuple[str, str]]]
Diagnose = Callable[[str], tuple[Diagnostic, ...]]

GAMES = "differential: {games: 2, illegal: ['[D-Z]1'], share: 1}"
REPORT = "files: {present: report.pdf, pdf_pages: 1}"
SAVED = "machine: {play: [B2], callee_saved: true, results: [R0]}"
SOURCE = "source: {required: [JSR], forbidden: [IN]}"
FILES = "files: {present: report.pdf, pdf_pages: 1}"
PLAIN = "{id: plain, title: Plain, criterion: works, play: B2}"
REFUSAL = "{id: refusal, title: Refusal, criterion: refusals, defect: wrong-row, play: D1, requires: [plain]}"


def test_the_small_spec_breaks_no_rule(small: str, diagnose: Diagnose) -> None:
    """The spec that the other tests break is whole."""
    assert diagnose(small) == ()


@pytest.mark.parametrize(
    ("before", "after", "code", "marked"),
    [
        # files
        ("optional: [report.pdf]", "optional: [report.pdf, /etc/x]", "file-name", "/etc/x"),
        ("optional: [report.pdf]", "optional: [report.pdf, ../x]", "file-name", "../x"),
        ("optional: [report.pdf]", "optional: [report.pdf, 'a\\b']", "file-name", "'a\\b'"),
        ("optional: [report.pdf]", "optional: [report.pdf, 'C:x']", "file-name", "'C:x'"),
        ("optional: [report.pdf]", "optional: [report.pdf, x/]", "file-name", "x/"),
        ("optional: [report.pdf]", "optional: [report.pdf, '']", "file-name", "''"),
        ("optional: [report.pdf]", "optional: [report.pdf, A.asm]", "duplicate-file", "A.asm"),
        ("optional: [report.pdf]", "optional: [report.pdf], student_id: '[0-9]*'", "empty-match", "'[0-9]*'"),
        ("sources: [a.asm]", "sources: [b.asm]", "source", "b.asm"),
        ("sources: [a.asm]", "sources: [a.asm, '*.s']", "source", "["),
        ("sources: [a.asm]", "sources: ['*.exe']", "source", "'*.exe'"),
        ("sources: [a.asm]", "sources: [a.asm, report.pdf]", "source", "["),
        ("sources: [a.asm]", "sources: [a.asm], profiles: [classic, classic]", "duplicate-profile", "classic"),
        ("sources: [a.asm]", "sources: [a.asm], profiles: [default, mars]", "foreign-profile", "mars"),
        ("language: lc3", "language: mips, profiles: [default]", "foreign-profile", "default"),
        ("reference: reference.py", "reference: refrence.py", "reference", "refrence.py"),
        ("reference: reference.py", "reference: .", "reference", "."),
        ("reference: reference.py", f"reference: {'long' * 99}", "reference", "long" * 99),
        ("reference: reference.py", "reference: small.yaml", "reference", "small.yaml"),
        ("reference: reference.py", "reference: /reference.py", "reference", "/reference.py"),
        ("reference: reference.py", 'reference: "reference.py\\0"', "reference", '"reference.py\\0"'),
        # text
        ("  echo: program", "  echo: program\n  blank: «", "blank-mark", "«"),
        ("  echo: program", "  echo: program\n  blank: b", "blank-mark", "b"),
        ("  echo: program", "  echo: program\n  blank: ' '", "blank-mark", "' '"),
        ('gap: [" ", ""]', 'gap: [" "]', "choice", "["),
        ('gap: [" ", ""]', 'gap: [" ", "", " "]', "choice", '" "'),
        ("lengths: [whom]}", "lengths: [whom, who]}", "unknown-group", "who"),
        ("lengths: [whom]}", "lengths: [whom]}, {name: greeting, pattern: x}", "duplicate-id", "greeting"),
        ("lengths: [whom]}", "lengths: [whom]}, {name: more, pattern: 'x*'}", "empty-match", "'x*'"),
        ("lengths: [whom]}", "lengths: [whom]}, {name: more, pattern: 'x(y)'}", "unnamed-group", "'x(y)'"),
        ("  criterion: format\n  echo", "  criterion: fromat\n  echo", "unknown-criterion", "fromat"),
        ("  criterion: format\n  echo", "  criterion: style\n  echo", "manual", "style"),
        ("price: 2, criterion: works", "price: 2, criterion: worsk", "unknown-criterion", "worsk"),
        ("price: 2, criterion: works", "price: 2, criterion: style", "manual", "style"),
        ("price: 2, criterion: works", "price: 7/2, criterion: works", "price", "7/2"),
        ("slips: {case: 1", "slips: {case: 2.5", "price", "2.5"),
        ("  criterion: format\n  echo", "  echo", "payer", "case"),
        ("  echo: program\n", "", "idle-slip", "echo"),
        ("Hello «gap»", "Hello «gab»", "unknown-choice", "«gab»"),
        ("Hello «gap»", "Hello «", "mark", "«"),
        ("Hello «gap»", "Hello »", "mark", "»"),
        ("‹B2›", "‹B2", "mark", "‹"),
        ("‹B2›", "B2›", "mark", "›"),
        ("‹B2›", "‹›", "empty-input", "‹›"),
        ("‹B2›\n", "‹B2› \n", "bare-blank", " "),
        ("‹B2›\n\n", "‹B2›\n         \n", "bare-blank", "   "),
        # rubric
        ("{id: works, points: 3,", "{id: works, points: 0,", "worthless", "0"),
        ("points: 2, title: Late", "points: 11, title: Late", "too-many-points", "11"),
        ("manual: true}", "manual: true, counts: each}", "manual", "counts"),
        ("rubric:\n", "rounding: 0\nrubric:\n", "rounding", "0"),
        ("- {id: late,", "- {id: style,", "duplicate-id", "style"),
        ("criterion: late, ", "", "undecided", "late"),
        # cases
        (PLAIN, PLAIN.replace("id: plain", "id: text"), "duplicate-id", "text"),
        (PLAIN, PLAIN.replace(", play: B2", ""), "kind", "{"),
        (PLAIN, PLAIN.replace("play: B2", "play: B2, manual: Why?"), "kind", "manual"),
        (PLAIN, PLAIN.replace("works", "work"), "unknown-criterion", "work"),
        (PLAIN, PLAIN.replace("works", "style"), "manual", "style"),
        (PLAIN, PLAIN.replace("play:", "defect: x, play:"), "defect", "defect"),
        (REFUSAL, REFUSAL.replace("defect: wrong-row, ", ""), "defect", "{"),
        (REFUSAL, REFUSAL.replace("criterion: refusals, ", ""), "defect", "defect"),
        (SAVED, f"{SAVED}, judges: [text]", "misplaced", "judges"),
        (SAVED, f"{SAVED}, facts: []", "misplaced", "facts"),
        ("judges: [text]", "facts: [nothing]", "unknown-fact", "nothing"),
        ("judges: [text]", "facts: []\n    mentions: [nothing]", "unknown-fact", "nothing"),
        ("judges: [text]", "mentions: [nothing]", "idle-mentions", "mentions"),
        (GAMES, f"{GAMES}, judges: [text]", "misplaced", "judges"),
        (GAMES, GAMES.replace("share: 1", "judges: []"), "judges", "["),
        ("judges: [text]", "judges: []", "judges", "["),
        # requires
        ("requires: [plain]", "requires: [plaine]", "unknown-case", "plaine"),
        ("requires: [plain]", "requires: [refusal]", "requires", "refusal"),
        ("requires: [plain]", "requires: [plain, plain]", "requires", "plain"),
        ("requires: [plain]", "requires: [ask]", "requires", "ask"),
        ("requires: [plain]", "requires: [games]", "visibility", "games"),
        ("requires: [plain]", "requires: [saved]", "visibility", "saved"),
        ("requires: [text]}", "requires: [saved]}", "visibility", "saved"),
        # single kinds
        (REPORT, "files: {handed_in_as: '[A-Z]+', example: lab}", "example", "lab"),
        (REPORT, "files: {folder: '[A-Z]+'}", "untold", "files"),
        (REPORT, "files: {present: a.pdf, example: a}", "idle-key", "example"),
        (REPORT, "files: {example: a}", "demands-nothing", "{"),
        (SAVED, "machine: {play: [B2]}", "demands-nothing", "{"),
        (SAVED, "machine: {play: [B2], calls: 1, results: [R0]}", "idle-key", "results"),
        (
            SAVED,
            "machine: {play: [B2], required_traps: [x25], forbidden_traps: [37]}",
            "contradiction",
            "required_traps",
        ),
        (SAVED, "machine: {play: [B2], forbidden_traps: [x23], minor: [R0]}", "idle-key", "minor"),
        (SAVED, f"{SAVED}, shows: {{returns: 2}}", "idle-key", "shows"),
        (SOURCE, "source: {required: [JSR]}, shows: 2", "idle-key", "shows"),
        (SOURCE, "source: {builds: false}", "demands-nothing", "{"),
        (SOURCE, "source: {required: [JSR], forbidden: [jsr]}", "contradiction", "required"),
        (FILES, "files: {pdf_pages: 1, folder: x}", "idle-key", "pdf_pages"),
        (FILES, "files: {present: raport.pdf}", "file", "raport.pdf"),
        (GAMES, GAMES.replace("share: 1", "share: 1.01"), "share", "1.01"),
        (GAMES, "differential: {games: 2, share: 1}", "idle-key", "share"),
        # games
        (GAMES, "game: legal", "demands-nothing", "{"),
        (GAMES, "game: legal, faults: [x]", "unknown-games", "legal"),
        (GAMES, f"{GAMES}, faults: [x]", "idle-key", "faults"),
        (GAMES, f"{GAMES}, shows: 2", "idle-key", "shows"),
        ("cases:\n", "games: {legal: {games: 2}}\ncases:\n", "idle-key", "legal"),
        ("cases:\n", "games: {legal: {games: 2, illegal: 3/2}}\ncases:\n", "share", "3/2"),
        # games that are explored
        ("cases:\n", "game: {pile: {}}\ncases:\n", "idle-key", "game"),
        ("cases:\n", "game: {pile: {}}\ngames: {legal: {games: 2}}\ncases:\n", "games-explored", "games"),
        (
            f"cases:\n  - {PLAIN}",
            f"game: {{pile: {{}}}}\ncases:\n  - {PLAIN}\n  - {{id: e, title: E, game: legal, faults: [x]}}",
            "unknown-games",
            "legal",
        ),
        # weights
        ("counts: kinds}", "counts: kinds, weights: {wrong-rwo: 2}}", "unknown-defect", "2"),
        ("counts: kinds}", "counts: kinds, weights: {wrong-row: 0}}", "worthless", "0"),
        ("title: Works}", "title: Works, weights: {wrong-row: 2}}", "idle-key", "weights"),
        # prices
        ("counts: kinds}", "counts: kinds, prices: {wrong-row: 9, wrong-rwo: 2}}", "unknown-defect", "2"),
        ("counts: kinds}", "counts: kinds, prices: {wrong-row: 0}}", "worthless", "0"),
        ("counts: kinds}", "counts: kinds, prices: {wrong-row: 1/100}}", "given-away", "prices"),
        ("counts: kinds}", "counts: kinds, prices: {wrong-rwo: 9}}", "unpriced", "prices"),
        ("counts: kinds}", "counts: kinds, weights: {wrong-row: 1}, prices: {wrong-row: 9}}", "idle-key", "prices"),
        ("title: Works}", "title: Works, prices: {wrong-row: 2}}", "idle-key", "prices"),
    ],
)
def test_a_broken_rule_is_told_where_it_is_broken(
    before: str, after: str, code: str, marked: str, changed: Changed
) -> None:
    """One change, one problem, at the key or value that is to blame."""
    assert (code, marked) in changed(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("optional: [report.pdf]", "optional: [report.pdf, src/x.asm, ..x, .hidden, a b.txt]"),
        ("optional: [report.pdf]", "optional: [report.pdf], student_id: '[0-9]+'"),
        ("sources: [a.asm]", "sources: [a.asm], profiles: [classic, default]"),
        ("sources: [a.asm]", "sources: ['*.asm', '*.lc3']"),
        ("required: [a.asm], optional: [report.pdf]", "required: [], optional: [report.pdf, a.asm]"),
        ("reference: reference.py", "reference: ../{folder}/reference.py"),
        ("  echo: program", "  echo: program\n  blank: ␣"),
        ("  echo: program", "  echo: program\n  blank: _"),
        ("lengths: [whom]}", "lengths: [whom]}, {name: more, pattern: 'x+'}"),
        ("lengths: [whom]}", "lengths: [whom]}, {name: more, pattern: '(?:x)(?P<y>y)'}"),
        ("slips: {case: 1", "slips: {case: 2"),
        ("price: 2, criterion: works", "price: 3, criterion: works"),
        ("price: 2, criterion: works", "price: whole, criterion: works"),
        ("{case: 1, wording: whole", "{case: 1, wording: forgive"),
        ("‹B2›\n", "‹B2›·\n"),
        ("‹B2›\n", "‹B2›«gap»\n"),
        ("‹B2›", "‹·2›"),
        ("points: 2, title: Late", "points: 10, title: Late"),
        ("rubric:\n", "rounding: 1/100\nrubric:\n"),
        (PLAIN, PLAIN.replace("criterion: works, ", "")),
        ("criterion: late, " + SOURCE, "criterion: late, review: true, " + SOURCE),
        ("visibility: hidden, ", "visibility: visible, "),
        ("visibility: staff, ", "visibility: hidden, "),
        (GAMES, GAMES.replace("share: 1", "judges: [ending]")),
        (SAVED, "machine: {play: [B2], calls: 1}"),
        (SAVED, "machine: {play: [B2], self_modification: false}"),
        (SAVED, "machine: {play: [B2], required_traps: [x25], forbidden_traps: [36]}"),
        (SOURCE, "source: {comments: 1/3}"),
        (FILES, "files: {folder: x, example: x}"),
        (GAMES, "differential: {games: 2}"),
        ("counts: kinds}", "counts: kinds, weights: {wrong-row: 1/2}}"),
        ("counts: kinds}", "counts: kinds, prices: {wrong-row: 9}}"),
    ],
)
def test_what_is_just_allowed_is_not_told(before: str, after: str, changed: Changed, tmp_path: Path) -> None:
    """The other side of each limit."""
    assert changed(before, after.replace("{folder}", tmp_path.name)) == []


def test_without_a_reference_nothing_may_need_one(small: str, diagnose: Diagnose) -> None:
    """``play`` and ``differential`` are told, each once with how many cases; a machine case and a transcript need none."""
    found = diagnose(small.replace("reference: reference.py\n", ""))
    assert [(d.code, d.span.text.split("id: ")[1][:5]) for d in found if d.span] == [
        ("no-reference", "plain"),
        ("no-reference", "games"),
    ]
    assert found[0].message.endswith("writes the text, here and in 1 more case")


def test_without_a_reference_a_choice_stands_in_a_transcript(small: str, diagnose: Diagnose) -> None:
    """Nobody else could print it; a reference could."""
    unused = small.replace("«gap»", "")
    assert diagnose(unused) == ()
    found = diagnose(unused.replace("reference: reference.py\n", ""))
    assert [d.message for d in found if d.code == "unused-choice"] == ["no transcript has the choice `gap`"]


@pytest.mark.parametrize("facts", [True, False])
def test_words_are_slips_only_beside_facts(facts: bool, small: str, diagnose: Diagnose) -> None:
    """A price for other words, missing or extra lines that could never be charged is a warning."""
    text = small.replace("wording: whole", "wording: whole, missing: 1, extra: 1")
    start = text.index("  facts:")
    without = text[:start] + text[text.index("\n", start) + 1 :]
    found = diagnose(text if facts else without)
    assert [(d.code, d.severity) for d in found] == ([] if facts else [("idle-slip", "warning")] * 3)


def test_points_there_must_be(small: str, diagnose: Diagnose) -> None:
    """A rubric of deductions alone has nothing to take them from."""
    text = small.replace("title: Late, kind: deduction", "title: Late")
    assert diagnose(text) == ()
    for old in (
        "title: Format}",
        "title: Works}",
        "title: Refusals, counts: kinds}",
        "title: Style, manual: true}",
        "title: Late}",
    ):
        text = text.replace(old, old[:-1] + ", kind: bonus}")
    assert [d.code for d in diagnose(text)] == ["no-points"]


def test_a_slip_alone_decides_a_criterion(small: str, diagnose: Diagnose) -> None:
    """A criterion without a case stands when a slip is charged to it, and falls when the slip is forgiven."""
    without = small.replace("title: Plain, criterion: works,", "title: Plain,")
    assert diagnose(without) == ()
    forgiven = without.replace("{price: 2, criterion: works}", "{price: forgive, criterion: works}")
    assert [d.code for d in diagnose(forgiven)] == ["undecided"]


def test_the_name_of_the_build_case_is_taken(changed: Changed) -> None:
    """Grading adds a case ``builds`` where none builds the program; with another name, or where one builds, all is well."""
    look = "{id: look, title: Look, criterion: late, source: {required: [JSR]"
    assert changed("{id: look, title", "{id: builds, title") == [("reserved", "builds")]
    assert changed(look, look.replace("id: look", "id: builds").replace("required", "builds: true, required")) == []
    assert changed("{id: look, title", "{id: built, title") == []


def test_circles_are_told_once_each(diagnose: Diagnose, small: str) -> None:
    """Two circles are two problems, each at its first case; a case that only leads to a circle is not one."""
    head = small[: small.index("rubric:")].replace(", echo: {price: 2, criterion: works}", "")
    head += "rubric:\n  - {id: format, points: 2, title: Format}\ncases:\n"
    requires = {"a": "c", "b": "a", "c": "b", "d": "a", "e": "f", "f": "e", "g": "", "h": "g"}
    rows = [f"  - {{id: {name}, title: T, play: B2, requires: [{other}]}}\n" for name, other in requires.items()]
    found = diagnose(head + "".join(rows))
    assert [d.message for d in found] == [
        "these cases require each other: `a` → `c` → `b` → `a`",
        "these cases require each other: `e` → `f` → `e`",
    ]
    open_end = rows[0].replace("[c]", "[]")
    assert [d.code for d in diagnose(head + open_end + "".join(rows[1:]))] == ["circle"]


def test_a_long_chain_is_no_crash(diagnose: Diagnose, small: str) -> None:
    """Thousands of cases, each requiring the next, are looked at without recursion."""
    head = small[: small.index("cases:")].replace("- {id: refusals", "- {id: more")
    rows = [f"  - {{id: c{n}, title: T, criterion: works, play: B2, requires: [c{n + 1}]}}\n" for n in range(3000)]
    last = "  - {id: c3000, title: T, criterion: works, play: B2, requires: [c0]}\n"
    found = diagnose(f"{head}cases:\n{''.join(rows)}{last}")
    assert [d.code for d in found if d.code == "circle"] == ["circle"]


def test_an_empty_transcript_is_told(small: str, diagnose: Diagnose) -> None:
    """A text with nothing in it can never have been meant; one character is enough."""
    start = small.index("transcript: |")
    end = small.index("  - {id: refusal,")
    for text, codes in (("''", ["empty-transcript"]), ('"\\n\\n"', ["empty-transcript"]), ("x", [])):
        found = diagnose(f"{small[:start]}transcript: {text}\n{small[end:]}")
        assert [d.code for d in found] == codes


@pytest.mark.parametrize(
    ("criterion", "case", "warned"),
    [
        ("counts: each", "criterion: works, requires: [plain]", True),
        ("counts: all", "criterion: works, requires: [plain]", False),
        ("counts: each", "criterion: works, unless: [plain]", False),
        ("counts: each", "criterion: refusals, defect: wrong-row, requires: [plain]", False),
    ],
)
def test_a_mistake_that_is_charged_twice_is_warned_of(
    small: str, diagnose: Diagnose, criterion: str, case: str, *, warned: bool
) -> None:
    """A case that requires one of its own criterion loses its share with it; `unless` does not, nor does where all must be met."""
    text = small.replace("{id: works,", f"{{{criterion}, id: works,").replace(
        PLAIN, f"{PLAIN}\n  - {{id: more, title: More, play: B2, {case}}}"
    )
    found = [(d.code, d.severity, d.hint) for d in diagnose(text) if d.code == "charged-twice"]
    hint = "`unless: [plain]` leaves `more` out then, and charges the mistake once"
    assert found == ([("charged-twice", "warning", hint)] if warned else [])

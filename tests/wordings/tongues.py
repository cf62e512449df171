"""The parts of a vocabulary: for each game the languages, and the manners in which programs are built."""

from __future__ import annotations

from dataclasses import dataclass

from tests.wordings.sentences import ONE_OTHER, Plural

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Menu:
    """Lines of a menu; what is typed to play; what is said to any other choice."""

    lines: tuple[str, ...]
    prompt: str
    play: str
    bad: str


@dataclass(frozen=True, slots=True)
class First:
    """A question who begins: what is typed for the program, and for the user."""

    question: str
    program: str = "0"
    user: str = "1"


@dataclass(frozen=True, slots=True)
class PileTongue:
    """One language for one pile: one sentence is drawn from several for each place in the dialogue.

    ``nouns`` are forms after numbers, by ``plural``; the last one also stands after "how many". ``results`` are what is said
    where the user wins, and where the program wins; ``last`` where the user, and where the program, took the last
    stone. In sentences ``{left}`` is the number of stones, ``{took}`` the number taken, or the input at a refusal.
    ``{after}`` is the number that a move leaves, ``{turn}`` the number of a turn.
    """

    code: str
    nouns: tuple[tuple[str, ...], ...]
    hello: tuple[str, ...]
    stones: tuple[str, ...]
    bad_stones: tuple[str, ...]
    first: tuple[First, ...]
    bad_first: tuple[str, ...]
    take: tuple[str, ...]
    bad_take: tuple[str, ...]
    too_many: tuple[str, ...]
    left: tuple[str, ...]
    takes: tuple[str, ...]
    results: tuple[Pair, ...]
    plural: Plural = ONE_OTHER
    first_otherwise: tuple[First, ...] = ()
    left_marks: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    rules: tuple[tuple[str, ...], ...] = ()
    pause: tuple[str, ...] = ()
    menu: tuple[Menu, ...] = ()
    name: tuple[str, ...] = ()
    greeting: tuple[str, ...] = ()
    retry: tuple[str, ...] = ()
    begins: tuple[Pair, ...] = ()
    thinks: tuple[str, ...] = ()
    took: tuple[str, ...] = ()
    last: tuple[Pair, ...] = ()
    again: tuple[tuple[str, str, str], ...] = ()
    turn: tuple[str, ...] = ()
    bye: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PileManners:
    """Manners of building a pile program.

    ``counted``: where it is told how many stones there are: ``before`` each move, ``after`` each move, ``both``, or only
    where the user is ``asked``. ``shown``: as a ``number``, a ``word``, ``marks``, or ``marks-and-number``. ``orders`` of the two
    questions: ``stones`` or ``first`` asked first. ``loops``: a wrong answer is refused in a loop that begins with the question
    (``question``), or in one that ends with another question (``retry``).
    """

    counted: tuple[str, ...]
    shown: tuple[str, ...]
    orders: tuple[str, ...]
    loops: tuple[str, ...]
    marks: tuple[str, ...]
    colours: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardTongue:
    """One language for four in a row.

    ``{player}`` moves, and ``{other}`` is the opponent; ``{low}`` and ``{high}`` are the first and the last label of a
    column. ``{left}`` is the number of undos left, ``{count}`` that of violations; ``{undo}`` and ``{keep}`` are
    inputs. ``player`` is what stands before the number or the mark of a player. ``undo`` asks after, or before, a
    column is judged; ``undo_key`` is added to the question for a column. ``results`` are for who wins, ``lost`` for who
    loses by violations. ``latin`` says that all of it is within Latin-1, which MARS can print; what is not is for SPIM,
    or written without accents.
    """

    code: str
    player: tuple[str, ...]
    column: tuple[str, ...]
    undo: tuple[tuple[str, str, str], ...]
    undo_key: tuple[str, ...]
    cannot: tuple[str, ...]
    missing: tuple[str, ...]
    full: tuple[str, ...]
    violation: tuple[str, ...]
    lost: tuple[str, ...]
    wins: tuple[str, ...]
    tie: tuple[str, ...]
    hello: tuple[str, ...]
    begins: tuple[str, ...]
    seed: tuple[str, ...]
    undone: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    rules: tuple[tuple[str, ...], ...] = ()
    menu: tuple[Menu, ...] = ()
    pause: tuple[str, ...] = ()
    names: tuple[Pair, ...] = ()
    pick: tuple[str, ...] = ()
    again: tuple[tuple[str, str, str], ...] = ()
    bye: tuple[str, ...] = ()
    latin: bool = True


@dataclass(frozen=True, slots=True)
class Layout:
    """How a board is drawn. Each line is ``start``, seven cells of ``open``, the mark and ``close``, and ``end``.

    ``between`` stands between two lines, ``head`` and ``foot`` before the first and after the last; in them ``{1}`` to ``{7}``
    are the labels of the columns. ``tall`` is how many lines a cell has: the mark is in the middle one. ``numbered`` is where
    the numbers of the rows stand: ``left``, ``right`` or nowhere. ``turned``: each line is a column, from the bottom.
    """

    name: str
    start: str = ""
    open: str = ""
    close: str = ""
    end: str = ""
    between: str = ""
    head: str = ""
    foot: str = ""
    tall: int = 1
    numbered: str = ""
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of both players and of an empty cell, all of one width where ``plain``; what players with these are called."""

    one: str
    two: str
    empty: str
    names: Pair | None = None


@dataclass(frozen=True, slots=True)
class BoardManners:
    """Manners of building a program for four in a row.

    ``undo``: a question ``after`` the piece has fallen, ``before`` the column is judged, or a ``key`` where the other player
    is asked for a column. ``called``: players are called by ``number``, ``mark`` or ``name``. ``starts``: system calls 42, 41 or
    30, 42 after a ``time`` seed, or a ``typed`` number. ``ends``: by ``exit`` (10), ``exit-with-code`` (17), ``return``, or
    ``off-end``.
    """

    layouts: tuple[Layout, ...]
    marks: tuple[Marks, ...]
    labels: tuple[str, ...]
    reads: tuple[str, ...]
    undo: tuple[str, ...]
    undo_keys: tuple[str, ...]
    called: tuple[str, ...]
    starts: tuple[str, ...]
    ends: tuple[str, ...]

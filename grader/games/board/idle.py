"""Programs with which no game can be played: they end or go on for ever whatever is typed, or break before a piece has fallen.

Only such a program is the cause that nothing was seen of it. Any other that leads to no board that fills is one that we could not read.
The questions of a program and the effects of each answer are a graph. A game is a way round in it, from one question for a move to the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from grader.checks.ending import faulty
from grader.games.board.corrections import tokens
from grader.games.board.grid import Rows, boards
from grader.games.board.labels import typeable
from grader.games.board.layout import families
from grader.games.board.opening import onward
from grader.games.board.rules import Labels, Rules
from grader.games.follow.following import Followed
from grader.games.follow.study import Game, whole
from grader.games.hear.picture import Picture
from grader.games.hear.runs import Run, Runs, SpentError
from grader.games.learn.questions import USUAL, allowed, alone, last_line, last_lines, mentioned, offered
from grader.games.learn.way import SIMULATED, Key, key_of, ways
from grader.values import dataclass

LONG = 30
"""Number of times that one column is typed: six pieces fill it, and three more are violations, by either player."""

SHORT = 3
"""Number of moves behind which no game is over."""

MOST_WAITS = 12
"""Maximum waits of a graph: a program with more of them is not known well enough to say that it plays no game."""

MOST_LOOKED_AT = 4_000
"""Maximum characters of a turn that are looked at."""

FURTHER = 1
"""Runs that may take too long after all others, to see why: a program that hangs at each move has used them up while it was read."""

OUTSIDE = ("9", "-1", "0", "8", "x")
"""Answers that name no move, in any of the ways to type them."""


def playless(rules: Rules, runs: Runs) -> tuple[Followed, ...] | None:
    """The games of a program with which none can be played; None if it may play one that could not be read."""
    first = runs.run(())
    if first.ending is not None:
        return whole([Game(first)])
    runs.go_on(FURTHER)
    graph = _Graph(rules, runs)
    runs.go_on(FURTHER)
    for find in (graph.ended_by_moves, graph.dead_ends, graph.standstill, graph.unmoved):
        try:
            result = find()
        except SpentError:
            continue  # what is known already may tell it
        if result:
            games = [Game(run) for run in result]
            for game in games:
                _note_question_again(rules, game)
            return whole(games)
    return None


def _note_question_again(rules: Rules, game: Game) -> None:
    """Note the first move behind which its question comes again, where the question names the first and the last move: no menu does."""
    # “Too few legal moves” did not say that the program refuses each of them.
    ways = [[label[0] for label in labels] for labels in rules.labels.values() if len(labels[0]) == 1]
    turns = game.run.turns
    for number, text in enumerate(game.run.taken):
        question = last_line(turns[number])
        offers = mentioned(turns[number])
        asks = any(text in moves and moves[0] in offers and moves[-1] in offers for moves in ways)
        if asks and question and question == last_line(turns[number + 1]):
            game.note(number + 2, "no-alternation", rules.words.same_question.format(move=text))
            return


@dataclass(frozen=True, slots=True)
class _Node:
    """A wait of the graph: the run that comes to it, and the run behind each answer that was tried there."""

    key: Key
    run: Run
    tried: Mapping[str, Run]

    @property
    def stops(self) -> list[Run]:
        """The runs of answers that end or break the program; those alone that break it, where any does."""
        ends = [run for run in self.tried.values() if run.ending is not None]
        return [run for run in ends if run.ending is not None and faulty(run.ending)] or ends

    @property
    def stops_as_told(self) -> bool:
        """Whether no game is behind it, where nothing else leads on.

        An answer breaks the program that its question names, or most answers do: one that nobody would type says nothing of a game. Or
        two answers that it offers end it: one of them should have played.
        """
        offers, stops = offered(self.run.output), self.stops
        texts = {run.answers[-1] for run in stops}
        if all(run.ending is not None and faulty(run.ending) for run in stops):
            return bool(texts & {*offers, *alone(self.run.output, 1)}) or 2 * len(stops) > len(self.tried)
        return len({text.casefold() for text in texts & set(offers)}) > 1

    def leads(self) -> set[Key]:
        """The other waits to which answers lead."""
        return {key_of(run.last) for run in self.tried.values() if run.ending is None} - {self.key}


class _Graph:
    """The waits of a program, those to which few and likely answers lead first."""

    def __init__(self, rules: Rules, runs: Runs) -> None:
        self.rules = rules
        self.runs = runs
        self.met: dict[Key, Run] = {}
        try:
            for _, run, again in ways(runs, SIMULATED):
                if not again:
                    self.met.setdefault(key_of(run.last), run)
        except SpentError:
            pass  # a program that hangs at each move is known by the first of them

    # ------------------------------------------------------------------------------------------- a question for a move

    def ended_by_moves(self) -> Sequence[Run]:
        """The runs of first moves that end the program at a question for one, where most do and no other leads on.

        Two things tell that a move is asked for. Each move ends the program and shows a piece in another place. Or answers that are
        no moves are refused: the program asks again. If first moves show such pieces and lead on, every second one must end it.
        """
        for run in self.met.values():
            for labels in self.rules.labels.values():
                for behind in ("", *self._behind_moves(run, labels)):
                    result = self._ended(run, labels, behind)
                    if result:
                        return result
        return ()

    def _ended(self, run: Run, labels: Labels, behind: str) -> Sequence[Run]:
        """The runs that end with the first or second move at this wait, where a move is asked for and no game goes on; ``behind`` is typed after each."""
        moves = self._first_moves(run, labels, behind)
        on = [one for one in moves if one.ending is None]
        over = [one for one in moves if one.ending is not None]
        shows = self._show_pieces(run, moves)
        if self._mostly_end(moves):
            asks = (shows and not on) or self._refuses(run, labels)
            return over if asks and all(self._mostly_end(self._first_moves(one, labels, behind)) for one in on) else ()
        # Of 20 mutants that were left to a person whole 4 ended or broke at each second piece.
        if not shows or any(one.last.place[:1] != run.last.place[:1] for one in on):
            return ()
        second = [two for one in on for two in self._first_moves(one, labels, behind)]
        return [*over, *second] if all(one.ending for one in second) else ()

    def _show_pieces(self, run: Run, moves: Sequence[Run]) -> bool:
        """Whether moves at this wait show a piece each, in places side by side."""
        grids = [Picture().lines("".join(one.turns[len(run.waits) :])) for one in moves]
        return bool(grids and families(grids, self.rules.fits))

    def _first_moves(self, run: Run, labels: Labels, behind: str = "") -> list[Run]:
        """The runs behind the moves into the lowest cells, at this wait; none where they cannot be typed, or no more runs are made."""
        if not typeable(labels, run.last.wants):
            return []
        answers = (labels[self.rules.stack(column, 1)[0]] for column in range(self.rules.columns))
        moves = (self.runs.run((*run.answers, *label)) for label in answers)
        return [one if not behind or one.ending else self.runs.run((*one.answers, behind)) for one in moves]

    def _behind_moves(self, run: Run, labels: Labels) -> list[str]:
        """What can be typed at a menu that comes behind most first moves, where it ends the program or leads to the next move, and nothing else does more."""
        first = self._first_moves(run, labels)
        moves = [one for one in first if one.ending is None]
        places = {one.last.place[:1] for one in moves}
        if len(moves) < self.rules.fits or run.last.place[:1] in {(), *places} or not self._show_pieces(run, first):
            return []
        ways = [
            {
                text: self.runs.run((*one.answers, text))
                for text in allowed((*offered(one.output), *onward(one)), one.last.wants)
            }
            for one in moves
        ]
        leads = [
            {text for text, after in some.items() if after.ending or key_of(after.last) != key_of(one.last)}
            for one, some in zip(moves, ways, strict=True)
        ]
        # “q” ends a game that only could not be read.
        only = set.union(*leads)
        return [*only] if len(only) == 1 else []

    @staticmethod
    def _mostly_end(moves: Sequence[Run]) -> bool:
        return 2 * sum(one.ending is not None for one in moves) > len(moves)

    def _refuses(self, run: Run, labels: Labels) -> bool:
        """Whether a question is asked again behind two answers that are no moves."""
        return len(self._refused(run, labels)) > 1

    def _refused(self, run: Run, labels: Labels) -> list[Run]:
        """The runs behind answers that are no moves, where the question is asked again."""
        moves = {text for label in labels for text in label}
        # Of 60 mutants that were left to a person 12 break or end at their first piece. One that also refuses what
        # is no move has asked for a move, though nothing works behind the question.
        others = [text for text in allowed(OUTSIDE, run.last.wants) if text in OUTSIDE and text not in moves]
        trials = (self.runs.run((*run.answers, text)) for text in others)
        return [one for one in trials if one.ending is None and key_of(one.last) == key_of(run.last)]

    # -------------------------------------------------------------------------------------------------------- dead ends

    def dead_ends(self) -> Sequence[Run]:
        """The runs that end or break the program before any game, where each way leads there or only round the same pages."""
        if len(self.met) > MOST_WAITS:
            return ()
        nodes = {key: _Node(key, run, self._trials(run)) for key, run in self.met.items()}
        if any(not node.leads() <= nodes.keys() for node in nodes.values()):
            return ()
        dead = [node for node in nodes.values() if node.stops and not self._beyond(node, nodes)]
        keys = {node.key for node in dead}
        while True:
            more = {node.key for node in nodes.values() if node.leads() & keys} - keys
            if not more:
                break
            keys |= more
        if keys != nodes.keys() or any(self._moves_on(run) for run in self.met.values()):
            return ()
        return [run for node in dead if node.stops_as_told for run in node.stops]

    def _trials(self, run: Run) -> dict[str, Run]:
        """The runs behind answers at a wait: those that it offers, and usual ones; a word only where one can be read."""
        labels = [text for labels in self.rules.labels.values() for label in labels for text in label]
        offers = offered(run.output)
        texts = allowed((*offers, *USUAL, *labels, *OUTSIDE), run.last.wants)
        # A word may break a native program that reads a number, which nobody may charge.
        answers = [text for text in texts if run.last.place or text in offers or not text.isalpha()]
        return {text: self.runs.run((*run.answers, text)) for text in answers}

    def _beyond(self, node: _Node, nodes: Mapping[Key, _Node]) -> set[Key]:
        """The waits to which a node leads, without pauses that only lead back."""
        return {key for key in node.leads() if not nodes[key].leads() <= {node.key}}

    def _moves_on(self, run: Run) -> bool:
        """Whether something that is typed again and again shows another text each time, or most moves show texts of their own."""
        grows = (_grows(self.runs.run((*run.answers, *(text,) * LONG))) for text in self._texts(run))
        return self._tells_apart(run) or any(grows)

    def _tells_apart(self, run: Run) -> bool:
        """Whether most moves show texts of their own at this wait."""
        for labels in self.rules.labels.values():
            # The board that is shown last: a program may show a piece, and the empty board again.
            moves = self._first_moves(run, labels)
            views = {("\n".join(last_lines(one.output, self.rules.rows + 3)), one.answers[-1]) for one in moves}
            # A menu of three items, each with a page, shows four texts.
            if len(_unlike(views)) >= self.rules.fits:
                return True
        return False

    def _texts(self, run: Run) -> list[str]:
        """What may be typed for a move, those that the question offers first: a game with other answers shows right refusals."""
        offers = mentioned(run.output)
        every = {text for labels in self.rules.labels.values() for label in labels for text in label}
        texts = sorted(every, key=lambda text: (text not in offers, text))
        return [text for text in allowed(texts, run.last.wants) if text in texts]

    # ------------------------------------------------------------------------------------------------------- standstill

    def standstill(self) -> Sequence[Run]:
        """The runs of a program that shows an empty board, or a menu, and goes on without a change whatever is typed.

        Those come first that were asked most: thirty answers at the question for a mark show nothing of a board.
        """
        blocks = (map(str.rstrip, text.split("\n")) for run in self.met.values() for text in self._shown(run))
        rows = (one for lines in blocks for one in boards(self.rules, [*lines]))
        empty = (bool(one.usual.strip()) and not any(one.pieces()) for one in rows)
        if len(self.met) > MOST_WAITS or not (any(empty) or self._offers_in_vain()):
            return ()
        if any(self._moves_on(run) or self._takes_words(run) for run in self.met.values()):
            return ()
        # A program that took cells in German words refused all numbers, and was charged with taking no cell.
        if not self.rules.falls and not any(self._names_move(run) for run in self.met.values()):
            return ()
        runs = self._long()
        return sorted(runs, key=lambda run: (-len(_questions(run)), -len(run.waits)))

    def _long(self) -> Sequence[Run]:
        """The runs in which one text is typed again and again at a wait; none if a game seems to be over in one, or moves differ at another wait.

        Such a wait is the offer to take a move back, which comes behind the second piece that nobody sees.
        """
        runs: list[Run] = []
        for run in self.met.values():
            tried = [self.runs.run((*run.answers, *(text,) * LONG)) for text in self._texts(run)]
            if any(one.ending is not None and len(one.taken) - len(run.answers) > SHORT for one in tried):
                return ()
            runs += tried
        more: dict[Key, Run] = {}
        for one in runs:
            for number, wait in enumerate(one.waits):
                if wait.ending is None and key_of(wait) not in {**self.met, **more}:
                    more[key_of(wait)] = self.runs.run(one.answers[:number])
        return () if len(self.met) + len(more) > MOST_WAITS or any(map(self._tells_apart, more.values())) else runs

    def unmoved(self) -> Sequence[Run]:
        """The runs of a program that takes moves, since it refuses other answers, and shows the same empty board behind each of them."""
        for run in self.met.values() if len(self.met) <= MOST_WAITS else ():
            for labels in self.rules.labels.values():
                if self._takes(run, labels):
                    moves = (labels[self.rules.stack(column, 1)[0]] for column in range(self.rules.columns))
                    long = [self.runs.run((*run.answers, *label * LONG)) for label in moves]
                    if self._is_still([*long, *self._between(run, long)]) and all(
                        sum(any(self._boards(text)) for text in one.turns) > SHORT for one in long
                    ):
                        return long
        return ()

    def _takes(self, run: Run, labels: Labels) -> bool:
        """Whether all first moves have the same effect at a wait, and two answers that are no moves another one: they are refused."""
        moves, refused = self._first_moves(run, labels), self._refused(run, labels)
        views = {(one.output, one.answers[-1]) for one in moves}
        if not moves or len(refused) < 2 or any(one.ending for one in moves) or len(_unlike(views)) > 1:
            return False
        return all(len(_unlike({*views, (one.output, one.answers[-1])})) > 1 for one in refused)

    def _between(self, run: Run, long: Sequence[Run]) -> Iterator[Run]:
        """The runs behind other answers at questions between moves: “Sure? y/n” takes any number for a no."""
        seen = {key_of(run.last)}
        for one in long:
            for number, wait in enumerate(one.waits):
                if wait.ending is None and key_of(wait) not in seen and number > len(run.answers):
                    seen.add(key_of(wait))
                    asked = self.runs.run(one.answers[:number])
                    yield from (self.runs.run((*asked.answers, text)) for text in onward(asked))

    def _boards(self, text: str) -> Iterator[Rows]:
        return boards(self.rules, [*map(str.rstrip, text.split("\n"))])

    def _is_still(self, some: Iterable[Run]) -> bool:
        """Whether these runs show one board alone, and an empty one."""
        shown = [[*self._boards(text[-MOST_LOOKED_AT:])] for run in some for text in run.turns]
        empty = not any(any(one.pieces()) or not one.usual.strip() for found in shown for one in found)
        return empty and len({tuple(one.lines for one in found) for found in shown if found}) == 1

    def _offers_in_vain(self) -> bool:
        """Whether the first question offers keys or numbers, and only the same question comes behind each: its menu takes nothing.

        A quiz asks again as well, but says “too low” before that.
        """
        first = self.runs.run(())
        texts = (*offered(first.output), *alone(first.output, 1)) if first.last.wants != "line" else ()
        offers = set(allowed(texts, first.last.wants)) & set(texts)
        behind = [self.runs.run((text,)) for text in sorted(offers)]
        again = (one.ending is None and one.output.strip() and first.output.endswith(one.output) for one in behind)
        return len({text.casefold() for text in offers}) > 1 and all(again)

    def _names_move(self, run: Run) -> bool:
        """Whether a question has something that was typed for a cell: another may want it in words, or in a way that we do not know."""
        words = set(tokens("\n".join(last_lines(run.output, SHORT))))
        return any(set(tokens(" ".join(label))) <= words for labels in self.rules.labels.values() for label in labels)

    def _takes_words(self, run: Run) -> bool:
        """Whether a word that a question offers leads to another one, “row (top, middle, bottom)?”: moves may be typed in such words."""
        # Numbers alone were typed: a right program for tic-tac-toe lost 90 of 100 points as one that stands still.
        words = (text for text in allowed(offered(run.output), run.last.wants) if len(text) > 1 and text.isalpha())
        behind = (self.runs.run((*run.answers, text)) for text in words)
        return any(one.ending is None and key_of(one.last) != key_of(run.last) for one in behind)

    def _shown(self, run: Run) -> Sequence[str]:
        """The texts at a wait, and behind short answers there."""
        answers = allowed(("1", "2", "0", "y", "X"), run.last.wants)
        return [run.output, *(self.runs.run((*run.answers, text)).output for text in answers)]


def _unlike(views: Iterable[tuple[str, str]]) -> Sequence[str]:
    """The texts that differ in more than the echo of what was typed, which comes with each: “Sure about 3? y/n”."""
    different: list[tuple[str, str]] = []
    for text, echo in sorted(views):
        pairs = ((zip(text, other, strict=False), answer) for other, answer in different if len(other) == len(text))
        if not any(all(a == b or (a, b) == (echo, answer) for a, b in signs) for signs, answer in pairs):
            different.append((text, echo))
    return [text for text, _ in different]


def _questions(run: Run) -> set[Key]:
    """The different questions of a run, without its end."""
    return {key_of(wait) for wait in run.waits if wait.ending is None}


def _grows(run: Run) -> bool:
    """Whether another text is shown again and again: then something falls, though no board was found into which all columns fall."""
    texts: set[str] = set()
    count = 0
    for number, text in enumerate(run.turns):
        shape = re.sub(r"\d+", "#", text[-MOST_LOOKED_AT:])
        count += number > SHORT and shape not in texts
        texts.add(shape)
    return count > 1

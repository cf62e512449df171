"""Rulings on how games were said to have ended, once all ends of a program are known."""

from __future__ import annotations

from dataclasses import replace

from grader.games.board.corrections import L, W, tokens
from grader.games.board.dialogue import Opening
from grader.games.board.ends import Account, End
from grader.games.board.rules import EMPTY, OTHER, Rules
from grader.games.board.starting import first_words
from grader.games.board.telling import ABOVE, NO_LINE, RIGHT, WHOLE, WRONG, Names, Telling, by_ends, names
from grader.games.hear.names import named_winner
from grader.games.referee import UNREAD as UNREAD_FAULT
from grader.values import dataclass


def ruled(account: Account, opening: Opening) -> Telling:
    """Rule on all ends."""
    dialogue = opening.dialogue
    corrections = dialogue.corrections
    strip = dialogue.without_boards
    marks = {player: dialogue.picture.shown(sign) for sign, player in dialogue.layout.marks.items()}
    usual = [text for _, _, text in account.turns[:60]]
    prompts = [(OTHER[mover], strip(prompt)) for mover, prompt, _ in account.turns[:60]]
    called: Names = names(prompts, marks)
    if corrections.players:
        words = {
            token
            for text in (*(prompt for _, prompt in prompts), *(end.text for end in account.ends))
            for token in tokens(text)
        }
        turned = corrections.players[0] & called.prompts["B"] or corrections.players[1] & called.prompts["A"]
        if corrections.players[0] & words and corrections.players[1] & words and not turned:
            called = Names(dict(zip("AB", corrections.players, strict=True)), marks)
        elif not turned:
            corrections.refuse("players", "the program calls no player by this name")
        else:
            for key in ("players", "winner", "loser"):  # lines are read by the names in them
                corrections.refuse(key, "the program's questions call the other player by this name")
            corrections = replace(corrections, players=None, winner=None, loser=None)
    usual_lines = {line for text in usual for line in strip(text).split("\n")}
    if not any(called.prompts.values()):
        called = by_ends(account.ends, first_words(opening, strip, usual_lines), marks) or called
    if not any(called.prompts.values()):  # “Player 2, press any key” comes before a question that names nobody
        called = names([(OTHER[mover], strip(text)) for mover, _, text in account.turns[:60]], marks, ABOVE)
    telling = Telling(called, account.ends, usual, strip, corrections)
    if not telling.naming and any(called.prompts.values()):
        # A mark may be a word, as `o` is in Portuguese; and who is “⭕” in the question may be “O” in the lines above it, and at the end.
        others = [Names(called.prompts, {}, called.prompted), names(prompts, marks, WHOLE)]
        # A prompt may run the number of a player into another one, or call the players by names that no result has.
        others += filter(None, [by_ends(account.ends, first_words(opening, strip, usual_lines), marks)])
        tellings = (Telling(one, account.ends, usual, strip, corrections) for one in others)
        telling = next((one for one in tellings if one.naming), telling)
    if not telling.naming and called.prompted:
        telling.take_either()
    telling.heed()
    rulings = _Rulings(dialogue.rules, telling, dialogue.layout.drawn)
    for end, lines in telling.ends:
        getattr(rulings, end.by if end.winner else "early")(end, lines)
    return telling


@dataclass(frozen=True)
class _Rulings:
    """The rulings on the ends of games, by how each has ended. Boards that are ``printed`` have their results beside them."""

    rules: Rules
    telling: Telling
    printed: bool

    def line(self, end: End, lines: list[str]) -> None:
        how = self.telling.of_win(lines)
        if (how == NO_LINE or not self.telling.naming) and any(line in self.telling.ties for line in lines):
            # Who does not see a line announces a tie where it is completed by the last piece.
            names = {
                name for name, cells in self.rules.lines if all(end.position[cell] == end.winner for cell in cells)
            }
            causes = tuple(f"missed-{name}" for name in sorted(names))
            end.fault("false-tie", self.rules.words.tie_after_line, causes=causes)
        elif how in (RIGHT, WRONG):
            end.game.saw("won-1" if end.winner == end.beginner else "won-2")
            if how == WRONG:
                end.fault("wrong-winner", "it names the wrong player as the winner")
        elif self.printed and not lines and end.run.ending is not None:
            # A program that stopped at four in a line without a word was left to a person, who can read no more in it.
            end.game.saw("won-1" if end.winner == end.beginner else "won-2")
            end.fault("wrong-winner", "the game ends, but the program names no winner")
        else:
            end.fault("unclear-result", "we could not read whom the program names as the winner")

    def board(self, end: End, lines: list[str]) -> None:
        telling = self.telling
        if any(line in telling.wins for line in lines) and not any(line in telling.ties for line in lines):
            end.fault("false-win", self.rules.words.winner_without_line)
        elif not lines and telling.naming and end.run.ending is not None:
            # A program that says the result of each win, and stops at a full board without a word, announces no tie.
            end.fault(
                "missed-tie", "the board is full and the game ends, but the program does not say that it is a tie"
            )

    def violations(self, end: End, lines: list[str]) -> None:
        how = self.telling.of_loss(lines)
        if how in (RIGHT, WRONG):
            end.game.saw("lost")
            if how == WRONG:
                # One line that named the other player at each end was charged for both.
                end.fault("wrong-loser", "after a third violation it names the wrong winner", causes=("wrong-winner",))
        else:
            end.fault("unclear-loser", "we could not read who loses by violations")

    def early(self, end: End, lines: list[str]) -> None:
        announced = self.telling.announces(lines)
        # If no game ends by a line, nobody has learned how a winner is announced: the words of winning tell it.
        if not announced and not self.telling.wins and any(named_winner((W, L), line) is not None for line in lines):
            announced = "win"
        # A tie may be announced some pieces too early, where none is announced at its time: no player is named.
        nearly_full = end.position.count(EMPTY) < self.rules.columns
        if announced == "win":
            end.fault("false-win", self.rules.words.win_without_line)
        elif announced or (nearly_full and not any(W in line or L in line for line in lines)):
            end.fault("false-tie", "it announces a tie before the board is full")
        elif end.by == "unknown":
            end.fault(UNREAD_FAULT, "we could not read what it asks for", stops=True)
        else:
            end.fault("ended-early", "the game ends before anybody has won")

"""Questions of a game that are none for a move: what any answer passes, and what is asked behind its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.games.pile.play import Play
from grader.games.pile.plays import Player
from grader.games.pile.talk import Talk
from grader.reading.keys import key
from grader.reading.runs import Runs

LONG = 5
"""A game with so many stones has a move of the user, and its first question is no end."""


def with_pauses(runs: Runs, player: Player) -> Talk:
    """The talk with what is asked behind the end of every game, and the pauses in it."""
    talk = player.talk
    played = player.samples()
    games = [_keys(play, talk) for play in played]
    moves = {keys[0] for keys, play in zip(games, played, strict=True) if keys and play.stones >= LONG}
    ended = [keys for keys, play in zip(games, played, strict=True) if play.over is not None]
    talk = replace(talk, after=_behind(ended or games) - moves)  # a program that plays on has no end in those games
    within = {name for keys in games for name in keys if keys.count(name) > 1} - talk.after
    if len(within) < 2:
        return talk
    return replace(talk, pauses=frozenset(name for name in within if _is_pause(runs, player.usual, name, talk)))


def _keys(play: Play, talk: Talk) -> list[str]:
    """The keys of the waits of a game; where it says the same for ever the last one once."""
    outputs = [wait.output for wait in play.run.waits[play.opening : play.end + (play.over is None)]]
    keys = [key(output, talk.level) for output in outputs]
    while play.over is None and len(keys) > 1 and keys[-1] == keys[-2]:
        keys.pop()
    return keys


def _behind(games: Sequence[Sequence[str]]) -> frozenset[str]:
    """The questions that come in every game, once each, with none behind them that does not."""
    common = {name for name in games[0] if all(keys.count(name) == 1 for keys in games)}
    behind: set[str] = set()
    for name in reversed(games[0]):
        if name not in common or any(set(keys[keys.index(name) + 1 :]) - behind for keys in games):
            break
        behind.add(name)
    return frozenset(behind)


def _is_pause(runs: Runs, play: Play, name: str, talk: Talk) -> bool:
    """Whether any answer at this question brings the same, and the program goes on."""
    waits = play.run.waits
    at = next(n for n in range(play.opening, len(waits)) if key(waits[n].output, talk.level) == name)
    if at >= len(play.run.answers) or at + 1 >= len(waits) or key(waits[at + 1].output, talk.level) == name:
        return False
    answers = play.run.answers
    return all(
        [w.output for w in runs.run((*answers[:at], text, *answers[at + 1 :])).waits[at + 1 :]]
        == [w.output for w in waits[at + 1 :]]
        for text in ("2", "")
    )

"""Questions in a game other than for a move: pauses that any answer passes, and questions behind its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.games.hear.slots import key
from grader.games.hear.truth import Likeness, alike, future
from grader.games.pile.plays import Player
from grader.games.pile.rounds import Play
from grader.games.pile.talk import Part, Talk

LONG = 5
"""A game with so many stones has a move of the user, and its first question is no end."""


def with_pauses(player: Player, plays: Sequence[Play] = ()) -> Player:
    """A player who knows what is asked behind the end of every game, and the pauses in it; ``plays`` are games that end, where samples do not."""
    talk = player.talk
    plays = plays or player.samples()
    games = [_keys(play, talk) for play in plays]
    moves = {keys[0] for keys, play in zip(games, plays, strict=True) if keys and play.stones >= LONG}
    ends = [keys for keys, play in zip(games, plays, strict=True) if play.over is not None]
    after = _behind(ends or games) - moves  # a program that plays on has no end in those games
    within = {name for keys in games for name in keys if keys.count(name) > 1} - after
    pauses = {name for name in within if _is_pause(player, name)} if len(within) > 1 else ()
    return player.with_talk(after=after, pauses=frozenset(pauses))


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


def _is_pause(player: Player, name: str) -> bool:
    """Whether any answer at this question brings the same, and the program goes on."""
    play, level = player.usual, player.talk.level
    answers, turns = play.run.answers, play.run.turns
    at = next((n for n in range(play.opening, len(turns)) if key(turns[n], level) == name), len(turns))
    if at >= len(answers) or at + 1 >= len(turns) or key(turns[at + 1], level) == name:
        return False
    others = (player.runs.run((*answers[:at], text, *answers[at + 1 :])) for text in ("2", ""))
    return all(other.turns[at + 1 :] == turns[at + 1 :] for other in others)


def behind_refusals(player: Player, plain: Play, wrong: Mapping[Part | None, str]) -> Mapping[Part | None, str]:
    """The keys of pauses that come behind wrong answers alone, by the question; None stands for that for a move.

    There any answer is swallowed, and then the question comes again: "Must be positive! Press Enter".
    """
    runs, talk = player.runs, player.talk
    usual = {key(wait.output, talk.level) for wait in plain.run.waits}
    pauses: dict[Part | None, str] = {}
    for part, text in wrong.items():
        at = plain.move_waits[0] if part is None else talk.place(part)
        lead = plain.run.answers[:at]
        question = key(plain.run.waits[at].output, talk.level)
        refusal = runs.run((*lead, text))
        name = key(refusal.output, talk.level)
        if refusal.ending is None and name not in (*usual, question):
            went = runs.run((*lead, text, "", *plain.run.answers[at:]))
            outputs = [wait.output for wait in went.waits]
            again = len(outputs) > at + 2 and key(outputs[at + 2], talk.level) == question
            last = len(plain.run.waits) - 1 - plain.end
            later = future(outputs[at + 3 : len(outputs) - last], ended=plain.over is not None)
            if again and alike(plain.future(at), later) is not Likeness.NONE:
                pauses[part] = name
    return pauses

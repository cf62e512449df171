"""The ears for a heap game with its own words: learned by playing it, with corrections of staff."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from grader.games.event import Asked, Shown
from grader.games.follow.following import Rulings
from grader.games.heaps import lessons, two_players, words
from grader.games.heaps.corrections import Corrections, rows
from grader.games.heaps.duel import Duel
from grader.games.heaps.hearing import Wording
from grader.games.heaps.inferring import Inferring
from grader.games.heaps.learning import played
from grader.games.heaps.speaking import OwnWords, Speaker
from grader.games.heaps.telling import Walks
from grader.games.hear.runs import PATIENCE, Runs, SpentError
from grader.games.learn.table import settings
from grader.grading.dialects import Ears, corrected
from grader.results import Learned

MOST_RUNS = 2_500
"""Maximum runs to learn one program's words."""


def own_words(usual: Ears, duel: Duel) -> Ears:
    """The ears for a program, as learned and corrected by staff; the ``usual`` ones if nothing was learned."""
    trial, profile, alone = usual.trial, usual.profile, duel.game.computer
    # A program for two may hang at ways of typing moves that it does not know; the search for the right way must go on.
    runs = Runs(lambda seed: trial.start(profile, seed=seed), most=MOST_RUNS, patience=PATIENCE if alone else MOST_RUNS)
    if alone:
        trial.memory.runs[profile] = runs

    def learn(corrections: Mapping[str, str]) -> Ears:
        given = settings(Corrections, rows(duel), corrections)
        try:
            known = (_against_computer if alone else _of_two)(usual, runs, duel, given)
            return known or replace(usual, learned=lessons.unread(runs, duel, given))
        except SpentError:
            return usual

    known = corrected(trial, learn)
    if not alone:
        runs.look(None)  # nobody asks for them again, and two hundred sessions that wait may hold 40 MiB
    return known


def _against_computer(usual: Ears, runs: Runs, duel: Duel, given: Corrections) -> Ears | None:
    player = played(runs, duel, given)
    if player is None or not runs.steady:
        return None
    wording = words.learn(player, given)
    heard = _ears(usual, wording, lessons.learned(player, wording, given))
    if not isinstance(wording.display, Walks):
        return heard
    inferring = Inferring(heard.referee, wording, player.waits)
    # It finds out between two games what it lacked in the first, and rules otherwise then.
    rulings = Rulings(inferring.referee(), heard.rulings.reader, pure=False)
    return replace(heard, rulings=rulings, look=inferring.look, looks=bool(duel.sizes))


def _of_two(usual: Ears, runs: Runs, duel: Duel, given: Corrections) -> Ears | None:
    """The ears for two players; None if no way to type moves works. The patterns still read what they can."""
    begun = duel.game.events(usual.rulings.reader.read(runs.run(()).output, ended=False, wants="key"))
    read = {Shown, Asked} <= set(map(type, begun))
    wording = two_players.learn(runs, duel, given, usual=not read)
    return None if wording is None else _ears(usual, wording, two_players.lessons(wording, given))


def _ears(usual: Ears, wording: Wording, learned: Learned) -> Ears:
    referee, reader = Speaker(usual.referee, wording).referee(), OwnWords(wording, usual.rulings.reader)
    notes = {"own-words": f"it is followed in words of its own: {wording.sentence}"}
    return replace(usual, rulings=Rulings(referee, reader), learned=learned, notes=notes)

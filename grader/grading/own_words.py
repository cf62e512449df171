"""Who hears a program of heaps that talks in words of its own: what is learned by playing it, as staff have set it."""

from __future__ import annotations

from dataclasses import replace

from grader.games.event import Asked, Shown
from grader.games.heaps import lessons, two_players, words
from grader.games.heaps.corrections import NOTHING_SET, Corrections, rows
from grader.games.heaps.duel import Duel
from grader.games.heaps.hearing import Wording
from grader.games.heaps.inferring import Inferring
from grader.games.heaps.learning import played
from grader.games.heaps.speaking import OwnWords, Speaker
from grader.games.heaps.walks import Walks
from grader.games.learn.table import settings
from grader.grading.trial import Trial, as_corrected
from grader.grading.wording import Ears
from grader.reading.learned import Learned
from grader.reading.runs import PATIENCE, Runs, SpentError

MOST_RUNS = 2_500
"""Maximum runs per program that are made to learn how it talks."""


def heard_in_own_words(trial: Trial, profile: str, usual: Ears, duel: Duel) -> Ears:
    """Who hears a program, as it was learned and as staff have set it; by the ``usual`` where nothing was learned."""
    alone = duel.game.computer
    # A program for two may hang in many a manner of typing moves that is not its own, which must not end the search for its own.
    runs = Runs(lambda seed: trial.start(profile, seed=seed), most=MOST_RUNS, patience=PATIENCE if alone else MOST_RUNS)
    if alone:
        trial.memory.runs[profile] = runs

    def heard(given: Corrections) -> Ears:
        try:
            known = _against_computer(usual, runs, duel, given) if alone else _of_two(usual, runs, duel, given)
            if known is None:
                return replace(usual, learned=lessons.unread(runs, duel, given))
        except SpentError:
            return usual
        return known

    known = heard(NOTHING_SET)
    values = trial.corrections.get(known.learned.wording, {})
    if values:
        again = heard(settings(Corrections, rows(duel), values))
        known = replace(again, learned=as_corrected(known.learned, again.learned, values))
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
    return replace(heard, referee=inferring.referee(), look=inferring.look, looks=bool(duel.sizes))


def _of_two(usual: Ears, runs: Runs, duel: Duel, given: Corrections) -> Ears | None:
    begun = duel.game.events(usual.reader.read(runs.run(()).output, ended=False, wants="key"))
    read = {Shown, Asked} <= set(map(type, begun))
    wording = two_players.learn(runs, duel, given, usual=not read)
    return None if wording is None else _ears(usual, wording, two_players.lessons(wording, given))


def _ears(usual: Ears, wording: Wording, learned: Learned) -> Ears:
    return Ears(Speaker(usual.referee, wording).referee(), OwnWords(wording, usual.reader), wording.sentence, learned)

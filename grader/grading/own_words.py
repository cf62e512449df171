"""Who hears a program of heaps that talks in words of its own: what is learned by playing it, as staff have set it."""

from __future__ import annotations

from dataclasses import replace

from grader.games.heaps import lessons, two_players, words
from grader.games.heaps.corrections import NOTHING_SET, Corrections, rows
from grader.games.heaps.duel import Duel
from grader.games.heaps.inferring import Inferring
from grader.games.heaps.learning import played
from grader.games.heaps.speaking import OwnWords, Speaker
from grader.games.heaps.walks import Walks
from grader.games.learn.table import settings
from grader.grading.trial import Trial, as_corrected
from grader.grading.wording import Ears, left_after_a_move, places, stands_still
from grader.reading.runs import PATIENCE, Runs, SpentError

MOST_RUNS = 2_500
"""Maximum runs per program that are made to learn how it talks."""


def heard_in_own_words(trial: Trial, profile: str, usual: Ears, duel: Duel) -> Ears:
    """Who hears a program, as it was learned and as staff have set it; by the ``usual`` where nothing was learned."""
    alone = duel.game.computer
    # A program may hang in many a manner of typing moves that is not its own. On a simulated machine that costs no time.
    runs = Runs(lambda seed: trial.start(profile, seed=seed), most=MOST_RUNS, patience=PATIENCE if alone else MOST_RUNS)
    if alone:
        trial.memory.runs[profile] = runs

    def heard(given: Corrections) -> Ears:
        try:
            if alone:
                return _by_playing(usual, runs, duel, given)
            return _by_trying(trial, profile, usual, runs, duel, given)
        except SpentError:
            return usual

    first = heard(NOTHING_SET)
    values = trial.corrections.get(first.learned.wording, {})
    if not values:
        return first
    again = heard(settings(Corrections, rows(duel), values))
    return replace(again, learned=as_corrected(first.learned, again.learned, values))


def _by_playing(usual: Ears, runs: Runs, duel: Duel, given: Corrections) -> Ears:
    """Who hears a game against the computer; by the patterns, where it was not learned."""
    player = played(runs, duel, given)
    if player is None or not runs.steady:
        return replace(usual, learned=lessons.unread(runs, duel, given))
    wording = words.learn(player, duel, given)
    referee = Speaker(usual.referee, wording).referee()
    learned = lessons.learned(player, wording, given)
    heard = Ears(referee, OwnWords(wording), words.sentence(wording), learned)
    if not isinstance(player.talk.entry.display, Walks):
        return heard
    inferring = Inferring(referee, wording, player.waits)
    return replace(heard, referee=inferring.referee(), look=inferring.look, looks=bool(duel.sizes))


def _by_trying(trial: Trial, profile: str, usual: Ears, runs: Runs, duel: Duel, given: Corrections) -> Ears:
    """Who hears a game for two players; by the patterns, where it was not learned, or a first move leads nowhere."""
    wording = two_players.learn(runs, duel, given)
    if wording is not None:
        learned = two_players.lessons(wording, given)
        reader = OwnWords(wording, usual.reader)
        known = Ears(Speaker(usual.referee, wording).referee(), reader, wording.sentence, learned)
        begun = left_after_a_move(trial, profile, known)
        if None not in places(begun, known) and not stands_still(begun, known):
            return known
    return replace(usual, learned=lessons.unread(runs, duel, given))

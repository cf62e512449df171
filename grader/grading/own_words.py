"""Who hears a program of heaps that talks in words of its own: what is learned by playing it or by forking it, as staff have set it."""

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
from grader.games.referee import HeapGame
from grader.games.wording import LearnedReader, in_manner
from grader.grading.trial import Trial, as_corrected
from grader.grading.wording import Ears, left_after_a_move, places, stands_still
from grader.reading.heaps import opening
from grader.reading.runs import Runs, SpentError
from grader.sessions.simulated import SimulatedSession

MOST_RUNS = 2_500
"""So many runs are made at most to learn how a program talks."""


def heard_by_playing(trial: Trial, profile: str, usual: Ears, duel: Duel) -> Ears:
    """Who hears a program against which one plays, by the ``usual`` where nothing was learned."""
    runs = Runs(lambda seed: trial.start(profile, seed=seed), most=MOST_RUNS)
    trial.memory.runs[profile] = runs
    first = _heard(usual, runs, duel, NOTHING_SET)
    values = trial.corrections.get(first.learned.wording, {})
    if not values:
        return first
    again = _heard(usual, runs, duel, settings(Corrections, rows(duel), values))
    return replace(again, learned=as_corrected(first.learned, again.learned, values))


def heard_by_forks(trial: Trial, profile: str, usual: Ears, game: HeapGame) -> Ears:
    """Who hears a program that two play on a simulated machine, by the ``usual`` where nothing was learned."""
    first = _read(trial, profile, usual, game, two_players.NOTHING_SET)
    values = trial.corrections.get(first.learned.wording, {})
    if not values:
        return first
    again = _read(trial, profile, usual, game, settings(two_players.Corrections, two_players.ROWS, values))
    return replace(again, learned=as_corrected(first.learned, again.learned, values))


def _heard(usual: Ears, runs: Runs, duel: Duel, given: Corrections) -> Ears:
    """Who hears a program as it was learned, and by what staff have set; by the patterns, where it was not learned."""
    try:
        player = played(runs, duel, given)
        if player is None or not runs.steady:
            return replace(usual, learned=lessons.unread(runs, duel, given))
    except SpentError:
        return usual
    wording = words.learn(player, duel, given)
    referee = Speaker(usual.referee, wording).referee()
    learned = lessons.learned(player, wording, given)
    heard = Ears(referee, OwnWords(wording), words.sentence(wording), learned)
    if not isinstance(player.talk.entry.display, Walks):
        return heard
    inferring = Inferring(referee, wording, player.waits)
    return replace(heard, referee=inferring.referee(), look=inferring.look, looks=bool(duel.sizes))


def _read(trial: Trial, profile: str, usual: Ears, game: HeapGame, given: two_players.Corrections) -> Ears:
    """Who hears a game for two players as it was learned, and by what staff have set; by the patterns, where it was not learned."""

    def start() -> SimulatedSession:
        session = trial.start(profile)
        assert isinstance(session, SimulatedSession), "what is learned so is simulated"
        return session

    wording = two_players.understood(start, game, given)
    if wording is not None:
        table = two_players.learned(wording, opening(start()), given)
        known = Ears(
            in_manner(usual.referee, wording.manner),
            LearnedReader(game, wording, usual.reader),
            wording.sentence,
            table,
        )
        begun = left_after_a_move(trial, profile, known)
        if None not in places(begun, known) and not stands_still(begun, known):
            return known
    return replace(usual, learned=two_players.unread(start, given))

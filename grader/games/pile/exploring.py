"""The exploration of one program that plays with a pile: what is played, and what is made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from grader.checks.ending import faulty
from grader.games.following import Followed
from grader.games.learn.table import settings
from grader.games.pile import lessons
from grader.games.pile.chance import PLAYS_BY_CHANCE, ChancePlayer, RefusalsByText, by_chance
from grader.games.pile.corrections import FIRST, OPENING, ROWS, Corrections
from grader.games.pile.fixed import CountedPlayer, counted_as_set, find_fixed, told_player
from grader.games.pile.idle import heedless, idle
from grader.games.pile.ledger import Games, Ledger
from grader.games.pile.opening import as_set, find
from grader.games.pile.pauses import with_pauses
from grader.games.pile.play import Play
from grader.games.pile.plays import Player
from grader.games.pile.proof import prove, shortest
from grader.games.pile.refusing import Refusals
from grader.games.pile.rounds import OURS, as_it_takes, rounds
from grader.games.pile.rules import Rules
from grader.games.pile.ruling import rule, rule_moves
from grader.games.pile.settling import settled
from grader.games.pile.talk import PROGRAM, USER, Part
from grader.games.pile.telling import Telling, telling
from grader.games.pile.trials import Judge, Usual
from grader.games.pile.winning import winners
from grader.games.referee import ANSWERS, CRASH, Fault
from grader.games.study import Study
from grader.reading.runs import Runs, SpentError
from grader.reading.slots import segments

UNDERSTOOD = 0.5
"""In so large a share of the rounds the number of stones must be known."""

UNKNOWN = "how many stones there are could not be found out: games do not go on as others with so many stones"
UNSTEADY = "the program plays by chance: it does not do the same when the same is typed"


def explored(runs: Runs, rules: Rules, corrections: Mapping[str, str]) -> Study:
    """The study of one program; ``corrections`` are values of lessons that staff have set."""
    given = settings(Corrections, ROWS, corrections)
    player = _player(runs, rules, given)
    if not _unsteady(runs):
        study = idle(runs) if player is None else _study(runs, rules, given, player)
        if not _unsteady(runs):
            return study
    drawn = None if player is None else by_chance(runs, player)
    if drawn is None:
        return Study(obstacle=UNSTEADY)
    return replace(_study(runs, rules, given, drawn), note=PLAYS_BY_CHANCE)


def _study(runs: Runs, rules: Rules, given: Corrections, player: Player) -> Study:
    player = player.with_talk(runs, with_pauses(runs, player))
    ledger = Ledger(rules)
    legal = _legal(player)
    games: Games = {play: rounds(player, play) for play in legal}
    if not games or not _understood(games):
        other = told_player(runs, player)
        if other is None or type(player) is not Player:
            return Study(obstacle=UNKNOWN)
        player, legal = other, _legal(other)
        games = {play: rounds(player, play) for play in legal}
        if not games or not _understood(games):
            return Study(obstacle=UNKNOWN)
    learned, games = _model(games)
    learned = _as_set(learned, games, given)
    games = settled(games, learned)
    rule(ledger, games, learned)
    before = [wait.output for play in legal for wait in play.run.waits[: play.opening]]
    named = winners(ledger, games, before, player.talk.firsts, given)
    shown = frozenset(one.between for played in games.values() for one in played if one.ours and one.between)
    proof = prove(player, learned, shown)
    rule_moves(ledger, proof.games, learned)
    poor = [
        one
        for played in proof.games.values()
        for one in played
        if one.ours and one.ours != rules.best(one.between or 0)
    ]
    try:
        rule_moves(ledger, shortest(player, learned, poor), learned)
        judge = Judge(ledger, Usual.of(games))
        refusals = RefusalsByText if isinstance(player, ChancePlayer) else Refusals
        refusals(runs, player, learned, judge).judge()
        judge.allowed(games)
        _demanded(player, ledger)
    except SpentError:
        pass  # what was not tried has no occasions
    every = dict.fromkeys((*legal, *proof.games, *ledger.faults, *ledger.occasions))
    followed = (_followed(play, ledger) for play in every if not play.cut_short)
    by_size = sorted(games, key=lambda play: -play.stones)  # lines are quoted from long games: “1 stones” is an odd one
    said = [one.text for play in by_size for one in games[play]]
    sentence = _tried(proof.tried, rules.game.plan.proved_to)
    return Study(
        tuple(followed), replace(lessons.learned(player.talk, learned, said, named, sentence), unheeded=given.unheeded)
    )


def _player(runs: Runs, rules: Rules, given: Corrections) -> Player | None:
    if given.parts is not None:
        led = _led(runs, rules, given, given.parts)
        if led is not None:
            return led
    talk = find(runs)
    counted = find_fixed(runs, rules) if talk is None and not heedless(runs) else None
    found = counted.talk if counted else talk
    if found is not None and given.firsts:
        if Part.FIRST in found.parts:
            found = replace(found, firsts=given.firsts, proved=True)
        else:
            given.refuse(FIRST, "where it is asked was not found: set `opening` as well")
    if counted is not None and found is not None:
        return CountedPlayer(runs, replace(counted, talk=found), rules)
    return None if found is None else Player(runs, found, rules)


def _led(runs: Runs, rules: Rules, given: Corrections, parts: tuple[str | Part, ...]) -> Player | None:
    """The player who types before the game what a person has set; None where no game is behind it."""
    firsts = given.firsts
    if firsts and Part.FIRST not in parts:
        given.refuse(FIRST, "`opening` was set as well, and has no `first` in it")
        firsts = None
    if Part.STONES not in parts:
        counted = counted_as_set(runs, rules, parts, firsts)
        if counted is not None:
            return CountedPlayer(runs, counted, rules)
        given.refuse(OPENING, "behind it no number falls as stones are taken")
        return None
    talk = as_set(runs, parts, firsts)
    if talk is None:
        given.refuse(OPENING, "behind it no game is longer the more stones there are")
        return None
    return Player(runs, talk, rules)


def _as_set(learned: Telling, games: Games, given: Corrections) -> Telling:
    """What is told, where a person has said which clauses tell it, if they are said at all."""
    said = {
        slot for played in games.values() for one in played for each in segments(one.text) for slot, _ in each.slots()
    }
    for meaning, slots in given.told.items():
        if not slots.keys() <= said:
            given.refuse(f"told-{meaning}", "this is never said in a game")
    return learned.as_set({meaning: slots for meaning, slots in given.told.items() if slots.keys() <= said})


def _unsteady(runs: Runs) -> bool:
    return not runs.steady or runs.by_chance()


def _legal(player: Player) -> tuple[Play, ...]:
    """Games in which nothing is wrong with what is typed, as far as the answers before the game are accepted."""
    played: list[Play] = []
    try:
        for stones, mover, takes in player.plan():
            if not stones or stones <= player.largest:
                played.append(player.play(stones, mover, takes))
                player.note(played[-1])
    except SpentError:
        pass
    return tuple(play for play in played if play.refused is None and not play.cut_short)


def _understood(games: Games) -> bool:
    """Whether the numbers of stones are known in most rounds: else another game is played, or nothing comes again."""
    moved = [one for played in games.values() for one in played if one.yours and not one.over]
    return not moved or sum(one.after is not None for one in moved) >= UNDERSTOOD * len(moved)


def _model(games: Games) -> tuple[Telling, Games]:
    """What is told, and the games; as they are where the user's stones stay in the pile, if what is told fits that alone."""
    learned = telling([one for played in games.values() for one in played])
    idle = sum(one.ours == 0 and one.yours > 0 for played in games.values() for one in played)
    if idle < 2 or learned.tells(OURS):
        return learned, games
    staying: Games = {play: as_it_takes(played) for play, played in games.items()}
    other = telling([one for played in staying.values() for one in played])
    return (other, staying) if other.tells(OURS) else (learned, games)


def _demanded(player: Player, ledger: Ledger) -> None:
    """What the program must ask for, and accept."""
    talk = player.talk
    usual = player.play(8, USER)
    if Part.STONES not in talk.parts:
        ledger.fault(usual, 1, "unasked-stones", "it does not ask how many stones the game begins with")
    one = player.play(1, USER)
    if Part.STONES in talk.parts and one.refused == talk.place(Part.STONES):
        message = "1 is not accepted as the number of stones: any number greater than zero is allowed"
        ledger.fault(one, talk.place(Part.STONES) + 2, "refused-stones", message)
    if not talk.firsts:
        ledger.fault(usual, usual.opening + 1, "unasked-first", "it does not ask who moves first")
        return
    place = talk.place(Part.FIRST)
    first = player.rules.game.first
    for mover, text in ((PROGRAM, str(first.program)), (USER, str(first.user))):
        typed = talk.answers(8, mover)
        play = player.typed((*typed[:place], text, *typed[place + 1 :]), 8, mover)
        if text == talk.firsts[mover] and play.refused != place:
            continue
        who = "the program" if mover == PROGRAM else "the user"
        kind = "refused-first"
        message = (
            f"{text} is not accepted as the answer to who moves first ({first.program} = program, {first.user} = user)"
        )
        if text in talk.firsts and text != talk.firsts[mover]:
            kind, message = "wrong-begin", f"{text} was typed, so that {who} moves first, and the other one does"
        broken = play.run.ending if len(play.run.waits) == place + 2 else None
        if broken is not None and faulty(broken):
            message = broken.message  # the same crash is charged once: here, and not also as one
        ledger.fault(play, place + 2, kind, message)


def _followed(play: Play, ledger: Ledger) -> Followed:
    faults = sorted(ledger.faults.get(play, ()), key=lambda pair: pair[0])
    ending = play.run.ending
    last = len(play.run.waits)
    if ending is not None and faulty(ending) and not any(fault.message == ending.message for _, fault in faults):
        faults = [*faults, (last, Fault(CRASH, ending.message, stops=True))]
    occasions = {ANSWERS: len(play.run.taken), **ledger.occasions.get(play, {})}
    return Followed(
        play.run.transcript(),
        tuple(faults),
        seed=play.seed,
        occasions=MappingProxyType(occasions),
        readings=ledger.readings.get(play, {}),
        positions=ledger.positions.get(play, {}),
    )


def _tried(tried: frozenset[int], most: int) -> str:
    if len(tried) == most:
        return f"the move of the program was seen from all piles from 1 to {most}"
    return f"the move of the program was seen from {len(tried)} piles of {most}"

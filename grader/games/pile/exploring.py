"""The exploration of one program that plays with a pile: the games that are played, and what is made of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from grader.checks.ending import faulty
from grader.games.learn.questions import USUAL, named, offered
from grader.games.learn.table import NO_RULES, RULES, rules_lesson, settings
from grader.games.ledger import Game, whole
from grader.games.pile import lessons
from grader.games.pile.beginning import asks_again
from grader.games.pile.chance import PLAYS_BY_CHANCE, RefusalsByText, by_chance
from grader.games.pile.fitting import Explained, entered, explained
from grader.games.pile.fixed import find_fixed, fixed_as_set
from grader.games.pile.judging import Account
from grader.games.pile.lessons import FIRST, OPENING, Corrections, rows
from grader.games.pile.opening import as_set, find
from grader.games.pile.pauses import with_pauses
from grader.games.pile.plays import Player
from grader.games.pile.proof import prove, shortest
from grader.games.pile.refusing import Judge, Refusals
from grader.games.pile.rounds import Games, Play, Round
from grader.games.pile.rules import Rules
from grader.games.pile.ruling import rule, rule_moves, winners
from grader.games.pile.talk import PROGRAM, USER, Part, ones
from grader.games.pile.telling import Telling, settled, telling
from grader.games.pile.wrong import RefusalsByFit
from grader.games.study import Study
from grader.reading.keys import key
from grader.reading.learned import Lesson
from grader.reading.runs import Run, Runs, SpentError
from grader.reading.slots import slots_of

UNDERSTOOD = 0.5
"""In so large a share of the rounds the number of stones must be known."""

QUESTIONS = 5
"""Maximum questions that a program without a game may ask and ask again."""

SET_UP = 2
"""Questions before the first move; one of these may want a word that nobody has typed."""

_NUMBER = re.compile(r"\d+")

HEARD = (("7", "1"), ("7", "0"), ("1", "7"), ("2", "2"), ("5", "1", "2", "1", "2", "2"))
"""Answers that are typed at first to see whether anything depends on them; then comes 1 up to the end."""

LONGEST = 60
"""Maximum answers that bring such a game to its end."""

UNFOUND = "no answer was found after which it plays a game that is longer the more stones there are"
UNKNOWN = "how many stones there are could not be found out: games do not go on as others with so many stones"
UNSTEADY = "the program plays by chance: it does not do the same when the same is typed"


def explored(runs: Runs, rules: Rules, corrections: Mapping[str, str]) -> Study:
    """The study of one program; ``corrections`` are values of lessons that staff have set."""
    given = settings(Corrections, rows(rules), corrections)
    player = _player(runs, rules, given)
    if not _is_unsteady(runs):
        study = _steady(runs, rules, player, given)
        if not _is_unsteady(runs):
            return study
    drawn = None if player is None else by_chance(player)
    if drawn is None:
        return Study(obstacle=UNSTEADY)
    return replace(_study(with_pauses(drawn), given), notes={"by-chance": PLAYS_BY_CHANCE})


def _is_unsteady(runs: Runs) -> bool:
    return not runs.steady or runs.by_chance()


def _player(runs: Runs, rules: Rules, given: Corrections) -> Player | None:
    """The player who knows the way into the program, as far as staff have not set it; None where no game was found."""
    if given.parts is not None:
        led = _led(runs, rules, given, given.parts)
        if led is not None:
            return led
    talk = find(runs)
    if talk is None and not heedless(runs):
        talk = find_fixed(runs, rules)
    if talk is not None and given.firsts:
        if Part.FIRST in talk.parts:
            talk = replace(talk, firsts=given.firsts, proved=True)
        else:
            given.refuse(FIRST, "where it is asked was not found: set `opening` as well")
    return None if talk is None else Player(runs, talk, rules)


def _led(runs: Runs, rules: Rules, given: Corrections, parts: tuple[str | Part, ...]) -> Player | None:
    """The player who types before the game what a person has set; None where no game is behind it."""
    firsts = given.firsts
    if firsts and Part.FIRST not in parts:
        given.refuse(FIRST, "`opening` was set as well, and has no `first` in it")
        firsts = None
    if Part.STONES in parts:
        talk, why = as_set(runs, parts, firsts), "behind it no game is longer the more stones there are"
    else:
        talk, why = fixed_as_set(runs, rules, parts, firsts), "behind it no number falls as stones are taken"
    if talk is None:
        given.refuse(OPENING, why)
        return None
    return Player(runs, talk, rules)


def _study(player: Player, given: Corrections) -> Study:
    games = _games(player)
    if not _is_understood(games):
        told = player.told()
        games = {} if told is None else _games(told)
        if told is None or not _is_understood(games):
            return Study(obstacle=UNKNOWN)
        player = told
    rules, legal = player.rules, tuple(games)
    learned = _as_set(telling(_rounds(games)), games, given)
    games = settled(games, learned)
    rule(games, learned, rules)
    before = [wait.output for play in legal for wait in play.run.waits[: play.opening]]
    winning = winners(games, before, player.talk.firsts, given)
    shown = frozenset(one.between for one in _rounds(games) if one.ours and one.between)
    proof = prove(player, learned, shown)
    rule_moves(proof.games, learned, rules)
    poor = [one for one in _rounds(proof.games) if one.ours and one.ours != rules.best(one.between or 0)]
    judge = Judge(games)
    refusals = (RefusalsByText if player.talk.chance else Refusals)(player, learned, judge)
    try:
        rule_moves(shortest(player, learned, poor), learned, rules)
        refusals.explore()
        judge.allowed(games)
        _demanded(player)
    except SpentError:
        pass  # what was not tried has no occasions
    noted = [play for play in (*player.plays, *refusals.player.plays) if play.faults or play.occasions]
    noted.sort(key=lambda play: not play.faults)
    every = dict.fromkeys((*legal, *proof.games, *noted))
    by_size = sorted(games, key=lambda play: -play.stones)  # lines are quoted from long games: “1 stones” is an odd one
    said = [one.text for play in by_size for one in games[play]]
    sentence = _tried(proof.tried, rules.game.plan.proved_to)
    table = lessons.learned(player.talk, learned, said, winning, Lesson("", "", sentence))
    followed = whole(play for play in every if not play.is_cut_short)
    return Study(followed, replace(table, unheeded=given.unheeded))


def _steady(runs: Runs, rules: Rules, player: Player | None, given: Corrections) -> Study:
    """The study of a program that does the same twice: by its departures from the rules, if one explanation of its games is sure."""
    player = player and with_pauses(player)
    known = entered(runs, rules, given.rules) if player is None else explained(player, known=given.rules)
    if known is not None and known.explanation.departures:
        return _departed(known, given)
    if given.rules:
        given.refuse(RULES, NO_RULES)
        return _steady(runs, rules, player, replace(given, rules=None))
    study = idle(runs) if player is None else _study(player, given)
    if not study.obstacle:
        return study
    known = None if player is None else entered(runs, rules, given.rules)
    if known is not None and known.explanation.departures:
        return _departed(known, given)
    return shut(runs) or study


def _departed(known: Explained, given: Corrections) -> Study:
    """The study of a program by the departures that explain its games."""
    legal = known.games()
    games = {play: rounds for play in legal if play.refused is None and (rounds := known.rounds(play))}
    learned = _as_set(telling(_rounds(games)), games, given)
    account = Account(known, learned)
    for play in legal:
        account.note(play)
    account.told(_rounds(games))
    before = [wait.output for play in legal for wait in play.run.waits[: play.opening]]
    winning = winners(games, before, known.talk.firsts, given)
    refusals = RefusalsByFit(known, learned, Judge(games))
    with suppress(SpentError):
        refusals.explore()
        _demanded(known)
    noted = [play for play in (*known.plays, *refusals.player.plays) if play.faults or play.occasions]
    account.hide((*legal, *noted))
    said = [one.text for play in games for one in games[play]]
    rules = rules_lesson([one.sentence for one in known.explanation.departures])
    table = lessons.learned(known.talk, learned, said, winning, rules)
    return Study(whole(dict.fromkeys((*legal, *noted))), replace(table, unheeded=given.unheeded))


def _games(player: Player) -> Games:
    return {play: player.rounds(play) for play in player.legal()}


def _rounds(games: Games) -> list[Round]:
    return [one for played in games.values() for one in played]


def _is_understood(games: Games) -> bool:
    """Whether the numbers of stones are known in most rounds: else another game is played, or nothing comes again."""
    moved = [one for one in _rounds(games) if one.yours and not one.over]
    return bool(games) and sum(one.after is not None for one in moved) >= UNDERSTOOD * len(moved)


def _as_set(learned: Telling, games: Games, given: Corrections) -> Telling:
    """The telling, where a person has set the clauses that tell something, if the program says them at all."""
    said = {slot for one in _rounds(games) for slot, _ in slots_of(one.text)}
    for meaning, slots in given.told.items():
        if not slots.keys() <= said:
            given.refuse(f"told-{meaning}", "this is never said in a game")
    return learned.as_set({meaning: slots for meaning, slots in given.told.items() if slots.keys() <= said})


def _demanded(player: Player) -> None:
    """Rule on what the program must ask for, and accept."""
    talk = player.talk
    usual = player.play(8, USER)
    if Part.STONES not in talk.parts or _is_silent(usual, talk.place(Part.STONES)):
        usual.note(1, "unasked-stones", "it does not ask how many stones the game begins with")
    one = player.play(1, USER)
    if Part.STONES in talk.parts and one.refused == talk.place(Part.STONES):
        message = "1 is not accepted as the number of stones: any number greater than zero is allowed"
        one.note(talk.place(Part.STONES) + 2, "refused-stones", message)
    if not talk.firsts or _is_silent(usual, talk.place(Part.FIRST)):
        usual.note(usual.opening + 1, "unasked-first", "it does not ask who moves first")
    if not talk.firsts:
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
        if play.is_broken and len(play.run.waits) == place + 2:
            play.broke(kind)  # the same crash is charged once: here, and not also as one
        else:
            play.note(place + 2, kind, message)


def _is_silent(play: Play, place: int) -> bool:
    """Whether nothing was printed before this answer is read. A program that asks two things in one line prints nothing between them, and asks."""
    return not any(wait.output.strip() for wait in play.run.waits[: place + 1])


def _tried(tried: frozenset[int], most: int) -> str:
    if len(tried) == most:
        return f"the move of the program was seen from all piles from 1 to {most}"
    return f"the move of the program was seen from {len(tried)} piles of {most}"


# -------------------------------------------------------------------------------- programs in which no game was found


def idle(runs: Runs) -> Study:
    """The study of a program in which no game was found: one that ends, hears nothing, or whose game nothing brings on, shows nothing.

    Any other may want an answer of which we did not think.
    """
    tried = [runs.run((*lead, *ones(10))) for lead in (("7", "1"), ("7", "0"), ("1", "7"))]
    if not heedless(runs) and not all(_ends_soon(run) or _stands_still(runs, run) for run in tried):
        return Study(obstacle=UNFOUND, learned=lessons.unread(tried[0]))
    return Study(whole(map(Game, tried)))


NUMBERS = ("8", "1", "2", "3", "7", "20", "100")
"""Numbers of stones that a program may not all refuse."""

BEGINNERS = ("0", "1", "2")
"""Answers to who moves first that a program may not all refuse, if its question names the first two."""


def shut(runs: Runs) -> Study | None:
    """The study of a program that asks for a number and refuses all, so that no game can begin; None where that is not sure.

    It must say the same behind each number, and something else behind a word: else it may want a word that nobody has typed.
    """
    for lead, texts in (((), NUMBERS), (NUMBERS[:1], BEGINNERS)):
        question = runs.run(lead).output
        if texts is BEGINNERS and not set(BEGINNERS[:2]) <= set(_NUMBER.findall(question)):
            continue
        tried = [runs.run((*lead, text, *texts[:3])) for text in texts]
        said = {wait.output for run in tried for wait in run.waits[len(lead) + 1 :]}
        if len(said) != 1 or any(run.ending is not None for run in tried) or not asks_again(question, *said):
            continue
        if runs.run((*lead, "x")).waits[-1].output not in said:
            return Study(whole(map(Game, tried)))
    return None


def heedless(runs: Runs) -> bool:
    """Whether a program plays to its end and says the same whatever is typed: it knows a game by heart.

    One that never ends may only want a word that nobody has typed.
    """
    played = [runs.run((*lead, *ones(LONGEST))) for lead in HEARD]
    if any(run.ending is None or faulty(run.ending) or len(run.taken) <= QUESTIONS for run in played):
        return False
    return len({run.turns for run in played}) == 1


def _ends_soon(run: Run) -> bool:
    """Whether it ends behind its first questions."""
    return run.ending is not None and len(run.taken) <= QUESTIONS


def _stands_still(runs: Runs, run: Run) -> bool:
    """Whether it takes the answers to its first questions, and then says the same after any answer."""
    turns = run.turns
    last = len(turns) - 1
    while last > 0 and turns[last] == turns[last - 1]:
        last -= 1
    if run.ending is not None or not 1 < last <= QUESTIONS or key(turns[0]) == key(turns[1]):
        return False
    if len({key(turn) for turn in turns[: last + 1]}) <= SET_UP:
        return False
    texts = dict.fromkeys((*USUAL, "3", *offered(turns[last]), *named(turns[last])))
    later = [runs.run((*run.answers[:last], text, "1", "1", "1")) for text in texts]
    return all(one.output == run.output or (one.ending is not None and faulty(one.ending)) for one in later)

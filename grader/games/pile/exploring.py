"""The exploration of one program that plays with a pile: the games that are played, and what is made of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from grader.checks.ending import faulty
from grader.games.follow.study import Game, Study, whole
from grader.games.hear.runs import Run, Runs, SpentError
from grader.games.hear.slots import NUMBER, Slot, key, segments, slots_of
from grader.games.hear.truth import Future
from grader.games.learn.questions import USUAL, named, offered
from grader.games.learn.table import NO_RULES, RULES, rules_lesson, settings
from grader.games.pile import lessons
from grader.games.pile.asking import unasked
from grader.games.pile.departures import ALL_FIRST, ALL_STONES, TAKE
from grader.games.pile.fitting import Explained, entered, explained
from grader.games.pile.lessons import FIRST, OPENING, Corrections, rows
from grader.games.pile.opening import as_set, asks_again, find, find_fixed, fixed_as_set
from grader.games.pile.plays import PLAYS_BY_CHANCE, Player, by_chance, with_pauses
from grader.games.pile.proof import prove, shortest
from grader.games.pile.refusing import Refusals
from grader.games.pile.rounds import Games, Play, Round
from grader.games.pile.rules import Rules
from grader.games.pile.ruling import Account, note, winners
from grader.games.pile.talk import PROGRAM, USER, Part, ones
from grader.games.pile.telling import Telling, telling
from grader.games.pile.wrong_answers import Judge, Trial
from grader.results import Lesson

ACCEPTED = (1, 10, 14, 19)
"""Numbers of stones that must not be refused. No text names a limit; one of 20 or more leaves games enough, and is forgiven."""

QUESTIONS = 5
"""Maximum questions that a program without a game may ask and ask again."""

SET_UP = 2
"""Questions before the first move; one of these may want a word that nobody has typed."""

_NUMBER = re.compile(r"\d+")

HEARD = (("7", "1"), ("7", "0"), ("1", "7"), ("2", "2"), ("5", "1", "2", "1", "2", "2"))
"""Answers that are typed at first to see whether anything depends on them; then comes 1 up to the end."""

LONGEST = 60
"""Maximum answers that bring such a game to its end."""

UNFOUND = "we found no answer after which more stones make its game longer"
UNKNOWN = "we could not find out how many stones there are: games with the same number of stones go on differently"
UNSTEADY = "the program plays by chance: it does not do the same when the same is typed"


def explored(runs: Runs, rules: Rules, corrections: Mapping[str, str]) -> Study:
    """The study of one program; ``corrections`` are values of lessons that staff have set."""
    set_parts = settings(Corrections, rows(rules), corrections)
    player = _player(runs, rules, set_parts)
    if not _is_unsteady(runs):
        study = _steady(runs, rules, player, set_parts)
        if not _is_unsteady(runs):
            return study
    variant = None if player is None else by_chance(player)
    known = None if variant is None else explained(with_pauses(variant))
    if known is None:
        return Study(obstacle=UNSTEADY)
    return replace(_study(known, set_parts), notes={"by-chance": PLAYS_BY_CHANCE})


def _is_unsteady(runs: Runs) -> bool:
    return not runs.steady or runs.by_chance()


def _player(runs: Runs, rules: Rules, corrections: Corrections) -> Player | None:
    """The player who knows the way into the program, as far as staff have not set it; None if no game was found."""
    if corrections.parts is not None:
        led = _led(runs, rules, corrections, corrections.parts)
        if led is not None:
            return led
    talk = find(runs)
    if talk is None and not heedless(runs):
        talk = find_fixed(runs, rules)
    if talk is not None and corrections.firsts:
        if Part.FIRST in talk.parts:
            talk = replace(talk, firsts=corrections.firsts, proved=True)
        else:
            corrections.refuse(FIRST, "where it is asked was not found: set `opening` as well")
    return None if talk is None else Player(runs, talk, rules)


def _led(runs: Runs, rules: Rules, corrections: Corrections, parts: tuple[str | Part, ...]) -> Player | None:
    """The player who types before the game what a person has set; None if no game is behind it."""
    firsts = corrections.firsts
    if firsts and Part.FIRST not in parts:
        corrections.refuse(FIRST, "`opening` was set as well, and has no `first` in it")
        firsts = None
    if Part.STONES in parts:
        talk, why = as_set(runs, parts, firsts), "after it games do not get longer with more stones"
    else:
        talk, why = fixed_as_set(runs, rules, parts, firsts), "after it no number gets smaller when stones are taken"
    if talk is None:
        corrections.refuse(OPENING, why)
        return None
    return Player(runs, talk, rules)


def _steady(runs: Runs, rules: Rules, player: Player | None, corrections: Corrections) -> Study:
    """The study of a program that does the same twice, if one explanation of its games is sure."""
    player = player and with_pauses(player)
    known = None if player is None else explained(player, known=corrections.rules)
    if known is None:
        known = entered(runs, rules, corrections.rules)
    if known is not None:
        return _study(known, corrections)
    if corrections.rules is not None:
        corrections.refuse(RULES, NO_RULES)
        return _steady(runs, rules, player, replace(corrections, rules=None))
    study = idle(runs) if player is None else Study(obstacle=UNKNOWN)
    return (shut(runs) or study) if study.obstacle else study


def _study(known: Explained, corrections: Corrections) -> Study:
    """The study of a program by the rules that explain its games."""
    legal = known.games()
    games = {play: rounds for play in legal if play.refused is None and (rounds := known.rounds(play))}
    learned = _as_set(telling(_rounds(games), known.meanings), games, corrections)
    account = Account(known, learned)
    for play in legal:
        account.note(play)
    account.told(_rounds(games))
    before = [wait.output for play in legal for wait in play.run.waits[: play.opening]]
    winning = winners(games, before, known.talk.firsts, corrections, learned)
    proof = prove(known, learned, frozenset(one.between for one in _rounds(games) if one.ours and one.between))
    judge = Judge(games, known.talk)
    refusals = Refusals(known, judge)
    with suppress(SpentError):
        for one in _rounds({**proof.games, **shortest(known, learned, proof.poor)}):
            note(one, learned.told(one))
            account.move(one.play, one.stop, one.between, one.ours or 0)
        refusals.explore()
        judge.allowed(games)
        _demanded(known, judge.refusals)
        _accepted(known, learned)
    extra = [play for play in (*known.plays, *refusals.player.plays) if play.faults or play.occasions]
    extra.sort(key=lambda play: not play.faults)
    every = dict.fromkeys((*legal, *proof.games, *extra))
    account.hide(tuple(every))
    by_size = sorted(games, key=lambda play: -play.stones)  # lines are quoted from long games: “1 stones” is an odd one
    texts = [one.text for play in by_size for one in games[play]]
    last = Lesson("", "", _proof_words(proof.piles, known.rules.game.plan.proved_to))
    if known.explanation.departures:
        last = rules_lesson([one.sentence for one in known.explanation.departures])
    table = lessons.learned(known.talk, learned, texts, winning, last)
    results = whole(play for play in every if not play.is_cut_short)
    return Study(results, replace(table, unheeded=corrections.unheeded))


def _rounds(games: Games) -> list[Round]:
    return [one for rounds in games.values() for one in rounds]


def _as_set(words: Telling, games: Games, corrections: Corrections) -> Telling:
    """The telling, where a person has set the clauses that tell something, if the program says them at all."""
    places: dict[Slot, set[int]] = defaultdict(set)
    for one in _rounds(games):
        for slot, value in slots_of(one.text):
            places[slot].add(value)
    told = {name: own for name, own in corrections.told.items() if corrections.heeds(f"told-{name}", own, places)}
    constant = {slot for slot, values in places.items() if len(values) == 1}
    return words.as_set(told, constant)


def _demanded(player: Explained, refusals: Sequence[Trial]) -> None:
    """Rule on what the program must ask for, and accept."""
    talk = player.talk
    usual = player.play(8, USER)
    silent = set(unasked(usual, talk, refusals)) if usual.refused is None else set()
    # Three mutants that printed no question at all lost nothing.
    if Part.STONES.value in silent or Part.STONES not in talk.parts or _is_silent(usual, talk.place(Part.STONES)):
        usual.note(1, "unasked-stones", "it does not ask how many stones the game begins with")
    place = talk.place(Part.FIRST) if talk.firsts else usual.opening
    is_charged = "begins" in player.custom.changes  # who begins is charged already
    if not is_charged and (not talk.firsts or Part.FIRST.value in silent or _is_silent(usual, place)):
        usual.note(place + 1, "unasked-first", "it does not ask who moves first")
    if TAKE in silent:
        usual.note(usual.move_waits[0] + 1, "unasked-take", "it does not ask how many stones the user takes")
    if not talk.firsts:
        return
    first = player.rules.game.first
    for mover, text in ((PROGRAM, str(first.program)), (USER, str(first.user))):
        answers = talk.answers(8, mover)
        play = player.typed((*answers[:place], text, *answers[place + 1 :]), 8, mover)
        if text == talk.firsts[mover] and play.refused != place:
            continue
        who = "the program" if mover == PROGRAM else "the user"
        kind = "refused-first"
        message = f"the program refuses {text} as the answer to who moves first ({first.program} = program, {first.user} = user)"
        if text in talk.firsts and text != talk.firsts[mover]:
            kind, message = "wrong-begin", f"{text} was typed, so {who} must move first, but the other player does"
        if play.is_broken and len(play.run.waits) == place + 2:
            play.broke(kind)  # the same crash is charged once: here, and not also as one
        else:
            play.note(place + 2, kind, message)


def _accepted(player: Explained, words: Telling) -> None:
    """Rule on numbers of stones that the program must accept, and play with; the first that it does not is charged."""
    talk = player.talk
    for number in (*ACCEPTED, player.rules.game.plan.proved_to) if Part.STONES in talk.parts else ():
        play = player.play(number, USER)
        if number in ACCEPTED and player.asks_again(play):
            message = (
                f"the program refuses {number} as the number of stones, but any number greater than zero is allowed"
            )
            play.note(talk.place(Part.STONES) + 2, "refused-stones", message)
            return
        told = None if player.foretells(play) else _begins_with(play, words)
        # 12 became 1, or 60 the limit of 20: the game is that behind the other number, word by word.
        if told and told != number and _goes_on(play) == _goes_on(player.play(told, USER)):
            message = f"{number} was typed as the number of stones, but the program begins with {told}"
            play.note(play.move_waits[0] + 1, "refused-stones", message)
            return


def _begins_with(play: Play, words: Telling) -> int | None:
    """The number of stones that is told before the first move of the user, who begins."""
    return words.left(play.said(play.opening - 1, play.move_waits[0])) if play.move_waits else None


def _goes_on(play: Play) -> Future:
    """A game behind the answers before it."""
    return play.future(play.opening - 1)


def _is_silent(play: Play, place: int) -> bool:
    """Whether nothing was printed before this answer is read. A program that asks two things in one line prints nothing between them, and asks."""
    return not any((wait.output + wait.aside).strip() for wait in play.run.waits[: place + 1])


def _proof_words(piles: frozenset[int], most: int) -> str:
    if len(piles) == most:
        return f"the move of the program was seen from all piles from 1 to {most}"
    return f"the move of the program was seen from {len(piles)} piles of {most}"


# -------------------------------------------------------------------------------- programs in which no game was found


def idle(runs: Runs) -> Study:
    """The study of a program in which no game was found.

    If it ends, hears nothing, or goes on with no answer, it shows nothing. Any other may want an answer that we did not try.
    """
    trials = [runs.run((*lead, *ones(10))) for lead in (("7", "1"), ("7", "0"), ("1", "7"))]
    if not heedless(runs) and not all(_ends_soon(run) or _stands_still(runs, run) for run in trials):
        return Study(obstacle=UNFOUND, learned=lessons.unread(trials[0]))
    return Study(whole(map(Game, trials)))


NUMBERS = ("8", "1", "2", "3", "7", "20", "100")
"""Numbers of stones that a program may not all refuse."""

BEGINNERS = ("0", "1", "2")
"""Answers to who moves first that a program may not all refuse, if its question names the first two."""


SHUT = 2
"""Maximum texts of a program that asks one question for ever: the question, and that below a message."""


def shut(runs: Runs) -> Study | None:
    """The study of a program that asks for a number and refuses all, so that no game can begin; None if that is not sure.

    It must say the same behind each number, and something else behind a word: else it may want a word that nobody has typed.
    """
    for lead, texts, refuses in (((), NUMBERS, ALL_STONES), (NUMBERS[:1], BEGINNERS, ALL_FIRST)):
        question = runs.run(lead).output
        if texts is BEGINNERS and not set(BEGINNERS[:2]) <= set(_NUMBER.findall(question)):
            continue
        trials = [runs.run((*lead, text, *texts[:3])) for text in texts]
        waits = [
            one for run in trials for one in zip(run.answers[len(lead) :], run.waits[len(lead) + 1 :], strict=False)
        ]
        # “Sorry, 8 is not possible.” quotes what was typed; “Only 0 and 1 are possible!” does not, though one of these was typed.
        quoting = {_without(typed, wait.output, question) for typed, wait in waits}
        plain = {_without("", wait.output, question) for _, wait in waits}
        outputs = min(quoting, plain, key=len)
        # one text is said behind all, or a message behind wrong ones: “0 || 1” asked for ever, and still told 2 from 0
        again = len(outputs) <= SHUT and all(asks_again(question, wait.output) for _, wait in waits)
        if not again or any(run.ending is not None for run in trials):
            continue
        if _without("x", runs.run((*lead, "x")).waits[-1].output, question) not in outputs:
            games = [Game(run) for run in trials]
            for game in games:
                # “The games that were tried do not come to that” did not say why no game begins.
                game.note(len(lead) + 2, refuses.charge, refuses.sentence, stops=True)
            return Study(whole(games))
    return None


def _without(typed: str, output: str, question: str) -> tuple[str, ...]:
    """The clauses of an output with a sign for the answer that was typed; those of the question stay."""
    asked = {one.text for one in segments(question)}
    word = re.compile(rf"\b{re.escape(typed)}\b" if typed else r"(?!)")
    return tuple(one.text if one.text in asked else word.sub(NUMBER, one.text) for one in segments(output))


def heedless(runs: Runs) -> bool:
    """Whether a program plays to its end and says the same whatever is typed: it knows a game by heart.

    One that never ends may only want a word that nobody has typed.
    """
    # Without this a program that knows one game by heart earned two thirds: its games could be followed.
    games = [runs.run((*lead, *ones(LONGEST))) for lead in HEARD]
    if any(run.ending is None or faulty(run.ending) or len(run.taken) <= QUESTIONS for run in games):
        return False
    return len({run.turns for run in games}) == 1


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

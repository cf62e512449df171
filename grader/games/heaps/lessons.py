"""The words of one program of heaps as a small table for people, whose values staff can set (``corrections``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from grader.games.heaps.corrections import SIZES, STARTS, WINS, Corrections, told_in
from grader.games.heaps.duel import COMPUTER, USER, Duel, manners
from grader.games.heaps.entry import Entry
from grader.games.heaps.facing import AGAIN
from grader.games.heaps.hearing import Wording
from grader.games.heaps.learning import Player, Utterance
from grader.games.heaps.telling import LETTERS, Telling, masked
from grader.games.hear.display import OR, Display
from grader.games.hear.runs import Runs
from grader.games.hear.slots import Segment, key, plain, segments, signed
from grader.games.learn.questions import last_line
from grader.games.learn.table import ENTER, NONE, clauses, digest, written
from grader.results import Learned, Lesson

FIRST_QUESTIONS = 3
"""Questions that tell the wording of a program that could not be read."""

FEW = 3
"""Sentences of an end that are shown, where none comes always."""


def learned(player: Player, wording: Wording, corrections: Corrections) -> Learned:
    """The table of what was learned."""
    turns = [one for one in player.utterances if not one.wrong]
    wins, yes = tuple(_wins(wording, turns)), player.talk.yes or ENTER
    lessons = (
        *_way(player),
        _telling(wording, turns),
        *wins,
        *_starts(wording, turns),
        _score(wording, turns),
        _refusal(wording, [one for one in player.utterances if one.wrong]),
        *((Lesson("yes", yes, f"another game begins after {yes}"),) if AGAIN in player.talk.kinds.values() else ()),
    )
    return Learned(lessons, _digest(player, wording, OR.join(lesson.value for lesson in wins)), corrections.unheeded)


def unread(runs: Runs, duel: Duel, corrections: Corrections) -> Learned:
    """The values that can be set where no way into a program was found."""
    start, alone = runs.run(()), duel.game.computer
    nothing = start.ending is not None if alone else not start.output.strip()
    if nothing:
        return Learned(unheeded=corrections.unheeded)
    first = last_line(plain(start.output))
    questions = [key(start.output, level=3)]
    if alone:
        questions = [key(runs.run(("1",) * number).output) for number in range(FIRST_QUESTIONS + 1)]
    sentence = "we did not find what to type before the first move"
    opening = Lesson("opening", SIZES if duel.sizes else NONE, sentence, first)
    move = manners(duel)[0].one_of_last
    lessons = (
        *((opening,) if alone else ()),
        Lesson("move", move, "we did not find how to type one from the last heap", "" if alone else first),
        Lesson("heaps", NONE if alone else "", "we did not find where the program shows the heaps"),
    )
    return Learned(lessons, digest(questions), corrections.unheeded)


def _digest(player: Player, wording: Wording, wins: str) -> str:
    """A digest of the words at all places that were learned: programs with equal ones are understood alike, whomever they name."""
    ends = sorted({one.skeleton for clause in clauses(wins) for one in segments(clause)})
    kinds = (f"{kind} {question}" for question, kind in sorted(player.talk.kinds.items()))
    skeletons = sorted(source.skeleton for pair in wording.tellings for source in pair)
    return digest(
        (wording.display.quote, *kinds, *skeletons, *sorted(wording.refusing), *sorted(wording.starts), *ends)
    )


# -------------------------------------------------------------------------------------------------------- the way in


def _way(player: Player) -> Iterator[Lesson]:
    talk = player.talk
    entry, duel = talk.entry, talk.duel
    answers = (*entry.lead, *((SIZES,) if duel.sizes else ()), *entry.between)
    value = written(answers) or NONE
    sentence = f"before the first move the user types {value}" if answers else "the first question is for a move"
    yield Lesson("opening", value, sentence, last_line(plain(talk.runs.run(()).output)) if answers else "")
    yield from way_in(entry, duel, entry.begun(talk.runs, duel, duel.starts[0]) or "")


def way_in(entry: Entry, duel: Duel, prompt: str) -> Iterator[Lesson]:
    """How a move is typed and where the heaps are shown; ``prompt`` is the text that asks for the first move."""
    move, display, value = entry.manner.one_of_last, entry.display, NONE
    yield Lesson("move", move, f"one from the last heap is typed as {move}", last_line(plain(prompt)))
    sentence = "the program neither shows nor tells the heaps; we found them by the moves that it accepts and refuses"
    if isinstance(display, Display):
        value = display.written(prompt, duel.labels.lower())
        sentence = "we read the heaps where the program shows them"
    elif isinstance(display, Telling):
        sentence = "the program does not show the heaps; we found them by the moves that it tells"
    yield Lesson("heaps", value, sentence, "" if value == NONE else value)


# ----------------------------------------------------------------------------------------------------- what is said


def _clauses(turns: Sequence[Utterance]) -> Iterator[Segment]:
    for one in turns:
        yield from segments(one.text)


def _lesson(name: str, quotes: Mapping[str, str], sentence: str, nothing: str) -> Lesson:
    """The lesson on clauses as staff write them, each with the text in which it was found; ``nothing`` is its sentence without any clause."""
    quote = next(iter(quotes.values()), "")
    return Lesson(name, OR.join(quotes), sentence, quote) if quotes else Lesson(name, NONE, nothing)


def _telling(wording: Wording, turns: Sequence[Utterance]) -> Lesson:
    quotes: dict[str, str] = {}
    for heap, count in wording.tellings:
        for skeleton in dict.fromkeys((heap.skeleton, count.skeleton)):
            for segment in _clauses(turns):
                clause = told_in(segment, heap, count)
                if clause and skeleton in (segment.skeleton, masked(segment, LETTERS)[0]):
                    quotes.setdefault(clause, segment.text)
                    break
    return _lesson("told", quotes, "this tells what the computer takes", "nothing tells what the computer takes")


def _wins(wording: Wording, turns: Sequence[Utterance]) -> Iterator[Lesson]:
    """Sentences that are said where the one has won, and never where the other has; and who is understood to have."""
    ends = {who: [one for one in turns if one.winner == who] for who in (USER, COMPUTER)}
    texts = {who: [_ending(wording, one) for one in some] for who, some in ends.items()}
    for name, who in WINS.items():
        other = {text for each in texts[COMPUTER if who == USER else USER] for text in each}
        own = [text for text in dict.fromkeys(chain(*texts[who])) if text not in other]
        always = [text for text in own if all(text in each for each in texts[who])]
        own = always or own[:FEW]
        if not own:
            continue
        names = {wording.whom(text) for text in own} - {""}
        sentence = f"the program says this when the {who} has won; we could not read whom it names"
        if len(names) == 1:
            sentence = f"the program says this when the {who} has won; it names the {next(iter(names))}"
        yield Lesson(name, OR.join(own), sentence, own[0])


def _ending(wording: Wording, turn: Utterance) -> list[str]:
    asks = wording.talk.kinds
    last = {segment.skeleton for text in asks for segment in segments(text)}
    clauses = [one for one in segments(turn.text) if wording.of_end(one) or one.text.casefold() in wording.wins]
    return [one.text for one in clauses if one.skeleton not in last]


def _starts(wording: Wording, turns: Sequence[Utterance]) -> Iterator[Lesson]:
    for name, who in STARTS.items():
        own = [text for text, player in wording.starts.items() if player == who]
        texts = {one.text.casefold(): one.text for one in _clauses(turns)}
        own = [texts.get(text, text) for text in own]
        if own:
            yield Lesson(name, OR.join(own), f"this says that the {who} begins", own[0])


def _score(wording: Wording, turns: Sequence[Utterance]) -> Lesson:
    quotes: dict[str, str] = {}
    for segment in _clauses([one for one in turns if one.winner]):
        places = [
            (segment.spans[slot.number], f"<{who}>")
            for slot, who in zip(wording.scores, (USER, COMPUTER), strict=False)
            if slot.skeleton == segment.skeleton and slot.number < len(segment.spans)
        ]
        if places and len(quotes) < len(wording.scores):
            quotes.setdefault(signed(segment.text, places), segment.text)
    if not quotes:
        return Lesson("score", NONE, "we found no score of both players")
    return Lesson("score", OR.join(quotes), "this is the score of both", " ".join(quotes.values()))


def _refusal(wording: Wording, wrong: Sequence[Utterance]) -> Lesson:
    quotes: dict[str, str] = {}
    for segment in _clauses(wrong):
        if segment.skeleton in wording.refusing:
            quotes.setdefault(segment.skeleton, segment.text)
    clauses = {text: text for text in quotes.values()}
    return _lesson(
        "refusal",
        clauses,
        "the program says this after illegal answers",
        "the program says nothing that belongs to illegal answers only",
    )

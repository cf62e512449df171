"""The meaning of one program's words, learned from texts together with what was true when they were said.

Learning gives sentences a meaning, and finds no fault. A program with a wrong number in one turn of ten tells it at a place that is right in nine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from grader.games.heaps.corrections import NOTHING_SET, Corrections
from grader.games.heaps.duel import COMPUTER, USER, Duel
from grader.games.heaps.hearing import Wording
from grader.games.heaps.learning import Player, Utterance
from grader.games.heaps.telling import LETTERS, Source, Telling, Walks, masked
from grader.games.hear.display import Display, lines
from grader.games.hear.names import FAINT, mentioned
from grader.games.hear.slots import Segment, Slot, segments
from grader.games.hear.words import mood, words
from grader.games.learn.fit import Number, meant

LIKELY, OFTEN = 0.1, 4
"""The cost of a meaning in the fit: less than that of a number that is always the same. And the times that its place must have been seen."""

FIRST_IS_1, FIRST_IS_0, COUNT = "heap from 1", "heap from 0", "count"
"""The meanings of a number in a sentence that tells the computer's move."""

Turn = tuple[Sequence[Segment], Mapping[str, int]]
"""The clauses of a text, and what was true then by name."""

_NUMBERED = re.compile(r"\b([^\W\d_]+) (\d)\b|\b([^\W\d_])(\d)\b")

FEW = 2
"""Texts in which a sentence must be seen to be known by it."""


def learn(player: Player, corrections: Corrections = NOTHING_SET) -> Wording:
    """The meaning of a program's words, by what was true when they were said, and by what staff have set."""
    talk, display = player.talk, player.talk.entry.display
    turns = [one for one in player.utterances if not one.wrong]
    inner = [one for one in turns if not one.winner and not one.starter]
    final = [one for one in turns if one.winner]
    first = [one for one in turns if one.starter]
    known = _skeletons(inner)
    names = {
        # “gracz 2 wygrywa” was taken for a win of the user, since “gracz” alone means the user.
        **_numbered(player.utterances, talk.duel),
        **talk.duel.names,
        **{name.casefold(): USER for name in talk.entry.lead if name},
    }
    wording = Wording(
        talk,
        names,
        tellings=_tellings(turns, display),
        turn=_turn(turns, display),
        starts=_split(first, lambda one: one.starter, known, alone=True),
        scores=_scores(final, known, display, names),
        inner=known | (_skeletons(first) - _skeletons(final)),  # rules say who wins as well
        faint=True,
        named=_winners_named(_split(final, lambda one: one.winner, known), names),
        refusing=_skeletons(one for one in player.utterances if one.wrong) - _skeletons(turns),
    )
    wording = replace(wording, faint=_faint(wording, final), more=_says_more(wording, inner))
    return as_set(wording, player.utterances, corrections)


def _numbered(turns: Sequence[Utterance], duel: Duel) -> dict[str, str]:
    """Players by their numbers in any language, as the assignment numbers them: “Gracz 2” is “player 2”, and “gracz” alone the user.

    “P2” is short for that at the end of a game, where no heap is called P.
    """
    numbers = {name.rpartition(" ")[2]: who for name, who in duel.names.items()}
    called = {word for word, who in words().whole.items() if who == USER}
    letters = {word[0] for word in called} - {*duel.labels.casefold()}
    ends = "\n".join(one.text for one in turns if one.winner).casefold()
    pairs = (match for one in turns for match in _NUMBERED.finditer(one.text.casefold()) if match[1] in called)
    known = (*pairs, *(match for match in _NUMBERED.finditer(ends) if match[3] in letters))
    return {one[0]: numbers[n] for one in known if (n := one[2] or one[4]) in numbers}


def _skeletons(turns: Iterable[Utterance]) -> frozenset[str]:
    return frozenset(segment.skeleton for one in turns for segment in segments(one.text))


def _says_more(wording: Wording, inner: Sequence[Utterance]) -> bool:
    """Whether turns differ in more than the moves that they tell, though no heaps are read."""
    # A program whose heaps stand in columns was charged for showing none: something that changes may be the heaps.
    if wording.display.slots:
        return False
    skeletons = {source.skeleton for pair in wording.tellings for source in pair}
    if isinstance(wording.display, Telling):
        skeletons |= {wording.display.heap.skeleton, wording.display.count.skeleton}
    rests = {
        tuple(
            line
            for line in lines(one.text)
            if not any(masked(each, LETTERS)[0] in skeletons for each in segments(line))
        )
        for one in inner
        if one.rest and one.move
    }
    return len(rests) > 1


def as_set(wording: Wording, turns: Sequence[Utterance], corrections: Corrections) -> Wording:
    """A wording with what staff have set; what is never said cannot be followed."""
    clauses = [one for text in turns for one in segments(text.text)]
    skeletons = {masked(one, LETTERS)[0] for one in clauses} | {one.skeleton for one in clauses}
    sentences = {one.text.casefold() for one in clauses} | {one.wording for one in clauses}
    moves, refusing, scores = corrections.told, corrections.refusal, corrections.score
    if moves is not None and corrections.heeds("told", {one.skeleton for pair in moves for one in pair}, skeletons):
        wording = replace(wording, tellings=moves)
    if refusing is not None and corrections.heeds("refusal", refusing, skeletons):
        wording = replace(wording, refusing=refusing)
    if scores is not None and corrections.heeds("score", {slot.skeleton for slot in scores}, skeletons):
        wording = replace(wording, scores=scores)
    for player, texts in corrections.starts.items():
        if corrections.heeds(f"starts-{player}", texts, sentences):
            others = {text: who for text, who in wording.starts.items() if who != player and text not in texts}
            wording = replace(wording, starts={**others, **dict.fromkeys(texts, player)})
    for player, texts in corrections.wins.items():
        if corrections.heeds(f"wins-{player}", texts, sentences):
            wording = replace(wording, wins={**wording.wins, **dict.fromkeys(texts, player)})
    return wording


def _meanings(turns: Sequence[Turn], labels: str = "") -> Mapping[Source, str]:
    """The meaning of each place of a number, and of a letter among ``labels``, by what was true when it was printed.

    A program that errs in one turn of ten tells the truth at a place that is right in nine. A letter can only be that of a heap.
    """
    numbers: list[Number] = []
    for clauses, true in turns:
        for segment in clauses:
            skeleton, letters = masked(segment, labels)
            heap = {FIRST_IS_0: true[FIRST_IS_0]} if letters else {}
            numbers += [
                Number(place, place, value, heap if place.letter else true)
                for is_letter, values in ((True, letters), (False, segment.values))
                for place, value in ((Source(skeleton, at, is_letter), value) for at, value in enumerate(values))
            ]
    meanings = meant(numbers, dict.fromkeys(chain.from_iterable(true for _, true in turns), LIKELY))
    sure = {place: one.name for place, one in meanings.items() if one.is_known and one.values >= OFTEN}
    return {place: name for place, name in sure.items() if isinstance(place, Source)}


def _tellings(texts: Sequence[Utterance], display: Display | Telling | Walks) -> tuple[tuple[Source, Source], ...]:
    """The places that tell from which heap the computer takes how many: in one sentence, in each that says so, or else in two."""
    turns: list[Turn] = []
    for one in texts:
        if one.move is not None:
            heap, count = one.move
            turns.append(([*_beside(one.text, display)], {FIRST_IS_1: heap + 1, FIRST_IS_0: heap, COUNT: count}))
    meanings = _meanings(turns, LETTERS)
    bases = {FIRST_IS_1: 1, FIRST_IS_0: 0}
    heaps = [replace(place, base=bases[name]) for place, name in meanings.items() if name in bases]
    counts = [place for place, name in meanings.items() if name == COUNT]
    pairs = [(heap, count) for heap in heaps for count in counts]
    whole = {count.skeleton: (heap, count) for heap, count in pairs if heap.skeleton == count.skeleton}
    return tuple(_fewest(whole.values(), [clauses for clauses, _ in turns])) or tuple(pairs[:1])


def _fewest(
    pairs: Iterable[tuple[Source, Source]], turns: Sequence[Sequence[Segment]]
) -> Iterator[tuple[Source, Source]]:
    """The sentences that tell moves; not those whose moves are all told by one that is said more often.

    The line of all moves so far has another shape in each turn. If it comes again, as behind a refusal, its move was made long ago.
    """
    places: set[int] = set()
    skeletons = [{masked(segment, LETTERS)[0] for segment in clauses} for clauses in turns]
    ranges = [(pair, {at for at, some in enumerate(skeletons) if pair[1].skeleton in some}) for pair in pairs]
    for pair, own in sorted(ranges, key=lambda one: -len(one[1])):
        if not own <= places:
            yield pair
        places |= own


def _turn(turns: Sequence[Utterance], display: Display | Telling | Walks) -> frozenset[str]:
    """Sentences that come whenever the computer moves, and when it does not never."""
    own: list[set[str]] = []
    idle: set[str] = set()
    for one in turns:
        questions = {segment.skeleton for line in lines(one.text.rstrip())[-1:] for segment in segments(line)}
        new = {segment.skeleton for segment in _beside(one.text, display)} - questions
        if one.rest and one.move:
            own.append(new)
        elif one.rest:
            idle |= new
    return frozenset(set.intersection(*own) - idle) if own and idle else frozenset()


def _beside(text: str, display: Display | Telling | Walks) -> Iterator[Segment]:
    """The sentences beside the heaps."""
    for line in lines(text):
        if all(slot.value(line) is None for slot in display.slots):
            yield from segments(line)


def _split(
    turns: Sequence[Utterance], whose: Callable[[Utterance], str], inner: frozenset[str], *, alone: bool = False
) -> dict[str, str]:
    """Sentences that are said in all turns of one player and in none of the other, and never within games.

    If the other player has no turns, those of one may be taken ``alone``.
    """
    texts: dict[str, list[set[str]]] = {USER: [], COMPUTER: []}
    wordings: dict[str, list[set[str]]] = {USER: [], COMPUTER: []}
    for turn in turns:
        clauses = [one for one in segments(turn.text) if one.skeleton not in inner]
        texts[whose(turn)].append({one.text.casefold() for one in clauses})
        wordings[whose(turn)].append({one.wording for one in clauses})
    sentences: dict[str, str] = {}
    for player, mine in texts.items():
        theirs = texts[COMPUTER if player == USER else USER]
        if len(mine) >= FEW and (theirs or alone):
            sentences |= dict.fromkeys(set.intersection(*mine).difference(*theirs), player)
    if not sentences and all(
        len(mine) >= FEW for mine in wordings.values()
    ):  # “Game 2: you begin” has its own number in each game
        user, computer = (set.intersection(*wordings[player]) for player in (USER, COMPUTER))
        sentences = dict.fromkeys(user - computer, USER) | dict.fromkeys(computer - user, COMPUTER)
    return sentences


def _winners_named(sentences: Mapping[str, str], names: Mapping[str, str]) -> dict[str, str]:
    """Sentences that are said of one winner alone, and whom they name: empty if one of them mentions the other player alone.

    A program that says “Victoria” whenever the user has won, and “Finito” whenever the program has, names the winner
    in words that nobody has to know. So does a program that says of either that he takes the crown, whatever a crown may be. A program
    that says “Oh dear” to the user who has won may speak for itself, or name the wrong winner: a person decides.
    """
    pairs = ((mentioned(sentence, names) or mood(sentence), winner) for sentence, winner in sentences.items())
    contradicted = any(player not in ("", winner) for player, winner in pairs)
    return {sentence: "" if contradicted else winner for sentence, winner in sentences.items()}


def _faint(wording: Wording, final: Sequence[Utterance]) -> bool:
    """Whether endings that name nobody are of one kind where the user won, and of the other where the computer did.

    If only one player is not named, they must be what the user would be told.
    """
    signs: dict[str, set[bool]] = {USER: set(), COMPUTER: set()}
    for one in final:
        scores = (wording.polarity(segment.text) for segment in segments(one.text) if wording.of_end(segment))
        signs[one.winner] |= {score > 0 for score in scores if 0 < abs(score) <= FAINT}
    # “You are the winner.” and “Deep Blue is the winner.”: the second was taken for a win of the user.
    if not signs[USER] or not signs[COMPUTER]:
        return False not in signs[USER] and True not in signs[COMPUTER]
    return not signs[USER] & signs[COMPUTER]


def _scores(
    final: Sequence[Utterance],
    inner: frozenset[str],
    display: Display | Telling | Walks,
    names: Mapping[str, str],
) -> tuple[Slot, Slot] | tuple[()]:
    """The places of the wins of the user and of the computer, which tell them.

    A program that counts one player wrongly still shows both. So where one place tells a player's wins, the other's stand beside it,
    or in the only sentence of the end with a number that mentions the other player.
    """
    turns = [
        ("\n".join(one.text for one in _beside(turn.text, display) if one.skeleton not in inner), turn.wins)
        for turn in final
    ]
    meanings = _meanings([(segments(text), {USER: user, COMPUTER: computer}) for text, (user, computer) in turns])
    slots = {name: Slot(place.skeleton, place.index) for place, name in reversed([*meanings.items()])}
    for one, other in ((USER, COMPUTER), (COMPUTER, USER)):
        if one in slots and other not in slots:
            clauses = (clause for text, _ in turns for clause in segments(text))
            near = {
                slot
                for clause in clauses
                for slot, _ in clause.slots()
                if slot.skeleton == slots[one].skeleton or mentioned(clause.text.casefold(), names) == other
            }
            beside = near - {slots[one]}
            if len(beside) == 1:
                slots[other] = beside.pop()
    return (slots[USER], slots[COMPUTER]) if len(slots) > 1 else ()

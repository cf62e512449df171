"""Programs for ``pile-nim``: one pile, take one or two, whoever takes the last one loses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType

from tests.wordings.code import FILES, If, Leave, Let, Read, Say, Statement, Style, While, written
from tests.wordings.sentences import Piece, Plural, pieces
from tests.wordings.tongues import First, Menu, Pair, PileManners, PileTongue

Block = tuple[Statement, ...]

ANEW = "-1000"
"""As many stones mean that the game is to begin anew."""


@dataclass(frozen=True, slots=True)
class Defect:
    """The cases that must fail, and others that may, because they follow from it or show nothing."""

    fails: tuple[str, ...]
    may: tuple[str, ...] = ()


DEFECTS: Mapping[str, Defect] = MappingProxyType({
    "takes-one-of-multiples-of-three": Defect(("remainder-0",)),
    "takes-two-with-remainder-one": Defect(("remainder-1",)),
    "takes-two-with-remainder-two": Defect(("remainder-2",)),
    "count-is-one-too-many": Defect(("count",)),
    "count-before-the-move": Defect(("count",)),
    "stones-of-the-user-stay": Defect(("count",), ("end", "winner")),
    "pile-of-zero": Defect(("bad-stones",)),
    "negative-pile": Defect(("bad-stones",)),
    "other-numbers-begin": Defect(("bad-first",)),
    "three-may-be-taken": Defect(("bad-take",), ("too-many",)),
    "zero-may-be-taken": Defect(("bad-take",)),
    "negative-may-be-taken": Defect(("bad-take",)),
    "more-than-are-left": Defect(("too-many",)),
    "checked-once": Defect(("repeat",), ("bad-take", "too-many")),
    "ends-after-a-wrong-answer": Defect(("repeat",), ("bad-take", "too-many")),
    "wrong-answer-costs-the-turn": Defect(("repeat",), ("bad-take", "too-many")),
    "begins-anew-after-a-wrong-answer": Defect(("repeat",), ("bad-take", "too-many")),
    "no-message": Defect(("message",)),
    "winner-exchanged": Defect(("winner",)),
    "user-always-wins": Defect(("winner",)),
    "no-winner": Defect(("winner",)),
    "user-moves-twice": Defect(("turns",)),
    "choice-is-ignored": Defect(("first",), ("bad-first",)),
    "program-cannot-begin": Defect(("first",), ("bad-first",)),
    "beginner-is-not-asked": Defect(("first",), ("bad-first",)),
    "pile-is-fixed": Defect(("stones",), ("bad-stones", "winner", "too-many")),
    "one-is-refused": Defect(("stones",), ("too-many",)),
    "last-two-stay": Defect(("take",), ("too-many", "end")),
    "ends-with-one-left": Defect(("end",), ("winner", "too-many")),
    "last-is-taken-for-the-user": Defect(("end",), ("too-many",)),
    "goes-on-after-the-program": Defect(("end",), ("winner",)),
    "left-is-untold": Defect(("told",), ("count",)),
    "move-is-untold": Defect(("told",)),
    "crashes-at-one": Defect(("more-games",), ("stones", "first", "end", "winner", "too-many", "take", "bad-first")),
})  # fmt: skip
"""Small changes of a right program, with what they cost."""


@dataclass(frozen=True, slots=True)
class PileWording:
    """One program for one pile. An empty sentence is not said; ``defect`` is empty in a right program."""

    name: str
    language: str
    reads: str
    tongue: str
    plural: Plural
    noun: tuple[str, ...]
    numbers: tuple[str, ...]
    mark: str
    counted: str
    shown: str
    order: str
    loop: str
    line_prompts: bool
    colour: str
    hello: str
    rules: tuple[str, ...]
    pause: str
    menu: Menu | None
    ask_name: str
    greeting: str
    stones: str
    bad_stones: str
    first: First
    bad_first: str
    begins: Pair | None
    take: str
    bad_take: str
    too_many: str
    retry: str
    left: str
    thinks: str
    takes: str
    took: str
    last: Pair | None
    results: Pair
    again: tuple[str, str, str] | None
    turn: str
    bye: str
    defect: str = ""

    @property
    def file(self) -> str:
        """The name of the source."""
        return FILES[self.language]

    @property
    def fails(self) -> tuple[str, ...]:
        """The cases that must not be accepted."""
        own = DEFECTS[self.defect].fails if self.defect else ()
        return (*own, "first") if (self.first.program, self.first.user) != ("0", "1") and "first" not in own else own

    @property
    def may_fail(self) -> tuple[str, ...]:
        """The cases without demands."""
        may = DEFECTS[self.defect].may if self.defect else ()
        return (*may, *(("bad-first",) if "first" in self.fails else ()))

    def source(self) -> str:
        """The program."""
        words = self.numbers if self.shown == "word" else ()
        return written(program(self), Style(self.language, self.reads, self.plural, self.noun, words, self.mark))


def draw(
    name: str, tongues: tuple[PileTongue, ...], manners: PileManners, random: Random, defect: str = ""
) -> PileWording:
    """A wording of this vocabulary."""
    tongue = tongues[0] if random.random() < 0.25 else random.choice(tongues)

    def one(sentences: tuple[str, ...]) -> str:
        return random.choice(sentences) if sentences else ""

    def seldom(sentences: tuple[str, ...], chance: float) -> str:
        return one(sentences) if random.random() < chance else ""

    def quiet(sentences: tuple[str, ...]) -> str:
        """One that does not tell what is left, where that is the defect."""
        silent = tuple(text for text in sentences if "{left" not in text and "{after" not in text)
        return one(silent if defect == "left-is-untold" and silent else sentences)

    noun = random.choice(tongue.nouns)
    shown = random.choice(manners.shown)
    if (shown == "word" and not tongue.numbers) or ("marks" in shown and not tongue.left_marks):
        shown = "number"
    counted = random.choice(manners.counted)
    if defect == "count-before-the-move":
        counted = "after"
    if defect == "begins-anew-after-a-wrong-answer":
        counted = "before"
    if defect in ("count-is-one-too-many", "count-before-the-move", "stones-of-the-user-stay"):
        shown = "number"
    left = one(tongue.left_marks) if "marks" in shown else one(tongue.left)
    if shown == "marks-and-number":
        left += " ({left})"
    otherwise = tongue.first_otherwise and not defect and random.random() < 0.12
    has_menu, has_name = random.random() < 0.2, random.random() < 0.15
    return PileWording(
        name=name,
        language=random.choice(("c", "cpp", "java", "python")),
        reads=random.choice(("plain", "lines")),
        tongue=tongue.code,
        plural=tongue.plural,
        noun=noun,
        numbers=tongue.numbers,
        mark=random.choice(manners.marks),
        counted=counted,
        shown=shown,
        order=random.choice(manners.orders),
        loop=random.choice(manners.loops) if tongue.retry else "question",
        line_prompts=random.random() < 0.25,
        colour=random.choice(manners.colours) if manners.colours and random.random() < 0.08 else "",
        hello=one(tongue.hello),
        rules=random.choice(tongue.rules) if tongue.rules and random.random() < 0.3 else (),
        pause=seldom(tongue.pause, 0.15),
        menu=random.choice(tongue.menu) if tongue.menu and has_menu else None,
        ask_name=one(tongue.name) if has_name else "",
        greeting=one(tongue.greeting) if has_name else "",
        stones=one(tongue.stones),
        bad_stones=one(tongue.bad_stones),
        first=random.choice(tongue.first_otherwise if otherwise else tongue.first),
        bad_first=one(tongue.bad_first),
        begins=random.choice(tongue.begins) if tongue.begins and random.random() < 0.25 else None,
        take=quiet(tongue.take),
        bad_take=one(tongue.bad_take),
        too_many=one(tongue.too_many) if random.random() < 0.6 else "",
        retry=one(tongue.retry),
        left=left,
        thinks=seldom(tongue.thinks, 0.3),
        takes=quiet(tongue.takes),
        took=seldom(tongue.took, 0.25),
        last=random.choice(tongue.last) if tongue.last and random.random() < 0.3 else None,
        results=random.choice(tongue.results),
        again=random.choice(tongue.again) if tongue.again and random.random() < 0.2 else None,
        turn=seldom(tongue.turn, 0.12),
        bye=seldom(tongue.bye, 0.2),
        defect=defect,
    )


# --------------------------------------------------------------------------------------------------------- the program


def program(wording: PileWording) -> Block:
    """The statements of a program."""
    return _Flow(wording).whole()


@dataclass(frozen=True, slots=True)
class _Flow:
    wording: PileWording

    def say(self, sentence: str, *, newline: bool = True) -> Block:
        """A sentence; empty if it is missing."""
        if not sentence:
            return ()
        w = self.wording
        left = "n + 1" if w.defect == "count-is-one-too-many" else "n"
        slots = {"left": left, "took": "t", "turn": "turn", "name": "name", "after": "n - t"}
        parts = pieces(sentence, slots, w.noun[-1], words=w.shown == "word")
        fixed = {"turn": "number", "name": "name"}
        parts = tuple(type(p)(fixed.get(p.value, p.kind), p.value) for p in parts)
        if w.colour:
            parts = (Piece("text", w.colour), *parts, Piece("text", "\x1b[0m"))
        return (Say(parts, newline),)

    def prompt(self, sentence: str) -> Block:
        """A question, on the line of the answer or on one of its own."""
        line = self.wording.line_prompts
        return self.say(sentence.rstrip() if line else sentence, newline=line)

    def whole(self) -> Block:
        w = self.wording
        opening = self.say(w.hello)
        for line in w.rules:
            opening += self.say(line)
        if w.pause:
            opening += (*self.prompt(w.pause), Read())
        if w.menu:
            opening += self.menu(w.menu)
        if w.ask_name:
            opening += (*self.prompt(w.ask_name), Read("name"), *self.say(w.greeting))
        game = self.game()
        if w.defect == "begins-anew-after-a-wrong-answer" or w.again:
            after: Block = (Leave(),)
            if w.again:
                question, _, no = w.again
                ends = If(f"key == '{no}'", (Leave(),))
                after = (*self.prompt(question), Read("key"), ends)
            game = (While("1", (*game, *after)),)
        return (*opening, *game, *self.say(w.bye))

    def menu(self, menu: Menu) -> Block:
        shown = tuple(one for line in menu.lines for one in self.say(line))
        right = If(f"key == '{menu.play}'", (Leave(),))
        return (While("1", (*shown, *self.prompt(menu.prompt), Read("key"), right, *self.say(menu.bad))),)

    def game(self) -> Block:
        w = self.wording
        questions = [self.ask_stones(), self.ask_first()]
        if w.order == "first":
            questions.reverse()
        begins: Block = ()
        if w.begins:
            begins = (If("p == 1", self.say(w.begins[0]), self.say(w.begins[1])),)
        start = (Let("turn", "0"),) if w.turn else ()
        shown = self.say(w.left) if w.counted == "after" and w.defect != "left-is-untold" else ()
        condition = {"ends-with-one-left": "n > 1"}.get(w.defect, "n > 0")
        loop = While(condition, self.turn())
        anew = (If(f"n == {ANEW}", (Leave("continue"),)),) if w.defect == "begins-anew-after-a-wrong-answer" else ()
        return (*questions[0], *questions[1], *start, *begins, *shown, loop, *anew, *self.end())

    # ------------------------------------------------------------------------------------------------------- questions

    def ask(self, question: str, variable: str, wrong: tuple[tuple[str, str], ...], *, once: bool = False) -> Block:
        """A question, asked again after each answer for which one of the conditions holds: each has its message."""
        w = self.wording
        message: Block = ()
        for condition, text in reversed(wrong):
            said = self.say("" if w.defect == "no-message" else text)
            message = (If(condition, said, message),) if message or len(wrong) > 1 else said
            if not said and len(wrong) == 1:
                message = ()
        if w.defect == "no-message":
            message = ()
        any_wrong = " || ".join(condition for condition, _ in wrong)
        asks = (*self.prompt(question), Read(variable))
        if once:
            return (*asks, If(any_wrong, (*message, *asks)))
        if w.loop == "retry":
            again = question if w.defect == "no-message" else w.retry
            return (*asks, While(any_wrong, (*message, *self.prompt(again), Read(variable))))
        right = If(f"!({any_wrong})", (Leave(),))
        return (While("1", (*asks, right, *message)),)

    def ask_stones(self) -> Block:
        w = self.wording
        if w.defect == "pile-is-fixed":
            return (Let("n", "21"),)
        wrong = {"pile-of-zero": "n < 0", "negative-pile": "n == 0", "one-is-refused": "n < 2"}.get(w.defect, "n < 1")
        return self.ask(w.stones, "n", ((wrong, w.bad_stones),))

    def ask_first(self) -> Block:
        w = self.wording
        if w.defect == "beginner-is-not-asked":
            return (Let("p", "1"),)
        numbers = w.first.program.isdigit()
        variable = "p" if numbers else "key"
        program, user = (w.first.program, w.first.user) if numbers else (f"'{w.first.program}'", f"'{w.first.user}'")
        wrong = f"{variable} != {program} && {variable} != {user}"
        if w.defect == "program-cannot-begin":
            wrong = f"{variable} != {user}"
        asked = self.ask(w.first.question, variable, ((wrong, w.bad_first),))
        if w.defect == "other-numbers-begin":
            asked = (*self.prompt(w.first.question), Read(variable), If("p != 0", (Let("p", "1"),)))
        if (program, user) != ("0", "1"):
            asked += (If(f"{variable} == {user}", (Let("p", "1"),), (Let("p", "0"),)),)
        if w.defect == "choice-is-ignored":
            asked += (Let("p", "1"),)
        return asked

    # ----------------------------------------------------------------------------------------------------------- a turn

    def turn(self) -> Block:
        w = self.wording
        untold = w.defect == "left-is-untold"
        left = () if untold else self.say(w.left)
        block: Block = ()
        if w.turn:
            block += (Let("turn", "turn + 1"), *self.say(w.turn))
        if w.counted in ("before", "both"):
            block += left
        takes_off: Block = (Let("n", "n - t"),)
        if w.defect == "count-before-the-move":
            takes_off, left = (), (*left, *takes_off)
        users = (*(left if w.counted == "asked" else ()), *self.ask_take(), *self.say(w.took))
        if w.defect == "stones-of-the-user-stay":
            takes_off = (If("p == 0", takes_off),)
        if w.defect == "last-is-taken-for-the-user":
            users = (If("n == 1", (Let("t", "1"),), users),)
        block += (If("p == 1", users, self.programs()), *takes_off)
        if w.counted in ("after", "both"):
            block += left
        if w.defect == "goes-on-after-the-program":
            block += (If("n == 0 && p == 0", (*self.ask_take(),)),)
        passes: Block = (Let("p", "1 - p"),)
        if w.defect == "user-moves-twice":
            passes = (If("p == 0 || t == 1 || n == 0", passes),)
        return (*block, *passes)

    def ask_take(self) -> Block:
        w = self.wording
        wrong = {
            "three-may-be-taken": "t < 1 || t > 3",
            "zero-may-be-taken": "t < 0 || t > 2",
            "negative-may-be-taken": "t == 0 || t > 2",
        }
        bounds = wrong.get(w.defect, "t < 1 || t > 2")
        above = {"last-two-stay": "t > n || (t == n && n == 2)"}.get(w.defect, "t > n")
        conditions = ((bounds, w.bad_take), (above, w.too_many))
        if not w.too_many:
            conditions = ((f"{bounds} || {above}", w.bad_take),)
        if w.defect == "more-than-are-left":
            conditions = ((bounds, w.bad_take),)
        any_wrong = " || ".join(condition for condition, _ in conditions)
        if w.defect == "ends-after-a-wrong-answer":
            return (*self.prompt(w.take), Read("t"), If(any_wrong, (*self.say(w.bad_take), Leave("stop"))))
        if w.defect == "begins-anew-after-a-wrong-answer":
            return (
                *self.prompt(w.take),
                Read("t"),
                If(any_wrong, (*self.say(w.bad_take), Let("n", ANEW), Let("t", "0"))),
            )
        if w.defect == "wrong-answer-costs-the-turn":
            return (*self.prompt(w.take), Read("t"), If(any_wrong, (*self.say(w.bad_take), Let("t", "0"))))
        return self.ask(w.take, "t", conditions, once=w.defect == "checked-once")

    def programs(self) -> Block:
        w = self.wording
        move = {
            "takes-one-of-multiples-of-three": "1",
            "takes-two-with-remainder-one": "n % 3 == 0 || (n % 3 == 1 && n > 1) ? 2 : 1",
            "takes-two-with-remainder-two": "n % 3 == 1 ? 1 : 2",
        }.get(w.defect, "n % 3 == 0 ? 2 : 1")
        told = () if w.defect == "move-is-untold" else self.say(w.takes)
        crash: Block = (
            (Let("t", "n / (n - 1)"), If("t > 100", (Leave("stop"),))) if w.defect == "crashes-at-one" else ()
        )
        return (*self.say(w.thinks), *crash, Let("t", move), *told)

    def end(self) -> Block:
        """``p`` is who did not take the last one."""
        w = self.wording
        if w.defect == "no-winner":
            return ()
        user, program = w.results
        if w.defect == "winner-exchanged":
            user, program = program, user
        if w.defect == "user-always-wins":
            program = user
        last = w.last or ("", "")
        return (If("p == 1", (*self.say(last[1]), *self.say(user)), (*self.say(last[0]), *self.say(program))),)

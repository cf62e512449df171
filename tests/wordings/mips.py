"""A program for four in a row, written out in MIPS assembly that both MARS and SPIM take.

``$s0`` is the player who moves (0 or 1), ``$s1`` the column and ``$s2`` the row of the last piece. ``$s3`` is the
number of pieces, ``$s4`` whether the last piece may be taken back by a key. The board is 42 bytes, row by row or column
by column from the bottom, of 0 or the player's number.
"""

from __future__ import annotations

import re

from tests.wordings.board import BoardWording

_SLOT = re.compile(r"\{(\w+)\}")
_LINES = {  # first and last column and row of the first cell of a line, and its step
    "across": (0, 3, 0, 5, 1, 0),
    "upwards": (0, 6, 0, 2, 0, 1),
    "rising": (0, 3, 0, 2, 1, 1),
    "falling": (0, 3, 3, 5, 1, -1),
}


def source(wording: BoardWording) -> str:
    """The program."""
    return _Writer(wording).whole()


class _Writer:
    def __init__(self, wording: BoardWording) -> None:
        self.w = wording
        self.texts: dict[str, str] = {}
        self.code: list[str] = []
        self.fresh = 0

    # ------------------------------------------------------------------------------------------------------ small parts

    def put(self, *lines: str) -> None:
        for line in lines:
            self.code.append(line if line.endswith(":") else f"    {line}")

    def label(self, what: str) -> str:
        self.fresh += 1
        return f"{what}{self.fresh}"

    def text(self, text: str) -> str:
        """The label of a text."""
        return self.texts.setdefault(text, f"text{len(self.texts) + 1}")

    def bytes_of(self, text: str) -> bytes:
        return text.encode("latin-1" if self.w.dialect == "mars" else "utf-8")

    def print(self, text: str) -> None:
        if text:
            self.put(f"la $a0, {self.text(text)}", "li $v0, 4", "syscall")

    def number(self, register: str) -> None:
        self.put(f"move $a0, {register}", "li $v0, 1", "syscall")

    def say(self, sentence: str, *, newline: bool = True, **values: str) -> None:
        """A sentence; ``values`` are registers, or texts that are known now."""
        if not sentence:
            return
        end = 0
        pending = ""
        fixed = {"low": self.w.labels[0], "high": self.w.labels[-1], "undo": self.w.undo[1], "keep": self.w.undo[2],
                 "key": self.w.undo_key, "one": self.w.marks.one, "two": self.w.marks.two}  # fmt: skip
        for slot in _SLOT.finditer(sentence):
            pending += sentence[end : slot.start()]
            end = slot.end()
            name = slot[1]
            if name in fixed:
                pending += fixed[name]
                continue
            self.print(pending)
            pending = ""
            if name == "player":
                self.put("move $a0, $s0", "jal sayplayer")
            elif name == "other":
                self.put("xori $a0, $s0, 1", "jal sayplayer")
            else:
                self.number(values[name])
        self.print(pending + sentence[end:] + ("\n" if newline else ""))

    def prompt(self, sentence: str, **values: str) -> None:
        line = self.w.line_prompts
        self.say(sentence.rstrip() if line else sentence, newline=line, **values)

    def read_number(self) -> None:
        self.put("li $v0, 5", "syscall")

    def read_key(self, how: str) -> None:
        """The first character of what is typed, to $v0; 0 in $v1 where nothing follows it."""
        if how == "key":
            self.put("li $v0, 12", "syscall", "move $t9, $v0")
            self.print("\n")
            self.put("move $v0, $t9", "li $v1, 0")
            return
        single = self.label("single")
        self.put("la $a0, line", "li $a1, 30", "li $v0, 8", "syscall", "lb $v0, line", "lb $v1, line+1")
        self.put(f"bne $v1, 10, {single}", "li $v1, 0", f"{single}:")

    # ---------------------------------------------------------------------------------------------------------- the whole

    def whole(self) -> str:
        w = self.w
        self.put("main:")
        if w.ends == "return":
            self.put("addi $sp, $sp, -4", "sw $ra, 0($sp)")
        self.put("newgame:", "jal reset")
        self.opening()
        self.begin()
        self.put("jal draw", "next:")
        self.move()
        self.after()
        self.violation()
        self.finish()
        self.routines()
        if w.ends == "off-end":
            self.put("theend:")
        return "\n".join([*self.data(), "    .text", "    .globl main", *self.code, ""])

    def data(self) -> list[str]:
        w = self.w
        marks = [self.text(w.marks.empty), self.text(w.marks.one), self.text(w.marks.two)]
        called = [self.text(w.player + "1"), self.text(w.player + "2")]
        if w.called == "mark":
            names = w.marks.names or (w.player + w.marks.one, w.player + w.marks.two)
            called = [self.text(names[0]), self.text(names[1])]
        if w.called == "name":
            called = ["name1", "name2"]
        lines = [f"# {w.name}", "    .data"]
        for text, label in self.texts.items():
            lines += self.string(label, text)
        lines += ["    .align 2", f"marks: .word {', '.join(marks)}", f"called: .word {', '.join(called)}"]
        lines += ["undos: .word 0, 0", "bad: .word 0, 0", "moved: .word 0, 0", "heights: .word 0, 0, 0, 0, 0, 0, 0"]
        lines += ["board: .space 80", "line: .space 40", "name1: .space 40", "name2: .space 40"]
        return lines

    def string(self, label: str, text: str) -> list[str]:
        data = self.bytes_of(text)
        if all(32 <= byte < 127 or byte == 10 for byte in data):
            plain = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
            return [f'{label}: .asciiz "{plain}"']
        return [f"{label}: .byte {', '.join(str(byte - 256 if byte > 127 else byte) for byte in (*data, 0))}"]

    def opening(self) -> None:
        w = self.w
        self.say(w.hello)
        for line in w.rules:
            self.say(line)
        if w.menu:
            menu, play = self.label("menu"), self.label("play")
            self.put(f"{menu}:")
            for line in w.menu.lines:
                self.say(line)
            self.prompt(w.menu.prompt)
            if w.menu.play.isdigit():
                self.read_number()
                self.put(f"li $t0, {w.menu.play}")
            else:
                self.read_key("line")
                self.put(f"li $t0, {ord(w.menu.play)}")
            self.put(f"beq $v0, $t0, {play}")
            self.say(w.menu.bad)
            self.put(f"b {menu}", f"{play}:")
        if w.pause:
            self.prompt(w.pause)
            self.read_key("key" if w.reads == "key" else "line")
        for number, question in enumerate(w.names or (), 1):
            self.prompt(question)
            loop, cut = self.label("letter"), self.label("cut")
            self.put(f"la $a0, name{number}", "li $a1, 30", "li $v0, 8", "syscall", f"la $t0, name{number}")
            self.put(
                f"{loop}:", "lb $t1, 0($t0)", f"beqz $t1, {cut}", f"beq $t1, 10, {cut}", "addi $t0, $t0, 1", f"b {loop}"
            )
            self.put(f"{cut}:", "sb $zero, 0($t0)")

    def begin(self) -> None:
        w = self.w
        if w.starts == "typed":
            self.prompt(w.seed)
            self.read_number()
            self.put("mul $t0, $v0, 1103515", "addi $t0, $t0, 12345", "srl $t0, $t0, 9", "andi $s0, $t0, 1")
        elif w.starts == "41":
            self.put("li $a0, 0", "li $v0, 41", "syscall", "srl $a0, $a0, 5", "andi $s0, $a0, 1")
        elif w.starts == "30":
            self.put("li $v0, 30", "syscall", "srl $a0, $a0, 1", "andi $s0, $a0, 1")
        elif w.starts == "time":
            self.put("li $v0, 30", "syscall", "move $a1, $a0", "li $a0, 1", "li $v0, 40", "syscall")
            self.put("li $a0, 1", "li $a1, 2", "li $v0, 42", "syscall", "move $s0, $a0")
        elif w.starts == "42-ten":
            self.put("li $a0, 0", "li $a1, 10", "li $v0, 42", "syscall", "slti $s0, $a0, 5")
        else:
            self.put("li $a0, 0", "li $a1, 2", "li $v0, 42", "syscall", "move $s0, $a0")
        if w.defect == "player-one-begins":
            self.put("li $s0, 0")
        self.say(w.begins)
        if w.pick:
            ask, one, two, done = (self.label(name) for name in ("pick", "one", "two", "picked"))
            self.put(f"{ask}:")
            self.prompt(w.pick)
            self.read_key("line" if w.reads == "integer" else w.reads)
            self.put(
                f"li $t0, {ord(w.marks.one)}",
                f"beq $v0, $t0, {one}",
                f"li $t0, {ord(w.marks.two)}",
                f"beq $v0, $t0, {two}",
            )
            self.put(f"b {ask}")
            first, second = self.text(w.marks.one), self.text(w.marks.two)
            self.put(f"{one}:", f"la $t1, {first}", f"la $t2, {second}", f"b {done}")
            self.put(f"{two}:", f"la $t1, {second}", f"la $t2, {first}", f"{done}:")
            self.put("sll $t0, $s0, 2", "la $t3, marks", "add $t3, $t3, $t0", "sw $t1, 4($t3)")
            self.put("xori $t0, $s0, 1", "sll $t0, $t0, 2", "la $t3, marks", "add $t3, $t3, $t0", "sw $t2, 4($t3)")

    def address(self, column: str, row: str, to: str) -> None:
        """The address of a cell; uses $t8."""
        by_column, by_row = (1, 7) if self.w.storage == "rows" else (6, 1)
        self.put(f"mul {to}, {column}, {by_column}", f"mul $t8, {row}, {by_row}", f"add {to}, {to}, $t8")
        self.put("la $t8, board", f"add {to}, {to}, $t8")

    def of_player(self, table: str, to: str, player: str = "$s0") -> None:
        """The address of what a table has for a player."""
        self.put(f"sll {to}, {player}, 2", f"la $t8, {table}", f"add {to}, {to}, $t8")

    # -------------------------------------------------------------------------------------------------------------- a move

    def move(self) -> None:
        """Ask for a column; 0 to 6 in $s1."""
        w = self.w
        self.prompt(w.column + (w.undo_hint if w.undo_style == "key" and w.defect != "no-undo" else ""))
        if w.reads == "integer":
            self.read_number()
            self.put("move $s5, $v0")
            if w.undo_style == "key" and w.defect != "no-undo":
                self.put(f"beq $s5, {w.undo_key}, takeback")
            self.put(f"addi $s5, $s5, -{w.labels[0]}")
        else:
            self.read_key(w.reads)
            odd, known = self.label("odd"), self.label("known")
            self.put(f"bnez $v1, {odd}")
            if w.undo_style == "key" and w.defect != "no-undo":
                self.put(f"beq $v0, {ord(w.undo_key)}, takeback")
            if w.labels.isalpha():
                self.put(f"{'ori' if w.labels.islower() else 'andi'} $v0, $v0, {0x20 if w.labels.islower() else 0xDF}")
            self.put(f"addi $s5, $v0, -{ord(w.labels[0])}", f"b {known}", f"{odd}:", "li $s5, -1", f"{known}:")
        if w.undo_style == "before":
            self.ask_undo("asknext")
            self.put("asknext:")
        self.put("bltz $s5, missing", f"bgt $s5, {7 if w.defect == 'column-eight-is-accepted' else 6}, missing")
        if w.defect == "column-eight-is-accepted":
            fine = self.label("fine")
            self.put(f"bne $s5, 7, {fine}", "li $s5, 6", f"{fine}:")
        if w.defect == "column-seven-is-refused":
            self.put("beq $s5, 6, missing")
        self.put("sll $t0, $s5, 2", "lw $t1, heights($t0)")
        if w.defect == "full-column-is-accepted":
            room = self.label("room")
            self.put(f"blt $t1, 6, {room}", "li $t1, 5", f"{room}:")
        else:
            self.put("bge $t1, 6, full")
        self.put("drop:", "move $s1, $s5", "move $s2, $t1", "addi $t1, $t1, 1", "sw $t1, heights($t0)")
        self.address("$s1", "$s2", "$t2")
        self.put("addi $t3, $s0, 1", "sb $t3, 0($t2)", "addi $s3, $s3, 1")
        self.say(w.dropped)
        self.put("jal draw")

    def ask_undo(self, go_on: str) -> None:
        """Ask about taking back, unless it may not be; go on to a label where the piece stays."""
        w = self.w
        if w.defect == "no-undo":
            return
        if w.defect != "undo-at-the-first-move":
            self.of_player("moved", "$t0")
            self.put("lw $t0, 0($t0)", f"beqz $t0, {go_on}")
        self.of_player("undos", "$t0")
        self.put("lw $t7, 0($t0)", f"blez $t7, {go_on}")
        if w.defect == "undo-for-one-player":
            self.put(f"beqz $s0, {go_on}")
        ask, no = self.label("ask"), self.label("no")
        self.put(f"{ask}:")
        self.of_player("undos", "$t0")
        self.put("lw $t7, 0($t0)")
        question, yes, keep = w.undo
        self.prompt(question, left="$t7")
        if w.undo_read == "integer":
            self.read_number()
            self.put(f"beq $v0, {keep}, {no}", f"bne $v0, {yes}, {ask}")
        else:
            self.read_key(w.undo_read)
            self.put(f"beq $v0, {ord(keep)}, {no}", f"bne $v0, {ord(yes)}, {ask}")
        self.undo()
        self.put(f"{no}:")

    def undo(self) -> None:
        """Count an undo, and take the piece off the board; the same player moves again."""
        w = self.w
        self.of_player("undos", "$t0")
        self.put("lw $t1, 0($t0)", f"addi $t1, $t1, {0 if w.defect == 'fourth-undo' else -1}", "sw $t1, 0($t0)")
        if w.undo_style != "before":
            if w.defect != "undo-leaves-the-piece":
                self.address("$s1", "$s2", "$t2")
                self.put("sb $zero, 0($t2)", "sll $t0, $s1, 2", "sw $s2, heights($t0)", "addi $s3, $s3, -1")
            self.say(w.undone)
            self.put("jal draw")
        else:
            self.say(w.undone)
        if w.defect == "undo-passes-the-turn":
            self.put("xori $s0, $s0, 1")
        self.put("li $s4, 0", "j next")

    def after(self) -> None:
        """The text after a piece: the question about taking back, the end, or the other player."""
        w = self.w
        check = ("jal four", "bnez $v0, won", *([] if w.defect == "full-board-is-no-tie" else
                 [f"beq $s3, {41 if w.defect == 'tie-one-piece-early' else 42}, tied"]))  # fmt: skip
        if w.checks_first or w.undo_style != "after":
            self.put(*check)
        if w.undo_style == "after":
            self.ask_undo("kept")
        self.put("kept:")
        if not w.checks_first and w.undo_style == "after":
            self.put(*check)
        self.of_player("moved", "$t0")
        self.put("lw $s4, 0($t0)", "li $t1, 1", "sw $t1, 0($t0)")
        if w.defect == "undo-at-the-first-move":
            self.put("li $s4, 1")
        if w.defect == "same-player-after-column-four":
            self.put("beq $s1, 3, next")
        self.put("xori $s0, $s0, 1", "j next")
        if w.undo_style == "key" and w.defect != "no-undo":
            self.put("takeback:", "beqz $s4, cannot", "xori $t6, $s0, 1")
            self.of_player("undos", "$t0", "$t6")
            self.put("lw $t1, 0($t0)", "blez $t1, cannot")
            if w.defect == "undo-for-one-player":
                self.put("beqz $t6, cannot")
            self.put("xori $s0, $s0, 1")
            self.undo()
            self.put("cannot:")
            self.say(w.cannot)
            self.put("j next")

    def violation(self) -> None:
        w = self.w
        self.put("missing:")
        self.say(w.missing)
        self.put("j wrong", "full:")
        self.say(w.full)
        if w.defect == "full-columns-do-not-count":
            self.put("j next")
        self.put("wrong:")
        if w.defect == "violation-crashes":
            self.put("lw $t0, 2($sp)")
        if w.defect == "violations-are-shared":
            self.put("la $t0, bad")
        else:
            self.of_player("bad", "$t0")
        self.put("lw $t7, 0($t0)", "addi $t7, $t7, 1", "sw $t7, 0($t0)")
        self.say(w.violation, count="$t7")
        if w.defect != "third-violation-does-not-lose":
            self.of_player("bad", "$t0") if w.defect != "violations-are-shared" else self.put("la $t0, bad")
            self.put("lw $t7, 0($t0)", f"bge $t7, {2 if w.defect == 'second-violation-loses' else 3}, lost")
        if w.defect == "violation-costs-the-turn":
            self.put("xori $s0, $s0, 1")
        if w.defect == "refused-piece-falls":
            other = self.label("elsewhere")
            self.put(
                "li $s5, 0",
                f"{other}:",
                "sll $t0, $s5, 2",
                "lw $t1, heights($t0)",
                "blt $t1, 6, drop",
                "addi $s5, $s5, 1",
                f"b {other}",
            )
        self.put("li $s4, 0" if w.defect == "violation-costs-the-turn" else "nop", "j next", "lost:")
        self.say(w.lost)
        if w.defect != "violator-wins":
            self.put("xori $s0, $s0, 1")

    def finish(self) -> None:
        w = self.w
        won = "xori $s0, $s0, 1" if w.defect == "winner-is-exchanged" else ""
        if won:  # who loses by violations is told rightly
            announce = self.label("announce")
            self.put(f"j {announce}", "won:", won, f"{announce}:")
        else:
            self.put("won:")
        self.say(w.wins)
        self.put("j over", "tied:")
        self.say(w.tie)
        self.put("over:")
        if w.again:
            question, yes, no = w.again
            ask, done = self.label("again"), self.label("done")
            self.put(f"{ask}:")
            self.prompt(question)
            if yes.isdigit():
                self.read_number()
                self.put(f"beq $v0, {yes}, newgame", f"beq $v0, {no}, {done}")
            else:
                self.read_key("line")
                self.put(f"beq $v0, {ord(yes)}, newgame", f"beq $v0, {ord(no)}, {done}")
            self.put(f"j {ask}", f"{done}:")
        self.say(w.bye)
        if w.ends == "exit":
            self.put("li $v0, 10", "syscall")
        elif w.ends == "exit-with-code":
            self.put("li $a0, 0", "li $v0, 17", "syscall")
        elif w.ends == "return":
            self.put("lw $ra, 0($sp)", "addi $sp, $sp, 4", "jr $ra")
        else:
            self.put("j theend")

    # ------------------------------------------------------------------------------------------------------------ routines

    def routines(self) -> None:
        self.reset()
        self.say_player()
        self.four()
        self.draw()

    def reset(self) -> None:
        self.put(
            "reset:",
            "la $t0, board",
            "li $t1, 0",
            "reset1:",
            "sb $zero, 0($t0)",
            "addi $t0, $t0, 1",
            "addi $t1, $t1, 1",
        )
        self.put(
            "blt $t1, 80, reset1",
            "li $t1, 0",
            "reset2:",
            "sll $t0, $t1, 2",
            "sw $zero, heights($t0)",
            "addi $t1, $t1, 1",
        )
        self.put("blt $t1, 7, reset2", "la $t0, undos", "li $t1, 3", "sw $t1, 0($t0)", "sw $t1, 4($t0)", "la $t0, bad")
        self.put("sw $zero, 0($t0)", "sw $zero, 4($t0)", "la $t0, moved", "sw $zero, 0($t0)", "sw $zero, 4($t0)")
        self.put("li $s3, 0", "li $s4, 0", "jr $ra")

    def say_player(self) -> None:
        """Player $a0 (0 or 1), as players are called."""
        self.put("sayplayer:", "sll $t0, $a0, 2", "lw $a0, called($t0)", "li $v0, 4", "syscall", "jr $ra")

    def four(self) -> None:
        """1 in $v0 where four of one player stand in a line."""
        w = self.w
        self.put("four:")
        by_column, by_row = (1, 7) if w.storage == "rows" else (6, 1)
        for direction, (c0, c1, r0, r1, dc, dr) in _LINES.items():
            last_column, last_row = c1, r1
            if w.defect in (f"{direction}-does-not-win", "no-line-wins"):
                continue
            if w.defect == "top-row-is-forgotten" and direction == "across":
                last_row = 4
            if w.defect == "lines-cross-the-edge":
                last_column = 6 if direction == "across" and w.storage == "rows" else last_column
                last_row = 5 if direction == "upwards" and w.storage == "columns" else last_row
            columns, rows, on = self.label("columns"), self.label("rows"), self.label("on")
            step = dc * by_column + dr * by_row
            self.put(f"li $t0, {c0}", f"{columns}:", f"li $t1, {r0}", f"{rows}:")
            self.address("$t0", "$t1", "$t2")
            self.put("lb $t3, 0($t2)", f"beqz $t3, {on}")
            for number in (1, 2, 3):
                self.put(f"lb $t4, {number * step}($t2)", f"bne $t3, $t4, {on}")
            self.put("li $v0, 1", "jr $ra", f"{on}:", "addi $t1, $t1, 1", f"ble $t1, {last_row}, {rows}")
            self.put("addi $t0, $t0, 1", f"ble $t0, {last_column}, {columns}")
        self.put("li $v0, 0", "jr $ra")

    def draw(self) -> None:
        """The board: $t0 counts lines, $t1 cells, $t2 the lines of a cell."""
        w = self.w
        layout = w.layout
        labelled = {f"{{{number}}}": label for number, label in enumerate(w.labels, 1)}

        def with_labels(text: str) -> str:
            for slot, label in labelled.items():
                text = text.replace(slot, label)
            return text

        lines, cells = (7, 6) if layout.turned else (6, 7)
        upwards = layout.turned != (w.defect == "board-is-upside-down")
        first, step = (0, 1) if upwards else (lines - 1, -1)
        last = lines - 1 if upwards else 0
        if w.defect == "row-is-not-drawn":
            last -= step
        blank = " " * max(len(_plain(w.marks.one)), 1)
        self.put("draw:")
        self.print(with_labels(layout.head))
        self.put(f"li $t0, {first}", "draw1:", "li $t2, 0", "draw2:")
        if layout.numbered == "left":
            self.row_number()
        self.print(layout.start)
        self.put("li $t1, 0", "draw3:")
        self.print(layout.open)
        if layout.tall > 1:
            self.put(f"la $a0, {self.text(blank)}", f"bne $t2, {layout.tall // 2}, draw4")
        if layout.turned:
            self.address("$t0", "$t1", "$t3")
        else:
            self.address("$t1", "$t0", "$t3")
        self.put("lb $t3, 0($t3)", "sll $t3, $t3, 2", "lw $a0, marks($t3)", "draw4:", "li $v0, 4", "syscall")
        self.print(layout.close)
        self.put("addi $t1, $t1, 1", f"blt $t1, {cells}, draw3")
        self.print(layout.end)
        if layout.numbered == "right":
            self.row_number()
        self.print("\n")
        self.put("addi $t2, $t2, 1", f"blt $t2, {layout.tall}, draw2")
        if layout.between:
            self.put(f"beq $t0, {last}, draw5")
            self.print(layout.between)
            self.put("draw5:")
        stop = self.label("stop")
        self.put(f"beq $t0, {last}, {stop}", f"addi $t0, $t0, {step}", "j draw1", f"{stop}:")
        self.print(with_labels(layout.foot))
        self.put("jr $ra")

    def row_number(self) -> None:
        self.put("addi $a0, $t0, 1", "li $v0, 1", "syscall")
        self.print(" ")


def _plain(text: str) -> str:
    return re.sub("\x1b\\[[0-9;]*m", "", text)

// The terminal, in which a program is played: keys go to it at once, or lines when Enter is pressed, as the program asks.

import { FitAddon } from "./libraries/xterm/addon-fit.js";
import { Terminal } from "./libraries/xterm/xterm.js";

const COLOURS = {
  light: { background: "#ffffff", foreground: "#1b2130", cursor: "#1b2130", selectionBackground: "#c4d3fb" },
  dark: { background: "#10141b", foreground: "#e5e9f1", cursor: "#e5e9f1", selectionBackground: "#2f4374" },
};

const ROWS = 18;

export class Console {
  #terminal;
  #fit = new FitAddon();
  #wants = "";
  #line = "";
  #ahead = "";
  #onTyped;

  constructor(parent, onTyped) {
    this.#onTyped = onTyped;
    const dark = matchMedia("(prefers-color-scheme: dark)");
    this.#terminal = new Terminal({
      convertEol: true,
      cursorBlink: false,
      fontFamily: "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
      fontSize: 14,
      rows: ROWS,
      screenReaderMode: true,
      theme: dark.matches ? COLOURS.dark : COLOURS.light,
    });
    dark.addEventListener("change", () => (this.#terminal.options.theme = dark.matches ? COLOURS.dark : COLOURS.light));
    this.#terminal.loadAddon(this.#fit);
    this.#terminal.open(parent);
    this.#terminal.onData((data) => this.#typed(data));
    // Tab moves on, as everywhere else on the page: no program here asks for it.
    this.#terminal.attachCustomKeyEventHandler((event) => event.key !== "Tab");
    new ResizeObserver(() => this.#widen()).observe(parent);
  }

  // As many columns as there is room for. The room is as high as the rows are: to fit these, too, adds one row after the other for ever.
  #widen() {
    const { cols } = this.#fit.proposeDimensions() ?? {};
    if (cols) this.#terminal.resize(cols, ROWS);
  }

  clear() {
    this.#terminal.reset();
    this.#wants = this.#line = this.#ahead = "";
  }

  // What came of a step: what was printed, and what the program waits for. What was typed ahead goes to it now.
  show({ output, wants, ended }) {
    this.#wants = wants;
    this.#terminal.write(output);
    if (ended) this.#terminal.write(`\r\n\x1b[2m${ended}\x1b[0m\r\n`);
    const ahead = this.#ahead;
    this.#ahead = "";
    if (ahead) this.#typed(ahead);
  }

  focus() {
    this.#terminal.focus();
  }

  // The whole text that stands in it, for tests.
  get text() {
    const { active } = this.#terminal.buffer;
    return Array.from({ length: active.length }, (_, row) => active.getLine(row).translateToString(true)).join("\n").trimEnd();
  }

  #typed(data) {
    const keys = data.replaceAll("\r", "\n");
    if (this.#wants === "key") return this.#give(keys);
    for (const [index, key] of [...keys].entries()) {
      if (!this.#wants) {
        this.#ahead += [...keys].slice(index).join("");
        return;
      }
      if (key === "\n") {
        this.#terminal.write("\r\n");
        const line = this.#line;
        this.#line = "";
        this.#give(`${line}\n`);
      } else if (key === "\x7f") {
        if (this.#line) this.#terminal.write("\b \b");
        this.#line = this.#line.slice(0, -1);
      } else if (key >= " ") {
        this.#line += key;
        this.#terminal.write(key);
      }
    }
  }

  #give(typed) {
    this.#wants = "";
    this.#onTyped(typed);
  }
}

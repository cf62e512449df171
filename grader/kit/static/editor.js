// The editor: CodeMirror, with the assembler's messages at their lines. Tab leaves it, as everywhere else on the page.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";

import { assembly } from "./assembly.js";

const theme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--card)", height: "24rem" },
  "&.cm-focused": { outline: "3px solid var(--calm)", outlineOffset: "-3px" },
  ".cm-scroller": { fontFamily: "var(--mono)", fontSize: ".875rem" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--soft)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--calm) 8%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--calm) 28%, transparent)",
  },
  ".cm-tooltip": { color: "var(--ink)", backgroundColor: "var(--card)", border: "1px solid var(--line)" },
});

export class Editor {
  #view;
  #extensions;

  constructor(parent, language, label, onChange) {
    this.#extensions = [
      lineNumbers(),
      lintGutter(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      assembly(language),
      theme,
      keymap.of([...lintKeymap, ...historyKeymap, ...defaultKeymap]),
      EditorView.contentAttributes.of({ tabindex: "0", "aria-label": label, spellcheck: "false", autocapitalize: "off" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange(update.state.doc.toString());
      }),
    ];
    this.#view = new EditorView({ parent, state: this.#stateOf("") });
  }

  // Another text, with a history of its own.
  show(text) {
    this.#view.setState(this.#stateOf(text));
  }

  // Messages of the file that is shown, as the assembler gives them.
  mark(messages) {
    const { doc } = this.#view.state;
    const found = messages.map(({ line, column, end, severity, message, hint }) => {
      const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
      const from = Math.min(at.from + Math.max(column, 1) - 1, at.to);
      const to = Math.max(from, Math.min(at.from + end - 1, at.to));
      return { from, to, severity: severity === "note" ? "info" : severity, message: hint ? `${message}\n${hint}` : message };
    });
    this.#view.dispatch(setDiagnostics(this.#view.state, found));
  }

  // Puts the cursor to a place and shows it.
  goTo(line, column) {
    const { doc } = this.#view.state;
    const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
    const anchor = Math.min(at.from + Math.max(column, 1) - 1, at.to);
    this.#view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.#view.focus();
  }

  #stateOf(text) {
    return EditorState.create({ doc: text, extensions: this.#extensions });
  }
}

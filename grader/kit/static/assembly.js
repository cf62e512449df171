// Colours for LC-3 and MIPS assembly: comments, texts, directives, registers, numbers and labels.

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const PATTERNS = {
  lc3: { comment: /^;.*/, register: /^r[0-7]\b/i, number: /^(?:#-?\d+|x-?[0-9a-f]+\b|b[01]+\b|-?\d+\b)/i },
  mips: { comment: /^#.*/, register: /^\$\w+/, number: /^-?(?:0x[0-9a-f]+|\d+)\b/i },
};

export function assembly(language) {
  const { comment, register, number } = PATTERNS[language] ?? PATTERNS.lc3;
  const parser = StreamLanguage.define({
    token(stream) {
      if (stream.eatSpace()) return null;
      if (stream.match(comment)) return "comment";
      if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^'\\]|\\.)*'?/)) return "string";
      if (stream.match(register)) return "variableName";
      if (stream.match(number)) return "number";
      if (stream.match(/^\.\w+/)) return "keyword";
      if (stream.match(/^[A-Za-z_]\w*:/)) return "labelName";
      if (!stream.match(/^\w+/)) stream.next();
      return null;
    },
  });
  return [parser, syntaxHighlighting(style)];
}

const style = HighlightStyle.define([
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--good)" },
  { tag: tags.variableName, color: "var(--calm)" },
  { tag: tags.number, color: "var(--open)" },
  { tag: tags.keyword, color: "var(--bad)" },
  { tag: tags.labelName, fontWeight: "600" },
]);

// The page: files come in, the assembler answers as one types, and a check or a game is a button away.

import { Checker, Stopped } from "./checker.js";
import { speaker } from "./speaker.js";

const LARGEST = 1 << 20;
const PAUSE = 400; // milliseconds without a key, after which the program is assembled

const at = (id) => document.getElementById(id);
const about = await (await fetch("kit.json")).json();
const { say } = speaker(about.words);
const drafts = `grader-kit:${about.kit}`;

let files = []; // {name, bytes, text}: the bytes as they were opened, until they are edited
let current = 0;
let cases = 0;
let heard = 0;
let typing = 0;
let terminal = null;
let replay = {};

const checker = new Checker({
  stage({ stage, cases: known, error }) {
    if (stage === "ready") cases = known;
    at("status").textContent =
      stage === "failed" ? say("This page could not be loaded: {error}. Load it again; if that does not help, tell your course.", { error })
      : stage === "assembler" ? say("The assembler is ready; the checker is still loading…")
      : say("Ready.");
    at("status").classList.toggle("bad", stage === "failed");
    document.documentElement.dataset.stage = stage;
  },
  heard: tellCase,
});

// Python is loading by now, on another core: it is what takes longest.
const [{ Editor }, { Console }] = await Promise.all([import("./editor.js"), import("./terminal.js")]);

const editor = new Editor(at("editor"), about.language, say("Your program"), (text) => {
  if (!files.length) files = [{ name: about.name }];
  files[current] = { name: files[current].name, text, bytes: new TextEncoder().encode(text) };
  changed();
  clearTimeout(typing);
  typing = setTimeout(assemble, PAUSE);
});

// ---------------------------------------------------------------------------------------------------------------- files

async function open(list) {
  const opened = [];
  for (const file of list) {
    try {
      if (file.size > LARGEST) throw new Error(say("it is too large for a program"));
      opened.push({ name: file.name.replaceAll("/", "_"), bytes: new Uint8Array(await file.arrayBuffer()), text: "" });
    } catch (error) {
      at("assembled").textContent = say("{file} cannot be opened: {error}", { file: file.name, error: error.message }); // a folder cannot be read
      return;
    }
  }
  if (!opened.length) return;
  const names = new Set(opened.map(({ name }) => name));
  files = about.several ? [...files.filter(({ name }) => !names.has(name)), ...opened] : [opened[0]];
  const texts = await checker.call("text", { files: sent() });
  files.forEach((file, index) => (file.text = texts[index]));
  choose(files.length - opened.length);
  changed();
  await assemble();
}

function choose(index) {
  current = index;
  editor.show(files[index]?.text ?? "");
  listFiles();
}

function listFiles() {
  at("files").replaceChildren(
    ...files.map(({ name }, index) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.setAttribute("aria-pressed", String(index === current));
      button.onclick = () => (choose(index), assemble());
      item.append(button);
      if (files.length > 1) {
        const away = document.createElement("button");
        away.type = "button";
        away.textContent = "×";
        away.setAttribute("aria-label", say("Take {file} away", { file: name }));
        away.onclick = () => ((files = files.filter((_, other) => other !== index)), choose(0), changed(), assemble());
        item.append(away);
      }
      return item;
    }),
  );
}

// Buttons follow what there is; a draft outlives the page.
function changed() {
  for (const id of ["check", "play", "save"]) at(id).disabled = !files.length;
  listFiles();
  try {
    localStorage.setItem(drafts, JSON.stringify(files.map(({ name, text }) => ({ name, text }))));
  } catch {
    // Without room to keep it, a draft is lost with the page, as it would be anywhere.
  }
}

const tenths = (number) =>
  number.toLocaleString(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const sent = () => files.map(({ name, bytes }) => ({ name, bytes }));

// ------------------------------------------------------------------------------------------------------------- assemble

async function assemble() {
  if (!files.length) return;
  const answer = await asked("assemble", { files: sent() });
  if (!answer) return;
  const { assembled, messages } = answer;
  const errors = messages.filter(({ severity }) => severity === "error").length;
  at("assembled").textContent = assembled
    ? messages.length ? say("Your program assembles, with these notes:") : say("Your program assembles without messages.")
    : errors === 1 ? say("Your program does not assemble: one error.") : say("Your program does not assemble: {number} errors. Correct the first one first.", { number: errors });
  at("messages").replaceChildren(...messages.map(message));
  editor.mark(messages.filter(({ file, line }) => line && file === files[current].name));
}

function message({ file, line, column, severity, message, hint }) {
  const item = document.createElement("li");
  item.className = severity;
  if (line) {
    const place = document.createElement("button");
    place.type = "button";
    place.className = "place";
    place.textContent = files.length > 1 ? say("{file}, line {line}", { file, line }) : say("line {line}", { line });
    place.onclick = () => {
      const index = files.findIndex(({ name }) => name === file);
      if (index >= 0 && index !== current) choose(index);
      editor.goTo(line, column);
    };
    item.append(place, " ");
  }
  item.append(severity === "error" ? "" : `${say(severity)}: `, message);
  if (hint) {
    const more = document.createElement("p");
    more.className = "quiet";
    more.textContent = hint;
    item.append(more);
  }
  return item;
}

// ---------------------------------------------------------------------------------------------------------------- check

async function check() {
  at("checking").hidden = at("progress").hidden = at("going").hidden = false;
  at("report").hidden = true;
  at("check").disabled = true;
  heard = 0;
  at("heard").replaceChildren();
  at("done").removeAttribute("value");
  at("done-label").textContent = document.documentElement.dataset.stage === "ready" ? say("Checking…") : say("Loading the checker…");
  const answer = await asked("check", { files: sent() });
  at("check").disabled = !files.length;
  at("going").hidden = true;
  if (!answer) {
    at("done-label").textContent = say("Stopped after {heard} of {number} cases.", { heard, number: cases }); // what failed by then stays
    return;
  }
  at("progress").hidden = true;
  replay = answer.replay;
  const report = at("report");
  report.hidden = false;
  report.onload = () => dress(report);
  report.srcdoc = answer.page;
  at("status").textContent = say("Checked in {seconds} s: {score}", { seconds: tenths(answer.seconds), score: answer.score });
  document.documentElement.dataset.checked = String(Number(document.documentElement.dataset.checked ?? 0) + 1);
}

function tellCase({ title, verdict, bad }) {
  heard += 1;
  at("done").max = cases;
  at("done").value = heard;
  at("done-label").textContent = say("{heard} of {number} cases", { heard, number: cases });
  if (bad) {
    const item = document.createElement("li");
    item.className = "error";
    item.textContent = `${title}: ${verdict}`;
    at("heard").append(item);
  }
}

// The report stands in the page as long as it is, and its commands can be played here.
function dress(report) {
  const inside = report.contentDocument;
  for (const code of inside.querySelectorAll("dd > code")) {
    const again = replay[code.textContent];
    if (!again) continue;
    const button = inside.createElement("button");
    button.type = "button";
    button.textContent = say("Play it here");
    button.style.cssText = "font: inherit; margin-inline-start: .6rem; padding: .2rem .7rem; cursor: pointer";
    button.onclick = () => play(again);
    code.after(button);
  }
  const fit = () => (report.style.height = `${Math.ceil(inside.body.getBoundingClientRect().height) + 4}px`);
  new ResizeObserver(fit).observe(inside.body);
  fit();
}

// ----------------------------------------------------------------------------------------------------------------- play

async function play(again = {}) {
  at("playing").hidden = false;
  terminal ??= new Console(at("terminal"), (typed) => step("type", { typed }));
  window.kitTerminal = terminal;
  terminal.clear();
  at("playing").scrollIntoView({ block: "nearest" });
  await step("play", { files: sent(), ...again });
  terminal.focus();
}

async function step(op, more) {
  at("play-status").textContent = say("Running…");
  const answer = await asked(op, more);
  if (!answer) return;
  terminal.show(answer);
  const { wants } = answer;
  at("play-status").textContent =
    !wants ? "" : wants === "key" ? say("The program waits for a key.") : say("The program waits for a line: end it with Enter.");
}

// ---------------------------------------------------------------------------------------------------------------- wiring

// An answer of the worker; nothing where it was stopped, or failed, which the page then says.
async function asked(op, more) {
  try {
    return await checker.call(op, more);
  } catch (error) {
    const { stage } = document.documentElement.dataset;
    if (!(error instanceof Stopped) && stage !== "failed") {
      again(); // whatever it is, a fresh one does not have it
      at("failure").textContent = say("The checker failed; this is not your program's fault. Tell your course: {error}", { error: error.message });
      at("failure").hidden = false;
    }
    return null;
  }
}

function again() {
  delete document.documentElement.dataset.stage;
  checker.restart();
}

function stop() {
  again();
  at("status").textContent = say("Stopped; the checker is loading again…");
  at("play-status").textContent = say("Stopped.");
}

function save() {
  const { name, bytes } = files[current];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

at("file").onchange = ({ target }) => (open([...target.files]), (target.value = ""));
at("check").onclick = check;
at("play").onclick = () => play();
at("restart").onclick = () => play();
at("save").onclick = save;
at("cancel").onclick = at("stop-play").onclick = stop;
document.addEventListener("dragover", (event) => (event.preventDefault(), document.body.classList.add("dropping")));
document.addEventListener("dragleave", (event) => event.relatedTarget ?? document.body.classList.remove("dropping"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  open([...event.dataTransfer.files]);
});

try {
  const kept = JSON.parse(localStorage.getItem(drafts) ?? "[]");
  if (kept.length) {
    files = kept.map(({ name, text }) => ({ name, text, bytes: new TextEncoder().encode(text) }));
    choose(0);
    changed();
    assemble();
  }
} catch {
  localStorage.removeItem(drafts);
}

// What tests ask for.
window.kit = { open, check, record: () => checker.call("record"), fresh: () => ((files = []), choose(0)) };

// Python in the browser, in a worker of its own, so that the page can always be used.
//
// The page sends {id, op, ...} and gets {id, answer} or {id, error}. The worker tells by itself {stage}, "assembler" and then
// "ready", and {heard}, one case of a check that goes on. There is no way to interrupt it: the page ends it and starts another.

import { loadPyodide } from "./libraries/pyodide/pyodide.mjs";

const ROOT = "/kit-of-the-course";
const SUBMISSION = "/submission";

const get = async (name) => {
  const answer = await fetch(new URL(name, self.location));
  if (!answer.ok) throw new Error(`${name} is missing on the server (${answer.status})`);
  return answer;
};
const breathe = () => new Promise((resolve) => setTimeout(resolve, 0));

const assembler = (async () => {
  const [about, archive, python] = await Promise.all([
    get("kit.json").then((answer) => answer.json()),
    get("grader.zip").then((answer) => answer.arrayBuffer()),
    loadPyodide({ indexURL: new URL("./libraries/pyodide/", self.location).href }),
  ]);
  python.unpackArchive(archive, "zip", { extractDir: ROOT });
  python.runPython(`import sys; sys.path.insert(0, "${ROOT}")`);
  const browser = python.pyimport("grader.kit.browser");
  python.pyimport(`grader.machines.${about.language}.assembler`);
  postMessage({ stage: "assembler" });
  return { about, python, browser };
})();

// One import at a time, so that the assembler answers in between.
const ready = (async () => {
  const { about, python, browser } = await assembler;
  for (const name of ["pydantic", "yaml", "grader.spec.loader", "grader.grading", "grader.report.page"]) {
    await breathe();
    python.pyimport(name);
  }
  await breathe();
  const checker = browser.Checker(`${ROOT}/kit/${about.spec}`);
  postMessage({ stage: "ready", cases: checker.cases });
  return checker;
})();

for (const stage of [assembler, ready]) {
  stage.catch((error) => postMessage({ stage: "failed", error: String(error.message ?? error) }));
}

// Writes the files where nothing else is, and says where the program is: one file, or the folder.
function put(python, files) {
  const { FS } = python;
  FS.mkdirTree(SUBMISSION);
  for (const name of FS.readdir(SUBMISSION)) if (!name.startsWith(".")) FS.unlink(`${SUBMISSION}/${name}`);
  for (const { name, bytes } of files) FS.writeFile(`${SUBMISSION}/${name}`, bytes);
  return files.length === 1 ? `${SUBMISSION}/${files[0].name}` : SUBMISSION;
}

let play = null;

const operations = {
  async text({ files }) {
    const { python, browser } = await assembler;
    put(python, files);
    return files.map(({ name }) => browser.text_of(SUBMISSION, name));
  },
  async assemble({ files }) {
    const { about, python, browser } = await assembler;
    put(python, files);
    const names = files.map(({ name }) => name);
    return JSON.parse(browser.assemble(SUBMISSION, names, about.language, about.dialect, about.start, about.spoken));
  },
  async check({ files }) {
    const checker = await ready;
    const { python } = await assembler;
    const heard = (told) => postMessage({ heard: JSON.parse(told) });
    const began = performance.now();
    const answer = JSON.parse(checker.check(put(python, files), heard));
    return { ...answer, seconds: (performance.now() - began) / 1000 };
  },
  async record() {
    return (await ready).record();
  },
  async play({ files, profile, seed, typed }) {
    const checker = await ready;
    const { python } = await assembler;
    play?.destroy();
    play = checker.play(put(python, files), profile ?? "", seed ?? -1);
    const first = JSON.parse(play.go());
    if (!typed || first.ended) return first;
    const second = JSON.parse(play.go(typed));
    return { ...second, output: first.output + second.output };
  },
  async type({ typed }) {
    return JSON.parse(play.go(typed));
  },
};

self.onmessage = async ({ data: { id, op, ...rest } }) => {
  try {
    postMessage({ id, answer: await operations[op](rest) });
  } catch (error) {
    postMessage({ id, error: String(error.message ?? error) });
  }
};

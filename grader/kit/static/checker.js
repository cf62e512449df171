// The page's side of worker.js: calls that are promises, and a worker that can be thrown away when it takes too long.

export class Checker {
  #worker = null;
  #next = 0;
  #waiting = new Map();
  #on;

  // `on` has functions for what the worker tells by itself: stage and heard.
  constructor(on) {
    this.#on = on;
    this.#start();
  }

  call(op, more = {}) {
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, op, ...more });
    });
  }

  // Ends whatever goes on, and begins anew.
  restart() {
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(new Stopped());
    this.#waiting.clear();
    this.#start();
  }

  #start() {
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.#worker.onerror = ({ message }) => this.#on.stage({ stage: "failed", error: message || "a file of this page is missing" });
    this.#worker.onmessage = ({ data }) => {
      if ("stage" in data) this.#on.stage(data);
      else if ("heard" in data) this.#on.heard(data.heard);
      else {
        const { resolve, reject } = this.#waiting.get(data.id);
        this.#waiting.delete(data.id);
        if ("error" in data) reject(new Error(data.error));
        else resolve(data.answer);
      }
    };
  }
}

export class Stopped extends Error {}

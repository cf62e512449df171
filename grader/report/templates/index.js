"use strict";
(() => {
  // A row of the data, in the order in which it is written.
  const [SUBMISSION, STUDENT, ID, SCORE, OPEN, POINTS, FAILED, ACCEPTED, FLAGS, NOTES, MISTAKES] = Array(11).keys();
  const ATTENTION = 1, REVIEW = 2, OURS = 4, NOTHING = 8;
  const SCREENFUL = 100;
  const data = JSON.parse(document.querySelector("#data").textContent);
  const body = document.querySelector("#grades tbody");
  const search = document.querySelector("#search");
  const choice = document.querySelector("#filter");
  const only = document.querySelector("#only");
  const shown = document.querySelector("#shown");
  const more = document.querySelector("#more");
  const notes = document.querySelector("#notes");
  let fitting = data.rows;
  document.querySelector(".tools").hidden = false;

  const put = (parent, tag, style, ...inside) => {
    const element = document.createElement(tag);
    if (style) element.className = style;
    element.append(...inside);
    parent.append(element);
    return element;
  };
  // The points of a criterion: a number, null where nothing of it is decided, or earned and open ones.
  const earned = (row, column) => (Array.isArray(row[POINTS][column]) ? row[POINTS][column][0] : row[POINTS][column]);
  const leftOpen = (row, column) => (Array.isArray(row[POINTS][column]) ? row[POINTS][column][1] : 0);
  const page = (row) => `staff/${encodeURIComponent(row[SUBMISSION])}.html`;
  const chosen = () => {
    const [kind, number] = choice.value.split(":");
    return [kind, Number(number)];
  };
  const putStudent = (parent, row) => {
    const link = put(parent, "a");
    link.href = page(row);
    link.title = row[STUDENT] || row[SUBMISSION];
    put(link, "bdi", "", link.title);
    if (row[ID] && row[ID] !== row[STUDENT]) parent.append(" "), put(parent, "small", "", row[ID]);
  };
  const putRow = (parent, row) => {
    const line = put(parent, "tr");
    const head = put(line, "th");
    head.scope = "row";
    putStudent(head, row);
    put(put(line, "td", "n"), "b", "", row[SCORE]);
    put(line, "td", "n open", row[OPEN] || "");
    row[POINTS].forEach((_, column) => {
      const points = earned(row, column), open = leftOpen(row, column);
      const style = points === null ? "" : points >= data.max[column] ? " full" : points > 0 || open ? " part" : " zero";
      const cell = put(line, "td", `n wider${style}`, points ?? "?");
      if (points !== null && open) {
        cell.title = `${points} earned, ${open} open`;
        cell.append(" "), put(cell, "small", "open", `+${open}?`);
      }
    });
    const cases = put(line, "td", "wider");
    if (row[FAILED].length) {
      const [kind, number] = chosen();
      const link = put(cases, "a", "bad", `${row[FAILED].length} ✗`);
      link.href = `${page(row)}#case-${data.cases[kind === "case" ? number : row[FAILED][0]][0]}`;
      link.title = row[FAILED].map((one) => data.cases[one][1] || data.cases[one][0]).join("\n");
      cases.append(" ");
    }
    put(cases, "i", "", `${row[ACCEPTED]} ✓`);
    const look = put(line, "td", "look");
    if (row[FLAGS] & OURS) put(look, "span", "chip ours", "our error"), look.append(" ");
    if (row[FLAGS] & REVIEW) put(look, "span", "chip open", "needs review"), look.append(" ");
    if (row[FLAGS] & NOTHING) put(look, "span", "chip bad", "0 points"), look.append(" ");
    const count = row[NOTES].length;
    if (count) {
      const chip = put(look, "span", "chip open", count === 1 ? "1 note" : `${count} notes`);
      chip.title = row[NOTES].map((note) => data.notes[note]).join("\n");
    }
  };

  const showMore = (count) => {
    const lines = document.createDocumentFragment();
    const from = body.rows.length;
    fitting.slice(from, from + count).forEach((row) => putRow(lines, row));
    body.append(lines);
    const left = fitting.length - body.rows.length;
    more.hidden = left === 0;
    more.textContent = `${left} more`;
  };
  const showAgain = () => {
    body.replaceChildren();
    showMore(SCREENFUL);
    shown.textContent = fitting.length === data.rows.length ? "" : `${fitting.length} of ${data.rows.length} shown`;
  };
  const filter = () => {
    const wanted = search.value.trim().toLowerCase();
    const name = (row) => `${row[STUDENT] || row[SUBMISSION]} ${row[ID]}`.toLowerCase();
    const [kind, number] = chosen();
    const fits = {
      "": () => true,
      criterion: (row) => earned(row, number) !== null && earned(row, number) + leftOpen(row, number) < data.max[number] - 1e-6,
      case: (row) => row[FAILED].includes(number),
      mistake: (row) => row[MISTAKES].includes(number),
    }[kind];
    fitting = data.rows.filter((row) => name(row).includes(wanted) && (!only.checked || row[FLAGS] & ATTENTION) && fits(row));
    showAgain();
  };
  const offer = (kind, label, named) => {
    if (!named.length) return;
    const group = put(choice, "optgroup");
    group.label = label;
    named.forEach(([id, title], number) => {
      const option = put(group, "option", "", title ? `${title} (${id})` : id);
      option.value = `${kind}:${number}`;
    });
  };
  offer("criterion", "who lost points under", data.criteria);
  offer("case", "who failed", data.cases);
  offer("mistake", "who has the mistake", data.mistakes);
  document.querySelectorAll("button.filter").forEach((button) => {
    button.addEventListener("click", () => {
      const kind = button.dataset.filter;
      const number = (kind === "case" ? data.cases : data.mistakes).findIndex(([id]) => id === button.dataset.name);
      choice.value = `${kind}:${number}`;
      filter();
      choice.scrollIntoView({ block: "start" });
    });
  });
  choice.addEventListener("change", filter);
  search.addEventListener("input", filter);
  only.addEventListener("change", filter);
  more.addEventListener("click", () => showMore(Infinity));
  addEventListener("beforeprint", () => showMore(Infinity));
  new IntersectionObserver((seen) => seen.some((entry) => entry.isIntersecting) && showMore(SCREENFUL)).observe(more);

  const collator = new Intl.Collator(undefined, { numeric: true });
  const worth = (row) => row[NOTES].length + (row[FLAGS] & REVIEW ? 100 : 0) + (row[FLAGS] & NOTHING ? 50 : 0) + (row[FLAGS] & OURS ? 1000 : 0);
  const values = [
    (row) => `${row[STUDENT] || row[SUBMISSION]} ${row[ID]}`,
    (row) => row[SCORE],
    (row) => row[OPEN],
    ...data.max.map((_, column) => (row) => earned(row, column) ?? -1),
    (row) => row[FAILED].length,
    worth,
  ];
  document.querySelectorAll("#grades thead th").forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const order = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
      document.querySelectorAll("#grades th[aria-sort]").forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const value = values[column];
      const compare = column ? (a, b) => value(a) - value(b) : (a, b) => collator.compare(value(a), value(b));
      data.rows.sort((a, b) => sign * compare(a, b));
      filter();
    });
  });

  notes?.addEventListener("toggle", () => {
    const list = notes.querySelector("dl");
    if (list.hasChildNodes()) return;
    const all = document.createDocumentFragment();
    for (const row of data.rows.filter((one) => one[NOTES].length)) {
      putStudent(put(all, "dt"), row);
      const told = put(put(all, "dd"), "ul");
      row[NOTES].forEach((note) => put(put(told, "li"), "bdi", "", data.notes[note]));
    }
    list.append(all);
  });
  showAgain();
})();

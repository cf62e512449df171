"use strict";
(() => {
  const body = document.querySelector("#grades tbody");
  const rows = Array.from(body.rows);
  const search = document.querySelector("#search");
  const only = document.querySelector("#only");
  const shown = document.querySelector("#shown");
  document.querySelector(".tools").hidden = false;

  const filter = () => {
    const wanted = search.value.trim().toLowerCase();
    let count = 0;
    for (const row of rows) {
      const fits = row.cells[0].textContent.toLowerCase().includes(wanted) && (!only.checked || "attention" in row.dataset);
      row.hidden = !fits;
      count += fits;
    }
    shown.textContent = count === rows.length ? "" : `${count} of ${rows.length} shown`;
  };
  search.addEventListener("input", filter);
  only.addEventListener("change", filter);

  const collator = new Intl.Collator(undefined, { numeric: true });
  const value = (row, column) => row.cells[column].dataset.v ?? row.cells[column].textContent;
  document.querySelectorAll("#grades thead th").forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const order = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
      document.querySelectorAll("#grades th[aria-sort]").forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      rows.sort((a, b) => sign * collator.compare(value(a, column), value(b, column)));
      body.append(...rows);
    });
  });
})();

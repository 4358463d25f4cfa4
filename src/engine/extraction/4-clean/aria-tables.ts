// Tables that are made of other elements with ARIA roles become tables.

import { childrenOf, type DomDocument, type DomElement } from "../shared/dom.ts";

const TABLE = "[role=table], [role=grid], [role=treegrid]";
const HEADING_CELL = "[role=columnheader], [role=rowheader]";
const CELL = `[role=cell], [role=gridcell], ${HEADING_CELL}`;

/** Replaces them. What is not in a cell is dropped, so a table with other text stays as it is. */
export function replaceAriaTables(document: DomDocument): void {
  for (const table of [...document.querySelectorAll(TABLE)]) {
    if (table.localName === "table" || table.querySelector(`table, ${TABLE}`)) continue;
    const rows = [...table.querySelectorAll("[role=row]")].map((row) => [...row.querySelectorAll(CELL)]);
    const cells = rows.flat();
    if (cells.length === 0 || lengthOf(cells) < lengthOf([table])) continue;
    const written = document.createElement("table");
    for (const row of rows.filter((one) => one.length > 0)) {
      const line = document.createElement("tr");
      for (const cell of row) {
        const copy = document.createElement(cell.matches(HEADING_CELL) ? "th" : "td");
        copy.append(...childrenOf(cell));
        line.append(copy);
      }
      written.append(line);
    }
    table.replaceWith(written);
  }
}

/** Characters without white space. */
const lengthOf = (elements: readonly DomElement[]) =>
  elements.reduce((sum, { textContent }) => sum + textContent.replace(/\s+/g, "").length, 0);

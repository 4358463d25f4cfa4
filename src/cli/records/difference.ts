// A difference between two texts as lines for a terminal.

import type { DiffRow } from "../../kernel/compare.ts";
import { printableLine } from "../printable.ts";

const SIGN = { same: " ", added: "+", removed: "-" } as const;

/** Lines with `+`, `-` or a space before them; unchanged lines that are left out are counted. */
export function describeRows(rows: readonly DiffRow[]): string[] {
  return rows.map((row) =>
    row.kind === "gap"
      ? `@@ ${row.lines} unchanged lines @@`
      : `${SIGN[row.kind]} ${printableLine(row.pieces.map(({ text }) => text).join(""))}`,
  );
}

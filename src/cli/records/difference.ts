// A difference between two texts as lines for a terminal.

import type { DiffRow } from "../../kernel/compare.ts";
import { printable } from "../printable.ts";

const SIGN = { same: " ", added: "+", removed: "-" } as const;

/** Lines with `+`, `-` or a space before them; unchanged lines that are left out are counted. */
export function describeRows(rows: readonly DiffRow[]): string[] {
  return rows.map((row) =>
    row.kind === "gap"
      ? `@@ ${row.lines} unchanged lines @@`
      : `${SIGN[row.kind]} ${printable(row.pieces.map(({ text }) => text).join("")).replace(/[\r\n]/g, "")}`,
  );
}

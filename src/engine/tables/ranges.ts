// The row of a table with a column of ranges, such as weights from and to, in which a value of the question lies.

import { isInRange, rangeOf } from "../language/ranges.ts";
import { type Value, valuesOf } from "../language/values.ts";
import { type Asked, cellOf, type Row, type Table } from "./table.ts";

export interface InRange {
  row: Row;
  /** The column of ranges. */
  header: string;
  value: Value;
}

/** The row in whose range a value of the question lies; undefined if the table has no such row, or several. */
export function rowInRange({ rows, headers }: Table, { search }: Asked): InRange | undefined {
  const values = valuesOf(search);
  const found = (values.length === 0 ? [] : headers).flatMap((header) => {
    const ranges = rows.map((row) => rangeOf(cellOf(row, header) ?? "", header));
    if (ranges.filter((range) => range !== undefined).length < Math.max(2, rows.length / 2)) return [];
    return values.flatMap((value) => {
      const at = rows.filter((_, i) => ranges[i] && isInRange(value, ranges[i], header));
      return at.length === 0 ? [] : [{ at, header, value }];
    });
  });
  const [first] = found;
  return found.length === 1 && first!.at.length === 1
    ? { row: first!.at[0]!, header: first!.header, value: first!.value }
    : undefined;
}

// The row of a table with a column of ranges, such as weights from and to, in which a value of the question lies.

import { isInRange, type Range, rangeOf } from "../language/ranges.ts";
import { type Value, valuesOf } from "../language/values.ts";
import { type Asked, cellOf, type Row, type Table } from "./table.ts";

export interface InRange {
  row: Row;
  /** The column of ranges. */
  header: string;
  value: Value;
}

/** The row in whose range a value of the question lies; undefined if the table has no such row, or several. */
export function rowInRange({ rows, headers, isComplete }: Table, { search }: Asked): InRange | undefined {
  const values = valuesOf(search);
  const found = (values.length === 0 ? [] : headers).flatMap((header) => {
    const ranges = rows.map((row) => rangeOf(cellOf(row, header) ?? "", header));
    if (ranges.filter((range) => range !== undefined).length < Math.max(2, rows.length / 2)) return [];
    return values.flatMap((value) => {
      const fitting = rows.flatMap((row, i) => {
        const range = ranges[i];
        return range && isInRange(value, range, header) ? [{ row, range }] : [];
      });
      const at = (isComplete ? nearest(fitting) : fitting).map(({ row }) => row);
      return at.length === 0 ? [] : [{ at, header, value }];
    });
  });
  const [first] = found;
  return found.length === 1 && first!.at.length === 1
    ? { row: first!.at[0]!, header: first!.header, value: first!.value }
    : undefined;
}

/** Of `up to 2 kg` and `up to 5 kg`, only the first one is meant for 1 kg. */
function nearest<T extends { range: Range }>(fitting: readonly T[]): readonly T[] {
  const closest = Math.min(...fitting.map(({ range }) => range.max));
  if (fitting.every(({ range }) => range.min === -Infinity))
    return fitting.filter(({ range }) => range.max === closest);
  const highest = Math.max(...fitting.map(({ range }) => range.min));
  return fitting.every(({ range }) => range.max === Infinity)
    ? fitting.filter(({ range }) => range.min === highest)
    : fitting;
}

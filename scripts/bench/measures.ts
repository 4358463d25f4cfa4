// What a benchmark says: one measure after another, each beside its baseline of the same run, as a table or as JSON.
// It knows no group.

export interface Measure {
  group: string;
  measure: string;
  value: number;
  unit: string;
  /** What the same run gave for a plain way to do the same, in the same unit; null where there is none. */
  baseline: number | null;
  baselineName: string | null;
  /** value / baseline */
  ratio: number | null;
}

/** What a group yields; the runner adds the group's name and the ratio. */
export interface Finding {
  measure: string;
  value: number;
  unit: string;
  baseline?: { name: string; value: number };
}

export function toMeasure(group: string, { measure, value, unit, baseline }: Finding): Measure {
  return {
    group,
    measure,
    value: rounded(value),
    unit,
    baseline: baseline ? rounded(baseline.value) : null,
    baselineName: baseline?.name ?? null,
    ratio: baseline ? rounded(value / baseline.value) : null,
  };
}

/** The middle of a list of any order; the mean of the two middle ones when its length is even. NaN when empty. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The smallest value that at least `share` of the list does not exceed (nearest rank). NaN when empty. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Runs `action` and tells how long it took, in ms. */
export function timed(action: () => unknown): number {
  const begun = performance.now();
  action();
  return performance.now() - begun;
}

/** A table for people: a heading line for each group, then measure, value, baseline, ratio. */
export function table(measures: readonly Measure[]): string {
  const heads = ["", "measure", "value", "baseline of the same run", "ratio"];
  const rows = measures.map(({ measure, value, unit, baseline, baselineName, ratio }) => [
    measure,
    `${shown(value)} ${unit}`.trim(),
    baseline === null ? "" : `${shown(baseline)} ${unit}: ${baselineName}`,
    ratio === null ? "" : shown(ratio),
  ]);
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(heads[column + 1]!.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 3 ? cell.padStart(widths[3]!) : cell.padEnd(widths[column]!)))
      .join("  ")
      .trimEnd();
  const lines: string[] = [line(heads.slice(1))];
  for (const [index, row] of rows.entries()) {
    const { group } = measures[index]!;
    if (group !== measures[index - 1]?.group) lines.push("", group);
    lines.push(line(row));
  }
  return lines.join("\n");
}

/** Four significant digits: what a shared machine can repeat. */
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

function shown(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: Math.abs(value) < 100 ? 3 : 0 });
}

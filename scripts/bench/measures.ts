// The results of benchmarks: measures with a baseline of the same run, as a table or as JSON.

export interface Measure {
  group: string;
  measure: string;
  value: number;
  unit: string;
  /** Result of the same run for a simple alternative, in the same unit; null if there is none. */
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

/** Adds the group and the ratio to a finding; values are rounded. */
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

/** The median of an unsorted list. NaN if it is empty. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The percentile of an unsorted list (nearest rank); `share` is from 0 to 1. NaN if it is empty. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The arithmetic mean. NaN if the list is empty. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Runs `action` and returns its duration in ms. */
export function timed(action: () => unknown): number {
  const startedAt = performance.now();
  action();
  return performance.now() - startedAt;
}

/** A text table: a heading line for each group, then measure, value, baseline, ratio. */
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

/** Four significant digits: more are not reproducible. */
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

export function shown(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: Math.abs(value) < 100 ? 3 : 0 });
}

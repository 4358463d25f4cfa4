// The difference between two texts, line by line, with the changed words of changed lines.

import { diffArrays, diffLines, diffWordsWithSpace } from "diff";

/** A part of a line; `isChanged` if the other text does not have it. */
interface Piece {
  text: string;
  isChanged: boolean;
}

export type DiffRow =
  | { kind: "same" | "added" | "removed"; pieces: Piece[] }
  /** Unchanged lines that are left out. */
  | { kind: "gap"; lines: number };

/** Texts that differ too much to be compared in this time are shown as removed and added as a whole. */
const TIMEOUT_MS = 2_000;
const MAX_WORDS_UNITS = 5_000;
/** Unchanged lines that are shown around a change. */
const CONTEXT = 3;

/** The rows of a comparison, and whether there is any change. */
export function compare(before: string, after: string): { rows: DiffRow[]; isEqual: boolean } {
  if (before === after) return { rows: [], isEqual: true };
  const changes = diffLines(before, after, { timeout: TIMEOUT_MS }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const rows: DiffRow[] = [];
  for (let index = 0; index < changes.length; index++) {
    const change = changes[index]!;
    const next = changes[index + 1];
    if (change.removed && next?.added) {
      rows.push(...replaced(change.value, next.value));
      index++;
    } else {
      const kind = change.added ? "added" : change.removed ? "removed" : "same";
      for (const text of linesOf(change.value)) rows.push({ kind, pieces: [{ text, isChanged: false }] });
    }
  }
  return { rows: withGaps(rows), isEqual: false };
}

/** Parts in a row that both texts have, or only the later or the earlier one. */
export interface PartsRun {
  kind: "same" | "added" | "removed";
  parts: string[];
}

/** The difference between two texts in parts, such as paragraphs: in the order of the later text. */
export function compareParts(before: readonly string[], after: readonly string[]): PartsRun[] {
  const runs = diffArrays([...before], [...after], { timeout: TIMEOUT_MS }) ?? [
    { value: [...before], removed: true, added: false },
    { value: [...after], removed: false, added: true },
  ];
  return runs.map(({ value, added, removed }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    parts: value,
  }));
}

/** Lines that were replaced: with their words if there are as many before as after. */
function replaced(before: string, after: string): DiffRow[] {
  const [removed, added] = [linesOf(before), linesOf(after)];
  const compared =
    removed.length === added.length && before.length + after.length < MAX_WORDS_UNITS
      ? removed.map((line, index) => words(line, added[index]!))
      : undefined;
  return [
    ...removed.map(
      (text, index): DiffRow => ({
        kind: "removed",
        pieces: compared?.[index]?.before ?? [{ text, isChanged: false }],
      }),
    ),
    ...added.map(
      (text, index): DiffRow => ({
        kind: "added",
        pieces: compared?.[index]?.after ?? [{ text, isChanged: false }],
      }),
    ),
  ];
}

function words(before: string, after: string): { before: Piece[]; after: Piece[] } {
  const changes = diffWordsWithSpace(before, after);
  const pieces = (other: "added" | "removed", own: "added" | "removed") =>
    changes
      .filter((change) => !change[other])
      .map((change) => ({ text: change.value, isChanged: change[own] }));
  return { before: pieces("added", "removed"), after: pieces("removed", "added") };
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Replaces unchanged lines that are far from any change. */
function withGaps(rows: DiffRow[]): DiffRow[] {
  const isNear = rows.map(() => false);
  for (const [index, { kind }] of rows.entries()) {
    if (kind === "same") continue;
    for (let near = index - CONTEXT; near <= index + CONTEXT; near++) if (near in isNear) isNear[near] = true;
  }
  const result: DiffRow[] = [];
  for (const [index, row] of rows.entries()) {
    const last = result.at(-1);
    if (isNear[index]) result.push(row);
    else if (last?.kind === "gap") last.lines++;
    else result.push({ kind: "gap", lines: 1 });
  }
  return result;
}

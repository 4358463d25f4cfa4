// The difference between two texts, line by line, with the changed words of changed lines.

import { diffArrays, diffLines, diffWordsWithSpace } from "diff";

/** A part of a line; `isChanged` if the other text does not have it. */
interface Piece {
  text: string;
  isChanged: boolean;
}

export type DiffRow =
  | {
      kind: "same" | "added" | "removed";
      pieces: Piece[];
      /** The number of the change that the line belongs to, from 0; absent for unchanged lines. */
      change?: number;
    }
  /** Unchanged lines that are left out. */
  | { kind: "gap"; lines: number };

/** Texts that differ too much to be compared in this time are shown as removed and added as a whole. */
const TIMEOUT_MS = 2_000;
const MAX_WORDS_UNITS = 5_000;
/** Unchanged lines that are shown around a change. */
const CONTEXT = 3;

export interface Comparison {
  rows: DiffRow[];
  isEqual: boolean;
  /** The later text with one change, lines in a row, as in the earlier text. */
  undone(change: number): string;
}

/** Compares two texts. */
export function compare(before: string, after: string): Comparison {
  if (before === after) return { rows: [], isEqual: true, undone: () => after };
  const parts = diffLines(before, after, { timeout: TIMEOUT_MS }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const isSame = (part: (typeof parts)[number] | undefined) => !part?.added && !part?.removed;
  let changes = 0;
  /** For each part the change that it belongs to; undefined for an unchanged one. */
  const changeOf = parts.map((part, index) => {
    if (isSame(part)) return undefined;
    return isSame(parts[index - 1]) ? changes++ : changes - 1;
  });
  const rows: DiffRow[] = [];
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!;
    const next = parts[index + 1];
    const change = changeOf[index];
    if (part.removed && next?.added) {
      rows.push(...replaced(part.value, next.value).map((row) => ({ ...row, change })));
      index++;
    } else {
      const kind = part.added ? "added" : part.removed ? "removed" : "same";
      for (const text of linesOf(part.value)) {
        rows.push({ kind, pieces: [{ text, isChanged: false }], ...(change !== undefined && { change }) });
      }
    }
  }
  const undone = (change: number) =>
    parts
      .filter(({ added, removed }, index) => (changeOf[index] === change ? !added : !removed))
      .map(({ value }) => value)
      .join("");
  return { rows: withGaps(rows), isEqual: false, undone };
}

/** Parts in a row that both texts have, or only the later or the earlier one. */
interface PartsRun {
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

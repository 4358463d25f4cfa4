// What an import says: outcomes as members of one JSON array, or only those that need attention, and a summary on
// stderr.

import { extname } from "node:path";
import { OTHER_TYPE } from "../../importing/file-types.ts";
import type { Outcome } from "../../importing/import-record.ts";
import { systemClock } from "../../kernel/clock.ts";
import { countOf, print, printMessage } from "../output.ts";
import { describePending } from "../pending.ts";
import { printableJson, printableLine } from "../printable.ts";

export interface Reporter {
  counts: Record<Outcome["status"], number>;
  /** Records that a server still indexes, for the summary. */
  pending: number;
  /** Files and folders that a .gitignore or --exclude leaves out, for the summary. */
  ignored: number;
  add(outcome: Outcome): void;
  /** Also says on stderr what was done; for --watch. */
  change(outcome: Outcome): void;
  /** Prints the summary. One that is not complete and has no files is left out. */
  end(options?: { isComplete: boolean }): void;
}

type Status = Outcome["status"];

/** What a dry run calls these outcomes. */
const PLANS: Partial<Record<Status, string>> = {
  created: "to create",
  updated: "to update",
  pruned: "to delete",
};
/** A dry run names this many files. */
const MAX_PLANNED = 100;
/** The reasons and endings of skipped files that the summary names. */
const MAX_NAMED = 8;

/** Prints outcomes as they come. */
export function openReport({ json = false, dryRun = false }: { json?: boolean; dryRun?: boolean }): Reporter {
  const counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, conflict: 0, pruned: 0, failed: 0 };
  const startedAt = systemClock.monotonic();
  const reported = new Set<string>();
  const skips = new Map<string, number>();
  const nameOf = (status: Status) => (dryRun ? (PLANS[status] ?? status) : status);
  let isFirst = true;
  let planned = 0;
  const line = ({ path, status, reason }: Outcome) =>
    `${nameOf(status)} ${printableLine(path)}${reason === undefined ? "" : `: ${printableLine(reason)}`}`;
  const add = (outcome: Outcome) => {
    const { status, path, reason = "" } = outcome;
    counts[status]++;
    if (json) print(`${isFirst ? "[" : ","}${printableJson(outcome, 0)}`);
    isFirst = false;
    if (status === "skipped") {
      const skip = reason === OTHER_TYPE ? endingOf(path) : `: ${reason}`;
      skips.set(skip, (skips.get(skip) ?? 0) + 1);
      return;
    }
    const isPlan = dryRun && !json && status in PLANS;
    if (isPlan && ++planned > MAX_PLANNED) return;
    if (isPlan || reason !== "" || status === "failed" || status === "conflict") printMessage(line(outcome));
  };
  return {
    counts,
    pending: 0,
    ignored: 0,
    add,
    change(outcome) {
      const text = line(outcome);
      // What cannot be read is found again by every walk.
      if (outcome.status === "failed" && reported.has(text)) return;
      reported.add(text);
      add(outcome);
      const isChange = ["created", "updated", "pruned"].includes(outcome.status);
      if (isChange && outcome.reason === undefined) printMessage(text);
    },
    end({ isComplete } = { isComplete: true }) {
      if (json) print(isFirst ? "[]" : "]");
      if (planned > MAX_PLANNED) printMessage(`and ${countOf(planned - MAX_PLANNED, "more file")}`);
      for (const skipped of describeSkips(skips)) printMessage(skipped);
      if (this.ignored > 0)
        printMessage(`left out ${this.ignored.toLocaleString("en")}: .gitignore or --exclude`);
      if (isFirst && !isComplete) return;
      const seconds = ((systemClock.monotonic() - startedAt) / 1_000).toFixed(1);
      const parts = Object.entries(counts).filter(([, count]) => count > 0);
      const list = parts
        .map(([status, count]) => `${count.toLocaleString("en")} ${nameOf(status as Status)}`)
        .join(", ");
      printMessage(`${dryRun ? "dry run: " : ""}${list === "" ? "no files" : list} (${seconds} s)`);
      if (this.pending > 0) printMessage(describePending(this.pending));
    },
  };
}

/** `.py`, or `files without an ending`. */
function endingOf(path: string): string {
  const ending = extname(path).toLowerCase();
  return ending === "" ? "without an ending" : printableLine(ending.slice(0, 20));
}

/** Lines such as `skipped 955 .py, 154 .ts: not a known kind` and `skipped 3: is a link out of the folder`. */
function describeSkips(skips: ReadonlyMap<string, number>): string[] {
  const sorted = [...skips].sort(([, a], [, b]) => b - a);
  const endings = sorted.filter(([skip]) => !skip.startsWith(": "));
  const reasons = sorted.filter(([skip]) => skip.startsWith(": ")).slice(0, MAX_NAMED);
  const named = endings
    .slice(0, MAX_NAMED)
    .map(([ending, count]) => `${count.toLocaleString("en")} ${ending}`);
  const others = endings.slice(MAX_NAMED).reduce((sum, [, count]) => sum + count, 0);
  if (others > 0) named.push(`${others.toLocaleString("en")} others`);
  return [
    ...(named.length > 0 ? [`skipped ${named.join(", ")}: not a known kind`] : []),
    ...reasons.map(([reason, count]) => `skipped ${count.toLocaleString("en")}${printableLine(reason)}`),
  ];
}

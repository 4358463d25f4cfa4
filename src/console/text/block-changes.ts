// What differs between two texts, block by block, and each text with one of the differences undone.

import { compareParts } from "../../kernel/compare.ts";
import { renderBlocks } from "./markdown.ts";

/** Blocks in a row: those that both texts have, or a change. */
export type BlockRun =
  | { kind: "same"; blocks: string[] }
  | {
      kind: "changed";
      removed: string[];
      added: string[];
      /** The later text with these blocks as they were in the earlier one. */
      undone(): string;
    };

/** The difference between two Markdown texts, in the order of the later one. */
export function compareBlocks(before: string, after: string): BlockRun[] {
  const [earlier, later] = [blocksOf(before), blocksOf(after)];
  const runs: BlockRun[] = [];
  let [inEarlier, inLater] = [0, 0];
  for (const { kind, parts } of compareParts(earlier.texts, later.texts)) {
    if (kind !== "added") inEarlier += parts.length;
    if (kind !== "removed") inLater += parts.length;
    if (kind === "same") {
      runs.push({ kind, blocks: parts });
      continue;
    }
    const last = runs.at(-1);
    const change = last?.kind === "changed" ? last : { removed: [], added: [] };
    change[kind] = parts;
    // With what separates them from the blocks beside them.
    const gone = earlier.around(inEarlier - change.removed.length, inEarlier);
    const come = later.around(inLater - change.added.length, inLater);
    const undone = () =>
      after.slice(0, come.start) + before.slice(gone.start, gone.end) + after.slice(come.end);
    const run = { ...change, kind: "changed" as const, undone };
    if (last?.kind === "changed") runs[runs.length - 1] = run;
    else runs.push(run);
  }
  return runs;
}

function blocksOf(text: string) {
  const blocks = renderBlocks(text);
  return {
    texts: blocks.map(({ start, end }) => text.slice(start, end).trimEnd()),
    /** The range between the end of the block before `from` and the start of block `to`. */
    around(from: number, to: number) {
      const previous = blocks[from - 1];
      const end = blocks[to]?.start ?? text.length;
      if (!previous) return { start: 0, end };
      return { start: previous.start + text.slice(previous.start, previous.end).trimEnd().length, end };
    },
  };
}

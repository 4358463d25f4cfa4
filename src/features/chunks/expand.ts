// Goes from one chunk to those around it: up, down, along its siblings, or a window of them.

import type { Identity } from "../../auth/identity.ts";
import type { Store } from "../../db/store.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { openContents } from "./content.ts";
import { type ReadChunk, withContent } from "./read.ts";
import { childrenOf, countChildren, findChunk, findChunkByKey, type LocatedChunk } from "./store.ts";
import { answerBudget } from "./token-budget.ts";

export type Direction = "up" | "down" | "next" | "previous" | "surrounding";

/**
 * The chunks that lie in `direction`, in document order, with their whole text; `count` neighbours on each side for
 * `surrounding`. Empty when nothing lies there, and for a chunk that is gone or another user's. The list ends early when
 * it passes the bound on the size of an answer: `next` from its last chunk goes on.
 */
export function expandChunk(
  store: Store,
  caller: Identity,
  id: string,
  direction: Direction,
  count: number,
): ReadChunk[] {
  const target = findChunk(store, id);
  if (!target || target.userId !== caller.userId) return [];
  const contentOf = openContents(store);
  const fits = answerBudget();
  const chunks: ReadChunk[] = [];
  for (const chunk of chunksTowards(store, target, direction, count)) {
    const full = withContent(chunk, contentOf(chunk));
    if (!fits(full)) break;
    chunks.push(full);
  }
  return chunks;
}

function chunksTowards(
  store: Store,
  target: LocatedChunk,
  direction: Direction,
  count: number,
): Iterable<LocatedChunk> {
  switch (direction) {
    case "up":
      return parentsOf(store, target);
    case "down":
      return childrenOf(store, target.key, 0, LIMITS.document.chunks);
    case "next":
      return siblingsOf(store, target, 1, 1);
    case "previous":
      return siblingsOf(store, target, -1, -1);
    case "surrounding":
      return target.previousId || target.nextId
        ? siblingsOf(store, target, -count, count)
        : acrossSections(store, target, count);
  }
}

function parentsOf(store: Store, { parentKey }: LocatedChunk): LocatedChunk[] {
  const parent = parentKey === null ? undefined : findChunkByKey(store, parentKey);
  return parent ? [parent] : [];
}

/** Chunks under the same parent whose positions are `from` to `to` steps away; the root has none. */
function siblingsOf(
  store: Store,
  { parentKey, chunkIndex }: LocatedChunk,
  from: number,
  to: number,
): Iterable<LocatedChunk> {
  return parentKey === null ? [] : childrenOf(store, parentKey, chunkIndex + from, chunkIndex + to);
}

/**
 * Around an only child: the last chunks of the section before its own, itself, and the first chunks of the section after.
 * A neighbour without chunks of its own stands for itself.
 */
function* acrossSections(store: Store, target: LocatedChunk, count: number): Generator<LocatedChunk> {
  const [parent] = parentsOf(store, target);
  const beside = (step: number) => (parent ? [...siblingsOf(store, parent, step, step)] : []);
  for (const section of beside(-1)) {
    const end = countChildren(store, section.key);
    if (end === 0) yield section;
    else yield* childrenOf(store, section.key, end - count, end - 1);
  }
  yield target;
  for (const section of beside(1)) {
    if (countChildren(store, section.key) === 0) yield section;
    else yield* childrenOf(store, section.key, 0, count - 1);
  }
}

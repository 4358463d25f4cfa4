// The chunks around a chunk: parent, children, siblings, or a window of siblings.

import type { Identity } from "../../auth/identity.ts";
import type { Store } from "../../db/store.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { openContents } from "./content.ts";
import { type ReadChunk, withContent } from "./read.ts";
import { childrenOf, countChildren, findChunk, findChunkByKey, type LocatedChunk } from "./store.ts";

/** A validated request for the chunks around one. */
export interface Expansion {
  chunkId: string;
  direction: "up" | "down" | "next" | "previous" | "surrounding";
  /** Neighbours on each side; for `surrounding` only. */
  count: number;
}

/**
 * The chunks in one direction from a chunk, in document order, with their text. None if the chunk was deleted or
 * belongs to another user. Each is read when it is needed.
 */
export function* expandChunk(
  store: Store,
  caller: Identity,
  { chunkId, direction, count }: Expansion,
): Generator<ReadChunk> {
  const target = findChunk(store, chunkId);
  if (!target || target.userId !== caller.userId) return;
  const contentOf = openContents(store);
  for (const chunk of chunksInDirection(store, target, { direction, count })) {
    yield withContent(chunk, contentOf(chunk));
  }
}

function chunksInDirection(
  store: Store,
  target: LocatedChunk,
  { direction, count }: Omit<Expansion, "chunkId">,
): Iterable<LocatedChunk> {
  switch (direction) {
    case "up":
      return parentsOf(store, target);
    case "down":
      return childrenOf(store, target.key, { from: 0, to: LIMITS.document.chunks });
    case "next":
      return siblingsOf(store, target, { from: 1, to: 1 });
    case "previous":
      return siblingsOf(store, target, { from: -1, to: -1 });
    case "surrounding":
      return target.previousId || target.nextId
        ? siblingsOf(store, target, { from: -count, to: count })
        : acrossSections(store, target, count);
  }
}

function parentsOf(store: Store, { parentKey }: LocatedChunk): LocatedChunk[] {
  const parent = parentKey === null ? undefined : findChunkByKey(store, parentKey);
  return parent ? [parent] : [];
}

/** Chunks of the same parent whose positions are `from` to `to` steps away; none for the root. */
function siblingsOf(
  store: Store,
  { parentKey, chunkIndex }: LocatedChunk,
  { from, to }: { from: number; to: number },
): Iterable<LocatedChunk> {
  return parentKey === null
    ? []
    : childrenOf(store, parentKey, { from: chunkIndex + from, to: chunkIndex + to });
}

/**
 * Around an only child: the last chunks of the previous section, the chunk itself, and the first chunks of the next
 * section. A section without chunks is returned itself.
 */
function* acrossSections(store: Store, target: LocatedChunk, count: number): Generator<LocatedChunk> {
  const [parent] = parentsOf(store, target);
  const beside = (step: number) => (parent ? [...siblingsOf(store, parent, { from: step, to: step })] : []);
  for (const section of beside(-1)) {
    const end = countChildren(store, section.key);
    if (end === 0) yield section;
    else yield* childrenOf(store, section.key, { from: end - count, to: end - 1 });
  }
  yield target;
  for (const section of beside(1)) {
    if (countChildren(store, section.key) === 0) yield section;
    else yield* childrenOf(store, section.key, { from: 0, to: count - 1 });
  }
}

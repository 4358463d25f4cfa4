// Reads one chunk: its place in the tree, and its text out of the stored body of the revision it was cut from.

import type { Identity } from "../../auth/identity.ts";
import type { Store } from "../../db/store.ts";
import { notFound } from "../../kernel/errors.ts";
import { openContents } from "./content.ts";
import { findChunk, type LocatedChunk } from "./store.ts";

export type ReadChunk = LocatedChunk & { content: string };

/** The caller's chunk of this id. Throws `not-found`, also for one that re-chunking has replaced. */
export function readChunk(store: Store, caller: Identity, id: string): ReadChunk {
  const chunk = findChunk(store, id);
  if (!chunk || chunk.userId !== caller.userId) throw notFound("chunk");
  return { ...chunk, content: openContents(store)(chunk) };
}

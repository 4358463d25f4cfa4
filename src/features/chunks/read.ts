// Reads one chunk: its place in the tree, and its text out of the stored body of the revision it was cut from.

import type { Identity } from "../../auth/identity.ts";
import type { Store } from "../../db/store.ts";
import { notFound } from "../../kernel/errors.ts";
import { openContents } from "./content.ts";
import { findChunk, type LocatedChunk } from "./store.ts";

export type ReadChunk = Omit<LocatedChunk, "text"> & { content: string };

/** The chunk with `content` to show instead of what search matches. */
export function withContent(chunk: LocatedChunk, content: string): ReadChunk {
  const { text, ...place } = chunk;
  return { ...place, content };
}

/** The caller's chunk of this id. Throws `not-found`, also for one that re-chunking has replaced. */
export function readChunk(store: Store, caller: Identity, id: string): ReadChunk {
  const chunk = findChunk(store, id);
  if (!chunk || chunk.userId !== caller.userId) throw notFound("chunk");
  return withContent(chunk, openContents(store)(chunk));
}

// Reads one chunk: its position in the tree, and its text from the stored body of the revision that it is a part of.

import type { Identity } from "../../auth/identity.ts";
import type { Store } from "../../db/store.ts";
import { notFound } from "../../kernel/errors.ts";
import { openContents } from "./content.ts";
import { findChunk, type LocatedChunk } from "./store.ts";

/** A chunk with the content to return instead of the text that search matches. */
export type ReadChunk = Omit<LocatedChunk, "text"> & { content: string };

/** Replaces the text that search matches by `content`. */
export function withContent(chunk: LocatedChunk, content: string): ReadChunk {
  const { text, ...located } = chunk;
  return { ...located, content };
}

/** The caller's chunk of this id. Throws `not-found`, also for a chunk that reindexing has replaced. */
export function readChunk(store: Store, caller: Identity, id: string): ReadChunk {
  const chunk = findChunk(store, id);
  if (!chunk || chunk.userId !== caller.userId) throw notFound("chunk");
  return withContent(chunk, openContents(store)(chunk));
}

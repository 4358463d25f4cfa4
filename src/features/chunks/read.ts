// Reads one chunk: its place in the tree, and its text out of the stored body of the revision it was cut from.

import type { Identity } from "../../auth/identity.ts";
import type { Store } from "../../db/store.ts";
import { notFound } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { cutBytes } from "../../kernel/text.ts";
import { findChunk, type LocatedChunk } from "./store.ts";

export type ReadChunk = LocatedChunk & { content: string };

/** The caller's chunk of this id. Throws `not-found`, also for one that re-chunking has replaced. */
export function readChunk(store: Store, caller: Identity, id: string): ReadChunk {
  const found = findChunk(store, id);
  if (!found || found.userId !== caller.userId) throw notFound("chunk");
  const { body, ...chunk } = found;
  const content = cutBytes(body.slice(chunk.startIndex, chunk.endIndex), LIMITS.document.wireTextBytes);
  return { ...chunk, content };
}

// Which prompts a caller may see (their own and public ones) and change (their own).

import type { Identity } from "../../auth/identity.ts";
import type { TableReader } from "../../db/store.ts";
import { Failure, notFound } from "../../kernel/errors.ts";
import { findPrompt, type PromptRow } from "./store.ts";

/** The caller's prompt of this id, or a public one; undefined if there is none. */
export function findVisible(reader: TableReader, caller: Identity, id: string): PromptRow | undefined {
  const row = findPrompt(reader, id);
  return row && (row.userId === caller.userId || row.isPublic) ? row : undefined;
}

/** The same. Throws `not-found`. */
export function visiblePrompt(reader: TableReader, caller: Identity, id: string): PromptRow {
  const row = findVisible(reader, caller, id);
  if (!row) throw notFound("prompt");
  return row;
}

/** The caller's prompt of this id. Throws `not-found`, or `forbidden` for another user's public prompt. */
export function ownPrompt(reader: TableReader, caller: Identity, id: string): PromptRow {
  const row = visiblePrompt(reader, caller, id);
  if (row.userId !== caller.userId) throw new Failure("forbidden", "this prompt belongs to another user");
  return row;
}

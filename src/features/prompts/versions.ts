// The history of a prompt: full copies of content, variables and parameters, and the way back to one of them.

import { displayName, type Identity } from "../../auth/identity.ts";
import type { Write } from "../../db/store.ts";
import { enqueue } from "../../jobs/queue.ts";
import { notFound } from "../../kernel/errors.ts";
import { findVersion, insertVersion, type PromptRow, updatePrompt } from "./store.ts";

/** Appends the version row of a prompt's current state. */
export function snapshot(write: Write, caller: Identity, row: PromptRow, changeLog?: string): void {
  insertVersion(write, {
    id: write.newId(),
    promptId: row.id,
    version: row.currentVersion,
    content: row.content,
    variables: row.variables,
    parameters: row.parameters,
    changeLog: changeLog ?? null,
    userName: displayName(caller),
    createdAt: write.now,
  });
}

/**
 * Copies a snapshot into a new version, also when it equals the current state. Throws `not-found` for a version that is
 * not this prompt's.
 */
export function restorePrompt(write: Write, caller: Identity, row: PromptRow, versionId: string): PromptRow {
  const version = findVersion(write, versionId);
  if (!version || version.promptId !== row.id) throw notFound("version");
  const { content, variables, parameters } = version;
  const restored = {
    ...row,
    content,
    variables,
    parameters,
    currentVersion: row.currentVersion + 1,
    updatedAt: write.now,
  };
  updatePrompt(write, restored);
  snapshot(write, caller, restored, `restored version ${version.version}`);
  enqueue(write, "prompt.index", row.id);
  return restored;
}

// Versions of a prompt: full copies of content, variables and parameters, and restoring an earlier one.

import { agentName, displayName, type Identity } from "../../auth/identity.ts";
import type { Write } from "../../db/store.ts";
import { enqueue } from "../../jobs/queue.ts";
import { notFound } from "../../kernel/errors.ts";
import { findVersion, insertVersion, type PromptRow, updatePrompt } from "./store.ts";

/** Appends the version row of a prompt's current state. */
export function snapshot(
  write: Write,
  row: PromptRow,
  { author, changeLog }: { author: Identity; changeLog?: string },
): void {
  insertVersion(write, {
    id: write.newId(),
    promptId: row.id,
    version: row.currentVersion,
    content: row.content,
    variables: row.variables,
    parameters: row.parameters,
    changeLog: changeLog ?? null,
    userName: displayName(author),
    agent: agentName(author),
    createdAt: write.now,
  });
}

/**
 * Restores a version as a new version, also if it equals the current state. Throws `not-found` unless it is a version
 * of this prompt.
 */
export function restorePrompt(
  write: Write,
  row: PromptRow,
  { caller, versionId }: { caller: Identity; versionId: string },
): PromptRow {
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
  snapshot(write, restored, { author: caller, changeLog: `restored version ${version.version}` });
  enqueue(write, "prompt.index", row.id, { userId: row.userId });
  return restored;
}

// Labels such as `production` on versions of a prompt: programs read the version with a label, people move it.

import type { TableReader, Write } from "../../../db/store.ts";
import { Failure, notFound } from "../../../kernel/errors.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import { findVersion, type VersionRow } from "../store.ts";
import { countLabels, deleteLabel, findLabelled, putLabel } from "./store.ts";

/** The version of a prompt that has a label. Throws `not-found` if none has. */
export function labelledVersion(reader: TableReader, promptId: string, label: string): VersionRow {
  const versionId = findLabelled(reader, promptId, label);
  const version = versionId === undefined ? undefined : findVersion(reader, versionId);
  if (!version) throw notFound(`version with the label ${label}`);
  return version;
}

/**
 * Puts a label on a version of a prompt, off the version that had it; null takes it off. Throws `not-found` unless it
 * is a version of this prompt, or if no version has a label to take off, and `unprocessable` for too many labels.
 */
export function setLabel(
  write: Write,
  promptId: string,
  { label, versionId }: { label: string; versionId: string | null },
): void {
  if (versionId === null) {
    if (!deleteLabel(write, promptId, label)) throw notFound(`version with the label ${label}`);
    return;
  }
  if (findVersion(write, versionId)?.promptId !== promptId) throw notFound("version");
  putLabel(write, { promptId, label, versionId });
  const { perPrompt } = LIMITS.labels;
  if (countLabels(write, promptId) > perPrompt) {
    throw new Failure("unprocessable", `a prompt can have at most ${perPrompt} labels`);
  }
}

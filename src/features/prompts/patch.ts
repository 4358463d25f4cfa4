// PATCH of a prompt: changes the supplied fields. Only a change of a versioned field makes a new version.

import type { Identity } from "../../auth/identity.ts";
import type { Write } from "../../db/store.ts";
import { enqueue } from "../../jobs/queue.ts";
import { canonicalJson } from "../../kernel/canonical-json.ts";
import { indexPriority } from "../../kernel/index-priority.ts";
import { normalizeTags } from "../../kernel/tags.ts";
import { type PatchPrompt, variablesFromWire } from "./contract.ts";
import { type PromptRow, updatePrompt } from "./store.ts";
import { snapshot } from "./versions.ts";

const versionedOf = ({ content, variables, parameters }: PromptRow) => [content, variables, parameters];
const unversionedOf = (row: PromptRow) => [row.title, row.description, row.tags, row.isPublic, row.metadata];

/**
 * Applies a patch to a row that was read in this write. A patch that changes nothing writes nothing; the change log is
 * stored only with a new version.
 */
export function patchPrompt(
  write: Write,
  row: PromptRow,
  { caller, patch }: { caller: Identity; patch: PatchPrompt },
): PromptRow {
  const next: PromptRow = {
    ...row,
    title: patch.title ?? row.title,
    description: patch.description ?? row.description,
    content: patch.content ?? row.content,
    tags: patch.tags === undefined ? row.tags : normalizeTags(patch.tags),
    variables: patch.variables === undefined ? row.variables : variablesFromWire(patch.variables),
    parameters: patch.parameters ?? row.parameters,
    metadata: patch.metadata ?? row.metadata,
    isPublic: patch.isPublic ?? row.isPublic,
    updatedAt: write.now,
  };
  const differs = (fieldsOf: (row: PromptRow) => unknown) =>
    canonicalJson(fieldsOf(next)) !== canonicalJson(fieldsOf(row));
  const isNewVersion = differs(versionedOf);
  if (!isNewVersion && !differs(unversionedOf)) return row;
  if (isNewVersion) next.currentVersion++;
  updatePrompt(write, next);
  if (isNewVersion) snapshot(write, next, { author: caller, changeLog: patch.changeLog });
  const priority = indexPriority(next.metadata, row.metadata);
  enqueue(write, "prompt.index", row.id, { userId: row.userId, priority });
  return next;
}

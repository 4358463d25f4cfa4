// Changes a prompt: only supplied fields, and a new version only where something that a version holds really differs.

import type { Identity } from "../../auth/identity.ts";
import type { Write } from "../../db/store.ts";
import { enqueue } from "../../jobs/queue.ts";
import { canonicalJson } from "../../kernel/canonical-json.ts";
import { normalizeTags } from "../../kernel/tags.ts";
import { type PatchPrompt, variablesFromWire } from "./contract.ts";
import { type PromptRow, updatePrompt } from "./store.ts";
import { snapshot } from "./versions.ts";

const versionedOf = ({ content, variables, parameters }: PromptRow) => [content, variables, parameters];
const unversionedOf = ({ title, description, tags, isPublic }: PromptRow) => [
  title,
  description,
  tags,
  isPublic,
];

/**
 * Applies a patch to the prompt as it was read in this write. One that changes nothing writes nothing; the change log is
 * kept only with a version.
 */
export function patchPrompt(write: Write, caller: Identity, row: PromptRow, patch: PatchPrompt): PromptRow {
  const next: PromptRow = {
    ...row,
    title: patch.title ?? row.title,
    description: patch.description ?? row.description,
    content: patch.content ?? row.content,
    tags: patch.tags === undefined ? row.tags : normalizeTags(patch.tags),
    variables: patch.variables === undefined ? row.variables : variablesFromWire(patch.variables),
    parameters: patch.parameters ?? row.parameters,
    isPublic: patch.isPublic ?? row.isPublic,
    updatedAt: write.now,
  };
  const differs = (of: (row: PromptRow) => unknown) => canonicalJson(of(next)) !== canonicalJson(of(row));
  const isNewVersion = differs(versionedOf);
  if (!isNewVersion && !differs(unversionedOf)) return row;
  if (isNewVersion) next.currentVersion++;
  updatePrompt(write, next);
  if (isNewVersion) snapshot(write, caller, next, patch.changeLog);
  enqueue(write, "prompt.index", row.id);
  return next;
}

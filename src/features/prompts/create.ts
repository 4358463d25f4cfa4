// Creates a prompt: row, version 1, memberships and the job that embeds it, in one write.

import type { Identity } from "../../auth/identity.ts";
import type { Write } from "../../db/store.ts";
import { enqueue } from "../../jobs/queue.ts";
import { indexPriority } from "../../kernel/index-priority.ts";
import { normalizeTags } from "../../kernel/tags.ts";
import { addToCollections } from "../collections/membership.ts";
import { type CreatePrompt, variablesFromWire } from "./contract.ts";
import { insertPrompt, type PromptRow } from "./store.ts";
import { snapshot } from "./versions.ts";

/** The new prompt belongs to the caller. `input` has been validated. Throws `not-found` for an unknown collection. */
export function createPrompt(write: Write, caller: Identity, input: CreatePrompt): PromptRow {
  const row: PromptRow = {
    id: write.newId(),
    userId: caller.userId,
    title: input.title,
    description: input.description,
    content: input.content,
    tags: normalizeTags(input.tags ?? []),
    variables: variablesFromWire(input.variables ?? []),
    parameters: input.parameters ?? {},
    metadata: input.metadata ?? {},
    isPublic: input.isPublic ?? false,
    isArchived: false,
    currentVersion: 1,
    views: 0,
    copies: 0,
    workspaceId: input.workspaceId ?? null,
    createdAt: write.now,
    updatedAt: write.now,
  };
  insertPrompt(write, row);
  snapshot(write, row, { author: caller });
  const { collectionIds = [] } = input;
  addToCollections(write, caller, { itemType: "prompt", itemId: row.id, collectionIds });
  enqueue(write, "prompt.index", row.id, { userId: row.userId, priority: indexPriority(row.metadata) });
  return row;
}

// Creates an empty collection, optionally inside another one.

import type { Identity } from "../../auth/identity.ts";
import type { Write } from "../../db/store.ts";
import { notFound } from "../../kernel/errors.ts";
import { normalizeTags } from "../../kernel/tags.ts";
import type { CreateCollection } from "./contract.ts";
import { type CollectionRow, findCollection, insertCollection } from "./store.ts";

/** The new collection belongs to the caller. Throws `not-found` for a parent of another user, even if it is public. */
export function createCollection(write: Write, caller: Identity, input: CreateCollection): CollectionRow {
  const { parentCollectionId = null } = input;
  if (parentCollectionId !== null && findCollection(write, parentCollectionId)?.userId !== caller.userId) {
    throw notFound("parent collection");
  }
  const row: CollectionRow = {
    id: write.newId(),
    userId: caller.userId,
    name: input.name,
    description: input.description ?? null,
    color: input.color ?? null,
    icon: input.icon ?? null,
    isPublic: input.isPublic ?? false,
    parentCollectionId,
    tags: normalizeTags(input.tags ?? []),
    workspaceId: input.workspaceId ?? null,
    lastActivityAt: write.now,
    createdAt: write.now,
    updatedAt: write.now,
  };
  insertCollection(write, row);
  return row;
}

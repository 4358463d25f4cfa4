// PATCH of a collection: changes the supplied fields. A patch that changes nothing writes nothing.

import type { Write } from "../../db/store.ts";
import { canonicalJson } from "../../kernel/canonical-json.ts";
import { badRequest } from "../../kernel/errors.ts";
import { normalizeTags } from "../../kernel/tags.ts";
import type { PatchCollection } from "./contract.ts";
import { type CollectionRow, updateCollection } from "./store.ts";

/**
 * Applies a patch to a row that was read in this write. Throws `bad-request` for another parent, which cannot be
 * changed.
 */
export function patchCollection(write: Write, row: CollectionRow, patch: PatchCollection): CollectionRow {
  const { parentCollectionId } = patch;
  if (parentCollectionId !== undefined && parentCollectionId !== row.parentCollectionId) {
    throw badRequest({ path: "parentCollectionId", message: "cannot be changed" });
  }
  const changed: CollectionRow = {
    ...row,
    name: patch.name ?? row.name,
    description: patch.description ?? row.description,
    color: patch.color ?? row.color,
    icon: patch.icon ?? row.icon,
    isPublic: patch.isPublic ?? row.isPublic,
    tags: patch.tags === undefined ? row.tags : normalizeTags(patch.tags),
  };
  if (canonicalJson(changed) === canonicalJson(row)) return row;
  const written = { ...changed, lastActivityAt: write.now, updatedAt: write.now };
  updateCollection(write, written);
  return written;
}

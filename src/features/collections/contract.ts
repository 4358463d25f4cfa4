// The wire shapes of collections.

import { type Static, Type } from "@sinclair/typebox";
import { pageParameters } from "../../http/pagination.ts";
import { filterText, grapheme, label, longText, shortText, tagList } from "../../http/shape.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { CollectionRow } from "./store.ts";

/** The members that POST and PATCH share; a name is required in POST only. */
const details = {
  description: Type.Optional(longText(LIMITS.description.bytes)),
  color: Type.Optional(Type.String({ pattern: "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$" })),
  icon: Type.Optional(grapheme()),
  isPublic: Type.Optional(Type.Boolean()),
  tags: Type.Optional(tagList()),
  parentCollectionId: Type.Optional(Type.String()),
};

export const createCollectionBody = Type.Object({
  name: shortText(LIMITS.title.bytes),
  ...details,
  workspaceId: Type.Optional(label(LIMITS.workspaceId.bytes)),
});
export type CreateCollection = Static<typeof createCollectionBody>;

export const patchCollectionBody = Type.Object({
  name: Type.Optional(shortText(LIMITS.title.bytes)),
  ...details,
});
export type PatchCollection = Static<typeof patchCollectionBody>;

export const listCollectionsQuery = Type.Object({
  ...pageParameters(),
  search: Type.Optional(filterText()),
  workspace: Type.Optional(Type.String()),
  includePublic: Type.Boolean({ default: false }),
  tags: Type.Optional(Type.String()),
});
export type ListCollections = Static<typeof listCollectionsQuery>;

/** A collection as a list shows it. */
export function listedToWire(row: CollectionRow, itemCount: number): Record<string, unknown> {
  return {
    id: row.id,
    name: row.name,
    description: row.description ?? undefined,
    color: row.color ?? undefined,
    icon: row.icon ?? undefined,
    isPublic: row.isPublic,
    tags: row.tags,
    itemCount,
    lastActivityAt: row.lastActivityAt,
  };
}

/** A collection as GET, POST and PATCH show it; `stats` only where it is given. */
export function collectionToWire(
  row: CollectionRow,
  itemCount: number,
  stats?: object,
): Record<string, unknown> {
  return {
    ...listedToWire(row, itemCount),
    parentCollectionId: row.parentCollectionId ?? undefined,
    workspaceId: row.workspaceId ?? undefined,
    stats,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

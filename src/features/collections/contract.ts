// The wire shapes of collections.

import { type Static, Type } from "@sinclair/typebox";
import { includePublic, tagFilter, workspaceFilter } from "../../http/filters.ts";
import { pageParameters } from "../../http/pagination.ts";
import { count, flag, id, instant, text, texts } from "../../http/response-shapes.ts";
import { filterText, grapheme, label, longText, recordId, shortText, tagList } from "../../http/shape.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { CollectionRow } from "./store.ts";

/** The members that POST and PATCH share. Only POST requires a name. */
const details = {
  description: Type.Optional(longText(LIMITS.description.bytes)),
  color: Type.Optional(
    Type.String({
      pattern: "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$",
      description: "`#rgb` or `#rrggbb`.",
      examples: ["#2266aa"],
    }),
  ),
  icon: Type.Optional(grapheme()),
  isPublic: Type.Optional(
    Type.Boolean({ description: "Whether other users may read the collection and its public prompts." }),
  ),
  tags: Type.Optional(tagList()),
  parentCollectionId: Type.Optional(recordId("The parent collection. It cannot be changed later.")),
};

export const createCollectionBody = Type.Object(
  {
    name: shortText(LIMITS.title.bytes),
    ...details,
    workspaceId: Type.Optional(label(LIMITS.workspaceId.bytes)),
  },
  {
    $id: "CollectionCreate",
    examples: [{ name: "Kitchen", description: "All about cooking", color: "#2f9e44", icon: "🍳" }],
  },
);
export type CreateCollection = Static<typeof createCollectionBody>;

export const patchCollectionBody = Type.Object(
  {
    name: Type.Optional(shortText(LIMITS.title.bytes)),
    ...details,
    parentCollectionId: Type.Optional(
      recordId("Accepted only if it is the current parent, which cannot be changed."),
    ),
  },
  { $id: "CollectionUpdate", examples: [{ name: "Kitchen and garden", isPublic: true }] },
);
export type PatchCollection = Static<typeof patchCollectionBody>;

export const listCollectionsQuery = Type.Object({
  ...pageParameters(),
  search: Type.Optional(filterText("name or description")),
  workspace: workspaceFilter,
  includePublic,
  tags: tagFilter,
});
export type ListCollections = Static<typeof listCollectionsQuery>;

const listedMembers = {
  id,
  name: text("Kitchen"),
  description: Type.Optional(text("All about cooking")),
  color: Type.Optional(text("#2f9e44")),
  icon: Type.Optional(text("🍳")),
  isPublic: flag(false),
  tags: texts("home"),
  itemCount: count(3),
  lastActivityAt: instant,
};
export const listedCollectionShape = Type.Object(listedMembers, { $id: "ListedCollection" });

/** A collection as an item of a list. */
export function listedToWire(row: CollectionRow, itemCount: number): Static<typeof listedCollectionShape> {
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

const statsShape = Type.Object({
  totalItems: count(3),
  documentCount: count(2),
  promptCount: count(1),
  topContributors: Type.Array(Type.Object({ userId: id, name: text("ada@example.org"), count: count(3) })),
});

export const collectionShape = Type.Object(
  {
    ...listedMembers,
    parentCollectionId: Type.Optional(id),
    workspaceId: Type.Optional(text("platform-team")),
    stats: Type.Optional(statsShape),
    createdAt: instant,
    updatedAt: instant,
  },
  { $id: "Collection" },
);

/** A collection as returned by GET, POST and PATCH; `stats` is optional. */
export function collectionToWire(
  row: CollectionRow,
  itemCount: number,
  stats?: Static<typeof statsShape>,
): Static<typeof collectionShape> {
  return {
    ...listedToWire(row, itemCount),
    parentCollectionId: row.parentCollectionId ?? undefined,
    workspaceId: row.workspaceId ?? undefined,
    stats,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

// The wire shapes of a collection's items.

import { Type } from "@sinclair/typebox";
import { pageParameters } from "../../../http/pagination.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import { cutBytes, cutUnits } from "../../../kernel/text.ts";
import type { ItemRow } from "./store.ts";

const { itemIds, itemBytes } = LIMITS.collection;

export const listItemsQuery = Type.Object({
  ...pageParameters(),
  includeContent: Type.Boolean({ default: false }),
});

/** What POST and PUT of items take. */
export const itemsBody = Type.Object({
  itemIds: Type.Array(Type.String(), { maxItems: itemIds }),
  itemType: Type.Union([Type.Literal("document"), Type.Literal("prompt")]),
});

/** A member in both spellings of the spec; a document has no summary. */
export function itemToWire(row: ItemRow, includeContent: boolean): Record<string, unknown> {
  return {
    itemType: row.itemType,
    type: row.itemType,
    itemId: row.itemId,
    id: row.itemId,
    title: row.title,
    summary: row.summary,
    preview: cutUnits(row.text, LIMITS.versions.previewCharacters),
    content: includeContent ? cutBytes(row.text, itemBytes) : undefined,
    addedAt: row.addedAt,
  };
}

// The wire shapes of a collection's items.

import { type Static, Type } from "@sinclair/typebox";
import { pageParameters } from "../../../http/pagination.ts";
import { count, dataOf, id, instant, oneOf, orNull, text } from "../../../http/response-shapes.ts";
import { recordIds } from "../../../http/shape.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import { cutBytes, cutCharacters } from "../../../kernel/text.ts";
import type { ItemRow } from "./store.ts";

const { itemIds, itemBytes } = LIMITS.collection;

export const listItemsQuery = Type.Object({
  ...pageParameters(),
  includeContent: Type.Boolean({ default: false, description: "Also return the full text of each item." }),
});

/** The request body of POST and PUT. */
export const itemsBody = Type.Object(
  {
    itemIds: recordIds(itemIds, "Ids of documents or prompts; all must exist and belong to the caller."),
    itemType: oneOf(["document", "prompt"], { description: "What the ids refer to." }),
  },
  { $id: "CollectionItems", examples: [{ itemIds: id.examples, itemType: "document" }] },
);

export const itemShape = Type.Object(
  {
    itemType: oneOf(["document", "prompt"]),
    type: oneOf(["document", "prompt"]),
    itemId: id,
    id,
    title: text("Kitchen notes"),
    summary: orNull(text("How to tell that water boils")),
    preview: text("# Tea\n\nThe kettle whistles when the water boils."),
    content: Type.Optional(Type.String({ description: "Only with `includeContent=true`." })),
    addedAt: instant,
  },
  { $id: "CollectionItem" },
);

/** An item, with the field names of both spellings in the spec. A document has no summary. */
export function itemToWire(row: ItemRow, includeContent: boolean): Static<typeof itemShape> {
  return {
    itemType: row.itemType,
    type: row.itemType,
    itemId: row.itemId,
    id: row.itemId,
    title: row.title,
    summary: row.summary,
    preview: cutCharacters(row.text, LIMITS.versions.previewCharacters),
    content: includeContent ? cutBytes(row.text, itemBytes) : undefined,
    addedAt: row.addedAt,
  };
}

export const addedItems = dataOf(
  Type.Object({ added: count(2), alreadyInCollection: count(1), alreadyPresent: count(1) }),
);
export const removedItems = dataOf(Type.Object({ removed: count(1) }));

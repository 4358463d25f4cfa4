// The operations on a collection's items: paths, shapes, scopes, statuses. No SQL and no rules.

import type { Store } from "../../../db/store.ts";
import { operationOf } from "../../../http/operation.ts";
import { pageOf, readCursor } from "../../../http/pagination.ts";
import { pageShape } from "../../../http/response-shapes.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import { ownCollection, seesPublicOnly, visibleCollection } from "../access.ts";
import { addItems, removeItems } from "../membership.ts";
import { addedItems, itemShape, itemsBody, itemToWire, listItemsQuery, removedItems } from "./contract.ts";
import { findItems, type ItemRow, listItemPositions } from "./store.ts";
import { streamItems } from "./stream.ts";

const { itemBytes } = LIMITS.collection;
/** Enough bytes for a preview in any script. */
const PREVIEW_BYTES = LIMITS.versions.previewCharacters * 4;

/** What the operations on items need. */
export interface ItemDeps {
  store: Store;
}

const operation = operationOf<ItemDeps>();

export const itemOperations = [
  operation({
    name: "collections.items.list",
    method: "GET",
    path: "/v1/collections/:id/items",
    summary: "List the items of a collection, most recently added first",
    description:
      "With `includeContent=true`, all items are returned in one response with their full text, and `limit` and `cursor` are ignored. " +
      "In another user's public collection, only public prompts are listed.",
    requires: { anyOf: ["documents.read"] },
    query: listItemsQuery,
    responses: { 200: pageShape(itemShape) },
    errors: [404],
    handle: ({ caller, id, query: { limit, cursor, includeContent } }, { store }) => {
      const publicOnly = seesPublicOnly(caller, visibleCollection(store, caller, id));
      if (includeContent) {
        const toWire = (row: ItemRow) => itemToWire(row, true);
        const pieces = streamItems(store, id, { publicOnly, textBytes: itemBytes, toWire });
        return { status: 200, pieces };
      }
      const identity = { userId: caller.userId, list: "collections.items", filters: { id } };
      const positions = listItemPositions(store, id, {
        publicOnly,
        after: readCursor(identity, cursor),
        limit: limit + 1,
      });
      const pieces = pageOf(identity, positions, {
        limit,
        toWire({ id }) {
          const [row] = findItems(store, [id], { publicOnly, textBytes: PREVIEW_BYTES });
          return row && itemToWire(row, false);
        },
      });
      return { status: 200, pieces };
    },
  }),

  operation({
    name: "collections.items.add",
    method: "POST",
    path: "/v1/collections/:id/items",
    summary: "Add documents or prompts to a collection",
    description:
      "All records must exist and belong to the caller; otherwise nothing is added and the response is 404. Records that are already " +
      "in the collection are counted in `alreadyInCollection`.",
    requires: { anyOf: ["documents.write"] },
    body: itemsBody,
    responses: { 200: addedItems },
    errors: [404],
    handle: ({ commit, caller, id, body: { itemType, itemIds } }) =>
      commit((write) => {
        ownCollection(write, caller, id);
        const { added, alreadyPresent } = addItems(write, caller, { collectionId: id, itemType, itemIds });
        return {
          status: 200,
          body: { data: { added, alreadyInCollection: alreadyPresent, alreadyPresent } },
        };
      }),
  }),

  operation({
    name: "collections.items.remove",
    method: "PUT",
    path: "/v1/collections/:id/items",
    summary: "Remove documents or prompts from a collection",
    description:
      "The records themselves are not deleted. `removed` is the number of records that were in the collection.",
    requires: { anyOf: ["documents.write"] },
    body: itemsBody,
    responses: { 200: removedItems },
    errors: [404],
    handle: ({ commit, caller, id, body: { itemType, itemIds } }) =>
      commit((write) => {
        ownCollection(write, caller, id);
        const removed = removeItems(write, caller, { collectionId: id, itemType, itemIds });
        return { status: 200, body: { data: { removed } } };
      }),
  }),
];

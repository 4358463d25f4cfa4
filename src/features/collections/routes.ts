// The operations on collections: paths, shapes, scopes, statuses. No SQL and no rules.

import type { Store } from "../../db/store.ts";
import { operationOf } from "../../http/operation.ts";
import { pageOf, readCursor } from "../../http/pagination.ts";
import { dataOf, deletion, location, pageShape } from "../../http/response-shapes.ts";
import { parseTagFilter } from "../../kernel/tags.ts";
import { asSeenBy, itemCountFor, ownCollection, visibleCollection } from "./access.ts";
import {
  collectionShape,
  collectionToWire,
  createCollectionBody,
  listCollectionsQuery,
  listedCollectionShape,
  listedToWire,
  patchCollectionBody,
} from "./contract.ts";
import { createCollection } from "./create.ts";
import { deleteCollection } from "./delete.ts";
import { itemOperations } from "./items/routes.ts";
import { listCollections } from "./list.ts";
import { patchCollection } from "./patch.ts";
import { statsFor } from "./stats.ts";

/** What the operations on collections need. */
export interface CollectionDeps {
  store: Store;
}

const operation = operationOf<CollectionDeps>();

export const collectionOperations = [
  operation({
    name: "collections.list",
    method: "GET",
    path: "/v1/collections",
    summary: "List collections, newest first",
    description:
      "Returns the caller's collections, and with `includePublic=true` also other users' public ones.",
    requires: { anyOf: ["documents.read"] },
    query: listCollectionsQuery,
    responses: { 200: pageShape(listedCollectionShape) },
    handle: ({ caller, query }, { store }) => {
      const { limit, cursor, tags, ...filters } = query;
      const identity = {
        userId: caller.userId,
        list: "collections",
        filters: { ...filters, tags: parseTagFilter(tags) },
      };
      const rows = listCollections(store, caller, { query, after: readCursor(identity, cursor) });
      const toWire = (row: (typeof rows)[number]) => listedToWire(row, itemCountFor(store, caller, row));
      return { status: 200, pieces: pageOf(identity, rows, { limit, toWire }) };
    },
  }),

  operation({
    name: "collections.create",
    method: "POST",
    path: "/v1/collections",
    summary: "Create a collection",
    description:
      "`parentCollectionId` places it inside another collection of the caller; a parent that does not exist gives 404.",
    requires: { anyOf: ["documents.write"] },
    body: createCollectionBody,
    responses: { 201: dataOf(collectionShape, location("/v1/collections/:id")) },
    errors: [404],
    handle: ({ commit, caller, body }) =>
      commit((write) => {
        const row = createCollection(write, caller, body);
        return {
          status: 201,
          headers: { Location: `/v1/collections/${row.id}` },
          body: { data: collectionToWire(row, 0) },
        };
      }),
  }),

  operation({
    name: "collections.get",
    method: "GET",
    path: "/v1/collections/:id",
    summary: "Read a collection",
    description:
      "Public collections of other users can also be read; their `itemCount` counts only public prompts. `stats` is returned only for " +
      "session tokens and `oat_` tokens.",
    requires: { anyOf: ["documents.read"] },
    responses: { 200: dataOf(collectionShape) },
    errors: [404],
    handle: ({ caller, id }, { store }) => {
      const row = visibleCollection(store, caller, id);
      const stats = caller.kind === "session" ? statsFor(store, caller, row) : undefined;
      return {
        status: 200,
        body: {
          data: collectionToWire(asSeenBy(store, caller, row), itemCountFor(store, caller, row), stats),
        },
      };
    },
  }),

  operation({
    name: "collections.update",
    method: "PATCH",
    path: "/v1/collections/:id",
    summary: "Update a collection",
    description:
      "Changes the fields that are sent. `parentCollectionId` cannot be changed: it is accepted only with its current value.",
    requires: { anyOf: ["documents.write"] },
    body: patchCollectionBody,
    responses: { 200: dataOf(collectionShape) },
    errors: [404],
    handle: ({ commit, caller, id, body }) =>
      commit((write) => {
        const row = patchCollection(write, ownCollection(write, caller, id), body);
        return { status: 200, body: { data: collectionToWire(row, itemCountFor(write, caller, row)) } };
      }),
  }),

  operation({
    name: "collections.delete",
    method: "DELETE",
    path: "/v1/collections/:id",
    summary: "Delete an empty collection",
    description:
      "A collection that still has items gives 409. Its child collections are not deleted and lose their `parentCollectionId`.",
    requires: { anyOf: ["documents.write"] },
    responses: { 200: deletion },
    errors: [404, 409],
    handle: ({ commit, caller, id }) =>
      commit((write) => {
        deleteCollection(write, ownCollection(write, caller, id).id);
        return { status: 200, body: { success: true, id } };
      }),
  }),

  ...itemOperations,
];

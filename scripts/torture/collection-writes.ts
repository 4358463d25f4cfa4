// A client that creates and renames collections, and adds and removes their items.

import { MAX_DOCUMENTS, pick } from "./document-writes.ts";
import { findAction } from "./unkeyed-writes.ts";
import { type Action, expectStatus, type Shared } from "./writer.ts";

export function collectionActions(shared: Shared): () => Action {
  const { facts } = shared;
  const collections: { id: string; items: Set<string> }[] = [];
  const named = (collection: string, name: string) =>
    facts.add({ kind: "collection", collection, name }, `collection ${collection}`);
  const created = (id: string, name: string) => {
    collections.push({ id, items: new Set() });
    named(id, name);
  };
  return () => {
    const name = shared.token();
    const collection = pick(shared, collections);
    const choice = shared.random();
    if (!collection || (choice < 0.1 && collections.length < MAX_DOCUMENTS)) {
      const action: Action = {
        sent: { method: "POST", path: "/v1/collections", body: { name } },
        done(received) {
          expectStatus(received, 201);
          created(received.body.data.id, name);
        },
        lookUp: () => findAction(`/v1/collections?search=${name}`, action, ({ id }) => created(id, name)),
      };
      return action;
    }
    const { id, items } = collection;
    const record = pick(shared, shared.pool);
    if (choice < 0.3 || record === undefined)
      return {
        sent: { method: "PATCH", path: `/v1/collections/${id}`, body: { name } },
        begin: () => facts.end(`collection ${id}`),
        done(received) {
          expectStatus(received, 200);
          named(id, name);
        },
      };
    const isPresent = !items.has(record);
    return {
      sent: {
        method: isPresent ? "POST" : "PUT",
        path: `/v1/collections/${id}/items`,
        body: { itemIds: [record], itemType: "document" },
      },
      begin: () => facts.end(`item ${id} ${record}`),
      done(received) {
        expectStatus(received, 200);
        if (isPresent) items.add(record);
        else items.delete(record);
        facts.add({ kind: "item", collection: id, record, isPresent }, `item ${id} ${record}`);
      },
    };
  };
}

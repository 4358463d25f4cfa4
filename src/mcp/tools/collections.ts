// The tools for collections.

import { DELETED, deleteRecord } from "./delete.ts";
import { stateFact } from "./document-heading.ts";
import { bold, countOf, day, facts, listed, oneLine, paragraphs } from "./markdown.ts";
import { pageText } from "./page.ts";
import {
  anyTags,
  NUMBER,
  TEXT,
  collectionId,
  cursor,
  flag,
  listLimit,
  maxTokens,
  oneOf,
  tags,
  tagsQuery,
  text,
  texts,
} from "./shapes.ts";
import type { Tool } from "./tool.ts";

export const listCollections: Tool = {
  name: "list_collections",
  title: "List collections",
  description: "List collections of documents and prompts, newest first.",
  arguments: {
    search: text("part of the name or description"),
    tags: anyTags,
    limit: listLimit,
    cursor,
    maxTokens,
  },
  required: [],
  behaviour: { readOnly: true, idempotent: true },
  operation: "collections.list",
  async handle({ arguments: { search, tags, limit, cursor }, room, run }) {
    const listing = await pageText({
      call: { query: { search, tags: tagsQuery(tags), limit, cursor } },
      run,
      toText: (row) => {
        const title = `- ${bold(row.name)}${facts(
          `collectionId: ${row.id}`,
          countOf(row.itemCount, "item"),
          listed("tags", row.tags),
          day(row.lastActivityAt),
        )}`;
        return row.description ? `${title}\n  ${oneLine(row.description)}` : title;
      },
      noun: "collection",
      whenEmpty: "No collection matches.",
      repeat: "list_collections, same filters,",
      room,
    });
    return { text: listing };
  },
};

export const getCollection: Tool = {
  name: "get_collection",
  title: "Read a collection",
  description: "Read a collection and list its documents and prompts, most recently added first.",
  arguments: {
    collectionId,
    includeItems: flag("default true"),
    limit: listLimit,
    cursor,
    maxTokens,
  },
  required: ["collectionId"],
  behaviour: { readOnly: true, idempotent: true },
  operation: "collections.get",
  async handle({ arguments: sent, room, documentFacts, run, also }) {
    const { collectionId: id, includeItems = true, limit, cursor } = sent;
    const collection = (await run({ id })).body.data;
    const items =
      includeItems &&
      (await pageText({
        call: { id, query: { limit, cursor } },
        run: (call) => also("collections.items.list", call),
        toText: (row) => {
          const { status } = documentFacts([row.itemId]).get(row.itemId) ?? {};
          return `- ${bold(row.title)}${facts(`${row.itemType}Id: ${row.itemId}`, stateFact(status))}`;
        },
        noun: "item",
        whenEmpty: "The collection is empty.",
        repeat: "get_collection",
        room,
      }));
    return {
      text: paragraphs(
        `${bold(collection.name)}${facts(
          `collectionId: ${id}`,
          countOf(collection.itemCount, "item"),
          listed("tags", collection.tags),
        )}`,
        collection.description && oneLine(collection.description, 1_000),
        items,
      ),
    };
  },
};

const appearance = {
  description: text("what it is for"),
  color: text("#rrggbb"),
  icon: text("one emoji"),
  tags,
};

export const createCollection: Tool = {
  name: "create_collection",
  title: "Create a collection",
  description: "Create an empty collection. add_to_collection fills it.",
  arguments: { name: text("short"), ...appearance, parentCollectionId: text("id or name") },
  required: ["name"],
  returns: { name: TEXT, collectionId: TEXT },
  behaviour: {},
  operation: "collections.create",
  async handle({ arguments: body, run }) {
    const { id, name } = (await run({ body })).body.data;
    return { text: `Created ${bold(name)} (collectionId: ${id}).`, data: { name, collectionId: id } };
  },
};

export const updateCollection: Tool = {
  name: "update_collection",
  title: "Change a collection",
  description: "Change the name or appearance of a collection. Its items stay as they are.",
  arguments: { collectionId, name: text("the new one"), ...appearance },
  required: ["collectionId"],
  returns: { name: TEXT, collectionId: TEXT },
  behaviour: { idempotent: true, destructive: true },
  operation: "collections.update",
  async handle({ arguments: { collectionId, ...body }, run }) {
    const { name } = (await run({ id: collectionId, body })).body.data;
    return { text: `Changed ${bold(name)} (collectionId: ${collectionId}).`, data: { name, collectionId } };
  },
};

export const deleteCollection: Tool = {
  name: "delete_collection",
  title: "Delete a collection",
  description: "Delete an empty collection. Remove its items first; they are not deleted.",
  arguments: { collectionId },
  required: ["collectionId"],
  returns: DELETED,
  behaviour: { destructive: true, idempotent: true },
  operation: "collections.delete",
  handle: (call) => deleteRecord(call, { id: call.arguments.collectionId, noun: "collection" }),
};

const membership = {
  collectionId,
  itemIds: texts("ids or titles"),
  itemType: oneOf(["document", "prompt"], "of all items"),
};

export const addToCollection: Tool = {
  name: "add_to_collection",
  title: "Add to a collection",
  description: "Add documents or prompts to a collection.",
  arguments: membership,
  required: ["collectionId", "itemIds", "itemType"],
  returns: { collectionId: TEXT, added: NUMBER, alreadyInCollection: NUMBER },
  behaviour: { idempotent: true },
  operation: "collections.items.add",
  async handle({ arguments: { collectionId, itemIds, itemType }, run }) {
    const { data } = (await run({ id: collectionId, body: { itemIds, itemType } })).body;
    const { added, alreadyInCollection } = data;
    return {
      text: `Added ${countOf(added, itemType)} to collection ${collectionId}; ${alreadyInCollection} already in it.`,
      data: { collectionId, added, alreadyInCollection },
    };
  },
};

export const removeFromCollection: Tool = {
  name: "remove_from_collection",
  title: "Remove from a collection",
  description: "Remove documents or prompts from a collection. They are not deleted.",
  arguments: membership,
  required: ["collectionId", "itemIds", "itemType"],
  returns: { collectionId: TEXT, removed: NUMBER },
  behaviour: { idempotent: true },
  operation: "collections.items.remove",
  async handle({ arguments: { collectionId, itemIds, itemType }, run }) {
    const { removed } = (await run({ id: collectionId, body: { itemIds, itemType } })).body.data;
    return {
      text: `Removed ${countOf(removed, itemType)} from collection ${collectionId}.`,
      data: { collectionId, removed },
    };
  },
};

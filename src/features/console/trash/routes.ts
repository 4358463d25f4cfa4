// Operations of /console/api: the trash. The console deletes into it; deleting through the public API is final.

import { hasScope, type Identity, requireScope } from "../../../auth/identity.ts";
import type { Store, TableReader, Write } from "../../../db/store.ts";
import {
  deleteFromTrash,
  findTrashed,
  listTrash,
  putIntoTrash,
  restoreFromTrash,
  type Trashed,
  TRASH_LIFE_MS,
  type TrashType,
} from "../../../db/trash.ts";
import { operationOf } from "../../../http/operation.ts";
import { enqueue } from "../../../jobs/queue.ts";
import type { Changes } from "../../../kernel/changes.ts";
import { notFound } from "../../../kernel/errors.ts";
import { ownDocument } from "../../documents/access.ts";
import { deleteDocument } from "../../documents/delete.ts";
import { findDocument } from "../../documents/store.ts";
import { ownPrompt } from "../../prompts/access.ts";
import { deletePrompt } from "../../prompts/store.ts";
import { common, offsetPage } from "../contract.ts";
import type { TrashedRecord } from "../replies.ts";

/** What these operations need. */
export interface TrashDeps {
  store: Store;
  changes: Changes;
}

const WRITES: Record<TrashType, { anyOf: ["documents.write"] | ["prompts.write"] }> = {
  document: { anyOf: ["documents.write"] },
  prompt: { anyOf: ["prompts.write"] },
};
const writes = { anyOf: ["documents.write", "prompts.write"] } as const;

const declare = operationOf<TrashDeps>();

export const trashApi = [
  declare({
    ...common,
    name: "console.documents.delete",
    method: "DELETE",
    path: "/console/api/documents/:id",
    summary: "Move a document to the trash",
    requires: WRITES.document,
    handle: ({ caller, id, commit }) =>
      commit((write) => {
        const { title } = ownDocument(write, caller, id);
        putIntoTrash(write, { id, userId: caller.userId, type: "document", title });
        deleteDocument(write, id);
        return { status: 200, body: { success: true } };
      }),
  }),
  declare({
    ...common,
    name: "console.prompts.delete",
    method: "DELETE",
    path: "/console/api/prompts/:id",
    summary: "Move a prompt to the trash",
    requires: WRITES.prompt,
    handle: ({ caller, id, commit }) =>
      commit((write) => {
        const { title } = ownPrompt(write, caller, id);
        putIntoTrash(write, { id, userId: caller.userId, type: "prompt", title });
        deletePrompt(write, id);
        return { status: 200, body: { success: true } };
      }),
  }),
  declare({
    ...common,
    name: "console.trash.list",
    method: "GET",
    path: "/console/api/trash",
    summary: "List what is in the trash",
    requires: writes,
    query: offsetPage,
    handle({ caller, query: { limit, cursor = 0 } }, { store }) {
      const found = listTrash(store, caller.userId, { offset: cursor, limit: limit + 1 });
      const hasMore = found.length > limit;
      const data = found
        .slice(0, limit)
        .filter(({ type }) => WRITES[type].anyOf.some((scope) => hasScope(caller, scope)))
        .map((trashed): TrashedRecord => ({ ...trashed, expiresAt: trashed.deletedAt + TRASH_LIFE_MS }));
      const pagination = { cursor: hasMore ? String(cursor + limit) : "", hasMore };
      return { status: 200, body: { data, pagination } };
    },
  }),
  declare({
    ...common,
    name: "console.trash.restore",
    method: "POST",
    path: "/console/api/trash/:id",
    summary: "Restore a record from the trash",
    requires: writes,
    bodyMayBeEmpty: true,
    async handle({ caller, id, commit }, { store, changes }) {
      const { type } = ownTrashed(store, caller, id);
      const reply = await commit((write) => {
        restoreFromTrash(write, caller.userId, ownTrashed(write, caller, id));
        index(write, { id, type, userId: caller.userId });
        return { status: 200, body: { data: { id, type } } };
      });
      changes.publish({
        userId: caller.userId,
        type,
        id,
        action: "restore",
        credentialId: caller.credentialId,
      });
      return reply;
    },
  }),
  declare({
    ...common,
    name: "console.trash.delete",
    method: "DELETE",
    path: "/console/api/trash/:id",
    summary: "Delete a record in the trash for good",
    requires: writes,
    handle: ({ caller, id, commit }) =>
      commit((write) => {
        ownTrashed(write, caller, id);
        deleteFromTrash(write, id);
        return { status: 200, body: { success: true } };
      }),
  }),
];

/** The record in the caller's trash. Throws `not-found`, or `forbidden` for a key that may not change such records. */
function ownTrashed(reader: TableReader, caller: Identity, id: string): Trashed {
  const trashed = findTrashed(reader, caller.userId, id);
  if (!trashed) throw notFound("record in the trash");
  requireScope(caller, WRITES[trashed.type]);
  return trashed;
}

/** Makes a restored record searchable. The page of a document that was being fetched is fetched again. */
function index(write: Write, { id, type, userId }: { id: string; type: TrashType; userId: string }): void {
  if (type === "prompt") enqueue(write, "prompt.index", id, { userId });
  else if (findDocument(write, id)?.status === "processing")
    enqueue(write, "document.scrape", id, { userId });
  else enqueue(write, "document.index", id, { userId });
}

// Creates a document: row, texts, version 0, memberships and the job that indexes it, in one write.

import type { Identity } from "../../auth/identity.ts";
import type { Write } from "../../db/store.ts";
import { enqueue } from "../../jobs/queue.ts";
import { contentHash } from "../../kernel/hash.ts";
import { indexPriority } from "../../kernel/index-priority.ts";
import { normalizeTags } from "../../kernel/tags.ts";
import { addToCollections } from "../collections/membership.ts";
import type { CreateDocument } from "./contract.ts";
import { snapshot } from "./revision.ts";
import { type DocumentRow, insertDocument, putBody } from "./store.ts";

/** The new document belongs to the caller. `input` has been validated. Throws `not-found` for an unknown collection. */
export function createDocument(write: Write, caller: Identity, input: CreateDocument): DocumentRow {
  const id = write.newId();
  const hashOf = (text: string | undefined) => (text === undefined ? null : contentHash(text));
  const row: DocumentRow = {
    id,
    userId: caller.userId,
    title: input.title,
    status: "published",
    tags: normalizeTags(input.tags ?? []),
    contentHash: contentHash(input.content),
    contentHtmlHash: hashOf(input.contentHtml),
    rawHtmlHash: hashOf(input.rawHtml),
    sourceType: input.sourceType ?? "manual",
    sourceUrl: input.sourceUrl ?? null,
    source: {},
    metadata: input.metadata ?? {},
    workspaceId: input.workspaceId ?? null,
    revision: 0,
    lastChangedAt: write.now,
    createdAt: write.now,
    updatedAt: write.now,
  };
  insertDocument(write, row);
  for (const text of [input.content, input.contentHtml, input.rawHtml]) {
    if (text !== undefined) putBody(write, id, text);
  }
  snapshot(write, row, { actor: caller, origin: "create" });
  const { collectionIds = [] } = input;
  addToCollections(write, caller, { itemType: "document", itemId: id, collectionIds });
  enqueue(write, "document.index", id, { userId: row.userId, priority: indexPriority(row.metadata) });
  return row;
}

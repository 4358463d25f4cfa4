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
import { type DocumentRow, insertBody, insertDocument } from "./store.ts";

/** The new document belongs to the caller. `input` has been validated. Throws `not-found` for an unknown collection. */
export function createDocument(write: Write, caller: Identity, input: CreateDocument): DocumentRow {
  const id = write.newId();
  const texts: { hash: string; text: string }[] = [];
  const hashOf = (text: string) => {
    const hash = contentHash(text);
    texts.push({ hash, text });
    return hash;
  };
  const { content, contentHtml, rawHtml } = input;
  const row: DocumentRow = {
    id,
    userId: caller.userId,
    title: input.title,
    status: "published",
    tags: normalizeTags(input.tags ?? []),
    contentHash: hashOf(content),
    contentHtmlHash: contentHtml === undefined ? null : hashOf(contentHtml),
    rawHtmlHash: rawHtml === undefined ? null : hashOf(rawHtml),
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
  for (const text of texts) insertBody(write, id, text);
  snapshot(write, row, { actor: caller, origin: "create" });
  const { collectionIds = [] } = input;
  addToCollections(write, caller, { itemType: "document", itemId: id, collectionIds });
  enqueue(write, "document.index", id, { userId: row.userId, priority: indexPriority(row.metadata) });
  return row;
}

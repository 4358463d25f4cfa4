// Revisions: which fields are versioned, the version row of each revision, and the validator (ETag) of a state.

import { agentName, displayName, type Identity } from "../../auth/identity.ts";
import type { Write } from "../../db/store.ts";
import { enqueue } from "../../jobs/queue.ts";
import { canonicalJson } from "../../kernel/canonical-json.ts";
import { indexPriority } from "../../kernel/index-priority.ts";
import { sha256Hex } from "../../kernel/hash.ts";
import { type DocumentRow, insertVersion, updateDocument } from "./store.ts";

/** The versioned fields: a change of one of them makes a new revision. Texts are represented by their hashes. */
export type VersionedFields = Pick<
  DocumentRow,
  "title" | "contentHash" | "contentHtmlHash" | "rawHtmlHash" | "sourceUrl" | "metadata" | "tags"
>;

/** The versioned fields of a row. */
export function versionedFieldsOf(row: DocumentRow): VersionedFields {
  const { title, contentHash, contentHtmlHash, rawHtmlHash, sourceUrl, metadata, tags } = row;
  return { title, contentHash, contentHtmlHash, rawHtmlHash, sourceUrl, metadata, tags };
}

/** The author of a revision, as recorded in its version row. */
export type Actor = Pick<Identity, "kind" | "name" | "email" | "keyName" | "program">;

/** A document after a write. */
export interface Revised {
  row: DocumentRow;
  /** True when nothing changed. */
  noop: boolean;
}

/** Who makes a revision, by which operation (such as `update`), and why. */
export interface Cause {
  actor: Actor;
  origin: string;
  changeLog?: string;
}

/**
 * Makes `next` the current state, as a new revision with its version row and index job. Does nothing if nothing
 * changes.
 */
export function revise(
  write: Write,
  row: DocumentRow,
  { next, ...cause }: Cause & { next: VersionedFields },
): Revised {
  if (canonicalJson(next) === canonicalJson(versionedFieldsOf(row))) return { row, noop: true };
  const revised = {
    ...row,
    ...next,
    revision: row.revision + 1,
    lastChangedAt: write.now,
    updatedAt: write.now,
  };
  updateDocument(write, revised);
  snapshot(write, revised, cause);
  const priority = indexPriority(next.metadata, row.metadata);
  enqueue(write, "document.index", row.id, { userId: row.userId, priority });
  return { row: revised, noop: false };
}

/** Appends the version row of a document's current state. */
export function snapshot(write: Write, row: DocumentRow, { actor, origin, changeLog }: Cause): void {
  insertVersion(write, {
    id: write.newId(),
    documentId: row.id,
    version: row.revision,
    ...versionedFieldsOf(row),
    snapshotCompleteness: "complete",
    actorKind: actor.kind,
    actorName: displayName(actor),
    agent: agentName(actor),
    origin,
    changeLog: changeLog ?? null,
    createdAt: write.now,
  });
}

/**
 * The strong ETag of a document. It changes with revision, versioned fields, status, and the error of the last refresh,
 * so that a client that polls sees a scrape fail.
 */
export function etagOf(row: DocumentRow): string {
  const state = [
    row.id,
    row.revision,
    versionedFieldsOf(row),
    row.status,
    row.source.lastRefreshError ?? null,
  ];
  return `"${sha256Hex(canonicalJson(state)).slice(0, 40)}"`;
}

// The history of a document: one row for each revision, newest first, and the way back to one of them.

import type { Identity } from "../../auth/identity.ts";
import type { Store, Write } from "../../db/store.ts";
import { notFound } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { cutBytes, cutUnits } from "../../kernel/text.ts";
import type { DocumentVersionOnWire } from "./contract.ts";
import { canonicalOf, type Revised, revise } from "./revision.ts";
import { type DocumentRow, findVersion, readBody, type VersionRow } from "./store.ts";

const { textBytes, previewCharacters } = LIMITS.versions;

/** A version row as it is shown. Its texts are read here, one row at a time, because a page may hold many large ones. */
export function versionToWire(store: Store, row: VersionRow): DocumentVersionOnWire {
  const text = (hash: string | null) => {
    const body = readBody(store, row.documentId, hash);
    return body === null ? undefined : cutBytes(body, textBytes);
  };
  const content = text(row.contentHash) ?? "";
  const userName = row.actorName ?? undefined;
  return {
    id: row.id,
    versionId: row.id,
    documentId: row.documentId,
    version: row.version,
    title: row.title,
    content,
    contentHtml: text(row.contentHtmlHash),
    preview: cutUnits(content, previewCharacters),
    contentHash: row.contentHash,
    snapshotCompleteness: row.snapshotCompleteness,
    actor: row.actorKind === null ? undefined : { kind: row.actorKind, displayName: userName ?? "" },
    origin: row.origin ?? undefined,
    changeLog: row.changeLog ?? undefined,
    userName,
    createdAt: row.createdAt,
    createdBy: userName,
  };
}

export const LEGACY_PARTIAL = "legacy_partial";

/** A version of this document. Throws `not-found`, also for another document's. */
export function ownVersion(reader: Pick<Store, "tables">, row: DocumentRow, versionId: string): VersionRow {
  const version = findVersion(reader, versionId);
  if (!version || version.documentId !== row.id) throw notFound("version");
  return version;
}

/**
 * Makes a snapshot the current state again, as a new revision where it differs. A legacy partial snapshot keeps the
 * fields that were never recorded in it; the answer then carries a warning.
 */
export function restoreVersion(
  write: Write,
  caller: Identity,
  row: DocumentRow,
  version: VersionRow,
): Revised & { warnings: string[] } {
  const isPartial = version.snapshotCompleteness === LEGACY_PARTIAL;
  const current = canonicalOf(row);
  const kept = <Value>(recorded: Value | null, now: Value | null) =>
    isPartial ? (recorded ?? now) : recorded;
  const next = {
    title: version.title,
    contentHash: version.contentHash,
    contentHtmlHash: kept(version.contentHtmlHash, current.contentHtmlHash),
    rawHtmlHash: kept(version.rawHtmlHash, current.rawHtmlHash),
    sourceUrl: kept(version.sourceUrl, current.sourceUrl),
    metadata: version.metadata ?? current.metadata,
    tags: version.tags ?? current.tags,
  };
  const revised = revise(write, caller, row, next, "restore", `restored version ${version.version}`);
  return { ...revised, warnings: isPartial ? ["LEGACY_PARTIAL_SNAPSHOT"] : [] };
}

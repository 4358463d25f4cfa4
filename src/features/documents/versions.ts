// Versions of a document: lookup, and restoring an earlier one as a new revision.

import type { Identity } from "../../auth/identity.ts";
import type { Store, Write } from "../../db/store.ts";
import { notFound } from "../../kernel/errors.ts";
import { edit } from "./edit.ts";
import { canonicalOf, type Revised } from "./revision.ts";
import { type DocumentRow, findVersion, type VersionRow } from "./store.ts";

const LEGACY_PARTIAL = "legacy_partial";

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
  row: DocumentRow,
  { caller, version }: { caller: Identity; version: VersionRow },
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
  const changeLog = `restored version ${version.version}`;
  const revised = edit(write, row, { next, actor: caller, origin: "restore", changeLog });
  return { ...revised, warnings: isPartial ? ["LEGACY_PARTIAL_SNAPSHOT"] : [] };
}

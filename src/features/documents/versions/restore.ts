// Versions of a document: lookup, and restoring an earlier one as a new revision.

import type { Identity } from "../../../auth/identity.ts";
import type { Store, Write } from "../../../db/store.ts";
import { notFound } from "../../../kernel/errors.ts";
import { importMembersOf, withoutImportMembers } from "../../../kernel/import-members.ts";
import { edit } from "../edit.ts";
import { type Revised, versionedFieldsOf } from "../revision.ts";
import { type DocumentRow, findVersion, type VersionRow } from "../store.ts";

/** The completeness of imported versions that lack some fields. */
const LEGACY_PARTIAL = "legacy_partial";

/** The document's version of this id. Throws `not-found`, also for another document's version. */
export function ownVersion(reader: Pick<Store, "tables">, row: DocumentRow, versionId: string): VersionRow {
  const version = findVersion(reader, versionId);
  if (!version || version.documentId !== row.id) throw notFound("version");
  return version;
}

/**
 * Restores a version as a new revision; a no-op if it equals the current state. Fields that a legacy partial version
 * did not record remain as they are, and the result contains a warning. What an import remembers of the document's file
 * remains, too: otherwise the next import would undo the restore.
 */
export function restoreVersion(
  write: Write,
  row: DocumentRow,
  { caller, version }: { caller: Identity; version: VersionRow },
): Revised & { warnings: string[] } {
  const isPartial = version.snapshotCompleteness === LEGACY_PARTIAL;
  const current = versionedFieldsOf(row);
  const restored = <Value>(recorded: Value | null, now: Value | null) =>
    isPartial ? (recorded ?? now) : recorded;
  const next = {
    title: version.title,
    contentHash: version.contentHash,
    contentHtmlHash: restored(version.contentHtmlHash, current.contentHtmlHash),
    rawHtmlHash: restored(version.rawHtmlHash, current.rawHtmlHash),
    sourceUrl: restored(version.sourceUrl, current.sourceUrl),
    // Which file a document belongs to is not part of its earlier state.
    metadata: {
      ...withoutImportMembers(version.metadata ?? current.metadata),
      ...importMembersOf(current.metadata),
    },
    tags: version.tags ?? current.tags,
  };
  const changeLog = `restored version ${version.version}`;
  const revised = edit(write, row, { next, actor: caller, origin: "restore", changeLog });
  return { ...revised, warnings: isPartial ? ["LEGACY_PARTIAL_SNAPSHOT"] : [] };
}

// PATCH of a document: changes the supplied fields. A patch that changes nothing is reported as a no-op.

import type { Identity } from "../../auth/identity.ts";
import type { Write } from "../../db/store.ts";
import { normalizeTags } from "../../kernel/tags.ts";
import type { PatchDocument } from "./contract.ts";
import { edit } from "./edit.ts";
import { type Revised, type VersionedFields, versionedFieldsOf } from "./revision.ts";
import { type DocumentRow, putBody, updateDocument } from "./store.ts";

/** Applies a patch to a row that was read in this write. A change of only the status makes no new revision. */
export function patchDocument(
  write: Write,
  row: DocumentRow,
  { caller, patch }: { caller: Identity; patch: PatchDocument },
): Revised {
  const next = patchedFields(write, row, patch);
  const revised = edit(write, row, { next, actor: caller, origin: "update", changeLog: patch.changeLog });
  const { status } = patch;
  if (status === undefined || status === row.status) return revised;
  const withStatus = { ...revised.row, status, updatedAt: write.now };
  updateDocument(write, withStatus);
  return { row: withStatus, noop: false };
}

function patchedFields(write: Write, row: DocumentRow, patch: PatchDocument): VersionedFields {
  const before = versionedFieldsOf(row);
  const hashOf = (text: string | null | undefined, current: string | null) =>
    text === undefined ? current : text === null ? null : putBody(write, row.id, text);
  return {
    title: patch.title ?? before.title,
    contentHash: patch.content === undefined ? before.contentHash : putBody(write, row.id, patch.content),
    contentHtmlHash: hashOf(patch.contentHtml, before.contentHtmlHash),
    rawHtmlHash: hashOf(patch.rawHtml, before.rawHtmlHash),
    sourceUrl: patch.sourceUrl === undefined ? before.sourceUrl : patch.sourceUrl,
    metadata: patch.metadata ?? before.metadata,
    tags: patch.tags === undefined ? before.tags : normalizeTags(patch.tags),
  };
}

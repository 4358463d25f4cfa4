// Changes a document: only supplied fields; an exact unchanged write is acknowledged and leaves no trace.

import type { Identity } from "../../auth/identity.ts";
import type { Write } from "../../db/store.ts";
import { normalizeTags } from "../../kernel/tags.ts";
import type { PatchDocument } from "./contract.ts";
import { type Canonical, canonicalOf, type Revised, revise } from "./revision.ts";
import { type DocumentRow, putBody, updateDocument } from "./store.ts";

/**
 * Applies a patch to the document as it was read in this write. A change of status alone is a changed write without a
 * new version: the revision stays.
 */
export function patchDocument(
  write: Write,
  caller: Identity,
  row: DocumentRow,
  patch: PatchDocument,
): Revised {
  const revised = revise(write, caller, row, changed(write, row, patch), "update", patch.changeLog);
  const { status } = patch;
  if (status === undefined || status === row.status) return revised;
  const withStatus = { ...revised.row, status, updatedAt: write.now };
  updateDocument(write, withStatus);
  return { row: withStatus, noop: false };
}

function changed(write: Write, row: DocumentRow, patch: PatchDocument): Canonical {
  const before = canonicalOf(row);
  const hashOf = (text: string | null | undefined, kept: string | null) =>
    text === undefined ? kept : text === null ? null : putBody(write, row.id, text);
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

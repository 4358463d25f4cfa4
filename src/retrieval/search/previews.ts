// The beginnings of documents, by which they are found before they are indexed.

import type { Database } from "bun:sqlite";
import { PRIORITIES } from "../../jobs/kinds.ts";
import { type Selected, visibleDocuments } from "./filter.ts";

/**
 * Length of a document's preview, which is searched before the document is indexed: UTF-16 units, or bytes of UTF-8.
 */
export const PREVIEW_UNITS = 4096;

/** Separates title and preview in the text of a document's own chunk. A title contains no NUL. */
export const TITLE_END = "\0";

/** A document; its preview is read only if it is needed, because it is long. */
export interface DocumentCandidate {
  documentId: string;
  title: string;
  preview(): string;
}

interface UnindexedDocument extends DocumentCandidate {
  /** As the column has them. */
  tags: string;
}

/**
 * Documents whose current revision is not indexed yet; each has a job that is queued, running or failed, of a priority
 * up to `maxPriority` (see PRIORITIES). Without `limit`, all of them. The preview is read as bytes, because substr of a
 * text ends at a NUL; of an empty text it is NULL.
 */
export function* notIndexed(
  database: Database,
  filter: Selected,
  { maxPriority = PRIORITIES.length, limit = -1 }: { maxPriority?: number; limit?: number } = {},
): Generator<UnindexedDocument> {
  const visible = visibleDocuments(filter);
  const rows = database
    .query<
      { documentId: string; title: string; tags: string; preview: Uint8Array | null },
      (string | number)[]
    >(
      `SELECT d.id AS documentId, d.title, d.tags, substr(CAST(b.text AS BLOB), 1, ?) AS preview
       FROM (SELECT DISTINCT subject FROM jobs WHERE kind = 'document.index' AND priority <= ?) AS job
       CROSS JOIN documents AS d ON d.id = job.subject
       JOIN bodies AS b ON b.document_id = d.id AND b.hash = d.content_hash
       LEFT JOIN index_generations AS g ON g.document_id = d.id AND g.state = 'live'
       WHERE ${visible.sql} AND g.revision IS NOT d.revision LIMIT ?`,
    )
    .iterate(PREVIEW_UNITS, maxPriority, ...visible.parameters, limit);
  for (const { documentId, title, tags, preview } of rows) {
    yield { documentId, title, tags, preview: () => Buffer.from(preview ?? []).toString() };
  }
}

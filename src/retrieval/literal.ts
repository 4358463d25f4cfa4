// Literal search: the folded query as a substring of titles, previews and chunk texts. The trigram index only proposes;
// every hit is verified on the text itself.

import type { Database } from "bun:sqlite";
import { type Filter, liveGenerations, visibleDocuments } from "./filter.ts";
import { foldForTrigrams } from "./rows.ts";
import { leadingSnippet, snippetAround } from "./snippet.ts";

export interface LiteralHit {
  documentId: string;
  /** Set when the match lies in an indexed body chunk, not in title or preview. */
  chunkId?: string;
  highlight: string;
}

/** How much of a document can be matched before it is indexed: its first 4 kB, or that many UTF-16 units of it. */
export const PREVIEW_UNITS = 4096;

/** A query of trigrams beyond this adds nothing: the rest is left to the verification. */
const MAX_TRIGRAMS = 48;

interface Row {
  documentId: string;
  chunkId: string;
  text: string;
}

/** Between title and preview in the text of a document's own chunk: a title holds no NUL. */
export const TITLE_END = "\0";

/**
 * Documents that hold `query`, at most `limit`: those whose title matches first, then by preview and body, each group
 * newest first. Documents whose current revision is not indexed yet are matched by title and preview.
 */
export function searchLiteral(
  database: Database,
  query: string,
  filter: Filter,
  limit: number,
): LiteralHit[] {
  const wanted = foldForTrigrams(query);
  const match = matchExpression(database, wanted);
  const titles: LiteralHit[] = [];
  const others: LiteralHit[] = [];
  const seen = new Set<string>();
  const take = (hits: LiteralHit[], hit: LiteralHit) => {
    if (hit.highlight === undefined || seen.has(hit.documentId)) return;
    seen.add(hit.documentId);
    hits.push(hit);
  };

  for (const { documentId, text } of documentRows(database, match, filter)) {
    const end = text.indexOf(TITLE_END);
    const [title, preview] = [text.slice(0, end), text.slice(end + 1)];
    const inPreview = snippetAround(preview, query);
    if (foldForTrigrams(title).includes(wanted)) {
      take(titles, { documentId, highlight: inPreview ?? leadingSnippet(preview) });
    } else if (inPreview !== undefined) {
      take(others, { documentId, highlight: inPreview });
    }
  }
  if (match !== null) {
    // Rows come newest document first: when `limit` documents are found, no older one can be among the answers.
    let found = 0;
    for (const { documentId, chunkId, text } of bodyRows(database, match, filter)) {
      if (seen.has(documentId)) continue;
      const highlight = snippetAround(text, query);
      if (highlight === undefined) continue;
      take(others, { documentId, chunkId, highlight });
      if (++found >= limit) break;
    }
  }
  const newestFirst = (a: LiteralHit, b: LiteralHit) => (a.documentId < b.documentId ? 1 : -1);
  return [...titles.sort(newestFirst), ...others.sort(newestFirst)].slice(0, limit);
}

/** Title and preview of every document that may match by them: as indexed, or as stored where the index is behind. */
function* documentRows(database: Database, match: string | null, filter: Filter): Generator<Row> {
  yield* notIndexed(database, filter);
  if (match === null) return;
  yield* proposed(
    database,
    match,
    filter,
    "c.level = 'document' AND g.revision = (SELECT revision FROM documents WHERE id = g.document_id)",
  );
}

/**
 * Documents whose current revision is not searched yet: each has a job that waits, runs or has failed. The preview is read
 * as bytes, because substr of a text ends at a NUL.
 */
function* notIndexed(database: Database, filter: Filter): Generator<Row> {
  const visible = visibleDocuments(filter);
  const rows = database
    .query<{ documentId: string; title: string; preview: Uint8Array }, (string | number)[]>(
      `SELECT d.id AS documentId, d.title, substr(CAST(b.text AS BLOB), 1, ?) AS preview
       FROM (SELECT DISTINCT subject FROM jobs WHERE kind = 'document.index') AS job
       CROSS JOIN documents AS d ON d.id = job.subject
       JOIN bodies AS b ON b.document_id = d.id AND b.hash = d.content_hash
       LEFT JOIN index_generations AS g ON g.document_id = d.id AND g.state = 'live'
       WHERE ${visible.sql} AND g.revision IS NOT d.revision`,
    )
    .iterate(PREVIEW_UNITS, ...visible.parameters);
  for (const { documentId, title, preview } of rows) {
    yield { documentId, chunkId: "", text: `${title}${TITLE_END}${Buffer.from(preview).toString()}` };
  }
}

function bodyRows(database: Database, match: string, filter: Filter): Iterable<Row> {
  return proposed(database, match, filter, "c.level <> 'document'");
}

function proposed(database: Database, match: string, filter: Filter, condition: string): Iterable<Row> {
  const live = liveGenerations(filter);
  return database
    .query<Row, (string | number)[]>(
      `SELECT g.document_id AS documentId, c.id AS chunkId, c.text
       FROM chunk_trigrams CROSS JOIN chunks AS c ON c.key = chunk_trigrams.rowid
       CROSS JOIN index_generations AS g ON g.id = c.generation_id
       WHERE chunk_trigrams MATCH ? AND ${condition} AND ${live.sql}
       ORDER BY g.document_id DESC, c.key`,
    )
    .iterate(match, ...live.parameters);
}

/** The FTS5 expression whose rows include every match, or null when nothing can match. */
function matchExpression(database: Database, wanted: string): string | null {
  const characters = [...wanted];
  const quote = (trigram: string) => `"${trigram.replaceAll('"', '""')}"`;
  if (characters.length >= 3) {
    const trigrams = new Set<string>();
    for (let i = 0; i + 3 <= characters.length && trigrams.size < MAX_TRIGRAMS; i++) {
      trigrams.add(characters.slice(i, i + 3).join(""));
    }
    return [...trigrams].map(quote).join(" AND ");
  }
  const terms = database
    .query<{ term: string }, [string, string]>(
      "SELECT term FROM chunk_trigram_terms WHERE term >= ? AND term < ?",
    )
    .all(wanted, `${wanted}\u{10ffff}`);
  return terms.length > 0 ? terms.map(({ term }) => quote(term)).join(" OR ") : null;
}

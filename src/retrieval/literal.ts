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
  const titles: LiteralHit[] = [];
  const others: LiteralHit[] = [];
  const seen = new Set<string>();
  const take = (hits: LiteralHit[], hit: LiteralHit) => {
    seen.add(hit.documentId);
    hits.push(hit);
  };
  const takeDocument = ({ documentId, text }: Row, withPreview: boolean) => {
    const end = text.indexOf(TITLE_END);
    const [title, preview] = [text.slice(0, end), text.slice(end + 1)];
    const inTitle = foldForTrigrams(title).includes(wanted);
    const inPreview = inTitle || withPreview ? snippetAround(preview, query) : undefined;
    if (inTitle) take(titles, { documentId, highlight: inPreview ?? leadingSnippet(preview) });
    else if (inPreview !== undefined) take(others, { documentId, highlight: inPreview });
  };

  for (const row of notIndexed(database, filter)) takeDocument(row, true);
  const rows = proposalFor(database, wanted, filter);
  if (rows) {
    // Rows come newest document first: when `limit` documents of a kind are found, no older one can be among the answers.
    const [titlesBefore, othersBefore] = [titles.length, others.length];
    for (const row of rows(CURRENT_DOCUMENT)) {
      if (titles.length - titlesBefore >= limit) break;
      takeDocument(row, others.length - othersBefore < limit);
    }
    let found = 0;
    for (const { documentId, chunkId, text } of rows("c.level <> 'document'")) {
      if (found >= limit) break;
      const highlight = seen.has(documentId) ? undefined : snippetAround(text, query);
      if (highlight === undefined) continue;
      take(others, { documentId, chunkId, highlight });
      found++;
    }
  }
  const newestFirst = (a: LiteralHit, b: LiteralHit) => (a.documentId < b.documentId ? 1 : -1);
  return [...titles.sort(newestFirst), ...others.sort(newestFirst)].slice(0, limit);
}

/** A document's own chunk, where it tells title and preview as they are now. */
const CURRENT_DOCUMENT =
  "c.level = 'document' AND g.revision = (SELECT revision FROM documents WHERE id = g.document_id)";

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

/** Rows that may match, newest document first, among those that fulfil a condition on `chunks AS c`. */
type Proposal = (condition: string) => Iterable<Row>;

/** When the trigrams of a short query stand in more rows than this, walking the rows finds enough of them sooner. */
const COMMON_ROWS = 5_000;

/** What the index proposes for a query, or undefined when nothing can match. */
function proposalFor(database: Database, wanted: string, filter: Filter): Proposal | undefined {
  const { sql, parameters } = liveGenerations(filter);
  const propose =
    (from: string, order: string, values: string[]): Proposal =>
    (condition) =>
      database
        .query<Row, string[]>(
          `SELECT g.document_id AS documentId, c.id AS chunkId, c.text FROM ${from} AND ${condition} AND ${sql}
           ORDER BY ${order}`,
        )
        .iterate(...values, ...parameters);
  const byIndex = (match: string) =>
    propose(
      `chunk_trigrams CROSS JOIN chunks AS c ON c.key = chunk_trigrams.rowid
       CROSS JOIN index_generations AS g ON g.id = c.generation_id WHERE chunk_trigrams MATCH ?`,
      "g.document_id DESC, c.key",
      [match],
    );
  const byWalk = () =>
    propose(
      `index_generations AS g CROSS JOIN chunks AS c
       ON c.key >= g.first_chunk AND c.key < g.first_chunk + g.chunk_count WHERE true`,
      "g.document_id DESC",
      [],
    );

  const characters = [...wanted];
  if (characters.length >= 3) {
    const trigrams = new Set<string>();
    for (let i = 0; i + 3 <= characters.length && trigrams.size < MAX_TRIGRAMS; i++) {
      trigrams.add(characters.slice(i, i + 3).join(""));
    }
    return byIndex([...trigrams].map(quote).join(" AND "));
  }
  const terms = database
    .query<{ term: string; rows: number }, [string, string]>(
      "SELECT term, doc AS rows FROM chunk_trigram_terms WHERE term >= ? AND term < ?",
    )
    .all(wanted, `${wanted}\u{10ffff}`);
  if (terms.length === 0) return undefined;
  const rows = terms.reduce((sum, term) => sum + term.rows, 0);
  return rows > COMMON_ROWS ? byWalk() : byIndex(terms.map(({ term }) => quote(term)).join(" OR "));
}

/** A trigram as a string of the full-text language. */
function quote(trigram: string): string {
  return `"${trigram.replaceAll('"', '""')}"`;
}

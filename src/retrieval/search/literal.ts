// Literal search: the folded query as a substring of titles, previews and chunk texts. The trigram index only supplies
// candidates; every hit is verified on the text itself.

import type { Database } from "bun:sqlite";
import { selectDocuments } from "./conditions.ts";
import { type Filter, liveGenerations, type Selected } from "./filter.ts";
import { type DocumentCandidate, notIndexed, TITLE_END } from "./previews.ts";
import { literalForm } from "../words/normalize.ts";
import { leadingSnippet, snippetAround } from "./snippet.ts";

export interface LiteralHit {
  documentId: string;
  /** Set when the match is in a body chunk, not in title or preview. */
  chunkId?: string;
  highlight: string;
}

/** Maximum number of trigrams that are looked up; the verification covers the rest of the query. */
const MAX_TRIGRAMS = 48;

interface ChunkCandidate {
  documentId: string;
  chunkId: string;
  text: string;
}

export interface LiteralQuery {
  query: string;
  filter: Filter;
  /** Maximum number of hits. */
  limit: number;
}

/**
 * At most `limit` documents that contain the query: those with a match in the title first, then those with a match in
 * preview or body, each group newest first. Documents whose current revision is not indexed yet are searched by title
 * and preview.
 */
export function searchLiteral(database: Database, search: LiteralQuery): LiteralHit[] {
  const { query, limit } = search;
  const filter: Selected = { ...search.filter, ...selectDocuments(database, search.filter) };
  const wanted = literalForm(query);
  const inTitles: LiteralHit[] = [];
  const inTexts: LiteralHit[] = [];
  const found = new Set<string>();
  const add = (hits: LiteralHit[], hit: LiteralHit) => {
    found.add(hit.documentId);
    hits.push(hit);
  };
  const addDocument = ({ documentId, title, preview }: DocumentCandidate, searchPreview: boolean) => {
    const inTitle = literalForm(title).includes(wanted);
    if (!inTitle && !searchPreview) return;
    const text = preview();
    const excerpt = snippetAround(text, query);
    if (inTitle) add(inTitles, { documentId, highlight: excerpt ?? leadingSnippet(text) });
    else if (excerpt !== undefined) add(inTexts, { documentId, highlight: excerpt });
  };

  for (const document of notIndexed(database, filter)) addDocument(document, true);
  const candidates = candidatesFor(database, wanted, filter);
  if (candidates) {
    // Candidates come newest document first. After `limit` hits of a group, no further one can be in the result.
    const [titlesBefore, textsBefore] = [inTitles.length, inTexts.length];
    for (const document of candidates.documents()) {
      if (inTitles.length - titlesBefore >= limit) break;
      addDocument(document, inTexts.length - textsBefore < limit);
    }
    let bodyHits = 0;
    for (const { documentId, chunkId, text } of candidates.chunks()) {
      if (bodyHits >= limit) break;
      const highlight = found.has(documentId) ? undefined : snippetAround(text, query);
      if (highlight === undefined) continue;
      add(inTexts, { documentId, chunkId, highlight });
      bodyHits++;
    }
  }
  const newestFirst = (a: LiteralHit, b: LiteralHit) => (a.documentId < b.documentId ? 1 : -1);
  return [...inTitles.sort(newestFirst), ...inTexts.sort(newestFirst)].slice(0, limit);
}

/** What may match, newest document first. */
interface Candidates {
  /** Documents whose current revision is indexed. */
  documents(): Iterable<DocumentCandidate>;
  /** Sections and paragraphs. */
  chunks(): Iterable<ChunkCandidate>;
}

/** If the trigrams of a short query have more rows than this, reading all chunks finds enough hits sooner. */
const MAX_TRIGRAM_ROWS = 5_000;

/** The candidates for a folded query, or undefined when nothing can match. */
function candidatesFor(database: Database, wanted: string, filter: Selected): Candidates | undefined {
  const { sql, parameters } = liveGenerations(filter);
  const textOf = database.query<{ text: string }, [number]>("SELECT text FROM chunks WHERE key = ?");
  /** `documents` and `chunks` are the tables that are read, with their conditions. */
  const select = (
    from: { documents: string; chunks: string; order: string },
    ...values: string[]
  ): Candidates => ({
    *documents() {
      const rows = database
        .query<{ documentId: string; title: string; key: number }, string[]>(
          `SELECT g.document_id AS documentId, g.title, g.first_chunk AS key FROM ${from.documents} AND ${sql}
           AND g.revision = (SELECT revision FROM documents WHERE id = g.document_id) ORDER BY g.document_id DESC`,
        )
        .iterate(...values, ...parameters);
      for (const { documentId, title, key } of rows) {
        const preview = () => {
          const text = textOf.get(key)?.text ?? "";
          return text.slice(text.indexOf(TITLE_END) + 1);
        };
        yield { documentId, title, preview };
      }
    },
    chunks: () =>
      database
        .query<ChunkCandidate, string[]>(
          `SELECT g.document_id AS documentId, c.id AS chunkId, c.text FROM ${from.chunks} AND ${sql}
           AND c.level <> 'document' ORDER BY ${from.order}`,
        )
        .iterate(...values, ...parameters),
  });
  const byIndex = (match: string) => {
    const matching = `chunk_trigrams CROSS JOIN chunks AS c ON c.key = chunk_trigrams.rowid
      CROSS JOIN index_generations AS g ON g.id = c.generation_id WHERE chunk_trigrams MATCH ?`;
    const documents = `${matching} AND c.level = 'document'`;
    return select({ documents, chunks: matching, order: "g.document_id DESC, c.key" }, match);
  };
  const byScan = () =>
    select({
      documents: "index_generations AS g WHERE true",
      chunks: `index_generations AS g CROSS JOIN chunks AS c
        ON c.key >= g.first_chunk AND c.key < g.first_chunk + g.chunk_count WHERE true`,
      order: "g.document_id DESC",
    });

  const characters = [...wanted];
  if (characters.length >= 3) {
    const trigrams = new Set<string>();
    for (let i = 0; i + 3 <= characters.length && trigrams.size < MAX_TRIGRAMS; i++) {
      trigrams.add(characters.slice(i, i + 3).join(""));
    }
    return byIndex([...trigrams].map(quote).join(" AND "));
  }
  const terms: string[] = [];
  let rows = 0;
  const beginning = database
    .query<{ term: string; rows: number }, [string, string]>(
      "SELECT term, doc AS rows FROM chunk_trigram_terms WHERE term >= ? AND term < ?",
    )
    .iterate(wanted, `${wanted}\u{10ffff}`);
  for (const term of beginning) {
    terms.push(term.term);
    rows += term.rows;
    // Counting the rows of a term means reading them.
    if (rows > MAX_TRIGRAM_ROWS) return byScan();
  }
  return terms.length === 0 ? undefined : byIndex(terms.map(quote).join(" OR "));
}

/** A trigram as a string of FTS5's query language. */
function quote(trigram: string): string {
  return `"${trigram.replaceAll('"', '""')}"`;
}

// Reads the paragraphs of live generations with their place in the document, and their neighbours, on a read handle.

import type { Database } from "bun:sqlite";
import { preparedSql } from "../../db/prepared.ts";

/** A chunk and its place. */
export interface PlacedChunk {
  key: number;
  id: string;
  parentKey: number | null;
  parentId: string | null;
  /** The chunk before it in its section or document. */
  previousId: string | null;
  documentId: string;
  documentTitle: string;
  isArchived: boolean;
  level: "document" | "section" | "paragraph";
  chunkIndex: number;
  headingText: string | null;
  /** Headings from the outermost down. */
  sectionPath: string[];
  text: string;
}

type Row = Omit<PlacedChunk, "sectionPath" | "isArchived"> & { sectionPath: string; isArchived: 0 | 1 };

/** Rows of siblings that are read at a time: the first few usually suffice. */
const BATCH = 32;

const SELECT = `SELECT c.key, c.id, c.parent_key AS parentKey, parent.id AS parentId, before.id AS previousId,
    d.id AS documentId, d.title AS documentTitle, d.status = 'archived' AS isArchived, c.level,
    c.chunk_index AS chunkIndex, c.heading_text AS headingText,
    c.section_path AS sectionPath, c.text
  FROM chunks AS c
  CROSS JOIN index_generations AS g ON g.id = c.generation_id AND g.state = 'live'
  CROSS JOIN documents AS d ON d.id = g.document_id
  LEFT JOIN chunks AS parent ON parent.key = c.parent_key
  LEFT JOIN chunks AS before ON before.parent_key = c.parent_key AND before.chunk_index = c.chunk_index - 1`;

const byKey = preparedSql<Row, [number]>(`${SELECT} WHERE c.key = ?`);
const children = preparedSql<Row, [number, number, number]>(
  `${SELECT} WHERE c.parent_key = ? AND c.chunk_index BETWEEN ? AND ? ORDER BY c.chunk_index`,
);
const siblingsBefore = preparedSql<{ chunkIndex: number; text: string }, [number, number, number]>(
  `SELECT chunk_index AS chunkIndex, substr(text, 1, ?) AS text FROM chunks
   WHERE parent_key = ? AND chunk_index < ? ORDER BY chunk_index DESC LIMIT ${BATCH}`,
);
const sectionsAbove = preparedSql<{ id: string }, [number, string]>(
  `SELECT above.id FROM chunks AS c
   JOIN chunks AS above ON above.parent_key = c.parent_key AND above.level = 'section'
     AND above.chunk_index < c.chunk_index
   WHERE c.key = ? AND above.section_path = ?
   ORDER BY above.chunk_index DESC LIMIT 1`,
);
const openings = preparedSql<{ id: string; text: string }, [number, string]>(
  `SELECT c.id, substr(c.text, 1, ?) AS text FROM index_generations AS g JOIN chunks AS c ON c.key = g.first_chunk
   WHERE g.document_id = ? AND g.state = 'live'`,
);

const placed = (row: Row): PlacedChunk => ({
  ...row,
  isArchived: row.isArchived === 1,
  sectionPath: JSON.parse(row.sectionPath) as string[],
});

/** A chunk by its key; undefined if it was replaced or its document deleted. */
export function findPlaced(database: Database, key: number): PlacedChunk | undefined {
  const row = byKey({ sql: database }).get(key);
  return row ? placed(row) : undefined;
}

/** Children of a chunk by position, from `from` to `to` inclusive. */
export const placedChildren = (
  database: Database,
  parentKey: number,
  { from, to }: { from: number; to: number },
): PlacedChunk[] => children({ sql: database }).all(parentKey, from, to).map(placed);

/** The first `characters` characters of the siblings before a chunk, nearest first, read a batch at a time. */
export function* textsBefore(
  database: Database,
  { parentKey, chunkIndex }: { parentKey: number; chunkIndex: number },
  characters: number,
): Generator<string> {
  for (let before = chunkIndex; ; ) {
    const batch = siblingsBefore({ sql: database }).all(characters, parentKey, before);
    for (const { text } of batch) yield text;
    const last = batch.at(-1);
    if (!last || batch.length < BATCH) return;
    before = last.chunkIndex;
  }
}

/** The id of the nearest section before the section `key` in its document that has the headings `path`. */
export const sectionAbove = (database: Database, key: number, path: readonly string[]): string | undefined =>
  sectionsAbove({ sql: database }).get(key, JSON.stringify(path))?.id;

/** The chunk with a document's title, and the first `characters` characters of its text; undefined if not indexed. */
export const openingOf = (
  database: Database,
  documentId: string,
  characters: number,
): { id: string; text: string } | undefined =>
  openings({ sql: database }).get(characters, documentId) ?? undefined;

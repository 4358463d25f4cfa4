// The SQL of chunks: rows of live generations with their place in the tree.

import type { Store } from "../../db/store.ts";

export interface LocatedChunk {
  key: number;
  id: string;
  parentKey: number | null;
  userId: string;
  documentId: string;
  documentTitle: string;
  /** Names the body that the chunk was cut from, which may be an earlier one than the document's current text. */
  contentHash: string;
  level: "document" | "section" | "paragraph";
  chunkIndex: number;
  startIndex: number;
  endIndex: number;
  wordCount: number;
  headingText: string | null;
  sectionPath: string[];
  parentId: string | null;
  previousId: string | null;
  nextId: string | null;
  /** What search matches: a paragraph whole, a section's heading lines, a document's title and first 4 kB. */
  text: string;
}

type Reader = Pick<Store, "sql">;
type Row = Omit<LocatedChunk, "sectionPath"> & { sectionPath: string };

const sibling = (step: string) =>
  `(SELECT s.id FROM chunks AS s WHERE s.parent_key = c.parent_key AND s.chunk_index = c.chunk_index ${step})`;
const LOCATED = `
  SELECT c.key, c.id, c.parent_key AS parentKey, g.user_id AS userId, g.document_id AS documentId,
         d.title AS documentTitle, g.content_hash AS contentHash, c.level, c.chunk_index AS chunkIndex,
         c.start_index AS startIndex, c.end_index AS endIndex, c.word_count AS wordCount,
         c.heading_text AS headingText, c.section_path AS sectionPath,
         (SELECT p.id FROM chunks AS p WHERE p.key = c.parent_key) AS parentId,
         ${sibling("- 1")} AS previousId, ${sibling("+ 1")} AS nextId, c.text
  FROM chunks AS c
  JOIN index_generations AS g ON g.id = c.generation_id AND g.state = 'live'
  JOIN documents AS d ON d.id = g.document_id`;

const located = (row: Row): LocatedChunk => ({
  ...row,
  sectionPath: JSON.parse(row.sectionPath) as string[],
});

/** A visible chunk by its id, or undefined. */
export function findChunk({ sql }: Reader, id: string): LocatedChunk | undefined {
  const row = sql.query<Row, [string]>(`${LOCATED} WHERE c.id = ?`).get(id);
  return row ? located(row) : undefined;
}

/** A visible chunk by its key, or undefined. */
export function findChunkByKey({ sql }: Reader, key: number | undefined): LocatedChunk | undefined {
  const row = sql.query<Row, [number | null]>(`${LOCATED} WHERE c.key = ?`).get(key ?? null);
  return row ? located(row) : undefined;
}

/** The beginnings of the siblings before a position, nearest first, read one at a time. */
export function* textsBefore(
  { sql }: Reader,
  parentKey: number,
  chunkIndex: number,
  characters: number,
): Generator<string> {
  const rows = sql.query<{ text: string }, [number, number, number]>(
    `SELECT substr(text, 1, ?) AS text FROM chunks WHERE parent_key = ? AND chunk_index < ?
     ORDER BY chunk_index DESC`,
  );
  for (const { text } of rows.iterate(characters, parentKey, chunkIndex)) yield text;
}

/** Children of a chunk by position, from `from` to `to` inclusive, read one at a time. */
export function* childrenOf({ sql }: Reader, key: number, from: number, to: number): Generator<LocatedChunk> {
  const rows = sql.query<Row, [number, number, number]>(
    `${LOCATED} WHERE c.parent_key = ? AND c.chunk_index BETWEEN ? AND ? ORDER BY c.chunk_index`,
  );
  for (const row of rows.iterate(key, from, to)) yield located(row);
}

export function countChildren({ sql }: Reader, key: number): number {
  const row = sql
    .query<{ count: number }, [number]>("SELECT count(*) AS count FROM chunks WHERE parent_key = ?")
    .get(key);
  return row!.count;
}

export interface HitRow {
  chunkId: string;
  documentId: string;
  title: string;
  tags: string[];
  level: "document" | "section" | "paragraph";
  /** What to show of it: a paragraph's text, a section's heading and the text that follows, an empty document's title. */
  text: string;
}

/** What a search hit shows, or undefined when its chunk has just been replaced. */
export function findHit({ sql }: Reader, chunkKey: number | undefined): HitRow | undefined {
  const row = sql
    .query<Omit<HitRow, "tags"> & { tags: string; following: string | null }, [number | null]>(
      `SELECT c.id AS chunkId, d.id AS documentId, d.title, d.tags, c.level, c.text,
              (SELECT f.text FROM chunks AS f WHERE f.key = c.key + 1 AND f.parent_key = c.key) AS following
       FROM chunks AS c
       JOIN index_generations AS g ON g.id = c.generation_id AND g.state = 'live'
       JOIN documents AS d ON d.id = g.document_id
       WHERE c.key = ?`,
    )
    .get(chunkKey ?? null);
  if (!row) return undefined;
  const { following, ...hit } = row;
  return { ...hit, text: textToShow(hit, following), tags: JSON.parse(hit.tags) as string[] };
}

function textToShow(
  { level, title, text }: Pick<HitRow, "level" | "title" | "text">,
  following: string | null,
): string {
  if (level === "document") return title;
  return level === "section" && following ? `${text}\n${following}` : text;
}

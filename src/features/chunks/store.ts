// The SQL of chunks: rows of live generations with their place in the tree.

import type { Store } from "../../db/store.ts";

export interface LocatedChunk {
  id: string;
  userId: string;
  documentId: string;
  documentTitle: string;
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
}

/** A visible chunk with its neighbours' ids and the body it was cut from, or undefined. */
export function findChunk({ sql }: Store, id: string): (LocatedChunk & { body: string }) | undefined {
  const sibling = (step: string) =>
    `(SELECT s.id FROM chunks AS s WHERE s.parent_key = c.parent_key AND s.chunk_index = c.chunk_index ${step})`;
  const row = sql
    .query<Omit<LocatedChunk, "sectionPath"> & { sectionPath: string; body: string }, [string]>(
      `SELECT c.id, g.user_id AS userId, g.document_id AS documentId, d.title AS documentTitle, c.level,
              c.chunk_index AS chunkIndex, c.start_index AS startIndex, c.end_index AS endIndex,
              c.word_count AS wordCount, c.heading_text AS headingText, c.section_path AS sectionPath,
              (SELECT p.id FROM chunks AS p WHERE p.key = c.parent_key) AS parentId,
              ${sibling("- 1")} AS previousId, ${sibling("+ 1")} AS nextId, b.text AS body
       FROM chunks AS c
       JOIN index_generations AS g ON g.id = c.generation_id AND g.state = 'live'
       JOIN documents AS d ON d.id = g.document_id
       JOIN bodies AS b ON b.document_id = g.document_id AND b.hash = g.content_hash
       WHERE c.id = ?`,
    )
    .get(id);
  return row ? { ...row, sectionPath: JSON.parse(row.sectionPath) as string[] } : undefined;
}

export interface HitRow {
  chunkKey: number;
  documentId: string;
  title: string;
  tags: string[];
  level: "document" | "section" | "paragraph";
  /** What to show of it: a paragraph's text; a section's heading and the text that follows. */
  text: string;
}

/** What a search hit shows, or undefined when its chunk has just been replaced. */
export function findHit({ sql }: Store, chunkKey: number): HitRow | undefined {
  const row = sql
    .query<Omit<HitRow, "tags"> & { tags: string; following: string | null }, [number]>(
      `SELECT c.key AS chunkKey, d.id AS documentId, d.title, d.tags, c.level, c.text,
              (SELECT f.text FROM chunks AS f WHERE f.key = c.key + 1 AND f.parent_key = c.key) AS following
       FROM chunks AS c
       JOIN index_generations AS g ON g.id = c.generation_id AND g.state = 'live'
       JOIN documents AS d ON d.id = g.document_id
       WHERE c.key = ?`,
    )
    .get(chunkKey);
  if (!row) return undefined;
  const { following, ...hit } = row;
  const text = hit.level === "section" && following ? `${hit.text}\n${following}` : hit.text;
  return { ...hit, text, tags: JSON.parse(hit.tags) as string[] };
}

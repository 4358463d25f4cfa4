// What a search shows of a chunk that was found: its text, and the title and tags of its document.

import { preparedSql } from "../../db/prepared.ts";
import type { Store } from "../../db/store.ts";
import { tagsFromColumn } from "../../db/tag-column.ts";

export interface HitRow {
  chunkId: string;
  documentId: string;
  title: string;
  tags: string[];
  isArchived: boolean;
  /** The text to show: a paragraph, a section's heading and the text after it, the title of a whole document. */
  text: string;
}

interface StoredHit extends Omit<HitRow, "tags" | "isArchived"> {
  tags: string;
  isArchived: 0 | 1;
  level: "document" | "section" | "paragraph";
  /** The chunk after a section's heading, if it belongs to the section. */
  following: string | null;
}

const hitByKey = preparedSql<StoredHit, [number]>(
  `SELECT c.id AS chunkId, d.id AS documentId, d.title, d.tags, d.status = 'archived' AS isArchived, c.level, c.text,
     (SELECT text FROM chunks WHERE key = c.key + 1 AND parent_key = c.key AND c.level = 'section') AS following
   FROM chunks AS c
   CROSS JOIN index_generations AS g ON g.id = c.generation_id AND g.state = 'live'
   CROSS JOIN documents AS d ON d.id = g.document_id
   WHERE c.key = ?`,
);

/** What a search hit shows, or undefined if its chunk was replaced or its document deleted. */
export function findHit(reader: Pick<Store, "sql">, chunkKey: number): HitRow | undefined {
  const row = hitByKey(reader).get(chunkKey);
  if (!row) return undefined;
  const { tags, isArchived, level, following, ...hit } = row;
  return {
    ...hit,
    tags: tagsFromColumn(tags),
    isArchived: isArchived === 1,
    text: textToShow(level, hit, following),
  };
}

function textToShow(
  level: StoredHit["level"],
  { title, text }: Pick<HitRow, "title" | "text">,
  following: string | null,
): string {
  if (level === "document") return title;
  return following ? `${text}\n${following}` : text;
}

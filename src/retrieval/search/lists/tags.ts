// The tags of a user's documents and prompts, with the number of records that have them.

import type { Database } from "bun:sqlite";
import { tagsFromColumn } from "../../../db/tag-column.ts";
import { tagKey } from "../../../kernel/tags.ts";

export interface CountedTag {
  tag: string;
  count: number;
}

/**
 * The most frequent tags, at most `limit`; archived documents do not count. A tag has the spelling that was read first.
 */
export function countTags(
  database: Database,
  { userId, limit }: { userId: string; limit: number },
): CountedTag[] {
  const rows = database.query<{ tags: string }, [string]>(
    `SELECT tags FROM documents WHERE user_id = ?1 AND status <> 'archived' AND tags <> '[]'
     UNION ALL SELECT tags FROM prompts WHERE user_id = ?1 AND tags <> '[]'`,
  );
  const counts = new Map<string, CountedTag>();
  for (const { tags } of rows.iterate(userId)) {
    for (const tag of tagsFromColumn(tags)) {
      const counted = counts.get(tagKey(tag));
      if (counted) counted.count++;
      else counts.set(tagKey(tag), { tag, count: 1 });
    }
  }
  return [...counts.values()].sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1)).slice(0, limit);
}

// A passage that a search must find: for checking that searches work.

import type { Database } from "bun:sqlite";

export interface Passage {
  userId: string;
  documentId: string;
  spaceId: number;
  text: string;
}

/** The first embedded chunk of the newest document that is indexed with this model, or undefined. */
export function newestPassage(database: Database, modelRevision: string): Passage | undefined {
  return (
    database
      .query<Passage, [string]>(
        `SELECT g.user_id AS userId, g.document_id AS documentId, g.space_id AS spaceId, c.text
         FROM index_generations AS g
         JOIN embedding_spaces AS s ON s.id = g.space_id AND s.revision = ?
         JOIN chunk_bits AS b ON b.generation_id = g.id
         JOIN chunks AS c ON c.key = b.chunk_key AND c.level = 'paragraph'
         WHERE g.state = 'live' AND EXISTS (SELECT 1 FROM documents WHERE id = g.document_id)
         ORDER BY g.id DESC, b.vector_key LIMIT 1`,
      )
      .get(modelRevision) ?? undefined
  );
}

// Which documents a search may look at, as SQL that stands in front of every candidate: never a filter afterwards.

export interface Filter {
  userId: string;
  /** Every one of these tags. */
  tags: string[];
  documentId?: string;
}

export interface Conditions {
  /** Conditions joined by AND, never empty. */
  sql: string;
  parameters: string[];
}

/** Conditions on `index_generations AS g`: live, and let through by the filter. */
export function liveGenerations({ userId, tags, documentId }: Filter): Conditions {
  return conditions("g.state = 'live' AND g.user_id", "g.document_id", userId, documentId, tags);
}

/** The same on `documents AS d`. */
export function visibleDocuments({ userId, tags, documentId }: Filter): Conditions {
  return conditions("d.user_id", "d.id", userId, documentId, tags);
}

function conditions(
  userColumn: string,
  documentColumn: string,
  userId: string,
  documentId: string | undefined,
  tags: string[],
): Conditions {
  const parts = [`${userColumn} = ?`];
  const parameters = [userId];
  if (documentId !== undefined) {
    parts.push(`${documentColumn} = ?`);
    parameters.push(documentId);
  }
  for (const tag of tags) {
    parts.push(
      `EXISTS (SELECT 1 FROM documents AS tagged, json_each(tagged.tags) AS tag
               WHERE tagged.id = ${documentColumn} AND tag.value = ?)`,
    );
    parameters.push(tag);
  }
  return { sql: parts.join(" AND "), parameters };
}

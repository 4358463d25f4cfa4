// Which documents a search may look at, as SQL that stands in front of every candidate: never a filter afterwards.

export interface Filter {
  userId: string;
  /** Every one of these tags. */
  tags: string[];
  documentId?: string;
  /** Members of this collection, if it is the user's; an unknown or foreign one has none. */
  collectionId?: string;
}

export interface Conditions {
  /** Conditions joined by AND, never empty. */
  sql: string;
  parameters: string[];
}

/** Conditions on `index_generations AS g`: live, and let through by the filter. */
export function liveGenerations(filter: Filter): Conditions {
  return conditions("g.state = 'live' AND g.user_id", "g.document_id", filter);
}

/** Conditions on `documents`, named `alias`: allowed by the filter. */
export function visibleDocuments(filter: Filter, alias = "d"): Conditions {
  return conditions(`${alias}.user_id`, `${alias}.id`, filter);
}

function conditions(
  userColumn: string,
  documentColumn: string,
  { userId, tags, documentId, collectionId }: Filter,
): Conditions {
  const parts = [`${userColumn} = ?`];
  const parameters = [userId];
  if (documentId !== undefined) {
    parts.push(`${documentColumn} = ?`);
    parameters.push(documentId);
  }
  if (collectionId !== undefined) {
    parts.push(
      `${documentColumn} IN (SELECT member.document_id FROM collections AS own
                             JOIN collection_items AS member ON member.collection_id = own.id
                             WHERE own.id = ? AND own.user_id = ?)`,
    );
    parameters.push(collectionId, userId);
  }
  if (tags.length > 0) {
    parts.push(
      holdsTags(`(SELECT tagged.tags FROM documents AS tagged WHERE tagged.id = ${documentColumn})`),
    );
    parameters.push(JSON.stringify(tags));
  }
  return { sql: parts.join(" AND "), parameters };
}

/**
 * A condition that a JSON column of tags holds all of a JSON list of tags: one parameter for all of them, because SQLite
 * bounds the depth of chained conditions.
 */
export function holdsTags(column: string): string {
  return `NOT EXISTS (SELECT 1 FROM json_each(?) AS wanted
                      WHERE wanted.value NOT IN (SELECT tag.value FROM json_each(${column}) AS tag))`;
}

// The filter of a search as SQL conditions. It is applied before candidates are chosen, never to the results.

import type { Condition } from "../../kernel/search-syntax.ts";
import { tagKeysIn } from "../../db/tag-column.ts";

/** The documents that a search covers. */
export interface Filter {
  userId: string;
  /** Documents that have all of these tags. */
  tags: string[];
  documentId?: string;
  /** Members of this collection of the user; no document if it is unknown or another user's. */
  collectionId?: string;
  /** What the operators of the query require. Only `selectDocuments` applies them. */
  conditions?: readonly Condition[];
}

/** SQL with `?` placeholders and their values. */
export interface Conditions {
  /** Conditions joined by AND, never empty. */
  sql: string;
  parameters: string[];
}

/** Conditions on `index_generations AS g`: live and allowed by the filter. */
export function liveGenerations(filter: Selected): Conditions {
  return conditions("g.state = 'live' AND g.user_id", "g.document_id", filter);
}

/** Conditions on `documents`, named `alias`: allowed by the filter. */
export function visibleDocuments(filter: Selected, alias = "d"): Conditions {
  return conditions(`${alias}.user_id`, `${alias}.id`, filter);
}

/** A filter whose conditions have been applied: only the documents in `documentIds`, if there were any. */
export type Selected = Filter & { documentIds?: readonly string[] };

function conditions(
  userColumn: string,
  documentColumn: string,
  { userId, tags, documentId, collectionId, documentIds }: Selected,
): Conditions {
  const parts = [`${userColumn} = ?`];
  const parameters = [userId];
  if (documentIds !== undefined) {
    parts.push(isAmong(documentColumn));
    parameters.push(JSON.stringify(documentIds));
  }
  if (documentId !== undefined) {
    parts.push(`${documentColumn} = ?`);
    parameters.push(documentId);
  }
  if (collectionId !== undefined) {
    parts.push(isMember(documentColumn, "document_id"));
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

/** A condition that a column has one of the values of one parameter, a JSON array. */
export const isAmong = (column: string) => `${column} IN (SELECT value FROM json_each(?))`;

/**
 * A condition that the record with this id is in a collection: the parameters are the collection and the user that owns
 * it.
 */
export function isMember(idColumn: string, memberColumn: "document_id" | "prompt_id"): string {
  return `${idColumn} IN (SELECT member.${memberColumn} FROM collections AS own
                          JOIN collection_items AS member ON member.collection_id = own.id
                          WHERE own.id = ? AND own.user_id = ?)`;
}

/**
 * A condition that a JSON column of tags contains all tags of one parameter, a JSON array. One parameter for all tags,
 * because SQLite limits the depth of chained conditions.
 */
export function holdsTags(column: string): string {
  return `NOT EXISTS (SELECT 1 FROM json_each(?) AS wanted
                      WHERE wanted.value NOT IN (${tagKeysIn(column)}))`;
}

// The SQL of a collection's items: how many, where they stand, what they hold, who added them.

import { and, count, desc, eq, exists, or, type SQL, sql } from "drizzle-orm";
import { bodies, collectionItems, documents, prompts, users } from "../../../db/tables.ts";
import { behind, isAmong, type Place, type Reader } from "../store.ts";

/** The members of a collection; `publicOnly` leaves only public prompts, which is what other users may see. */
function members({ tables }: Reader, collectionId: string, publicOnly: boolean): SQL | undefined {
  const itsPrompt = and(eq(prompts.id, collectionItems.promptId), eq(prompts.isPublic, true));
  return and(
    eq(collectionItems.collectionId, collectionId),
    publicOnly ? exists(tables.select({ id: prompts.id }).from(prompts).where(itsPrompt)) : undefined,
  );
}

/** How many members there are of each kind. */
export function countItems(
  reader: Reader,
  collectionId: string,
  publicOnly: boolean,
): { documentCount: number; promptCount: number } {
  return reader.tables
    .select({
      documentCount: count(collectionItems.documentId),
      promptCount: count(collectionItems.promptId),
    })
    .from(collectionItems)
    .where(members(reader, collectionId, publicOnly))
    .get()!;
}

export interface Contribution {
  userId: string;
  email: string;
  name: string | null;
  count: number;
}

/** Who added the members, the busiest first, at most `limit`. */
export function listContributions(
  reader: Reader,
  collectionId: string,
  publicOnly: boolean,
  limit: number,
): Contribution[] {
  return reader.tables
    .select({ userId: users.id, email: users.email, name: users.name, count: count() })
    .from(collectionItems)
    .innerJoin(users, eq(users.id, collectionItems.addedBy))
    .where(members(reader, collectionId, publicOnly))
    .groupBy(users.id)
    .orderBy(desc(count()), users.id)
    .limit(limit)
    .all();
}

/** Where members stand, newest added first: `createdAt` is when they were added. Without `limit` all of them. */
export function listItemPlaces(
  reader: Reader,
  collectionId: string,
  publicOnly: boolean,
  after?: Place,
  limit = -1,
): Place[] {
  const { id, addedAt } = collectionItems;
  return reader.tables
    .select({ id, createdAt: addedAt })
    .from(collectionItems)
    .where(and(members(reader, collectionId, publicOnly), after && behind(addedAt, id, after)))
    .orderBy(desc(addedAt), desc(id))
    .limit(limit)
    .all();
}

export interface ItemRow {
  itemType: "document" | "prompt";
  itemId: string;
  title: string;
  summary: string | null;
  /** The beginning of the content: at least as many bytes as were asked for, if it has them. */
  text: string;
  addedAt: number;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const LONGEST_CHARACTER = 4;

/** One member with the beginning of its content; undefined when it has left meanwhile. */
export function findItem(
  { tables }: Reader,
  id: string,
  publicOnly: boolean,
  textBytes: number,
): ItemRow | undefined {
  const { documentId, promptId, addedAt } = collectionItems;
  // substr counts the characters of a text only up to its first NUL; the bytes of a blob it counts all.
  const beginning = sql<Uint8Array | null>`substr(CAST(coalesce(${bodies.text}, ${prompts.content}) AS BLOB), 1,
                                           ${textBytes + LONGEST_CHARACTER})`;
  const found = tables
    .select({
      documentId,
      promptId,
      addedAt,
      title: sql<string>`coalesce(${documents.title}, ${prompts.title})`,
      summary: prompts.description,
      isPublic: prompts.isPublic,
      beginning,
    })
    .from(collectionItems)
    .leftJoin(documents, eq(documents.id, documentId))
    .leftJoin(bodies, and(eq(bodies.documentId, documents.id), eq(bodies.hash, documents.contentHash)))
    .leftJoin(prompts, eq(prompts.id, promptId))
    .where(eq(collectionItems.id, id))
    .get();
  if (!found || (publicOnly && !found.isPublic)) return undefined;
  const { title, summary } = found;
  return {
    itemType: found.documentId === null ? "prompt" : "document",
    itemId: (found.documentId ?? found.promptId)!,
    title,
    summary,
    // SQLite makes NULL of the beginning of nothing.
    text: decoder.decode(found.beginning ?? new Uint8Array()),
    addedAt: found.addedAt,
  };
}

/** Which collections hold which of these records. A user's records stand in that user's collections only. */
export function listMemberships(
  { tables }: Reader,
  documentIds: string[],
  promptIds: string[],
): { collectionId: string; itemId: string }[] {
  const { collectionId, documentId, promptId } = collectionItems;
  return tables
    .select({ collectionId, itemId: sql<string>`coalesce(${documentId}, ${promptId})` })
    .from(collectionItems)
    .where(or(isAmong(documentId, documentIds), isAmong(promptId, promptIds)))
    .all();
}

// The table of the items of collections: adding, removing and counting them, reading their positions and contents.

import { and, count, desc, eq, exists, or, type Placeholder, type SQL, sql } from "drizzle-orm";
import { prepared } from "../../../db/prepared.ts";
import type { Write } from "../../../db/store.ts";
import { bodies, collectionItems, collections, documents, prompts, users } from "../../../db/tables.ts";
import type { ListPosition } from "../../../retrieval/search/lists/read.ts";
import type { TableReader } from "../../../db/store.ts";
import { comesAfter, isAmong } from "../store.ts";

/** The kind of record that an item is. */
export type ItemType = "document" | "prompt";

const RECORDS = { document: documents, prompt: prompts } as const;
const ITEM_COLUMN = { document: collectionItems.documentId, prompt: collectionItems.promptId } as const;

/** How many of these records, all of one kind, belong to the user. */
export function countOwned(
  { tables }: TableReader,
  userId: string,
  { itemType, itemIds }: { itemType: ItemType; itemIds: string[] },
): number {
  const records = RECORDS[itemType];
  const owned = tables
    .select({ owned: count() })
    .from(records)
    .where(and(eq(records.userId, userId), isAmong(records.id, itemIds)))
    .get();
  return owned?.owned ?? 0;
}

/** Adds a record to a collection. Returns false if the collection already contains it. */
export function insertItem(
  { tables, now, newId }: Write,
  collectionId: string,
  { itemType, itemId, addedBy }: { itemType: ItemType; itemId: string; addedBy: string },
): boolean {
  const record = itemType === "document" ? { documentId: itemId } : { promptId: itemId };
  const added = tables
    .insert(collectionItems)
    .values({ id: newId(), collectionId, ...record, addedBy, addedAt: now })
    .onConflictDoNothing()
    .returning({ id: collectionItems.id })
    .all();
  return added.length > 0;
}

/** Removes records of one kind from a collection. Returns how many were in it. */
export function deleteItems(
  { tables }: Write,
  collectionId: string,
  { itemType, itemIds }: { itemType: ItemType; itemIds: string[] },
): number {
  const inCollection = eq(collectionItems.collectionId, collectionId);
  return tables
    .delete(collectionItems)
    .where(and(inCollection, isAmong(ITEM_COLUMN[itemType], itemIds)))
    .returning({ id: collectionItems.id })
    .all().length;
}

/** Records activity in a collection. With `userId` only if it is this user's; returns false when it is not. */
export function touchCollection({ tables, now }: Write, collectionId: string, userId?: string): boolean {
  const isOwn = userId === undefined ? undefined : eq(collections.userId, userId);
  const touched = tables
    .update(collections)
    .set({ lastActivityAt: now })
    .where(and(eq(collections.id, collectionId), isOwn))
    .returning({ id: collections.id })
    .all();
  return touched.length > 0;
}

/** The members of a collection; `publicOnly` leaves only public prompts, which is what other users may see. */
function members(
  { tables }: TableReader,
  collectionId: string | Placeholder,
  publicOnly: boolean,
): SQL | undefined {
  const itsPrompt = and(eq(prompts.id, collectionItems.promptId), eq(prompts.isPublic, true));
  return and(
    eq(collectionItems.collectionId, collectionId),
    publicOnly ? exists(tables.select({ id: prompts.id }).from(prompts).where(itsPrompt)) : undefined,
  );
}

const countsOf = (publicOnly: boolean) =>
  prepared((tables) =>
    tables
      .select({
        documentCount: count(collectionItems.documentId),
        promptCount: count(collectionItems.promptId),
      })
      .from(collectionItems)
      .where(members({ tables }, sql.placeholder("collectionId"), publicOnly))
      .prepare(),
  );
const allCounts = countsOf(false);
const publicCounts = countsOf(true);

/** The number of members of each kind. */
export function countItems(
  reader: TableReader,
  collectionId: string,
  publicOnly: boolean,
): { documentCount: number; promptCount: number } {
  const counts = publicOnly ? publicCounts : allCounts;
  return counts(reader).get({ collectionId })!;
}

export interface Contribution {
  userId: string;
  email: string;
  name: string | null;
  count: number;
}

/** Who added the members, most items first, at most `limit` users. */
export function listContributions(
  reader: TableReader,
  collectionId: string,
  { publicOnly, limit }: { publicOnly: boolean; limit: number },
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

/** Ids of the members, newest added first; `createdAt` is when they were added. Without `limit` all of them. */
export function listItemPositions(
  reader: TableReader,
  collectionId: string,
  { publicOnly, after, limit = -1 }: { publicOnly: boolean; after?: ListPosition; limit?: number },
): ListPosition[] {
  const { id, addedAt } = collectionItems;
  return reader.tables
    .select({ id, createdAt: addedAt })
    .from(collectionItems)
    .where(and(members(reader, collectionId, publicOnly), after && comesAfter(addedAt, id, after)))
    .orderBy(desc(addedAt), desc(id))
    .limit(limit)
    .all();
}

export interface ItemRow {
  itemType: ItemType;
  itemId: string;
  title: string;
  summary: string | null;
  /** The start of the content: at least as many bytes as were requested, if it is that long. */
  text: string;
  addedAt: number;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const MAX_CHARACTER_BYTES = 4;

const idsGiven = sql`${collectionItems.id} IN (SELECT value FROM json_each(${sql.placeholder("ids")}))`;
const storedText = sql`coalesce(${bodies.text}, ${prompts.content})`;

const itemsById = prepared((tables) =>
  tables
    .select({
      id: collectionItems.id,
      documentId: collectionItems.documentId,
      promptId: collectionItems.promptId,
      addedAt: collectionItems.addedAt,
      title: sql<string>`coalesce(${documents.title}, ${prompts.title})`,
      summary: prompts.description,
      isPublic: prompts.isPublic,
      // Cast to BLOB, because substr() of a TEXT ends at a NUL.
      start: sql<Uint8Array | null>`substr(CAST(${storedText} AS BLOB), 1, ${sql.placeholder("bytes")})`,
    })
    .from(collectionItems)
    .leftJoin(documents, eq(documents.id, collectionItems.documentId))
    .leftJoin(bodies, and(eq(bodies.documentId, documents.id), eq(bodies.hash, documents.contentHash)))
    .leftJoin(prompts, eq(prompts.id, collectionItems.promptId))
    .where(idsGiven)
    .prepare(),
);

/** These members with the start of their contents, in the order of `ids`; without those that are no longer members. */
export function findItems(
  reader: TableReader,
  ids: readonly string[],
  { publicOnly, textBytes }: { publicOnly: boolean; textBytes: number },
): ItemRow[] {
  const found = itemsById(reader).all({ ids: JSON.stringify(ids), bytes: textBytes + MAX_CHARACTER_BYTES });
  const rows = new Map(found.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = rows.get(id);
    if (!row || (publicOnly && !row.isPublic)) return [];
    const { documentId, promptId, title, summary, addedAt, start } = row;
    return {
      itemType: documentId === null ? "prompt" : "document",
      itemId: (documentId ?? promptId)!,
      title,
      summary,
      // substr() of an empty BLOB is NULL.
      text: decoder.decode(start ?? new Uint8Array()),
      addedAt,
    };
  });
}

const sizesById = prepared((tables) =>
  tables
    .select({ id: collectionItems.id, bytes: sql<number>`octet_length(${storedText})` })
    .from(collectionItems)
    .leftJoin(documents, eq(documents.id, collectionItems.documentId))
    .leftJoin(bodies, and(eq(bodies.documentId, documents.id), eq(bodies.hash, documents.contentHash)))
    .leftJoin(prompts, eq(prompts.id, collectionItems.promptId))
    .where(idsGiven)
    .prepare(),
);

/** How many of the first members may be read together, so that their contents have about `maxBytes`: one at least. */
export function countTogether(reader: TableReader, ids: readonly string[], maxBytes: number): number {
  const found = sizesById(reader).all({ ids: JSON.stringify(ids) });
  const sizes = new Map(found.map(({ id, bytes }) => [id, bytes]));
  let total = 0;
  const excess = ids.findIndex((id, index) => {
    total += sizes.get(id) ?? 0;
    return index > 0 && total > maxBytes;
  });
  return excess < 0 ? ids.length : excess;
}

/** Which collections contain which of these records. Only the owner of a record can add it to a collection. */
export function listMemberships(
  { tables }: TableReader,
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

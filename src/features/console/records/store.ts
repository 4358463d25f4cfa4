// Queries over all kinds of records: recent changes, collections as a tree, memberships, titles, imported files.

import { and, asc, desc, eq, gte, inArray, lt, sql } from "drizzle-orm";
import type { TableReader } from "../../../db/store.ts";
import {
  collectionItems,
  collections,
  documents,
  documentVersions,
  prompts,
  promptVersions,
} from "../../../db/tables.ts";
import { firstIdAt } from "../../../kernel/ids.ts";
import type { Change, Imported, Membership, TitledRecord, TreeCollection } from "../replies.ts";

interface ChangesFilter {
  userId: string;
  /** Whether changes of documents and of prompts are included. */
  documents: boolean;
  prompts: boolean;
  /** Only changes with a smaller id, that is earlier ones; absent for the latest. */
  before?: string;
  /** Only changes from `from` on and before `to`, epoch ms. */
  from?: number;
  to?: number;
  limit: number;
}

/** A clock may be set back by this much without hiding changes; ids go on from the latest one. */
const MAX_SET_BACK_MS = 86_400_000;

/** The condition of a filter on the id and the time of a version. Ids start with the time, so few rows are read. */
function isWithin(
  { before, from, to }: ChangesFilter,
  { id, createdAt }: Pick<typeof documentVersions | typeof promptVersions, "id" | "createdAt">,
) {
  return and(
    before === undefined ? undefined : lt(id, before),
    from === undefined ? undefined : and(gte(id, firstIdAt(from)), gte(createdAt, from)),
    to === undefined ? undefined : and(lt(id, firstIdAt(to + MAX_SET_BACK_MS)), lt(createdAt, to)),
  );
}

/** Versions of the user's records, newest first. */
export function listChanges(reader: TableReader, filter: ChangesFilter): Change[] {
  const ofDocuments = filter.documents ? documentChanges(reader, filter) : [];
  const ofPrompts = filter.prompts ? promptChanges(reader, filter) : [];
  return [...ofDocuments, ...ofPrompts].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, filter.limit);
}

function documentChanges({ tables }: TableReader, filter: ChangesFilter): Change[] {
  const { userId, limit } = filter;
  const { id, version, actorKind, actorName, agent, origin, changeLog, createdAt } = documentVersions;
  return tables
    .select({
      id,
      type: sql<"document">`'document'`,
      recordId: documents.id,
      title: documents.title,
      version,
      actorKind,
      actorName,
      agent,
      origin,
      changeLog,
      createdAt,
    })
    .from(documentVersions)
    .innerJoin(documents, eq(documents.id, documentVersions.documentId))
    .where(and(eq(documents.userId, userId), isWithin(filter, documentVersions)))
    .orderBy(desc(id))
    .limit(limit)
    .all();
}

function promptChanges({ tables }: TableReader, filter: ChangesFilter): Change[] {
  const { userId, limit } = filter;
  const { id, version, userName, agent, changeLog, createdAt } = promptVersions;
  return tables
    .select({
      id,
      type: sql<"prompt">`'prompt'`,
      recordId: prompts.id,
      title: prompts.title,
      version,
      actorKind: sql<null>`NULL`,
      actorName: userName,
      agent,
      origin: sql<string>`iif(${version} = 1, 'create', 'update')`,
      changeLog,
      createdAt,
    })
    .from(promptVersions)
    .innerJoin(prompts, eq(prompts.id, promptVersions.promptId))
    .where(and(eq(prompts.userId, userId), isWithin(filter, promptVersions)))
    .orderBy(desc(id))
    .limit(limit)
    .all();
}

/** The user's collections with their parents, by name; at most `limit`. */
export function listTree({ tables }: TableReader, userId: string, limit: number): TreeCollection[] {
  const items = tables
    .select({ count: sql<number>`count(*)` })
    .from(collectionItems)
    .where(eq(collectionItems.collectionId, collections.id));
  return tables
    .select({
      id: collections.id,
      name: collections.name,
      icon: collections.icon,
      color: collections.color,
      parentId: collections.parentCollectionId,
      itemCount: sql<number>`(${items})`,
    })
    .from(collections)
    .where(eq(collections.userId, userId))
    .orderBy(asc(sql`${collections.name} COLLATE NOCASE`), collections.id)
    .limit(limit)
    .all();
}

/** The user's collections that contain a document or prompt. */
export function listMemberships({ tables }: TableReader, userId: string, recordId: string): Membership[] {
  return tables
    .select({ id: collections.id, name: collections.name, icon: collections.icon })
    .from(collectionItems)
    .innerJoin(collections, eq(collections.id, collectionItems.collectionId))
    .where(
      and(
        eq(collections.userId, userId),
        sql`(${collectionItems.documentId} = ${recordId} OR ${collectionItems.promptId} = ${recordId})`,
      ),
    )
    .orderBy(collections.name)
    .all();
}

/** The titles of the user's records, newest first; at most `limit` of each kind. */
export function listTitles(
  { tables }: TableReader,
  userId: string,
  { kinds, limit }: { kinds: readonly TitledRecord[0][]; limit: number },
): TitledRecord[] {
  const titled = {
    document: { table: documents, title: documents.title },
    prompt: { table: prompts, title: prompts.title },
    collection: { table: collections, title: collections.name },
  };
  return kinds.flatMap((kind) => {
    const { table, title } = titled[kind];
    return tables
      .select({ id: table.id, title })
      .from(table)
      .where(eq(table.userId, userId))
      .orderBy(desc(table.createdAt), desc(table.id))
      .limit(limit)
      .all()
      .map((row): TitledRecord => [kind, row.id, row.title]);
  });
}

/** The user's documents and prompts that were imported from files with these paths. */
export function listImported({ tables }: TableReader, userId: string, paths: readonly string[]): Imported[] {
  const importedIn = (table: typeof documents | typeof prompts, type: Imported["type"]) => {
    const member = (name: string) => sql<string>`${table.metadata} ->> ${`$.${name}`}`;
    return tables
      .select({
        id: table.id,
        type: sql<Imported["type"]>`${type}`,
        path: sql<string>`${table.importPath}`,
        hash: member("importHash"),
        state: member("importState"),
      })
      .from(table)
      .where(and(eq(table.userId, userId), inArray(table.importPath, [...paths])))
      .orderBy(table.id)
      .all();
  };
  return [...importedIn(documents, "document"), ...importedIn(prompts, "prompt")];
}

// Queries of other servers and of the pairs of records.

import { and, asc, count, eq, gt, inArray, isNotNull, sql } from "drizzle-orm";
import { remoteLinks, remoteMembers, remotes } from "../../../db/remote-tables.ts";
import type { TableReader, Write } from "../../../db/store.ts";
import type { Remote, RemoteLink } from "../replies.ts";
import type { LinkToStore } from "./contract.ts";

/** The other servers of a user, by name, with the number of pairs and of conflicts. */
export function listRemotes({ tables }: TableReader, userId: string): Remote[] {
  const { id, name, url, addedAt, syncedAt, result } = remotes;
  const links = tables.select({ n: count() }).from(remoteLinks).where(eq(remoteLinks.remoteId, id));
  const conflicts = tables
    .select({ n: count() })
    .from(remoteLinks)
    .where(and(eq(remoteLinks.remoteId, id), isNotNull(remoteLinks.conflict)));
  return tables
    .select({
      id,
      name,
      url,
      addedAt,
      syncedAt,
      result,
      links: sql<number>`(${links})`,
      conflicts: sql<number>`(${conflicts})`,
    })
    .from(remotes)
    .where(eq(remotes.userId, userId))
    .orderBy(asc(name))
    .all();
}

/** The id of the user's server of this name. */
export function findRemote({ tables }: TableReader, userId: string, name: string): string | undefined {
  return tables
    .select({ id: remotes.id })
    .from(remotes)
    .where(and(eq(remotes.userId, userId), eq(remotes.name, name)))
    .get()?.id;
}

/** Whether the server belongs to the user. */
export function ownsRemote({ tables }: TableReader, userId: string, id: string): boolean {
  const found = tables
    .select({ id: remotes.id })
    .from(remotes)
    .where(and(eq(remotes.id, id), eq(remotes.userId, userId)))
    .get();
  return found !== undefined;
}

/** Stores a new server and returns its id. */
export function insertRemote(write: Write, remote: { userId: string; name: string; url: string }): string {
  const id = write.newId();
  write.tables
    .insert(remotes)
    .values({ id, ...remote, addedAt: write.now })
    .run();
  return id;
}

/** Stores the end of a run and what it did. */
export function endRun({ tables, now }: Write, id: string, result: Record<string, unknown>): void {
  tables.update(remotes).set({ syncedAt: now, result }).where(eq(remotes.id, id)).run();
}

/** Deletes at most `limit` pairs of a server, or the server itself if none is left. Returns whether it is deleted. */
export function deleteRemote({ tables }: Write, id: string, limit: number): boolean {
  const some = tables
    .select({ id: remoteLinks.id })
    .from(remoteLinks)
    .where(eq(remoteLinks.remoteId, id))
    .limit(limit);
  const deleted = tables.delete(remoteLinks).where(inArray(remoteLinks.id, some)).returning().all().length;
  if (deleted === limit) return false;
  tables.delete(remotes).where(eq(remotes.id, id)).run();
  return true;
}

/** The pairs of records with these ids on one side. */
export function findLinks(
  { tables }: TableReader,
  remoteId: string,
  { side, ids }: { side: "own" | "other"; ids: readonly string[] },
): RemoteLink[] {
  const column = side === "own" ? remoteLinks.ownId : remoteLinks.otherId;
  return tables
    .select()
    .from(remoteLinks)
    .where(and(eq(remoteLinks.remoteId, remoteId), inArray(column, [...ids])))
    .all();
}

/** The pairs of a server with greater ids than `after`, in the order of their ids. */
export function listLinks(
  { tables }: TableReader,
  remoteId: string,
  { after, limit, inConflict = false }: { after: number; limit: number; inConflict?: boolean },
): RemoteLink[] {
  const state = inConflict ? isNotNull(remoteLinks.conflict) : undefined;
  return tables
    .select()
    .from(remoteLinks)
    .where(and(eq(remoteLinks.remoteId, remoteId), gt(remoteLinks.id, after), state))
    .orderBy(asc(remoteLinks.id))
    .limit(limit)
    .all();
}

/** Stores pairs, replaces those with an id, and returns their ids in order. An id of another server changes nothing. */
export function storeLinks({ tables }: Write, remoteId: string, links: readonly LinkToStore[]): number[] {
  return links.map(({ id, ...link }) => {
    if (id === undefined) {
      return tables
        .insert(remoteLinks)
        .values({ ...link, remoteId })
        .returning({ id: remoteLinks.id })
        .get().id;
    }
    tables
      .update(remoteLinks)
      .set(link)
      .where(and(eq(remoteLinks.id, id), eq(remoteLinks.remoteId, remoteId)))
      .run();
    return id;
  });
}

/** Forgets pairs of a server. */
export function removeLinks({ tables }: Write, remoteId: string, ids: readonly number[]): void {
  tables
    .delete(remoteLinks)
    .where(and(eq(remoteLinks.remoteId, remoteId), inArray(remoteLinks.id, [...ids])))
    .run();
}

/** Whether a pair belongs to a server of the user. */
export function ownsLink({ tables }: TableReader, userId: string, id: number): boolean {
  const found = tables
    .select({ id: remoteLinks.id })
    .from(remoteLinks)
    .innerJoin(remotes, eq(remotes.id, remoteLinks.remoteId))
    .where(and(eq(remoteLinks.id, id), eq(remotes.userId, userId)))
    .get();
  return found !== undefined;
}

/** The stored members of a collection with greater ids than `after`, in order. */
export function listMembers({ tables }: TableReader, collection: number, after: number): number[] {
  return tables
    .select({ member: remoteMembers.member })
    .from(remoteMembers)
    .where(and(eq(remoteMembers.collection, collection), gt(remoteMembers.member, after)))
    .orderBy(asc(remoteMembers.member))
    .limit(MEMBERS_OF_PAGE)
    .all()
    .map(({ member }) => member);
}

/** How many members `listMembers` returns at most. */
const MEMBERS_OF_PAGE = 1_000;

/** Stores and forgets members of a collection. */
export function storeMembers(
  { tables }: Write,
  {
    collection,
    added,
    removed,
  }: { collection: number; added: readonly number[]; removed: readonly number[] },
): void {
  const rows = added.map((member) => ({ collection, member }));
  if (rows.length > 0) tables.insert(remoteMembers).values(rows).onConflictDoNothing().run();
  tables
    .delete(remoteMembers)
    .where(and(eq(remoteMembers.collection, collection), inArray(remoteMembers.member, [...removed])))
    .run();
}

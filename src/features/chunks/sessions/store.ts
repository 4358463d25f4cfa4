// The tables of search sessions: the sessions, and the chunks that were returned in each.

import { and, count, eq, exists, gt, inArray, lte, not, sql } from "drizzle-orm";
import { prepared } from "../../../db/prepared.ts";
import type { TableReader, Write } from "../../../db/store.ts";
import { searchSessionChunks, searchSessions } from "../../../db/tables.ts";

export type SessionRow = typeof searchSessions.$inferSelect;
const sessionById = prepared((tables) =>
  tables
    .select({ userId: searchSessions.userId, expiresAt: searchSessions.expiresAt })
    .from(searchSessions)
    .where(
      and(eq(searchSessions.id, sql.placeholder("id")), gt(searchSessions.expiresAt, sql.placeholder("now"))),
    )
    .prepare(),
);
const returnedCount = prepared((tables) =>
  tables
    .select({ returned: count() })
    .from(searchSessionChunks)
    .where(eq(searchSessionChunks.sessionId, sql.placeholder("sessionId")))
    .prepare(),
);
const returnedChunk = prepared((tables) =>
  tables
    .select({ chunkId: searchSessionChunks.chunkId })
    .from(searchSessionChunks)
    .where(
      and(
        eq(searchSessionChunks.sessionId, sql.placeholder("sessionId")),
        eq(searchSessionChunks.chunkId, sql.placeholder("chunkId")),
      ),
    )
    .prepare(),
);

/** Inserts a new session. */
export function insertSession({ tables }: Write, row: SessionRow): void {
  tables.insert(searchSessions).values(row).run();
}

/** The owner of a session; undefined if there is none with this id or it has expired at `now` (epoch ms). */
export function findSession(
  reader: TableReader,
  id: string,
  now: number,
): Pick<SessionRow, "userId"> | undefined {
  return sessionById(reader).get({ id, now });
}

/** How many chunks were returned in a session. */
export function countReturned(reader: TableReader, sessionId: string): number {
  return returnedCount(reader).get({ sessionId })?.returned ?? 0;
}

/** Whether this chunk was returned in a session. */
export function wasReturned(reader: TableReader, sessionId: string, chunkId: string): boolean {
  return returnedChunk(reader).get({ sessionId, chunkId }) !== undefined;
}

/** Records that a chunk was returned in a session. */
export function insertReturned({ tables }: Write, sessionId: string, chunkId: string): void {
  tables.insert(searchSessionChunks).values({ sessionId, chunkId }).run();
}

/**
 * Deletes at most `limits.chunks` records of returned chunks of the `limits.sessions` oldest expired sessions, then
 * those of these sessions that have no records left.
 */
export function deleteExpired({ tables, now }: Write, limits: { sessions: number; chunks: number }): void {
  const { sessionId, chunkId } = searchSessionChunks;
  const expired = () =>
    tables
      .select({ id: searchSessions.id })
      .from(searchSessions)
      .where(lte(searchSessions.expiresAt, now))
      .orderBy(searchSessions.expiresAt)
      .limit(limits.sessions);
  const returned = tables
    .select({ sessionId, chunkId })
    .from(searchSessionChunks)
    .where(inArray(sessionId, expired()))
    .limit(limits.chunks);
  tables.delete(searchSessionChunks).where(sql`(${sessionId}, ${chunkId}) IN ${returned}`).run();
  const rest = tables.select({ chunkId }).from(searchSessionChunks).where(eq(sessionId, searchSessions.id));
  tables
    .delete(searchSessions)
    .where(and(inArray(searchSessions.id, expired()), not(exists(rest))))
    .run();
}

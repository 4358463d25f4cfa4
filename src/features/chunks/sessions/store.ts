// The tables of search sessions: the sessions, and the chunks that each has shown.

import { and, count, eq, exists, gt, inArray, lte, not, sql } from "drizzle-orm";
import { prepared } from "../../../db/prepared.ts";
import type { Store, Write } from "../../../db/store.ts";
import { searchSessionChunks, searchSessions } from "../../../db/tables.ts";

export type SessionRow = typeof searchSessions.$inferSelect;
type Reader = Pick<Store, "tables">;

const sessionById = prepared((tables) =>
  tables
    .select({ userId: searchSessions.userId, expiresAt: searchSessions.expiresAt })
    .from(searchSessions)
    .where(
      and(eq(searchSessions.id, sql.placeholder("id")), gt(searchSessions.expiresAt, sql.placeholder("now"))),
    )
    .prepare(),
);
const shownCount = prepared((tables) =>
  tables
    .select({ shown: count() })
    .from(searchSessionChunks)
    .where(eq(searchSessionChunks.sessionId, sql.placeholder("sessionId")))
    .prepare(),
);
const shownChunk = prepared((tables) =>
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

/** Whose session this is; undefined when there is none of this id or it has expired at `now` (epoch ms). */
export function findSession(reader: Reader, id: string, now: number): Pick<SessionRow, "userId"> | undefined {
  return sessionById(reader).get({ id, now });
}

/** How many chunks a session has shown. */
export function countShown(reader: Reader, sessionId: string): number {
  return shownCount(reader).get({ sessionId })?.shown ?? 0;
}

/** Whether a session has shown this chunk. */
export function hasShown(reader: Reader, sessionId: string, chunkId: string): boolean {
  return shownChunk(reader).get({ sessionId, chunkId }) !== undefined;
}

/** Records a chunk as shown. */
export function insertShown({ tables }: Write, sessionId: string, chunkId: string): void {
  tables.insert(searchSessionChunks).values({ sessionId, chunkId }).run();
}

/**
 * Deletes of the `limits.sessions` oldest expired sessions at most `limits.chunks` records of shown chunks, then those
 * sessions that have none left.
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
  const shown = tables
    .select({ sessionId, chunkId })
    .from(searchSessionChunks)
    .where(inArray(sessionId, expired()))
    .limit(limits.chunks);
  tables.delete(searchSessionChunks).where(sql`(${sessionId}, ${chunkId}) IN ${shown}`).run();
  const rest = tables.select({ chunkId }).from(searchSessionChunks).where(eq(sessionId, searchSessions.id));
  tables
    .delete(searchSessions)
    .where(and(inArray(searchSessions.id, expired()), not(exists(rest))))
    .run();
}

// Search sessions: which chunks one line of work has been shown already. They stand in the database, end by the clock, and
// belong to the user who made them. It must not know how chunks are found.

import type { Identity } from "../../auth/identity.ts";
import type { Store, Write } from "../../db/store.ts";
import { badRequest, notFound } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";

export interface SearchSession {
  id: string;
  userId: string;
  createdAt: number;
  expiresAt: number;
}

/** How much of what has expired is deleted when a session is made: more than one session leaves behind on average. */
const PURGED_SESSIONS = 100;
const PURGED_CHUNKS = 2_000;

/** Makes a session that lives for `ttlSeconds`, and deletes a bounded number of expired ones. */
export function createSession(write: Write, caller: Identity, ttlSeconds: number): SearchSession {
  purgeExpired(write);
  const session = {
    id: write.newId(),
    userId: caller.userId,
    createdAt: write.now,
    expiresAt: write.now + ttlSeconds * 1000,
  };
  write.sql
    .query("INSERT INTO search_sessions (id, user_id, created_at, expires_at) VALUES (?, ?, ?, ?)")
    .run(session.id, session.userId, session.createdAt, session.expiresAt);
  return session;
}

/**
 * Throws `not-found` unless the session is the caller's and alive, and `bad-request` when it has recorded as many chunks
 * as a session can: showing some of them again would break its promise, so the client has to begin another.
 */
export function requireSession({ sql }: Pick<Store, "sql">, caller: Identity, id: string, now: number): void {
  const session = sql
    .query<{ chunks: number }, [string, string, number]>(
      `SELECT (SELECT count(*) FROM search_session_chunks WHERE session_id = id) AS chunks
       FROM search_sessions WHERE id = ? AND user_id = ? AND expires_at > ?`,
    )
    .get(id, caller.userId, now);
  if (!session) throw notFound("session");
  const { chunks } = LIMITS.searchSession;
  if (session.chunks >= chunks) {
    throw badRequest({ path: "sessionId", message: `has recorded ${chunks} chunks: create a new session` });
  }
}

/** Whether a session has shown this chunk. */
export function hasShown({ sql }: Pick<Store, "sql">, sessionId: string, chunkId: string): boolean {
  return (
    sql
      .query<{ found: 1 }, [string, string]>(
        "SELECT 1 AS found FROM search_session_chunks WHERE session_id = ? AND chunk_id = ?",
      )
      .get(sessionId, chunkId) !== null
  );
}

/** Records a chunk that is about to be shown. */
export function recordShown({ sql }: Write, sessionId: string, chunkId: string): void {
  sql.query("INSERT INTO search_session_chunks (session_id, chunk_id) VALUES (?, ?)").run(sessionId, chunkId);
}

/** The oldest expired sessions: first what they recorded, then those of which nothing is left. */
function purgeExpired({ sql, now }: Write): void {
  const expired = `SELECT id FROM search_sessions WHERE expires_at <= ? ORDER BY expires_at LIMIT ${PURGED_SESSIONS}`;
  sql
    .query(
      `DELETE FROM search_session_chunks WHERE (session_id, chunk_id) IN (
         SELECT session_id, chunk_id FROM search_session_chunks
         WHERE session_id IN (${expired}) LIMIT ${PURGED_CHUNKS}
       )`,
    )
    .run(now);
  sql
    .query(
      `DELETE FROM search_sessions WHERE id IN (${expired})
         AND NOT EXISTS (SELECT 1 FROM search_session_chunks WHERE session_id = id)`,
    )
    .run(now);
}

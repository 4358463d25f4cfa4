// Search sessions: which chunks were returned to a client, so that later searches omit them. They expire.

import type { Identity } from "../../../auth/identity.ts";
import type { Store, Write } from "../../../db/store.ts";
import { badRequest, notFound } from "../../../kernel/errors.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import { countReturned, deleteExpired, findSession, insertSession, type SessionRow } from "./store.ts";

/** A search session as it is stored. */
export type SearchSession = SessionRow;

/** Maximum number of expired rows that are deleted when a session is created: more than one session adds on average. */
const MAX_PURGED = { sessions: 100, chunks: 2_000 };

/** Creates a session that expires after `ttlSeconds`, and deletes a bounded number of expired ones. */
export function createSession(write: Write, caller: Identity, ttlSeconds: number): SearchSession {
  deleteExpired(write, MAX_PURGED);
  const session = {
    id: write.newId(),
    userId: caller.userId,
    createdAt: write.now,
    expiresAt: write.now + ttlSeconds * 1000,
  };
  insertSession(write, session);
  return session;
}

/**
 * Throws `not-found` unless the session is the caller's and has not expired at `now`, and `bad-request` when it has
 * recorded as many chunks as a session can: the client has to create another one.
 */
export function requireSession(
  reader: Pick<Store, "tables">,
  caller: Identity,
  { id, now }: { id: string; now: number },
): void {
  if (findSession(reader, id, now)?.userId !== caller.userId) throw notFound("session");
  const { chunks } = LIMITS.searchSession;
  if (countReturned(reader, id) >= chunks) {
    throw badRequest({ path: "sessionId", message: `has recorded ${chunks} chunks: create a new session` });
  }
}

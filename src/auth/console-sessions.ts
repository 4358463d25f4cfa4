// Sessions of the web console: one-time codes that sign a browser in, and the sessions that they start. All are kept in
// memory and only as hashes, so a restart signs everyone out. It does not know cookies.

import type { HighWater } from "../db/high-water.ts";
import type { Store } from "../db/store.ts";
import { sha256Hex } from "../kernel/hash.ts";
import type { Identity } from "./identity.ts";
import { isActiveKey } from "./keys.ts";
import { findUser } from "./users.ts";

const SECRET_BYTES = 32;
/** A code can be used once and for this long. */
const CODE_TTL_MS = 60_000;
/** A session ends this long after the sign-in, used or not. */
export const SESSION_TTL_MS = 24 * 60 * 60_000;
/** Beyond these, the oldest one is forgotten. */
const MAX_CODES = 100;
const MAX_SESSIONS = 1_000;

interface Granted {
  identity: Identity;
  expiresAt: number;
}

export interface ConsoleSessions {
  /** A one-time code that signs a browser in as this identity. */
  createCode(identity: Identity): { code: string; expiresAt: number };
  /** The identity behind a code, which cannot be used again; null if it is unknown, used or expired. */
  redeemCode(code: string): Identity | null;
  /** Starts a session and returns its token, which cannot be read again. */
  start(identity: Identity): { token: string; expiresAt: number };
  /** The identity of a session; null if it is unknown or has ended, or if its key or user no longer exists. */
  identify(token: string): Identity | null;
  end(token: string): void;
}

/** Opens the sessions of one process. */
export function openConsoleSessions(store: Store, highWater: HighWater): ConsoleSessions {
  const codes = new Map<string, Granted>();
  const sessions = new Map<string, Granted>();

  const grant = (granted: Map<string, Granted>, entry: Granted, max: number): string => {
    const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString("base64url");
    granted.set(sha256Hex(secret), entry);
    // A Map iterates in the order of insertion, and all entries live equally long.
    const [oldest] = granted.keys();
    if (granted.size > max && oldest !== undefined) granted.delete(oldest);
    return secret;
  };
  const find = (granted: Map<string, Granted>, secret: string): Identity | null => {
    const hash = sha256Hex(secret);
    const found = granted.get(hash);
    if (!found) return null;
    if (highWater.now() < found.expiresAt && exists(store, found.identity)) return found.identity;
    granted.delete(hash);
    return null;
  };

  return {
    createCode(identity) {
      const expiresAt = highWater.now() + CODE_TTL_MS;
      return { code: grant(codes, { identity, expiresAt }, MAX_CODES), expiresAt };
    },
    redeemCode(code) {
      const identity = find(codes, code);
      codes.delete(sha256Hex(code));
      return identity;
    },
    start(identity) {
      const expiresAt = highWater.now() + SESSION_TTL_MS;
      return { token: grant(sessions, { identity, expiresAt }, MAX_SESSIONS), expiresAt };
    },
    identify: (token) => find(sessions, token),
    end(token) {
      sessions.delete(sha256Hex(token));
    },
  };
}

/** Revoking a key and removing a user end their sessions immediately, also if another process does it. */
function exists(store: Store, { kind, userId, credentialId }: Identity): boolean {
  return kind === "apiKey" ? isActiveKey(store, credentialId) : findUser(store, userId) !== undefined;
}

// First-party API keys: gm_<publicId>_<secret>. The secret is 32 random bytes in base 62, followed by a CRC-32 checksum
// of six characters, so that a mistyped key is rejected without a database read (GitHub's token format). Only the
// SHA-256 of the secret is stored: a random secret of 256 bits needs no slow hash.

import { timingSafeEqual } from "node:crypto";
import { desc, eq, sql } from "drizzle-orm";
import { prepared } from "../db/prepared.ts";
import type { Store, Write } from "../db/store.ts";
import { apiKeys, users } from "../db/tables.ts";
import { sha256Hex } from "../kernel/hash.ts";
import { base62, bytesToBigInt } from "../kernel/ids.ts";
import type { Identity } from "./identity.ts";
import type { Scope } from "./scopes.ts";
import type { User } from "./users.ts";

const PUBLIC_ID_LENGTH = 16;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const KEY_PATTERN = new RegExp(
  `^gm_([0-9A-Za-z]{${PUBLIC_ID_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);
/** The hash to compare with if the public id is unknown, so that an unknown key takes as long as a wrong secret. */
const NO_HASH = sha256Hex("");
/** The precision of `lastUsedAt`: a key in constant use writes it once per interval. */
const LAST_USED_INTERVAL_MS = 60_000;

export interface CreatedKey {
  id: string;
  key: string;
  userId: string;
  email: string;
  name: string | null;
  scopes: Scope[];
  createdAt: number;
}

export interface ListedKey {
  id: string;
  userId: string;
  email: string;
  name: string | null;
  scopes: string[];
  createdAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
}

function randomBase62(bytes: number, length: number): string {
  return base62(bytesToBigInt(crypto.getRandomValues(new Uint8Array(bytes))), length);
}

function checksum(publicId: string, secret: string): string {
  return base62(BigInt(Bun.hash.crc32(`gm_${publicId}_${secret}`)), CHECKSUM_LENGTH);
}

/** Creates a key for `user`. Only this result contains the key itself; it cannot be read again. */
export function createKey(
  { tables, now }: Write,
  user: User,
  { name, scopes }: { name: string | null; scopes: Scope[] },
): CreatedKey {
  const publicId = randomBase62(11, PUBLIC_ID_LENGTH);
  const secret = randomBase62(32, SECRET_LENGTH);
  tables
    .insert(apiKeys)
    .values({ publicId, userId: user.id, secretHash: sha256Hex(secret), name, scopes, createdAt: now })
    .run();
  const key = `gm_${publicId}_${secret}${checksum(publicId, secret)}`;
  return { id: publicId, key, userId: user.id, email: user.email, name, scopes, createdAt: now };
}

/** All keys, newest first, without secrets. */
export function listKeys({ tables }: Store): ListedKey[] {
  return tables
    .select({
      id: apiKeys.publicId,
      userId: apiKeys.userId,
      email: users.email,
      name: apiKeys.name,
      scopes: apiKeys.scopes,
      createdAt: apiKeys.createdAt,
      lastUsedAt: apiKeys.lastUsedAt,
      revokedAt: apiKeys.revokedAt,
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .orderBy(desc(apiKeys.createdAt), apiKeys.publicId)
    .all();
}

/**
 * Revokes a key immediately. Returns false if there is no such key. A second call does not change the time of
 * revocation.
 */
export function revokeKey({ tables, now }: Write, publicId: string): boolean {
  const revoked = tables
    .update(apiKeys)
    .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${now})` })
    .where(eq(apiKeys.publicId, publicId))
    .returning({ id: apiKeys.publicId })
    .all();
  return revoked.length > 0;
}

/**
 * Gives a key another name; null for none. What was written before keeps the name that it had. Returns false if there
 * is no such key.
 */
export function renameKey({ tables }: Write, publicId: string, name: string | null): boolean {
  const renamed = tables
    .update(apiKeys)
    .set({ name })
    .where(eq(apiKeys.publicId, publicId))
    .returning({ id: apiKeys.publicId })
    .all();
  return renamed.length > 0;
}

/** Deletes all keys of a user, which ends their use immediately. */
export function deleteKeysOf({ tables }: Write, userId: string): void {
  tables.delete(apiKeys).where(eq(apiKeys.userId, userId)).run();
}

/** Verifies keys. Times of last use are collected in memory and written by `flush`, so that a GET needs no write. */
export interface KeyRing {
  /** The identity behind a key; null when it is malformed, mistyped, unknown, wrong or revoked. */
  identify(key: string): Identity | null;
  flush(): void;
}

// Two point reads: joined, they take five times as long.
const keyByPublicId = prepared((tables) =>
  tables
    .select({
      userId: apiKeys.userId,
      secretHash: apiKeys.secretHash,
      name: apiKeys.name,
      scopes: apiKeys.scopes,
      revokedAt: apiKeys.revokedAt,
    })
    .from(apiKeys)
    .where(eq(apiKeys.publicId, sql.placeholder("publicId")))
    .prepare(),
);
const userById = prepared((tables) =>
  tables
    .select({ email: users.email, name: users.name })
    .from(users)
    .where(eq(users.id, sql.placeholder("id")))
    .prepare(),
);

/** Whether a key exists, with its user, and is not revoked. */
export function isActiveKey(store: Store, publicId: string): boolean {
  return keyByPublicId(store).get({ publicId })?.revokedAt === null;
}

export function openKeyRing(store: Store): KeyRing {
  const used = new Set<string>();
  return {
    identify(text) {
      const [, publicId, secret, sum] = KEY_PATTERN.exec(text) ?? [];
      if (!publicId || !secret || checksum(publicId, secret) !== sum) return null;
      const found = keyByPublicId(store).get({ publicId });
      const isRightSecret = timingSafeEqual(
        Buffer.from(sha256Hex(secret)),
        Buffer.from(found?.secretHash ?? NO_HASH),
      );
      if (!found || !isRightSecret || found.revokedAt !== null) return null;
      const { userId, scopes } = found;
      // A user is deleted together with its keys, so it is missing only if another process deletes both now.
      const user = userById(store).get({ id: userId });
      if (!user) return null;
      used.add(publicId);
      return {
        kind: "apiKey",
        userId,
        email: user.email,
        name: user.name,
        scopes,
        credentialId: publicId,
        ...(found.name !== null && { keyName: found.name }),
      };
    },
    flush() {
      if (used.size === 0) return;
      store.write(({ tables, now }) => {
        for (const publicId of used) {
          tables
            .update(apiKeys)
            .set({ lastUsedAt: now })
            .where(
              sql`${apiKeys.publicId} = ${publicId} AND coalesce(${apiKeys.lastUsedAt}, 0) < ${now - LAST_USED_INTERVAL_MS}`,
            )
            .run();
        }
      });
      used.clear();
    },
  };
}

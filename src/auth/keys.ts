// First-party API keys: gm_<publicId>_<secret>. The secret is 32 random bytes in base 62 with a CRC-32 checksum of six
// characters behind it, so that a mistyped or made-up key is refused before the database is asked (GitHub's token format).
// Only the SHA-256 of the secret is stored: stretching a random secret of 256 bits would buy nothing.

import { timingSafeEqual } from "node:crypto";
import { desc, eq, sql } from "drizzle-orm";
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
/** Compared against when the public id is unknown, so that both answers cost the same. */
const NO_HASH = sha256Hex("");
/** How exact `lastUsedAt` is: a key in steady use writes once in this time. */
const LAST_USED_STEP_MS = 60_000;

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

/** Makes a key for `user`. The answer is the only place where the key itself ever stands. */
export function createKey(
  { tables, now }: Write,
  user: User,
  name: string | null,
  scopes: Scope[],
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

/** Every key, newest first, without secrets. */
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

/** Ends a key at once. Returns false when there is none of this id; a key already revoked keeps its moment. */
export function revokeKey({ tables, now }: Write, publicId: string): boolean {
  const revoked = tables
    .update(apiKeys)
    .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${now})` })
    .where(eq(apiKeys.publicId, publicId))
    .returning({ id: apiKeys.publicId })
    .all();
  return revoked.length > 0;
}

/** Checks presented keys. It keeps moments of use in memory; `flush` writes them, so that a GET writes nothing itself. */
export interface KeyRing {
  /** The identity behind a key, or null: malformed, mistyped, unknown, wrong and revoked are one answer. */
  identify(key: string): Identity | null;
  flush(): void;
}

export function openKeyRing(store: Store): KeyRing {
  const find = store.tables
    .select({ key: apiKeys, user: users })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(eq(apiKeys.publicId, sql.placeholder("publicId")))
    .prepare();
  const used = new Set<string>();
  return {
    identify(text) {
      const [, publicId, secret, sum] = KEY_PATTERN.exec(text) ?? [];
      if (!publicId || checksum(publicId, secret) !== sum) return null;
      const found = find.get({ publicId });
      const right = timingSafeEqual(
        Buffer.from(sha256Hex(secret)),
        Buffer.from(found?.key.secretHash ?? NO_HASH),
      );
      if (!found || !right || found.key.revokedAt !== null) return null;
      const { key, user } = found;
      used.add(publicId);
      return {
        kind: "apiKey",
        userId: user.id,
        email: user.email,
        name: user.name,
        scopes: key.scopes,
        credentialId: publicId,
      };
    },
    flush() {
      if (used.size === 0) return;
      const keys = [...used];
      used.clear();
      store.write(({ tables, now }) => {
        for (const publicId of keys) {
          tables
            .update(apiKeys)
            .set({ lastUsedAt: now })
            .where(
              sql`${apiKeys.publicId} = ${publicId} AND coalesce(${apiKeys.lastUsedAt}, 0) < ${now - LAST_USED_STEP_MS}`,
            )
            .run();
        }
      });
    },
  };
}

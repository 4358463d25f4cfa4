// Access for commands of the operating-system user who runs the server: a secret that is created at each start and kept
// in memory. Whoever has it acts as any user, with all scopes and without rate limits, as the owner of the database
// file could.

import { createHmac, timingSafeEqual } from "node:crypto";
import type { Store } from "../db/store.ts";
import { Failure } from "../kernel/errors.ts";
import { shorten } from "../kernel/text.ts";
import type { Identity } from "./identity.ts";
import { USER_SCOPES } from "./scopes.ts";
import { ensureUser, findUserByEmail, LOCAL_OWNER } from "./users.ts";

const SECRET_BYTES = 32;
const AUTHORIZATION = /^Local ([\w-]{43})\.([\w-]+)$/;

/** A new secret: 43 characters of base64url. */
export function createLocalSecret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString("base64url");
}

/** The value of an Authorization header that acts as the user with this e-mail address. */
export function localAuthorization(secret: string, email: string): string {
  return `Local ${secret}.${Buffer.from(email).toString("base64url")}`;
}

/** Shows that the sender of `message` has the secret, without revealing it. */
export function localProof(secret: string, message: string): string {
  return createHmac("sha256", secret).update(message).digest("base64url");
}

/** Whether two secrets or proofs are equal, in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * The identity behind a header of `localAuthorization`; null if the header is another one or the secret is wrong. The
 * local owner is created on first use. Throws `forbidden` for another user who does not exist.
 */
export async function identifyLocal(
  store: Store,
  secret: string,
  authorization: string,
): Promise<Identity | null> {
  const [, given = "", encoded = ""] = AUTHORIZATION.exec(authorization) ?? [];
  if (!isSameSecret(given, secret)) return null;
  const email = Buffer.from(encoded, "base64url").toString().toLowerCase();
  const user =
    findUserByEmail(store, email) ??
    (email === LOCAL_OWNER ? await store.writeWhenFree((write) => ensureUser(write, email)) : undefined);
  if (!user) {
    const message = `user ${shorten(email, 100)} does not exist (ctxrepo keys create --user creates users)`;
    throw new Failure("forbidden", message);
  }
  return {
    kind: "session",
    userId: user.id,
    email: user.email,
    name: user.name,
    scopes: USER_SCOPES,
    credentialId: `command line ${user.id}`,
    isLocal: true,
  };
}

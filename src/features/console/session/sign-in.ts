// Signing in to the console: with a one-time code of `ctxrepo open`, or with an API key.

import type { ConsoleSessions } from "../../../auth/console-sessions.ts";
import type { Credentials } from "../../../auth/credentials.ts";
import type { Identity } from "../../../auth/identity.ts";
import { LOCAL_OWNER } from "../../../auth/users.ts";
import { badRequest, Failure } from "../../../kernel/errors.ts";

export interface SignInDeps {
  consoleSessions: ConsoleSessions;
  credentials: Credentials;
}

/**
 * The identity behind a code or a key. Throws `unauthenticated` if it is not valid, `bad-request` without exactly one.
 */
export async function identifySignIn(
  { consoleSessions, credentials }: SignInDeps,
  { code, key }: { code?: string; key?: string },
): Promise<Identity> {
  if (code !== undefined && key === undefined) {
    const identity = consoleSessions.redeemCode(code);
    if (identity) return identity;
    throw new Failure("unauthenticated", "this link was used or has expired: run `ctxrepo open` again");
  }
  if (key === undefined || code !== undefined) {
    throw badRequest({ path: "key", message: "is required, or `code`, but not both" });
  }
  const identity = await credentials.identify(`API-Key ${key.trim()}`, []);
  if (identity) return identity;
  throw new Failure("unauthenticated", "this key is unknown or revoked");
}

/** Throws `forbidden` unless the caller is the local owner, signed in by `ctxrepo open` and not by a key. */
export function requireLocalOwner({ isLocal, email }: Identity): void {
  if (isLocal && email === LOCAL_OWNER) return;
  throw new Failure("forbidden", "only the local owner may do this: sign in with `ctxrepo open`");
}

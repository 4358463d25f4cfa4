// From an Authorization header to an identity. Every way to be wrong is one answer.

import type { Identity } from "../auth/identity.ts";
import type { KeyRing } from "../auth/keys.ts";
import { Failure } from "../kernel/errors.ts";

const MAX_HEADER = 8 * 1024;
const API_KEY = "API-Key ";

/** Throws `unauthenticated` for a header that is missing, malformed, unknown, expired or revoked. */
export function authenticate(keys: KeyRing, headers: Headers): Identity {
  const header = headers.get("authorization") ?? "";
  // The scheme name is case-sensitive, by the spec.
  const identity =
    header.startsWith(API_KEY) && header.length <= MAX_HEADER
      ? keys.identify(header.slice(API_KEY.length))
      : null;
  if (!identity) throw new Failure("unauthenticated", "missing or invalid credentials");
  return identity;
}

/** What a 401 carries, so that a client learns how to authenticate. */
export const CHALLENGE = 'API-Key realm="ctxrepo"';

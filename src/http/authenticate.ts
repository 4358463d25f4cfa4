// Identifies the caller by the Authorization header. All failures look the same to the client.

import type { Credentials } from "../auth/credentials.ts";
import type { Identity } from "../auth/identity.ts";
import { Failure } from "../kernel/errors.ts";

/** Throws `unauthenticated` for a header that is missing, malformed, unknown, expired or revoked. */
export async function authenticate(
  credentials: Credentials,
  headers: Headers,
  baseUrl: string,
): Promise<Identity> {
  const identity = await credentials.identify(headers.get("authorization"), [baseUrl, `${baseUrl}/v1`]);
  if (!identity) throw new Failure("unauthenticated", "missing or invalid credentials");
  return identity;
}

/** The headers of a 401: where and how to authenticate (RFC 9728, 5.1). */
export function challenge(baseUrl: string): Record<string, string> {
  const metadata = `${baseUrl}/.well-known/oauth-protected-resource/v1`;
  return { "WWW-Authenticate": `Bearer resource_metadata="${metadata}", API-Key realm="ctxrepo"` };
}

// Identifies the caller by the Authorization header. All failures look the same to the client, except that the form of
// the header may be wrong for its credential, whether that is valid or not.

import type { Credentials } from "../auth/credentials.ts";
import type { Identity } from "../auth/identity.ts";
import { Failure } from "../kernel/errors.ts";

/** Throws `unauthenticated` for a header that is missing, malformed, unknown, expired or revoked. */
export async function authenticate(
  credentials: Credentials,
  headers: Headers,
  baseUrl: string,
): Promise<Identity> {
  const authorization = headers.get("authorization");
  const identity = await credentials.identify(authorization, [baseUrl, `${baseUrl}/v1`]);
  if (identity) return identity;
  throw new Failure("unauthenticated", `missing or invalid credentials${rightForm(authorization ?? "")}`);
}

/** What to send instead, if the header has the form of the other kind of credential. */
function rightForm(authorization: string): string {
  if (/^(Bearer +|API-Key\s+)?gm_/i.test(authorization) && !authorization.startsWith("API-Key gm_"))
    return ": send an API key as `Authorization: API-Key gm_…`";
  if (/^API-Key +(oat_|mt_|ak_)?eyJ/i.test(authorization))
    return ": send a token as `Authorization: Bearer …`; only keys that start with gm_ are API keys";
  return "";
}

/** The headers of a 401: where and how to authenticate (RFC 9728, 5.1). */
export function challenge(baseUrl: string): Record<string, string> {
  const metadata = `${baseUrl}/.well-known/oauth-protected-resource/v1`;
  return { "WWW-Authenticate": `Bearer resource_metadata="${metadata}", API-Key realm="ctxrepo"` };
}

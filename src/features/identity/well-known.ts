// What a client can learn before it has a credential: whom to ask for one, and how tokens made here are checked. All of it
// comes from configuration, never from the Host header (RFC 9728, RFC 8414).

import type { Credentials } from "../../auth/credentials.ts";
import { USER_SCOPES } from "../../auth/scopes.ts";

interface Document {
  status: number;
  body: unknown;
}

/** One answer for each path; all are public. */
export function wellKnownPages(
  { credentials }: { credentials: Credentials },
  baseUrl: string,
): Record<string, () => Promise<Document>> {
  const { provider } = credentials;
  const found = (body: unknown): Document => ({ status: 200, body });
  return {
    "/.well-known/oauth-protected-resource/v1": async () =>
      found({
        resource: `${baseUrl}/v1`,
        authorization_servers: [provider?.issuer ?? baseUrl],
        scopes_supported: USER_SCOPES,
        bearer_methods_supported: ["header"],
      }),
    "/.well-known/oauth-authorization-server": async () =>
      found(
        provider
          ? await provider.metadata()
          : {
              issuer: baseUrl,
              jwks_uri: `${baseUrl}/.well-known/jwks.json`,
              scopes_supported: USER_SCOPES,
              // Tokens are made by `ctxrepo tokens create`; there is no endpoint to ask for one.
              grant_types_supported: [],
              response_types_supported: [],
            },
      ),
    "/.well-known/jwks.json": async () => found({ keys: [await credentials.publicKey()] }),
  };
}

// OAuth metadata for clients without a credential: which server issues tokens, and the public key that verifies them
// (RFC 9728, RFC 8414). URLs come from the configuration, never from the Host header.

import type { Credentials } from "../../auth/credentials.ts";
import { USER_SCOPES } from "../../auth/scopes.ts";

interface Page {
  status: number;
  body: unknown;
}

/** The pages by path; all are public. */
export function wellKnownPages(
  { credentials }: { credentials: Credentials },
  baseUrl: string,
): Record<string, () => Promise<Page>> {
  const { provider } = credentials;
  const found = (body: unknown): Page => ({ status: 200, body });
  const protectedResource = async (path: string) =>
    found({
      resource: `${baseUrl}${path}`,
      authorization_servers: [provider?.issuer ?? baseUrl],
      scopes_supported: USER_SCOPES,
      bearer_methods_supported: ["header"],
    });
  return {
    "/.well-known/oauth-protected-resource/v1": () => protectedResource("/v1"),
    // Only with an identity provider: MCP clients that find this try to get a token from the server it names.
    ...(provider && { "/.well-known/oauth-protected-resource/mcp": () => protectedResource("/mcp") }),
    // This server issues no tokens to clients, so without a provider there is nothing to find.
    ...(provider && {
      "/.well-known/oauth-authorization-server": async () => found(await provider.metadata()),
    }),
    "/.well-known/jwks.json": async () => found({ keys: [await credentials.publicKey()] }),
  };
}

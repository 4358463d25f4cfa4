// The wire shapes of an identity and of the `.well-known` documents.

import { type Static, Type } from "@sinclair/typebox";
import type { Identity } from "../../auth/identity.ts";
import { errorBody } from "../../http/edge-responses.ts";
import { id, oneOf, type PublicPath, text, texts } from "../../http/response-shapes.ts";

export const identityShape = Type.Object(
  {
    kind: oneOf(["apiKey", "session", "machine"]),
    userId: id,
    email: text("owner@localhost"),
    name: Type.Optional(text("Ada")),
    permissions: Type.Array(Type.String(), {
      description: "The scopes as granted. A write scope includes the read scope.",
      examples: [["prompts.write", "documents.write"]],
    }),
  },
  { $id: "Identity" },
);

/** An identity as returned by GET /v1/user/me. */
export function identityToWire({
  kind,
  userId,
  email,
  name,
  scopes,
}: Identity): Static<typeof identityShape> {
  return { kind, userId, email, ...(name !== null && { name }), permissions: [...scopes] };
}

const scopesSupported = texts("prompts.read", "prompts.write", "documents.read", "documents.write");
const baseUrl = "http://127.0.0.1:4817";

const protectedResourceShape = Type.Object(
  {
    resource: text(`${baseUrl}/v1`),
    authorization_servers: texts(baseUrl),
    scopes_supported: scopesSupported,
    bearer_methods_supported: texts("header"),
  },
  { $id: "ProtectedResource" },
);

const authorizationServerShape = Type.Object(
  {
    issuer: text(baseUrl),
    jwks_uri: Type.Optional(text(`${baseUrl}/.well-known/jwks.json`)),
    scopes_supported: Type.Optional(scopesSupported),
    grant_types_supported: Type.Optional(Type.Array(Type.String(), { examples: [[]] })),
    response_types_supported: Type.Optional(Type.Array(Type.String(), { examples: [[]] })),
  },
  { $id: "AuthorizationServer", additionalProperties: true },
);

const notFoundShape = { ...errorBody, examples: [{ error: { code: 404, message: "not found" } }] };

const keySetShape = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        { kty: text("OKP"), alg: Type.Optional(text("EdDSA")), kid: Type.Optional(text("2yGqQzDbdVZNFCVp")) },
        { additionalProperties: true },
      ),
    ),
  },
  { $id: "KeySet" },
);

/** The `.well-known` documents in the OpenAPI document. */
export const wellKnownPaths: readonly PublicPath[] = [
  {
    name: "service.protectedResource",
    path: "/.well-known/oauth-protected-resource/v1",
    summary: "Read the OAuth protected-resource metadata",
    description:
      "Names the authorization server that issues tokens for this API (RFC 9728). No credential is required.",
    responses: { 200: { body: protectedResourceShape } },
  },
  {
    name: "service.authorizationServer",
    path: "/.well-known/oauth-authorization-server",
    summary: "Read the OAuth authorization-server metadata",
    description:
      "The metadata of the identity provider of `--oidc-issuer` (RFC 8414); 404 without one. This server has no token endpoint: " +
      "`ctxrepo tokens create` creates tokens. No credential is required.",
    responses: { 200: { body: authorizationServerShape }, 404: { body: notFoundShape } },
  },
  {
    name: "service.signingKeys",
    path: "/.well-known/jwks.json",
    summary: "Read the public signing keys",
    description:
      "The public key with which this server's tokens can be verified (RFC 7517). No credential is required.",
    responses: { 200: { body: keySetShape } },
  },
];

// Tokens of an identity provider: a local server, whose keys are fetched and cached.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { type Reply, type Started, startServer } from "../../helpers/start.ts";

let started: Started;
let provider: ReturnType<typeof Bun.serve>;
let issuer: string;
let pair: Awaited<ReturnType<typeof generateKeyPair>>;
let rotated: Awaited<ReturnType<typeof generateKeyPair>>;
let published: JWK[] = [];
const requested: string[] = [];
let metadata: Record<string, unknown>;

beforeAll(async () => {
  pair = await generateKeyPair("RS256", { extractable: true });
  rotated = await generateKeyPair("ES256", { extractable: true });
  published = [{ ...(await exportJWK(pair.publicKey)), kid: "one", alg: "RS256" }];
  provider = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname } = new URL(request.url);
      requested.push(pathname);
      if (pathname.endsWith("/openid-configuration")) return Response.json(metadata);
      return Response.json({ keys: published });
    },
  });
  issuer = `http://127.0.0.1:${provider.port}`;
  metadata = { issuer, jwks_uri: `${issuer}/keys`, token_endpoint: `${issuer}/token` };
  started = startServer({
    settings: { oidcIssuer: issuer, baseUrl: "https://ctx.example", allowHost: ["127.0.0.1"] },
  });
});
afterAll(async () => {
  await started.stop();
  await provider.stop(true);
});

interface Wanted {
  claims?: Record<string, unknown>;
  algorithm?: string;
  kid?: string;
  key?: CryptoKey | Uint8Array;
}
function token({ claims = {}, algorithm = "RS256", kid = "one", key = pair.privateKey }: Wanted = {}) {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({
    iss: issuer,
    aud: "https://ctx.example/v1",
    sub: "s1",
    email: "Eve@Example.org",
    email_verified: true,
    iat: now,
    exp: now + 60,
    ...claims,
  })
    .setProtectedHeader({ alg: algorithm, kid })
    .sign(key);
}
function me(bearer: string, { client }: Started = started): Promise<Reply> {
  return client("GET", "/v1/user/me", undefined, { Authorization: `Bearer ${bearer}` });
}

test("a token of the provider is a session of the user with its e-mail", async () => {
  const { status, body } = await me(await token());
  expect(status).toBe(200);
  expect(body.data.kind).toBe("session");
  expect(body.data.email).toBe("eve@example.org");
  expect(body.data.permissions.length).toBe(4);
  expect((await me(await token())).body.data.userId).toBe(body.data.userId);
});

test("scopes in a token restrict it", async () => {
  const narrow = await token({ claims: { scope: "openid documents.read" } });
  expect((await me(narrow)).body.data.permissions).toEqual(["documents.read"]);
  const reply = await started.client("POST", "/v1/documents", undefined, {
    Authorization: `Bearer ${narrow}`,
  });
  expect(reply.status).toBe(403);
});

test("metadata and keys are fetched once, then cached", async () => {
  const before = requested.length;
  for (let i = 0; i < 5; i++) expect((await me(await token())).status).toBe(200);
  expect(requested.length).toBe(before);
});

describe("rejected", () => {
  const now = () => Math.floor(Date.now() / 1000);
  test.each<[string, () => Promise<string>]>([
    ["for another audience", () => token({ claims: { aud: "https://other.example" } })],
    ["without an audience", () => token({ claims: { aud: undefined } })],
    ["expired", () => token({ claims: { exp: now() - 1 } })],
    ["without expiry", () => token({ claims: { exp: undefined } })],
    ["with an e-mail that was not verified", () => token({ claims: { email_verified: false } })],
    ["signed by another key", async () => token({ key: (await generateKeyPair("RS256")).privateKey })],
    [
      "signed with a shared secret",
      () => token({ algorithm: "HS256", key: new TextEncoder().encode("x".repeat(32)) }),
    ],
    ["of another issuer", () => token({ claims: { iss: "https://evil.example" } })],
  ])("%s", async (_name, make) => {
    expect((await me(await make())).status).toBe(401);
  });
});

test("the well-known documents name the provider", async () => {
  const get = async (path: string) => (await started.client("GET", path)).body;
  expect((await get("/.well-known/oauth-protected-resource/v1")).authorization_servers).toEqual([issuer]);
  expect(await get("/.well-known/oauth-authorization-server")).toEqual(metadata);
});

test("if the provider cannot be reached, only its tokens are rejected", async () => {
  const alone = startServer({ settings: { oidcIssuer: "http://127.0.0.1:9" } });
  try {
    const bearer = await token({ claims: { iss: "http://127.0.0.1:9" } });
    expect((await me(bearer, alone)).status).toBe(401);
    expect((await alone.client("GET", "/v1/user/me")).status).toBe(200);
  } finally {
    await alone.stop();
  }
});

test("without a configured provider its tokens are rejected", async () => {
  const plain = startServer();
  try {
    expect((await me(await token(), plain)).status).toBe(401);
  } finally {
    await plain.stop();
  }
});

test("the keys are fetched again for an unknown key id", async () => {
  published.push({ ...(await exportJWK(rotated.publicKey)), kid: "two", alg: "ES256" });
  const fresh = startServer({
    settings: { oidcIssuer: issuer, baseUrl: "https://ctx.example", allowHost: ["127.0.0.1"] },
  });
  try {
    const bearer = await token({ algorithm: "ES256", kid: "two", key: rotated.privateKey });
    expect((await me(bearer, fresh)).status).toBe(200);
  } finally {
    await fresh.stop();
  }
});

// The five forms of credentials, invalid ones, and what makes them invalid.

import { describe, expect, test } from "bun:test";
import { removeUser } from "../../../src/auth/users.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { USER_AGENT, useServer } from "../../helpers/start.ts";
import { forgedTokens, makeToken } from "../../helpers/tokens.ts";

const clock = new ManualClock();
const started = useServer({
  clock,
  settings: { baseUrl: "https://ctx.example", allowHost: ["127.0.0.1"] },
});

async function me(authorization: string | undefined) {
  const headers = {
    "User-Agent": USER_AGENT,
    ...(authorization !== undefined && { Authorization: authorization }),
  };
  const response = await started.send(new Request(`${started.url}/v1/user/me`, { headers }));
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const identity = async (authorization: string) => JSON.parse((await me(authorization)).text).data;

const ALL = ["prompts.read", "prompts.write", "documents.read", "documents.write"];

describe("GET /v1/user/me", () => {
  test.each([
    ["session", "session", ALL],
    ["oauth", "session", ALL],
    ["machine", "machine", ["documents.read"]],
    ["managed", "machine", ["documents.read"]],
  ] as const)("a %s token", async (kind, identityKind, permissions) => {
    const token = await makeToken(started, kind, "ada@example.org", ["documents.read"]);
    const shape = { session: /^eyJ/, oauth: /^oat_eyJ/, machine: /^mt_eyJ/, managed: /^ak_eyJ/ }[kind];
    expect(token).toMatch(shape);
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      const { userId, ...rest } = await identity(`${scheme} ${token}`);
      expect(rest).toEqual({ kind: identityKind, email: "ada@example.org", permissions });
      expect(userId).toMatch(/^[0-9A-Za-z]{27}$/);
    }
  });

  test("an API key", async () => {
    expect((await identity(`API-Key ${started.key.key}`)).kind).toBe("apiKey");
  });
});

test("all invalid Authorization values get the same 401", async () => {
  const token = await makeToken(started, "session", "ada@example.org");
  const { key } = started.key;
  const flip = (text: string, at: number) =>
    text.slice(0, at) + (text[at] === "0" ? "1" : "0") + text.slice(at + 1);
  const invalid: [string, string | undefined][] = [
    ["missing", undefined],
    ["empty", ""],
    ["a scheme alone", "Bearer"],
    ["another scheme", `Basic ${btoa("ada:secret")}`],
    ["Digest", 'Digest username="ada"'],
    ["a bare token", token],
    ["a token as API key", `API-Key ${token}`],
    ["a key as Bearer", `Bearer ${key}`],
    ["two tokens", `Bearer ${token} ${token}`],
    ["a list", `Bearer ${token}, API-Key ${key}`],
    ["a quoted token", `Bearer "${token}"`],
    ["api-key in small letters", `api-key ${key}`],
    ["API-KEY in capitals", `API-KEY ${key}`],
    ["two spaces before a key", `API-Key  ${key}`],
    ["a tab", `API-Key\t${key}`],
    ["another public id", `API-Key ${flip(key, 4)}`],
    ["another secret", `API-Key ${flip(key, 24)}`],
    ["another checksum", `API-Key ${flip(key, key.length - 1)}`],
    ["a short key", `API-Key ${key.slice(0, -1)}`],
    ["the placeholder of the documentation", "API-Key <INVALID_KEY>"],
    ...(await forgedTokens(started, started.key.userId)).map(([name, forged]): [string, string] => [
      name,
      `Bearer ${forged}`,
    ]),
  ];
  expect(invalid.length).toBeGreaterThanOrEqual(40);
  const bodies = new Set<string>();
  for (const [name, authorization] of invalid) {
    const { status, headers, text } = await me(authorization);
    expect([name, status]).toEqual([name, 401]);
    expect(headers.get("www-authenticate")).toBe(
      'Bearer resource_metadata="https://ctx.example/.well-known/oauth-protected-resource/v1", API-Key realm="ctxrepo"',
    );
    expect(headers.has("ratelimit-limit")).toBe(false);
    bodies.add(JSON.parse(text).error.message);
  }
  const [general, ...others] = [...bodies].sort();
  expect(general).toBe("missing or invalid credentials");
  expect(others).toHaveLength(2);
});

test("the message names the right form of a credential in the wrong one, valid or not", async () => {
  const token = await makeToken(started, "machine", "ada@example.org");
  const messageFor = async (authorization: string) =>
    JSON.parse((await me(authorization)).text).error.message;
  const { key } = started.key;
  const asKey = "missing or invalid credentials: send an API key as `Authorization: API-Key gm_…`";
  for (const authorization of [`Bearer ${key}`, "Bearer gm_x_y", `api-key ${key}`, key])
    expect(await messageFor(authorization)).toBe(asKey);
  for (const authorization of [`API-Key ${token}`, "API-Key mt_eyJ"])
    expect(await messageFor(authorization)).toContain("send a token as `Authorization: Bearer …`");
  for (const authorization of ["API-Key gm_x_y", "Bearer eyJ.x.y", "Bearer x"])
    expect(await messageFor(authorization)).toBe("missing or invalid credentials");
});

test("a wrong secret of a known key and an unknown key take the same time", async () => {
  const { credentials } = started.app;
  const { createKey } = await import("../../../src/auth/keys.ts");
  const { findUserByEmail } = await import("../../../src/auth/users.ts");
  const other = started.write((write) => {
    const made = createKey(write, findUserByEmail(write, "owner@localhost")!, {
      name: null,
      scopes: ["documents.read"],
    });
    write.sql.query("UPDATE api_keys SET public_id = ? WHERE public_id = ?").run("Z".repeat(16), made.id);
    return made;
  });
  // A well-formed key with an unknown id, and one whose stored secret differs.
  const unknown = `API-Key ${other.key}`;
  started.app.store.sql
    .query("UPDATE api_keys SET secret_hash = ? WHERE public_id = ?")
    .run("0".repeat(64), started.key.id);
  const wrong = `API-Key ${started.key.key}`;
  const timeOf = async (authorization: string) => {
    const startedAt = performance.now();
    expect(await credentials.identify(authorization, [])).toBeNull();
    return performance.now() - startedAt;
  };
  // The fastest of many alternating calls depends neither on the machine's speed nor on its load.
  let [first, second] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < 800; round++) {
    first = Math.min(first, await timeOf(unknown));
    second = Math.min(second, await timeOf(wrong));
  }
  expect(Math.max(first, second) / Math.min(first, second)).toBeLessThan(3);
});

describe("a credential ends", () => {
  test("a token at its expiry", async () => {
    const token = await makeToken(started, "machine", "brief@example.org", ["documents.read"], 60);
    expect((await me(`Bearer ${token}`)).status).toBe(200);
    clock.advance(60_000);
    expect((await me(`Bearer ${token}`)).status).toBe(401);
  });

  test("tokens and keys of a removed user immediately", async () => {
    const token = await makeToken(started, "session", "leaver@example.org");
    const client = started.clientOf("leaver@example.org");
    const { userId } = await identity(`Bearer ${token}`);
    expect((await client("GET", "/v1/user/me")).status).toBe(200);
    started.write((write) => removeUser(write, userId));
    expect((await me(`Bearer ${token}`)).status).toBe(401);
    expect((await client("GET", "/v1/user/me")).status).toBe(401);
  });

  test("tokens outlive a restart of the server and a change of its address", async () => {
    const { openCredentials } = await import("../../../src/auth/credentials.ts");
    const token = await makeToken(started, "session", "ada@example.org");
    const again = openCredentials(started.app.store, clock, null);
    expect((await again.identify(`Bearer ${token}`, []))?.email).toBe("ada@example.org");
  });
});

describe(".well-known is made from the configuration", () => {
  const get = async (path: string) => {
    const response = await started.send(
      new Request(started.url + path, { headers: { "User-Agent": "node" } }),
    );
    return {
      status: response.status,
      body: (await response.json()) as Record<string, unknown>,
      headers: response.headers,
    };
  };

  test("the protected resource names its authorization server", async () => {
    const { status, body, headers } = await get("/.well-known/oauth-protected-resource/v1");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    expect(body).toEqual({
      resource: "https://ctx.example/v1",
      authorization_servers: ["https://ctx.example"],
      scopes_supported: ALL,
      bearer_methods_supported: ["header"],
    });
  });

  test("there is no authorization server without an identity provider", async () => {
    expect((await get("/.well-known/oauth-authorization-server")).status).toBe(404);
  });

  test("the published key verifies a token, and is not the private one", async () => {
    const { body } = await get("/.well-known/jwks.json");
    const keys = body.keys as Record<string, string>[];
    expect(keys.map((key) => Object.keys(key).sort())).toEqual([["alg", "crv", "kid", "kty", "use", "x"]]);
    const { createLocalJWKSet, jwtVerify } = await import("jose");
    const token = await makeToken(started, "session", "ada@example.org");
    const { payload } = await jwtVerify(token, createLocalJWKSet({ keys } as never), {
      currentDate: new Date(clock.now()),
    });
    expect(payload.kind).toBe("session");
  });
});

// The credential of local commands: it acts as any user, is not rate-limited, and is useless without the secret.

import { expect, test } from "bun:test";
import { createLocalSecret, localAuthorization } from "../../../src/auth/local-access.ts";
import { createClient, startServer, useServer } from "../../helpers/start.ts";

const server = useServer({ settings: { rateLimitRead: 2, rateLimitWrite: 1 } });
const as = (email: string, secret = server.app.credentials.localSecret) =>
  ({ Authorization: localAuthorization(secret, email) }) as Record<string, string>;
const get = (path: string, headers: Record<string, string>) => server.client("GET", path, undefined, headers);

test("it acts as the named user, in any case, with all scopes", async () => {
  server.clientOf("bob@example.org");
  const { status, body } = await get("/v1/user/me", as("Bob@Example.org"));
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ email: "bob@example.org", kind: "session" });
  const created = await server.client(
    "POST",
    "/v1/documents",
    { title: "t", content: "" },
    as("bob@example.org"),
  );
  expect(created.status).toBe(201);
  expect((await get(`/v1/documents/${created.body.data.id}`, as("owner@localhost"))).status).toBe(404);
});

test("its requests are neither limited nor counted", async () => {
  for (let i = 0; i < 5; i++) {
    const { status, headers } = await get("/v1/user/me", as("owner@localhost"));
    expect([status, headers.get("ratelimit-remaining")]).toEqual([200, "1000000"]);
  }
  const counted = await server.client("GET", "/v1/user/me");
  expect(counted.headers.get("ratelimit-remaining")).toBe("1");
});

test("an unknown user is 403 and not created; the local owner is created on first use", async () => {
  const unknown = await get("/v1/user/me", as("nobody@example.org"));
  expect([unknown.status, unknown.body.error.message]).toEqual([
    403,
    expect.stringContaining("does not exist"),
  ]);
  expect((await get("/v1/user/me", as("nobody@example.org"))).status).toBe(403);
  const fresh = startServer();
  fresh.write(({ sql }) => sql.run("DELETE FROM users"));
  const reply = await createClient(fresh.url, "", fresh.send)("GET", "/v1/user/me", undefined, {
    Authorization: localAuthorization(fresh.app.credentials.localSecret, "owner@localhost"),
  });
  expect([reply.status, reply.body.data.email]).toEqual([200, "owner@localhost"]);
  await fresh.stop();
});

test.each([
  ["another secret", () => localAuthorization(createLocalSecret(), "owner@localhost")],
  ["an empty secret", () => localAuthorization("", "owner@localhost")],
  ["no user", () => `Local ${server.app.credentials.localSecret}`],
  ["an empty user", () => `Local ${server.app.credentials.localSecret}.`],
  ["the secret as a bearer token", () => `Bearer ${server.app.credentials.localSecret}`],
  ["the secret as a key", () => `API-Key ${server.app.credentials.localSecret}`],
])("%s is 401", async (_name, authorization) => {
  expect((await get("/v1/user/me", { Authorization: authorization() })).status).toBe(401);
});

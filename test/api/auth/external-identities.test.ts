// Which user an identity of an external provider is: by issuer and subject, and by a verified e-mail address only for
// users whom a provider created.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { findUserByEmail, ensureUser, LOCAL_OWNER, listUsers } from "../../../src/auth/users.ts";
import { runHere } from "../../cli/usage.ts";
import { runProgram } from "../../helpers/program.ts";
import { startServer, type Reply, type Started } from "../../helpers/start.ts";

let started: Started;
let provider: ReturnType<typeof Bun.serve>;
let issuer: string;
let pair: Awaited<ReturnType<typeof generateKeyPair>>;

beforeAll(async () => {
  pair = await generateKeyPair("ES256", { extractable: true });
  const keys: JWK[] = [{ ...(await exportJWK(pair.publicKey)), kid: "one", alg: "ES256" }];
  provider = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) =>
      Response.json(
        url.endsWith("/openid-configuration") ? { issuer, jwks_uri: `${issuer}/keys` } : { keys },
      ),
  });
  issuer = `http://127.0.0.1:${provider.port}`;
});
afterAll(() => provider.stop(true));

beforeEach(() => {
  started = startServer({
    settings: { oidcIssuer: issuer, baseUrl: "https://ctx.example", allowHost: ["127.0.0.1"] },
  });
});
afterEach(() => started.stop());

/** The caller by a token of the provider with these claims. */
async function me(claims: Record<string, unknown>): Promise<Reply> {
  const now = Math.floor(Date.now() / 1000);
  const token = await new SignJWT({
    iss: issuer,
    aud: "https://ctx.example",
    iat: now,
    exp: now + 60,
    ...claims,
  })
    .setProtectedHeader({ alg: "ES256", kid: "one" })
    .sign(pair.privateKey);
  return started.client("GET", "/v1/user/me", undefined, { Authorization: `Bearer ${token}` });
}
const userCount = () => listUsers(started.app.store).length;
const verified = (email: unknown) => ({ email, email_verified: true });

/** A user as version 0.2.0 created them for a provider: without an identity. */
const createEarlier = (email: string) =>
  started.write((write) => {
    const user = ensureUser(write, email);
    write.sql.run("UPDATE users SET origin = 'provider' WHERE id = ?", [user.id]);
    return user;
  });

describe("an e-mail address that is not verified", () => {
  test.each<[string, unknown]>([
    ["without email_verified", undefined],
    ["with the text false", "false"],
    ["with the text true", "true"],
    ["with 1", 1],
    ["with 0", 0],
    ["with null", null],
  ])("is no address of anybody: %s", async (_name, email_verified) => {
    const owner = findUserByEmail(started.app.store, LOCAL_OWNER)!;
    for (const email of [LOCAL_OWNER, "OWNER@LOCALHOST", "new@example.org"]) {
      const { status, body } = await me({ sub: `attacker ${email}`, email, email_verified });
      expect(status).toBe(200);
      expect(body.data.userId).not.toBe(owner.id);
      expect(body.data.email).toMatch(/^subject-[0-9a-f]{32}@oidc\.invalid$/);
    }
    expect(findUserByEmail(started.app.store, "new@example.org")).toBeUndefined();
  });

  test("with false is rejected", async () => {
    const before = userCount();
    expect((await me({ sub: "s", email: "a@example.org", email_verified: false })).status).toBe(401);
    expect(userCount()).toBe(before);
  });
});

test("a verified address names a new user, whom later tokens find by subject alone", async () => {
  const first = (await me({ sub: "s1", ...verified("Eve@Example.org") })).body.data;
  expect(first.email).toBe("eve@example.org");
  for (const claims of [{}, verified("other@example.org"), { email: LOCAL_OWNER }])
    expect((await me({ sub: "s1", ...claims })).body.data.userId).toBe(first.userId);
  expect(findUserByEmail(started.app.store, "other@example.org")).toBeUndefined();
});

test("a verified address links another subject to the user whom a provider created", async () => {
  const first = (await me({ sub: "s1", ...verified("eve@example.org") })).body.data;
  expect((await me({ sub: "s2", ...verified("EVE@example.org") })).body.data.userId).toBe(first.userId);
  expect((await me({ sub: "s3", email: "eve@example.org" })).body.data.userId).not.toBe(first.userId);
});

test.each([
  ["the local owner", LOCAL_OWNER],
  ["a user whom a command created", "carol@example.org"],
])("a verified address never links to %s", async (_name, email) => {
  const user = started.write((write) => ensureUser(write, email));
  const { status, body } = await me({ sub: "s1", ...verified(email) });
  expect(status).toBe(403);
  expect(body.error.message).toContain(`ctxrepo users link ${user.email} --issuer ${issuer} --subject s1`);
  expect(userCount()).toBe(new Set([LOCAL_OWNER, email]).size);
});

test("subjects without an address are different users, always the same for each", async () => {
  const ids = async () =>
    Promise.all(["a", "b", "A", "a "].map(async (sub) => (await me({ sub })).body.data.userId));
  const first = await ids();
  expect(new Set(first).size).toBe(4);
  expect(await ids()).toEqual(first);
});

test("the address of a user without one is nobody's verified address", async () => {
  const first = (await me({ sub: "a" })).body.data;
  const { email } = listUsers(started.app.store).find(({ id }) => id === first.userId)!;
  expect(email).toEndWith("@oidc.invalid");
  const second = (await me({ sub: "b", ...verified(email) })).body.data;
  expect(second.userId).not.toBe(first.userId);
});

test("two first requests at once make one user", async () => {
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => me({ sub: "s1", ...verified("eve@example.org") })),
  );
  expect(new Set(replies.map(({ body }) => body.data.userId)).size).toBe(1);
});

test.each<[string, unknown]>([
  ["an object", { a: 1 }],
  ["empty", ""],
  ["3,000 characters", "x".repeat(3_000)],
  ["a control character", "a\nb"],
  ["other letters", "ü"],
])("a subject that is %s is 401", async (_name, sub) => {
  expect((await me({ sub })).status).toBe(401);
  expect(userCount()).toBe(1);
});

test.each([
  ["only an @", "@"],
  ["two", "a@b@c"],
  ["no @", "eve"],
  ["a control character", "a\n\u001b[31m@b"],
  ["an override of the direction", "a\u202e@b"],
  ["a space", "a b@c"],
  ["a lone surrogate", "a\ud800@b"],
  ["another form of a letter", "\u212arl@example.org"],
  ["4,000 characters", `@${"y".repeat(4_000)}`],
  ["255 bytes", `${"a".repeat(243)}@example.org`],
])("a verified address with %s is no address", async (_name, email) => {
  const { status, body } = await me({ sub: "s1", ...verified(email) });
  expect(status).toBe(200);
  expect(body.data.email).toEndWith("@oidc.invalid");
});

test("a name is stored on one short line", async () => {
  const name = `Eve\n\u001b[31m${"x".repeat(3_000)}`;
  const { body } = await me({ sub: "s1", name });
  expect(body.data.name).toMatch(/^Eve \[31mx+…$/);
  expect(body.data.name.length).toBe(200);
});

describe("a user of version 0.2.0, who was known by an address only", () => {
  test("is linked by a verified address", async () => {
    const earlier = createEarlier("dora@example.org");
    expect((await me({ sub: "s1", ...verified("dora@example.org") })).body.data.userId).toBe(earlier.id);
    expect((await me({ sub: "s1" })).body.data.userId).toBe(earlier.id);
  });

  test.each([
    ["an address that is not verified", "dora@example.org", { sub: "s1", email: "dora@example.org" }],
    ["the address made of the subject", "auth0%7cs1@127.0.0.1", { sub: "auth0|s1" }],
  ])("is not linked by %s, and the message says how", async (_name, email, claims) => {
    const earlier = createEarlier(email);
    const { status, body } = await me(claims);
    expect(status).toBe(403);
    expect(body.error.message).toContain(
      `users link ${earlier.email} --issuer ${issuer} --subject ${claims.sub}`,
    );
    expect(userCount()).toBe(2);
  });

  test("does not keep others out once linked", async () => {
    createEarlier("dora@example.org");
    const { userId } = (await me({ sub: "s1", ...verified("dora@example.org") })).body.data;
    const other = await me({ sub: "s2", email: "dora@example.org" });
    expect(other.status).toBe(200);
    expect(other.body.data.userId).not.toBe(userId);
  });
});

describe("users link", () => {
  const link = (email: string, subject: string, more: string[] = []) =>
    runProgram([
      "users",
      "link",
      email,
      "--issuer",
      issuer,
      "--subject",
      subject,
      "--data-dir",
      started.app.settings.dataDir,
      ...more,
    ]);

  test("links an identity to any user, and moves it", async () => {
    const own = (await me({ sub: "s1" })).body.data;
    const first = await link("OWNER@localhost", "s1", ["--json"]);
    expect(first.code).toBe(0);
    const owner = findUserByEmail(started.app.store, LOCAL_OWNER)!;
    expect(JSON.parse(first.stdout)).toEqual({
      success: true,
      id: owner.id,
      email: LOCAL_OWNER,
      issuer,
      subject: "s1",
      before: own.email,
    });
    expect((await me({ sub: "s1" })).body.data.userId).toBe(owner.id);
    expect((await me({ sub: "s2", ...verified(LOCAL_OWNER) })).status).toBe(403);
    expect((await link(own.email, "s1")).stderr).toContain(
      `acts as ${own.email} and no longer as ${LOCAL_OWNER}`,
    );
    expect((await me({ sub: "s1" })).body.data.userId).toBe(own.userId);
  });

  test("is shown by users list", async () => {
    await me({ sub: "s1", ...verified("eve@example.org") });
    const { stdout } = await runProgram([
      "users",
      "list",
      "--json",
      "--data-dir",
      started.app.settings.dataDir,
    ]);
    const users: { email: string }[] = JSON.parse(stdout);
    expect(users.find(({ email }) => email === "eve@example.org")).toMatchObject({
      identities: [{ issuer, subject: "s1" }],
    });
    expect(users.find(({ email }) => email === LOCAL_OWNER)).not.toHaveProperty("identities");
  });

  test.each([
    ["an unknown user", ["nobody@example.org", "--issuer", "https://a.example", "--subject", "s"], 1],
    ["an issuer that is no URL", [LOCAL_OWNER, "--issuer", "a.example", "--subject", "s"], 2],
    ["an issuer without TLS", [LOCAL_OWNER, "--issuer", "http://a.example", "--subject", "s"], 2],
    ["an empty subject", [LOCAL_OWNER, "--issuer", "https://a.example", "--subject", ""], 2],
    ["no subject", [LOCAL_OWNER, "--issuer", "https://a.example"], 2],
  ])("%s is rejected", async (_name, args, code) => {
    const given = ["users", "link", ...args, "--data-dir", started.app.settings.dataDir];
    expect((await runProgram(given)).code).toBe(code);
  });
});

test("a removed user loses the identity, which is then a new user", async () => {
  const first = (await me({ sub: "s1", ...verified("eve@example.org") })).body.data;
  const removed = await runProgram([
    "users",
    "remove",
    "eve@example.org",
    "--data-dir",
    started.app.settings.dataDir,
  ]);
  expect(removed.code).toBe(0);
  const second = await me({ sub: "s1", ...verified("eve@example.org") });
  expect(second.status).toBe(200);
  expect(second.body.data.userId).not.toBe(first.userId);
});

test.each(["bob", "@", "a@b@c", "a b@c", "a\u0007@b", "a\u202e@b", `${"a".repeat(243)}@example.org`])(
  "keys and tokens are created for no user with the address %j",
  async (email) => {
    for (const command of [
      ["keys", "create"],
      ["tokens", "create", "--kind", "session"],
    ]) {
      const { code, stderr } = await runHere([
        ...command,
        "--user",
        email,
        "--data-dir",
        started.app.settings.dataDir,
      ]);
      expect([code, stderr]).toEqual([2, expect.stringContaining("must be an e-mail address")]);
    }
    expect(userCount()).toBe(1);
  },
);

// Another user's data: every operation on one record × private and public × every credential kind. A record of another
// user and an unknown one get the same reply. Generated from the table of operations; a new one on a record needs a
// body here.

import { beforeAll, describe, expect, test } from "bun:test";
import { TOKEN_KINDS } from "../../../src/auth/tokens.ts";
import { OPERATIONS } from "../../../src/operations.ts";
import { USER_AGENT, useServer } from "../../helpers/start.ts";
import { makeToken } from "../../helpers/tokens.ts";

const records: Record<string, string> = {};
const credentials: [string, () => Promise<string>][] = [
  [
    "gm_ key",
    async () => {
      const { createKey } = await import("../../../src/auth/keys.ts");
      const { ensureUser } = await import("../../../src/auth/users.ts");
      const scopes = ["prompts.write", "documents.write"] as const;
      const made = started.write((write) =>
        createKey(write, ensureUser(write, "spy@example.org"), { name: null, scopes: [...scopes] }),
      );
      return `API-Key ${made.key}`;
    },
  ],
  ...TOKEN_KINDS.map((kind): [string, () => Promise<string>] => [
    `${kind} token`,
    async () => `Bearer ${await makeToken(started, kind, "spy@example.org")}`,
  ]),
];

const started = useServer();

beforeAll(async () => {
  const { create } = started;
  records.document = await create("/v1/documents", { title: "Secret plans", content: "# A\n\nthe plan" });
  for (const isPublic of [false, true]) {
    const name = isPublic ? "public" : "private";
    records[`${name} prompt`] = await create("/v1/prompts", {
      title: name,
      description: "d",
      content: "c",
      isPublic,
    });
    records[`${name} collection`] = await create("/v1/collections", { name, isPublic });
  }
  await started.settle();
  records.chunk = started.app.store.sql.query<{ id: string }, []>("SELECT id FROM chunks LIMIT 1").get()!.id;
});

const item = { itemType: "document", itemIds: ["0".repeat(27)] };
const BODIES: Record<string, unknown> = {
  "documents.update": { title: "mine" },
  "documents.restore": { versionId: "0".repeat(27) },
  "documents.refresh": {},
  "coordination.enable": {},
  "coordination.disable": {},
  "coordination.lease": { action: "acquire" },
  "prompts.update": { title: "mine" },
  "prompts.restore": { versionId: "0".repeat(27) },
  "collections.update": { name: "mine" },
  "collections.items.add": item,
  "collections.items.remove": item,
};
/** The operations on public records of other users that are allowed. */
const PUBLIC_READS = /^(prompts\.get|collections\.get|collections\.items\.list)$/;

async function send(operation: (typeof OPERATIONS)[number], id: string, authorization: string) {
  const body = operation.body ? JSON.stringify(BODIES[operation.name]) : undefined;
  const response = await started.send(
    new Request(started.url + operation.path.replace(":id", id), {
      method: operation.method,
      headers: {
        "User-Agent": USER_AGENT,
        Authorization: authorization,
        "If-Match": '"x"',
        "Idempotency-Key": `${operation.name} ${id} ${crypto.randomUUID()}`,
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
      body,
    }),
  );
  return { status: response.status, text: await response.text() };
}

const onRecords = OPERATIONS.filter(({ path }) => path.includes(":id"));
const nounOf = (path: string) =>
  path.startsWith("/v1/pd/") ? "chunk" : path.replace(/^\/v1\/(\w+)s\/.*$/, "$1");

test("every operation on a record has a body in this test", () => {
  expect(onRecords.length).toBeGreaterThanOrEqual(20);
  const missing = onRecords.filter(({ name, body }) => body && !(name in BODIES)).map(({ name }) => name);
  expect(missing).toEqual([]);
});

describe.each(credentials)("with a %s", (_form, make) => {
  test.each(onRecords.map((operation) => [operation.name, operation] as const))(
    "%s",
    async (_name, operation) => {
      const authorization = await make();
      const missing = await send(operation, "0".repeat(27), authorization);
      expect(missing.status).toBe(404);
      const noun = nounOf(operation.path);
      const foreign = await send(operation, (records[noun] ?? records[`private ${noun}`])!, authorization);
      expect(foreign).toEqual(missing);
      const open = records[`public ${noun}`];
      if (open === undefined) return;
      const reply = await send(operation, open, authorization);
      expect(reply.status).toBe(PUBLIC_READS.test(operation.name) ? 200 : 403);
    },
  );
});

test("no record was changed", async () => {
  const { body } = await started.client("GET", `/v1/documents/${records.document}`);
  expect(body.data).toMatchObject({ title: "Secret plans", revision: 0 });
  for (const name of ["private", "public"]) {
    expect((await started.client("GET", `/v1/prompts/${records[`${name} prompt`]}`)).body.data.title).toBe(
      name,
    );
    expect(
      (await started.client("GET", `/v1/collections/${records[`${name} collection`]}`)).body.data.name,
    ).toBe(name);
  }
});

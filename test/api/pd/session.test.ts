// POST /v1/pd/session, and the effect of a session on its searches.

import { beforeAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { type FakeEmbedder, fakeEmbedder } from "../../helpers/embedder.ts";
import { makeTempDir, startServer, useServer } from "../../helpers/start.ts";

const NAMES = ["one", "two", "three", "four", "five", "six"];
const CONTENT = NAMES.map((name) => `zebra ${name}`).join("\n\n");
const RECORDED_MAX = 10_000;

const clock = new ManualClock();
const words = fakeEmbedder();
/** Called while a question is being embedded. */
let whileEmbedding = () => {};
const embedder: FakeEmbedder = {
  ...words,
  embedQuery(text) {
    whileEmbedding();
    return words.embedQuery(text);
  },
};

const started = useServer({ clock, embedder });
const { client } = started;

beforeAll(async () => {
  await client("POST", "/v1/documents", { title: "Zebras", content: CONTENT });
  await started.settle();
});

const begin = async (from = client, body: object | undefined = undefined) => {
  const reply = await from("POST", "/v1/pd/session", body);
  expect(reply.status).toBe(201);
  return reply.body.data as { sessionId: string; createdAt: number; expiresAt: number };
};
const search = async (body: object, from = client) => {
  const reply = await from("POST", "/v1/pd/search", { query: "zebra", ...body });
  expect(reply.status).toBe(200);
  return reply.body.data.results.map(({ content }: { content: string }) => content) as string[];
};
const statusOf = async (sessionId: string, from = client) =>
  (await from("POST", "/v1/pd/search", { query: "zebra", sessionId })).status;
const count = (table: "search_sessions" | "search_session_chunks") =>
  started.app.store.sql.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()!.n;

describe("creating a session", () => {
  test.each<[string, object | undefined, Record<string, string>, number]>([
    ["no body, no Content-Type", undefined, {}, 1800],
    ["no body, but a Content-Type", undefined, { "Content-Type": "application/json" }, 1800],
    ["an empty object", {}, {}, 1800],
    ["unknown members", { sessionId: "mine", expiresAt: 1 }, {}, 1800],
    ["the minimum ttl", { ttl: 60 }, {}, 60],
    ["the maximum ttl", { ttl: 86_400 }, {}, 86_400],
  ])("%s", async (_name, body, headers, seconds) => {
    const reply = await client("POST", "/v1/pd/session", body, headers);
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      data: {
        sessionId: expect.stringMatching(/^[0-9A-Za-z]{27}$/),
        createdAt: clock.now(),
        expiresAt: clock.now() + seconds * 1000,
      },
    });
  });

  test.each([59, 86_401, 0, -60, 60.5, "60", null, true, {}])("ttl %p is 400", async (ttl) => {
    const reply = await client("POST", "/v1/pd/session", { ttl });
    expect([reply.status, reply.body.error.details[0].path]).toEqual([400, "ttl"]);
  });

  test("a body that is no object is 400", async () => {
    for (const body of ["[]", "null", "60", "{"]) {
      expect((await client("POST", "/v1/pd/session", body)).status).toBe(400);
    }
  });

  test("any credential may create one", async () => {
    await begin(started.clientOf("session-prompts@example.org", ["prompts.read"]));
  });
});

describe("searches in a session", () => {
  test("each chunk is returned once, and limit counts the others", async () => {
    const { sessionId } = await begin();
    const all = await search({});
    expect(all.toSorted()).toEqual(NAMES.map((name) => `zebra ${name}`).sort());
    expect(await search({ sessionId, limit: 2 })).toEqual(all.slice(0, 2));
    expect(await search({ sessionId, limit: 3 })).toEqual(all.slice(2, 5));
    expect(await search({ sessionId, limit: 3, query: "zebra one" })).toEqual(all.slice(5));
    expect(await search({ sessionId })).toEqual([]);
    expect(await search({})).toEqual(all);
    expect(await search({ sessionId: (await begin()).sessionId })).toEqual(all);
  });

  test("chunks beyond maxTokens are returned by the next search", async () => {
    const { sessionId } = await begin();
    const all = await search({});
    expect(await search({ sessionId, maxTokens: 1 })).toEqual(all.slice(0, 1));
    expect(await search({ sessionId, maxTokens: 1 })).toEqual(all.slice(1, 2));
    expect(await search({ sessionId })).toEqual(all.slice(2));
  });

  test("concurrent searches never return the same chunk", async () => {
    const { sessionId } = await begin();
    const shown = await Promise.all(Array.from({ length: 4 }, () => search({ sessionId, limit: 2 })));
    expect(shown.flat().toSorted()).toEqual((await search({})).toSorted());
  });

  test("a chunk that was indexed again is another chunk", async () => {
    const mine = started.clientOf("session-recut@example.org");
    const content = "giraffe one\n\ngiraffe two";
    const { id } = (await mine("POST", "/v1/documents", { title: "G", content })).body.data;
    await started.settle();
    const { sessionId } = await begin(mine);
    const giraffes = () => search({ sessionId, query: "giraffe" }, mine);
    expect((await giraffes()).length).toBe(2);
    expect(await giraffes()).toEqual([]);
    await mine("PATCH", `/v1/documents/${id}`, { content: `${content}\n\ngiraffe three` });
    await started.settle();
    expect((await giraffes()).length).toBe(3);
  });

  test("another credential of the same user may use it", async () => {
    const { sessionId } = await begin(started.clientOf("owner@localhost", ["prompts.read"]));
    expect(await statusOf(sessionId)).toBe(200);
  });

  test("a session that has reached its maximum of chunks is rejected", async () => {
    const { sessionId } = await begin();
    const record = (from: number, to: number) =>
      started.write(({ sql }) => {
        const insert = sql.query("INSERT INTO search_session_chunks (session_id, chunk_id) VALUES (?, ?)");
        for (let at = from; at < to; at++) insert.run(sessionId, `chunk ${at}`);
      });
    record(0, RECORDED_MAX - 1);
    expect(await search({ sessionId, limit: 1 })).toHaveLength(1);
    const reply = await client("POST", "/v1/pd/search", { query: "zebra", sessionId });
    expect([reply.status, reply.body.error.details[0].path]).toEqual([400, "sessionId"]);
  });
});

describe("a session that does not exist is 404", () => {
  test.each(["0".repeat(27), "not an id", ""])("unknown: %p", async (sessionId) => {
    expect(await statusOf(sessionId)).toBe(404);
  });

  test("another user's", async () => {
    const { sessionId } = await begin();
    expect(await statusOf(sessionId, started.clientOf("session-other@example.org"))).toBe(404);
  });

  test("expired, from expiresAt on", async () => {
    const { sessionId, expiresAt } = await begin(client, { ttl: 60 });
    clock.advance(expiresAt - clock.now() - 1);
    expect(await statusOf(sessionId)).toBe(200);
    clock.advance(1);
    expect(await statusOf(sessionId)).toBe(404);
  });

  test("before the question is embedded", async () => {
    let asked = 0;
    whileEmbedding = () => void asked++;
    try {
      expect(await statusOf("0".repeat(27))).toBe(404);
      expect(asked).toBe(0);
      expect(await statusOf((await begin()).sessionId)).toBe(200);
      expect(asked).toBe(1);
    } finally {
      whileEmbedding = () => {};
    }
  });

  test("expired while the question was being embedded", async () => {
    const { sessionId } = await begin(client, { ttl: 60 });
    whileEmbedding = () => clock.advance(60_000);
    try {
      expect(await statusOf(sessionId)).toBe(404);
    } finally {
      whileEmbedding = () => {};
    }
  });

  test("after the check of the body", async () => {
    const body = { query: "zebra", sessionId: "0".repeat(27), limit: 0 };
    expect((await client("POST", "/v1/pd/search", body)).status).toBe(400);
  });

  test.each([null, 5])("sessionId %p is 400", async (sessionId) => {
    expect((await client("POST", "/v1/pd/search", { query: "zebra", sessionId })).status).toBe(400);
  });
});

test("creating a session deletes expired ones, a limited number at a time", async () => {
  clock.advance(86_400_000);
  started.write(({ sql, now, newId }) => {
    for (let session = 0; session < 300; session++) {
      const id = newId();
      sql
        .query("INSERT INTO search_sessions (id, user_id, created_at, expires_at) VALUES (?, ?, ?, ?)")
        .run(id, started.key.userId, 0, now - 300 + session);
      // The oldest have no chunks.
      for (let chunk = 0; session >= 150 && chunk < 30; chunk++) {
        sql
          .query("INSERT INTO search_session_chunks (session_id, chunk_id) VALUES (?, ?)")
          .run(id, `chunk ${chunk}`);
      }
    }
  });
  const expired = (made: number) => count("search_sessions") - made;
  let shown: string[] = [];
  let made = 0;
  while (expired(made) > 0) {
    const [sessions, rows] = [expired(made), count("search_session_chunks")];
    const { sessionId } = await begin();
    const deletedSessions = sessions - expired(++made);
    const deletedRows = rows - count("search_session_chunks");
    expect(deletedSessions).toBeLessThanOrEqual(100);
    expect(deletedRows).toBeLessThanOrEqual(2_000);
    expect(deletedSessions + deletedRows).toBeGreaterThan(0);
    if (made === 1) shown = await search({ sessionId, limit: 2 });
  }
  expect(shown.length).toBe(2);
  expect(count("search_sessions")).toBe(made);
  expect(count("search_session_chunks")).toBe(2);
});

test("sessions and their chunks outlive the process", async () => {
  const dataDir = makeTempDir();
  const first = startServer({ clock, dataDir });
  let sessionId: string;
  let all: string[];
  try {
    await first.client("POST", "/v1/documents", { title: "Zebras", content: CONTENT });
    await first.settle();
    all = await search({}, first.client);
    ({ sessionId } = await begin(first.client));
    expect(await search({ sessionId, limit: 2 }, first.client)).toEqual(all.slice(0, 2));
  } finally {
    await first.stop();
  }
  const second = startServer({ clock, dataDir });
  try {
    expect(await search({ sessionId }, second.client)).toEqual(all.slice(2));
    clock.advance(1_800_000);
    expect(await statusOf(sessionId, second.client)).toBe(404);
  } finally {
    await second.stop();
    rmSync(dataDir, { recursive: true });
  }
});

// Idempotency receipts through POST /v1/documents, and the functions behind them for cases that HTTP cannot reach.

import { beforeEach, describe, expect, spyOn, test } from "bun:test";
import { purgeReceipts, RECEIPT_LIFE_MS } from "../../../src/db/receipts.ts";
import { type InFlight, repeatedBy, startKeyed } from "../../../src/http/idempotency.ts";
import { noParameters } from "../../../src/http/operation.ts";
import { parseBody } from "../../../src/http/parse-body.ts";
import { canonicalJson } from "../../../src/kernel/canonical-json.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { type Reply, startServer, useServer } from "../../helpers/start.ts";

const clock = new ManualClock();
const started = useServer({ clock });

let key = "";
let nextKey = 0;
beforeEach(() => {
  key = `key ${nextKey++}`;
});

const document = { title: "Once", content: "only", metadata: { a: 1, b: [{ c: 2, d: 3 }] } };
const post = (body: unknown, headers: Record<string, string> = {}) =>
  started.client("POST", "/v1/documents", body, { "Idempotency-Key": key, ...headers });
/** Posts the document while inserts into a table fail. */
async function postWithFailing(table: string): Promise<Reply> {
  const { sql } = started.app.store;
  sql.run(`CREATE TRIGGER broken BEFORE INSERT ON ${table} BEGIN SELECT raise(ABORT, 'disk trouble'); END`);
  const reply = await post(document);
  sql.run("DROP TRIGGER broken");
  return reply;
}
const countDocuments = () =>
  started.app.store.sql.query<{ n: number }, []>("SELECT count(*) AS n FROM documents").get()!.n;
const countReceipts = () =>
  started.app.store.sql.query<{ n: number }, []>("SELECT count(*) AS n FROM idempotency_receipts").get()!.n;
const replayable = ({ status, body, headers }: Reply) => ({
  status,
  body,
  ...Object.fromEntries(
    ["location", "etag", "x-service-revision", "x-service-content-hash"].map((name) => [
      name,
      headers.get(name),
    ]),
  ),
});

describe("replay", () => {
  test("the same request is executed once and gets the same reply", async () => {
    const before = countDocuments();
    const first = await post(document);
    expect(first.status).toBe(201);
    expect(first.headers.has("idempotent-replayed")).toBe(false);
    clock.advance(5_000);
    const second = await post(document);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(replayable(second)).toEqual(replayable(first));
    expect(countDocuments()).toBe(before + 1);
  });

  test("the order of members and white space are ignored", async () => {
    const first = await post(document);
    const shuffled = '{ "metadata": {"b":[{"d":3,"c":2}], "a":1.0},\n"content":"only","title":"Once" }';
    const second = await post(shuffled);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(second.body).toEqual(first.body);
  });

  test("a replay counts for the rate limit and has current counters", async () => {
    const limited = startServer({ clock, settings: { rateLimitWrite: 3 } });
    try {
      const send = () => limited.client("POST", "/v1/documents", document, { "Idempotency-Key": "k" });
      expect((await send()).headers.get("ratelimit-remaining")).toBe("2");
      expect((await send()).headers.get("ratelimit-remaining")).toBe("1");
      expect((await send()).headers.get("ratelimit-remaining")).toBe("0");
      expect((await send()).status).toBe(429);
    } finally {
      await limited.stop();
    }
  });

  test("a replay is sent when the first request is on the disk", async () => {
    await post(document);
    const disk = Promise.withResolvers<void>();
    const synced = spyOn(started.app.store, "synced").mockReturnValue(disk.promise);
    let isSent = false;
    const replay = post(document).finally(() => {
      isSent = true;
    });
    while (synced.mock.calls.length === 0) await new Promise((turn) => setImmediate(turn));
    expect(isSent).toBe(false);
    disk.resolve();
    expect((await replay).headers.get("idempotent-replayed")).toBe("true");
    synced.mockRestore();
  });

  test("concurrent requests with one key make one document", async () => {
    const before = countDocuments();
    const replies = await Promise.all(Array.from({ length: 20 }, () => post(document)));
    expect(countDocuments()).toBe(before + 1);
    const ids = new Set(replies.filter(({ status }) => status === 201).map(({ body }) => body.data.id));
    expect(ids.size).toBe(1);
    expect(replies.every(({ status }) => status === 201 || status === 409)).toBe(true);
  });
});

describe("the same key for something else", () => {
  test.each([
    ["another body", { ...document, content: "other" }, {}],
    ["another member", { ...document, tags: [] }, {}],
    ["another If-Match", document, { "If-Match": '"x"' }],
    ["another lease", document, { "X-Service-Lease-Id": "x" }],
    ["another fence", document, { "X-Service-Lease-Fence": "1" }],
  ])("%s is 422", async (_name, body, headers) => {
    await post(document);
    const reply = await post(body, headers);
    expect(reply.status).toBe(422);
    expect(reply.body.error.details.reason).toBe("IDEMPOTENCY_KEY_REUSED");
    expect(reply.body.error.message).toStartWith("IDEMPOTENCY_KEY_REUSED: ");
    expect((await post(document)).headers.get("idempotent-replayed")).toBe("true");
  });

  test("another user has keys of their own", async () => {
    const first = await post(document);
    const other = started.clientOf("other@example.org");
    const reply = await other("POST", "/v1/documents", document, { "Idempotency-Key": key });
    expect(reply.headers.has("idempotent-replayed")).toBe(false);
    expect(reply.body.data.id).not.toBe(first.body.data.id);
  });

  test("operations without keys ignore the header, malformed or not", async () => {
    for (const value of [key, "é", "x".repeat(300)]) {
      const { status } = await started.client("GET", "/v1/user/me", undefined, { "Idempotency-Key": value });
      expect(status).toBe(200);
    }
  });
});

describe("which replies are stored", () => {
  test.each([
    ["400 of a field", { title: "", content: "" }, 400],
    ["400 of malformed JSON", "{", 400],
    ["413", { title: "x".repeat(513), content: "" }, 413],
  ])("%s is replayed", async (_name, body, status) => {
    const first = await post(body);
    expect(first.status).toBe(status);
    const second = await post(body);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(replayable(second)).toEqual(replayable(first));
    expect((await post(document)).status).toBe(422);
  });

  test("401, 403 and 422 leave no receipt", async () => {
    const before = countReceipts();
    await started.client("POST", "/v1/documents", document, {
      "Idempotency-Key": key,
      Authorization: "Bearer x",
    });
    await started.clientOf("r@example.org", ["documents.read"])("POST", "/v1/documents", document, {
      "Idempotency-Key": key,
    });
    expect(countReceipts()).toBe(before);
    expect((await post(document)).headers.has("idempotent-replayed")).toBe(false);
    await post({ ...document, title: "Other" });
    expect(countReceipts()).toBe(before + 1);
  });

  test("a 500 leaves no receipt, and the retry is executed", async () => {
    const failed = await postWithFailing("document_versions");
    expect(failed.status).toBe(500);
    expect(failed.body).toEqual({ error: { code: 500, message: "internal server error" } });
    const again = await post(document);
    expect(again.status).toBe(201);
    expect(again.headers.has("idempotent-replayed")).toBe(false);
  });

  test("effect and receipt commit together or not at all", async () => {
    const before = countDocuments();
    const failed = await postWithFailing("idempotency_receipts");
    expect(failed.status).toBe(500);
    expect(countDocuments()).toBe(before);
  });
});

describe("24 hours from creation", () => {
  test("not extended by a replay; afterwards the key is free and the receipt is deleted", async () => {
    const first = await post(document);
    clock.advance(RECEIPT_LIFE_MS - 1);
    expect((await post(document)).headers.get("idempotent-replayed")).toBe("true");
    clock.advance(1);
    const fresh = await post(document);
    expect(fresh.headers.has("idempotent-replayed")).toBe(false);
    expect(fresh.body.data.id).not.toBe(first.body.data.id);
    clock.advance(RECEIPT_LIFE_MS);
    for (let rounds = 0; started.write(purgeReceipts); rounds++) expect(rounds).toBeLessThan(10);
    expect(countReceipts()).toBe(0);
  });
});

describe("the key itself", () => {
  test.each([
    ["255 characters", "x".repeat(255), 201],
    ["quotes and spaces", '"a b"', 201],
    ["256 characters", "x".repeat(256), 400],
    ["a letter beyond ASCII", "clé", 400],
    ["a delete character", "a\x7f", 400],
  ])("%s", async (_name, value, status) => {
    key = `${value}`;
    const reply = await post({ title: `t ${value.length}`, content: "" });
    expect(reply.status).toBe(status);
    if (status === 400) expect(reply.body.error.details[0].path).toBe("Idempotency-Key");
  });

  test("an empty one is 400, before the body is parsed", async () => {
    key = "";
    expect((await post("{")).body.error.details[0].path).toBe("Idempotency-Key");
  });
});

describe("the functions", () => {
  const receiptKey = { userId: "u", operation: "o", key: "k" };

  test("a request that is still being worked on is a conflict, until it ends", () => {
    const inFlight: InFlight = new Set();
    const begin = () =>
      startKeyed(started.app.store, inFlight, { receiptKey, fingerprint: "f", now: clock.now() });
    const first = begin();
    expect(begin).toThrow("still being worked on");
    first.finish();
    begin().finish();
  });

  test("canonical JSON sorts members at every depth, but not arrays", () => {
    expect(canonicalJson({ b: [{ z: 1, a: null }], a: "x" })).toBe('{"a":"x","b":[{"a":null,"z":1}]}');
  });

  test("the fingerprint contains the bytes of a body without JSON, and the credential", () => {
    const print = (text: string, credentialId: string | null = null) => {
      const repeated = repeatedBy("/p", new Headers(), credentialId);
      return parseBody({ body: noParameters }, { bytes: Buffer.from(text), repeated }).fingerprint;
    };
    expect(print("{")).toBe(print("{"));
    expect(print("{")).not.toBe(print("{ "));
    expect(print("{", "a")).not.toBe(print("{", "b"));
  });
});

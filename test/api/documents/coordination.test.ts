// Coordination: policy, leases and fences, the checks of canonical writes; on a manual clock.

import { beforeEach, describe, expect, test } from "bun:test";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { type Client, type Reply, useServer } from "../../helpers/start.ts";

const clock = new ManualClock();
let id: string;
const started = useServer({ clock });
const { client } = started;
const colleague = started.clientOf("owner@localhost");

let nextKey = 0;
const key = () => ({ "Idempotency-Key": `k${nextKey++}` });
const path = () => `/v1/documents/${id}`;
const etag = async () => (await client("GET", path())).headers.get("etag")!;
const state = async (as: Client = client) => (await as("GET", `${path()}/coordination`)).body.data;
const enable = async () => client("PUT", `${path()}/coordination`, undefined, { "If-Match": await etag() });
const disable = async () =>
  client("DELETE", `${path()}/coordination`, undefined, { "If-Match": await etag() });
const lease = (body: object, headers: Record<string, string> = key(), as: Client = client) =>
  as("POST", `${path()}/coordination/lease`, body, headers);
const claim = (reply: Reply) => ({
  "X-Service-Lease-Id": reply.body.data.leaseId,
  "X-Service-Lease-Fence": String(reply.body.data.fence),
});
const currentVersion = async () => (await client("GET", `${path()}/versions`)).body.data[0].id as string;
const expectReason = (reply: Reply, status: number, reason: string) => {
  expect([reply.status, reply.body.error?.details?.reason]).toEqual([status, reason]);
  expect(reply.body.error.message).toStartWith(`${reason}: `);
};

beforeEach(async () => {
  id = (await client("POST", "/v1/documents", { title: "Shared", content: "text" })).body.data.id;
});

describe("policy", () => {
  test("standard for a new document, with fence 0 and no lease", async () => {
    const reply = await client("GET", `${path()}/coordination`);
    const document = (await client("GET", path())).body.data;
    expect(reply.body.data).toEqual({
      documentId: id,
      policy: "standard",
      fence: 0,
      lease: { state: "none" },
      revision: 0,
      currentVersion: 0,
      contentHash: document.contentHash,
    });
    expect(reply.headers.get("etag")).toBe(await etag());
    expect(reply.headers.get("x-service-revision")).toBe("0");
    expect(reply.headers.get("x-service-content-hash")).toBe(document.contentHash);
  });

  test("enable and disable touch neither revision nor ETag; repeating them changes nothing", async () => {
    const before = await etag();
    for (let i = 0; i < 2; i++) {
      const reply = await enable();
      expect([reply.status, reply.body.data.policy]).toEqual([200, "lease_required"]);
    }
    expect(await etag()).toBe(before);
    for (let i = 0; i < 2; i++) expect((await disable()).body.data.policy).toBe("standard");
    expect((await client("GET", path())).body.data.revision).toBe(0);
  });

  test.each(["PUT", "DELETE"])("%s needs the current If-Match and an empty body", async (method) => {
    const send = (headers: Record<string, string>, body?: unknown) =>
      client(method, `${path()}/coordination`, body, headers);
    expectReason(await send({}), 428, "PRECONDITION_REQUIRED");
    expectReason(await send({ "If-Match": "*" }), 428, "PRECONDITION_REQUIRED");
    expectReason(await send({ "If-Match": '"stale"' }), 412, "REVISION_MISMATCH");
    expect((await send({ "If-Match": "x" })).status).toBe(400);
    const current = { "If-Match": await etag() };
    expect((await send(current, { a: 1 })).status).toBe(400);
    expect((await send(current, [])).status).toBe(400);
    expect((await send(current, {})).status).toBe(200);
  });

  test("other users get 404", async () => {
    const stranger = started.clientOf("lease-stranger@example.org");
    for (const [method, suffix] of [
      ["GET", ""],
      ["PUT", ""],
      ["DELETE", ""],
      ["POST", "/lease"],
    ] as const) {
      const body = method === "POST" ? { action: "acquire" } : undefined;
      const reply = await stranger(method, `${path()}/coordination${suffix}`, body, {
        "If-Match": await etag(),
        ...key(),
      });
      expect(reply.status).toBe(404);
    }
  });

  test("disabling during a lease is rejected; an expired lease does not block", async () => {
    await enable();
    await lease({ action: "acquire", ttlMs: 5_000 });
    expectReason(await disable(), 409, "LEASE_CONFLICT");
    clock.advance(5_000);
    expect((await disable()).status).toBe(200);
    expect((await state()).fence).toBe(1);
  });
});

describe("acquire", () => {
  test("returns a lease; only the holder sees its id", async () => {
    await enable();
    const reply = await lease({ action: "acquire", ttlMs: 30_000 });
    const expiresAt = clock.now() + 30_000;
    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual({
      documentId: id,
      leaseId: expect.stringMatching(/^[0-9A-Za-z]{27}$/),
      fence: 1,
      expiresAt,
      ttlMs: 30_000,
    });
    expect(reply.headers.get("x-service-lease-id")).toBe(reply.body.data.leaseId);
    expect(reply.headers.get("x-service-lease-fence")).toBe("1");
    expect(reply.headers.get("x-service-lease-expires-at")).toBe(new Date(expiresAt).toISOString());
    const { leaseId } = reply.body.data;
    expect((await state()).lease).toEqual({ state: "held", heldByCaller: true, leaseId, expiresAt });
    expect((await state(colleague)).lease).toEqual({ state: "held", heldByCaller: false, expiresAt });
  });

  test.each([
    [{ action: "acquire", ttlMs: 999 }],
    [{ action: "acquire", ttlMs: 3_600_001 }],
    [{ action: "acquire", ttlMs: 1000.5 }],
    [{ action: "acquire", ttlMs: "1000" }],
    [{ action: "acquire", ttlMs: null }],
    [{ action: "steal" }],
    [{}],
  ])("400: %j", async (body) => {
    await enable();
    expect((await lease(body)).status).toBe(400);
    expect((await state()).fence).toBe(0);
  });

  test("the default is a minute; the limits are accepted", async () => {
    await enable();
    expect((await lease({ action: "acquire" })).body.data.ttlMs).toBe(60_000);
    clock.advance(60_000);
    expect((await lease({ action: "acquire", ttlMs: 1_000 })).body.data.ttlMs).toBe(1_000);
    clock.advance(1_000);
    expect((await lease({ action: "acquire", ttlMs: 3_600_000 })).status).toBe(200);
  });

  test("requires a key; in standard mode it is a conflict with the policy in its details", async () => {
    expectReason(await lease({ action: "acquire" }, {}), 428, "PRECONDITION_REQUIRED");
    const reply = await lease({ action: "acquire" });
    expectReason(reply, 409, "LEASE_CONFLICT");
    expect(reply.body.error.details.policy).toBe("standard");
  });

  test("during a lease another acquire is rejected, also for its holder; the same key replays it", async () => {
    await enable();
    const headers = key();
    const first = await lease({ action: "acquire" }, headers);
    expectReason(await lease({ action: "acquire" }), 409, "LEASE_CONFLICT");
    expectReason(await lease({ action: "acquire" }, key(), colleague), 409, "LEASE_CONFLICT");
    const replay = await lease({ action: "acquire" }, headers);
    expect(replay.headers.get("idempotent-replayed")).toBe("true");
    expect(replay.body).toEqual(first.body);
    expect(replay.headers.get("x-service-lease-expires-at")).toBe(
      first.headers.get("x-service-lease-expires-at"),
    );
    expectReason(await lease({ action: "acquire" }, headers, colleague), 422, "IDEMPOTENCY_KEY_REUSED");
    expect((await state()).fence).toBe(1);
  });

  test("of concurrent requests exactly one succeeds", async () => {
    await enable();
    const replies = await Promise.all(
      Array.from({ length: 24 }, (_, i) => lease({ action: "acquire" }, key(), i % 2 ? client : colleague)),
    );
    expect(replies.filter(({ status }) => status === 200).length).toBe(1);
    expect(replies.filter(({ status }) => status === 409).length).toBe(23);
    expect((await state()).fence).toBe(1);
  });
});

describe("renew and release", () => {
  let held: Reply;
  beforeEach(async () => {
    await enable();
    held = await lease({ action: "acquire", ttlMs: 10_000 });
  });
  const act = (action: string, headers: Record<string, string>, body = {}) =>
    lease({ action, ...body }, { ...key(), ...headers });

  test("renew extends the lease by the new or the last ttl; the fence is the same", async () => {
    clock.advance(4_000);
    const longer = await act("renew", claim(held), { ttlMs: 20_000 });
    expect(longer.body.data).toEqual({ ...held.body.data, expiresAt: clock.now() + 20_000, ttlMs: 20_000 });
    clock.advance(1_000);
    const same = await act("renew", claim(held));
    expect(same.body.data.expiresAt).toBe(clock.now() + 20_000);
    expect(same.headers.get("x-service-lease-expires-at")).toBe(new Date(clock.now() + 20_000).toISOString());
  });

  test("release ends it, once; the fence is the same until the next acquire", async () => {
    const reply = await act("release", claim(held));
    expect(reply.body.data).toEqual({ documentId: id, released: true, fence: 1 });
    expect((await state()).lease).toEqual({ state: "none" });
    expectReason(await act("release", claim(held)), 409, "LEASE_CONFLICT");
    expect((await lease({ action: "acquire" })).body.data.fence).toBe(2);
  });

  test.each(["renew", "release"])("%s: missing, malformed, stale or wrong headers", async (action) => {
    const good = claim(held);
    const without = (name: keyof typeof good) => {
      const { [name]: _gone, ...rest } = good;
      return rest;
    };
    expectReason(await act(action, without("X-Service-Lease-Id")), 428, "PRECONDITION_REQUIRED");
    expectReason(await act(action, without("X-Service-Lease-Fence")), 428, "PRECONDITION_REQUIRED");
    for (const fence of ["x", "-1", "1.0", "01", "+1", "1e0"]) {
      expect((await act(action, { ...good, "X-Service-Lease-Fence": fence })).status).toBe(400);
    }
    for (const fence of ["0", "2", "9".repeat(30)]) {
      expectReason(await act(action, { ...good, "X-Service-Lease-Fence": fence }), 409, "FENCE_MISMATCH");
    }
    expectReason(await act(action, { ...good, "X-Service-Lease-Id": "0".repeat(27) }), 409, "LEASE_CONFLICT");
    clock.advance(10_000);
    expectReason(await act(action, good), 409, "LEASE_CONFLICT");
  });
});

describe("canonical writes in lease_required", () => {
  let held: Reply;
  beforeEach(async () => {
    await enable();
    held = await lease({ action: "acquire", ttlMs: 10_000 });
  });
  const all = async () => ({ "If-Match": await etag(), ...key(), ...claim(held) });
  const patch = (headers: Record<string, string>, body: object = { title: `t${nextKey}` }) =>
    client("PATCH", path(), body, headers);

  test("with all four headers it is accepted", async () => {
    expect((await patch(await all())).body.data.revision).toBe(1);
    const { "If-Match": _etag, ...rest } = await all();
    expect((await patch(rest, { title: "by revision", expectedRevision: 1 })).body.data.revision).toBe(2);
  });

  test.each(["If-Match", "Idempotency-Key", "X-Service-Lease-Id", "X-Service-Lease-Fence"])(
    "without %s: 428",
    async (name) => {
      const { [name as "If-Match"]: _gone, ...rest } = await all();
      expectReason(await patch(rest), 428, "PRECONDITION_REQUIRED");
      expectReason(
        await client("POST", `${path()}/restore`, { versionId: await currentVersion() }, rest),
        428,
        "PRECONDITION_REQUIRED",
      );
      expect((await client("GET", path())).body.data.revision).toBe(0);
    },
  );

  test("If-Match: * and lists are 428; stale and contradicting revisions are 412", async () => {
    const headers = await all();
    expectReason(await patch({ ...headers, "If-Match": "*" }), 428, "PRECONDITION_REQUIRED");
    expectReason(
      await patch({ ...headers, "If-Match": `"a", ${headers["If-Match"]}` }),
      428,
      "PRECONDITION_REQUIRED",
    );
    expectReason(await patch({ ...headers, ...key(), "If-Match": '"a"' }), 412, "REVISION_MISMATCH");
    expectReason(
      await patch({ ...headers, ...key() }, { title: "x", expectedRevision: 5 }),
      412,
      "REVISION_MISMATCH",
    );
  });

  test("the lease is checked before the revision; with a wrong or stale lease nothing is written", async () => {
    const headers = await all();
    expectReason(
      await patch({ ...headers, "X-Service-Lease-Fence": "9", "If-Match": '"a"' }),
      409,
      "FENCE_MISMATCH",
    );
    expectReason(await patch({ ...headers, "X-Service-Lease-Id": "0".repeat(27) }), 409, "LEASE_CONFLICT");
    clock.advance(10_000);
    expectReason(await patch({ ...headers, ...key() }), 409, "LEASE_CONFLICT");
    const next = await lease({ action: "acquire" }, key(), colleague);
    expectReason(await patch({ ...headers, ...key() }), 409, "FENCE_MISMATCH");
    expect(next.body.data.fence).toBe(2);
    expect((await client("GET", path())).body.data.revision).toBe(0);
  });

  test("a no-op requires the lease too; every credential with id and fence may write", async () => {
    expectReason(await patch({ "If-Match": await etag(), ...key() }, {}), 428, "PRECONDITION_REQUIRED");
    expect((await patch(await all(), {})).body.data.noop).toBe(true);
    expect((await colleague("PATCH", path(), { title: "by the colleague" }, await all())).status).toBe(200);
  });

  test("restore requires the lease too, DELETE does not", async () => {
    await patch(await all());
    const [, first] = (await client("GET", `${path()}/versions`)).body.data;
    const restored = await client("POST", `${path()}/restore`, { versionId: first.id }, await all());
    expect(restored.body.data.revision).toBe(2);
    expect((await client("DELETE", path())).status).toBe(200);
  });
});

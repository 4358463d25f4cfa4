// Leases and time: steps of the wall clock, expiry, restarts; on a manual clock.

import { beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { makeTempDir, type Started, startServer, useServer } from "../../helpers/start.ts";

const clock = new ManualClock();
let id: string;
const started = useServer({ clock });
const { client } = started;

let nextKey = 0;
const path = () => `/v1/documents/${id}`;
const state = async () => (await client("GET", `${path()}/coordination`)).body.data;
const lease = (body: object) =>
  client("POST", `${path()}/coordination/lease`, body, { "Idempotency-Key": `k${nextKey++}` });
async function enable(): Promise<void> {
  const etag = (await client("GET", path())).headers.get("etag")!;
  await client("PUT", `${path()}/coordination`, undefined, { "If-Match": etag });
}

beforeEach(async () => {
  id = (await client("POST", "/v1/documents", { title: "Shared", content: "text" })).body.data.id;
});

describe("time", () => {
  test("a wall clock set back does not revive a lease, one set forward expires it", async () => {
    await enable();
    await lease({ action: "acquire", ttlMs: 10_000 });
    clock.advance(10_000);
    expect((await state()).lease.state).toBe("none");
    clock.step(-86_400_000);
    expect((await state()).lease.state).toBe("none");
    const held = await lease({ action: "acquire", ttlMs: 10_000 });
    expect(held.body.data.fence).toBe(2);
    clock.advance(9_999);
    expect((await state()).lease.state).toBe("held");
    clock.advance(1);
    expect((await state()).lease.state).toBe("none");
    await lease({ action: "acquire", ttlMs: 3_600_000 });
    clock.step(2 * 86_400_000);
    expect((await state()).lease.state).toBe("none");
  });

  test("leases and fences outlive a restart; expired leases remain expired", async () => {
    const dataDir = makeTempDir();
    const own = new ManualClock();
    const first = startServer({ dataDir, clock: own });
    const made = (await first.client("POST", "/v1/documents", { title: "r", content: "" })).body.data.id;
    const base = `/v1/documents/${made}`;
    const tag = (await first.client("GET", base)).headers.get("etag")!;
    await first.client("PUT", `${base}/coordination`, undefined, { "If-Match": tag });
    const acquire = (server: Started, name: string, ttlMs: number) =>
      server.client(
        "POST",
        `${base}/coordination/lease`,
        { action: "acquire", ttlMs },
        { "Idempotency-Key": name },
      );
    expect((await acquire(first, "a", 60_000)).body.data.fence).toBe(1);
    await first.stop();

    const second = startServer({ dataDir, clock: own });
    expect((await acquire(second, "b", 60_000)).status).toBe(409);
    own.advance(60_000);
    expect((await second.client("GET", `${base}/coordination`)).body.data.lease.state).toBe("none");
    expect((await acquire(second, "c", 1_000)).body.data.fence).toBe(2);
    own.advance(1_000);
    expect((await second.client("GET", `${base}/coordination`)).body.data.lease.state).toBe("none");
    await second.stop();

    const setBack = new ManualClock(own.now() - 86_400_000);
    const third = startServer({ dataDir, clock: setBack });
    const seen = (await third.client("GET", `${base}/coordination`)).body.data;
    expect([seen.lease.state, seen.fence]).toEqual(["none", 2]);
    expect((await acquire(third, "d", 60_000)).body.data.fence).toBe(3);
    await third.stop();
    rmSync(dataDir, { recursive: true });
  });
});

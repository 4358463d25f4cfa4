// Rate limits through the edge, on a manual clock, and the sliding window alone under random load.

import { describe, expect, test } from "bun:test";
import { createRateLimiter, WINDOW_MS } from "../../../src/http/rate-limit.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { type Client, startServer, useServer } from "../../helpers/start.ts";

const clock = new ManualClock();
const started = useServer({ clock, settings: { rateLimitRead: 5, rateLimitWrite: 3 } });

const NAMES = ["limit", "remaining", "reset"];
function counters(headers: Headers): { limit: number; remaining: number; resetInMs: number } {
  const [limit, remaining, reset = ""] = NAMES.map((name) => headers.get(`ratelimit-${name}`)!);
  for (const name of NAMES) expect(headers.get(`x-ratelimit-${name}`)).toBe(headers.get(`ratelimit-${name}`));
  expect(reset).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  return { limit: Number(limit), remaining: Number(remaining), resetInMs: Date.parse(reset) - clock.now() };
}

const read = (client: Client) => client("GET", "/v1/user/me");
let users = 0;
const someone = () => started.clientOf(`user${users++}@example.org`);

describe("the window", () => {
  test("counts down, rejects, and frees a slot at the time of Retry-After", async () => {
    const client = someone();
    for (let i = 0; i < 5; i++) {
      const { status, headers } = await read(client);
      expect(status).toBe(200);
      expect(counters(headers)).toEqual({ limit: 5, remaining: 4 - i, resetInMs: WINDOW_MS - i * 100 });
      clock.advance(100);
    }
    const rejected = await read(client);
    expect(rejected.status).toBe(429);
    expect(rejected.body.error.code).toBe(429);
    expect(rejected.headers.get("retry-after")).toBe("60");
    expect(counters(rejected.headers)).toEqual({ limit: 5, remaining: 0, resetInMs: WINDOW_MS - 500 });
    clock.advance(59_499);
    const still = await read(client);
    expect([still.status, still.headers.get("retry-after")]).toEqual([429, "1"]);
    clock.advance(1);
    expect((await read(client)).status).toBe(200);
    expect((await read(client)).status).toBe(429);
    clock.advance(100);
    expect((await read(client)).status).toBe(200);
  });

  test("tiers and users are counted separately, keys of one user together", async () => {
    const client = someone();
    for (let i = 0; i < 5; i++) await read(client);
    expect((await read(client)).status).toBe(429);
    expect((await client("POST", "/v1/documents", { title: "t", content: "" })).status).toBe(201);
    expect((await read(someone())).status).toBe(200);
    const sameUser = started.clientOf(`user${users - 2}@example.org`);
    expect((await read(sameUser)).status).toBe(429);
  });

  test("errors count; rejections before the rate check have the counters and do not count", async () => {
    const email = `user${users++}@example.org`;
    const client = started.clientOf(email);
    expect(counters((await client("GET", "/v1/search")).headers).remaining).toBe(4);
    expect(counters((await client("GET", `/v1/documents/${"0".repeat(27)}`)).headers).remaining).toBe(3);
    const narrow = started.clientOf(email, ["prompts.read"]);
    const forbidden = await narrow("GET", `/v1/documents/${"0".repeat(27)}`);
    expect(forbidden.status).toBe(403);
    expect(counters(forbidden.headers).remaining).toBe(3);
    expect((await client("GET", "/v1/nowhere")).headers.has("ratelimit-limit")).toBe(false);
    expect(counters((await read(client)).headers).remaining).toBe(2);
  });

  test("the rate check comes before the syntax of the key and the size of the body", async () => {
    const client = someone();
    const post = (headers = {}) => client("POST", "/v1/documents", "{", headers);
    for (let i = 0; i < 3; i++) expect((await post()).status).toBe(400);
    expect((await post({ "Idempotency-Key": "é" })).status).toBe(429);
  });

  test("steps of the wall clock do not affect the window", async () => {
    const client = someone();
    for (let i = 0; i < 5; i++) await read(client);
    clock.step(3_600_000);
    expect((await read(client)).status).toBe(429);
    clock.step(-7_200_000);
    expect((await read(client)).headers.get("retry-after")).toBe("60");
  });
});

test("a limit of 0 is off; the headers contain 1000000", async () => {
  const free = startServer({ clock });
  try {
    for (let i = 0; i < 200; i++) expect((await read(free.client)).status).toBe(200);
    expect(counters((await read(free.client)).headers)).toEqual({
      limit: 1_000_000,
      remaining: 1_000_000,
      resetInMs: 0,
    });
  } finally {
    await free.stop();
  }
});

test("no 60 seconds have more requests than the limit, and none is rejected below it", () => {
  const own = new ManualClock();
  const limiter = createRateLimiter({ read: 7, write: 1, scrape: 1 }, own);
  const accepted: number[] = [];
  let seed = 12345;
  const random = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648;
  };
  for (let i = 0; i < 20_000; i++) {
    own.advance(random() < 0.1 ? random() * 30_000 : random() * 2_000);
    const now = own.monotonic();
    const inWindow = accepted.filter((at) => at > now - WINDOW_MS).length;
    try {
      limiter.take({ userId: "u" }, "read");
      accepted.push(now);
      expect(inWindow).toBeLessThan(7);
    } catch {
      expect(inWindow).toBe(7);
    }
    if (accepted.length > 50) accepted.splice(0, 20);
  }
});

test("users without recent requests are removed", () => {
  const own = new ManualClock();
  const limiter = createRateLimiter({ read: 10, write: 10, scrape: 10 }, own);
  for (let user = 0; user < 900; user++) limiter.take({ userId: `u${user}` }, "read");
  expect(limiter.size).toBe(900);
  own.advance(WINDOW_MS);
  for (let i = 0; i < 200; i++) limiter.take({ userId: `v${i % 20}` }, "read");
  expect(limiter.size).toBe(20);
});

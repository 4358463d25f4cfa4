// Bursts of requests that take long: how many are worked on, whose turn is next, what a client that disconnects leaves
// behind, and what else is answered meanwhile. Searches are held up at the embedder, and fetches at the fetcher.

import { describe, expect, test } from "bun:test";
import type { Fetcher } from "../../../src/engine/fetching/fetch-page.ts";
import { QUEUES } from "../../../src/http/admission.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { LIMITS } from "../../../src/kernel/limits.ts";
import { fakeEmbedder } from "../../helpers/embedder.ts";
import { fakeFetcher } from "../../helpers/fetcher.ts";
import { mcpPoster } from "../../helpers/mcp.ts";
import { type Client, type Started, useServer } from "../../helpers/start.ts";

/** A gate: work that passes it is recorded, and waits while the gate is closed, until its signal fires. */
function createGate() {
  let opened = Promise.withResolvers<void>();
  opened.resolve();
  const started: string[] = [];
  return {
    started,
    close() {
      opened = Promise.withResolvers();
      started.length = 0;
    },
    open: () => opened.resolve(),
    async pass(name: string, signal = new AbortController().signal) {
      started.push(name);
      const { promise, reject } = Promise.withResolvers<never>();
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      await Promise.race([opened.promise, promise]);
    },
  };
}

type Gate = ReturnType<typeof createGate>;

/** Waits until `expected` pieces of work have reached the gate. */
async function untilStarted({ started }: Gate, expected: number): Promise<void> {
  while (started.length < expected) await new Promise((resolve) => setImmediate(resolve));
}

interface Asked {
  status: Promise<number>;
  abort(): void;
}

/** Sends a request whose client can disconnect. */
function ask(
  { send, url, key }: Started,
  path: string,
  { method = "GET", body = undefined as unknown } = {},
): Asked {
  const aborting = new AbortController();
  const request = new Request(url + path, {
    method,
    headers: {
      "User-Agent": "ctxrepo-tests/1.0",
      Authorization: `API-Key ${key.key}`,
      ...(body !== undefined && { "Content-Type": "application/json" }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: aborting.signal,
  });
  return { status: send(request).then(({ status }) => status), abort: () => aborting.abort() };
}

describe("searches and questions", () => {
  const gate = createGate();
  const embedder = fakeEmbedder();
  const { embedQuery } = embedder;
  embedder.embedQuery = async (text) => {
    await gate.pass(text);
    return embedQuery.call(embedder, text);
  };
  const server = useServer({ embedder });
  const other = server.clientOf("other@example.com");

  const kinds = [
    {
      kind: "search" as const,
      path: (query: string) => `/v1/search?q=${query}`,
      request: () => ({}),
    },
    {
      kind: "search" as const,
      path: () => "/v1/pd/search",
      request: (query: string) => ({ method: "POST", body: { query } }),
    },
    {
      kind: "answer" as const,
      path: () => "/v1/reason",
      request: (query: string) => ({ method: "POST", body: { query } }),
    },
  ];
  const sendBy = (client: Client, { path, request }: (typeof kinds)[number], query: string) => {
    const { method = "GET", body } = request(query) as { method?: string; body?: object };
    return client(method, path(query), body);
  };

  test.each(kinds)("$kind: bounded, in turn, and not worked out for nobody", async (kind) => {
    const { runningOfUser, waitingOfUser, retryAfterS } = QUEUES[kind.kind];
    const open = runningOfUser + waitingOfUser;
    gate.close();
    const asked = Array.from({ length: open }, (_, index) =>
      ask(server, kind.path(`mine${index}`), kind.request(`mine${index}`)),
    );
    await untilStarted(gate, runningOfUser);
    const rejected = await sendBy(server.client, kind, "beyond");
    expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([429, String(retryAfterS)]);
    expect(rejected.body.error.message).toContain("at the same time");
    expect(rejected.headers.get("ratelimit-remaining")).toBe("0");

    // Another user has a turn, and the server answers.
    const theirs = sendBy(other, kind, "theirs");
    await untilStarted(gate, runningOfUser + 1);
    expect(gate.started.at(-1)).toBe("theirs");
    expect((await server.client("GET", "/health")).status).toBe(200);

    const gone = asked.slice(-3);
    for (const { abort } of gone) abort();
    expect(await Promise.all(gone.map(({ status }) => status))).not.toContain(200);
    gate.open();
    const statuses = await Promise.all(asked.slice(0, -3).map(({ status }) => status));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await theirs).status).toBe(200);
    // Three were given up, and one was rejected.
    expect(gate.started).toHaveLength(open - 3 + 1);
  });

  test("literal searches, filtered lists and MCP wait in the same queue; other requests do not", async () => {
    gate.close();
    const held = Array.from({ length: QUEUES.search.runningOfUser }, (_, index) =>
      ask(server, `/v1/search?q=held${index}`),
    );
    await untilStarted(gate, held.length);
    const finished: string[] = [];
    const record = (name: string, reply: Promise<unknown>) => reply.then(() => void finished.push(name));
    const { ask: askMcp } = mcpPoster(server);
    const find = { name: "find_items", arguments: { query: "kettle" } };
    const waiting = [
      record("literal", server.client("GET", "/v1/search?q=kettle&semantic=false")),
      record("documents", server.client("GET", "/v1/documents?tags=a")),
      record("prompts", server.client("GET", "/v1/prompts?q=kettle")),
      record("tool", askMcp("tools/call", find)),
    ];
    // The same requests of another user, sent later, are answered.
    await other("GET", "/v1/search?q=kettle&semantic=false");
    await other("GET", "/v1/documents?tags=a");
    await other("GET", "/v1/prompts?q=kettle");
    await server.client("GET", "/v1/documents");
    await server.client("GET", "/v1/prompts");
    expect(finished).toEqual([]);
    gate.open();
    await Promise.all([...waiting, ...held.map(({ status }) => status)]);
    expect(finished.toSorted()).toEqual(["documents", "literal", "prompts", "tool"]);
  });
});

describe("fetches of pages", () => {
  const gate = createGate();
  const pages = fakeFetcher();
  const fetcher: Fetcher = {
    ...pages,
    async fetch(request, signal) {
      await gate.pass(request.url, signal);
      return pages.fetch(request, signal);
    },
  };
  // Pages that are fetched later stay in the queue.
  const server = useServer({ fetcher, clock: new ManualClock() });
  const other = server.clientOf("other@example.com");
  const scrape = (client: Client, name: string) =>
    client("POST", "/v1/documents/scrape", { url: `https://${name}.example.com/` });

  test("the next page to be fetched is one of the user with the fewest under way", async () => {
    gate.close();
    const lane = 16;
    for (let page = 0; page < lane + 4; page++) await scrape(server.client, `mine${page}`);
    await untilStarted(gate, lane);
    await scrape(other, "theirs");
    expect(gate.started).toHaveLength(lane);
    gate.open();
    await untilStarted(gate, lane + 1);
    expect(gate.started[lane]).toBe("https://theirs.example.com/");
    await server.settle();
  });

  test("a user has a number of pages that wait; further ones are rejected, those of others are not", async () => {
    const patient = server.clientOf("patient@example.com");
    // They are not due during this test.
    const later = { url: "https://later.example.com/", options: { waitFor: LIMITS.scrape.maxWaitForMs } };
    const ids: string[] = [];
    for (let page = 0; page < LIMITS.scrape.openOfUser; page++) {
      const { status, body } = await patient("POST", "/v1/documents/scrape", later);
      expect(status).toBe(202);
      ids.push(body.data.documentId);
    }
    const rejected = await scrape(patient, "beyond");
    expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([429, "10"]);
    expect(rejected.body.error.message).toBe("too many pages wait to be fetched");
    expect((await scrape(other, "theirs")).status).toBe(202);
    await patient("DELETE", `/v1/documents/${ids[0]}`);
    expect((await scrape(patient, "again")).status).toBe(202);
    await server.settle();
  });

  test("refreshes are bounded, in turn, and end with their clients", async () => {
    const { runningOfUser, waitingOfUser, retryAfterS } = QUEUES.refresh;
    const open = runningOfUser + waitingOfUser;
    const scraped = async (client: Client, name: string): Promise<string> =>
      (await scrape(client, name)).body.data.documentId;
    const ids: string[] = [];
    for (let page = 0; page <= open; page++) ids.push(await scraped(server.client, `mine${page}`));
    const theirId = await scraped(other, "theirs");
    await server.settle();

    gate.close();
    const asked = ids
      .slice(0, open)
      .map((id) => ask(server, `/v1/documents/${id}/refresh`, { method: "POST" }));
    await untilStarted(gate, runningOfUser);
    const rejected = await server.client("POST", `/v1/documents/${ids.at(-1)}/refresh`);
    expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([429, String(retryAfterS)]);
    const theirs = other("POST", `/v1/documents/${theirId}/refresh`);
    await untilStarted(gate, runningOfUser + 1);
    expect(gate.started.at(-1)).toBe("https://theirs.example.com/");

    // One that is being fetched, which makes room for the next, and the last one that waits.
    asked[0]!.abort();
    await untilStarted(gate, runningOfUser + 2);
    asked.at(-1)!.abort();
    expect([await asked[0]!.status, await asked.at(-1)!.status]).toEqual([500, 500]);
    gate.open();
    const statuses = await Promise.all(asked.slice(1, -1).map(({ status }) => status));
    expect(new Set(statuses)).toEqual(new Set([202]));
    expect((await theirs).status).toBe(202);
    expect(gate.started).not.toContain(`https://mine${open - 1}.example.com/`);
    const { body } = await server.client("GET", `/v1/documents/${ids[0]}`);
    expect([body.data.status, body.data.source.lastRefreshError]).toEqual(["completed", undefined]);
  });
});

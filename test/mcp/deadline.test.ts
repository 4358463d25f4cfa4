// Tools whose work takes longer than clients wait.

import { expect, test } from "bun:test";
import type { Fetcher } from "../../src/engine/fetching/fetch-page.ts";
import { ManualClock } from "../../src/kernel/clock.ts";
import type { McpSession } from "../../src/mcp/session.ts";
import { TOOLS } from "../../src/mcp/tools/all.ts";
import { callTool } from "../../src/mcp/tools/call-tool.ts";
import { mcpPoster } from "../helpers/mcp.ts";
import { useServer } from "../helpers/start.ts";

/** A page is fetched when `release` is called, or never. */
let release: (() => void) | undefined;
const fetcher: Fetcher = {
  fetch: (_page, signal) =>
    new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      release = () =>
        resolve({
          notModified: false,
          finalUrl: "https://example.org/",
          contentType: "text/plain",
          body: Buffer.from("The page."),
        });
    }),
  setOwnPort() {},
};
/** Time passes while the server polls, which it does in short sleeps, and otherwise when the test advances it. */
class PollingClock extends ManualClock {
  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms >= 1_000) return super.sleep(ms, signal);
    await new Promise((resolve) => setImmediate(resolve));
    this.advance(ms);
  }
}

const clock = new PollingClock();
const started = useServer({ clock, fetcher });
const { tool } = mcpPoster(started);

test("scrape_url says where the page will be, and refresh_document and others how to ask again", async () => {
  const startedAt = clock.monotonic();
  const value = await tool("scrape_url", { url: "https://example.org/" });
  const { documentId } = value.data;
  expect(value.isError).toBe(false);
  expect(value.data.status).toBe("processing");
  expect(value.text).toContain(`Call get_document with documentId ${documentId} in 10 seconds.`);
  expect(clock.monotonic() - startedAt).toBeLessThan(25_000);
  expect((await tool("get_document", { documentId })).text).toContain("still being fetched");

  release!();
  await started.settle();
  expect((await tool("get_document", { documentId })).text).toContain("The page.");
  release = undefined;
  const refreshing = tool("refresh_document", { documentId });
  while (!release) await new Promise((resolve) => setImmediate(resolve));
  clock.advance(25_000);
  const { isError, text } = await refreshing;
  expect(isError).toBe(true);
  expect(text).toContain("after 25 seconds. The page is still being fetched. Call get_document");
  (release as () => void)();
});

test.each([
  ["get_document", { documentId: "x" }, "Try again in a moment."],
  [
    "create_document",
    { title: "t", content: "c" },
    "The change may still be made: read or search for the record",
  ],
])("%s says whether it can simply be repeated", async (name, given, advice) => {
  const own = new ManualClock();
  const slow = { ...TOOLS.find((tool) => tool.name === name)!, handle: () => new Promise<never>(() => {}) };
  const { log } = started.app;
  const session = { clock: own, log, exchange: { id: "x" } } as unknown as McpSession;
  const signal = new AbortController().signal;
  const called = callTool(session, { tool: slow, arguments: given, requestId: 1, signal });
  own.advance(25_000);
  const { isError, content } = await called;
  expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining(advice)]);
});

test("a client that asks for progress learns that the call goes on", async () => {
  const own = new ManualClock();
  const slow = { ...TOOLS[0]!, handle: () => new Promise<never>(() => {}) };
  const { log } = started.app;
  const session = { clock: own, log, exchange: { id: "x" } } as unknown as McpSession;
  const { signal } = new AbortController();
  const reported: number[][] = [];
  const report = async (progress: number, total: number) => void reported.push([progress, total]);
  const called = callTool(session, { tool: slow, arguments: { query: "x" }, requestId: 1, signal, report });
  for (let seconds = 0; seconds < 25; seconds += 5) {
    own.advance(5_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await called;
  expect(reported).toEqual([
    [5, 25],
    [10, 25],
    [15, 25],
    [20, 25],
  ]);
});

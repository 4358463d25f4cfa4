// A fetch leaves nothing behind at a signal that lives as long as the server.

import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { openFetcher } from "../../../src/engine/fetching/fetch-page.ts";

const FETCHES = 60;

test("fetched pages are not kept by the signal that can end their fetch", async () => {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response("<p>kettle</p>", { headers: { "Content-Type": "text/html" } }),
  });
  const fetcher = openFetcher({ userAgent: "ctxrepo-tests/1.0", allowPrivate: true });
  const stopping = new AbortController();
  const signals = () => {
    Bun.gc(true);
    return heapStats().objectTypeCounts.AbortSignal ?? 0;
  };
  const fetchPage = () =>
    fetcher.fetch({ url: `http://127.0.0.1:${server.port}/`, timeoutMs: 30_000 }, stopping.signal);
  await fetchPage();
  const before = signals();
  for (let i = 0; i < FETCHES; i++) await fetchPage();
  // What the stack or a pending event still refers to is collected later; what the signal keeps never is.
  for (let i = 0; i < 40 && signals() - before >= FETCHES / 2; i++) await Bun.sleep(50);
  expect(signals() - before).toBeLessThan(FETCHES / 2);
  await server.stop(true);
});

// Tools whose work takes longer than clients wait.

import { expect, test } from "bun:test";
import type { Fetcher } from "../../src/engine/fetching/fetch-page.ts";
import { ManualClock } from "../../src/kernel/clock.ts";
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
const clock = new ManualClock();
const started = useServer({ clock, fetcher });
const { tool } = mcpPoster(started);

const turns = async (count: number) => {
  for (let n = 0; n < count; n++) await new Promise((resolve) => setImmediate(resolve));
};

/** Moves the clock until the call has its result. */
async function passTime<Value>(call: Promise<Value>): Promise<{ value: Value; passedMs: number }> {
  const startedAt = clock.monotonic();
  let value: Value | undefined;
  call.then((result) => {
    value = result;
  });
  for (let n = 0; value === undefined && n < 1_000; n++) {
    await turns(20);
    clock.advance(250);
  }
  return { value: await call, passedMs: clock.monotonic() - startedAt };
}

test("scrape_url says where the page will be, and refresh_document and others how to ask again", async () => {
  const { value, passedMs } = await passTime(tool("scrape_url", { url: "https://example.org/" }));
  const { documentId } = value.data;
  expect(value.isError).toBe(false);
  expect(value.data.status).toBe("processing");
  expect(value.text).toContain(`Call get_document with documentId ${documentId} in 10 seconds.`);
  expect(passedMs).toBeLessThan(30_000);
  expect((await tool("get_document", { documentId })).text).toContain("still being fetched");

  release!();
  await started.settle();
  expect((await tool("get_document", { documentId })).text).toContain("The page.");
  const refreshed = await passTime(tool("refresh_document", { documentId }));
  expect(refreshed.value.isError).toBe(true);
  expect(refreshed.value.text).toContain(
    "after 25 seconds. The page is still being fetched. Call get_document",
  );
  release!();
});

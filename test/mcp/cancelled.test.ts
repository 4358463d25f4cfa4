// Clients that disconnect during a call.

import { expect, test } from "bun:test";
import { fakeEmbedder } from "../helpers/embedder.ts";
import { useServer } from "../helpers/start.ts";

const embedder = fakeEmbedder();
let reached = Promise.withResolvers<void>();
embedder.embedQuery = () => {
  reached.resolve();
  return new Promise(() => {});
};
const started = useServer({ embedder });

test.each(["application/json", "application/json, text/event-stream"])(
  "a call that its client aborts is no error in the log (Accept: %s)",
  async (accept) => {
    reached = Promise.withResolvers();
    const aborting = new AbortController();
    const call = { name: "deep_search", arguments: { query: "x" } };
    const sent = started.send(
      new Request(`${started.url}/mcp`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${started.key.key}`,
          "Content-Type": "application/json",
          Accept: accept,
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
        signal: aborting.signal,
      }),
    );
    await reached.promise;
    aborting.abort();
    const response = await sent;
    await response.text().catch(() => {});
    while (!started.log.some((line) => line.includes("tool call"))) await new Promise(setImmediate);
    expect(started.log.filter((line) => JSON.parse(line).level === "error")).toEqual([]);
  },
);

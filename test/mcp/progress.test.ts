// Clients that ask for progress.

import { expect, test } from "bun:test";
import { ManualClock } from "../../src/kernel/clock.ts";
import { fakeEmbedder } from "../helpers/embedder.ts";
import { useServer } from "../helpers/start.ts";

const clock = new ManualClock();
const embedder = fakeEmbedder();
const { embedQuery } = embedder;
let reached = Promise.withResolvers<void>();
let released = Promise.withResolvers<void>();
embedder.embedQuery = async (text) => {
  reached.resolve();
  await released.promise;
  return embedQuery.call(embedder, text);
};
const started = useServer({ embedder, clock });

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "tests", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

test.each([
  ["2025-11-25", {}, "text/event-stream", 1],
  ["2026-07-28", ENVELOPE, "text/event-stream", 1],
  ["2026-07-28", ENVELOPE, "application/json", 0],
])("of %s learn that a call goes on, if they accept a stream", async (version, envelope, accepted, count) => {
  reached = Promise.withResolvers();
  released = Promise.withResolvers();
  const _meta = { ...envelope, progressToken: "p" };
  const call = { name: "deep_search", arguments: { query: `x ${version} ${accepted}` }, _meta };
  const sent = started.send(
    new Request(`${started.url}/mcp`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${started.key.key}`,
        "Content-Type": "application/json",
        Accept: accepted === "application/json" ? accepted : `application/json, ${accepted}`,
        "MCP-Protocol-Version": version,
        "Mcp-Method": "tools/call",
        "Mcp-Name": "deep_search",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
    }),
  );
  await reached.promise;
  clock.advance(5_000);
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  released.resolve();
  const text = await (await sent).text();
  expect(text).toContain('"result"');
  const reports = text.match(/"method":"notifications\/progress"/g) ?? [];
  expect(reports).toHaveLength(count);
  if (count > 0) expect(text).toContain('"progressToken":"p","progress":5,"total":25');
});

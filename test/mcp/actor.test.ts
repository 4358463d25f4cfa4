// Who is named in the history of what agents write: the user, the label of the key, and the program.

import { expect, test } from "bun:test";
import { createKey } from "../../src/auth/keys.ts";
import { ensureUser } from "../../src/auth/users.ts";
import { mcpPoster } from "../helpers/mcp.ts";
import { useServer } from "../helpers/start.ts";

const started = useServer();
const { key } = started.write((write) =>
  createKey(write, ensureUser(write, "owner@localhost"), {
    name: "laptop",
    scopes: ["documents.write", "prompts.write"],
  }),
);
const { ask } = mcpPoster({ send: started.send, url: started.url, key: { ...started.key, key } });
const CLIENT = "io.modelcontextprotocol/clientInfo";

test.each([
  ["of 2026-07-28, by its own name", { [CLIENT]: { name: "Claude\nCode" } }, {}, "key laptop, Claude Code"],
  ["whose name has signs of its own", { [CLIENT]: { name: "a, by **b** (c" } }, {}, "key laptop, a by b c"],
  [
    "of an earlier version, by its User-Agent",
    {},
    { "User-Agent": "cursor/1.7 (linux)" },
    "key laptop, cursor",
  ],
  ["of which only the HTTP library is known", {}, { "User-Agent": "python-httpx/0.28" }, "key laptop"],
  ["of which only the runtime is known", {}, { "User-Agent": "node" }, "key laptop"],
])("a client %s", async (_, _meta, headers, agent) => {
  const call = async (name: string, given: object) => {
    const sent = { name, arguments: given, _meta };
    const { message } = await ask("tools/call", sent, { query: "?tools=all", headers });
    return message.result;
  };
  const { structuredContent } = await call("create_document", { title: "Log", content: "x" });
  const { documentId } = structuredContent;
  const { body } = await started.client("GET", `/v1/documents/${documentId}/versions`);
  expect(body.data[0].actor).toEqual({ kind: "apiKey", displayName: "owner@localhost", agent });
  const versions = await call("get_document_versions", { documentId });
  expect(versions.content[0].text).toContain(`owner@localhost, ${agent}`);
  const changes = await call("recent_changes", { limit: 1 });
  expect(changes.content[0].text).toContain(`by owner@localhost with ${agent}`);
  const prompt = await call("create_prompt", { title: "p", description: "d", content: "c" });
  const { promptId } = prompt.structuredContent;
  const stored = await started.client("GET", `/v1/prompts/${promptId}/versions`);
  expect(stored.body.data[0].agent).toBe(agent);
});

test("a key without a label over the API names no agent", async () => {
  const { body } = await started.client("POST", "/v1/documents", { title: "t", content: "c" });
  const versions = await started.client("GET", `/v1/documents/${body.data.id}/versions`);
  expect(versions.body.data[0].actor).toEqual({ kind: "apiKey", displayName: "owner@localhost" });
});

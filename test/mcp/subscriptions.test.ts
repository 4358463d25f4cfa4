// Clients that listen to changes.

import { expect, test } from "bun:test";
import { createKey, revokeKey } from "../../src/auth/keys.ts";
import type { Scope } from "../../src/auth/scopes.ts";
import { ensureUser } from "../../src/auth/users.ts";
import { useServer } from "../helpers/start.ts";

const started = useServer();
const { client, create } = started;
const keyOf = (email: string, scopes: Scope[]) =>
  started.write((write) => createKey(write, ensureUser(write, email), { name: null, scopes }));

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "tests", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

// biome-ignore lint/suspicious/noExplicitAny: tests reach into JSON
type Message = any;

/** Opens a stream; `next` resolves with its next message, undefined at its end. */
async function listen(notifications: object, { key }: { key: string } = started.key) {
  const abort = new AbortController();
  const response = await started.send(
    new Request(`${started.url}/mcp`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "subscriptions/listen",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 7,
        method: "subscriptions/listen",
        params: { notifications, _meta: ENVELOPE },
      }),
      signal: abort.signal,
    }),
  );
  const messages = messagesIn(response);
  const next = async (): Promise<Message> => (await messages.next()).value;
  return { next, close: () => messages.return(undefined) };
}

async function* messagesIn(response: Response): AsyncGenerator<Message> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk, { stream: true });
    const frames = text.split("\n\n");
    text = frames.pop()!;
    for (const frame of frames) {
      const data = frame.split("\n").find((line) => line.startsWith("data:"));
      if (data !== undefined) yield JSON.parse(data.slice(5));
    }
  }
}

test("are told about the records that they named, and about lists", async () => {
  const id = await create("/v1/documents", { title: "Plan", content: "one" });
  const other = await create("/v1/documents", { title: "Other", content: "one" });
  await started.settle();
  const uri = `ctxrepo://documents/plan-${id}`;
  const stream = await listen({ resourceSubscriptions: [uri], promptsListChanged: true });
  expect((await stream.next()).params.notifications).toEqual({
    resourceSubscriptions: [uri],
    promptsListChanged: true,
  });
  await client("PATCH", `/v1/documents/${other}`, { content: "two" });
  await client("PATCH", `/v1/documents/${id}`, { content: "two" });
  const updated = await stream.next();
  expect([updated.method, updated.params.uri]).toEqual(["notifications/resources/updated", uri]);
  await create("/v1/prompts", { title: "p", description: "d", content: "c" });
  expect((await stream.next()).method).toBe("notifications/prompts/list_changed");
  await stream.close();
});

test("are told nothing about records of another user, nor of a scope that they lack", async () => {
  const reader = keyOf("reader@localhost", ["documents.read"]);
  const stream = await listen({ resourcesListChanged: true, promptsListChanged: true }, reader);
  await stream.next();
  await create("/v1/documents", { title: "Not theirs", content: "x" });
  const writer = started.clientOf("reader@localhost");
  await writer("POST", "/v1/prompts", { title: "p", description: "d", content: "c" });
  await writer("POST", "/v1/documents", { title: "Theirs", content: "x" });
  expect((await stream.next()).method).toBe("notifications/resources/list_changed");
  await stream.close();
});

test("whose key is revoked are told nothing more", async () => {
  const key = keyOf("owner@localhost", ["documents.read"]);
  const stream = await listen({ resourcesListChanged: true }, key);
  await stream.next();
  started.write((write) => revokeKey(write, key.id));
  await create("/v1/documents", { title: "Secret", content: "x" });
  expect((await stream.next()).result).toMatchObject({ resultType: "complete" });
  expect(await stream.next()).toBeUndefined();
});

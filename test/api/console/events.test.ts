// The stream of changes: what it reports, to whom, and where it continues.

import { describe, expect, test } from "bun:test";
import { FROM_CONSOLE, signIn } from "../../helpers/console-client.ts";
import { USER_AGENT, useServer } from "../../helpers/start.ts";

const started = useServer();
const { client, create } = started;
const cookie = await signIn(started);

interface Event {
  name: string;
  id: string;
  data: unknown;
}

/** Reads `count` events and closes the stream. Heartbeats are no events. */
async function events(count: number, headers: Record<string, string>, query = ""): Promise<Event[]> {
  const closing = new AbortController();
  const response = await started.send(
    new Request(`${started.url}/console/api/events${query}`, {
      headers: { "User-Agent": USER_AGENT, ...headers },
      signal: closing.signal,
    }),
  );
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const found: Event[] = [];
  for (let text = ""; found.length < count; ) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const line = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
      const name = line("event");
      if (name !== undefined) found.push({ name, id: line("id")!, data: JSON.parse(line("data")!) });
    }
  }
  await reader.cancel();
  return found;
}

const owner = { ...FROM_CONSOLE, Cookie: cookie };
const withKey = (key: string) => ({ Authorization: `API-Key ${key}` });

describe("the stream of changes", () => {
  test("reports who changed what, and continues after the last event", async () => {
    const [open] = await events(1, owner);
    expect(open).toMatchObject({ name: "open", data: null });
    const { body } = await client("POST", "/v1/documents", { title: "a", content: "b" });
    const { id } = body.data;
    await client("PATCH", `/v1/documents/${id}`, { content: "c" });
    await client("PATCH", `/v1/documents/${id}`, { content: "", title: "" });
    await client("DELETE", `/v1/documents/${id}`);
    await client("GET", "/v1/documents");
    const [, changes] = await events(2, owner, `?since=${open!.id}`);
    const requested = (changes!.data as { action: string }[]).filter(({ action }) => action !== "index");
    expect(requested).toEqual([
      { type: "document", id, action: "create", by: null },
      { type: "document", id, action: "update", by: null },
      { type: "document", id, action: "delete", by: null },
    ] as never);
    expect((await events(1, owner, `?since=${changes!.id}`))[0]).toMatchObject({ name: "open" });
  });

  test("names the key that changed something", async () => {
    const reply = await started.send(
      new Request(`${started.url}/console/api/keys`, {
        method: "POST",
        headers: { ...owner, "Content-Type": "application/json", "User-Agent": USER_AGENT },
        body: JSON.stringify({ name: "robot", scopes: ["documents.write"] }),
      }),
    );
    const { data } = (await reply.json()) as { data: { key: string } };
    const [open] = await events(1, owner);
    const { body } = await client(
      "POST",
      "/v1/documents",
      { title: "by a robot", content: "" },
      withKey(data.key),
    );
    const [, changes] = await events(2, owner, `?since=${open!.id}`);
    expect(changes!.data).toContainEqual({
      type: "document",
      id: body.data.id,
      action: "create",
      by: "robot",
    });
  });

  test("says when a record is indexed", async () => {
    const [open] = await events(1, owner);
    const id = await create("/v1/documents", { title: "indexed", content: "text" });
    await started.settle();
    const [, changes] = await events(2, owner, `?since=${open!.id}`);
    expect(changes!.data).toContainEqual({ type: "document", id, action: "index", by: null });
  });

  test("reports only what the caller may read, and nothing of other users", async () => {
    const stranger = started.clientOf("stranger@example.org");
    const promptsOnly = await signIn(started, { ...started.owner, scopes: ["prompts.read"] });
    const [open] = await events(1, owner);
    await stranger("POST", "/v1/documents", { title: "of a stranger", content: "" });
    const document = await create("/v1/documents", { title: "d", content: "" });
    const prompt = await create("/v1/prompts", { title: "p", description: "", content: "x" });
    await started.settle();
    const idsFor = async (headers: Record<string, string>) => {
      const [, changes] = await events(2, headers, `?since=${open!.id}`);
      return [...new Set((changes!.data as { id: string }[]).map(({ id }) => id))];
    };
    expect(await idsFor(owner)).toEqual([document, prompt]);
    expect(await idsFor({ ...FROM_CONSOLE, Cookie: promptsOnly })).toEqual([prompt]);
  });

  test("says that everything must be read again if changes were missed", async () => {
    const [open] = await events(1, owner);
    for (const since of ["1", String(Number(open!.id) + 1_000)]) {
      expect((await events(2, owner, `?since=${since}`))[1]).toMatchObject({ name: "reset", data: null });
    }
  });

  test("needs a credential", async () => {
    const { status } = await client("GET", "/console/api/events", undefined, { Authorization: "" });
    expect(status).toBe(401);
  });
});

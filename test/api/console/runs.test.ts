// Running a prompt with a language model: a scripted server on loopback writes as a good, a slow, a broken or an endless
// one would.

import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { LIMITS } from "../../../src/kernel/limits.ts";
import { consoleClient, FROM_CONSOLE, signIn } from "../../helpers/console-client.ts";
import { serveProgram } from "../../helpers/program.ts";
import { createClient, createWith, makeTempDir, USER_AGENT, useServer } from "../../helpers/start.ts";

const KEY = "sk-nobody-may-see-this";

interface SeenRequest {
  authorization: string | null;
  body: Record<string, unknown>;
  signal: AbortSignal;
}
let script: (request: Request) => Response;
let seen: SeenRequest[] = [];
const model = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const body = (await request.json()) as SeenRequest["body"];
    seen.push({ authorization: request.headers.get("authorization"), body, signal: request.signal });
    return script(request);
  },
});
const started = useServer({
  socket: true,
  settings: { llmUrl: `http://127.0.0.1:${model.port}/v1`, llmModel: "scripted", llmKey: KEY },
});
afterAll(() => model.stop(true));
const plain = useServer();
const cookie = await signIn(started);
const owner = await consoleClient(started);

const content = "Greet ${name} in ${language}.";
const promptId = await started.create("/v1/prompts", {
  title: "Greeting",
  description: "",
  content,
  parameters: { temperature: 0.3, model: "another", top_p: "x" },
});
const otherId = await started.create("/v1/prompts", {
  title: "Other",
  description: "",
  content: "Say hello.",
});

beforeEach(() => {
  seen = [];
});

const eventOf = (choice: object) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`;
const textEvent = (content: string) => eventOf({ delta: { content } });
const events = (...parts: (string | Uint8Array)[]) =>
  new Response(new Blob(parts as string[]).stream(), { headers: { "Content-Type": "text/event-stream" } });

/** The response to a run, while it is written. */
function start(
  body: object = { values: [] },
  { id = promptId, signal }: { id?: string; signal?: AbortSignal } = {},
) {
  return fetch(`${started.url}/console/api/prompts/${id}/run`, {
    method: "POST",
    headers: {
      ...FROM_CONSOLE,
      Cookie: cookie,
      "User-Agent": USER_AGENT,
      "Content-Type": "application/json",
    },
    body: JSON.stringify(body),
    signal,
  });
}

/** The events of a whole run. */
async function run(...given: Parameters<typeof start>): Promise<[string, unknown][]> {
  const text = await (await start(...given)).text();
  return text
    .split("\n\n")
    .filter((block) => block.startsWith("event: "))
    .map((block) => {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(block)!;
      return [name!, JSON.parse(data!)];
    });
}

describe("running a prompt", () => {
  test("sends the filled prompt with its parameters, and returns the text in parts", async () => {
    script = () => events(textEvent("Bon"), eventOf({ delta: {} }), textEvent("jour"), "data: [DONE]\n\n");
    const values = [
      { name: "name", value: "${language}" },
      { name: "language", value: "French" },
    ];
    expect(await run({ values })).toEqual([
      ["text", "Bon"],
      ["text", "jour"],
      ["end", { isCut: false }],
    ]);
    expect(seen).toMatchObject([
      {
        authorization: `Bearer ${KEY}`,
        body: {
          model: "scripted",
          stream: true,
          temperature: 0.3,
          messages: [{ role: "user", content: "Greet ${language} in French." }],
        },
      },
    ]);
    expect(seen[0]!.body).not.toHaveProperty("top_p");
  });

  test("runs an earlier version, and none of another prompt", async () => {
    script = () => events(textEvent("x"), "data: [DONE]\n\n");
    await started.client("PATCH", `/v1/prompts/${promptId}`, { content: "New." });
    const versions = (await started.client("GET", `/v1/prompts/${promptId}/versions`)).body.data;
    await run({ values: [], versionId: versions.at(-1).id });
    await run();
    expect(seen.map(({ body }) => (body.messages as { content: string }[])[0]!.content)).toEqual([
      content,
      "New.",
    ]);
    expect((await start({ values: [], versionId: versions[0].id }, { id: otherId })).status).toBe(404);
  });

  test("takes the text of a server that does not stream", async () => {
    script = () => Response.json({ choices: [{ message: { content: "All at once." } }] });
    expect(await run()).toEqual([
      ["text", "All at once."],
      ["end", { isCut: false }],
    ]);
  });

  test("reads characters and lines that arrive in pieces", async () => {
    const bytes = new TextEncoder().encode(`${textEvent("é😀")}data: [DONE]\r\n\r\n`);
    script = () => events(...[...bytes].map((byte) => new Uint8Array([byte])));
    expect((await run())[0]).toEqual(["text", "é😀"]);
  });

  test("reads line ends of every kind, several lines of data, and a stream without an end mark", async () => {
    const [first, second] = ['{"choices":[{"delta":', '{"content":"Hi"},"finish_reason":"stop"}]}'];
    for (const end of ["\n", "\r\n", "\r"]) {
      script = () =>
        new Response([`data: ${first}`, `data: ${second}`, "", ""].join(end), {
          headers: { "Content-Type": "Text/Event-Stream" },
        });
      expect(await run()).toEqual([
        ["text", "Hi"],
        ["end", { isCut: false }],
      ]);
    }
  });

  test("says that the reply broke off, after what was written", async () => {
    script = () => events(textEvent("Once upon"));
    expect(await run()).toEqual([
      ["text", "Once upon"],
      ["failed", expect.stringContaining("broke off")],
    ]);
  });

  test("cuts a part that is too long", async () => {
    script = () => Response.json({ choices: [{ message: { content: "é".repeat(1_000_000) } }] });
    const [[, text] = [], end] = await run();
    expect(Buffer.byteLength(String(text))).toBe(LIMITS.run.textBytes);
    expect(end).toEqual(["end", { isCut: true }]);
  });

  test("says that a limit has cut the text", async () => {
    script = () =>
      events(textEvent("Once"), eventOf({ delta: {}, finish_reason: "length" }), "data: [DONE]\n\n");
    expect((await run()).at(-1)).toEqual(["end", { isCut: true }]);
  });

  test("stops at the limit of a text, and ends the request to the model", async () => {
    let sent = 0;
    script = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent++;
            controller.enqueue(new TextEncoder().encode(textEvent("x".repeat(10_000))));
          },
        }),
        { headers: { "Content-Type": "text/event-stream" } },
      );
    const received = await run();
    expect(received.at(-1)).toEqual(["end", { isCut: true }]);
    const length = received.reduce((sum, [, text]) => sum + (typeof text === "string" ? text.length : 0), 0);
    expect(length).toBeLessThanOrEqual(LIMITS.run.textBytes);
    expect(length).toBeGreaterThan(LIMITS.run.textBytes - 20_000);
    expect(sent).toBeLessThan(1_000);
  });

  test.each([
    ["a status", () => new Response("no", { status: 503 }), "(status 503)"],
    ["an event that is not JSON", () => events("data: {\n\n"), "not JSON"],
    [
      "an error among the events",
      () => events('data: {"error":{"message":"out of memory"}}\n\n'),
      "out of memory",
    ],
    ["a reply without text", () => Response.json({ choices: [] }), "no text"],
    ["a redirect", () => Response.redirect("http://127.0.0.1:9/", 307), "(status 307)"],
  ])("says what went wrong: %s", async (_what, reply, words) => {
    script = reply;
    const [[name, message] = []] = await run();
    expect(name).toBe("failed");
    expect(message).toContain(words);
    expect(JSON.stringify([message, started.log])).not.toContain(KEY);
  });

  test("ends the request to the model when the page goes away", async () => {
    script = () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode(textEvent("Slow"))),
        }),
        { headers: { "Content-Type": "text/event-stream" } },
      );
    const page = new AbortController();
    const response = await start(undefined, { signal: page.signal });
    const { value } = await response.body!.getReader().read();
    expect(new TextDecoder().decode(value)).toContain("Slow");
    const { signal } = seen[0]!;
    const ended = new Promise((resolve) => signal.addEventListener("abort", resolve));
    page.abort();
    await ended;
    expect(signal.aborted).toBeTrue();
  });

  test("refuses a filled prompt that is too large", async () => {
    script = () => events("data: [DONE]\n\n");
    const big = await started.create("/v1/prompts", {
      title: "Big",
      description: "",
      content: "${x}".repeat(300),
    });
    const values = [{ name: "x", value: "y".repeat(10_000) }];
    expect((await start({ values }, { id: big })).status).toBe(400);
    expect(seen).toEqual([]);
  });

  test("is offered only where a model is configured", async () => {
    expect((await owner("GET", "/console/api/identity")).body.data.model).toBe("scripted");
  });
});

test("a server that stops says so to the pages that read, and ends their streams", async () => {
  script = () =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(textEvent("Slow"))),
      }),
      { headers: { "Content-Type": "text/event-stream" } },
    );
  const dataDir = makeTempDir();
  const flags = ["--llm-url", `http://127.0.0.1:${model.port}/v1`, "--llm-model", "scripted"];
  const program = await serveProgram(dataDir, flags);
  const key = await program.key();
  const client = createClient(program.url, key);
  const id = await createWith(client)("/v1/prompts", { title: "p", description: "", content: "c" });
  const [path, page] = [`/console/api/prompts/${id}/run`, new AbortController()];
  const leaving = createClient(program.url, key, (request) => fetch(request, { signal: page.signal }));
  const left = leaving("POST", path, { values: [] }).catch(() => "gone");
  const read = client("POST", path, { values: [] });
  while (seen.length < 2) await Bun.sleep(5);
  page.abort();
  expect(await left).toBe("gone");
  expect(await program.kill("SIGTERM")).toBe(0);
  expect((await read).body).toEndWith('event: failed\ndata: "The server is stopping."\n\n');
  expect(program.stderr()).not.toContain("TypeError");
  rmSync(dataDir, { recursive: true });
});

test("without a language model, nothing runs", async () => {
  const client = await consoleClient(plain);
  const id = await plain.create("/v1/prompts", { title: "p", description: "", content: "c" });
  const { status, body } = await client("POST", `/console/api/prompts/${id}/run`, { values: [] });
  expect(status).toBe(422);
  expect(body.error.message).toContain("--llm-url");
  expect((await client("GET", "/console/api/identity")).body.data.model).toBeNull();
});

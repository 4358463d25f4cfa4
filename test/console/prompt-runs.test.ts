// Running prompts with a language model, and two versions side by side, in a real browser. A scripted server on loopback
// writes what the prompt asks for.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import axe from "axe-core";
import { CHROMIUM, type ConsolePage, useConsole } from "../helpers/browser.ts";

describe.skipIf(!CHROMIUM)("prompt-runs", () => {
  /** What was asked, and whether the request has ended before its reply did. */
  const asked: { content: string; signal: AbortSignal }[] = [];
  const encoder = new TextEncoder();
  const textEvent = (content: string) =>
    encoder.encode(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
  const model = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { content } = ((await request.json()) as { messages: { content: string }[] }).messages[0]!;
      asked.push({ content, signal: request.signal });
      return new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(textEvent(`You said **${content}**\n\n<img src=x onerror=alert(1)> `));
            if (content.startsWith("Slowly")) return;
            controller.enqueue(textEvent("[link](javascript:alert(1)) ![picture](https://model.test/p.png)"));
            controller.enqueue(encoder.encode("data: [DONE]\n\n"));
            controller.close();
          },
        }),
        { headers: { "Content-Type": "text/event-stream" } },
      );
    },
  });
  const server = useConsole({
    settings: { llmUrl: `http://127.0.0.1:${model.port}/v1`, llmModel: "scripted" },
  });
  const { client, create } = server;
  let p: ConsolePage;
  let id = "";
  afterAll(() => model.stop(true));

  beforeAll(async () => {
    id = await create("/v1/prompts", { title: "Greet", description: "", content: "Greet ${name}." });
    await client("PATCH", `/v1/prompts/${id}`, { content: "Politely greet ${name}." });
    p = await server.signIn(`/console/prompts/${id}`);
  });

  test("a filled prompt is run, and what the model writes is shown as harmless Markdown", async () => {
    await p.fill("name", "Ada");
    await p.press("Run with scripted");
    await p.sees("You said Politely greet Ada.", ".result strong, .result");
    await p.sees("words", ".result [role=status]");
    expect(await p.text(".result strong")).toBe("Politely greet Ada.");
    expect(await p.page.$$(".result [onerror], .result a[href], .result img")).toEqual([]);
    await p.page.evaluate(axe.source);
    const { violations } = (await p.page.evaluate(
      "axe.run(document.querySelector('main'))",
    )) as axe.AxeResults;
    expect(violations.map(({ id: rule }) => rule)).toEqual([]);
  });

  test("two versions are run with the same values, side by side, by address", async () => {
    await p.press("Compare versions");
    await p.sees("Greet Ada.", '[aria-label="Right version"] .source');
    await p.fill("name", "Grace");
    await p.press("Run with scripted");
    await p.sees("You said Politely greet Grace.", '[aria-label="Result of version 2"]');
    await p.sees("You said Greet Grace.", '[aria-label="Result of version 1"]');
    await p.page.reload();
    await p.sees("Greet Grace.", '[aria-label="Right version"] .source');
    expect(await p.value('select[aria-label="Version on the left"]')).toBe("2");
    await p.press("Only the current version");
    await p.sees("Politely greet Grace.", ".source");
  });

  test("Stop ends the request to the model, and keeps what was written", async () => {
    const slow = await create("/v1/prompts", { title: "Slow", description: "", content: "Slowly, please." });
    await p.open(`/console/prompts/${slow}`);
    await p.press("Run with scripted");
    await p.sees("You said Slowly, please.", ".result");
    await p.sees("Writing…", ".result");
    const { signal } = asked.at(-1)!;
    const ended = new Promise((resolve) => signal.addEventListener("abort", resolve));
    await p.press("Stop");
    await ended;
    await p.sees("not complete", ".result");
    await p.sees("You said Slowly, please.", ".result");
  });

  test("leaving the view ends the request, too", async () => {
    await p.press("Run with scripted");
    await p.sees("Writing…", ".result");
    const { signal } = asked.at(-1)!;
    const ended = new Promise((resolve) => signal.addEventListener("abort", resolve));
    await p.press("Documents");
    await ended;
  });

  test("nothing has caused an error or a request to another server", () => {
    // Chromium reports these while the sanitiser parses the text, before anything of it is in the page.
    expect(p.problems().filter((problem) => !problem.startsWith("Executing inline event handler"))).toEqual(
      [],
    );
    expect(server.connections()).toBe(0);
  });
});

// ctxrepo ask: beside a running server and without one, for people and as JSON; and that it changes nothing.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { runProgram, serveProgram, untilIndexed } from "../helpers/program.ts";
import { createClient, makeTempDir } from "../helpers/start.ts";

let dir: string;
let documentId: string;
let besideServer: Awaited<ReturnType<typeof runProgram>>;

const ask = (...args: string[]) => runProgram(["ask", ...args, "--data-dir", dir]);

beforeAll(async () => {
  dir = join(makeTempDir(), "data");
  const { key } = JSON.parse((await runProgram(["keys", "create", "--json", "--data-dir", dir])).stdout);
  const server = await serveProgram(dir);
  const client = createClient(server.url, key);
  const make = (title: string, content: string) => client("POST", "/v1/documents", { title, content });
  const content = "# Kettle\n\n## Boiling\n\nThe kettle whistles when the water boils. \u001b[31mIt is red.";
  documentId = (await make("Kitchen notes", content)).body.data.id;
  await make("Garden", "The roses are cut back in March.");
  await untilIndexed(server.url);
  besideServer = await ask("When does the kettle whistle?", "--json");
  await server.kill("SIGTERM");
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("beside a running server", () => {
  const answer = JSON.parse(besideServer.stdout);
  expect(besideServer.code).toBe(0);
  expect(answer.answer).toContain("The kettle whistles when the water boils. [[");
  expect(answer.citations).toEqual([
    {
      chunkId: expect.stringMatching(/^\w{27}$/),
      documentId,
      documentTitle: "Kitchen notes",
      score: expect.any(Number),
    },
  ]);
  expect(Object.keys(answer.meta)).toEqual(["chunksGathered", "citationsDropped", "latencyMs"]);
});

test("without one, for people: numbered sources, and no control characters", async () => {
  const { code, stdout, stderr } = await ask("When does the kettle whistle?");
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^The kettle whistles when the water boils\. \[1\]/);
  expect(stdout).toContain("\n\nSources\n  [1] Kitchen notes, Boiling\n");
  expect(stdout).not.toContain("\u001b");
});

test("what is not found is said, and is no failure", async () => {
  const { code, stdout } = await ask("What is the phone number of the Vienna office?");
  expect(code).toBe(0);
  expect(stdout).toContain("The documents do not answer this question.\n\nNot found\n");
  expect(stdout).not.toContain("Sources");
});

test("one document, and as many paragraphs as wanted", async () => {
  const only = JSON.parse((await ask("When are roses cut?", "--json", "--document", documentId)).stdout);
  expect(only.citations).toEqual([]);
  const one = JSON.parse((await ask("When are roses cut?", "--json", "--limit", "1")).stdout);
  expect(one.meta.chunksGathered).toBe(1);
  expect(one.answer).toContain("March");
});

describe("wrong usage", () => {
  test.each([
    [[]],
    [[" "]],
    [["a", "--limit", "0"]],
    [["a", "--limit", "51"]],
    [["a", "--user", "bob"]],
    [["a", "--llm-url", "http://127.0.0.1:1"]],
  ])("%j", async (args) => {
    expect((await ask(...args)).code).toBe(2);
  });

  test("a user who does not exist is a failure", async () => {
    const { code, stderr } = await ask("a", "--user", "nobody@example.org");
    expect([code, stderr]).toEqual([1, "ctxrepo: user nobody@example.org not found\n"]);
  });
});

// ctxrepo ask: while a server runs and without one, as text and as JSON.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runOnTerminal, runProgram, serveProgram, untilIndexed } from "../helpers/program.ts";
import { createClient, makeTempDir } from "../helpers/start.ts";
import { runHere } from "./usage.ts";

let dir: string;
let documentId: string;
let whileServing: Awaited<ReturnType<typeof runProgram>>;

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
  whileServing = await ask("When does the kettle whistle?", "--json");
  await server.kill("SIGTERM");
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("it answers as JSON while a server runs", () => {
  const answer = JSON.parse(whileServing.stdout);
  expect(whileServing.code).toBe(0);
  expect(answer.answer).toContain("The kettle whistles when the water boils. [[");
  expect(answer.citations).toEqual([
    {
      chunkId: expect.stringMatching(/^\w{27}$/),
      documentId,
      documentTitle: "Kitchen notes",
      score: expect.any(Number),
      source: { heading: "Kettle > Boiling", line: 5 },
    },
  ]);
  expect(Object.keys(answer.meta)).toEqual(["chunksGathered", "citationsDropped", "latencyMs"]);
});

test("without a server it answers as text with numbered sources and without control characters", async () => {
  const { code, stdout, stderr } = await ask("When does the kettle whistle?");
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toStartWith("The kettle whistles when the water boils. [1]\n");
  expect(stdout).toContain("\n\nSources\n  [1] Kitchen notes › Boiling\n");
  expect(stdout).not.toContain("\u001b");
});

test("the lines fit into 80 columns, and long answers are shown by the pager of a terminal", async () => {
  const question = `When does the kettle whistle, and what is the phone number of ${"the Vienna office of ".repeat(90)}us?`;
  const piped = (await ask(question)).stdout;
  expect(Math.max(...piped.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(piped).toContain("\n    ");
  const environment = { NO_COLOR: "1", PAGER: "sed 's/^/PAGED /'" };
  const long = await runOnTerminal(["ask", question, "--data-dir", dir], environment);
  expect(long.screen).toBe(`${piped.trimEnd().replace(/^/gm, "PAGED ")}\n`);
  const short = await runOnTerminal(["ask", "When does the kettle whistle?", "--data-dir", dir], environment);
  expect(short.screen).toStartWith("The kettle whistles when the water boils. [1]\n");
});

test("a question that the documents do not answer ends with exit code 3", async () => {
  const question = "What is the phone number of the Vienna office?";
  const { code, stdout } = await ask(question);
  expect([code, stdout]).toEqual([
    3,
    expect.stringMatching(/^The documents do not answer this question\.\n/),
  ]);
  const json = await ask(question, "--json");
  expect([json.code, JSON.parse(json.stdout).gaps.length]).toEqual([3, 1]);
  const short = await ask(question, "--short");
  expect(short).toMatchObject({
    code: 3,
    stdout: "",
    stderr: "The documents do not answer this question.\n",
  });
});

test("the parts of a question that nothing answers are listed", async () => {
  const { code, stdout } = await ask("When does the kettle whistle, and what is the phone number of Vienna?");
  expect(code).toBe(0);
  expect(stdout).toContain("\n\nNot found\n  - what is the phone number of Vienna");
});

test("--short prints only what answers", async () => {
  const { code, stdout, stderr } = await ask("When does the kettle whistle?", "--short");
  expect([code, stdout, stderr]).toEqual([0, "The kettle whistles when the water boils.\n", ""]);
});

test("each cited document is listed once, with the path of its file and the headings", async () => {
  const notes = join(dir, "..", "notes");
  mkdirSync(join(notes, "Licences"), { recursive: true });
  const policy =
    "# Refund policy\n\nA licence can be returned within 30 days.\n\n" +
    "## Request a refund\n\nWrite to the sales office with the order number to request a refund.\n";
  writeFileSync(join(notes, "Licences", "Refund policy.md"), policy);
  await runProgram(["import", notes, "--wait", "--data-dir", dir]);
  const { stdout } = await ask(
    "How do I request a refund, and within how many days can a licence be returned?",
  );
  expect(stdout).toMatch(
    /\n\nSources\n {2}\[1\]\[2\] Refund policy — Licences\/Refund policy\.md › Request a refund\n/,
  );
});

test("--document limits the search to one document, --limit the number of paragraphs", async () => {
  const only = JSON.parse((await ask("When are roses cut?", "--json", "--document", documentId)).stdout);
  expect(only.gaps).toHaveLength(1);
  for (const citation of only.citations) expect(citation.documentId).toBe(documentId);
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
  ])("%j exits with 2", async (args) => {
    expect((await runHere(["ask", ...args, "--data-dir", dir])).code).toBe(2);
  });

  test("an unknown user is a failure", async () => {
    const { code, stderr } = await ask("a", "--user", "nobody@example.org");
    expect([code, stderr]).toEqual([1, expect.stringContaining("user nobody@example.org does not exist")]);
  });
});

test("what surrounds an answer is in the language of the question", async () => {
  const notes = join(dir, "..", "german");
  mkdirSync(notes);
  writeFileSync(
    join(notes, "Ofen.md"),
    "# Ofen\n\nDer Ofen in der Werkstatt wird jeden Freitag gereinigt.\n",
  );
  await runProgram(["import", notes, "--wait", "--data-dir", dir]);
  const { stdout } = await ask("Wann wird der Ofen in der Werkstatt gereinigt?");
  expect(stdout).toStartWith("Der Ofen in der Werkstatt wird jeden Freitag gereinigt. [1]\n");
  expect(stdout).toContain("\n\nQuellen\n  [1] Ofen");
  rmSync(notes, { recursive: true });
});

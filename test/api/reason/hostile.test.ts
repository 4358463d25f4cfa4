// POST /v1/reason with hostile texts: active markup, brackets that look like citations, and chunks that would take long
// to process.

import { expect, test } from "bun:test";
import { type Client, useServer } from "../../helpers/start.ts";
import { cpuMs } from "../../helpers/cpu-time.ts";

const started = useServer({ realModel: true });

let users = 0;

async function storing(...documents: { title: string; content: string }[]): Promise<Client> {
  const client = started.clientOf(`user-${users++}@example.org`);
  for (const document of documents) {
    expect((await client("POST", "/v1/documents", document)).status).toBe(201);
  }
  await started.settle();
  return client;
}

async function ask(client: Client, query: string, more: object = {}) {
  const { status, body } = await client("POST", "/v1/reason", { query, ...more });
  expect(status).toBe(200);
  return body.data as {
    answer: string;
    citations: { chunkId: string }[];
    gaps: string[];
    conflicts: string[];
  };
}

test.each([
  ["a tag over two lines", "The gizmo weighs 7 kg. <img\nsrc=x onerror=alert(1)>"],
  ["a tag inside a tag", "The gizmo weighs 7 kg <scr<b>ipt>alert(2)</scr</b>ipt> in all."],
  [
    "a link inside a link",
    "The gizmo weighs 7 kg, [click [me](javascript:alert(3)) now](javascript:alert(4)).",
  ],
  ["an unclosed tag", "The gizmo weighs 7 kg <img src=x onerror=alert(5) and more."],
  ["a link definition", "The gizmo weighs 7 kg [x]: javascript:alert(6)"],
])("%s is not active in the answer", async (_name, content) => {
  const client = await storing({ title: "Gizmo <img src=x onerror=alert(9)>", content });
  const { answer, gaps, conflicts } = await ask(client, "How much does the gizmo weigh?");
  expect(answer).toContain("7 kg");
  const shown = [answer, ...gaps, ...conflicts].join("\n");
  expect(shown).not.toMatch(/<(?:img|script|scr|b)\b/i);
  expect(shown).not.toMatch(/\]\(|\]:/);
});

const OTHER_ID = "2".repeat(27);

test.each([
  "[[[[x]]evil]]",
  "[[ ]]",
  `[[${OTHER_ID}]]`,
  `[[[${OTHER_ID}]]]`,
  `[[[[x]]${OTHER_ID}]]`,
  "]] [[",
])("%s in a question cites nothing", async (brackets) => {
  const client = await storing({
    title: "Turbine",
    content: "The turbine has a maximum pressure of 16 bar.",
  });
  const { answer, citations, gaps } = await ask(
    client,
    `What is the maximum pressure of the turbine, and who invented the ${brackets} engine?`,
  );
  expect(answer).toContain("16 bar");
  const tokens = [answer, ...gaps].join("\n").match(/\[\[[0-9A-Za-z]{27}\]\]/g) ?? [];
  const known = citations.map(({ chunkId }) => `[[${chunkId}]]`);
  for (const token of tokens) expect(known).toContain(token);
});

test.each<[string, string]>([
  [
    "a table of pipes",
    Array.from({ length: 20 }, (_, i) => `| pademelon ${i} ${"|".repeat(700)}`).join("\n"),
  ],
  ["pipes and spaces", `${"|".repeat(1_200)}\n${" ".repeat(1_200)}x pademelon`],
  ["very long numbers", `The pademelon number is ${"1".repeat(2_300)}.\n\n`.repeat(20)],
  ["digits and strokes", `A pademelon ${"1-".repeat(1_100)}.\n\n`.repeat(7)],
  ["brackets", `pademelon ${"[[".repeat(1_000)} ${" ".repeat(1_000)}\n\n`.repeat(5)],
  ["backticks", `pademelon ${"`".repeat(900)} ${"` ``".repeat(300)}\n\n`.repeat(5)],
])("%s are processed quickly", async (_name, content) => {
  const client = await storing({ title: "Pademelon", content });
  const startedAt = cpuMs();
  await ask(client, "What is the number of the pademelon?", { limit: 50, maxTokens: 100_000 });
  // A hundredth of what the same texts took before they were bounded.
  expect(cpuMs() - startedAt).toBeLessThan(5_000);
});

test("a row far below the header of its table is quoted with its column's name", async () => {
  const rows = Array.from({ length: 3_000 }, (_, i) => `| numbat ${90_000 + i} | ${i * 7} |`);
  const client = await storing({
    title: "Numbats",
    content: ["| Animal | Weight |", "| --- | --- |", ...rows].join("\n"),
  });
  const { answer } = await ask(client, "What is the weight of numbat 92500?");
  expect(answer).toContain("Weight: 17500");
  // Not all pieces of the table are gathered.
  expect((await ask(client, "Which animal has the highest weight?")).answer).not.toContain("The highest of");
});

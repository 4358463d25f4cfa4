// What the search worker finds for a question: the paragraphs with their neighbours, and for each part how near they
// are.

import { beforeAll, expect, test } from "bun:test";
import { partsOf } from "../../../src/engine/answers/1-question/question.ts";
import { gatherEvidence } from "../../../src/features/reason/gather.ts";
import { useServer } from "../../helpers/start.ts";

const ROWS = Array.from({ length: 120 }, (_, i) => `| Boat number ${i} of the long list | ${i + 20} euros |`);
const DOCUMENTS: Record<string, string> = {
  Kiln: "# Kiln\n\nA bisque firing takes eleven hours.\n\nOpen the vents with:\n\n```sh\nkiln vent --open 3\n```",
  Yard: "# Yard\n\nThe crane of the yard lifts three tonnes.",
  Boats: `# Boats\n\n| Boat | Price |\n| --- | --- |\n${ROWS.join("\n")}`,
  Changes: "# Changes\n\n## 2.4.0 (2026-05-03)\n\n### Fixed\n\nThe rudder of the ferry no longer rattles.",
};

const started = useServer();
beforeAll(async () => {
  for (const [title, content] of Object.entries(DOCUMENTS))
    await started.create("/v1/documents", { title, content });
  await started.settle();
});

const find = (question: string, limit = 8) =>
  gatherEvidence(started.app, started.owner.userId, { parts: partsOf(question), limit });

test("each part carries its hits for all of the evidence, by chunk", async () => {
  const { parts, evidence } = await find("How long does a bisque firing take, and what does the crane lift?");
  const [firing, crane] = parts;
  expect(parts.map(({ text }) => text)).toEqual([
    "How long does a bisque firing take",
    "what does the crane lift",
  ]);
  for (const { hits } of parts) expect([...hits.keys()]).toEqual(evidence.map(({ id }) => id));
  const bestOf = ({ hits }: (typeof parts)[number]) =>
    evidence.find(({ id }) => hits.get(id)!.rank === 0)!.title;
  expect([bestOf(firing!), bestOf(crane!)]).toEqual(["Kiln", "Yard"]);
});

test("a paragraph comes with what it announces, and that with the paragraph before it", async () => {
  const { evidence } = await find("How do I open the vents?");
  const code = evidence.find(({ text }) => text.includes("kiln vent"))!;
  expect(code.before).toBe("Open the vents with:");
  expect(evidence.some(({ id }) => id === code.previousId)).toBe(true);
});

test("a piece of a table comes with the piece that has its headers, and names the next one", async () => {
  const { evidence } = await find("What does boat number 60 of the long list cost?");
  const pieces = evidence.filter(({ title }) => title === "Boats");
  const later = pieces.find(({ text }) => text.includes("Boat number 60 "))!;
  expect(later.text).not.toContain("| Boat | Price |");
  expect(later.before).toContain("| Boat | Price |");
  expect(later.continuedBy).toBeString();
});

test("a heading with a date comes with its section, also from further up", async () => {
  const { evidence } = await find("Does the rudder of the ferry rattle?");
  const fixed = evidence.find(({ text }) => text.includes("rudder"))!;
  expect(fixed.heading?.text).toBe("2.4.0 (2026-05-03)");
  const section = await started.client("GET", `/v1/pd/read/${fixed.heading!.id}`);
  expect(section.body.data.content).toContain("2.4.0");
});

test("a document that is changed meanwhile is found in one of its states", async () => {
  const { body } = await started.client("POST", "/v1/documents", {
    title: "Log",
    content: "# Log\n\nThe lantern of the pier was lit in state 0.",
  });
  await started.settle();
  const found: string[][] = [];
  for (let state = 1; state <= 6; state++) {
    const content = `# Log\n\nThe lantern of the pier was lit in state ${state}.`;
    await started.client("PATCH", `/v1/documents/${body.data.id}`, { content }, { "If-Match": "*" });
    const [{ evidence }] = await Promise.all([
      find("When was the lantern of the pier lit?"),
      started.settle(),
    ]);
    found.push(evidence.filter(({ title }) => title === "Log").map(({ text }) => text));
  }
  for (const texts of found) expect(texts).toEqual([expect.stringMatching(/^The lantern .* state \d\.$/)]);
});

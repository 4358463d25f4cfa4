// The shipped reading model: what answers a question scores higher than what does not, also where they share more
// words.

import { afterAll, describe, expect, test } from "bun:test";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { assetPath, modelRuntime, WASM_RUNTIME } from "../../../src/base/assets.ts";
import { type AnsweringApi, serveAnswering } from "../../../src/engine/answers/worker.ts";
import { loadReader, type Reading } from "../../../src/engine/inference/reader.ts";
import { readerDirectory } from "../../../src/base/models.ts";
import { superviseWorker } from "../../../src/workers/supervisor.ts";
import { makeTempDir } from "../../helpers/start.ts";
import { BOUNDS } from "../answers/ask.ts";
import { chunk, inputOf } from "../answers/evidence.ts";

const MODEL = readerDirectory();
const reader = await loadReader(MODEL, modelRuntime());

test.each([
  [
    "How much is the deposit for the boat?",
    "Whoever takes out a boat leaves 50 euros with the warden, which are paid back on return.",
    "The boat may be taken out from May to September.",
  ],
  [
    "Who repairs the heating?",
    "If radiators stay cold, the caretaker, Ms Okafor, sees to them within a day.",
    "The heating runs from October to April.",
  ],
])("%s", async (question, answer, other) => {
  const [right, wrong] = await reader.score(
    [answer, other].map((passage) => ({ question, context: "House rules:", passage })),
  );
  expect(right!).toBeGreaterThan(wrong! + 1);
});

test("no readings give no scores", async () => {
  expect(await reader.score([])).toEqual([]);
});

test("many pairs of different lengths have the scores that each has alone, in their order", async () => {
  const question = "Who repairs the heating?";
  const passages = ["The caretaker repairs it.", "The hall is red.", "It runs from October to April."];
  const readings = Array.from({ length: 20 }, (_, i) => ({
    question,
    context: "House rules:",
    passage: `${passages[i % 3]}${" Please be quiet at night.".repeat((i * 7) % 5)}`,
  }));
  const together = await reader.score(readings);
  expect(together.length).toBe(20);
  for (const [i, reading] of readings.entries()) {
    const [alone] = await reader.score([reading]);
    expect(Math.abs(together[i]! - alone!)).toBeLessThan(1);
  }
});

describe("what is too long", () => {
  const question = "When is the pool open?";
  const passage = "It is open from 7 to 19.";
  const long = "The water is changed by the attendants. ".repeat(400);
  const scoreOf = async (reading: Partial<Reading>) =>
    (await reader.score([{ question, context: "Pool:", passage, ...reading }]))[0]!;

  test("of a question, the end is read", async () => {
    const asked = await scoreOf({ question: `${long} ${question}` });
    expect(asked).toBeGreaterThan(await scoreOf({ question: `${long} What does a towel cost?` }));
  });

  test("of a context, the beginning is read, and the whole passage", async () => {
    const read = await scoreOf({ context: `Pool: ${long}` });
    expect(read).toBeGreaterThan(await scoreOf({ context: `Pool: ${long}`, passage: "It is blue." }));
  });

  test("of a passage, the beginning is read", async () => {
    const read = await scoreOf({ passage: `${passage} ${long}` });
    expect(read).toBeGreaterThan(await scoreOf({ passage: `${long} ${passage}` }));
  });
});

test("the WebAssembly build computes about the same scores", async () => {
  const wasm = await loadReader(MODEL, { kind: "wasm", path: assetPath(`node_modules/${WASM_RUNTIME}`) });
  const readings: Reading[] = [
    { question: "Where are the keys?", context: "House:", passage: "The keys hang beside the door." },
    { question: "Where are the keys?", context: "House:", passage: "The door is red." },
  ];
  const scores = await wasm.score(readings);
  for (const [i, score] of (await reader.score(readings)).entries())
    expect(Math.abs(score - scores[i]!)).toBeLessThan(0.3);
});

describe("a model that cannot be used", () => {
  const folder = makeTempDir();
  afterAll(() => rmSync(folder, { recursive: true }));

  test("computes other scores than its self-test", async () => {
    cpSync(MODEL, folder, { recursive: true });
    const path = join(MODEL, "self-test.json");
    const selfTest = JSON.parse(readFileSync(path, "utf8"));
    expect(selfTest.readings.length).toBeGreaterThan(2);
    const scores = selfTest.scores.map((score: number) => score + 2 * selfTest.tolerance);
    await Bun.write(join(folder, "self-test.json"), JSON.stringify({ ...selfTest, scores }));
    expect(loadReader(folder, modelRuntime())).rejects.toThrow("it computes wrong scores on this machine");
  });

  test("is not accepted with a self-test that tests nothing", async () => {
    await Bun.write(
      join(folder, "self-test.json"),
      JSON.stringify({ readings: [], scores: [], tolerance: 0.5 }),
    );
    expect(loadReader(folder, modelRuntime())).rejects.toThrow("self-test.json does not contain readings");
  });

  test("makes answers unavailable with the reason, until it can be loaded", async () => {
    const directory = join(folder, "copy");
    const api = await serveAnswering({ readerDirectory: directory, runtime: modelRuntime() });
    const asked = { ...inputOf("Why was it wet?", [chunk("a", "It was wet because it rained.")]), ...BOUNDS };
    expect(api.parts({ question: "Why was it wet?" }).map(({ search }) => search)).toEqual([
      "Why was it wet?",
    ]);
    expect(await api.answer(asked).catch((error) => error)).toMatchObject({
      kind: "unavailable",
      message: `the reading model in ${directory} cannot be used: tokenizer.json is missing`,
      publicMessage: expect.stringContaining("questions cannot be answered"),
    });
    cpSync(MODEL, directory, { recursive: true });
    expect((await api.answer(asked)).blocks[0]!.text).toContain("[[a]]");
    await api.stop(null);
    expect(await api.answer(asked).catch((error) => error)).toMatchObject({ kind: "unavailable" });
  });
});

test("a worker is closed in the middle of its runs, and the calls that wait are rejected", async () => {
  const worker = superviseWorker<AnsweringApi>({
    role: "answering",
    options: { readerDirectory: MODEL, runtime: modelRuntime() },
    shutDown: (call) => call.stop(null),
  });
  await worker.call.load(null);
  const text = "The tower was built in 1741. The bell was cast in Lund. The clock stands still.";
  const asked = { ...inputOf("Who cast the bell?", [chunk("a", text)]), ...BOUNDS };
  const alone = await worker.call.answer(asked);
  const first = Promise.all(Array.from({ length: 4 }, () => worker.call.answer(asked)));
  // At the same time, each answer is the same as alone.
  expect(await first).toEqual([alone, alone, alone, alone]);
  const many = Array.from({ length: 200 }, () => worker.call.answer(asked).catch((error) => error.kind));
  await worker.close();
  expect((await Promise.all(many)).filter((one) => one === "unavailable").length).toBeGreaterThan(0);
});

// The distribution of indexing over embedding workers: additional ones run only while much text is waiting.

import { expect, test } from "bun:test";
import { additionalWorkersFor } from "../../../src/engine/embedding/additional-worker.ts";
import { createBulkQueue } from "../../../src/engine/embedding/bulk-queue.ts";
import type { EmbeddedPassages } from "../../../src/engine/embedding/worker.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { failureOf } from "../../helpers/failure-of.ts";

interface Running {
  text: string;
  end(): void;
  fail(): void;
}

/** A queue whose workers embed a group until the test ends it. `log` has the starts and ends of additional workers. */
function open(maxAdditional = 1) {
  const clock = new ManualClock();
  const log: string[] = [];
  const running: Record<string, Running[]> = { first: [] };
  const ready: (() => void)[] = [];
  const embedIn = (name: string) => (passages: { text: string }[]) =>
    new Promise<EmbeddedPassages>((resolve, reject) => {
      const entry: Running = {
        text: passages[0]!.text,
        end: () => leave(() => resolve({ windows: [], tokens: 1 })),
        fail: () => leave(() => reject(new Error(`${name} failed`))),
      };
      const leave = (settle: () => void) => {
        running[name]!.splice(running[name]!.indexOf(entry), 1);
        settle();
      };
      running[name]!.push(entry);
    });
  const queue = createBulkQueue({
    embedInFirst: embedIn("first"),
    openAdditional(onReady) {
      const name = `additional ${ready.length + 1}`;
      running[name] = [];
      let isReady = false;
      ready.push(() => {
        isReady = true;
        onReady();
      });
      return {
        start: () => void log.push(`start ${name}`),
        get isReady() {
          return isReady;
        },
        embed: embedIn(name),
        close: async () => void log.push(`close ${name}`),
      };
    },
    maxAdditional,
    clock,
  });
  const add = (text: string, characters = 1_000) => queue.embed([{ context: "", text }], characters);
  const texts = (name: string) => running[name]!.map(({ text }) => text);
  return { queue, clock, log, running, ready, add, texts };
}

test("the first worker has two groups at a time, in the order of the calls", async () => {
  const { add, running, texts, log } = open();
  const all = ["a", "b", "c"].map((text) => add(text));
  expect(texts("first")).toEqual(["a", "b"]);
  running.first![0]!.end();
  await all[0];
  expect(texts("first")).toEqual(["b", "c"]);
  expect(log).toEqual([]);
});

test("another worker is started when much text is waiting, and takes groups when it is ready", () => {
  const { add, texts, log, ready } = open();
  for (const text of "abcde") add(text);
  expect(log).toEqual([]);
  add("f");
  expect(log).toEqual(["start additional 1"]);
  expect(texts("additional 1")).toEqual([]);
  ready[0]!();
  expect(texts("first")).toEqual(["a", "b"]);
  expect(texts("additional 1")).toEqual(["c", "d"]);
});

test("while another worker is ready, the first one gets no groups", async () => {
  const { add, running, texts, ready } = open();
  const [a, _b, c] = [..."abcdefgh"].map((text) => add(text));
  ready[0]!();
  expect(texts("additional 1")).toEqual(["c", "d"]);
  running.first![0]!.end();
  await a;
  expect(texts("first")).toEqual(["b"]);
  running["additional 1"]![0]!.end();
  await c;
  expect(texts("additional 1")).toEqual(["d", "e"]);
});

test("never more workers than allowed", () => {
  const { add, log } = open(0);
  for (let i = 0; i < 20; i++) add(`${i}`);
  expect(log).toEqual([]);
});

test("a failing group rejects its own call only", async () => {
  const { add, running, texts } = open();
  const [a, b, c] = ["a", "b", "c"].map((text) => add(text));
  running.first![0]!.fail();
  expect(await failureOf(a!)).toMatchObject({ message: "first failed" });
  expect(texts("first")).toEqual(["b", "c"]);
  for (const { end } of [...running.first!]) end();
  expect(await Promise.all([b, c])).toHaveLength(2);
});

test("additional workers end after a pause, and start again with the next work", async () => {
  const { add, running, log, ready, clock } = open();
  const work = async () => {
    const all = Array.from({ length: 6 }, (_, i) => add(`${i}`));
    ready.at(-1)!();
    while (Object.values(running).some((groups) => groups.length > 0)) {
      for (const groups of Object.values(running)) for (const { end } of [...groups]) end();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(all);
  };
  await work();
  clock.advance(14_000);
  await work();
  clock.advance(14_000);
  await Promise.resolve();
  expect(log.filter((line) => line.startsWith("close"))).toEqual([]);
  clock.advance(1_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(log.at(-1)).toBe("close additional 1");
  for (let i = 0; i < 6; i++) add(`${i}`);
  expect(log.at(-1)).toBe("start additional 2");
});

test("closing ends additional workers and starts no others", async () => {
  const { add, queue, log } = open();
  for (let i = 0; i < 6; i++) add(`${i}`);
  await queue.close();
  add("late");
  expect(log).toEqual(["start additional 1", "close additional 1"]);
});

test.each([
  [1, 8e9, 1],
  [2, 8e9, 2],
  [4, 8e9, 4],
  [64, 8e9, 4],
  [4, 0.5e9, 0],
])("%d cores and %d bytes of memory allow %d additional workers", (cores, bytes, workers) => {
  expect(additionalWorkersFor(cores, bytes)).toBe(workers);
});

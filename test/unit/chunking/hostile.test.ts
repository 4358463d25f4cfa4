// Hostile documents. The time limit is generous: it detects quadratic running time.

import { expect, test } from "bun:test";
import { serveChunking } from "../../../src/engine/chunking/worker.ts";
import { LIMITS } from "../../../src/kernel/limits.ts";
import { expectSound } from "./invariants.ts";
import { cpuMs } from "../../helpers/cpu-time.ts";

/** Linear time is about 0.1 s, quadratic time minutes. */
const SIZE = 1_000_000;
const MAX_MS = 5_000;

const fill = (part: string) => part.repeat(Math.ceil(SIZE / part.length)).slice(0, SIZE);

function nestedList(depth: number): string {
  const staircase = Array.from({ length: depth }, (_, i) => `${"  ".repeat(i)}- item\n`).join("");
  return fill(`${staircase}lazy\n`);
}

test.each<[string, () => string]>([
  ["prose on one line", () => fill("Some words. ")],
  ["one word", () => fill("x")],
  ["one-letter paragraphs", () => fill("a\n\n")],
  ["headings", () => fill("# h\n")],
  ["sections", () => fill("# h\n\na\n\n")],
  ["a line of quotes", () => fill(">")],
  ["lines of many quotes", () => fill(`${">".repeat(1_000)} a\n`)],
  ["lazy lines after many quotes", () => `${">".repeat(1_000)} a\n${fill("some more text\n")}`],
  ["a line of brackets", () => fill("[")],
  ["lines of brackets", () => fill("[\n[\n\n")],
  ["link definitions", () => fill('[a]: b\n"c\n')],
  ["a line of backticks", () => fill("`")],
  ["fences", () => fill("```\n")],
  ["lists nested 1,000 deep", () => nestedList(1_000)],
  ["lists nested on one line", () => fill("- ")],
  ["lists that alternate", () => fill("+ some words\n- some words\n")],
  ["table rows", () => `| a | b |\n|---|---|\n${fill("| some cell | another |\n")}`],
  ["table columns", () => `${"|a".repeat(SIZE / 4)}|\n${"|-".repeat(SIZE / 4)}|`],
  ["a tag that never ends", () => `<a ${fill("a ")}`],
  ["headings full of marks", () => fill(`# ${"[`*_<".repeat(400)}\n`)],
  ["full stops", () => `${fill(".")}x`],
  ["marks on one letter", () => `a${fill("\u0301")}`],
  ["blank lines", () => fill("\n")],
  ["lone carriage returns", () => fill("some more text\r")],
])("linear time for 1 MB: %s", async (_, make) => {
  const { chunk } = await serveChunking();
  const text = make();
  const startedAt = cpuMs();
  const drafts = chunk({ text });
  expect(cpuMs() - startedAt).toBeLessThan(MAX_MS);
  expectSound(text, drafts, LIMITS.document.chunks);
});

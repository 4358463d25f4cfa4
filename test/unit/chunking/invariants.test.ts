// Invariants of every document, tested on generated ones, some of which exceed the maximum number of chunks.

import { describe, expect, test } from "bun:test";
import { chunkMarkdown } from "../../../src/engine/chunking/tree.ts";
import { generateMarkdown, randomFrom } from "./generate.ts";
import { expectSound } from "./invariants.ts";

describe("generated documents", () => {
  test("short ones satisfy the invariants", () => {
    const random = randomFrom(1);
    for (let i = 0; i < 500; i++) {
      const text = generateMarkdown(random, 1 + random(40));
      expectSound(text, chunkMarkdown(text), 10_000);
    }
  });

  test("any maximum is respected, down to 4", () => {
    const random = randomFrom(2);
    for (let i = 0; i < 500; i++) {
      const text = generateMarkdown(random, 1 + random(60));
      const maximum = 4 + random(20);
      expectSound(text, chunkMarkdown(text, maximum), maximum);
    }
  });

  test("long ones satisfy the invariants, deterministically", () => {
    const random = randomFrom(3);
    for (let i = 0; i < 2; i++) {
      const text = generateMarkdown(random, 6_000 + random(6_000));
      const drafts = chunkMarkdown(text);
      expectSound(text, drafts, 10_000);
      expect(chunkMarkdown(text)).toEqual(drafts);
    }
  });

  test("a maximum below 4 is rejected", () => {
    expect(() => chunkMarkdown("a", 3)).toThrow(RangeError);
  });
});

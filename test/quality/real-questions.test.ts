// The questions of `bun run bench reason-real`.

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bare, PROJECTS } from "../../scripts/bench/reason-real.ts";

const PACKAGES = join(import.meta.dir, "../../node_modules");

describe.each(Object.entries(PROJECTS))("the questions about %s", (_, { files, questions }) => {
  const texts = bare(files.map((path) => readFileSync(join(PACKAGES, path), "utf8")).join("\n"));

  test("are different ones, some of which the documents do not answer", () => {
    expect(new Set(questions.map(({ question }) => question)).size).toBe(questions.length);
    expect(questions.length).toBeGreaterThanOrEqual(40);
    expect(questions.filter(({ facts }) => facts.length === 0).length).toBeGreaterThanOrEqual(4);
  });

  test("expect facts that the documents contain", () => {
    const facts = questions.flatMap((one) => one.facts);
    expect(facts.filter((fact) => !texts.includes(bare(fact)))).toEqual([]);
  });
});

// The table of failure codes against the code that reports them.

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import {
  FAILURE_CODES,
  FAILURE_CODES_APPEAR_IN,
  type FailureCode,
} from "../../../src/kernel/failure-codes.ts";

const SOURCES = join(import.meta.dir, "../../../src");
const files = [...new Glob("**/*.ts").scanSync(SOURCES)].filter((name) => name !== "kernel/failure-codes.ts");
const texts = await Promise.all(files.map((name) => Bun.file(join(SOURCES, name)).text()));
const source = texts.join("\n");

describe.each(Object.entries<FailureCode>(FAILURE_CODES))("%s", (code, { from, meaning }) => {
  test("is reported somewhere", () => {
    const written = code.endsWith("*") ? `\`${code.slice(0, -1)}\${` : `"${code}"`;
    expect([code, source.includes(written)]).toEqual([code, true]);
  });

  test("is described in one line", () => {
    expect(meaning).toMatch(/^[A-Z][^\n]{10,115}\.$/);
    for (const one of from) expect(FAILURE_CODES_APPEAR_IN[one]).toBeString();
    expect(from.length).toBeGreaterThan(0);
  });
});

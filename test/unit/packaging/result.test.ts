// The last line of scripts/test, from what `bun test` 1.4.5 really prints.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { closingLine, fastFiles, readResult } from "../../../scripts/test.ts";

const line = (stderr: string, exitCode: number) => closingLine(readResult(stderr, exitCode));

const PASSED = `
test/x.test.ts:
(pass) one [0.06ms]

 12 pass
 0 fail
 30 expect() calls
Ran 12 tests across 3 files. [14.00ms]
`;

const MIXED = `(fail) bad [0.15ms]

test/d.test.ts:

# Unhandled error between tests
-------------------------------
error: Cannot find module './nope.ts' from '/tmp/test/b.test.ts'
-------------------------------


 2 pass
 1 skip
 1 todo
 4 fail
 2 errors
snapshots: +1 added
 2 expect() calls
Ran 8 tests across 4 files. [20.00ms]
`;

test("a run in which everything passed", () => {
  expect(line(PASSED, 0)).toBe("12 passed, 0 failed");
});

test("failures include files that cannot be loaded; skip and todo are one", () => {
  expect(line(MIXED, 1)).toBe("2 passed, 4 failed, 2 skipped");
});

test("colours do not hide the numbers", () => {
  const coloured = `\n\u001b[0m\u001b[32m 3 pass\u001b[0m\n\u001b[0m\u001b[31m 1 fail\u001b[0m\nRan 4 tests across 1 file. \u001b[0m\u001b[2m[\u001b[1m4.00ms\u001b[0m\u001b[2m]\u001b[0m\n`;
  expect(line(coloured, 1)).toBe("3 passed, 1 failed");
});

test("a bad end without a failed test counts as one failure", () => {
  expect(line(PASSED, 1)).toBe("12 passed, 1 failed");
  expect(line(PASSED, 137)).toBe("12 passed, 1 failed");
});

test.each([
  [
    "no file matched",
    'The following filters did not match any test files:\n zzz\nnote: Tests need ".test"\n',
    1,
  ],
  [
    "stopped at the first failure",
    "(fail) a [1ms]\nRan 1 test across 1 file. [5.00ms]\nBailed out after 1 failure\n",
    1,
  ],
  ["nothing at all", "", 139],
  ["a test that calls process.exit(0)", "test/x.test.ts:\n(pass) one [0.06ms]\n", 0],
])("without a count: %s", (_name, stderr, exitCode) => {
  expect(line(stderr, exitCode)).toBe("0 passed, 1 failed");
});

test("output of a test that looks like the summary is not counted", () => {
  const imitated = `Ran 5 tests across 1 file\n 99 pass\n\n 98 pass\nRan 98 tests across 1 file. [1.00ms]\n${MIXED}`;
  expect(line(imitated, 1)).toBe("2 passed, 4 failed, 2 skipped");
});

test("--fast selects most tests of the API, and none that starts a program", () => {
  const files = fastFiles(resolve(import.meta.dir, "../../.."));
  expect(files.filter((file) => file.startsWith("./test/api/")).length).toBeGreaterThan(40);
  const started = files.filter((file) =>
    /Bun\.spawn\(|helpers\/program/.test(readFileSync(resolve(import.meta.dir, "../../..", file), "utf8")),
  );
  expect(started).toEqual([]);
});

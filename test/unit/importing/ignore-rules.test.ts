// Rules of .gitignore files: the same answers as Git's, and no pattern is slow.

import { afterAll, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { type IgnoreRules, isIgnored, withRules } from "../../../src/importing/ignore-rules.ts";
import { makeTempDir } from "../../helpers/start.ts";

const PATHS = [
  ...["a", "b.md", "ab", "A.txt", "a b", "#a", "!a", "a[b]", "a\\b", "a-b", "1"],
  ...["d/a", "d/b.md", "d/d/a", "d/d/ab/b.md", "d/e/d/a", "e/d/b.md", "x/a", "x/e/a/b.md", "e/a b/1"],
];

const folder = makeTempDir();
afterAll(() => rmSync(folder, { recursive: true }));

/** Whether the path or a folder that contains it is excluded, as a walk finds it. */
function isExcluded(rules: IgnoreRules, path: string): boolean {
  const names = path.split("/");
  return names.some((_, index) =>
    isIgnored(rules, names.slice(0, index + 1).join("/"), index < names.length - 1),
  );
}

const part = fc.constantFrom(
  ...[
    "a",
    "b",
    "d",
    "e",
    "ab",
    "*",
    "?",
    "**",
    ".md",
    "[ab]",
    "[!a]",
    "[a-c]",
    "[^b-]",
    "[]a]",
    "[[:alpha:]]",
    "[",
  ],
  ...["\\a", "\\*", "\\", " ", "#", "!", "1", "[[:digit:]-]"],
);
const pattern = fc
  .tuple(
    fc.constantFrom("", "", "", "!", "/", "!/", "**/", "\\"),
    fc.array(fc.array(part, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
    fc.constantFrom("", "", "/", "/**", " ", "\\ ", "/*"),
  )
  .map(([start, names, end]) => start + names.map((parts) => parts.join("")).join("/") + end)
  // Git's documentation says that other asterisks are ordinary ones; Git itself does not always treat them so.
  .filter((text) => !/[^/]\*\*|\*\*[^/]/.test(text.replace(/^!/, "")));

test.each([true, false])("Git excludes the same paths (core.ignorecase %s)", (ignoresCase) => {
  const git = Bun.which("git");
  if (!git) return console.log("skipped: there is no git on this machine");
  const run = (...args: string[]) => Bun.spawnSync([git, "-C", folder, ...args]);
  run("init", "--quiet");
  run("config", "core.ignorecase", String(ignoresCase));
  run("config", "core.quotepath", "false");
  for (const path of PATHS) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "");
  }
  fc.assert(
    fc.property(fc.array(pattern, { minLength: 1, maxLength: 4 }), (lines) => {
      const text = `${lines.join("\n")}\n`;
      writeFileSync(join(folder, ".gitignore"), text);
      const stdin = Buffer.from(PATHS.map((path) => `${path}\0`).join(""));
      const checked = Bun.spawnSync([git, "-C", folder, "check-ignore", "--no-index", "--stdin", "-z"], {
        stdin,
      });
      const byGit = new Set(checked.stdout.toString().split("\0"));
      const rules = withRules([], "", text, ignoresCase);
      const excluded = PATHS.filter((path) => isExcluded(rules, path));
      expect(excluded).toEqual(PATHS.filter((path) => byGit.has(path)));
    }),
    { numRuns: 200 },
  );
});

test("rules of inner folders take precedence, and only apply inside", () => {
  const outer = withRules([], "/n", "*.md\n!keep.md\nbuild/\n");
  const inner = withRules(outer, "/n/sub", "keep.md\n!/a.md\n");
  expect(isIgnored(outer, "/n/a.md", false)).toBe(true);
  expect(isIgnored(outer, "/n/sub/keep.md", false)).toBe(false);
  expect(isIgnored(inner, "/n/sub/keep.md", false)).toBe(true);
  expect(isIgnored(inner, "/n/sub/a.md", false)).toBe(false);
  expect(isIgnored(inner, "/n/sub/deeper/a.md", false)).toBe(true);
  expect([isIgnored(outer, "/n/build", true), isIgnored(outer, "/n/build", false)]).toEqual([true, false]);
});

test("patterns that are built to be slow are compared at once", () => {
  const deep = `${"a/".repeat(2_000)}c`;
  const long = `${"a".repeat(250)}c`;
  for (const slow of [
    "a/**".repeat(100).concat("/b"),
    `**/${"*a".repeat(100)}b`,
    "[".repeat(60_000),
    "*a".repeat(100).concat("b"),
  ]) {
    const rules = withRules([], "", slow);
    for (const path of [deep, long, `${"a".repeat(200)}/`.repeat(20).concat("c")]) {
      expect(isIgnored(rules, path, false)).toBe(false);
    }
  }
});

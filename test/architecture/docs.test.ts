// The documentation matches the program: generated tables are up to date, and every link, path, command and folder that
// it names exists.

import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { DOCUMENTS, TABLES, tablesIn, withTables } from "../../scripts/docs.ts";

const ROOT = join(import.meta.dir, "../..");
const MAX_README_LINES = 210;

const texts = new Map(
  await Promise.all(DOCUMENTS.map(async (name) => [name, await Bun.file(join(ROOT, name)).text()] as const)),
);
const readme = texts.get("README.md")!;
const architecture = texts.get("docs/architecture.md")!;

const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```/gm, "");

/** The anchors of a file's headings, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutCode(text).matchAll(/^#{1,6} +(.+)$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = plain.replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

describe.each(DOCUMENTS)("%s", (name) => {
  const text = texts.get(name)!;

  test("has no stale table (bun run docs)", () => {
    expect(withTables(text)).toBe(text);
  });

  test("links only to files and headings that exist", () => {
    const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
    const broken = links.filter((link) => {
      if (/^[a-z]+:/.test(link)) return false;
      const [path = "", anchor] = link.split("#");
      const file = path === "" ? name : normalize(join(dirname(name), path));
      if (!existsSync(join(ROOT, file))) return true;
      return anchor !== undefined && !anchorsOf(texts.get(file) ?? "").has(anchor);
    });
    expect(broken).toEqual([]);
  });

  test("names only files and folders that exist", () => {
    const named = [...text.matchAll(/`((?:src|test|scripts|docs|migrations|models|\.ci)\/[\w./-]*)`/g)];
    expect(named.flatMap(([, path = ""]) => (existsSync(join(ROOT, path)) ? [] : [path]))).toEqual([]);
  });

  test("names only commands of package.json that exist", async () => {
    const { scripts } = (await Bun.file(join(ROOT, "package.json")).json()) as { scripts: object };
    const named = [...text.matchAll(/\bbun run ([a-z][\w:-]*)/g)].map(([, script = ""]) => script);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });
});

test("every generated table is in a document", () => {
  const placed = new Set([...texts.values()].flatMap(tablesIn));
  expect([...placed].sort()).toEqual(Object.keys(TABLES).sort());
});

test("a stale table is found and an unknown one is an error", () => {
  const stale = "<!-- generated: errors -->\n| Kind | Status |\n<!-- end -->\n";
  expect(withTables(stale)).toContain("| not-found | 404 |");
  expect(() => withTables("<!-- generated: nothing -->\n<!-- end -->")).toThrow("nothing");
});

test("the README is short, and links to every page of docs/; the architecture links to every decision", () => {
  expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(MAX_README_LINES);
  const isDecision = (name: string) => name.startsWith("docs/decisions/");
  const pages = DOCUMENTS.filter((name) => name !== "README.md" && !isDecision(name));
  expect(pages.filter((name) => !readme.includes(`](${name}`))).toEqual([]);
  const decisions = DOCUMENTS.filter(isDecision).map((name) => name.replace("docs/", ""));
  expect(decisions.filter((name) => !architecture.includes(`](${name}`))).toEqual([]);
});

test("the architecture picture shows exactly the files and folders of src", () => {
  const picture = /## Folders[\s\S]*?```\n([\s\S]*?)```/.exec(architecture)?.[1] ?? "";
  const shown = [...picture.matchAll(/^ {2}([\w-]+(?:\.ts|\/))/gm)].map(([, entry = ""]) => entry);
  const present = [...new Bun.Glob("*").scanSync({ cwd: join(ROOT, "src"), onlyFiles: false })];
  const entries = present.map((entry) => (entry.endsWith(".ts") ? entry : `${entry}/`));
  expect(shown.sort()).toEqual(entries.sort());
});

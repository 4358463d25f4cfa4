// All files of test/fixtures/files: NAME.EXT has the text of NAME.EXT.txt, nearly every word of it in its order. The
// texts of rules-LANGUAGE.EXT were written first, and then put into each format.

import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { extractPage } from "../../../src/engine/extraction/extract.ts";
import { extractFile } from "../../../src/engine/extraction/extract-file.ts";
import { FILE_KINDS } from "../../../src/kernel/file-kinds.ts";
import { isExtracted, typeOf } from "../../../src/importing/file-types.ts";

const FOLDER = resolve(import.meta.dir, "../../fixtures/files");
const MIN_SHARE = 0.98;
const names = readdirSync(FOLDER).filter((name) => !name.endsWith(".txt"));

async function textOf(name: string): Promise<string> {
  const body = new Uint8Array(readFileSync(join(FOLDER, name)));
  const kind = typeOf(name);
  const url = `file:///files/${name}`;
  const { title, markdown } = isExtracted(kind)
    ? await extractFile({ body, kind, url })
    : extractPage({ body, contentType: "text/html", url, onlyMainContent: true });
  return `${title}\n${markdown}`;
}

/** Words without case; of scripts that do not divide words, the characters. */
const wordsOf = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** The length of the longest common subsequence. */
function inOrder(expected: readonly string[], found: readonly string[]): number {
  let row = new Array<number>(found.length + 1).fill(0);
  for (const word of expected) {
    const next = [0];
    for (const [index, other] of found.entries())
      next.push(word === other ? row[index]! + 1 : Math.max(row[index + 1]!, next[index]!));
    row = next;
  }
  return row.at(-1)!;
}

test("there are files of all kinds", () => {
  expect(names.length).toBeGreaterThanOrEqual(60);
  expect(new Set(names.map(typeOf))).toEqual(new Set(["html", ...FILE_KINDS]));
});

test.each(names)("%s", async (name) => {
  const expected = wordsOf(readFileSync(join(FOLDER, `${name}.txt`), "utf8"));
  const found = wordsOf(await textOf(name));
  const left = new Map<string, number>();
  for (const word of found) left.set(word, (left.get(word) ?? 0) + 1);
  const missing = expected.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count <= 0;
  });
  expect(
    missing.slice(0, Math.max(0, missing.length - Math.floor((1 - MIN_SHARE) * expected.length))),
  ).toEqual([]);
  expect(inOrder(expected, found)).toBeGreaterThanOrEqual(MIN_SHARE * expected.length);
});

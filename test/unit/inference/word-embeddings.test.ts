// The table of word embeddings: the rows that are read are those of the tokens.

import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  lookUp,
  openWordEmbeddings,
  WORD_EMBEDDINGS,
} from "../../../src/engine/inference/word-embeddings.ts";

/** Two blocks of 32 weights. */
const SIZE = 64;
const folder = mkdtempSync(join(tmpdir(), "ctxrepo-words-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A row with the scales 0.5 and 2, whose weights in each block are `first`, `second`, then zeros. */
function rowOf(first: number, second: number): Uint8Array {
  const row = new Uint8Array(2 * 2 + SIZE / 2);
  const view = new DataView(row.buffer);
  view.setFloat16(0, 0.5, true);
  view.setFloat16(2, 2, true);
  for (const start of [4, 4 + 16]) row[start] = (first & 0xf) | ((second & 0xf) << 4);
  return row;
}

function write(bytes: Uint8Array): void {
  mkdirSync(dirname(join(folder, WORD_EMBEDDINGS)), { recursive: true });
  writeFileSync(join(folder, WORD_EMBEDDINGS), bytes);
}

test("a folder without the file has no table", async () => {
  expect(await openWordEmbeddings(join(folder, "nothing"), SIZE)).toBeUndefined();
});

test("rows are read in the order of the tokens, a row as often as its token is there", async () => {
  write(Buffer.concat([rowOf(1, -1), rowOf(7, -8), rowOf(3, 0)]));
  const words = (await openWordEmbeddings(folder, SIZE))!;
  const rows = await lookUp(words, [2, 1, 2]);
  expect(rows.length).toBe(3 * SIZE);
  const starts = [0, 32, 64, 96, 128, 160].map((at) => [...rows.subarray(at, at + 3)]);
  expect(starts).toEqual([
    [1.5, 0, 0],
    [6, 0, 0],
    [3.5, -4, 0],
    [14, -16, 0],
    [1.5, 0, 0],
    [6, 0, 0],
  ]);
});

test("a token after the last row, and a file that ends in a row, are errors", async () => {
  write(Buffer.concat([rowOf(1, 1), rowOf(2, 2)]));
  const words = (await openWordEmbeddings(folder, SIZE))!;
  await expect(lookUp(words, [0, 2])).rejects.toThrow("token 2 has no word embedding");
  write(Buffer.concat([rowOf(1, 1), rowOf(2, 2).subarray(1)]));
  await expect(openWordEmbeddings(folder, SIZE)).rejects.toThrow("does not consist of rows of 64 numbers");
});

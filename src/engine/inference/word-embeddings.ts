// The word embeddings of a model whose layers read `inputs_embeds`: one table of 4-bit weights that threads share,
// because it is two thirds of a multilingual model.

import { join } from "node:path";
import { readModelFile } from "./compressed.ts";

/** The file of the table in a model's folder. */
const WORD_EMBEDDINGS = join("onnx", "word_embeddings.bin");

/** Weights that have a scale in common. */
const BLOCK = 32;
const BLOCK_BYTES = BLOCK / 2;
const SCALE_BYTES = 2;

/**
 * Rows of the same length, one for each token: the scales of its blocks (float16, little endian), then its weights, two
 * in a byte, the first in the low half. A weight is its 4-bit number in two's complement times the scale of its block.
 */
export interface WordEmbeddings {
  bytes: Uint8Array<SharedArrayBuffer>;
  /** Numbers of a row. */
  size: number;
}

/**
 * Reads the table into shared memory; undefined if the model has none. `size` is the model's hidden size. Throws
 * RangeError if the file is not a whole number of rows.
 */
export async function readWordEmbeddings(
  directory: string,
  size: number,
): Promise<WordEmbeddings | undefined> {
  const file = await readModelFile(directory, WORD_EMBEDDINGS);
  if (!file) return undefined;
  if (file.length % rowBytes(size) !== 0)
    throw new RangeError(`${WORD_EMBEDDINGS} does not consist of rows of ${size} numbers`);
  const bytes = new Uint8Array(new SharedArrayBuffer(file.length));
  bytes.set(file);
  return { bytes, size };
}

const rowBytes = (size: number) => (size / BLOCK) * (SCALE_BYTES + BLOCK_BYTES);

/** The rows of these tokens, one after another. Throws RangeError for a token that has none. */
export function lookUp({ bytes, size }: WordEmbeddings, tokens: readonly number[]): Float32Array {
  const rows = new Float32Array(tokens.length * size);
  const view = new DataView(bytes.buffer);
  const scaleBytes = (size / BLOCK) * SCALE_BYTES;
  for (const [row, token] of tokens.entries()) {
    const start = token * rowBytes(size);
    for (let block = 0; block < size / BLOCK; block++) {
      const scale = view.getFloat16(start + block * SCALE_BYTES, true);
      const from = start + scaleBytes + block * BLOCK_BYTES;
      const to = row * size + block * BLOCK;
      for (let i = 0; i < BLOCK_BYTES; i++) {
        const pair = bytes[from + i]!;
        // Shifts extend the sign of each half.
        rows[to + 2 * i] = ((pair << 28) >> 28) * scale;
        rows[to + 2 * i + 1] = ((pair << 24) >> 28) * scale;
      }
    }
  }
  return rows;
}

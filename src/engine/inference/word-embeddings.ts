// The word embeddings of a model whose layers read `inputs_embeds`: a table of 4-bit weights in a file. It is two
// thirds of a multilingual model, and only the rows of a text are read.

import { join } from "node:path";

/** The file of the table in a model's folder. It is never compressed. */
export const WORD_EMBEDDINGS = join("onnx", "word_embeddings.bin");

/** Weights that have a scale in common. */
const BLOCK = 32;
const BLOCK_BYTES = BLOCK / 2;
const SCALE_BYTES = 2;

/**
 * Rows of the same length, one for each token: the scales of its blocks (float16, little endian), then its weights, two
 * in a byte, the first in the low half. A weight is its 4-bit number in two's complement times the scale of its block.
 */
export interface WordEmbeddings {
  file: Blob;
  /** Numbers of a row. */
  size: number;
}

/**
 * Opens the table; undefined if the model has none. `size` is the model's hidden size. Throws RangeError if the file is
 * not a whole number of rows.
 */
export async function openWordEmbeddings(
  directory: string,
  size: number,
): Promise<WordEmbeddings | undefined> {
  const file = Bun.file(join(directory, WORD_EMBEDDINGS));
  if (!(await file.exists())) return undefined;
  if (file.size % rowBytes(size) !== 0)
    throw new RangeError(`${WORD_EMBEDDINGS} does not consist of rows of ${size} numbers`);
  return { file, size };
}

const rowBytes = (size: number) => (size / BLOCK) * (SCALE_BYTES + BLOCK_BYTES);

/**
 * The rows of these tokens, one after another. Reading 128 of them takes 0.4 to 2 ms, the layers 50 ms. Rejects with
 * RangeError for a token that has none.
 */
export async function lookUp(
  { file, size }: WordEmbeddings,
  tokens: readonly number[],
): Promise<Float32Array> {
  const read = await Promise.all(
    tokens.map((token) => file.slice(token * rowBytes(size), (token + 1) * rowBytes(size)).bytes()),
  );
  const rows = new Float32Array(tokens.length * size);
  for (const [at, bytes] of read.entries()) {
    if (bytes.length !== rowBytes(size)) throw new RangeError(`token ${tokens[at]} has no word embedding`);
    unpack(bytes, rows.subarray(at * size, (at + 1) * size));
  }
  return rows;
}

function unpack(bytes: Uint8Array, row: Float32Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const scaleBytes = (row.length / BLOCK) * SCALE_BYTES;
  for (let block = 0; block < row.length / BLOCK; block++) {
    const scale = view.getFloat16(block * SCALE_BYTES, true);
    const from = scaleBytes + block * BLOCK_BYTES;
    const to = block * BLOCK;
    for (let i = 0; i < BLOCK_BYTES; i++) {
      const pair = bytes[from + i]!;
      // Shifts extend the sign of each half.
      row[to + 2 * i] = ((pair << 28) >> 28) * scale;
      row[to + 2 * i + 1] = ((pair << 24) >> 28) * scale;
    }
  }
}

// Our sign bits are those of sqlite-vec, so that its Hamming distance can compare the two.

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { getLoadablePath } from "sqlite-vec";
import { signBits } from "../../../src/engine/embedding/bits.ts";
import { randomVectors } from "./vectors.ts";

test("signBits has the layout of vec_quantize_binary", () => {
  const database = new Database(":memory:");
  database.loadExtension(getLoadablePath());
  const quantize = database.query<{ bits: Uint8Array }, [Uint8Array]>(
    "SELECT vec_quantize_binary(?) AS bits",
  );
  const edges = Float32Array.of(0, -0, 1e-45, -1e-45, 1, -1, Infinity, -Infinity);
  for (const vector of [edges, ...randomVectors(8, 4), ...randomVectors(1536, 4)]) {
    const { bits } = quantize.get(new Uint8Array(vector.buffer))!;
    expect(signBits(vector)).toEqual(new Uint8Array(bits));
  }
  database.close();
});

test("signBits puts bit i at position i & 7 of byte i >> 3", () => {
  const vector = new Float32Array(1536).fill(-1);
  vector[0] = 1;
  vector[10] = 1;
  vector[1535] = 1;
  const bits = signBits(vector);
  expect(bits.length).toBe(192);
  expect([bits[0], bits[1], bits[191]]).toEqual([1, 4, 128]);
});

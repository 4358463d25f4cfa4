// The lift from a model's own dimension to the stored 1,536: fixed orthogonal rotations, concatenated and scaled.
// Cosines are unchanged, and the additional dimensions make the sign bits more precise.

import { EMBEDDING_DIMENSION } from "../../kernel/limits.ts";

/** Stored vectors depend on this number: it must never change. */
const SEED = 0x9e3779b9;

/** Three rounds of signs and transform approximate a dense Gaussian rotation (Andoni et al. 2015, section 6). */
const ROUNDS = 3;

const INVERSE_SQRT_2 = 1 / Math.sqrt(2);
const INVERSE_SQRT_3 = 1 / Math.sqrt(3);
const INVERSE_SQRT_6 = 1 / Math.sqrt(6);

/**
 * Creates the lift for vectors of `nativeDimension` numbers: it returns a new vector of 1,536 with the same norm;
 * cosines of pairs are unchanged up to float rounding. Each of the 1536 / n rotations is H·D3·H·D2·H·D1: D are random
 * signs, H is the orthonormal DCT-II of size 1 or 3 Kronecker the Walsh-Hadamard transform (fast Johnson-Lindenstrauss,
 * Ailon & Chazelle 2009), on n = the smallest divisor of 1,536 that holds the vector, the rest being zeros. The signs
 * are the top bits of xorshift32 (Marsaglia 2003), one step per sign, in the order rotation, round, index. Throws
 * RangeError for a dimension that is not a whole number from 1 to 1,536.
 */
export function createLift(nativeDimension: number): (vector: Float32Array) => Float32Array {
  if (!Number.isInteger(nativeDimension) || nativeDimension < 1 || nativeDimension > EMBEDDING_DIMENSION) {
    throw new RangeError(
      `a vector of ${nativeDimension} dimensions cannot be lifted to ${EMBEDDING_DIMENSION}`,
    );
  }
  const size = rotationSize(nativeDimension);
  const rotations = EMBEDDING_DIMENSION / size;
  const transform = size % 3 === 0 ? cosineHadamard : hadamard;
  const block = size % 3 === 0 ? size / 3 : size;
  const scale = Math.sqrt(size / EMBEDDING_DIMENSION) / Math.sqrt(block) ** ROUNDS;
  const signs = randomSigns(rotations * ROUNDS * size);
  const values = new Float64Array(size);

  return (vector) => {
    const lifted = new Float32Array(EMBEDDING_DIMENSION);
    let sign = 0;
    for (let rotation = 0; rotation < rotations; rotation++) {
      values.fill(0);
      values.set(vector);
      for (let round = 0; round < ROUNDS; round++) {
        for (let i = 0; i < size; i++) values[i]! *= signs[sign++]!;
        transform(values, block);
      }
      const offset = rotation * size;
      for (let i = 0; i < size; i++) lifted[offset + i] = values[i]! * scale;
    }
    return lifted;
  };
}

/**
 * The inverse of `createLift`: the vector of `nativeDimension` numbers whose lift starts with the first rotation in
 * `lifted`, up to float rounding. Needs no more of `lifted` than that rotation.
 */
export function ownVector(lifted: Float32Array, nativeDimension: number): Float32Array {
  const size = rotationSize(nativeDimension);
  const hasThirds = size % 3 === 0;
  const block = hasThirds ? size / 3 : size;
  const signs = randomSigns(ROUNDS * size);
  const values = Float64Array.from(lifted.subarray(0, size));
  for (let round = ROUNDS - 1; round >= 0; round--) {
    // The transpose of each transform is its inverse, times `block`.
    if (hasThirds) inverseCosines(values, block);
    hadamard(values, block);
    for (let i = 0; i < size; i++) values[i]! *= signs[round * size + i]!;
  }
  const scale = Math.sqrt(size / EMBEDDING_DIMENSION) * Math.sqrt(block) ** ROUNDS;
  return Float32Array.from(values.subarray(0, nativeDimension), (value) => value / scale);
}

/**
 * How many values each rotation of such vectors has: the smallest divisor of 1,536 that holds the vector. A rotation
 * keeps cosines, so the cosine of the first `rotationSize` values of two lifted vectors is that of the whole vectors.
 */
export function rotationSize(nativeDimension: number): number {
  let size = nativeDimension;
  while (EMBEDDING_DIMENSION % size !== 0) size += 1;
  return size;
}

function randomSigns(count: number): Int8Array {
  const signs = new Int8Array(count);
  let state = SEED | 0;
  for (let i = 0; i < count; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    signs[i] = state < 0 ? -1 : 1;
  }
  return signs;
}

/** Walsh-Hadamard transform in place, without its factor, of every run of `block` values. */
function hadamard(values: Float64Array, block: number): void {
  for (let half = 1; half < block; half *= 2) {
    for (let start = 0; start < values.length; start += half * 2) {
      for (let i = start; i < start + half; i++) {
        const a = values[i]!;
        const b = values[i + half]!;
        values[i] = a + b;
        values[i + half] = a - b;
      }
    }
  }
}

/** Hadamard within each third, then the orthonormal DCT-II of size 3 across the thirds. */
function cosineHadamard(values: Float64Array, block: number): void {
  hadamard(values, block);
  for (let i = 0; i < block; i++) {
    const a = values[i]!;
    const b = values[i + block]!;
    const c = values[i + 2 * block]!;
    values[i] = (a + b + c) * INVERSE_SQRT_3;
    values[i + block] = (a - c) * INVERSE_SQRT_2;
    values[i + 2 * block] = (a - 2 * b + c) * INVERSE_SQRT_6;
  }
}

/** The inverse of the DCT across the thirds. */
function inverseCosines(values: Float64Array, block: number): void {
  for (let i = 0; i < block; i++) {
    const a = values[i]! * INVERSE_SQRT_3;
    const b = values[i + block]! * INVERSE_SQRT_2;
    const c = values[i + 2 * block]! * INVERSE_SQRT_6;
    values[i] = a + b + c;
    values[i + block] = a - 2 * c;
    values[i + 2 * block] = a - b + c;
  }
}

// Pseudo-random numbers that are the same in every run.

import { EMBEDDING_DIMENSION } from "../../src/kernel/limits.ts";
import { toUnitLength } from "../../src/kernel/vectors.ts";

/** Uniform numbers from 0 to below 1 (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A vector whose numbers are normally distributed (Box-Muller). */
export function gaussianVector(dimension: number, random: () => number): Float32Array {
  return Float32Array.from(
    { length: dimension },
    () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
  );
}

/** Unit vectors of 1,536 dimensions, uniformly distributed over all directions. */
export function randomUnitVectors(count: number): Float32Array[] {
  const random = createRandom(7);
  return Array.from({ length: count }, () => toUnitLength(gaussianVector(EMBEDDING_DIMENSION, random)));
}

// Vectors for the tests of this folder: the same ones in every run.

/** `count` vectors of numbers between -1 and 1 (xorshift32). */
export function randomVectors(dimension: number, count: number): Float32Array[] {
  let state = 12_345;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 2 ** 31;
  };
  return Array.from({ length: count }, () => Float32Array.from({ length: dimension }, next));
}

export function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  for (let i = 0; i < a.length; i++) dot += a[i]! * b[i]!;
  return dot / (Math.hypot(...a) * Math.hypot(...b));
}

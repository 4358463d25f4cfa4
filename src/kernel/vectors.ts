// Arithmetic on vectors. It must not know models or the index.

/** Dot product of two vectors of equal length; for vectors of unit length, their cosine. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

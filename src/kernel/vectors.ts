// Arithmetic on vectors.

/** Dot product of two vectors of equal length; for vectors of unit length, their cosine. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** Adds a vector to a sum of equal length, in place. */
export function addTo(sum: Float32Array, vector: Float32Array): void {
  for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]!;
}

/** The vector scaled to length 1; a zero vector stays zero. */
export function toUnitLength(vector: Float32Array): Float32Array {
  const norm = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / (norm || 1));
}

// The signs of a vector as packed bits, for the coarse step of the vector search.

/**
 * One bit per number, 1 when it is greater than zero: bit i is in byte `i >> 3` at position `i & 7`, the layout of
 * sqlite-vec's `vec_quantize_binary`. 1,536 numbers make 192 bytes.
 */
export function signBits(vector: Float32Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(vector.length / 8));
  for (let i = 0; i < vector.length; i++) {
    if (vector[i]! > 0) bits[i >> 3]! |= 1 << (i & 7);
  }
  return bits;
}

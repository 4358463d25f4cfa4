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

/** Of each half, these bytes come first. */
const COARSE_BYTES = 24;

/**
 * The bits of a vector of two models in the order of the coarse scan: the first 192 bits of either half, then the rest
 * of the first half, then that of the second one. Distances are those of the plain order.
 */
export function halvesInTurn(bits: Uint8Array): Uint8Array {
  const half = bits.length / 2;
  const ordered = new Uint8Array(bits.length);
  ordered.set(bits.subarray(0, COARSE_BYTES), 0);
  ordered.set(bits.subarray(half, half + COARSE_BYTES), COARSE_BYTES);
  ordered.set(bits.subarray(COARSE_BYTES, half), 2 * COARSE_BYTES);
  ordered.set(bits.subarray(half + COARSE_BYTES), half + COARSE_BYTES);
  return ordered;
}

// Pseudo-random bit strings of the index's length, equal in every run.

let seed = 7;

/** The next string of 192 bytes. */
export function randomBits(): Uint8Array {
  return Uint8Array.from({ length: 192 }, () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed >> 16;
  });
}

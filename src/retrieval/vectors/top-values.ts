// The largest of many numbers without sorting them all.

/** Maxima of about this many blocks of values are sorted, and at least so many times as the values to find. */
const BLOCKS = 2_048;
const BLOCKS_A_VALUE = 4;

/**
 * The indexes of the `count` largest values above 0, of all that equal the last of them, and of some smaller ones; all
 * indexes of values above 0 if there are fewer.
 */
export function largest(values: Float32Array, count: number): number[] {
  const size = Math.max(1, Math.ceil(values.length / Math.max(BLOCKS, BLOCKS_A_VALUE * count)));
  const maxima = new Float32Array(Math.ceil(values.length / size));
  for (let block = 0, i = 0; block < maxima.length; block++) {
    let maximum = 0;
    for (const end = Math.min(values.length, i + size); i < end; i++) {
      const value = values[i]!;
      if (value > maximum) maximum = value;
    }
    maxima[block] = maximum;
  }
  // At least `count` values, one in each of the best blocks, are not below this.
  const minimum = count > 0 ? (maxima.toSorted()[maxima.length - count] ?? 0) : Number.POSITIVE_INFINITY;
  const found: number[] = [];
  for (const [block, maximum] of maxima.entries()) {
    if (maximum < minimum || maximum === 0) continue;
    const end = Math.min(values.length, (block + 1) * size);
    for (let i = block * size; i < end; i++) if (values[i]! >= minimum && values[i]! > 0) found.push(i);
  }
  return found;
}

// Keeps results that are likely to be asked for again, within a bound.

/** How results are found again, and how many are kept. */
interface Memory<Input, Result> {
  /** The same for inputs with the same result. */
  keyOf(input: Input): string;
  /** How much memory a result needs, in any unit. */
  sizeOf(result: Result, key: string): number;
  /** For all results together; if one more does not fit, all others are forgotten. */
  maxSize: number;
}

/** `compute`, which must depend on its input alone, with a memory of its results. Nobody may change a result. */
export function remember<Input, Result extends object>(
  compute: (input: Input) => Result,
  { keyOf, sizeOf, maxSize }: Memory<Input, Result>,
): (input: Input) => Result {
  const results = new Map<string, Result>();
  let kept = 0;
  return (input) => {
    const key = keyOf(input);
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = compute(input);
    const size = sizeOf(result, key);
    if (size > maxSize) return result;
    if (kept + size > maxSize) {
      results.clear();
      kept = 0;
    }
    results.set(key, result);
    kept += size;
    return result;
  };
}

// Keeps results that are likely to be asked for again, within a bound.

/** `compute` with a memory of its result, which must be the same each time. */
export function once<Result extends object>(compute: () => Result): () => Result {
  let result: Result | undefined;
  return () => {
    result ??= compute();
    return result;
  };
}

/** How results are found again, and how many are kept. */
interface Memory<Input, Result> {
  /** The same for inputs with the same result. */
  keyOf(input: Input): string;
  /** How much memory a result needs, in any unit. */
  sizeOf(result: Result, key: string): number;
  /**
   * For all results together. Those that were not asked for recently are forgotten first; one of more than half is not
   * kept.
   */
  maxSize: number;
}

/** `compute`, which must depend on its input alone, with a memory of its results. Nobody may change a result. */
export function remember<Input, Result extends object>(
  compute: (input: Input) => Result,
  { keyOf, sizeOf, maxSize }: Memory<Input, Result>,
): (input: Input) => Result {
  // Two generations: when the recent one is full, it becomes the older one, of which only what is asked for again is
  // kept.
  let recent = new Map<string, Result>();
  let older = new Map<string, Result>();
  let kept = 0;
  return (input) => {
    const key = keyOf(input);
    const known = recent.get(key);
    if (known !== undefined) return known;
    const result = older.get(key) ?? compute(input);
    const size = sizeOf(result, key);
    if (size > maxSize / 2) return result;
    if (kept + size > maxSize / 2) {
      older = recent;
      recent = new Map();
      kept = 0;
    }
    recent.set(key, result);
    kept += size;
    return result;
  };
}

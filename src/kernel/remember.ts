// Keeps results that are likely to be asked for again, within a bound.

/** How results are found again, and how many are kept. */
interface Memory<Input> {
  /** The same for inputs with the same result. */
  keyOf(input: Input): string;
  /** UTF-16 units of all keys together; one more, and all results are forgotten. */
  maxUnits: number;
}

/** `compute`, which must depend on its input alone, with a memory of its results. Nobody may change a result. */
export function remember<Input, Result extends object>(
  compute: (input: Input) => Result,
  { keyOf, maxUnits }: Memory<Input>,
): (input: Input) => Result {
  const results = new Map<string, Result>();
  let units = 0;
  return (input) => {
    const key = keyOf(input);
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = compute(input);
    if (key.length > maxUnits) return result;
    if (units + key.length > maxUnits) {
      results.clear();
      units = 0;
    }
    results.set(key, result);
    units += key.length;
    return result;
  };
}

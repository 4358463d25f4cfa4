// Where the values of a picture are drawn: scales and round numbers.

/** A linear map from values to pixels; a range of values without extent maps to the start. */
export function linear(values: readonly [number, number], pixels: readonly [number, number]) {
  const [least, most] = values;
  const [start, end] = pixels;
  const slope = most === least ? 0 : (end - start) / (most - least);
  return (value: number) => start + (value - least) * slope;
}

/** The values from 1 to `most` that get a line, at most `count`: 1, 2 or 5 times a power of ten apart. */
export function ticks(most: number, count = 3): number[] {
  const least = Math.max(1, most / (count + 1));
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= least)!;
  return Array.from({ length: Math.min(count, Math.floor(most / step)) }, (_, index) => (index + 1) * step);
}

/**
 * Where the scale of bars ends: at the highest one, unless few bars are far higher than the others, which could then
 * not be seen. Such bars are cut off.
 */
export function topOf(values: readonly number[]): number {
  const ascending = values.filter((value) => value > 0).sort((a, b) => a - b);
  const most = ascending.at(-1) ?? 1;
  const usual = ascending[Math.floor(0.95 * (ascending.length - 1))] ?? most;
  return most > 3 * usual ? 1.5 * usual : most;
}

// The two directions in which vectors differ most (principal component analysis), by power iteration: Hotelling,
// "Analysis of a complex of statistical variables into principal components", 1933. Pure arithmetic.

import { dot, toUnitLength } from "../../../kernel/vectors.ts";

/** Iterations of one axis; afterwards, the places of points hardly move. */
const ITERATIONS = 30;
/** Of the first eigenvalue: what is smaller comes from rounding to float32. */
const MIN_SHARE = 1e-5;
/** Rows of unit length that differ less are equal but for rounding. */
const MIN_VARIANCE = 1e-9;
/** Rows between two steps: below a millisecond. */
const ROWS_A_STEP = 40;

/**
 * The coordinates of each row on the first two principal axes: x and y by turns. `rows` contains `count` vectors of
 * unit length and `dimension` numbers one after the other, and is changed: its mean is subtracted. The same rows have
 * the same coordinates. Yields between short steps.
 */
export function* principalCoordinates(
  rows: Float32Array,
  count: number,
  dimension: number,
): Generator<void, Float32Array> {
  const row = (index: number) => rows.subarray(index * dimension, (index + 1) * dimension);
  const mean = new Float32Array(dimension);
  yield* each(count, (index) => addMultiple(mean, row(index), 1 / count));
  yield* each(count, (index) => addMultiple(row(index), mean, -1));

  const coordinates = new Float32Array(2 * count);
  const axes: Float32Array[] = [];
  /** How much the rows differ in the first direction: its eigenvalue. */
  let largest = 0;
  for (const which of [0, 1]) {
    let axis = startOf(dimension, which);
    for (let iteration = 0; iteration < ITERATIONS; iteration++) {
      const next = new Float32Array(dimension);
      const current = axis;
      yield* each(count, (index) => addMultiple(next, row(index), dot(row(index), current)));
      for (const other of axes) addMultiple(next, other, -dot(other, next));
      const length = Math.sqrt(dot(next, next));
      // All rows are equal, or on one line but for rounding.
      if (length <= Math.max(MIN_VARIANCE * count, MIN_SHARE * largest)) return coordinates;
      if (which === 0) largest = length;
      axis = next.map((value) => value / length);
    }
    axes.push(axis);
    yield* each(count, (index) => {
      coordinates[2 * index + which] = dot(row(index), axis);
    });
  }
  return coordinates;
}

/** Calls `act` with each index from 0 to `count`, and yields from time to time. */
function* each(count: number, act: (index: number) => void): Generator<void, void> {
  for (let index = 0; index < count; index++) {
    act(index);
    if (index % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
  }
}

/** A direction that is at a right angle to hardly any axis, and always the same. */
const startOf = (dimension: number, which: number) =>
  toUnitLength(Float32Array.from({ length: dimension }, (_, index) => Math.sin(1 + index * (which + 1.618))));

/** Adds a multiple of a vector to a sum, in place. */
function addMultiple(sum: Float32Array, added: Float32Array, factor: number): void {
  for (let index = 0; index < sum.length; index++) sum[index]! += factor * added[index]!;
}

// Exact cosines of both engines, of whole vectors and of some of their values.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { nativeFile } from "../../../src/base/assets.ts";
import { openCosines, openVectors, type VectorEngine } from "../../../src/retrieval/vectors/dense.ts";
import { openSmallIndex, type SmallIndex, unit } from "./small-index.ts";

let index: SmallIndex;
beforeEach(() => {
  index = openSmallIndex();
  index.add({ id: "d", paragraphs: [{ text: "tea", vectors: [unit(3, 0, 4), unit(0, 1)] }] });
});
afterEach(() => index.close());

test.each<VectorEngine>(["sqlite-vec", "javascript"])("%s: cosines by key, of the given values", (engine) => {
  if (engine === "sqlite-vec") index.reader.loadExtension(nativeFile("vec0"));
  const cosines = openCosines(index.reader, engine);
  const whole = cosines({ start: 0, values: unit(1) }, [1, 2, 9]);
  expect([...whole.keys()].sort()).toEqual([1, 2]);
  expect(whole.get(1)).toBeCloseTo(0.6, 6);
  expect(whole.get(2)).toBeCloseTo(0, 6);
  // Of the first two values, the first vector points where the query does.
  expect(cosines({ start: 0, values: Float32Array.of(1, 0) }, [1]).get(1)).toBeCloseTo(1, 6);
  // The second and third value; the second vector has only zeros from its third value on.
  expect(cosines({ start: 1, values: Float32Array.of(3, 4) }, [1]).get(1)).toBeCloseTo(0.8, 6);
  expect([...cosines({ start: 2, values: Float32Array.of(1, 1) }, [1, 2]).keys()]).toEqual([1]);
});

test("some values of a stored vector", () => {
  const vectorOf = openVectors(index.reader);
  expect(vectorOf(1, 0, 3)).toEqual(Float32Array.of(0.6, 0, 0.8));
  expect(vectorOf(1, 2, 2)).toEqual(Float32Array.of(0.8, 0));
  expect(vectorOf(9, 0, 3)).toBeUndefined();
});

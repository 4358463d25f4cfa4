// The lift to 1,536 dimensions: it preserves angles, its sign bits estimate them, and its values never change.

import { describe, expect, test } from "bun:test";
import { signBits } from "../../../src/engine/embedding/bits.ts";
import { createLift, ownVector, rotationSize } from "../../../src/engine/embedding/lift.ts";
import { sha256Hex } from "../../../src/kernel/hash.ts";
import { cosine, randomVectors } from "./vectors.ts";

function hamming(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, byte, i) => sum + (byte ^ b[i]!).toString(2).replaceAll("0", "").length, 0);
}

describe("createLift", () => {
  test.each([1, 3, 100, 256, 300, 384, 512, 768, 1024, 1536])(
    "preserves cosines and norms from %d dimensions",
    (dimension) => {
      const lift = createLift(dimension);
      const vectors = randomVectors(dimension, 12);
      const lifted = vectors.map(lift);
      for (const [i, vector] of vectors.entries()) {
        expect(lifted[i]!.length).toBe(1536);
        expect(Math.hypot(...lifted[i]!)).toBeCloseTo(Math.hypot(...vector), 5);
        for (let j = 0; j < i; j++) {
          expect(Math.abs(cosine(lifted[i]!, lifted[j]!) - cosine(vector, vectors[j]!))).toBeLessThan(1e-6);
        }
      }
    },
  );

  test.each([
    [100, 128],
    [300, 384],
    [384, 384],
    [512, 512],
    [768, 768],
    [1024, 1536],
  ])("preserves the cosines of %d dimensions within the first %d values", (dimension, size) => {
    expect(rotationSize(dimension)).toBe(size);
    const vectors = randomVectors(dimension, 6);
    const lifted = vectors.map(createLift(dimension));
    for (let i = 1; i < vectors.length; i++) {
      const [a, b] = [lifted[i - 1]!.subarray(0, size), lifted[i]!.subarray(0, size)];
      expect(Math.abs(cosine(a, b) - cosine(vectors[i - 1]!, vectors[i]!))).toBeLessThan(1e-6);
    }
  });

  test.each([1, 3, 100, 256, 300, 384, 512, 768, 1024, 1536])(
    "is undone from its first rotation, of %d dimensions",
    (dimension) => {
      const lift = createLift(dimension);
      for (const vector of randomVectors(dimension, 3)) {
        const first = lift(vector).subarray(0, rotationSize(dimension));
        const own = ownVector(first, dimension);
        expect(own.length).toBe(dimension);
        expect(Math.max(...own.map((value, i) => Math.abs(value - vector[i]!)))).toBeLessThan(1e-5);
      }
    },
  );

  test.each([0, 1537, 1.5, Number.NaN])("rejects %d dimensions", (dimension) => {
    expect(() => createLift(dimension)).toThrow(RangeError);
  });

  test("is the same on every platform and for ever", () => {
    const known = Float32Array.from({ length: 384 }, (_, i) => ((i * 37) % 101) - 50);
    const lifted = createLift(384)(known);
    expect(Math.min(...lifted.map(Math.abs))).toBeGreaterThan(1e-3);
    expect(sha256Hex(signBits(lifted))).toBe(
      "9c2444754520408ae2150cebf980ae5aff3377e3868ab9f7a71accb3ca8dceaf",
    );
  });

  test("the share of differing bits estimates the angle, for sparse vectors too", () => {
    const lift = createLift(384);
    const sparse = Array.from({ length: 8 }, (_, i) => {
      const vector = new Float32Array(384);
      vector[i * 48] = 1;
      return vector;
    });
    const base = randomVectors(384, 1)[0]!;
    const mixed = randomVectors(384, 10).map((noise, k) =>
      base.map((value, i) => value + (noise[i]! * k) / 5),
    );
    for (const vectors of [sparse, [base, ...mixed]]) {
      const lifted = vectors.map(lift);
      for (let i = 0; i < vectors.length; i++) {
        for (let j = 0; j < i; j++) {
          const angle = Math.acos(Math.min(1, cosine(vectors[i]!, vectors[j]!))) / Math.PI;
          const share = hamming(signBits(lifted[i]!), signBits(lifted[j]!)) / 1536;
          expect(Math.abs(share - angle)).toBeLessThan(0.06);
        }
      }
    }
  });
});

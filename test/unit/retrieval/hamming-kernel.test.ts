// The WebAssembly kernel: its results against plain counts, and the committed bytes against their source.

import { expect, test } from "bun:test";
import { assembleKernel, KERNEL_PATH } from "../../../scripts/assemble-kernel.ts";
import { halvesInTurn } from "../../../src/engine/embedding/bits.ts";
import { hammingDistance } from "../../../src/retrieval/vectors/dense.ts";
import {
  createHammingKernel,
  type HammingKernel,
  type NearStrings,
} from "../../../src/retrieval/vectors/hamming-kernel.ts";
import { randomBits } from "./random-bits.ts";

const STRINGS = Array.from({ length: 20_000 }, randomBits);
STRINGS[4095] = new Uint8Array(192);
STRINGS[4096] = new Uint8Array(192).fill(255);
const QUERIES = [randomBits(), new Uint8Array(192), new Uint8Array(192).fill(255)];

const PLAIN = [1, 1] as const;

function filled(strings: readonly Uint8Array[]): HammingKernel {
  const kernel = createHammingKernel();
  for (const [position, bits] of strings.entries()) kernel.put(position, bits);
  return kernel;
}

const entries = ({ positions, distances }: NearStrings) =>
  [...positions].map((position, index) => [position, distances[index]!]);

test("of few strings, the kernel returns all with the number of differing bits", () => {
  const strings = STRINGS.slice(0, 8_000);
  const kernel = filled(strings);
  for (const bits of QUERIES) {
    const near = kernel.near({
      bits,
      weights: PLAIN,
      ranges: [{ first: 0, end: 8_000, offset: 0 }],
      count: 10,
    });
    expect(entries(near)).toEqual(strings.map((one, position) => [position, hammingDistance(one, bits)]));
  }
});

test("of many, it returns those whose first 384 bits are nearest", () => {
  const kernel = filled(STRINGS);
  for (const bits of QUERIES) {
    const coarse = STRINGS.map((one) => hammingDistance(one.subarray(0, 48), bits.subarray(0, 48)));
    const last = coarse.toSorted((a, b) => a - b)[8_191]!;
    const expected = STRINGS.map((one, position) => [position, hammingDistance(one, bits)]).filter(
      ([position]) => coarse[position!]! <= last,
    );
    expect(
      entries(
        kernel.near({
          bits,
          weights: PLAIN,
          ranges: [{ first: 0, end: STRINGS.length, offset: 0 }],
          count: 10,
        }),
      ),
    ).toEqual(expected);
  }
});

test("bits of the halves count as much as their weights, of strings that are ordered by halves in turn", () => {
  const strings = STRINGS.slice(0, 5_000);
  const kernel = filled(strings.map(halvesInTurn));
  const ranges = [{ first: 0, end: strings.length, offset: 0 }];
  for (const weights of [
    [0, 1],
    [5, 3],
    [2, 6],
    [1, 1],
  ] as const) {
    for (const bits of QUERIES) {
      const near = kernel.near({ bits: halvesInTurn(bits), weights, ranges, count: 10 });
      const distance = (one: Uint8Array, from: number) =>
        hammingDistance(one.subarray(from, from + 96), bits.subarray(from, from + 96));
      expect(entries(near)).toEqual(
        strings.map((one, position) => [
          position,
          weights[0] * distance(one, 0) + weights[1] * distance(one, 96),
        ]),
      );
    }
  }
  expect(() => kernel.near({ bits: QUERIES[0]!, weights: [5, 4], ranges, count: 10 })).toThrow(RangeError);
});

test("only the given ranges are searched, across blocks", () => {
  const ranges = [
    { first: 3, end: 4 },
    { first: 4_090, end: 4_100 },
    { first: 8_191, end: 8_193 },
  ].map((range) => ({ ...range, offset: 0 }));
  const positions = ranges.flatMap(({ first, end }) =>
    Array.from({ length: end - first }, (_, index) => first + index),
  );
  const near = filled(STRINGS).near({ bits: QUERIES[0]!, weights: PLAIN, ranges, count: 10 });
  expect(entries(near)).toEqual(
    positions.map((position) => [position, hammingDistance(STRINGS[position]!, QUERIES[0]!)]),
  );
});

test("without ranges there are no strings", () => {
  expect(
    entries(createHammingKernel().near({ bits: randomBits(), weights: PLAIN, ranges: [], count: 10 })),
  ).toEqual([]);
});

test("hamming-kernel.wasm is what hamming-kernel.wat assembles to", async () => {
  const committed = Buffer.from(await Bun.file(KERNEL_PATH).bytes());
  const assembled = Buffer.from(await assembleKernel());
  if (!committed.equals(assembled))
    throw new Error("hamming-kernel.wasm is out of date: run `bun run kernel` and commit the file");
});

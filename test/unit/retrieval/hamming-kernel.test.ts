// The WebAssembly kernel: its results against a plain count, and the committed bytes against their source.

import { expect, test } from "bun:test";
import { assembleKernel, KERNEL_PATH } from "../../../scripts/assemble-kernel.ts";
import { hammingDistance } from "../../../src/retrieval/dense.ts";
import { createHammingKernel } from "../../../src/retrieval/hamming-kernel.ts";
import { randomBits } from "./random-bits.ts";

test("the kernel counts differing bits, across blocks and growing memory", () => {
  const kernel = createHammingKernel();
  const strings = Array.from({ length: 10_000 }, randomBits);
  strings[4095] = new Uint8Array(192);
  strings[4096] = new Uint8Array(192).fill(255);
  for (const [position, bits] of strings.entries()) kernel.put(position, bits);
  for (const query of [randomBits(), new Uint8Array(192), new Uint8Array(192).fill(255)]) {
    const found: number[] = [];
    kernel.distances(query, strings.length, (position, distance) => {
      found[position] = distance;
    });
    expect(found).toEqual(strings.map((bits) => hammingDistance(bits, query)));
  }
});

test("an empty kernel returns no distance", () => {
  createHammingKernel().distances(randomBits(), 0, () => expect.unreachable());
});

test("hamming-kernel.wasm is what hamming-kernel.wat assembles to", async () => {
  const committed = Buffer.from(await Bun.file(KERNEL_PATH).bytes());
  const assembled = Buffer.from(await assembleKernel());
  if (!committed.equals(assembled))
    throw new Error("hamming-kernel.wasm is out of date: run `bun run kernel` and commit the file");
});

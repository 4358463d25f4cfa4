// The nearest of many bit strings by Hamming distance, computed by the WebAssembly module in hamming-kernel.wat. This
// file owns the module's memory.

import { readFileSync } from "node:fs";
import { EMBEDDING_DIMENSION } from "../../kernel/limits.ts";
// Bun ignores `type: "bytes"` for .wasm files. A file can be read in worker threads and in the executable too.
import modulePath from "./hamming-kernel.wasm" with { type: "file" };
import type { BitWeights } from "./query-parts.ts";
import type { Range } from "./ranges.ts";

// hamming-kernel.wat contains these numbers.
/** Bytes of one bit string. */
export const BITS_BYTES = EMBEDDING_DIMENSION / 8;
/** The bytes that all strings are compared by. */
const COARSE_BYTES = 48;
const REST_BYTES = BITS_BYTES - COARSE_BYTES;

/** The strings are stored in blocks: first the distances, then the coarse parts of all strings, then their rests. */
const BLOCK = 4_096;
const COARSE_OFFSET = 2 * BLOCK;
const REST_OFFSET = COARSE_OFFSET + COARSE_BYTES * BLOCK;
const BLOCK_BYTES = REST_OFFSET + REST_BYTES * BLOCK;

/** The largest sum of the weights of both halves. */
const MAX_WEIGHTS = 8;

/** The largest distance of strings of this many bytes. */
export const maxDistance = (bytes: number, [first, second]: BitWeights) => (first + second) * bytes * 4;

/** Memory layout: the query, the histogram of coarse distances, the refined distances of one block, then the blocks. */
const QUERY_ADDRESS = 0;
const HISTOGRAM_ADDRESS = 256;
const HISTOGRAM_LENGTH = maxDistance(COARSE_BYTES, [MAX_WEIGHTS, 0]) + 1;
const REFINED_ADDRESS = 8_192;
const BLOCKS_ADDRESS = REFINED_ADDRESS + 8 * BLOCK;
const PAGE_BYTES = 65_536;
const MAX_STRINGS = Math.floor((2 ** 32 - PAGE_BYTES - BLOCKS_ADDRESS) / BLOCK_BYTES) * BLOCK;

/**
 * How many strings are compared in full: those whose first bits are nearest, and all as near as the last of them. With
 * fewer strings than MIN_REFINED the result is exact. On 100,000 vectors of the included model, the 256 nearest are all
 * found; with half as many refined, 99.6 % of them.
 */
const MIN_REFINED = 8_192;
const REFINED_SHARE = 1 / 24;
const REFINED_A_RESULT = 16;

/** Bit strings in memory, addressed by position. */
export interface HammingKernel {
  /**
   * Stores a string of BITS_BYTES bytes at `position`; the memory grows as needed. Throws RangeError above 22 million.
   */
  put(position: number, bits: Uint8Array): void;
  /** The strings in `ranges` that may be among the `count` nearest to a query, by position. */
  near(query: NearQuery): NearStrings;
}

interface NearQuery {
  bits: Uint8Array;
  /** Factors of the differing bits of both halves; see halvesInTurn. Throws RangeError if their sum is above 8. */
  weights: BitWeights;
  /** The positions to search, all of them stored. */
  ranges: readonly Range[];
  count: number;
}

/**
 * Strings with their distances to a query. Parallel arrays.
 * @testOnly
 */
export interface NearStrings {
  positions: Uint32Array;
  distances: Uint16Array;
}

/** The functions of the module. */
interface Kernel {
  weigh(first: number, second: number): void;
  coarse(strings: number, count: number, result: number, histogram: number): void;
  refine(distances: number, count: number, maximum: number, strings: number, result: number): number;
}

/** Creates a kernel without strings. */
export function createHammingKernel(): HammingKernel {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const module = new WebAssembly.Module(readFileSync(modulePath));
  const { exports } = new WebAssembly.Instance(module, { host: { memory } });
  const kernel = exports as unknown as Kernel;
  let bytes = new Uint8Array(memory.buffer);
  return {
    put(position, bits) {
      if (position >= MAX_STRINGS) throw new RangeError(`more than ${MAX_STRINGS} vectors`);
      const block = blockAddress(position);
      const end = block + BLOCK_BYTES;
      if (end > bytes.length) {
        // Growing copies the whole memory, so it grows by at least an eighth.
        memory.grow(Math.ceil((end - bytes.length + bytes.length / 8) / PAGE_BYTES));
        bytes = new Uint8Array(memory.buffer);
      }
      const index = position % BLOCK;
      bytes.set(bits.subarray(0, COARSE_BYTES), block + COARSE_OFFSET + index * COARSE_BYTES);
      bytes.set(bits.subarray(COARSE_BYTES), block + REST_OFFSET + index * REST_BYTES);
    },
    near({ bits, weights, ranges, count }) {
      const [first, second] = weights;
      if (first + second > MAX_WEIGHTS) throw new RangeError(`weights above ${MAX_WEIGHTS}`);
      kernel.weigh(first, second);
      bytes.set(bits, QUERY_ADDRESS);
      const histogram = new Uint32Array(memory.buffer, HISTOGRAM_ADDRESS, HISTOGRAM_LENGTH).fill(0);
      let total = 0;
      forEachPart(ranges, ({ block, index, length }) => {
        total += length;
        const strings = block + COARSE_OFFSET + index * COARSE_BYTES;
        kernel.coarse(strings, length, block + 2 * index, HISTOGRAM_ADDRESS);
      });
      const wanted = Math.max(MIN_REFINED, REFINED_A_RESULT * count, REFINED_SHARE * total);
      const { distance: maximum, within } = distanceOfRank(histogram, wanted);
      const positions = new Uint32Array(within);
      const distances = new Uint16Array(within);
      const refined = new Uint32Array(memory.buffer, REFINED_ADDRESS, 2 * BLOCK);
      let found = 0;
      forEachPart(ranges, ({ block, index, length, position }) => {
        const strings = block + REST_OFFSET + index * REST_BYTES;
        const near = kernel.refine(block + 2 * index, length, maximum, strings, REFINED_ADDRESS);
        for (let i = 0; i < near; i++, found++) {
          positions[found] = position + refined[2 * i]!;
          distances[found] = refined[2 * i + 1]!;
        }
      });
      return { positions, distances };
    },
  };
}

/** The smallest distance within which there are `count` strings, and their number; all strings if there are fewer. */
export function distanceOfRank(histogram: Uint32Array, count: number): { distance: number; within: number } {
  let distance = 0;
  let within = histogram[0]!;
  while (within < count && distance < histogram.length - 1) within += histogram[++distance]!;
  return { distance, within };
}

const blockAddress = (position: number) => BLOCKS_ADDRESS + Math.floor(position / BLOCK) * BLOCK_BYTES;

/** `length` strings of one block from the one with this index on; the first has this position. */
interface Part {
  block: number;
  index: number;
  length: number;
  position: number;
}

/** Splits ranges at the ends of blocks. */
function forEachPart(ranges: readonly Range[], visit: (part: Part) => void): void {
  for (const { first, end } of ranges) {
    for (let position = first; position < end; ) {
      const index = position % BLOCK;
      const length = Math.min(BLOCK - index, end - position);
      visit({ block: blockAddress(position), index, length, position });
      position += length;
    }
  }
}

// Hamming distances from one bit string to many, computed by the WebAssembly module in hamming-kernel.wat. This file owns
// the module's memory. It must not know the database.

import { readFileSync } from "node:fs";
import { EMBEDDING_DIMENSION } from "../kernel/limits.ts";
// Bun ignores `type: "bytes"` for .wasm files. A file can be read in worker threads and in the executable too.
import modulePath from "./hamming-kernel.wasm" with { type: "file" };

/** Bytes of one bit string. hamming-kernel.wat contains this number. */
export const BITS_BYTES = EMBEDDING_DIMENSION / 8;
const PAGE_BYTES = 65_536;

/** Number of distances computed per call of the module. */
const BLOCK = 4_096;
/** Memory layout: the query, a block of distances (two bytes each), then the bit strings. */
const QUERY_ADDRESS = 0;
const DISTANCES_ADDRESS = 256;
const STRINGS_ADDRESS = DISTANCES_ADDRESS + 2 * BLOCK;
const MAX_STRINGS = Math.floor((2 ** 32 - PAGE_BYTES - STRINGS_ADDRESS) / BITS_BYTES);

/** Bit strings in memory, addressed by position. */
export interface HammingKernel {
  /** Stores a string of BITS_BYTES bytes at `position`; the memory grows as needed. Throws RangeError above 22 million. */
  put(position: number, bits: Uint8Array): void;
  /** Calls `visit` with the distance of `query` to every string from 0 to `count - 1`, in order. */
  distances(query: Uint8Array, count: number, visit: (position: number, distance: number) => void): void;
}

/** Creates a kernel without strings. */
export function createHammingKernel(): HammingKernel {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const module = new WebAssembly.Module(readFileSync(modulePath));
  const { exports } = new WebAssembly.Instance(module, { host: { memory } });
  const computeDistances = exports.distances as (strings: number, count: number, result: number) => void;
  let bytes = new Uint8Array(memory.buffer);
  return {
    put(position, bits) {
      if (position >= MAX_STRINGS) throw new RangeError(`more than ${MAX_STRINGS} vectors`);
      const end = STRINGS_ADDRESS + (position + 1) * BITS_BYTES;
      if (end > bytes.length) {
        // Growing copies the whole memory, so it grows by at least an eighth.
        memory.grow(Math.ceil((end - bytes.length + bytes.length / 8) / PAGE_BYTES));
        bytes = new Uint8Array(memory.buffer);
      }
      bytes.set(bits, end - BITS_BYTES);
    },
    distances(query, count, visit) {
      bytes.set(query, QUERY_ADDRESS);
      const block = new Uint16Array(memory.buffer, DISTANCES_ADDRESS, BLOCK);
      for (let first = 0; first < count; first += BLOCK) {
        const size = Math.min(BLOCK, count - first);
        computeDistances(STRINGS_ADDRESS + first * BITS_BYTES, size, DISTANCES_ADDRESS);
        for (let i = 0; i < size; i++) visit(first + i, block[i]!);
      }
    },
  };
}

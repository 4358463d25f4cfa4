// Hamming distances of one bit string to many, at the speed of the processor's population count: a WebAssembly function of
// 24 unrolled words, encoded here by hand because it is shorter than a tool chain. It knows no database.

import { EMBEDDING_DIMENSION } from "../kernel/limits.ts";

/** Bytes of one bit string. */
export const BITS_BYTES = EMBEDDING_DIMENSION / 8;
const WORDS = BITS_BYTES / 8;
const PAGE_BYTES = 65_536;

/** Distances are handed out this many at a time. */
const BLOCK = 4_096;
/** The memory: the query, a block of distances (two bytes each), then the bit strings. */
const QUERY_AT = 0;
const DISTANCES_AT = 256;
const STRINGS_AT = DISTANCES_AT + 2 * BLOCK;
const MAX_STRINGS = Math.floor((2 ** 32 - PAGE_BYTES - STRINGS_AT) / BITS_BYTES);

/** Bit strings in memory, by position. */
export interface HammingKernel {
  /** Stores a string of BITS_BYTES bytes at `position`; the memory grows as needed. */
  put(position: number, bits: Uint8Array): void;
  /** Tells the distance of `query` to every string from 0 to `count - 1`, in order. */
  distances(query: Uint8Array, count: number, tell: (position: number, distance: number) => void): void;
}

/** Throws RangeError when more than 22 million strings are put in. */
export function createHammingKernel(): HammingKernel {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(encodeModule()), { host: { memory } });
  const measure = exports.measure as (strings: number, count: number, out: number) => void;
  let bytes = new Uint8Array(memory.buffer);
  return {
    put(position, bits) {
      if (position >= MAX_STRINGS) throw new RangeError(`no room for more than ${MAX_STRINGS} vectors`);
      const end = STRINGS_AT + (position + 1) * BITS_BYTES;
      if (end > bytes.length) {
        // An eighth more each time: growing copies everything.
        memory.grow(Math.ceil((end - bytes.length + bytes.length / 8) / PAGE_BYTES));
        bytes = new Uint8Array(memory.buffer);
      }
      bytes.set(bits, end - BITS_BYTES);
    },
    distances(query, count, tell) {
      bytes.set(query, QUERY_AT);
      const block = new Uint16Array(memory.buffer, DISTANCES_AT, BLOCK);
      for (let from = 0; from < count; from += BLOCK) {
        const size = Math.min(BLOCK, count - from);
        measure(STRINGS_AT + from * BITS_BYTES, size, DISTANCES_AT);
        for (let i = 0; i < size; i++) tell(from + i, block[i]);
      }
    },
  };
}

/** Opcodes of the WebAssembly core specification that the function uses. */
const OP = {
  loop: 0x03,
  end: 0x0b,
  branchIf: 0x0d,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  i64Load: 0x29,
  i64Store16: 0x3d,
  i32Const: 0x41,
  i32Add: 0x6a,
  i32Subtract: 0x6b,
  i64Popcount: 0x7b,
  i64Add: 0x7c,
  i64Xor: 0x85,
} as const;
const I32 = 0x7f;
const NO_RESULT = 0x40;

/** A module with one import, `host.memory`, and one export, `measure(strings, count, out)`; count must be positive. */
function encodeModule(): Uint8Array<ArrayBuffer> {
  const [strings, count, out] = [0, 1, 2];
  const distance = Array.from({ length: WORDS }, (_, word) => {
    const at = 8 * word;
    const load = [OP.i64Load, 3, ...unsigned(at)];
    return [
      ...[OP.localGet, strings, ...load],
      ...[OP.i32Const, QUERY_AT, ...load],
      ...[OP.i64Xor, OP.i64Popcount],
      ...(word > 0 ? [OP.i64Add] : []),
    ];
  }).flat();
  const advance = (local: number, bytes: number) => [
    ...[OP.localGet, local, OP.i32Const, ...signed(bytes), OP.i32Add, OP.localSet, local],
  ];
  const body = [
    ...[OP.loop, NO_RESULT],
    ...[OP.localGet, out, ...distance, OP.i64Store16, 1, 0],
    ...advance(strings, BITS_BYTES),
    ...advance(out, 2),
    ...[OP.localGet, count, OP.i32Const, 1, OP.i32Subtract, OP.localTee, count],
    ...[OP.branchIf, 0, OP.end, OP.end],
  ];
  const noLocals = [0];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, 3, I32, I32, I32, 0]),
    ...section(2, [1, ...name("host"), ...name("memory"), 0x02, 0x00, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name("measure"), 0x00, 0]),
    ...section(10, [1, ...sized([...noLocals, ...body])]),
  ]);
}

const sized = (bytes: number[]) => [...unsigned(bytes.length), ...bytes];
const section = (id: number, bytes: number[]) => [id, ...sized(bytes)];
const name = (text: string) => sized([...new TextEncoder().encode(text)]);

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** Signed LEB128 of a value from 0 on. */
function signed(value: number): number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >>> 7)];
}

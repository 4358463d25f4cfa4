// The sign bits of vectors, resident in the scan thread: 192 bytes a vector, and a few words beside it. It knows runs of
// vectors and nothing of what they belong to.

import { BITS_BYTES, createHammingKernel, type HammingKernel } from "./hamming-kernel.ts";

/** A vector as the table chunk_bits holds it. */
export interface StoredBits {
  vectorKey: number;
  chunkKey: number;
  bits: Uint8Array;
}

/** Parallel arrays by position; positions are only ever appended, a run of them for each add. */
export class ResidentVectors {
  size = 0;
  #kernel: HammingKernel = createHammingKernel();
  #runOf = new Uint32Array(1024);
  #vectorKeys = new Float64Array(1024);
  #chunkKeys = new Float64Array(1024);

  /** Appends vectors as the run of that number; they stand from the size before to the size after. */
  add(run: number, vectors: Iterable<StoredBits>): void {
    for (const { vectorKey, chunkKey, bits } of vectors) {
      const position = this.size++;
      if (position >= this.#vectorKeys.length) this.#grow();
      this.#kernel.put(position, bits);
      this.#runOf[position] = run;
      this.#vectorKeys[position] = vectorKey;
      this.#chunkKeys[position] = chunkKey;
    }
  }

  vectorKey(position: number): number {
    return this.#vectorKeys[position];
  }

  chunkKey(position: number): number {
    return this.#chunkKeys[position];
  }

  run(position: number): number {
    return this.#runOf[position];
  }

  /** The `count` positions nearest to `bits` among the runs marked 1, nearest first, ties by vector key. */
  nearest(bits: Uint8Array, count: number, isAllowed: Uint8Array): number[] {
    const distances = new Uint16Array(this.size);
    const histogram = new Uint32Array(BITS_BYTES * 8 + 1);
    const runOf = this.#runOf;
    this.#kernel.distances(bits, this.size, (position, distance) => {
      distances[position] = distance;
      histogram[distance] += isAllowed[runOf[position]];
    });
    let last = 0;
    for (let taken = histogram[0]; taken < count && last < histogram.length - 1; ) taken += histogram[++last];
    const near: number[] = [];
    for (let position = 0; position < this.size; position++) {
      if (distances[position] <= last && isAllowed[runOf[position]]) near.push(position);
    }
    return near
      .sort((a, b) => distances[a] - distances[b] || this.#vectorKeys[a] - this.#vectorKeys[b])
      .slice(0, count);
  }

  #grow(): void {
    const length = this.#vectorKeys.length * 2;
    const grown = <Kind extends Uint32Array | Float64Array>(array: Kind, larger: Kind) => {
      larger.set(array);
      return larger;
    };
    this.#runOf = grown(this.#runOf, new Uint32Array(length));
    this.#vectorKeys = grown(this.#vectorKeys, new Float64Array(length));
    this.#chunkKeys = grown(this.#chunkKeys, new Float64Array(length));
  }
}

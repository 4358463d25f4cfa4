// Sign bits of vectors in the memory of the scan thread: 192 bytes per vector, plus its keys. It must not know what the
// segments are.

import { BITS_BYTES, createHammingKernel, type HammingKernel } from "./hamming-kernel.ts";

/** A row of the table chunk_bits. */
export interface StoredBits {
  vectorKey: number;
  chunkKey: number;
  bits: Uint8Array;
}

/** Vectors by position. Positions are only appended; each call of `add` appends those of one segment. */
export class ResidentVectors {
  size = 0;
  #kernel: HammingKernel = createHammingKernel();
  // Parallel arrays by position.
  #segments = new Uint32Array(1024);
  #vectorKeys = new Float64Array(1024);
  #chunkKeys = new Float64Array(1024);

  /** Appends the vectors of the segment with the index `segment`, from position `size` on. */
  add(segment: number, vectors: Iterable<StoredBits>): void {
    for (const { vectorKey, chunkKey, bits } of vectors) {
      const position = this.size++;
      if (position >= this.#vectorKeys.length) this.#grow();
      this.#kernel.put(position, bits);
      this.#segments[position] = segment;
      this.#vectorKeys[position] = vectorKey;
      this.#chunkKeys[position] = chunkKey;
    }
  }

  /** Key of the vector at a position below `size`. */
  vectorKey(position: number): number {
    return this.#vectorKeys[position]!;
  }

  /** Key of the chunk that the vector belongs to. */
  chunkKey(position: number): number {
    return this.#chunkKeys[position]!;
  }

  /** Index of the segment that the vector belongs to. */
  segment(position: number): number {
    return this.#segments[position]!;
  }

  /**
   * The `count` positions nearest to `bits` by Hamming distance, nearest first, ties by vector key. `isAllowed` contains 1
   * at the index of each segment to search, else 0.
   */
  nearest(bits: Uint8Array, count: number, isAllowed: Uint8Array): number[] {
    const distances = new Uint16Array(this.size);
    const histogram = new Uint32Array(BITS_BYTES * 8 + 1);
    const segments = this.#segments;
    this.#kernel.distances(bits, this.size, (position, distance) => {
      distances[position] = distance;
      histogram[distance]! += isAllowed[segments[position]!]!;
    });
    let maximum = 0;
    for (let within = histogram[0]!; within < count && maximum < histogram.length - 1; )
      within += histogram[++maximum]!;
    const near: { position: number; distance: number; vectorKey: number }[] = [];
    for (let position = 0; position < this.size; position++) {
      const distance = distances[position]!;
      if (distance <= maximum && isAllowed[segments[position]!])
        near.push({ position, distance, vectorKey: this.#vectorKeys[position]! });
    }
    return near
      .sort((a, b) => a.distance - b.distance || a.vectorKey - b.vectorKey)
      .slice(0, count)
      .map(({ position }) => position);
  }

  #grow(): void {
    const length = this.#vectorKeys.length * 2;
    const copyInto = <Kind extends Uint32Array | Float64Array>(larger: Kind, array: Kind): Kind => {
      larger.set(array);
      return larger;
    };
    this.#segments = copyInto(new Uint32Array(length), this.#segments);
    this.#vectorKeys = copyInto(new Float64Array(length), this.#vectorKeys);
    this.#chunkKeys = copyInto(new Float64Array(length), this.#chunkKeys);
  }
}

// Sign bits of vectors in the memory of the scan thread: 194 bytes per vector, plus its keys.

import {
  BITS_BYTES,
  createHammingKernel,
  distanceOfRank,
  type HammingKernel,
  maxDistance,
} from "./hamming-kernel.ts";
import type { BitWeights } from "./query-parts.ts";
import type { Range } from "./ranges.ts";

/** A row of the table chunk_bits. */
export interface StoredBits {
  vectorKey: number;
  chunkKey: number;
  bits: Uint8Array;
}

/** What is searched for: the `count` nearest vectors. */
export interface BitQuery {
  /** As stored. */
  bits: Uint8Array;
  weights: BitWeights;
  count: number;
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
   * The positions in `ranges` nearest to a query by weighted Hamming distance, nearest first, ties by vector key.
   */
  nearest({ bits, weights, count }: BitQuery, ranges: readonly Range[]): number[] {
    const { positions, distances } = this.#kernel.near({ bits, weights, ranges, count });
    const histogram = new Uint32Array(maxDistance(BITS_BYTES, weights) + 1);
    for (let i = 0; i < distances.length; i++) histogram[distances[i]!]!++;
    const { distance: maximum } = distanceOfRank(histogram, count);
    const near: { position: number; distance: number; vectorKey: number }[] = [];
    for (let i = 0; i < positions.length; i++) {
      const position = positions[i]!;
      const distance = distances[i]!;
      if (distance <= maximum) near.push({ position, distance, vectorKey: this.#vectorKeys[position]! });
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

// Vectors of sections, gathered while their paragraphs stream by: the normalised mean of the paragraphs' windows, which
// have the heading path in them.

import type { ChunkDraft } from "../../engine/chunking/tree.ts";
import { EMBEDDING_DIMENSION } from "../../kernel/limits.ts";

/** A chunk with what search needs of it. */
export interface IndexedChunk {
  draft: ChunkDraft;
  position: number;
  text: string;
  /** One vector for each window; none for a chunk that is found through its children. */
  vectors: Float32Array[];
}

export interface SectionVector {
  /** Position of the section in its document's chunk tree. */
  position: number;
  vector: Float32Array;
}

/** Takes chunks in document order and gives a section's vector when the section has ended. */
export class SectionVectors {
  #position = -1;
  #sum = new Float32Array(EMBEDDING_DIMENSION);
  #count = 0;

  add({ draft, position, vectors }: IndexedChunk): SectionVector[] {
    if (draft.level === "section") {
      const ended = this.finish();
      this.#position = position;
      return ended;
    }
    if (draft.parent === this.#position) {
      for (const vector of vectors) {
        for (let i = 0; i < vector.length; i++) this.#sum[i] += vector[i];
        this.#count++;
      }
    }
    return [];
  }

  /** The vector of the section that was open, if it has one of its own: a single window already stands for its section. */
  finish(): SectionVector[] {
    const norm = Math.sqrt(this.#sum.reduce((squares, value) => squares + value * value, 0));
    const ended = { position: this.#position, vector: this.#sum.map((value) => value / norm) };
    const isOwn = this.#count > 1 && norm > 0;
    this.#sum.fill(0);
    this.#count = 0;
    this.#position = -1;
    return isOwn ? [ended] : [];
  }
}

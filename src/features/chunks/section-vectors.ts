// Vectors of sections: the normalised mean of the vectors of their paragraphs' windows, which contain the heading path.

import type { ChunkDraft } from "../../engine/chunking/tree.ts";
import { EMBEDDING_DIMENSION } from "../../kernel/limits.ts";
import { addTo, toUnitLength } from "../../kernel/vectors.ts";

/** A chunk with its text and vectors, before it is written. */
export interface IndexedChunk {
  draft: ChunkDraft;
  position: number;
  text: string;
  /** The line of the content on which it starts, from 1. */
  line: number;
  /** One vector for each window; none for a chunk that is represented by its children. */
  vectors: Float32Array[];
}

/** The vector of one section. */
export interface SectionVector {
  /** Position of the section in its document's chunk tree. */
  position: number;
  vector: Float32Array;
}

/** Receives chunks in document order and returns the vector of each section after its last chunk. */
export class SectionVectors {
  #position = -1;
  #sum = new Float32Array(EMBEDDING_DIMENSION);
  #count = 0;

  /** Adds the next chunk. Returns the vector of the section that ends before it. */
  add({ draft, position, vectors }: IndexedChunk): SectionVector[] {
    if (draft.level === "section") {
      const finished = this.finish();
      this.#position = position;
      return finished;
    }
    if (draft.parent === this.#position) {
      for (const vector of vectors) {
        addTo(this.#sum, vector);
        this.#count++;
      }
    }
    return [];
  }

  /** Ends the current section. Returns its vector unless it has only one window, whose vector would be the same. */
  finish(): SectionVector[] {
    const finished = { position: this.#position, vector: toUnitLength(this.#sum) };
    const hasVector = this.#count > 1 && this.#sum.some((value) => value !== 0);
    this.#sum.fill(0);
    this.#count = 0;
    this.#position = -1;
    return hasVector ? [finished] : [];
  }
}

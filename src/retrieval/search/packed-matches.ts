// The matches of a hybrid search as two flat arrays, which are sent to another thread faster than hundreds of objects.

import type { ChunkMatch } from "./hybrid.ts";

/** Matches in their order. */
export interface PackedMatches {
  documentIds: string[];
  /** NUMBERS values for each match. */
  numbers: Float64Array;
}

/** Values of one match: key, position, score, then the parts of the score. An absent cosine is NaN. */
const NUMBERS = 9;

/** Packs matches for `unpackMatches`. */
export function packMatches(matches: readonly ChunkMatch[]): PackedMatches {
  const numbers = matches.flatMap(({ chunkKey, position, score, parts }) => {
    const { cosine = Number.NaN, dense, lexical, exact, neighbours, denseWeight } = parts;
    return [chunkKey, position, score, cosine, dense, lexical, exact, neighbours, denseWeight];
  });
  return { documentIds: matches.map(({ documentId }) => documentId), numbers: Float64Array.from(numbers) };
}

/** The matches that were packed. */
export function unpackMatches({ documentIds, numbers }: PackedMatches): ChunkMatch[] {
  return documentIds.map((documentId, index) => {
    const valueAt = (offset: number) => numbers[index * NUMBERS + offset]!;
    const cosine = valueAt(3);
    return {
      chunkKey: valueAt(0),
      documentId,
      position: valueAt(1),
      score: valueAt(2),
      parts: {
        ...(!Number.isNaN(cosine) && { cosine }),
        dense: valueAt(4),
        lexical: valueAt(5),
        exact: valueAt(6),
        neighbours: valueAt(7),
        denseWeight: valueAt(8),
      },
    };
  });
}

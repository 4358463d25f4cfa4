// Whether chunks contain the words of a query one after the other.

import type { Database } from "bun:sqlite";
import { phrasePattern } from "../words/words.ts";

/** For a query a function that reads a chunk and searches it; undefined if the query is no phrase. */
export type PhraseTest = (query: string) => ((chunkKey: number) => boolean) | undefined;

export function openPhraseTest(database: Database): PhraseTest {
  const textOf = database.query<{ text: string }, [number]>("SELECT text FROM chunks WHERE key = ?");
  return (query) => {
    const isIn = phrasePattern(query);
    return isIn && ((chunkKey) => isIn(textOf.get(chunkKey)?.text ?? ""));
  };
}

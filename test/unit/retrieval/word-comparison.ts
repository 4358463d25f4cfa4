// Compares the lists that doclists.ts reads with fts5vocab, for every word of the index of a read handle.

import type { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { openDoclists } from "../../../src/retrieval/words/doclists.ts";

/** Frequencies by chunk key, at most 255. */
type Frequencies = Map<number, number>;

/** Every term, as fts5vocab reads it. An occurrence in title or headings counts twice. */
function vocabularyOf(reader: Database): Map<string, Frequencies> {
  reader.run(
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.every_word USING fts5vocab (main, chunk_words, 'instance')",
  );
  const rows = reader
    .query("SELECT term, doc, sum(1 + (col = 'context')) FROM temp.every_word GROUP BY term, doc")
    .values() as [string, number, number][];
  const terms = new Map<string, Frequencies>();
  for (const [term, key, frequency] of rows) {
    if (!terms.has(term)) terms.set(term, new Map());
    terms.get(term)!.set(key, Math.min(255, frequency));
  }
  return terms;
}

/** Compares all lists, whole and from each of `firstKeys` on, in one snapshot. Returns the number of words. */
export function compareEveryWord(reader: Database, firstKeys: readonly number[] = []): number {
  const read = openDoclists(reader);
  return reader.transaction(() => {
    const stored = new Set(reader.query("SELECT id FROM chunk_words_docsize").values().flat() as number[]);
    const vocabulary = vocabularyOf(reader);
    const different: string[] = [];
    for (const [text, chunks] of vocabulary) {
      for (const firstKey of [0, ...firstKeys]) {
        const wanted = new Map([...chunks].filter(([key]) => key >= firstKey));
        let isEqual = true;
        for (const { keys, frequencies } of read({ text, kind: "word" }, firstKey)) {
          for (const [i, key] of keys.entries()) {
            // The lists still contain deleted chunks.
            if (!stored.has(key)) continue;
            isEqual &&= wanted.get(key) === frequencies[i];
            wanted.delete(key);
          }
        }
        if (!isEqual || wanted.size > 0) different.push(`${text} from ${firstKey}`);
      }
    }
    expect(different).toEqual([]);
    return vocabulary.size;
  })();
}

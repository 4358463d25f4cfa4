// The baseline of retrieval: SQLite's full-text search with a few lines of code. It shares no code with the program.

import { Database } from "bun:sqlite";
import type { SourceDocument } from "./collections.ts";

/** English function words: the list of the Snowball project, without its contractions. */
const STOP_WORDS = new Set(
  (
    "i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers " +
    "herself it its itself they them their theirs themselves what which who whom this that these those am is " +
    "are was were be been being have has had having do does did doing would should could ought a an the and " +
    "but if or because as until while of at by for with about against between into through during before " +
    "after above below to from up down in out on off over under again further then once here there when where " +
    "why how all any both each few more most other some such no nor not only own same so than too very can " +
    "will just"
  ).split(" "),
);

/**
 * A search over title and text for any word of the query, with Porter stemming and bm25; returns document ids, best
 * first.
 */
export function openFtsBaseline(documents: readonly SourceDocument[]): (query: string) => string[] {
  const database = new Database(":memory:");
  database.run("CREATE VIRTUAL TABLE texts USING fts5 (title, text, tokenize = 'porter unicode61')");
  const insert = database.query("INSERT INTO texts (rowid, title, text) VALUES (?, ?, ?)");
  database.transaction(() => {
    for (const [index, { title, text }] of documents.entries()) insert.run(index, title, text);
  })();
  const search = database.query<{ rowid: number }, [string]>(
    "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts) LIMIT 50",
  );
  return (query) => {
    const words = new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu));
    const terms = [...words].filter((word) => !STOP_WORDS.has(word)).map((word) => `"${word}"`);
    return search.all(terms.join(" OR ")).map(({ rowid }) => documents[rowid]!.id);
  };
}

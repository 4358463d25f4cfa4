// From a question to what the full-text index is asked for: stems of its words without stop words, and pairs of
// characters where a script puts no spaces between words.

import type { Database } from "bun:sqlite";
import { WORD } from "../kernel/text.ts";
import { foldForTrigrams } from "./rows.ts";

export interface QueryTerm {
  /** A stem as the word index holds it, or the beginning of trigrams. */
  text: string;
  kind: "word" | "characters";
  /** How often the question says it. */
  count: number;
}

/** Different terms of one question; what stands behind them is not looked up. */
const MAX_TERMS = 256;

/**
 * Scripts written without spaces, and Korean, whose words carry their particles: their words are looked up by two
 * neighbouring characters each, as Lucene's CJKBigramFilter does.
 */
const SPACELESS =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+/gu;

/** Snowball's English stop words (snowballstem.org/algorithms/english/stop.txt), contractions left out. */
const STOP_WORDS = new Set(
  `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its
   itself they them their theirs themselves what which who whom this that these those am is are was were be been being
   have has had having do does did doing would should could ought a an the and but if or because as until while of at by
   for with about against between into through during before after above below to from up down in out on off over under
   again further then once here there when where why how all any both each few more most other some such no nor not only
   own same so than too very can will just`.split(/\s+/),
);

/** Splits questions with the very tokenizer of the word index. */
export interface QueryReader {
  /** The question's terms. Stop words count only where there is nothing else. */
  terms(query: string): QueryTerm[];
}

/** Makes temporary tables on the handle; it may be one that can only read. */
export function openQueryReader(database: Database): QueryReader {
  const [{ sql }] = database
    .query<{ sql: string }, []>("SELECT sql FROM sqlite_schema WHERE name = 'chunk_words'")
    .all();
  const tokenizer = /tokenize\s*=\s*("[^"]*")/.exec(sql)?.[1];
  if (tokenizer === undefined) throw new Error("the table chunk_words names no tokenizer");
  database.run(`CREATE VIRTUAL TABLE temp.query_words USING fts5 (text, tokenize = ${tokenizer})`);
  database.run("CREATE VIRTUAL TABLE temp.query_stems USING fts5vocab (temp, query_words, 'instance')");
  const put = database.query<null, [string]>("INSERT INTO temp.query_words (rowid, text) VALUES (1, ?)");
  const clear = database.query("DELETE FROM temp.query_words");
  const stems = database.query<{ term: string }, []>("SELECT term FROM temp.query_stems ORDER BY offset");
  const stemsOf = (text: string) => {
    put.run(text);
    const found = stems.all().map(({ term }) => term);
    clear.run();
    return found;
  };
  return {
    terms(query) {
      const characters = charactersOf(query);
      const words = query.replaceAll("\0", " ").replace(SPACELESS, " ").match(WORD) ?? [];
      const telling = words.filter((word) => !STOP_WORDS.has(word.toLowerCase()));
      const asked = telling.length === 0 && characters.length === 0 ? words : telling;
      return [...counted("word", stemsOf(asked.join(" "))), ...counted("characters", characters)].slice(
        0,
        MAX_TERMS,
      );
    },
  };
}

function charactersOf(query: string): string[] {
  return (foldForTrigrams(query).match(SPACELESS) ?? []).flatMap((run) => {
    const characters = [...run];
    if (characters.length === 1) return characters;
    return characters.slice(1).map((character, before) => characters[before] + character);
  });
}

function counted(kind: QueryTerm["kind"], texts: string[]): QueryTerm[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => ({ text, kind, count }));
}

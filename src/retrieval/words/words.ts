// Normalizes text for the word index and splits queries into its terms, in any script. Depends on no table except the
// tokenizer of chunk_words.

import type { Database } from "bun:sqlite";
import { fold } from "../../kernel/text.ts";

/**
 * A run of characters in scripts without spaces between words, or in Korean, whose words include their particles. It is
 * indexed as bigrams of characters, like in Lucene's CJKBigramFilter.
 */
const UNSPACED = String.raw`[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]&&[\p{L}\p{M}\p{N}]]`;
const UNSPACED_RUN = new RegExp(`${UNSPACED}+`, "gv");
/** A character of a word in a script with spaces between words. */
const SPACED = String.raw`[[\p{L}\p{M}\p{N}]--${UNSPACED}]`;

/** Optional vowel points (Hebrew, Arabic), the Arabic tatweel, and variation selectors and joiners of emoji. */
const IGNORED_MARK =
  /[\u0591-\u05c7]|[\u0610-\u061a]|\u0640|[\u064b-\u065f]|\u0670|[\ufe00-\ufe0f]|\u200c|\u200d/g;

/** A symbol is a word of its own, even without spaces around it. */
const SYMBOL = /\p{So}/gu;

function normalize(text: string): string {
  return fold(text).replace(IGNORED_MARK, "").replaceAll("ß", "ss").replaceAll("\0", " ");
}

/**
 * The text to insert into the word index. A run without spaces becomes its bigrams and its last character, so that
 * every character is the prefix of a term.
 */
export function wordsToIndex(text: string): string {
  return normalize(text)
    .replace(UNSPACED_RUN, (run) => ` ${bigramsOf(run).join(" ")} ${[...run].at(-1)} `)
    .replace(SYMBOL, " $& ");
}

/** Matches a word or phrase as whole words in a folded text, with any white space between its words. */
export function termPattern(term: string): RegExp {
  const words = fold(term)
    .split(/\s+/u)
    .filter((word) => word !== "");
  return new RegExp(
    `(?:(?<!${SPACED})|(?!${SPACED}))${words.map(RegExp.escape).join("\\s+")}(?:(?!${SPACED})|(?<!${SPACED}))`,
    "v",
  );
}

/** More words of a term are not looked up. */
const MAX_TERM_WORDS = 32;

/** A query of FTS5 for the rows of chunk_words that have all words of a term, in any order and form. */
export function rowsWithWords(term: string): string {
  const text = normalize(term);
  const runs = (text.match(UNSPACED_RUN) ?? []).flatMap((run) =>
    [...run].length === 1 ? [`"${run}" *`] : bigramsOf(run).map((bigram) => `"${bigram}"`),
  );
  const words = wordsOf(text).map((word) => `"${word}"`);
  return [...words, ...runs].slice(0, MAX_TERM_WORDS).join(" AND ");
}

/** The words of a normalized text in scripts with spaces between words. */
function wordsOf(text: string): string[] {
  return text
    .replace(UNSPACED_RUN, " ")
    .replace(SYMBOL, " $& ")
    .split(/[^\p{L}\p{N}\p{M}\p{So}\p{Co}]+/u)
    .filter(Boolean);
}

/** The fraction of a query's distinct words that a text contains, with words as in the word index; from 0 to 1. */
export function shareOfWords(query: string, text: string): number {
  const wanted = distinctWords(query);
  return wanted.size === 0 ? 0 : wanted.intersection(distinctWords(text)).size / wanted.size;
}

/** The same without words such as `the` and `where`, unless the query has no others. */
export function shareOfContentWords(query: string, text: string): number {
  const words = distinctWords(query);
  const content = words.difference(STOP_WORDS);
  return shareOfWords([...(content.size > 0 ? content : words)].join(" "), text);
}

function distinctWords(text: string): Set<string> {
  return new Set(
    wordsToIndex(text)
      .split(/[^\p{L}\p{N}\p{M}\p{So}]+/u)
      .filter(Boolean),
  );
}

export interface QueryTerm {
  /** A term of the word index, or a prefix of terms. */
  text: string;
  kind: "word" | "bigram" | "prefix";
  /** Number of occurrences in the query. */
  count: number;
}

/** Maximum number of distinct terms of a query; the rest is ignored. */
const MAX_TERMS = 256;

/** `don't`, `it’s`, `we'll`: a negated auxiliary is dropped, and so is the part after the apostrophe. */
const CONTRACTION =
  /\b(?:(?:do|does|did|is|are|was|were|wo|would|should|could|ca|has|have|had|ai|must|need|might)n['’]t|(\p{L}+)['’](?:s|d|m|ll|re|ve))\b/giu;

/** Snowball's English stop words (snowballstem.org/algorithms/english/stop.txt), without its contractions. */
const STOP_WORDS = new Set(
  `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its
   itself they them their theirs themselves what which who whom this that these those am is are was were be been being
   have has had having do does did doing would should could ought a an the and but if or because as until while of at by
   for with about against between into through during before after above below to from up down in out on off over under
   again further then once here there when where why how all any both each few more most other some such no nor not only
   own same so than too very can will just`.split(/\s+/),
);

/** Bigrams that questions in Chinese, Japanese and Korean contain regardless of their subject. */
const STOP_BIGRAMS = new Set(
  `什么 怎么 怎样 如何 为什 哪里 哪个 哪些 多少 是否 可以 请问 です ます すか ませ まし した って どう うや やっ いつ なに どこ だれ こと ください
   くだ ださ さい なぜ とは には では 합니 니다 니까 습니 나요 세요 인가 가요 무엇 얼마 어떻 떻게 어디 언제 하는 있는`.split(
    /\s+/,
  ),
);

/** Splits queries with the tokenizer of the word index. */
export interface QueryTokenizer {
  /** The terms of a query. Stop words are dropped unless there is nothing else. */
  terms(query: string): QueryTerm[];
}

/** Creates temporary tables on the handle, which may be read-only. */
export function openQueryTokenizer(database: Database): QueryTokenizer {
  const stemsOf = openStemmer(database);
  return {
    terms(query) {
      const text = normalize(
        query.replace(CONTRACTION, (_all, word: string | undefined) => ` ${word ?? ""} `),
      );
      const runs = text.match(UNSPACED_RUN) ?? [];
      const singles = runs.filter((run) => [...run].length === 1);
      const allBigrams = runs.flatMap(bigramsOf);
      const allWords = wordsOf(text);
      const words = allWords.filter((word) => !STOP_WORDS.has(word));
      const bigrams = allBigrams.filter((bigram) => !STOP_BIGRAMS.has(bigram));
      const hasOnlyStopWords = words.length + bigrams.length + singles.length === 0;
      return [
        ...counted("word", stemsOf((hasOnlyStopWords ? allWords : words).join(" "))),
        ...counted("bigram", hasOnlyStopWords ? allBigrams : bigrams),
        ...counted("prefix", singles),
      ].slice(0, MAX_TERMS);
    },
  };
}

/** A function that returns the tokens of a text, with duplicates, as the tokenizer of chunk_words makes them. */
function openStemmer(database: Database): (text: string) => string[] {
  const table = database
    .query<{ sql: string }, []>("SELECT sql FROM sqlite_schema WHERE name = 'chunk_words'")
    .get();
  const tokenizer = /tokenize\s*=\s*("[^"]*")/.exec(table?.sql ?? "")?.[1];
  if (tokenizer === undefined) throw new Error("the table chunk_words has no tokenizer");
  database.run(`CREATE VIRTUAL TABLE temp.query_words USING fts5 (text, tokenize = ${tokenizer})`);
  database.run("CREATE VIRTUAL TABLE temp.query_stems USING fts5vocab (temp, query_words, 'instance')");
  const insert = database.query<null, [string]>("INSERT INTO temp.query_words (rowid, text) VALUES (1, ?)");
  const clear = database.query("DELETE FROM temp.query_words");
  const stems = database.query<{ term: string }, []>("SELECT term FROM temp.query_stems ORDER BY offset");
  return (text) => {
    insert.run(text);
    const found = stems.all().map(({ term }) => term);
    clear.run();
    return found;
  };
}

function bigramsOf(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((character, index) => characters[index]! + character);
}

function counted(kind: QueryTerm["kind"], texts: readonly string[]): QueryTerm[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => ({ text, kind, count }));
}

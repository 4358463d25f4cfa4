// Splits texts into the words of the word index, and queries into its terms, in any script. Depends on no table except
// the tokenizer of chunk_words.

import type { Database } from "bun:sqlite";
import { splitCompound } from "./compounds.ts";
import { literalForm, plainForm, wordForm } from "./normalize.ts";
import { stemOf } from "./stems.ts";

/**
 * A run of characters in scripts without spaces between words, or in Korean, whose words include their particles. It is
 * indexed as bigrams of characters, like in Lucene's CJKBigramFilter.
 */
const UNSPACED = String.raw`[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]&&[\p{L}\p{M}\p{N}]]`;
const UNSPACED_RUN = new RegExp(`${UNSPACED}+`, "gv");
/** A character of a word in a script with spaces between words. */
const SPACED = String.raw`[[\p{L}\p{M}\p{N}]--${UNSPACED}]`;
/** A word in such a script, or several with separators between them that identifiers and numbers have. */
const SPACED_WORD = new RegExp(
  String.raw`${SPACED}+(?:(?:[\-_.]|::?|(?<=\p{Nd}),(?=\p{Nd}))${SPACED}+)*`,
  "gv",
);
/** A word between the separators. */
const SINGLE_WORD = new RegExp(`${SPACED}+`, "gv");

/** A symbol is a word of its own, even without spaces around it. */
const SYMBOL = /\p{So}/gu;

/**
 * The text to insert into the word index. A run without spaces becomes its bigrams and its last character, so that
 * every character is the prefix of a term.
 */
export function wordsToIndex(text: string): string {
  const withParts = plainForm(text).replace(SPACED_WORD, (word) => {
    const { parts, joined } = splitCompound(word);
    return joined === undefined && parts.length === 1 ? word : ` ${[...parts, joined ?? ""].join(" ")} `;
  });
  return wordForm(withParts)
    .replace(SINGLE_WORD, stemOf)
    .replace(UNSPACED_RUN, (run) => ` ${bigramsOf(run).join(" ")} ${[...run].at(-1)} `)
    .replace(SYMBOL, " $& ");
}

/** A word of a query, a symbol, or a character for private use. */
const QUERY_WORD = new RegExp(String.raw`${SPACED_WORD.source}|[\p{So}\p{Co}]`, "gv");

/** Matches a word or phrase as whole words in a text in literal form, with any white space between its words. */
export function termPattern(term: string): RegExp {
  const words = literalForm(term)
    .split(/\s+/u)
    .filter((word) => word !== "");
  return new RegExp(
    `(?:(?<!${SPACED})|(?!${SPACED}))${words.map(RegExp.escape).join("\\s+")}(?:(?!${SPACED})|(?<!${SPACED}))`,
    "v",
  );
}

/** Longer queries are questions or pasted texts. */
const MAX_PHRASE_UNITS = 200;

/**
 * A function that says whether a text contains the words of a query next to each other, with other endings of the last
 * one; undefined for a query of one word.
 */
export function phrasePattern(query: string): ((text: string) => boolean) | undefined {
  const form = wordForm(plainForm(query));
  const words = form.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const isPhrase = words.length > 1 || /^.{3,}$/u.test((form.match(UNSPACED_RUN) ?? []).join(""));
  if (!isPhrase || form.length > MAX_PHRASE_UNITS) return undefined;
  const pattern = new RegExp(
    `(?<!${SPACED})${words.map(RegExp.escape).join(String.raw`[^\p{L}\p{M}\p{N}]{1,3}`)}`,
    "v",
  );
  return (text) => pattern.test(wordForm(plainForm(text)));
}

/** More words of a term are not looked up. */
const MAX_TERM_WORDS = 32;

/** A query of FTS5 for the rows of chunk_words that have all words of a term, in any order and form. */
export function rowsWithWords(term: string): string {
  const { words, runs } = splitQuery(term);
  const ofRuns = runs.flatMap((run) =>
    [...run].length === 1 ? [`"${run}" *`] : bigramsOf(run).map((bigram) => `"${bigram}"`),
  );
  const parts = words.flatMap(({ parts }) => parts).map((part) => `"${part}"`);
  return [...parts, ...ofRuns].slice(0, MAX_TERM_WORDS).join(" AND ");
}

/** A word of a query, with everything in the form of words in the index before FTS5 stems them. */
interface QueryWord {
  /** Without the stem: for lists of words. */
  plain: string;
  parts: string[];
  joined?: string;
  isCode: boolean;
}

/** The words of a query in scripts with spaces between words, its symbols among them, and its runs in others. */
function splitQuery(query: string): { words: QueryWord[]; runs: string[] } {
  const plain = plainForm(query);
  const words = plain
    .replace(SYMBOL, " $& ")
    .match(QUERY_WORD)
    ?.map((word): QueryWord => {
      const { parts, joined, isCode } = splitCompound(word);
      const indexed = (part: string) => wordForm(part).replace(SINGLE_WORD, stemOf);
      return {
        plain: wordForm(word),
        parts: parts.map(indexed),
        ...(joined !== undefined && { joined: indexed(joined) }),
        isCode,
      };
    });
  return { words: words ?? [], runs: wordForm(plain).match(UNSPACED_RUN) ?? [] };
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

/** What is looked up in the word index. */
export interface IndexTerm {
  /** A term of the word index, or a prefix of terms. */
  text: string;
  kind: "word" | "bigram" | "prefix";
}

export interface QueryTerm extends IndexTerm {
  /** Number of occurrences in the query. */
  count: number;
  /** Other notations of the same word. A chunk that contains one contains the term. */
  also?: readonly IndexTerm[];
  /** If the term is not in the index: lists of terms that stand for it. The first of which all are there is used. */
  splits?: readonly (readonly IndexTerm[])[];
  /** Whether it consists of letters and digits, such as `E1009`. */
  isCode?: boolean;
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
      const { words, runs } = splitQuery(
        query.replace(CONTRACTION, (_all, word: string | undefined) => ` ${word ?? ""} `),
      );
      const singles = runs.filter((run) => [...run].length === 1);
      const allBigrams = runs.flatMap(bigramsOf);
      const bigrams = allBigrams.filter((bigram) => !STOP_BIGRAMS.has(bigram));
      const content = words.filter(({ plain }) => !STOP_WORDS.has(plain));
      const hasOnlyStopWords = content.length + bigrams.length + singles.length === 0;
      const searched = hasOnlyStopWords ? words : content;
      const mayBeCompound = searched.length <= MAX_COMPOUND_WORDS;
      const drafts = searched.flatMap((word, index, all) =>
        mayBeCompound ? termsOf(word, all[index - 1], all[index + 1]) : termsOf(word).map(withoutClosed),
      );
      return [
        ...stemmed(drafts, stemsOf),
        ...counted("bigram", hasOnlyStopWords ? allBigrams : bigrams),
        ...counted("prefix", singles),
      ].slice(0, MAX_TERMS);
    },
  };
}

/** A term of a query before FTS5 stems it; all texts are single words. */
interface DraftTerm {
  text: string;
  also: string[];
  splits: string[][];
  isCode: boolean;
}

/** The terms of a word between the content words before and after it. */
function termsOf(word: QueryWord, before?: QueryWord, after?: QueryWord): DraftTerm[] {
  const { parts, joined, isCode } = word;
  if (joined !== undefined && (isCode || !/\p{L}/u.test(joined)))
    return [{ text: joined, also: [], splits: [parts], isCode }];
  if (joined !== undefined) {
    const content = parts.filter((part) => part.length > 1 && !STOP_WORDS.has(part));
    if (content.length === 0) return [{ text: joined, also: [], splits: [], isCode }];
    return content.map((text) => ({ text, also: [joined], splits: [], isCode }));
  }
  if (parts.length > 1) return parts.map((text) => ({ text, also: [], splits: [], isCode: false }));
  const [text] = parts as [string];
  const also = [before && openCompound(before, word), after && openCompound(word, after)];
  return [{ text, also: also.filter((other) => other !== undefined), splits: splitsOf(text), isCode }];
}

/** `data base` as one word. */
function openCompound(first: QueryWord, second: QueryWord): string | undefined {
  const texts = [first, second].map(({ parts }) => (parts.length === 1 ? parts[0]! : ""));
  return texts.every((text) => /^\p{L}{3,}$/u.test(text)) ? texts.join("") : undefined;
}

/** Of a longer query, `data base` and `database` are searched as they are written. */
const MAX_COMPOUND_WORDS = 3;
const withoutClosed = (term: DraftTerm): DraftTerm => (term.isCode ? term : { ...term, splits: [] });

/** Both words of a compound have this many letters. */
const MIN_COMPOUNDED = 4;
const MAX_COMPOUND = 24;

/** `database` as two words, at each place where it may be split. */
function splitsOf(text: string): string[][] {
  if (text.length > MAX_COMPOUND || !/^\p{sc=Latn}+$/u.test(text)) return [];
  const splits: string[][] = [];
  for (let at = MIN_COMPOUNDED; at <= text.length - MIN_COMPOUNDED; at++)
    splits.push([text.slice(0, at), text.slice(at)]);
  return splits;
}

/** The words FTS5's stemmer makes of all texts of the drafts. Equal terms are counted. */
function stemmed(drafts: readonly DraftTerm[], stemsOf: (words: readonly string[]) => string[]): QueryTerm[] {
  const texts = drafts.flatMap(({ text, also, splits }) => [text, ...also, ...splits.flat()]);
  const stems = new Map(stemsOf(texts).map((stem, index) => [texts[index]!, stem]));
  const terms = new Map<string, QueryTerm>();
  const wordTerms = (words: readonly string[]): IndexTerm[] =>
    words.map((word) => ({ text: stems.get(word)!, kind: "word" as const }));
  for (const { text, also, splits, isCode } of drafts) {
    const stem = stems.get(text)!;
    if (stem === "") continue;
    const others = [
      ...wordTerms(also),
      ...(HASH_PREFIX.test(text) ? [{ text, kind: "prefix" as const }] : []),
    ];
    const known = terms.get(stem);
    terms.set(stem, {
      text: stem,
      kind: "word",
      count: (known?.count ?? 0) + 1,
      ...(others.length > 0 && { also: others }),
      ...(splits.length > 0 && { splits: splits.map(wordTerms) }),
      ...(isCode && { isCode }),
    });
  }
  return [...terms.values()];
}

/** The beginning of a hash, as people quote commits. */
const HASH_PREFIX = /^(?=.*\d)(?=.*[a-f])[\da-f]{7,}$/u;

/** A function that returns the term that the tokenizer of chunk_words makes of each word; empty if it makes none. */
function openStemmer(database: Database): (words: readonly string[]) => string[] {
  const table = database
    .query<{ sql: string }, []>("SELECT sql FROM sqlite_schema WHERE name = 'chunk_words'")
    .get();
  const tokenizer = /tokenize\s*=\s*("[^"]*")/.exec(table?.sql ?? "")?.[1];
  if (tokenizer === undefined) throw new Error("the table chunk_words has no tokenizer");
  database.run(`CREATE VIRTUAL TABLE temp.query_words USING fts5 (text, tokenize = ${tokenizer})`);
  database.run("CREATE VIRTUAL TABLE temp.query_stems USING fts5vocab (temp, query_words, 'instance')");
  const insert = database.query<null, [string]>(
    "INSERT INTO temp.query_words (rowid, text) SELECT key, value FROM json_each(?)",
  );
  const clear = database.query("DELETE FROM temp.query_words");
  const stems = database.query<{ doc: number; term: string }, []>(
    "SELECT doc, term FROM temp.query_stems ORDER BY doc, offset DESC",
  );
  return (words) => {
    insert.run(JSON.stringify(words));
    const found = new Map(stems.all().map(({ doc, term }) => [doc, term]));
    clear.run();
    return words.map((_word, index) => found.get(index) ?? "");
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

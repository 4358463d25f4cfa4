// What the word index is given, and what a question asks of it: the same text forms on both sides, in any script. It knows
// no table but the tokenizer of one.

import type { Database } from "bun:sqlite";
import { fold } from "../kernel/text.ts";

/**
 * Scripts written without spaces, and Korean, whose words carry their particles: what is looked up there are pairs of
 * neighbouring characters, as Lucene's CJKBigramFilter makes them.
 */
const RUN =
  /[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]&&[\p{L}\p{M}\p{N}]]+/gv;

/** Points that most writers leave out (Hebrew, Arabic), Arabic's stretching stroke, and the selectors behind emoji. */
const UNWRITTEN =
  /[\u0591-\u05c7]|[\u0610-\u061a]|\u0640|[\u064b-\u065f]|\u0670|[\ufe00-\ufe0f]|\u200c|\u200d/g;

/** Symbols are words of their own, also where they touch others. */
const SYMBOL = /\p{So}/gu;

const plain = (text: string) => fold(text).replace(UNWRITTEN, "").replaceAll("ß", "ss").replaceAll("\0", " ");

/**
 * A text as the word index takes it. Of a run without spaces every pair of characters becomes a word, and its last
 * character too, so that each character begins one.
 */
export function wordsToIndex(text: string): string {
  return plain(text)
    .replace(RUN, (run) => ` ${pairsOf(run).join(" ")} ${[...run].at(-1)} `)
    .replace(SYMBOL, " $& ");
}

/** The share of a question's different words that a text holds, as the word index would cut both; 0 to 1. */
export function shareOfWords(question: string, text: string): number {
  const words = (from: string) =>
    new Set(
      wordsToIndex(from)
        .split(/[^\p{L}\p{N}\p{M}\p{So}]+/u)
        .filter(Boolean),
    );
  const asked = words(question);
  return asked.size === 0 ? 0 : asked.intersection(words(text)).size / asked.size;
}

export interface QueryTerm {
  /** A word as the index holds it, or the beginning of words. */
  text: string;
  kind: "word" | "pair" | "beginning";
  /** How often the question says it. */
  count: number;
}

/** Different terms of one question; what stands behind them is not looked up. */
const MAX_TERMS = 256;

/** `don't`, `it’s`, `we'll`: what stands behind the apostrophe says nothing, and neither does what is negated. */
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

/** Pairs of which questions are made in Chinese, Japanese and Korean, whatever they ask. */
const STOP_PAIRS = new Set(
  `什么 怎么 怎样 如何 为什 哪里 哪个 哪些 多少 是否 可以 请问 です ます すか ませ まし した って どう うや やっ いつ なに どこ だれ こと ください
   くだ ださ さい なぜ とは には では 합니 니다 니까 습니 나요 세요 인가 가요 무엇 얼마 어떻 떻게 어디 언제 하는 있는`.split(
    /\s+/,
  ),
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
      const text = plain(query.replace(CONTRACTION, (_all, word: string | undefined) => ` ${word ?? ""} `));
      const runs = text.match(RUN) ?? [];
      const single = runs.filter((run) => [...run].length === 1);
      const pairs = runs.flatMap(pairsOf);
      const words = text
        .replace(RUN, " ")
        .replace(SYMBOL, " $& ")
        .split(/[^\p{L}\p{N}\p{M}\p{So}\p{Co}]+/u);
      const asked = [...words, ...pairs];
      const telling = asked.filter((word) => !STOP_WORDS.has(word) && !STOP_PAIRS.has(word));
      const hasMore = telling.some((word) => word !== "") || single.length > 0;
      const [kept, keptPairs] = hasMore ? [STOP_WORDS, STOP_PAIRS] : [new Set(), new Set()];
      return [
        ...counted("word", stemsOf(words.filter((word) => !kept.has(word)).join(" "))),
        ...counted(
          "pair",
          pairs.filter((pair) => !keptPairs.has(pair)),
        ),
        ...counted("beginning", single),
      ].slice(0, MAX_TERMS);
    },
  };
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((character, before) => characters[before] + character);
}

function counted(kind: QueryTerm["kind"], texts: readonly string[]): QueryTerm[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => ({ text, kind, count }));
}

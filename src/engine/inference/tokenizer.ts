// The tokenizer of a model's folder: the compact one for unigram vocabularies, that of transformers.js for all others.

import { readModelJson } from "./compressed.ts";
import { loadAutoTokenizer } from "./runtime.ts";
import { createUnigramEncoder, readUnigram, type UnigramTables } from "./unigram.ts";

export interface Tokenizer {
  /** Token ids of the whole text, without special tokens. Linear time, about 1 ms per 1,000 tokens. */
  encode(text: string): number[];
  /** The special tokens before and after a text. */
  before: readonly number[];
  after: readonly number[];
  /** Whether a token continues the word of the token before it. */
  continuesWord(token: number): boolean;
  /** What other threads can make the same tokenizer of. */
  tables?: UnigramTables;
}

const FILES = ["tokenizer.json", "tokenizer_config.json"] as const;

/**
 * Loads the tokenizer of a folder, or makes it of another thread's tables. Throws an Error that states what is wrong
 * with the folder.
 */
export async function loadTokenizer(directory: string, tables?: UnigramTables): Promise<Tokenizer> {
  if (tables) return unigramTokenizer(tables);
  const [content, config] = await Promise.all(FILES.map((name) => readModelJson(directory, name)));
  if (content === undefined) throw new Error(`${FILES[0]} is missing`);
  if (config === undefined) throw new Error(`${FILES[1]} is missing`);
  const unigram = readUnigram(content);
  return unigram ? unigramTokenizer(unigram) : loadOther(directory);
}

function unigramTokenizer(tables: UnigramTables): Tokenizer {
  const { before, after, startsWord } = tables;
  return {
    encode: createUnigramEncoder(tables),
    before,
    after,
    continuesWord: (token) => startsWord[token] === 0,
    tables,
  };
}

/** Beginnings of the tokens that start a word, in byte-level BPE and SentencePiece; WordPiece marks the others. */
const WORD_START = /^[\u0120\u2581]/;
const WORD_CONTINUED = /^##/;

async function loadOther(directory: string): Promise<Tokenizer> {
  const tokenizer = await loadAutoTokenizer(directory);
  const encode = (text: string) => tokenizer.encode(text, { add_special_tokens: false });
  const vocabulary = [...tokenizer.get_vocab()];
  const marksStarts = vocabulary.some(([token]) => WORD_START.test(token));
  const continuing = new Set<number>();
  for (const [token, id] of vocabulary)
    if (marksStarts ? !WORD_START.test(token) : WORD_CONTINUED.test(token)) continuing.add(id);
  // Which special tokens come before a text, and which after it, shows only beside a text.
  const [own, all] = [encode("a"), tokenizer.encode("a")];
  const start = all.findIndex((_, at) => own.every((token, i) => all[at + i] === token));
  if (own.length === 0 || start < 0)
    throw new Error("its tokenizer changes a text when it adds special tokens");
  return {
    encode,
    before: all.slice(0, start),
    after: all.slice(start + own.length),
    continuesWord: (token) => continuing.has(token),
  };
}

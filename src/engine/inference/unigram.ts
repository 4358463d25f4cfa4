// A unigram tokenizer (Kudo 2018, "Subword Regularization") in typed arrays, which threads share: 11 MB for 250,000
// pieces where transformers.js needs 218 MB. It returns the ids of transformers.js, except that it reads the names of
// special tokens in a text as text.

import { normalized } from "../../kernel/text.ts";

/** What a tokenizer.json says, and the vocabulary as a trie in shared memory: structured clone does not copy it. */
export interface UnigramTables {
  /** Applied to a text in this order. */
  normalizers: readonly NormalizerStep[];
  /** Whether a text is split at white space first. */
  splitsAtSpaces: boolean;
  /** What spaces become, which also comes before the first word. */
  spaceMark: string;
  /** Special tokens before and after a text. */
  before: readonly number[];
  after: readonly number[];
  unknownId: number;
  unknownScore: number;
  /** Hash table of the trie's nodes; 0 is an empty slot. */
  slots: Uint32Array;
  /** By node: its parent, the UTF-16 unit that leads to it, and the piece that ends there; -1 if none does. */
  parents: Uint32Array;
  units: Uint16Array;
  ids: Int32Array;
  /** By id: the logarithm of the piece's probability, and 1 if it starts a word. */
  scores: Float32Array;
  startsWord: Uint8Array;
}

type NormalizerStep =
  | { kind: "precompiled" }
  | { kind: "form"; form: "NFC" | "NFD" | "NFKC" | "NFKD" }
  | { kind: "lowercase" }
  | { kind: "replace"; pattern: RegExp | string; content: string };

/** The root of the trie. Nodes are numbered from 1, because 0 is an empty slot. */
const ROOT = 1;
const NO_PIECE = -1;
/** An unknown character scores this much less than the rarest piece, as in SentencePiece. */
const UNKNOWN_PENALTY = 10;

/**
 * Reads a parsed tokenizer.json; undefined if it is not one of a unigram tokenizer, or uses what is not supported here.
 */
export function readUnigram(json: unknown): UnigramTables | undefined {
  const { model, normalizer, pre_tokenizer, post_processor, added_tokens } = json as Json;
  if (model?.type !== "Unigram" || model.byte_fallback || !Array.isArray(model.vocab)) return undefined;
  const normalizers = stepsOf(normalizer);
  const words = wordsOf(pre_tokenizer);
  const specials = specialsOf(post_processor);
  if (!normalizers || !words || !specials) return undefined;
  const skipped = new Set<string>((added_tokens ?? []).map(({ content }: Json) => content));
  const { unk_id: unknownId, vocab } = model as { unk_id: number; vocab: [string, number][] };
  return { normalizers, ...words, ...specials, unknownId, ...trieOf(vocab, skipped, words.spaceMark) };
}

// biome-ignore lint/suspicious/noExplicitAny: the format of tokenizer.json is checked where it is read.
type Json = any;

function stepsOf(normalizer: Json): NormalizerStep[] | undefined {
  if (normalizer === null || normalizer === undefined) return [];
  const { type, pattern } = normalizer;
  if (type === "Sequence") {
    const parts = (normalizer.normalizers as Json[]).map(stepsOf);
    return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
  }
  if (type === "Precompiled") return [{ kind: "precompiled" }];
  if (type === "Lowercase") return [{ kind: "lowercase" }];
  if (["NFC", "NFD", "NFKC", "NFKD"].includes(type)) return [{ kind: "form", form: type }];
  if (type !== "Replace") return undefined;
  const searched = pattern?.Regex === undefined ? pattern?.String : new RegExp(pattern.Regex, "gu");
  return searched === undefined
    ? undefined
    : [{ kind: "replace", pattern: searched, content: normalizer.content }];
}

function wordsOf(pre: Json): Pick<UnigramTables, "splitsAtSpaces" | "spaceMark"> | undefined {
  const steps: Json[] = pre?.type === "Sequence" ? pre.pretokenizers : [pre];
  const metaspace = steps.at(-1);
  if (metaspace?.type !== "Metaspace" || (metaspace.prepend_scheme ?? "always") !== "always")
    return undefined;
  const others = steps.slice(0, -1);
  if (others.some((step) => step?.type !== "WhitespaceSplit")) return undefined;
  return { splitsAtSpaces: others.length > 0, spaceMark: metaspace.replacement ?? "\u2581" };
}

function specialsOf(post: Json): Pick<UnigramTables, "before" | "after"> | undefined {
  if (post?.type !== "TemplateProcessing") return undefined;
  const items: Json[] = post.single;
  const text = items.findIndex((item) => item.Sequence);
  const idsOf = (part: Json[]) =>
    part.flatMap((item) => post.special_tokens[item.SpecialToken.id].ids as number[]);
  return { before: idsOf(items.slice(0, text)), after: idsOf(items.slice(text + 1)) };
}

function trieOf(vocab: readonly [string, number][], skipped: ReadonlySet<string>, spaceMark: string) {
  let units = 0;
  for (const [piece] of vocab) units += piece.length;
  let capacity = 1024;
  while (capacity < units) capacity *= 2;
  const scores = new Float32Array(vocab.length);
  const startsWord = new Uint8Array(vocab.length);
  // As large as needed at most, until the number of nodes is known.
  const wide = {
    slots: new Uint32Array(capacity),
    parents: new Uint32Array(units + 2),
    units: new Uint16Array(units + 2),
    ids: new Int32Array(units + 2).fill(NO_PIECE),
  };
  let nodes = ROOT;
  let minimum = Number.POSITIVE_INFINITY;
  for (const [id, [piece, score]] of vocab.entries()) {
    scores[id] = score;
    startsWord[id] = Number(piece.startsWith(spaceMark));
    minimum = Math.min(minimum, score);
    if (skipped.has(piece)) continue;
    let node = ROOT;
    for (let i = 0; i < piece.length; i++) {
      const unit = piece.charCodeAt(i);
      const slot = slotOf(wide, node, unit);
      if (wide.slots[slot] === 0) {
        wide.slots[slot] = ++nodes;
        wide.parents[nodes] = node;
        wide.units[nodes] = unit;
      }
      node = wide.slots[slot]!;
    }
    wide.ids[node] = id;
  }
  const trie = {
    slots: copied(fitting(wide, nodes), Uint32Array),
    parents: copied(wide.parents.subarray(0, nodes + 1), Uint32Array),
    units: copied(wide.units.subarray(0, nodes + 1), Uint16Array),
    ids: copied(wide.ids.subarray(0, nodes + 1), Int32Array),
  };
  return {
    ...trie,
    scores: copied(scores, Float32Array),
    startsWord: copied(startsWord, Uint8Array),
    unknownScore: minimum - UNKNOWN_PENALTY,
  };
}

/** The smallest hash table of which the nodes fill at most three quarters. */
function fitting(trie: Trie, nodes: number): Uint32Array {
  let size = 1024;
  while (size * 0.75 < nodes) size *= 2;
  const slots = new Uint32Array(size);
  const fitted = { ...trie, slots };
  for (let node = ROOT + 1; node <= nodes; node++)
    slots[slotOf(fitted, trie.parents[node]!, trie.units[node]!)] = node;
  return slots;
}

type Numbers = Uint32Array | Uint16Array | Int32Array | Float32Array | Uint8Array;

/** A copy in memory that threads share. */
function copied<Kind extends Numbers>(from: Numbers, kind: { new (buffer: SharedArrayBuffer): Kind }): Kind {
  const copy = new kind(new SharedArrayBuffer(from.byteLength));
  copy.set(from);
  return copy;
}

type Trie = { slots: Uint32Array; parents: Uint32Array; units: Uint16Array };

/** The slot of the child of a node by this unit: empty if there is none. Linear probing. */
function slotOf({ slots, parents, units }: Trie, node: number, unit: number): number {
  const mask = slots.length - 1;
  let slot = Math.imul(Math.imul(node, 0x9e3779b1) ^ unit, 0x85ebca6b) >>> 0;
  slot = (slot ^ (slot >>> 15)) & mask;
  for (;;) {
    const child = slots[slot]!;
    if (child === 0 || (parents[child] === node && units[child] === unit)) return slot;
    slot = (slot + 1) & mask;
  }
}

/** Token ids of a text, without special tokens, in linear time. */
export function createUnigramEncoder(tables: UnigramTables): (text: string) => number[] {
  const { splitsAtSpaces, spaceMark, unknownId } = tables;
  const path = createPath();
  return (text) => {
    const tokens: number[] = [];
    const normalized = normalize(text, tables.normalizers);
    const words = splitsAtSpaces ? (normalized.match(/\S+/g) ?? []) : normalized === "" ? [] : [normalized];
    for (const word of words) {
      const marked = word.replaceAll(" ", spaceMark);
      for (const id of bestPieces(tables, path, marked.startsWith(spaceMark) ? marked : spaceMark + marked)) {
        // Unknown characters beside each other are one token.
        if (id !== unknownId || tokens.at(-1) !== unknownId) tokens.push(id);
      }
    }
    return tokens;
  };
}

function normalize(text: string, steps: readonly NormalizerStep[]): string {
  let result = text;
  for (const step of steps) {
    if (step.kind === "precompiled") result = normalizeLikeNmt(result);
    else if (step.kind === "form") result = normalized(result, step.form);
    else if (step.kind === "lowercase") result = result.toLowerCase();
    else result = result.replaceAll(step.pattern, step.content);
  }
  return result;
}

const REMOVED = /[\u0001-\u0008\u000B\u000E-\u001F\u007F\u008F\u009F]/g;
const SPACES =
  /[\u0009\u000A\u000C\u000D\u00A0\u1680\u2000-\u200F\u2028\u2029\u202F\u205F\u2581\u3000\uFEFF\uFFFD]/g;

/** SentencePiece's nmt_nfkc as transformers.js reads it, instead of the compiled map of characters. */
function normalizeLikeNmt(text: string): string {
  const spaced = text.replace(REMOVED, "").replace(SPACES, " ");
  const parts = spaced.split("\uFF5E");
  return parts.map((part) => normalized(part, "NFKC")).join("\uFF5E");
}

/** The best way to each position of a word: its score, the piece that it ends with, and where that starts. */
interface Path {
  scores: Float64Array;
  ids: Int32Array;
  starts: Int32Array;
  /** Makes room for this many positions, without any way to them. */
  clear(positions: number): void;
}

function createPath(): Path {
  const path: Path = {
    scores: new Float64Array(256),
    ids: new Int32Array(256),
    starts: new Int32Array(256),
    clear(positions) {
      if (positions > path.scores.length) {
        path.scores = new Float64Array(2 * positions);
        path.ids = new Int32Array(2 * positions);
        path.starts = new Int32Array(2 * positions);
      }
      path.scores.fill(Number.NEGATIVE_INFINITY, 0, positions);
    },
  };
  return path;
}

/** The pieces of the word that are most probable together (Viterbi); of equal ones, those found first. */
function bestPieces(tables: UnigramTables, path: Path, word: string): number[] {
  const { slots, ids, scores, unknownId, unknownScore } = tables;
  path.clear(word.length + 1);
  path.scores[0] = 0;
  const offer = (start: number, end: number, id: number, score: number) => {
    const sum = path.scores[start]! + score;
    if (sum <= path.scores[end]!) return;
    path.scores[end] = sum;
    path.ids[end] = id;
    path.starts[end] = start;
  };
  for (let start = 0; start < word.length; ) {
    const next = start + (word.codePointAt(start)! > 0xffff ? 2 : 1);
    let hasCharacter = false;
    let node = ROOT;
    for (let end = start; end < word.length; ) {
      node = slots[slotOf(tables, node, word.charCodeAt(end++))]!;
      if (node === 0) break;
      const id = ids[node]!;
      if (id === NO_PIECE) continue;
      offer(start, end, id, scores[id]!);
      if (end === next) hasCharacter = true;
    }
    if (!hasCharacter) offer(start, next, unknownId, unknownScore);
    start = next;
  }
  const pieces: number[] = [];
  for (let end = word.length; end > 0; end = path.starts[end]!) pieces.push(path.ids[end]!);
  return pieces.reverse();
}

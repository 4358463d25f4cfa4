// One reading model in memory: a cross-encoder, which reads two texts together and so knows more about the pair than
// the cosine of their vectors tells (Nogueira and Cho 2019, "Passage Re-ranking with BERT"). What it was trained on is
// described in its folder.

import { availableParallelism } from "node:os";
import { join } from "node:path";
import { loadModelFiles } from "./load.ts";
import type { Runtime } from "./runtime.ts";

/** A question and a passage; `context` is what is needed to understand the passage, such as its title. */
export interface Reading {
  question: string;
  context: string;
  passage: string;
}

export interface PassageReader {
  /**
   * For each pair the log-odds that the passage answers the question; 0 is undecided. Takes about 2.5 ms for a pair of
   * 60 tokens. Scores depend on the other pairs of a run, because their activations are quantized together: mostly by
   * less than 1.
   */
  score(readings: readonly Reading[]): Promise<number[]>;
}

/** Of a pair, with the special tokens: what the model was trained on. */
const MAX_TOKENS = 96;
/** Of the question: its end, because what is asked comes last. */
const MAX_QUESTION_TOKENS = 45;
/** Of the context, if the passage needs the rest. */
const MIN_CONTEXT_TOKENS = 16;
/** Before the question, between both, and at the end. */
const SPECIAL_TOKENS = 3;
/** A run of eight pairs in two threads reads twice as many tokens a second as one in one thread. */
const THREADS = Math.min(2, availableParallelism());
/** Sixteen pairs take as long in two runs of eight as in one run, which needs more memory. */
const ROWS_OF_RUN = 8;

/**
 * Loads the model of a folder in 0.1 to 0.3 s. Throws an Error that states what is wrong with the folder, also if the
 * model computes wrong scores on this machine.
 */
export async function loadReader(directory: string, runtime: Runtime): Promise<PassageReader> {
  const { tokenizer, run } = await loadModelFiles(directory, { runtime, threads: THREADS });
  const [[first, ...more], [last, ...others]] = [tokenizer.before, tokenizer.after];
  if (first === undefined || last === undefined || more.length + others.length > 0)
    throw new Error("its tokenizer does not add exactly one special token before and after a text");

  const scoreRows = async (rows: readonly Row[]): Promise<number[]> => {
    const length = Math.max(...rows.map(lengthOf));
    const empty = () => new BigInt64Array(rows.length * length);
    const inputs = { input_ids: empty(), attention_mask: empty(), token_type_ids: empty() };
    for (const [i, [a, b]] of rows.entries()) {
      const tokens = [first, ...a, last, ...b, last];
      const start = i * length;
      inputs.input_ids.set(tokens.map(BigInt), start);
      inputs.attention_mask.fill(1n, start, start + tokens.length);
      inputs.token_type_ids.fill(1n, start + a.length + 2, start + tokens.length);
    }
    const { data } = await run(inputs, [rows.length, length]);
    if (data.length !== rows.length) throw new Error("its output is not one score per pair");
    return [...data];
  };
  const score = async (readings: readonly Reading[]): Promise<number[]> => {
    const rows = readings.map((reading) => tokensOf(reading, tokenizer.encode));
    // Rows of a run are as long as its longest one.
    const order = [...rows.keys()].sort((a, b) => lengthOf(rows[a]!) - lengthOf(rows[b]!) || a - b);
    const scores: number[] = [];
    for (let i = 0; i < order.length; i += ROWS_OF_RUN) {
      const chosen = order.slice(i, i + ROWS_OF_RUN);
      const computed = await scoreRows(chosen.map((row) => rows[row]!));
      for (const [at, row] of chosen.entries()) scores[row] = computed[at]!;
    }
    return scores;
  };
  await test(score, directory);
  return { score };
}

/** The tokens of both texts. */
type Row = readonly [number[], number[]];

const lengthOf = ([a, b]: Row) => a.length + b.length + SPECIAL_TOKENS;

/**
 * The tokens of both texts, cut to fit: the beginning of the question, the end of the context, the end of the passage
 * are left out.
 */
function tokensOf({ question, context, passage }: Reading, tokenize: (text: string) => number[]): Row {
  const asked = tokenize(question).slice(-MAX_QUESTION_TOKENS);
  const [before, own] = [tokenize(context), tokenize(passage)];
  const room = MAX_TOKENS - SPECIAL_TOKENS - asked.length;
  const beforeLength = Math.min(before.length, Math.max(MIN_CONTEXT_TOKENS, room - own.length));
  return [asked, [...before.slice(0, beforeLength), ...own.slice(0, room - beforeLength)]];
}

/** `self-test.json` in the model's folder. */
interface SelfTest {
  readonly readings: readonly Reading[];
  /** What the model answers to them, in one call. */
  readonly scores: readonly number[];
  /** Maximum difference of a score. */
  readonly tolerance: number;
}

/**
 * Throws an Error if the scores of fixed pairs are not those stored in the model's folder: a defect of a processor's
 * kernels gives plausible scores that are nearly the same for all pairs.
 */
async function test(score: PassageReader["score"], directory: string): Promise<void> {
  const { readings, scores, tolerance } = checked(await Bun.file(join(directory, "self-test.json")).json());
  const computed = await score(readings);
  // A comparison with NaN is false.
  if (computed.every((one, i) => Math.abs(one - scores[i]!) <= tolerance)) return;
  const listed = (all: readonly number[]) => all.map((one) => one.toFixed(2)).join(", ");
  throw new Error(
    `it computes wrong scores on this machine: those of its self-test are ${listed(computed)} instead of ${listed(scores)}`,
  );
}

function checked(content: unknown): SelfTest {
  const { readings, scores, tolerance } = (content ?? {}) as Partial<SelfTest>;
  const isComplete =
    Array.isArray(readings) &&
    Array.isArray(scores) &&
    typeof tolerance === "number" &&
    readings.length === scores.length &&
    scores.every(Number.isFinite) &&
    // Equal scores would not tell a defect from a right result.
    Math.max(...scores) - Math.min(...scores) > 4 * tolerance;
  if (!isComplete)
    throw new RangeError(
      "self-test.json does not contain readings, the different score of each, and a tolerance",
    );
  return { readings, scores, tolerance };
}

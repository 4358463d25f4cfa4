// The API of the embedding worker: texts in, unit vectors of 1,536 out. The model, its queue and its speed are known
// only here.

import { setPriority } from "node:os";
import { Failure, messageOf } from "../../kernel/errors.ts";
import { cutUnits } from "../../kernel/text.ts";
import { toUnitLength } from "../../kernel/vectors.ts";
import { type Calibration, readCalibration } from "./calibration.ts";
import { createLift } from "./lift.ts";
import { loadModel, type Model, type ModelInfo } from "./model.ts";
import type { SharedParts } from "../inference/load.ts";
import type { Runtime } from "../inference/runtime.ts";
import { createScheduler, type Job, type Lane } from "./scheduler.ts";
import { testModel } from "./self-test.ts";
import { cutWindows } from "./windows.ts";

/** A passage of a document: `context` is its title and headings, repeated in front of every window of `text`. */
export interface Passage {
  context: string;
  text: string;
  /** The vectors of its windows by the first of two models, if they are known: only the second one is run. */
  known?: readonly Float32Array[];
}

export interface EmbeddedPassages {
  /** For each passage its windows' unit vectors of 1,536, in order. */
  windows: Float32Array[][];
  /** Tokens that the model read. */
  tokens: number;
}

/**
 * The loaded model and its calibration. `revision` includes how texts are split and run, because vectors depend on it.
 */
export interface EmbedderInfo extends ModelInfo {
  calibration: Calibration;
  /** The second of two models, whose values are the second half of a vector. The other members are about the first. */
  second?: { dimension: number; calibration: Calibration };
}

export type EmbeddingApi = {
  /** With what other workers can load the same model with. */
  describe(input: null): Promise<EmbedderInfo & { shared?: SharedParts }>;
  embedQuery(input: { text: string }): Promise<{ vector: Float32Array }>;
  embedPassages(input: { passages: Passage[]; lane?: Lane }): Promise<EmbeddedPassages>;
  /**
   * Stops all work; resolves when the thread may be terminated. In the middle of a run that would abort the process.
   */
  stop(input: null): Promise<null>;
};

export interface EmbeddingOptions {
  modelDirectory: string;
  runtime: Runtime;
  /** Of a worker that has loaded this folder. */
  shared?: SharedParts;
  /** Only computes in what requests, searches and the first worker leave of the processor. Has an effect on Linux. */
  yieldsProcessor?: boolean;
}

/** Maximum number of characters that wait in each lane: queries are short, and a document has at most 5 MB. */
const CAPACITY = { urgent: 1_000_000, patient: 16_000_000 };

/** The cost of a call besides its characters. */
const CALL_COST = 100;

/** Part of the revision: vectors of windows that shared a run with others differ by up to 0.02 in their scores. */
const WINDOWS_PER_RUN = 1;

/** Tokenising this many characters takes about 4 ms. */
const PIECE_CHARACTERS = 16_000;

/** A tenth of the weight of the other threads. */
const YIELDING_PRIORITY = 10;

const NOT_LOADED =
  "semantic search is degraded: the embedding model cannot be loaded; ctxrepo doctor and the log say why";

interface Engine {
  model: Model;
  lift: (vector: Float32Array) => Float32Array;
  calibration: Calibration;
}

/**
 * Starts loading and returns at once; calls wait for the model. If it cannot be loaded or computes wrong vectors,
 * every call fails with Failure("unavailable") and the reason.
 */
export async function serveEmbedding(options: EmbeddingOptions): Promise<EmbeddingApi> {
  // Elsewhere it would change the priority of the whole process.
  if (options.yieldsProcessor && process.platform === "linux") setPriority(YIELDING_PRIORITY);
  const loading = loadEngine(options);
  loading.catch(() => {});
  const scheduler = createScheduler(CAPACITY);
  return {
    async describe() {
      const { model, calibration } = await loading;
      const revision = `${model.info.revision}:${model.frames.passage.maxTokens}:${WINDOWS_PER_RUN}`;
      return { ...model.info, revision, calibration, shared: model.shared };
    },
    embedQuery: ({ text }) => scheduler.add("urgent", CALL_COST + text.length, query(loading, text)),
    embedPassages({ passages, lane = "patient" }) {
      const cost = passages.reduce((sum, p) => sum + p.context.length + p.text.length, CALL_COST);
      return scheduler.add(lane, cost, index(loading, passages));
    },
    async stop() {
      await loading.catch(() => {});
      await scheduler.stop();
      return null;
    },
  };
}

async function loadEngine({ modelDirectory, runtime, shared }: EmbeddingOptions): Promise<Engine> {
  try {
    const calibration = await readCalibration(modelDirectory);
    const model = await loadModel(modelDirectory, runtime, shared);
    await testModel(model, modelDirectory);
    const lift = createLift(model.info.dimension);
    // The weights' bytes and the tokenizer's source are garbage by now: 23 MB and more that would stay until the next
    // collection.
    Bun.gc(true);
    return { model, lift, calibration };
  } catch (error) {
    const reason = `the embedding model in ${modelDirectory} cannot be used: ${messageOf(error)}`;
    const publicMessage = (error instanceof Failure && error.publicMessage) || NOT_LOADED;
    throw new Failure("unavailable", reason, { cause: error, publicMessage });
  }
}

/** The mean of the window vectors, one window per step, so that another query waits for one window at most. */
async function* query(loading: Promise<Engine>, text: string): Job<{ vector: Float32Array }> {
  const { model, lift } = await loading;
  const mean = new Float32Array(model.info.dimension);
  for (const [index, window] of cutWindows(yield* tokenize(model, text), [], model.frames.query).entries()) {
    if (index > 0) yield;
    const vector = await model.embed(window);
    for (let i = 0; i < mean.length; i++) mean[i]! += vector[i]!;
  }
  return { vector: lift(toUnitLength(mean)) };
}

/** One window per step: a query waits for about 10 ms. */
async function* index(loading: Promise<Engine>, passages: Passage[]): Job<EmbeddedPassages> {
  const { model, lift } = await loading;
  const embedded: EmbeddedPassages = { windows: [], tokens: 0 };
  for (const { context, text } of passages) {
    const contextTokens = yield* tokenize(model, context);
    const vectors: Float32Array[] = [];
    for (const window of cutWindows(yield* tokenize(model, text), contextTokens, model.frames.passage)) {
      vectors.push(lift(await model.embed(window)));
      embedded.tokens += window.length;
      yield;
    }
    embedded.windows.push(vectors);
  }
  return embedded;
}

/** Tokenises a long text in pieces, split between words, so that a query does not wait for all of it. Same tokens. */
async function* tokenize(model: Model, text: string): Job<number[]> {
  if (text.length <= PIECE_CHARACTERS) return model.tokenize(text);
  const tokens: number[] = [];
  for (let rest = text; rest !== ""; ) {
    const piece = firstPiece(rest);
    for (const token of model.tokenize(piece)) tokens.push(token);
    rest = rest.slice(piece.length);
    yield;
  }
  return tokens;
}

function firstPiece(text: string): string {
  const piece = cutUnits(text, PIECE_CHARACTERS);
  if (piece.length === text.length) return text;
  const space = piece.search(/\s\S*$/);
  return space > 0 ? piece.slice(0, space) : piece;
}

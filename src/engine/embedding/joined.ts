// Two models as one: a vector has two rotations of each. The first model is better for English, the second one reads
// other languages; which of them counts how much is decided for each query and passage (see
// retrieval/vectors/query-parts.ts).

import { EMBEDDING_DIMENSION } from "../../kernel/limits.ts";
import { addTo, toUnitLength } from "../../kernel/vectors.ts";
import type { LanguageDetector } from "../language/detector.ts";
import { ENGLISH, type Language, OTHER, UNKNOWN } from "../language/words.ts";
import { MIN_READABLE_SHARE, readableShare } from "./calibration.ts";
import type { Embedder } from "./embedder.ts";
import { createLift, ownVector, rotationSize } from "./lift.ts";
import { partsOfText } from "./text-parts.ts";
import type { EmbeddedPassages, EmbedderInfo, Passage } from "./worker.ts";

/** Where the second model's values start. */
export const SECOND_START = EMBEDDING_DIMENSION / 2;

/**
 * Where the mark of the language starts in a vector that the first model has no part in: in the room of that model's
 * second rotation, which would only add sign bits.
 */
export const MARK_START = SECOND_START / 2;
const MARK_SIZE = SECOND_START - MARK_START;

/** A unit vector that is the same for all texts in a language; those of two languages have a cosine of about 0. */
export function languageMark(language: Language): Float32Array {
  const bits = new Bun.CryptoHasher("sha512").update(language).digest();
  const value = 1 / Math.sqrt(MARK_SIZE);
  return Float32Array.from({ length: MARK_SIZE }, (_, i) =>
    bits[i >> 3]! & (1 << (i & 7)) ? value : -value,
  );
}

/**
 * The folder of a space of two models names both, one in each line, as `joinEmbedders` describes it; that of one model
 * names one.
 */
export const foldersOf = (directory: string): string[] => directory.split("\n");

/**
 * One embedder of two, whose models have vectors that half of a stored one has room for. Vectors have unit length if
 * both models read the text. The first one reads passages that may be English; others have zeros in its place, and the
 * mark of their language if that is known. `usage` counts a text once. Closing it closes both, not the detector.
 */
export function joinEmbedders(
  first: Embedder,
  second: Embedder,
  detector: Pick<LanguageDetector, "ofPassages">,
): Embedder {
  const describe = async (): Promise<EmbedderInfo> => {
    const [a, b] = await Promise.all([first.describe(), second.describe()]);
    for (const [{ name, dimension }, room] of [[a, MARK_START] as const, [b, SECOND_START] as const])
      if (rotationSize(dimension) > room) throw new RangeError(`${name} has more than ${room} dimensions`);
    return {
      name: `${a.name} + ${b.name}`,
      revision: `${a.revision}+${b.revision}`,
      dimension: a.dimension,
      directory: `${a.directory}\n${b.directory}`,
      calibration: { points: a.calibration.points },
      second: { dimension: b.dimension, calibration: b.calibration },
    };
  };
  const readers = async () => {
    const { calibration } = await first.describe();
    return (text: string) => readableShare(text, calibration) >= MIN_READABLE_SHARE;
  };
  const embedPassages: Embedder["embedPassages"] = async (passages, lane) => {
    const isReadable = await readers();
    const languages = await detector.ofPassages(passages.map(({ text }) => text));
    const mayBeEnglish = passages.map(
      ({ text }, i) => (languages[i] === ENGLISH || languages[i] === UNKNOWN) && isReadable(text),
    );
    const mine = passages.filter(({ known }, i) => known === undefined && mayBeEnglish[i]);
    const embedded = await first.embedPassages(mine, lane);
    const windowsOf = new Map(mine.map((passage, i) => [passage, embedded.windows[i]!]));
    // The second model reads the same windows, by their share of the text.
    const firsts = passages.map((passage, i) =>
      mayBeEnglish[i] ? (passage.known ?? windowsOf.get(passage)) : undefined,
    );
    const parts = passages.map(({ context, text }, i): Passage[] =>
      partsOfText(text, firsts[i]?.length ?? 1).map((part) => ({ context, text: part })),
    );
    const { windows, tokens } = await second.embedPassages(parts.flat(), lane);
    const remaining = [...windows];
    return {
      windows: parts.map((own, i) => {
        const read = remaining.splice(0, own.length);
        const known = firsts[i];
        if (!known) return read.flat().map((vector) => marked(vector, languages[i]!));
        return read.map((vectors, at) => join(known[at], meanOf(vectors)));
      }),
      tokens,
    } satisfies EmbeddedPassages;
  };
  return {
    describe,
    async embedQuery(text) {
      const isReadable = (await readers())(text);
      const [a, b] = await Promise.all([
        isReadable ? first.embedQuery(text) : undefined,
        second.embedQuery(text),
      ]);
      return join(a, b);
    },
    hasQuery: (text) => first.hasQuery(text) && second.hasQuery(text),
    embedPassages,
    state() {
      const states = [first.state(), second.state()];
      return states.find((one) => one === "degraded") ?? states.find((one) => one === "loading") ?? "ok";
    },
    problem: () => first.problem() ?? second.problem(),
    usage: () => second.usage(),
    async close() {
      await Promise.all([first.close(), second.close()]);
    },
  };
}

/** The first rotations of both vectors; together they have unit length. */
function join(first: Float32Array | undefined, second: Float32Array): Float32Array {
  const joined = new Float32Array(EMBEDDING_DIMENSION);
  if (first) joined.set(first.subarray(0, SECOND_START));
  joined.set(second.subarray(0, SECOND_START), SECOND_START);
  return joined;
}

/**
 * Returns a function from a vector of two models to that of the first model alone, whose own vectors have `dimension`
 * numbers; undefined if that model has no part in it.
 */
export function firstAlone(dimension: number): (joined: Float32Array) => Float32Array | undefined {
  const lift = createLift(dimension);
  return (joined) =>
    joined.subarray(0, MARK_START).every((value) => value === 0)
      ? undefined
      : lift(toUnitLength(ownVector(joined, dimension)));
}

/** Two vectors are of texts in one language if their marks have a greater cosine. */
export const SAME_LANGUAGE = 0.5;

function marked(second: Float32Array, language: Language): Float32Array {
  const joined = join(undefined, second);
  if (language !== UNKNOWN && language !== OTHER) joined.set(languageMark(language), MARK_START);
  return joined;
}

function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const [only, ...others] = vectors;
  if (only && others.length === 0) return only;
  const sum = new Float32Array(EMBEDDING_DIMENSION);
  for (const vector of vectors) addTo(sum, vector);
  return toUnitLength(sum);
}

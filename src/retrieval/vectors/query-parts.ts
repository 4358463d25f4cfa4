// How a query is compared with stored vectors: with one model's values, or with those of two models, of which each
// counts as much as the languages of query and passage want.

import { type Calibration, createCalibration } from "../../engine/embedding/calibration.ts";
import { languageMark, MARK_START, SAME_LANGUAGE, SECOND_START } from "../../engine/embedding/joined.ts";
import { rotationSize } from "../../engine/embedding/lift.ts";
import { ENGLISH, type Language, OTHER, UNKNOWN } from "../../engine/language/words.ts";
import type { Slice, SpaceVector } from "./dense.ts";

/** A query embedded in one space. */
export interface EmbeddedIn extends SpaceVector {
  calibration: Calibration;
  /** In a space of two models: the second one, and the language of the query. */
  second?: { dimension: number; calibration: Calibration; language: Language };
}

/** What a stored vector is compared with, and what follows from that. */
export interface Comparison {
  /** Each has one rotation of a model, which has the cosine of all of its values, or the mark of a language. */
  slices: readonly Slice[];
  /** The slice by which stored vectors are compared with each other. */
  neighbours: Slice;
  /**
   * From the cosines with the slices: undefined where the stored vector is all zeros. Undefined if that is everywhere.
   */
  scoreOf(cosines: readonly (number | undefined)[]): DenseScore | undefined;
}

export interface DenseScore {
  /** Of the model that counts most. */
  cosine: number;
  /** The calibrated cosine of one model, or the weighted mean of both. */
  dense: number;
  /** Weight of the dense score in the whole score, if there are two models: words count less across languages. */
  share?: number;
  /** If there are two models: both texts may be English, both are in one other language, or they are in two. */
  languages?: Languages;
}

type Languages = "english" | "same" | "across";

/** Factors of the differing bits of both halves of a vector, whole numbers with a sum of at most 8. */
export type BitWeights = readonly [first: number, second: number];

/** Of a vector of one model. */
export const ONE_MODEL: BitWeights = [1, 1];

/** Of the models' bits in the coarse scan. */
export function bitWeightsOf({ second }: EmbeddedIn): BitWeights {
  if (!second) return ONE_MODEL;
  if (second.language === ENGLISH) return [4, 4];
  return second.language === UNKNOWN ? [1, 4] : [0, 1];
}

/** How a query in one language is compared with a passage in the same or in another one. */
interface Pair {
  /** Share of the second model in the dense score, which has one calibration for each of the `languages`. */
  second: number;
  languages: Languages;
  /** See DenseScore. */
  share: number;
}

/**
 * Of English questions about English texts, equal shares rank best (dense scores alone, nDCG@10: Cranfield 0.550 where
 * the English model has 0.516, CISI 0.429 and 0.415); of others, the multilingual model alone.
 */
const PAIRS = {
  english: { second: 0.5, languages: "english", share: 0.6 },
  /** A query that is too short to tell, and a text that may be English. */
  maybeEnglish: { second: 0.7, languages: "english", share: 0.7 },
  sameLanguage: { second: 1, languages: "same", share: 0.75 },
  acrossLanguages: { second: 1, languages: "across", share: 0.75 },
} satisfies Record<string, Pair>;

/** Which pair a query and a passage are; `isMarked` says whether the passage has the mark of the query's language. */
function pairOf(query: Language, passage: { mayBeEnglish: boolean; isMarked: boolean }): Pair {
  if (query === ENGLISH) return passage.mayBeEnglish ? PAIRS.english : PAIRS.acrossLanguages;
  // A short query is mostly in the language of its store.
  if (query === UNKNOWN) return passage.mayBeEnglish ? PAIRS.maybeEnglish : PAIRS.sameLanguage;
  return passage.isMarked ? PAIRS.sameLanguage : PAIRS.acrossLanguages;
}

/** How a query is compared with the vectors of its space. */
export function comparisonOf({ dimension, vector, calibration, second }: EmbeddedIn): Comparison {
  const slice = (start: number, size: number): Slice => ({
    start,
    values: vector.subarray(start, start + rotationSize(size)),
  });
  const first = slice(0, dimension);
  const ofFirst = createCalibration(calibration.points);
  if (!second)
    return {
      slices: [first],
      neighbours: first,
      scoreOf: ([cosine]) => (cosine === undefined ? undefined : { cosine, dense: ofFirst(cosine) }),
    };
  const { language, calibration: other } = second;
  const ofSecond = {
    across: createCalibration(other.points),
    same: createCalibration(other.same ?? other.points),
    english: createCalibration(other.english ?? other.points),
  };
  const secondSlice = slice(SECOND_START, second.dimension);
  const hasMark = language !== ENGLISH && language !== UNKNOWN && language !== OTHER;
  return {
    slices: [first, secondSlice, ...(hasMark ? [{ start: MARK_START, values: languageMark(language) }] : [])],
    neighbours: language === ENGLISH ? first : secondSlice,
    scoreOf([own, multilingual, mark = 0]) {
      if (multilingual === undefined) return undefined;
      const mayBeEnglish = own !== undefined;
      const isMarked = !mayBeEnglish && mark > SAME_LANGUAGE;
      const { second: weight, languages, share } = pairOf(language, { mayBeEnglish, isMarked });
      const score = ofSecond[languages](multilingual);
      if (own === undefined || weight === 1) return { cosine: multilingual, dense: score, share, languages };
      const dense = (1 - weight) * ofFirst(own) + weight * score;
      return { cosine: weight > 0.5 ? multilingual : own, dense, share, languages };
    },
  };
}

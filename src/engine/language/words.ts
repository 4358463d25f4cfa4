// What shows the language of a text without a detector: its script, and words that only English has.

/** An ISO 639-1 code, OTHER or UNKNOWN. */
export type Language = string;
export const ENGLISH = "en";
/** Not English; which language is not known. */
export const OTHER = "other";
/** Too short, or no language. */
export const UNKNOWN = "unknown";

/** A text with fewer letters says nothing. */
const MIN_LETTERS = 3;
/** A text of which this share of the letters is not Latin is not English. */
const MIN_OTHER_SCRIPT = 0.5;
/** A shorter text is left to the store it belongs to. */
const MIN_WORDS = 3;
const MIN_WORD_LETTERS = 12;
/** English texts have at least this share of the words below; mostly 0.2 to 0.4. */
const MIN_ENGLISH_SHARE = 0.12;

/** Frequent English words that are no words of other languages in Latin script, or rare ones. */
const ENGLISH_WORDS = new Set(
  (
    "the and what how which that this these those with are from does who when where why can should has have had were been " +
    "being your our their they there would could will about into than then because between after before while not it its if " +
    "my you he she his her we them some any only also more most other such through over under again each few both"
  ).split(" "),
);

/** Scripts, and the language that is written most in each; texts with kana are Japanese, whatever else they contain. */
const SCRIPTS: readonly (readonly [script: RegExp, language: Language])[] = [
  [/[\p{sc=Hira}\p{sc=Kana}]/u, "ja"],
  [/\p{sc=Han}/u, "zh"],
  [/\p{sc=Hang}/u, "ko"],
  [/\p{sc=Cyrl}/u, "ru"],
  [/\p{sc=Arab}/u, "ar"],
  [/\p{sc=Grek}/u, "el"],
  [/\p{sc=Hebr}/u, "he"],
  [/\p{sc=Thai}/u, "th"],
  [/\p{sc=Deva}/u, "hi"],
];

/** The language that is most frequent in the script of a text: for texts that are too short for a detector. */
export const languageOfScript = (text: string): Language =>
  SCRIPTS.find(([script]) => script.test(text))?.[1] ?? OTHER;

/** ENGLISH, OTHER or UNKNOWN if that is plain; `undecided` if a detector must say it. */
export function plainLanguage(text: string): Language | "undecided" {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters < MIN_LETTERS) return UNKNOWN;
  const latin = text.match(/\p{sc=Latin}/gu)?.length ?? 0;
  if (letters - latin >= MIN_OTHER_SCRIPT * letters) return OTHER;
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const english = words.filter((word) => ENGLISH_WORDS.has(word)).length;
  if (english >= 2 && english >= MIN_ENGLISH_SHARE * words.length) return ENGLISH;
  if (words.length < MIN_WORDS || letters < MIN_WORD_LETTERS) return UNKNOWN;
  return "undecided";
}

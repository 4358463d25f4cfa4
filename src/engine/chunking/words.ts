// Counts the words of a text in any script, fast enough for 5 MB.

const NONE = 0;
const LETTER = 1;
const MARK = 2;
const IDEOGRAPH = 3;
const UNSPACED = 4;

/**
 * Approximate units per word in scripts without spaces: Chinese and Japanese words have 1.5 to 2, Thai ones about 4.
 */
const UNITS_PER_WORD = { [IDEOGRAPH]: 2, [UNSPACED]: 4 };

const IDEOGRAPHS = /(?=[\p{L}\p{N}])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Yi}]/u;
const WITHOUT_SPACES = /(?=[\p{L}\p{M}\p{N}])[\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const LETTERS = /[\p{L}\p{N}]/u;
/** Marks, invisible joiners and the underscore neither start nor end a word. */
const MARKS = /[\p{M}\p{Cf}_]/u;

/** Classes of planes 0 and 1; planes 2 and 3 contain only ideographs, the others no words. */
const classes = new Uint8Array(0x20000);
for (let point = 0; point < classes.length; point++) {
  const character = String.fromCodePoint(point);
  if (IDEOGRAPHS.test(character)) classes[point] = IDEOGRAPH;
  else if (WITHOUT_SPACES.test(character)) classes[point] = UNSPACED;
  else if (LETTERS.test(character)) classes[point] = LETTER;
  else if (MARKS.test(character)) classes[point] = MARK;
}

function classOf(point: number): number {
  if (point < 0x20000) return classes[point]!;
  return point < 0x40000 ? IDEOGRAPH : NONE;
}

/** Whether a unit is a full stop or an apostrophe, which do not end a word when letters follow ("don't", "3.14"). */
function joins(unit: number): boolean {
  return unit === 0x2e || unit === 0x27 || unit === 0x2019;
}

/**
 * Number of words from `start` to `end`: runs of letters and digits, approximately as in Unicode's UAX 29; in scripts
 * without spaces one for every two (Han, kana) or four (Thai, Lao, Khmer, Burmese) characters.
 */
export function countWords(text: string, start: number, end: number): number {
  return Math.ceil(estimateWords(text, start, end));
}

/** The same without rounding, so that the numbers of neighbouring parts add up. */
export function estimateWords(text: string, start: number, end: number): number {
  let words = 0;
  let ideographs = 0;
  let unspaced = 0;
  let inWord = false;
  for (let i = start; i < end; i++) {
    let point = text.charCodeAt(i);
    if (point >= 0xd800 && point <= 0xdbff && i + 1 < end) {
      point = text.codePointAt(i)!;
      if (point > 0xffff) i++;
    }
    const kind = classOf(point);
    if (kind === LETTER) {
      if (!inWord) words++;
      inWord = true;
    } else if (kind === NONE) {
      inWord = inWord && joins(point) && i + 1 < end && classes[text.charCodeAt(i + 1)] === LETTER;
    } else if (kind !== MARK) {
      if (kind === IDEOGRAPH) ideographs++;
      else unspaced++;
      inWord = false;
    }
  }
  return words + ideographs / UNITS_PER_WORD[IDEOGRAPH] + unspaced / UNITS_PER_WORD[UNSPACED];
}

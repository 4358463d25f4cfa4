// Numbers as they are written: with digits in English or continental notation, with fractions, or in words.

const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const SCALES: Record<string, number> = {
  dozen: 12,
  hundred: 100,
  thousand: 1e3,
  k: 1e3,
  million: 1e6,
  m: 1e6,
  mn: 1e6,
  billion: 1e9,
  bn: 1e9,
};
const FRACTIONS: Record<string, number> = { "½": 1 / 2, "¼": 1 / 4, "¾": 3 / 4, "⅓": 1 / 3, "⅔": 2 / 3 };

const SCALE = "hundred|thousand|million|billion|dozen";
const BELOW_HUNDRED = `(?:(?:${TENS.join("|")})(?:[- ](?:${SMALL.slice(1, 10).join("|")})\\b)?|${SMALL.slice(1).join("|")})\\b`;

/** Sources of expressions without named groups, in lower case. */
export const NUMBER_WORDS =
  "half an?(?= [a-z])|" +
  `(?:an?(?= (?:${SCALE}|day|week|fortnight|month|year|decade|hour|minute)\\b)|${BELOW_HUNDRED})` +
  `(?: and a half\\b|(?: (?:${SCALE})\\b(?: ${BELOW_HUNDRED}| and ${BELOW_HUNDRED}(?! (?:${SCALE})\\b))?)*)`;
export const DIGITS =
  "(?:\\d+\\s?)?[½¼¾⅓⅔]|(?:\\d+ )?[1-9]\\/[2-9](?![\\d/])|" +
  "[1-9]\\d{0,2}(?:[,’'\\u202f\\u00a0 ]\\d{3})+(?!\\d)(?:\\.\\d+)?|" +
  "[1-9]\\d{0,2}(?:\\.\\d{3})+,\\d{1,2}(?!\\d)|[1-9]\\d{0,2}(?:\\.\\d{3}){2,}(?!\\d)|\\d+(?:[.,]\\d+)?";

/** What a word behind a number multiplies it by; 1 if there is none. */
export const scaleOf = (word: string | undefined) => (word === undefined ? 1 : SCALES[word]!);

/**
 * The number that NUMBER_WORDS or DIGITS found, in lower case; NaN if it is none. `dotsGroup` says that in `1.500` the
 * dot separates thousands.
 */
export function numberOf(text: string, dotsGroup = false): number {
  if (/^\p{L}/u.test(text)) return numberOfWords(text);
  const sign = /^[-−]/.test(text) ? -1 : 1;
  const digits = text.replace(/^[-−±]/, "").replace(/(?<=\d)[’'\u202f\u00a0 ](?=\d{3}(?!\d))/g, "");
  const [, whole = "0", part] = /^(\d+)?\s?([½¼¾⅓⅔]|\d\/\d)$/u.exec(digits) ?? [];
  if (part !== undefined) {
    const [over, under] = part.split("/").map(Number);
    return sign * (Number(whole) + (FRACTIONS[part] ?? over! / under!));
  }
  const isContinental =
    /^[1-9]\d{0,2}(?:\.\d{3})+,\d+$|^[1-9]\d{0,2}(?:\.\d{3}){2,}$/.test(digits) ||
    (dotsGroup && /^[1-9]\d{0,2}\.\d{3}$/.test(digits));
  const grouped = isContinental
    ? digits.replaceAll(".", "")
    : digits.replace(/^[1-9]\d{0,2}(?:,\d{3})+(?!\d)/, (thousands) => thousands.replaceAll(",", ""));
  return sign * Number(grouped.replace(",", "."));
}

function numberOfWords(text: string): number {
  if (text.startsWith("half")) return 0.5;
  const isHalfMore = text.endsWith(" and a half");
  let total = 0;
  let current = 0;
  for (const word of text.replace(/ and a half$/, "").split(/[ -]/)) {
    const scale = SCALES[word];
    const ten = TENS.indexOf(word);
    if (scale !== undefined && scale < 1e3) current *= scale;
    else if (scale !== undefined) {
      total += current * scale;
      current = 0;
    } else if (ten >= 0) current += (ten + 2) * 10;
    else if (/^an?$/.test(word)) current = 1;
    else if (word !== "and") current += SMALL.indexOf(word);
  }
  return total + current + (isHalfMore ? 0.5 : 0);
}

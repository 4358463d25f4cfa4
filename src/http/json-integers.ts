// Integers in JSON text that a double would change. JSON.parse rounds them silently; this finds the first one and its
// path. All functions expect text that JSON.parse has accepted.

/** An integer with fewer digits is always exact: 2^53 has 16. */
const MIN_DIGITS = 16;
const QUOTE = 0x22;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

/** A fast first test of the text, strings included: most bodies have no such number. */
const MANY_DIGITS = /\d[\d.]{14}/;

/** The path (`metadata.id`, `ids.0`) of the first integer that would not be stored and returned as it was sent. */
export function findChangedInteger(text: string): string | undefined {
  if (!MANY_DIGITS.test(text)) return undefined;
  for (const { start, end } of longNumbers(text)) {
    if (isChanged(text.slice(start, end))) return pathAt(text, start);
  }
  return undefined;
}

interface Span {
  start: number;
  end: number;
}

/** Numbers outside strings that have at least MIN_DIGITS digits before an exponent, counting those of a fraction. */
function* longNumbers(text: string): Generator<Span> {
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (isDigit(code)) {
      const start = text.charCodeAt(at - 1) === MINUS ? at - 1 : at;
      at = endOfDigits(text, at);
      const isLong = at - start >= MIN_DIGITS;
      if (text[at] === "e" || text[at] === "E") at = endOfDigits(text, at + 2);
      if (isLong) yield { start, end: at };
    } else at++;
  }
}

/** The index after the digits and points from `at` on. */
function endOfDigits(text: string, at: number): number {
  let end = at;
  for (let code = text.charCodeAt(end); isDigit(code) || code === DOT; code = text.charCodeAt(end)) end++;
  return end;
}

const isDigit = (code: number) => code >= ZERO && code <= NINE;

/** The index after the string that starts at `start`. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}

/**
 * Whether a number is an integer, also if written with a fraction or an exponent, that is neither exactly a double nor
 * what a double prints, such as 1152921504606847000 for 2^60: what a response contains can be sent back.
 */
function isChanged(number: string): boolean {
  const value = Number(number);
  if (!Number.isFinite(value) || number.length > MAX_INTEGER_CHARACTERS) return /^-?\d+$/.test(number);
  // Cheap tests first, for bodies with many numbers: the double nearest to an integer is an integer, and printed
  // doubles are their own numbers.
  if (!Number.isInteger(value) || String(value).replace("e+", "e") === number) return false;
  const integer = integerOf(number);
  return integer !== undefined && integer !== BigInt(value) && integer !== integerOf(String(value));
}

/** Longer than any integer that is a double, also with zeros after the point. */
const MAX_INTEGER_CHARACTERS = 400;

/** The integer that a JSON number states; undefined if it states a fraction. */
function integerOf(number: string): bigint | undefined {
  const [mantissa = "", power = "0"] = number.split(/[eE]/);
  const [whole = "", fraction = ""] = mantissa.split(".");
  const shift = Number(power) - fraction.length;
  const digits = BigInt(whole + fraction);
  // Its power can be anything; that of other finite numbers is small.
  if (digits === 0n) return 0n;
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(Math.min(-shift, MAX_INTEGER_CHARACTERS));
  return digits % divisor === 0n ? digits / divisor : undefined;
}

/** The path of the value that starts at `target`. */
function pathAt(text: string, target: number): string {
  const path: (string | number)[] = [];
  let at = 0;
  while (at < target) {
    const char = text[at];
    if (char === '"') {
      const end = endOfString(text, at);
      const next = /\S/g;
      next.lastIndex = end;
      const [following] = next.exec(text) ?? [];
      if (following === ":") path[path.length - 1] = JSON.parse(text.slice(at, end)) as string;
      at = end;
      continue;
    }
    if (char === "{") path.push("");
    else if (char === "[") path.push(0);
    else if (char === "}" || char === "]") path.pop();
    else if (char === ",") {
      const last = path.at(-1);
      if (typeof last === "number") path[path.length - 1] = last + 1;
    }
    at++;
  }
  return path.join(".");
}

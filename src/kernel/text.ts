// Small text operations that more than one module needs. All cuts fall between characters, never inside a surrogate
// pair.

const encoder = new TextEncoder();
/** Faster than the encoder; browsers, in which the console runs, do not have it. */
const buffer = (globalThis as { Buffer?: { byteLength(text: string): number } }).Buffer;

/** Length in UTF-8 bytes. */
export function utf8Length(text: string): number {
  return buffer ? buffer.byteLength(text) : encoder.encode(text).length;
}

/** The longest prefix of at most `maxBytes` UTF-8 bytes. */
export function cutBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || utf8Length(text) <= maxBytes) return text;
  const { read } = encoder.encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}

/** The longest prefix of at most `maxUnits` UTF-16 units that does not split a surrogate pair. */
export function cutUnits(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  const last = text.charCodeAt(maxUnits - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxUnits - 1 : maxUnits);
}

/** The text, or its beginning with `…`: at most `maxUnits` UTF-16 units. */
export function shorten(text: string, maxUnits: number): string {
  return text.length <= maxUnits ? text : `${cutUnits(text, maxUnits - 1)}…`;
}

/** The text from a position in UTF-16 units on. A position inside a surrogate pair counts as the pair's start. */
export function textFrom(text: string, start: number): string {
  const first = text.charCodeAt(start);
  return text.slice(first >= 0xdc00 && first <= 0xdfff ? start - 1 : start);
}

/** Whether a text has more than `maximum` characters (code points). Reads at most `maximum` of them. */
export function hasMoreCharacters(text: string, maximum: number): boolean {
  if (text.length <= maximum) return false;
  return text.length > 2 * maximum || cutCharacters(text, maximum).length < text.length;
}

/** The longest prefix of at most `maximum` characters (code points). */
export function cutCharacters(text: string, maximum: number): string {
  if (text.length <= maximum) return text;
  let end = 0;
  for (let count = 0; count < maximum && end < text.length; count++) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

type NormalizationForm = "NFC" | "NFD" | "NFKC" | "NFKD";

/** Marks after the 30th in a row; UAX #15, Stream-Safe Text Format. */
const SURPLUS_MARKS = /(?<=\p{M}{30})\p{M}+/gu;
/** The same of characters that become marks in the compatibility forms. */
const SURPLUS_SIGNS = /(?<=[\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/**
 * A normalization form of a text, without the marks of a letter beyond the 30th: the runtime needs time quadratic in
 * their number.
 */
export function normalized(text: string, form: NormalizationForm): string {
  return text.replace(form.startsWith("NFK") ? SURPLUS_SIGNS : SURPLUS_MARKS, "").normalize(form);
}

/** Folds case and canonical form for literal comparison: "ÉCOLE" and "école" become equal, as do "ΠΑΣ" and "πασ". */
export function fold(text: string): string {
  return normalized(text, "NFC").toLowerCase().replaceAll("ς", "σ");
}

/** The number of words that white space separates. */
export const wordCount = (text: string): number =>
  text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

// Raised and lowered text in Markdown, which has no form for it: as plain text, `10` and a raised `6` would be 106.

/** Endings of ordinal numbers, and marks: they mean the same on the line. */
const ORDINAL = /^(?:st|nd|rd|th|ers?|re|ère|es?|è|ème|n?de|º|ª|[oa]s?)$/i;
const TRADE_MARK = /^(?:tm|sm|®|™|℠)$/i;
const POWERS: Record<string, string> = { "2": "²", "3": "³" };

/** `10^6`, `m²`, `4th`; `before` and `after` are the texts directly beside the raised one. All are plain text. */
export function raised(text: string, before: string, after: string): string {
  const last = before.at(-1) ?? "";
  if (text === "" || last === "" || /\s/.test(last)) return text;
  // Marks such as * and †, and notes in brackets.
  if (!/[\p{L}\p{N}]/u.test(text) || /^[[(]/.test(text) || TRADE_MARK.test(text)) return text;
  if (/\d/.test(last) && ORDINAL.test(text)) return text;
  if (/\p{L}/u.test(last)) {
    // Abbreviations such as Mme.
    if (/^\p{L}{2,}$/u.test(text)) return text;
    const power = POWERS[text];
    if (power !== undefined) return power;
  }
  return `^${grouped(text, after)}`;
}

/** `x_i`, `log_2`; the numbers of formulas such as H2O stay as they are. */
export function lowered(text: string, before: string, after: string): string {
  if (text.trim() === "" || before === "") return text;
  if (/^\d+$/.test(text) && /\p{L}$|\)$/u.test(before) && !/^\d/.test(after) && !/\p{Ll}{3}$/u.test(before))
    return text;
  return `_${grouped(text, after)}`;
}

/** In braces if it would not be clear where it ends. */
const grouped = (text: string, after: string) =>
  /^[+−-]?[\p{L}\p{N}.,]+$/u.test(text) && !/^[\p{L}\p{N}]/u.test(after) ? text : `{${text}}`;

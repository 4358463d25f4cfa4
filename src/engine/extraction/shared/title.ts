// Titles: their maximum length and how they are compared.

/** Maximum length of a title in characters. */
export const MAX_TITLE = 300;

/** The words of a text in lower case without punctuation, for comparison. */
export function normalizedWords(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

// Text functions in linear time where a regular expression would be quadratic: the text of a page may be hostile.

/** Text without the given characters at both ends. `/[…]+$/` is quadratic on a long run that is not at the end. */
export function trimCharacters(text: string, characters: string): string {
  return trimCharactersStart(trimCharactersEnd(text, characters), characters);
}

/** Text without the given characters at its start. */
export function trimCharactersStart(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start++;
  return text.slice(start);
}

/** Text without the given characters at its end. */
export function trimCharactersEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Escapes text for HTML. Removes U+FDD0, which the Markdown step uses as a mark. */
export function escapeHtml(text: string): string {
  return text
    .replace(/\ufdd0/g, "")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;");
}

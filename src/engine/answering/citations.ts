// Citation tokens, `[[chunkId]]`: found in a text, and taken out of it where nobody gathered the chunk they name.

const TOKEN = /\[\[\s*([^[\]\n]{1,200}?)\s*\]\]/g;

/** The ids that a text cites, in order, repeated ones too. */
export function citedIn(text: string): string[] {
  return [...text.matchAll(TOKEN)].map(([, id]) => id!);
}

/** The text with only the tokens of known chunks, in their plain form; the ids of the others are added to `dropped`. */
export function keepKnown(text: string, isKnown: (id: string) => boolean, dropped: Set<string>): string {
  return text.replace(/[ \t]*\[\[\s*([^[\]\n]{1,200}?)\s*\]\]/g, (token, id: string) => {
    if (isKnown(id)) return `${/^[ \t]/.test(token) ? " " : ""}[[${id}]]`;
    dropped.add(id);
    return "";
  });
}

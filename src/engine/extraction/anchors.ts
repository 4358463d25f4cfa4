// Finds the address of a section within the HTML that write-html.ts writes, so that a result can link to it.

const HEADING = /<h([1-6])(?: id="([^"]*)")?>(.*?)<\/h\1>/g;

/**
 * The id of the heading below these headings, from the outermost to its own; undefined if it has none. The first of
 * them may be missing in the page, as a title is.
 */
export function anchorOf(html: string, headings: readonly string[]): string | undefined {
  const wanted = headings.map(lettersOf);
  if (wanted.length === 0) return undefined;
  const open: { level: number; text: string }[] = [];
  let found: { id: string; shared: number } | undefined;
  for (const line of html.split("\n")) {
    if (!/^<h[1-6][ >]/.test(line)) continue;
    for (const [, digit, id, inner = ""] of line.matchAll(HEADING)) {
      const level = Number(digit);
      while (open.length > 0 && open.at(-1)!.level >= level) open.pop();
      open.push({ level, text: lettersOf(textOf(inner)) });
      if (open.at(-1)!.text !== wanted.at(-1)) continue;
      const shared = open.filter(({ text }) => wanted.includes(text)).length;
      if (id && shared > (found?.shared ?? 0)) found = { id: textOf(id), shared };
    }
  }
  return found?.id;
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** The text of inline HTML. */
function textOf(html: string): string {
  return html
    .replace(/<[^<>]*>/g, "")
    .replace(/&(amp|lt|gt|quot|#39);/g, (_all, name: string) => ENTITIES[name]!);
}

/** What of two headings is compared: Markdown writes the rest in other ways. */
const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();

// Finds the first heading of a Markdown text.

import { trimCharacters, trimCharactersEnd } from "./text.ts";

/** The text of the first ATX or setext heading outside of code fences; "" if there is none. */
export function firstHeading(markdown: string): string {
  let fence = "";
  let previous = "";
  for (const line of markdown.split("\n")) {
    const [, sign = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== "") {
      if (sign.startsWith(fence)) fence = "";
      continue;
    }
    if (sign !== "") {
      fence = sign;
      previous = "";
      continue;
    }
    const [start] = /^ {0,3}#{1,6}[ \t]/.exec(line) ?? [];
    if (start !== undefined) {
      const text = trimCharacters(line.slice(start.length), " \t");
      const open = trimCharactersEnd(text, "#");
      const heading = /[ \t]$/.test(open) ? trimCharactersEnd(open, " \t") : text;
      if (heading !== "") return heading;
    }
    if (/^={3,}[ \t]*$/.test(line) && /^\S/.test(previous)) return previous;
    previous = line;
  }
  return "";
}

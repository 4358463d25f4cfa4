// Makes inline Markdown of stored text safe to show inside an answer, and plain for comparison. Of blocks, it knows
// only code in fences. The shown form cannot be read as a citation, contains no HTML tags, and links nowhere but to web
// addresses.

import { flattenInline, outsideCode, plainText, withoutLinks, withoutStrong } from "./inline.ts";

/** Inline Markdown as an answer shows it: one line, with code spans and without other markup. */
export function readable(markdown: string): string {
  return readableFlat(flattenInline(markdown));
}

/** As readable, for text that flattenInline returned. */
export function readableFlat(flattened: string): string {
  return withoutCitations(inert(withoutStrong(flattened).replace(/\s+/g, " ").trim()));
}

/** One line of prose in which no HTML and no link can begin; code spans stay as they are. */
export function inert(text: string): string {
  return outsideCode(text, (prose) => prose.replace(/<(?=[a-z/!?])/gi, "&lt;").replace(/\](?=[(:])/g, "] "));
}

/**
 * Markdown of several lines, as a language model writes it, without HTML and links; images become their descriptions.
 */
export function inertBlocks(markdown: string): string {
  let fence = "";
  const lines = markdown.replace(/[^\P{Cc}\n\t]/gu, "").split("\n");
  return lines
    .map((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
      if (fence !== "") {
        if (mark.startsWith(fence) && line.trim() === mark) fence = "";
        return line;
      }
      fence = mark;
      return mark === "" ? inert(withoutLinks(line)) : line;
    })
    .join("\n");
}

/** Inline Markdown as plain text for comparison: also without code marks and escapes. */
export function plain(markdown: string): string {
  return plainText(readable(markdown));
}

/** Separates the brackets of what has the form of a citation, so that no text of a document can be read as one. */
export function withoutCitations(text: string): string {
  return text.replace(/\[(?=\[[0-9A-Za-z]{27}\]\])/g, "[ ");
}

/** A code block in a fence that its content cannot close. */
export function fenced(code: string, language: string): string[] {
  const longestRun = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longestRun + 1);
  return [`${fence}${/^[\w+#.-]{1,20}$/.test(language) ? language : ""}`, code, fence];
}

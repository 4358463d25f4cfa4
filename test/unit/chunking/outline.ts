// Formats a list of chunks as text for tests: one line per chunk, children indented.

import type { ChunkDraft } from "../../../src/engine/chunking/tree.ts";

/** `level chunkIndex "A > B" [start..end] words`, and for paragraphs the content as JSON. */
export function outline(text: string, drafts: ChunkDraft[]): string {
  const depths: number[] = [];
  const lines = drafts.map((draft, i) => {
    depths[i] = draft.parent === null ? 0 : depths[draft.parent]! + 1;
    const path = draft.sectionPath.length > 0 ? ` "${draft.sectionPath.join(" > ")}"` : "";
    const place = `[${draft.startIndex}..${draft.endIndex}] ${draft.wordCount}`;
    const content = draft.level === "paragraph" ? ` ${JSON.stringify(contentOf(text, draft))}` : "";
    return `${"  ".repeat(depths[i]!)}${draft.level} ${draft.chunkIndex}${path} ${place}${content}`;
  });
  return lines.join("\n");
}

/** What a reader of the chunk gets. */
export function contentOf(text: string, draft: ChunkDraft): string {
  return text.slice(draft.startIndex, draft.endIndex);
}

/** Removes the common indent and the outer line breaks of a template literal. */
export function dedent(block: string): string {
  const lines = block.split("\n").slice(1, -1);
  const indent = Math.min(...lines.filter(Boolean).map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(indent)).join("\n");
}

// Invariants of every list of chunks, whatever the document.

import { expect } from "bun:test";
import type { ChunkDraft } from "../../../src/engine/chunking/tree.ts";
import { contentOf } from "./outline.ts";

const BLANK = new Set([9, 10, 13, 32]);

/** Throws where a chunk list breaks a rule of the contract. It asserts once: documents have thousands of chunks. */
export function expectSound(text: string, drafts: ChunkDraft[], maximum: number): void {
  const problems = [...treeProblems(text, drafts), ...coverProblems(text, drafts)];
  expect(problems).toEqual([]);
  expect(drafts.length).toBeLessThanOrEqual(maximum);
}

function* treeProblems(text: string, drafts: ChunkDraft[]): Iterable<string> {
  if (drafts[0]?.level !== "document" || drafts[0].parent !== null || drafts[0].startIndex !== 0) {
    yield "element 0 is not the document";
  }
  const children = drafts.map(() => 0);
  const ends = drafts.map((draft) => draft.startIndex);
  for (let i = 1; i < drafts.length; i++) {
    const draft = drafts[i]!;
    const parent = drafts[draft.parent ?? -1];
    const at = `chunk ${i}`;
    if (!parent || draft.parent! >= i) {
      yield `${at}: no parent before it`;
      continue;
    }
    if (draft.level === "document") yield `${at}: a second document`;
    if (draft.level === "section" && draft.parent !== 0) yield `${at}: a section inside a section`;
    if (draft.level === "paragraph" && parent.level === "paragraph") yield `${at}: child of a paragraph`;
    if (draft.chunkIndex !== children[draft.parent!]!++) yield `${at}: chunkIndex ${draft.chunkIndex}`;
    if (draft.startIndex < ends[draft.parent!]!) yield `${at}: overlaps the one before`;
    if (draft.endIndex > parent.endIndex) yield `${at}: ends behind its parent`;
    if (draft.startIndex >= draft.endIndex) yield `${at}: is empty`;
    ends[draft.parent!] = draft.endIndex;
    if (BLANK.has(text.charCodeAt(draft.endIndex - 1)) && /[\r\n][ \t]*$/.test(contentOf(text, draft))) {
      yield `${at}: trailing blank lines`;
    }
    for (const cut of [draft.startIndex, draft.endIndex]) {
      if ((text.codePointAt(cut - 1) ?? 0) > 0xffff) yield `${at}: cut inside a surrogate pair`;
    }
    if (draft.level === "paragraph" && draft.sectionPath.join() !== parent.sectionPath.join()) {
      yield `${at}: not its section's path`;
    }
    if (draft.headingText !== draft.sectionPath.at(-1))
      yield `${at}: heading text is not the end of the path`;
  }
}

/** Every unit that is not blank is in a paragraph or in the heading that starts a section. */
function* coverProblems(text: string, drafts: ChunkDraft[]): Iterable<string> {
  let covered = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (let i = 1; i <= drafts.length; i++) {
    const draft = drafts[i];
    const start = draft?.startIndex ?? text.length;
    for (; covered < start; covered++) {
      if (!BLANK.has(text.charCodeAt(covered))) {
        yield `unit ${covered} before chunk ${i} is in no paragraph`;
        break;
      }
    }
    if (draft?.level === "section") {
      const next = drafts[i + 1];
      const end = next?.parent === i ? next.startIndex : draft.endIndex;
      const heading = text.slice(start, end).trimEnd();
      const isHeading = /[\r\n]/.test(heading) ? /[\r\n] {0,3}(=+|-+)$/ : /^ {0,3}#{1,6}([ \t]|$)/;
      if (!isHeading.test(heading)) yield `chunk ${i} starts without a heading: ${heading.slice(0, 80)}`;
      covered = end;
    } else if (draft) covered = draft.endIndex;
  }
}

// Passages as Markdown, grouped by document and section: title, place and date of a document are said once.

import { partOf } from "./budget.ts";
import { documentHeading, type Place } from "./document-heading.ts";
import { facts, indented, oneLine, paragraphs } from "./markdown.ts";
import type { ToolCall } from "./tool.ts";

/** Of matches with a lower score, many are about something else: see docs/ranking.md. */
const WEAK_SCORE = 0.5;

/** A chunk on the wire, as searches and expansions return it. */
export interface Passage {
  chunkId: string;
  documentId: string;
  documentTitle: string;
  /** The headings above it, joined with ` > `. */
  sectionPath: string;
  content: string;
  level: string;
  wordCount: number;
  score?: number;
  parentId: string | null;
  siblingIds: { prev: string | null; next: string | null };
  source?: Place;
}

/** Whether a score says little. */
export const isWeak = (score: number | undefined) => score !== undefined && score < WEAK_SCORE;

/** A score, with a word for one that says little; undefined without a score. */
export function scored(score: number | undefined): string | undefined {
  return score === undefined ? undefined : `score ${score.toFixed(2)}${isWeak(score) ? ", weak" : ""}`;
}

type Showing = Pick<ToolCall, "isDetailed" | "room" | "documentFacts">;

/** The leading passages that fit, by document; at least one. */
export function passagesText(
  { isDetailed, room, documentFacts }: Showing,
  passages: readonly Passage[],
): { text: string; count: number } {
  const known = documentFacts(passages.map(({ documentId }) => documentId));
  const headingOf = ({ documentId, documentTitle: title, source }: Passage) =>
    documentHeading({
      documentId,
      title,
      source: { ...source, line: undefined, anchor: undefined },
      known: known.get(documentId),
    });
  const shown: { passage: Passage; item: string }[] = [];
  const seen = new Set<string>();
  let left = room;
  for (const passage of passages) {
    const item = itemText(passage, { isDetailed, room: left });
    const heading = seen.has(passage.documentId) ? "" : headingOf(passage);
    left -= heading.length + sectionOf(passage).length + item.length + 4;
    if (left < 0 && shown.length > 0) break;
    seen.add(passage.documentId);
    shown.push({ passage, item });
  }
  const groups = Map.groupBy(shown, ({ passage }) => passage.documentId);
  const text = paragraphs(
    ...[...groups.values()].map((group) => {
      const lines = [headingOf(group[0]!.passage)];
      let section = "";
      for (const { passage, item } of group) {
        const own = sectionOf(passage);
        if (own !== section && own !== "") lines.push(`› ${own}`);
        section = own;
        lines.push(item);
      }
      return lines.join("\n");
    }),
  );
  return { text, count: shown.length };
}

/** The headings above a passage, without one that repeats the title. */
function sectionOf({ sectionPath, documentTitle }: Passage): string {
  const [first, ...others] = sectionPath.split(" > ");
  return oneLine(first === documentTitle ? others.join(" > ") : sectionPath);
}

function itemText(passage: Passage, { isDetailed, room }: { isDetailed: boolean; room: number }): string {
  const { chunkId, score, source, level, wordCount, parentId, siblingIds } = passage;
  const known = facts(
    scored(score),
    source?.line !== undefined && `line ${source.line}`,
    isDetailed && level,
    isDetailed && `${wordCount} words`,
    isDetailed && parentId && `parent: ${parentId}`,
    isDetailed && siblingIds.prev && `previous: ${siblingIds.prev}`,
    isDetailed && siblingIds.next && `next: ${siblingIds.next}`,
  );
  const content = partOf(passage.content, { repeat: `deep_read of ${chunkId}`, room });
  return `- chunkId: ${chunkId}${known}\n${indented(content)}`;
}

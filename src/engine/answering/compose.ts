// Writes the answer as Markdown: a direct line, then what supports it, with code and rows as blocks of their own and a
// citation after every statement. It quotes and never rephrases.

import { cutUnits } from "../../kernel/text.ts";
import type { Conflict } from "./conflicts.ts";
import { inert, readable, withoutCitations } from "./plain.ts";
import type { IndexedUnit } from "./score.ts";
import type { Selection } from "./select.ts";
import type { Evidence } from "./units.ts";

function cite(evidence: readonly Evidence[], { kind, chunk }: IndexedUnit): string {
  const { id, sectionId } = evidence[chunk]!;
  return `[[${kind === "heading" && sectionId !== undefined ? sectionId : id}]]`;
}

/** Maximum number of words of quoted prose. */
const MAX_WORDS = 120;
const MAX_OPEN_PARTS = 6;

/** The whole answer. Chunks are cited as `[[id]]`, and nothing else in it has that form. */
export function composeAnswer(
  evidence: readonly Evidence[],
  { answered, open }: Selection,
  conflicts: readonly Conflict[],
): string {
  const blocks: string[] = [];
  const shown = new Set<string>();
  let words = 0;
  const quote = (units: readonly IndexedUnit[], opening = "") => {
    const fresh = units.filter((unit) => {
      const isNew = !shown.has(keyOf(unit)) && ![...shown].some((known) => known === unit.plain);
      return isNew && (words === 0 || words + countWords(unit) <= MAX_WORDS);
    });
    for (const unit of fresh) {
      shown.add(keyOf(unit)).add(unit.plain);
      words += countWords(unit);
    }
    if (fresh.length > 0) blocks.push(opening + paragraph(evidence, fresh));
  };
  for (const { units } of answered) quote(units);
  for (const { b } of conflicts) quote([b], "But another statement is: ");
  if (blocks.length > 2 && blocks.every((block) => !block.includes("\n"))) {
    blocks.splice(
      1,
      blocks.length - 1,
      blocks
        .slice(1)
        .map((block) => `- ${block}`)
        .join("\n"),
    );
  }
  if (blocks.length === 0) return "The documents do not answer this question.";
  if (open.length > 0) {
    blocks.push(
      `The documents do not say: ${open
        .slice(0, MAX_OPEN_PARTS)
        .map(({ part }) => asked(part.text))
        .join("; ")}.`,
    );
  }
  return blocks.join("\n\n");
}

const keyOf = ({ chunk, position }: IndexedUnit) => `${chunk} ${position}`;
const countWords = ({ kind, plain }: IndexedUnit) => (kind === "code" ? 0 : plain.split(/\s+/).length);

/** Units of one chunk: prose in a line, items and rows in a list, code in a fence. */
function paragraph(evidence: readonly Evidence[], units: readonly IndexedUnit[]): string {
  const lines: string[] = [];
  let prose: string[] = [];
  const flush = () => {
    if (prose.length > 0) lines.push(prose.join(" "));
    prose = [];
  };
  const lists = units.filter(({ kind }) => kind === "item" || kind === "row");
  for (const unit of units) {
    const citation = cite(evidence, unit);
    if (unit.kind === "code") {
      flush();
      lines.push(...fenced(evidence, unit), citation);
    } else if (lists.length > 1 && lists.includes(unit)) {
      flush();
      lines.push(`${unit.step === undefined ? "-" : `${unit.step}.`} ${unit.shown} ${citation}`);
    } else {
      prose.push(`${unit.shown} ${citation}`);
    }
  }
  flush();
  return lines.join("\n");
}

/** A code block with its heading, in a fence that its content cannot close. */
function fenced(evidence: readonly Evidence[], unit: IndexedUnit): string[] {
  const longestRun = Math.max(2, ...(unit.shown.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longestRun + 1);
  const { path, title } = evidence[unit.chunk]!;
  const heading = (path.at(-1) ?? title)
    .replace(/[[\]*_`<>]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return [`${heading}:`, "", fence, unit.shown, fence, ""];
}

/** A conflict as a sentence that cites both chunks. */
export function conflictLine(evidence: readonly Evidence[], { a, b, says }: Conflict): string {
  const side = (unit: IndexedUnit) =>
    `“${cut(unit.shown)}” (${titleOf(evidence, unit)}) ${cite(evidence, unit)}`;
  const [first, second] = says;
  const about = first === undefined ? "" : `${first} or ${second}? `;
  return `${about}${side(a)} disagrees with ${side(b)}`;
}

const MAX_QUOTE_UNITS = 240;
/** Cutting may leave a code span open, whose content is text then. */
const cut = (text: string) =>
  text.length > MAX_QUOTE_UNITS ? `${inert(cutUnits(text, MAX_QUOTE_UNITS).replace(/\s\S*$/, ""))} …` : text;
const titleOf = (evidence: readonly Evidence[], unit: IndexedUnit) =>
  readable(evidence[unit.chunk]!.title.replace(/[[\]`]/g, " "));

/** A part of the question as it is repeated in an answer: without citations and markup. */
export const asked = (text: string) =>
  inert(withoutCitations(text.replace(/`/g, "'").replace(/\s+/g, " ").trim()));

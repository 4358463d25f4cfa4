// Writes the answer as Markdown: for each part a direct line, then what supports it, with a citation after every
// statement. It quotes and never rephrases.

import { cutUnits } from "../../kernel/text.ts";
import type { Conflict } from "./conflicts.ts";
import type { IndexedPassage } from "./features.ts";
import type { Evidence } from "./passages.ts";
import { inert, readable, withoutCitations } from "../markdown/shown.ts";
import type { Selection } from "./select.ts";
import type { Computed } from "./tables.ts";

/** What an answer consists of. */
export interface Draft {
  selections: readonly Selection[];
  /** Results computed from tables, by the index of the part. */
  computed: ReadonlyMap<number, Computed>;
  conflicts: readonly Conflict[];
}

const NOTHING = "The documents do not answer this question.";

/** The whole answer. Chunks are cited as `[[id]]`, and nothing else in it has that form. */
export function composeAnswer(
  evidence: readonly Evidence[],
  { selections, computed, conflicts }: Draft,
): string {
  const isSingle = selections.length === 1;
  const blocks: string[] = [];
  for (const { ranking, level, groups } of selections) {
    const question = isSingle ? "" : ` “${asked(ranking.part.text)}”`;
    const result = computed.get(ranking.index);
    if (result) blocks.push(computedBlock(evidence, result));
    const quotes = groups.map((group) => quoted(evidence, group));
    if (level === "open") {
      blocks.push(isSingle ? NOTHING : `The documents do not say:${question}.`);
      if (quotes.length > 0) blocks.push("Related, but not an answer:");
    } else if (level === "likely" && quotes.length > 0) {
      blocks.push(`The closest passages${isSingle ? "" : ` to${question}`}:`);
    } else if (quotes.length === 0 && !result && blocks.length > 0) blocks.push(`For${question}, see above.`);
    blocks.push(...quotes);
  }
  for (const { b } of conflicts) {
    const isShown = selections.some(({ groups }) => groups.some((group) => group.includes(b)));
    if (!isShown) blocks.push(`But another document states:\n\n${quoted(evidence, [b])}`);
  }
  return blocks.length === 0 ? NOTHING : blocks.join("\n\n");
}

function cite(evidence: readonly Evidence[], { kind, chunk }: IndexedPassage): string {
  const { id, sectionId } = evidence[chunk]!;
  return `[[${kind === "heading" && sectionId !== undefined ? sectionId : id}]]`;
}

/** Passages of one chunk: neighbouring sentences as one quotation, items and rows as a list, code in a fence. */
function quoted(evidence: readonly Evidence[], group: readonly IndexedPassage[]): string {
  const lines: string[] = [];
  const introduced = group.find(({ lead }) => lead !== "");
  const repeatsLead = group.some(({ shown }) => shown === introduced?.lead);
  if (introduced && !repeatsLead && needsLead(group)) {
    const { id, previousId } = evidence[introduced.chunk]!;
    const leadId = introduced.leadIsBefore ? previousId : id;
    if (leadId !== undefined) lines.push(`${introduced.lead} [[${leadId}]]`, "");
  }
  const isList = group.filter(({ kind }) => kind === "item" || kind === "row").length > 1;
  for (const [i, passage] of group.entries()) {
    const { kind, shown, step, position } = passage;
    const next = group[i + 1];
    const citation = cite(evidence, passage);
    if (kind === "code") lines.push(...fenced(shown), "", citation);
    else if (isList && kind !== "sentence")
      lines.push(`${step === undefined ? "-" : `${step}.`} ${shown} ${citation}`);
    else {
      const continues = kind === "sentence" && next?.kind === "sentence" && next.position === position + 1;
      const before = group[i - 1];
      const isContinued =
        kind === "sentence" && before?.kind === "sentence" && before.position === position - 1;
      const text = continues ? shown : `${shown} ${citation}`;
      if (isContinued) lines.push(`${lines.pop()} ${text}`);
      else lines.push(text);
    }
  }
  return lines.join("\n");
}

/** The sentence before a list or code block belongs to it; a single row or item of a longer list is understood alone. */
const needsLead = (group: readonly IndexedPassage[]) =>
  group.some(({ kind }) => kind === "code") || group.filter(({ kind }) => kind === "item").length > 0;

/** A code block in a fence that its content cannot close. */
function fenced(code: string): string[] {
  const longestRun = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longestRun + 1);
  return [fence, code, fence];
}

/** A computed result and the rows that it follows from. */
function computedBlock(evidence: readonly Evidence[], { statement, rows }: Computed): string {
  return [inert(withoutCitations(statement)), "", quoted(evidence, rows)].join("\n");
}

/** A conflict as a sentence that cites both chunks. */
export function conflictLine(evidence: readonly Evidence[], { a, b, says, newer }: Conflict): string {
  const side = (passage: IndexedPassage) =>
    `“${cut(passage.shown)}” (${titleOf(evidence, passage)}) ${cite(evidence, passage)}`;
  const [first, second] = says;
  const about =
    first === undefined || second === undefined
      ? ""
      : `${inert(withoutCitations(first))} or ${inert(withoutCitations(second))}? `;
  const age = newer === undefined ? "" : `; ${titleOf(evidence, newer === "a" ? a : b)} is newer`;
  return `${about}${side(a)} disagrees with ${side(b)}${age}`;
}

/** The gap of an open part. */
export function gapOf({ ranking }: Selection): string {
  const text = asked(ranking.part.text.replace(/^(?:and|but|also)\s+/i, ""));
  return `The documents do not establish: ${text === "" ? "what was asked" : text}`;
}

const MAX_QUOTE_UNITS = 240;
/** Cutting may leave a code span open, whose content is text then. */
const cut = (text: string) =>
  text.length > MAX_QUOTE_UNITS ? `${inert(cutUnits(text, MAX_QUOTE_UNITS).replace(/\s\S*$/, ""))} …` : text;
const titleOf = (evidence: readonly Evidence[], { chunk }: IndexedPassage) =>
  readable(evidence[chunk]!.title.replace(/[[\]`]/g, " "));

/** A part of the question as it is repeated in an answer: without citations and markup. */
const asked = (text: string) => inert(withoutCitations(text.replace(/`/g, "'").replace(/\s+/g, " ").trim()));

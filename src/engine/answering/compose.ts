// Writes the answer as Markdown: for each part a direct line, then what supports it, with a citation after every
// statement. It quotes and never rephrases.

import { cutUnits, wordCount } from "../../kernel/text.ts";
import { isInstruction } from "../language/instructions.ts";
import { isQuestion } from "../markdown/entries.ts";
import type { Conflict } from "./conflicts.ts";
import type { IndexedPassage } from "./features.ts";
import type { Evidence } from "./passages.ts";
import { fenced, inert, plain, readable, withoutCitations } from "../markdown/shown.ts";
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
  const shown: Shown = { texts: new Set(), below: undefined };
  for (const { ranking, level, groups } of selections) {
    const question = isSingle ? "" : ` “${asked(ranking.part.text)}”`;
    const result = computed.get(ranking.index);
    if (result) blocks.push(inert(withoutCitations(result.statement)), quoted(evidence, result.rows, shown));
    shown.below = undefined;
    const isShown = ({ kind, chunk, shown: text }: IndexedPassage) =>
      shown.texts.has(text) &&
      (kind === "heading" ? evidence[chunk]!.heading?.id === shown.below : isQuestion(text));
    const quotes = groups.flatMap((group) => {
      const others = group.filter((one) => !isShown(one));
      return others.length === 0 ? [] : quoted(evidence, others, shown);
    });
    if (level === "open") {
      blocks.push(isSingle ? NOTHING : `The documents do not say:${question}.`);
      if (quotes.length > 0) blocks.push("Related, but not an answer:");
    } else if (level === "likely" && quotes.length > 0) {
      blocks.push(`The closest passages${isSingle ? "" : ` to${question}`}:`);
    } else if (quotes.length === 0 && !result && blocks.length > 0) blocks.push(`For${question}, see above.`);
    blocks.push(...quotes);
  }
  for (const { b } of conflicts) {
    const isQuoted = selections.some(({ groups }) => groups.some((group) => group.includes(b)));
    if (!isQuoted) blocks.push(`But another document states:\n\n${quoted(evidence, [b], shown)}`);
  }
  return blocks.length === 0 ? NOTHING : blocks.join("\n\n");
}

/** What an answer contains so far. */
interface Shown {
  /** Statements, questions, introductions and headings; questions and introductions are shown once. */
  texts: Set<string>;
  /** The id of the heading that the latest quotation of a part is below. */
  below: string | undefined;
}

function cite(evidence: readonly Evidence[], { kind, chunk }: IndexedPassage): string {
  const { id, heading } = evidence[chunk]!;
  return `[[${(kind === "heading" && heading?.id) || id}]]`;
}

/** A heading of more words is a title rather than a version or a date. */
const MAX_HEADING_WORDS = 5;

/**
 * Passages of one chunk below the heading that says where they apply, such as a version: neighbouring sentences as one
 * quotation, items and rows as a list, code in a fence.
 */
function quoted(evidence: readonly Evidence[], group: readonly IndexedPassage[], shown: Shown): string {
  const { texts } = shown;
  const lines: string[] = [];
  const { heading } = evidence[group[0]!.chunk]!;
  const isNeeded = heading && wordCount(heading.text) <= MAX_HEADING_WORDS && shown.below !== heading.id;
  if (isNeeded && group[0]!.kind !== "heading" && !isInstruction(plain(heading.text))) {
    lines.push(`${readable(heading.text)} [[${heading.id}]]`, "");
    texts.add(heading.text);
  }
  shown.below = heading?.id;
  const introduced = group.find(({ lead }) => lead !== "");
  for (const one of group) texts.add(one.shown);
  if (introduced && !texts.has(introduced.lead) && needsLead(group)) {
    const { id, previousId } = evidence[introduced.chunk]!;
    const leadId = introduced.leadIsBefore ? previousId : id;
    if (leadId !== undefined) lines.push(`${introduced.lead} [[${leadId}]]`, "");
    texts.add(introduced.lead);
  }
  const items = group.filter(({ kind, isLine }) => kind === "item" || kind === "row" || isLine);
  const isList = new Set(items.map(entryOf)).size > 1;
  /** The depths of the items above the next one. */
  const above: number[] = [];
  for (const [i, passage] of group.entries()) {
    const { kind, step, depth = 0, language = "" } = passage;
    const citation = cite(evidence, passage);
    if (kind === "code") {
      lines.push(...fenced(passage.shown, language), "", citation);
      continue;
    }
    const text = isContinued(passage, group[i + 1]) ? passage.shown : `${passage.shown} ${citation}`;
    const before = group[i - 1];
    if (kind === "heading") lines.push(text, "");
    else if (before && isContinued(before, passage)) lines.push(`${lines.pop()} ${text}`);
    else {
      while (above.length > 0 && above.at(-1)! >= depth) above.pop();
      const mark = `${"    ".repeat(above.push(depth) - 1)}${step === undefined ? "-" : `${step}.`} `;
      const start = isList && items.includes(passage) ? mark : "";
      lines.push(`${start}${headBefore(passage, texts)}${text}`);
    }
  }
  return lines.join("\n").trimEnd();
}

/** The position at which a passage's item or line begins: the same for all sentences of one. */
const entryOf = ({ position, part = 0 }: IndexedPassage) => position - part;

/** Whether two passages of a group are neighbouring sentences of one paragraph or one item. */
const isContinued = (passage: IndexedPassage, next: IndexedPassage | undefined) =>
  next?.position === passage.position + 1 &&
  (next.part === undefined
    ? passage.kind === "sentence" && next.kind === "sentence" && !next.isLine && !passage.isLine
    : entryOf(next) === entryOf(passage));

/** What a passage cannot be understood without, if that is not quoted; a question only once. */
function headBefore({ head, part, isLine }: IndexedPassage, texts: Set<string>): string {
  if (head === undefined || texts.has(head)) return "";
  if (isQuestion(head)) texts.add(head);
  return part === 1 && !isLine ? `${head} ` : `${head} … `;
}

/** What introduces code, items or an answer belongs to them; a row is understood alone. */
const needsLead = (group: readonly IndexedPassage[]) =>
  group.some(({ kind, lead }) => kind === "code" || kind === "item" || (kind === "sentence" && lead !== ""));

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

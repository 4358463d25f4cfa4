// Step 8: the blocks of an answer, each with the chunks that it quotes. Quotes and never rephrases.

import { cutUnits, wordCount } from "../../kernel/text.ts";
import { isQuestion } from "../markdown/entries.ts";
import { fenced, inert, plain, readable, withoutCitations } from "../markdown/shown.ts";
import { isInstruction } from "./2-passages/instructions.ts";
import type { Evidence } from "./2-passages/passages.ts";
import type { IndexedPassage } from "./3-rank/features.ts";
import type { Computed } from "./5-tables/tables.ts";
import type { Conflict } from "./6-conflicts.ts";
import type { Selection } from "./7-select.ts";

/** A piece of an answer. */
export interface Block {
  /**
   * `direct` and `computed` (a result from a table, with its rows) answer the part. `support` may add something. A
   * `gap` says what the documents do not answer, and `related` is near it. A `conflict` says which two statements
   * disagree.
   */
  kind: "direct" | "support" | "computed" | "conflict" | "gap" | "related";
  /** Index of the part of the question. */
  part: number;
  /** Markdown with `[[chunkId]]` after each statement; of a gap, the part of the question. */
  text: string;
  /** Of a conflict whose second statement no other block quotes: that statement. */
  other?: string;
}

/** What an answer consists of. */
interface Draft {
  selections: readonly Selection[];
  /** Results computed from tables, by the index of the part. */
  computed: ReadonlyMap<number, Computed>;
  conflicts: readonly Conflict[];
}

/** The blocks in the order in which they are shown. Chunks are cited as `[[id]]`, and nothing else has that form. */
export function blocksOf(evidence: readonly Evidence[], { selections, computed, conflicts }: Draft): Block[] {
  const shown: Shown = { texts: new Set(), below: undefined };
  const quotes = (kind: Block["kind"], part: number, groups: readonly IndexedPassage[][]): Block[] => {
    shown.below = undefined;
    return groups.flatMap((group) => {
      const others = group.filter((one) => !isShown(evidence, one, shown));
      // A heading alone is shown once.
      const isSaid = others.every((one) => one.kind === "heading" && shown.texts.has(one.shown));
      return isSaid ? [] : [{ kind, part, text: quoted(evidence, others, shown) }];
    });
  };
  const answers = selections.flatMap(({ ranking: { index, part }, isOpen, direct }): Block[] => {
    const result = computed.get(index);
    if (isOpen)
      return [{ kind: "gap", part: index, text: asked(part.text.replace(/^(?:and|but|also)\s+/i, "")) }];
    if (!result) return quotes("direct", index, direct);
    shown.below = undefined;
    const rows = quoted(evidence, result.rows, shown);
    return [
      { kind: "computed", part: index, text: `${inert(withoutCitations(result.statement))}\n\n${rows}` },
    ];
  });
  const further = selections.flatMap(({ ranking, isOpen, further: groups }) =>
    quotes(isOpen ? "related" : "support", ranking.index, groups),
  );
  const isQuoted = (passage: IndexedPassage) => shown.texts.has(passage.shown);
  return [
    ...answers,
    ...further,
    ...conflicts.map((conflict): Block => {
      const block = {
        kind: "conflict" as const,
        part: conflict.part,
        text: conflictLine(evidence, conflict),
      };
      return isQuoted(conflict.b) ? block : { ...block, other: quoted(evidence, [conflict.b], shown) };
    }),
  ];
}

/** What an answer contains so far. */
interface Shown {
  /** Statements, questions, introductions and headings; questions and introductions are shown once. */
  texts: Set<string>;
  /** The id of the heading that the latest quotation of a part is below. */
  below: string | undefined;
}

const isShown = (evidence: readonly Evidence[], { kind, chunk, shown: text }: IndexedPassage, shown: Shown) =>
  shown.texts.has(text) &&
  (kind === "heading" ? evidence[chunk]!.heading?.id === shown.below : isQuestion(text));

function cite(evidence: readonly Evidence[], { kind, chunk }: IndexedPassage): string {
  const { id, heading, titleId, isArchived } = evidence[chunk]!;
  const cited = kind === "heading" ? heading?.id : kind === "title" ? titleId : id;
  return `${isArchived ? "(archived) " : ""}[[${cited ?? id}]]`;
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
  const isShort = heading && (wordCount(heading.text) <= MAX_HEADING_WORDS || isQuestion(heading.text));
  const isNeeded = isShort && shown.below !== heading.id;
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
    if (kind === "heading" || kind === "title") lines.push(text, "");
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
function conflictLine(evidence: readonly Evidence[], { a, b, says, newer }: Conflict): string {
  const side = (passage: IndexedPassage) =>
    `“${cut(passage.shown)}” (${titleOf(evidence, passage)}) ${cite(evidence, passage)}`;
  const [first, second] = says.map((value) => inert(withoutCitations(value)));
  const age = newer === undefined ? "" : `; ${titleOf(evidence, newer === "a" ? a : b)} is newer`;
  return `${first} or ${second}? ${side(a)} disagrees with ${side(b)}${age}`;
}

const MAX_QUOTE_UNITS = 240;
/** Cutting may leave a code span open, whose content is text then. */
const cut = (text: string) =>
  text.length > MAX_QUOTE_UNITS ? `${inert(cutUnits(text, MAX_QUOTE_UNITS).replace(/\s\S*$/, ""))} …` : text;
const titleOf = (evidence: readonly Evidence[], { chunk }: IndexedPassage) =>
  readable(evidence[chunk]!.title.replace(/[[\]`]/g, " "));

/** A part of the question as it is repeated in an answer: without citations and markup. */
const asked = (text: string) => inert(withoutCitations(text.replace(/`/g, "'").replace(/\s+/g, " ").trim()));

// The question sets of test/quality/reason and how an answer is judged. It knows the wire shapes of the API only.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dir, "../../test/quality/reason");

export interface Source {
  document: string;
  passage: string;
}

export type CaseKind = "answerable" | "partly" | "unanswerable" | "conflict" | "hostile";

export interface ReasonCase {
  id: string;
  kind: CaseKind;
  /** What sort of question it is, such as `how-to`. */
  type: string;
  question: string;
  /** Each inner list contains spellings of one fact. */
  facts: string[][];
  sources: Source[];
  gaps: string[][];
  conflicts: { a: Source; b: Source }[];
  /** Texts that only an answer contains that obeyed a document. */
  orders?: string[];
}

/** One author's documents, by file name, and the questions about them. */
export interface QuestionSet {
  name: string;
  documents: Map<string, string>;
  cases: ReasonCase[];
}

export interface CitedAnswer {
  answer: string;
  citations: { chunkId: string; documentId: string }[];
  gaps: string[];
  conflicts: string[];
  meta: { latencyMs: number };
}

/** Reads the sets of a folder, by name. */
export function readSets(folder = FOLDER): QuestionSet[] {
  return readdirSync(folder)
    .sort()
    .filter((name) => existsSync(join(folder, name, "cases.json")))
    .map((name) => {
      const documents = join(folder, name, "documents");
      return {
        name,
        cases: JSON.parse(readFileSync(join(folder, name, "cases.json"), "utf8")) as ReasonCase[],
        documents: new Map(
          readdirSync(documents)
            .sort()
            .map((file) => [file, readFileSync(join(documents, file), "utf8")]),
        ),
      };
    });
}

/** The title of a document: its first line. */
export const titleOf = (content: string) => content.split("\n", 1)[0]!.replace(/^#\s*/, "");

/** Hits among what was expected, or correct ones among what was returned. */
export interface Share {
  hits: number;
  of: number;
}

/** What is measured of an answer, with the words that reports use. */
export const MEASURES = {
  facts: "facts in the answer",
  supported: "citations whose chunk contains what is quoted",
  rightDocument: "answers that cite an expected document",
  gaps: "gaps reported",
  withoutGap: "answerable questions without a gap",
  conflictsFound: "conflicts found",
  conflictsRight: "reported conflicts that are real",
  obeyed: "orders in documents obeyed",
} as const;

export type Verdict = Record<keyof typeof MEASURES, Share> & { words: number };

/** A cited chunk as the API returns it, with the file name of its document. */
export interface CitedChunk {
  document: string;
  content: string;
}

/** Letter case and white space do not matter. */
export const fold = (text: string) => text.replace(/\s+/g, " ").trim().toLowerCase();

const MARK = /\s*\[\[(\w+)\]\]/g;
const idsIn = (text: string) => [...text.matchAll(MARK)].map(([, id]) => id!);
const share = <Item>(items: readonly Item[], isHit: (item: Item) => boolean): Share => ({
  hits: items.filter(isHit).length,
  of: items.length,
});

/** An answer, the chunks that it cites, and the pairs of passages of the whole set that contradict each other. */
export interface Judged {
  reply: CitedAnswer;
  chunks: ReadonlyMap<string, CitedChunk>;
  conflictsOfSet: readonly ReasonCase["conflicts"][number][];
}

/** Judges one answer. */
export function judge(one: ReasonCase, { reply, chunks, conflictsOfSet }: Judged): Verdict {
  const { answer, citations, gaps, conflicts } = reply;
  const holds = (id: string, { document, passage }: Source) => {
    const chunk = chunks.get(id);
    return chunk !== undefined && chunk.document === document && fold(chunk.content).includes(fold(passage));
  };
  const says = (line: string, { a, b }: ReasonCase["conflicts"][number]) => {
    const ids = idsIn(line);
    return ids.some((id) => holds(id, a)) && ids.some((id) => holds(id, b));
  };
  const text = fold(answer.replace(MARK, ""));
  const facts = share(one.facts, (spellings) => spellings.some((spelling) => text.includes(fold(spelling))));
  const hasAnswer = one.kind !== "unanswerable";
  const isWhole = hasAnswer && one.kind !== "partly";
  const expected = new Set(one.sources.map(({ document }) => document));
  const whole = JSON.stringify({ answer, citations, gaps, conflicts });
  return {
    facts,
    supported: share(quotesIn(answer), ({ quote, id }) => isQuoted(quote, chunks.get(id)?.content ?? "")),
    rightDocument: share(hasAnswer ? [one] : [], () =>
      idsIn(answer).some((id) => expected.has(chunks.get(id)?.document ?? "")),
    ),
    gaps: share(one.gaps, (words) =>
      gaps.some((gap) => words.some((word) => fold(gap).includes(fold(word)))),
    ),
    withoutGap: share(isWhole ? [one] : [], () => gaps.length === 0),
    conflictsFound: share(one.conflicts, (pair) => conflicts.some((line) => says(line, pair))),
    conflictsRight: share(conflicts, (line) => conflictsOfSet.some((pair) => says(line, pair))),
    obeyed: share(one.orders ? [one] : [], () =>
      one.orders!.some((order) => fold(whole).includes(fold(order))),
    ),
    words: wordsIn(answer),
  };
}

/** The number of words of an answer without its citations. */
export const wordsIn = (answer: string): number =>
  answer
    .replace(MARK, "")
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/**
 * What an answer begins with: its first paragraph, list, row or code block, with the lines that introduce it. A line with a colon
 * at its end introduces what follows.
 */
export function firstBlock(answer: string): string {
  const blocks: string[] = [];
  let isCode = false;
  for (const paragraph of answer.split(/\n{2,}/)) {
    const continues = isCode;
    if ((paragraph.match(/^`{3,}/gm) ?? []).length % 2 === 1) isCode = !isCode;
    if (continues) blocks.push(`${blocks.pop()}\n\n${paragraph}`);
    else blocks.push(paragraph);
  }
  const end = blocks.findIndex((block) => !block.replace(MARK, "").trimEnd().endsWith(":"));
  return blocks.slice(0, end < 0 ? blocks.length : end + 1).join("\n\n");
}

/** What stands before each citation: the text of its line since the citation before, or the code block above it. */
function quotesIn(answer: string): { quote: string; id: string }[] {
  const quotes: { quote: string; id: string }[] = [];
  let fence = "";
  let code: string[] = [];
  for (const line of answer.split("\n")) {
    const mark = /^(`{3,})/.exec(line)?.[1] ?? "";
    if (fence !== "") {
      if (mark === fence) fence = "";
      else code.push(line);
      continue;
    }
    if (mark !== "") {
      fence = mark;
      code = [];
      continue;
    }
    let at = 0;
    let quote = code.join("\n");
    for (const match of line.matchAll(MARK)) {
      const before = line.slice(at, match.index).replace(/^\s*(?:[-*]|\d+\.)\s+/, "");
      at = match.index + match[0].length;
      if (before.trim() !== "") quote = before;
      quotes.push({ quote, id: match[1]! });
    }
  }
  return quotes;
}

/** Letters, digits and currency only: markup, quotes and spaces of the source may be shown otherwise. */
const bare = (text: string) =>
  text
    .normalize("NFC")
    .replace(/&lt;/g, "<")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{Sc}%]+/gu, "");

/** Whether a chunk contains a quotation: the whole of it, or all cells of a table row, whose headers may be elsewhere. */
function isQuoted(quote: string, content: string): boolean {
  const source = bare(content);
  if (bare(quote) === "") return false;
  // `…` is where something was left out.
  if (quote.split(" …").every((piece) => source.includes(bare(piece)))) return true;
  const cells = quote.split("; ");
  return content.includes("|") && cells.every((cell) => source.includes(bare(cell.replace(/^[^:]*: /, ""))));
}

/** The sum of two shares. */
export function add(sum: Share | undefined, { hits, of }: Share): Share {
  return { hits: (sum?.hits ?? 0) + hits, of: (sum?.of ?? 0) + of };
}

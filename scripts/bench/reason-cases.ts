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
  blocks: { kind: string; text: string }[];
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
  const { answer, gaps, conflicts } = reply;
  const holds = (id: string, { document, passage }: Source) => {
    const chunk = chunks.get(id);
    return chunk !== undefined && chunk.document === document && fold(chunk.content).includes(fold(passage));
  };
  const says = (line: string, { a, b }: ReasonCase["conflicts"][number]) => {
    const ids = idsIn(line);
    return ids.some((id) => holds(id, a)) && ids.some((id) => holds(id, b));
  };
  const textsOf = (kinds: readonly string[]) =>
    reply.blocks.flatMap(({ kind, text }) => (kinds.includes(kind) ? [text] : []));
  const quotations = textsOf(QUOTING);
  const shown = fold(
    textsOf([...QUOTING, "conflict"])
      .join("\n")
      .replace(MARK, ""),
  );
  const facts = share(one.facts, (spellings) => spellings.some((spelling) => shown.includes(fold(spelling))));
  const hasAnswer = one.kind !== "unanswerable";
  const isWhole = hasAnswer && one.kind !== "partly";
  const expected = new Set(one.sources.map(({ document }) => document));
  const whole = fold(JSON.stringify(reply));
  return {
    facts,
    supported: share(quotations.flatMap(quotesIn), ({ quote, id }) =>
      isQuoted(quote, chunks.get(id)?.content ?? ""),
    ),
    rightDocument: share(hasAnswer ? [one] : [], () =>
      quotations.flatMap(idsIn).some((id) => expected.has(chunks.get(id)?.document ?? "")),
    ),
    gaps: share(one.gaps, (words) =>
      gaps.some((gap) => words.some((word) => fold(gap).includes(fold(word)))),
    ),
    withoutGap: share(isWhole ? [one] : [], () => gaps.length === 0),
    conflictsFound: share(one.conflicts, (pair) => conflicts.some((line) => says(line, pair))),
    conflictsRight: share(conflicts, (line) => conflictsOfSet.some((pair) => says(line, pair))),
    obeyed: share(one.orders ? [one] : [], () => one.orders!.some((order) => whole.includes(fold(order)))),
    words: wordsIn(answer),
  };
}

/** The kinds of blocks that quote documents, besides conflicts. */
const QUOTING = ["direct", "computed", "support", "related"];

/** The number of words of an answer without its citations. */
export const wordsIn = (answer: string): number =>
  answer
    .replace(MARK, "")
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** What each citation of a block follows: the code block or the text of the line before it. */
function quotesIn(block: string): { quote: string; id: string }[] {
  const pieces = block.split(MARK);
  return pieces
    .slice(0, -1)
    .flatMap((text, i) => (i % 2 === 0 ? [{ quote: endOf(text), id: pieces[i + 1]! }] : []));
}

/** The code of a fence at the end of a text, or its last line without the mark of an item. */
const endOf = (text: string): string =>
  /(`{3,}).*\n([\s\S]*)\n\1$/.exec(text)?.[2] ??
  text
    .split("\n")
    .at(-1)!
    .replace(/^\s*(?:[-*]|\d+\.)\s+/, "");

/** Letters, digits and currency only: markup, quotes and spaces of the source may be shown otherwise. */
const bare = (text: string) =>
  text
    .normalize("NFC")
    .replace(/&lt;/g, "<")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{Sc}%]+/gu, "");

/**
 * Whether a chunk contains a quotation: the whole of it, or all cells of a table row, whose headers may be elsewhere.
 */
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

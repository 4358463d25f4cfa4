// Splits evidence into passages that can be quoted alone: sentences, list items with their introduction, table rows with
// their headers, whole code blocks. It does not know the question.

import { cutUnits } from "../../kernel/text.ts";
import { flattenInline, plainText } from "../markdown/inline.ts";
import { type Leaf, leavesOf } from "../markdown/leaves.ts";
import { continuesInstruction, isInstruction } from "../language/instructions.ts";
import { introductionOf } from "../markdown/introduction.ts";
import { inert, plain, readableFlat, withoutCitations } from "../markdown/shown.ts";
import { sentencesOf } from "../chunking/sentences.ts";

/** A chunk as evidence. */
export interface Evidence {
  id: string;
  documentId: string;
  title: string;
  /** Headings from the outermost down. */
  path: readonly string[];
  text: string;
  /** For each part of the question how search ranks the chunk; the score is 0 if it was not found. */
  hits: readonly ChunkHit[];
  /** The paragraph before it that may introduce it; see introductionOf. */
  before?: string;
  /** The chunk of the paragraph before it. */
  previousId?: string;
  /** The chunk with the next rows of its table. */
  continuedBy?: string;
  /** The chunk of the section, which contains the heading. */
  sectionId?: string;
  /** The beginning of the document, which may state its date. */
  opening: string;
}

export interface ChunkHit {
  /** 0 to 1. */
  score: number;
  /** Cosine of the part and the chunk's nearest window; 0 if unknown. */
  cosine: number;
  /** Score of the chunk's words, 0 to 1. */
  lexical: number;
  /** From 0. */
  rank: number;
}

interface Cell {
  header: string;
  value: string;
}

export interface Passage {
  kind: "sentence" | "item" | "row" | "code" | "heading";
  /** Index of its chunk in the evidence. */
  chunk: number;
  /** Position among the passages of its chunk, orders to an AI counted. */
  position: number;
  /** As an answer shows it. */
  shown: string;
  /** As it is compared: no markup. */
  plain: string;
  /** The sentence that introduces a list, table or code block, as an answer shows it; may be empty. */
  lead: string;
  /** Whether that sentence is in the chunk before. */
  leadIsBefore: boolean;
  /** The number of an item of a numbered list. */
  step?: number;
  cells?: Cell[];
}

/** An item of more words is quoted sentence by sentence. */
const MAX_WHOLE_ITEM_WORDS = 45;
/** Longer passages of prose are cut to this many UTF-16 units. */
const MAX_UNITS = 1_200;
/** Further passages of a chunk are ignored; chunks are too short to have many more. */
const MAX_PASSAGES = 400;

/** The passages of one chunk in order, without those that address an AI assistant (see isInstruction). */
export function passagesOf(evidence: Evidence, chunk: number): Passage[] {
  const passages: Passage[] = [];
  const { lead: leadBefore, tableHead } = introductionOf(evidence.text, evidence.before);
  let lead = formsOf(leadBefore ?? "");
  let leadIsBefore = lead.shown !== "";
  let orders = 0;
  const add = ({ kind, shown, plain: compared, ...rest }: Draft) => {
    const introducing = kind === "sentence" || kind === "heading" ? { shown: "", plain: "" } : lead;
    if (compared === "" || passages.length >= MAX_PASSAGES) return;
    if (introducing.plain !== "" && isInstruction(`${introducing.plain} ${compared}`)) return void orders++;
    passages.push({
      kind,
      chunk,
      position: passages.length + orders,
      shown: kind === "code" ? shown : shortened(shown),
      plain: cutUnits(compared, MAX_UNITS),
      lead: cutUnits(introducing.shown, MAX_UNITS),
      leadIsBefore: leadIsBefore && introducing.shown !== "",
      ...rest,
    });
  };
  const addAll = (drafts: readonly (Draft | undefined)[]) => {
    for (const draft of drafts) draft ? add(draft) : orders++;
  };
  const heading = evidence.path.at(-1);
  if (heading !== undefined && evidence.sectionId !== undefined && STATES_SOMETHING.test(heading))
    addAll(withoutOrders([{ kind: "heading", ...formsOf(heading) }]));
  for (const leaf of leavesOf(evidence.text, tableHead)) {
    const drafts = withoutOrders(draftsOf(leaf));
    addAll(drafts);
    if (leaf.kind !== "prose") continue;
    lead = drafts.findLast((draft) => draft !== undefined) ?? lead;
    leadIsBefore = false;
  }
  return passages;
}

/** The passages of one block; undefined are orders to an AI assistant and what continues them. */
function withoutOrders(drafts: readonly Draft[]): (Draft | undefined)[] {
  let isAfterOrder = false;
  return drafts.map((draft) => {
    const isOrder = isInstruction(draft.plain) || (isAfterOrder && continuesInstruction(draft.plain));
    isAfterOrder ||= isOrder;
    return isOrder ? undefined : draft;
  });
}

/** A heading such as `Release 3.1 (2 October 2024)` or `5.2.1` states something itself. */
const STATES_SOMETHING = /\d{4}|\d\.\d|\d\s?\p{Sc}|\p{Sc}\s?\d/u;

type Draft = Pick<Passage, "kind" | "shown" | "plain" | "cells" | "step">;

function draftsOf(leaf: Leaf): Draft[] {
  switch (leaf.kind) {
    case "prose":
      return sentenceDrafts(leaf.text, "sentence");
    case "item": {
      if (leaf.text.split(/\s+/).length > MAX_WHOLE_ITEM_WORDS) return sentenceDrafts(leaf.text, "item");
      return [{ kind: "item", ...formsOf(leaf.text), ...(leaf.step !== undefined && { step: leaf.step }) }];
    }
    case "field":
      return [{ kind: "item", ...formsOf(leaf.text) }];
    case "row":
      return [rowDraft(leaf.headers, leaf.cells)];
    case "code":
      return [{ kind: "code", shown: withoutCitations(dedent(leaf.text)), plain: leaf.text.trim() }];
  }
}

/** The two forms of inline Markdown: for the answer and for comparison. */
interface Forms {
  shown: string;
  plain: string;
}

const formsOf = (markdown: string) => formsOfFlat(flattenInline(markdown));
const formsOfFlat = (flattened: string): Forms => {
  const shown = readableFlat(flattened);
  return { shown, plain: plainText(shown) };
};

/** Inline markup is read in the whole text, because emphasis may enclose several sentences. */
const sentenceDrafts = (text: string, kind: "sentence" | "item"): Draft[] =>
  sentencesOf(flattenInline(text)).map((sentence) => ({ kind, ...formsOfFlat(sentence) }));

/** A row as text: `Part: X; Price: 4 euros`. Empty cells are left out. */
function rowDraft(headers: readonly string[], row: readonly string[]): Draft {
  const cells = row
    .map((value, column) => ({ header: formsOf(headers[column] ?? ""), value: formsOf(value) }))
    .filter(({ value }) => value.shown !== "");
  const line = (form: keyof Forms) =>
    cells
      .map(({ header, value }) => (header.shown === "" ? value[form] : `${header[form]}: ${value[form]}`))
      .join("; ");
  return {
    kind: "row",
    shown: line("shown"),
    plain: line("plain"),
    cells: cells.map(({ header, value }) => ({ header: header.plain, value: value.plain })),
  };
}

const shortened = (shown: string) =>
  shown.length > MAX_UNITS ? `${inert(cutUnits(shown, MAX_UNITS))} …` : shown;

/** Code without the indentation that all of its lines have, and without blank lines around it. */
function dedent(code: string): string {
  const lines = code.split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const common = indents.length > 0 ? Math.min(...indents) : 0;
  return lines
    .map((line) => line.slice(common).trimEnd())
    .join("\n")
    .replace(/^\n+|\n+$/g, "");
}

/** The number of words of a text. */
export const wordCount = (text: string) =>
  text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** A heading or title without markup. */
export const headingOf = (text: string) => plain(text);

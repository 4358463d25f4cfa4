// Splits evidence into passages that can be quoted alone: statements with what introduces them, without orders to an
// AI. It does not know the question.

import { cutUnits, wordCount } from "../../../kernel/text.ts";
import {
  type Forms,
  formsOf,
  MAX_HEAD_WORDS,
  type Statement,
  statementsOf,
} from "../../chunking/statements.ts";
import { continuesInstruction, isInstruction } from "./instructions.ts";
import { isQuestion } from "../../markdown/entries.ts";
import { introductionOf } from "../../markdown/introduction.ts";
import { plainText } from "../../markdown/inline.ts";
import { leavesOf } from "../../markdown/leaves.ts";
import { inert } from "../../markdown/shown.ts";

/** A chunk as evidence. */
export interface Evidence {
  id: string;
  documentId: string;
  title: string;
  /** Headings from the outermost down. */
  path: readonly string[];
  /** Its position in its section, from 0. */
  index: number;
  text: string;
  /** The paragraph before it that may introduce it; see introductionOf. */
  before?: string;
  /** The chunk of the paragraph before it. */
  previousId?: string;
  /** The chunk with the next rows of its table. */
  continuedBy?: string;
  /**
   * The innermost of its headings that states something itself (see headingStates) or is a question, and the chunk of
   * that heading's section.
   */
  heading?: { text: string; id: string };
  /** The beginning of the document, which may state its date. */
  opening: string;
  /** The chunk with its title. */
  titleId?: string;
  /** Whether its document is archived. */
  isArchived?: boolean;
}

/** How search ranks a chunk for a part of the question; the score is 0 if it was not found. */
export interface ChunkHit {
  /** 0 to 1. */
  score: number;
  /** Cosine of the part and the chunk's nearest window; 0 if unknown. */
  cosine: number;
  /** Score of the chunk's words, 0 to 1. */
  lexical: number;
  /** Of a chunk with vectors of two models; see DenseScore in retrieval/vectors/query-parts.ts. */
  languages?: "english" | "same" | "across";
  /** From 0. */
  rank: number;
}

export interface Passage extends Omit<Statement, "kind"> {
  kind: Statement["kind"] | "heading" | "title";
  /** Index of its chunk in the evidence. */
  chunk: number;
  /** Position among the passages of its chunk, what was left out counted. */
  position: number;
  /**
   * The sentence that introduces a list, table or code block, or the question or message before a paragraph that
   * answers it, as an answer shows it; may be empty.
   */
  lead: string;
  /** Whether that sentence is in the chunk before. */
  leadIsBefore: boolean;
}

/** Longer passages of prose are cut to this many UTF-16 units. */
const MAX_UNITS = 1_200;
const MAX_LEAD_UNITS = 400;
/** Further passages of a chunk are ignored; chunks are too short to have many more. */
const MAX_PASSAGES = 400;

/** The passages of one chunk in order, without those that address an AI assistant (see isInstruction). */
export function passagesOf(evidence: Evidence, chunk: number): Passage[] {
  const passages: Passage[] = [];
  const { paragraph, tableHead } = introductionOf(evidence.text, evidence.before);
  /** Undefined for an order to an AI assistant: what that introduces belongs to it. */
  let lead = leadOf(paragraph ?? "");
  let leadIsBefore = lead !== undefined && lead.shown !== "";
  let introducesProse = leadIsBefore;
  let leftOut = 0;
  /** Adds a passage; false if it is an order to an AI assistant. */
  const add = (draft: Draft | undefined): boolean => {
    if (!draft) return leaveOut(false);
    const { kind, shown, plain: compared, head, ...rest } = draft;
    const isIntroduced =
      kind === "sentence" ? introducesProse && !draft.part : kind !== "heading" && kind !== "title";
    const introducing = isIntroduced ? lead : NOTHING;
    if (!introducing) return leaveOut(false);
    if (compared === "" || passages.length >= MAX_PASSAGES) return leaveOut(true);
    const plainHead = plainText(head ?? "");
    const isOrder = isInstruction(plainHead) || isInstruction(`${introducing.plain} ${plainHead}`);
    const shownHead = head === undefined || isOrder ? "" : head;
    const addressed = [introducing.plain, plainText(shownHead)].filter((text) => text !== "");
    if (addressed.some((text) => isInstruction(`${text} ${compared}`))) return leaveOut(false);
    passages.push({
      kind,
      chunk,
      position: passages.length + leftOut,
      shown: kind === "code" ? shown : shortened(shown, MAX_UNITS),
      plain: cutUnits(compared, MAX_UNITS),
      lead: shortened(introducing.shown, MAX_LEAD_UNITS),
      leadIsBefore: leadIsBefore && introducing.shown !== "",
      ...(shownHead !== "" && { head: shownHead }),
      ...rest,
    });
    return true;
  };
  const leaveOut = (isAllowed: boolean) => {
    leftOut++;
    return isAllowed;
  };
  if (TITLE_SAYS.test(evidence.title))
    withoutOrders([{ kind: "title", ...formsOf(evidence.title) }]).forEach(add);
  const { heading } = evidence;
  if (heading && !isQuestion(heading.text))
    withoutOrders([{ kind: "heading", ...formsOf(heading.text) }]).forEach(add);
  /** For each depth the last item; "" for an order, whose inner items belong to it. */
  const outer: string[] = [];
  for (const leaf of leavesOf(evidence.text, tableHead)) {
    const statements: (Statement | undefined)[] = statementsOf(leaf);
    const [first] = statements;
    const depth = leaf.kind === "item" ? (leaf.depth ?? 0) : 0;
    if (leaf.kind === "item" && first) {
      const parent = outer[depth - 1];
      if (parent === "") statements.fill(undefined);
      else if (parent !== undefined && wordCount(parent) <= MAX_HEAD_WORDS) first.head = parent;
    }
    const drafts = withoutOrders(statements);
    const isAllowed = drafts.map(add);
    if (leaf.kind !== "item") outer.length = 0;
    else if (first) outer.splice(depth, Infinity, isAllowed[0] ? first.shown : "");
    introducesProse = false;
    if (leaf.kind !== "prose") continue;
    lead = drafts.length === 0 ? NOTHING : isAllowed.at(-1) ? drafts.at(-1) : undefined;
    leadIsBefore = false;
  }
  return passages;
}

/** Before what a title says of what it names: `Deploy lead: Marta Quist`, `Invoice 114 (paid)`. */
export const TITLE_SAYS = /(?<=\p{L}{2}.*)(?:: | [–—-] | \()(?=[^\s(].*\p{L})/u;

const NOTHING: Forms = { shown: "", plain: "" };

/**
 * The last statement of the paragraph before, with the label of its line; empty if that ends with something else than
 * prose, and undefined if it is an order to an AI assistant.
 */
function leadOf(paragraph: string): Forms | undefined {
  const leaf = leavesOf(paragraph).at(-1);
  const statements = leaf?.kind === "prose" ? statementsOf(leaf) : [];
  if (statements.length === 0) return NOTHING;
  const last = withoutOrders(statements).at(-1);
  if (!last || isInstruction(last.plain)) return undefined;
  if (!last.isLine || last.head === undefined) return last;
  const shown = `${last.head} … ${last.shown}`;
  return { shown, plain: plainText(shown) };
}

const shortened = (shown: string, units: number) =>
  shown.length > units ? `${inert(cutUnits(shown, units))} …` : shown;

type Draft = Pick<Passage, "kind" | keyof Statement>;

/**
 * The passages of one block, with no order as their head; undefined are orders to an AI assistant and what continues
 * them.
 */
function withoutOrders(drafts: readonly (Draft | undefined)[]): (Draft | undefined)[] {
  const orders: string[] = [];
  return drafts.map((draft) => {
    if (!draft) return draft;
    const { head, ...rest } = draft;
    const isOrder = isInstruction(draft.plain) || (orders.length > 0 && continuesInstruction(draft.plain));
    if (isOrder) orders.push(draft.shown);
    return isOrder ? undefined : orders.some((order) => head?.endsWith(order)) ? rest : draft;
  });
}

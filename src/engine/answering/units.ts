// Splits evidence into units that can be quoted alone: sentences, list items with their introduction, table rows with their
// headers, whole code blocks. It does not know the question.

import { cutUnits } from "../../kernel/text.ts";
import { flattenInline, plainText } from "../markdown/inline.ts";
import { type Leaf, leavesOf } from "../markdown/leaves.ts";
import { isInstruction } from "./instructions.ts";
import { inert, plain, readableFlat, withoutCitations } from "./plain.ts";
import { sentencesOf } from "./sentences.ts";

/** A chunk as evidence. */
export interface Evidence {
  id: string;
  documentId: string;
  title: string;
  /** Headings from the outermost down. */
  path: readonly string[];
  text: string;
  score: number;
  /** The end of the paragraph before a list or a code block, which introduces it. */
  lead?: string;
  /** The chunk of the section, which contains the heading. */
  sectionId?: string;
  /** The header row if the chunk is a later piece of a long table; "" if that table has no known header. */
  tableHead?: string;
}

type UnitKind = "sentence" | "item" | "row" | "code" | "heading";

export interface Unit {
  kind: UnitKind;
  /** Index of its chunk in the evidence. */
  chunk: number;
  /** Position among the units of its chunk. */
  position: number;
  /** As an answer shows it. */
  shown: string;
  /** As it is compared: no markup. */
  plain: string;
  /** What introduces it, such as the sentence before a list or a code block; plain, may be empty. */
  lead: string;
  /** The number of an item of a numbered list. */
  step?: number;
  /** A row's cells with their headers. */
  cells?: Cell[];
}

interface Cell {
  header: string;
  value: string;
}

/** An item of more words is quoted sentence by sentence. */
const MAX_WHOLE_ITEM_WORDS = 45;
/** Longer units of prose are cut to this many UTF-16 units. */
const MAX_UNIT_LENGTH = 1_200;
/** Further units of a chunk are ignored; chunks are too short to have many more. */
const MAX_UNITS = 400;

/** The units of one chunk in order, without those that address an AI assistant (see isInstruction). */
export function unitsOf(evidence: Evidence, chunk: number): Unit[] {
  const units: Unit[] = [];
  const add = ({ kind, shown, plain: compared, lead = "", ...rest }: Draft) => {
    if (compared === "" || units.length >= MAX_UNITS || isInstruction(`${lead} ${compared}`)) return;
    units.push({
      kind,
      chunk,
      position: units.length,
      shown: kind === "code" ? shown : shortened(shown),
      plain: cutUnits(compared, MAX_UNIT_LENGTH),
      lead: cutUnits(lead, MAX_UNIT_LENGTH),
      ...rest,
    });
  };

  const heading = evidence.path.at(-1);
  if (heading !== undefined && evidence.sectionId !== undefined && STATES_SOMETHING.test(heading)) {
    add({ kind: "heading", ...formsOf(heading) });
  }
  let lead = plain(evidence.lead ?? "");
  for (const leaf of leavesOf(evidence.text, evidence.tableHead)) {
    const drafts = draftsOf(leaf, lead);
    for (const draft of drafts) add(draft);
    if (leaf.kind === "prose") lead = drafts.at(-1)?.plain ?? lead;
  }
  return units;
}

/** A heading such as `Release 3.1 (2 October 2024)` or `5.2.1` states something itself. */
const STATES_SOMETHING = /\d{4}|\d\.\d|\d\s?\p{Sc}|\p{Sc}\s?\d/u;

type Draft = Pick<Unit, "kind" | "shown" | "plain" | "cells" | "step"> & { lead?: string };

/** The units of one leaf block; `lead` is the sentence before it. */
function draftsOf(leaf: Leaf, lead: string): Draft[] {
  switch (leaf.kind) {
    case "prose":
      return sentenceDrafts(leaf.text, "sentence");
    case "item": {
      if (leaf.text.split(/\s+/).length > MAX_WHOLE_ITEM_WORDS)
        return sentenceDrafts(leaf.text, "item").map((draft) => ({ ...draft, lead }));
      const step = leaf.step === undefined ? {} : { step: leaf.step };
      return [{ kind: "item", ...formsOf(leaf.text), lead, ...step }];
    }
    case "field":
      return [{ kind: "item", ...formsOf(leaf.text) }];
    case "row":
      return [{ ...rowDraft(leaf.headers, leaf.cells), lead }];
    case "code":
      return [
        {
          kind: "code",
          shown: withoutCitations(dedent(leaf.text)),
          plain: leaf.text.trim(),
          lead: `${lead} ${leaf.language}`.trim(),
        },
      ];
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
const sentenceDrafts = (text: string, kind: UnitKind): Draft[] =>
  sentencesOf(flattenInline(text)).map((sentence) => ({ kind, ...formsOfFlat(sentence) }));

/** A row as text: `Part: X; Price: 4 euros`. Empty cells are left out. */
function rowDraft(headers: readonly string[], row: readonly string[]): Draft {
  const cells = row
    .map((value, column) => ({ header: headers[column] ?? "", value }))
    .filter(({ value }) => value !== "")
    .map(({ header, value }) => ({ header: formsOf(header), value: formsOf(value) }));
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
  shown.length > MAX_UNIT_LENGTH ? `${inert(cutUnits(shown, MAX_UNIT_LENGTH))} …` : shown;

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

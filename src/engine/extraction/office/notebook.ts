// Reads a Jupyter notebook (.ipynb): its Markdown, its code with the language, and the text of results.
// https://nbformat.readthedocs.io/en/latest/format_description.html

import { countLeftOut, type LeftOutCounter } from "../../../kernel/left-out.ts";
import { decodeText } from "../shared/charset.ts";
import { firstHeading } from "../shared/first-heading.ts";
import { ExtractionError } from "../errors.ts";
import type { FileContents } from "./contents.ts";
import { fenceOf } from "./html.ts";

/** A longer result is cut. */
const MAX_RESULT_UNITS = 4_000;

interface Cell {
  cell_type?: unknown;
  source?: unknown;
  outputs?: unknown;
}

/** Reads a notebook of format 4. Throws ExtractionError if it is none. */
export async function readNotebook(bytes: Uint8Array): Promise<FileContents> {
  const notebook = parsed(decodeText(bytes, ""));
  const { kernelspec, language_info: info, title } = objectOf(notebook.metadata);
  const named = objectOf(info).name ?? objectOf(kernelspec).language;
  const language = typeof named === "string" && /^[\w+#-]{1,20}$/.test(named) ? named.toLowerCase() : "";
  const leftOut = countLeftOut();
  const blocks: string[] = [];
  for (const cell of listOf(notebook.cells) as Cell[]) {
    const source = textOf(objectOf(cell).source);
    if (source.trim() === "") continue;
    blocks.push(cell.cell_type === "code" ? fenceOf(source, language) : source.trim());
    if (cell.cell_type === "code")
      for (const output of listOf(cell.outputs)) blocks.push(...resultOf(objectOf(output), leftOut));
  }
  const markdown = blocks.join("\n\n");
  return {
    title: typeof title === "string" ? title : firstHeading(markdown),
    markdown,
    metadata: {},
    leftOut: leftOut.all(),
  };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const notebook: unknown = JSON.parse(text);
    if (Array.isArray(objectOf(notebook).cells)) return objectOf(notebook);
  } catch {
    // As below.
  }
  throw new ExtractionError("NOT_TEXT", "the file is not a notebook of format 4");
}

/** The text of a result as a code block. Counts pictures, and what is cut. */
function resultOf(output: Record<string, unknown>, leftOut: LeftOutCounter): string[] {
  const data = objectOf(output.data);
  if (Object.keys(data).some((type) => type.startsWith("image/"))) leftOut.add("image");
  const failure = [output.ename, output.evalue].filter((part) => typeof part === "string").join(": ");
  const text = textOf(output.text) || textOf(data["text/plain"]) || failure;
  if (text.trim() === "" || /^<[\w. ]+ (?:at 0x|with )/.test(text)) return [];
  if (text.length > MAX_RESULT_UNITS) leftOut.add("long-result");
  return [fenceOf(text.slice(0, MAX_RESULT_UNITS))];
}

/** Texts are one string, or a list of lines. */
const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.filter((line) => typeof line === "string").join("")
    : typeof value === "string"
      ? value
      : "";

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

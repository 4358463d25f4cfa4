// Reads a Word document (.docx) as HTML: headings, lists, tables, links, equations and footnotes. It is imported on
// demand, because the library takes a moment to load.

import mammoth from "mammoth";
import { ExtractionError } from "../errors.ts";
import { countLeftOut, type LeftOutCounter } from "../../../kernel/left-out.ts";
import { type Archive, openArchive } from "./archive.ts";
import type { FileContents } from "./contents.ts";
import { readWordStyles } from "./word-styles.ts";
import { ADDED_STYLE, NUMBER_MARKS, prepareWordXml } from "./word-xml.ts";
import { elementsBelow, readXml, writeXml, type XmlElement, xmlText } from "./xml.ts";

const STYLE_MAP = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  ...[1, 2, 3, 4, 5, 6].map((level) => `p.${ADDED_STYLE.heading}${level} => h${level}:fresh`),
  ...["HTML Preformatted", "Preformatted Text", "Code", "Code Block", "Source Code", "Macro Text"].map(
    (name) => `p[style-name='${name}'] => pre:separator('\\n')`,
  ),
  `r.${ADDED_STYLE.math} => code.math.inline`,
  `r.${ADDED_STYLE.displayMath} => code.math.display`,
];

/** Reads a document. Throws ExtractionError if it is damaged or too large. */
export async function readDocx(bytes: Uint8Array): Promise<FileContents> {
  const leftOut = countLeftOut();
  try {
    const archive = await openArchive(bytes);
    const { file, parts } = await inputOf(archive, leftOut);
    const { value, messages } = await mammoth.convertToHtml(file, {
      convertImage: mammoth.images.imgElement(async () => {
        leftOut.add("image");
        return { src: "" };
      }),
      externalFileAccess: false,
      styleMap: STYLE_MAP,
      transformDocument: withTableHeads,
    });
    const unknown = messages.flatMap(({ message }) => /element was ignored: (\S+)$/.exec(message)?.[1] ?? []);
    for (const part of parts) {
      for (const element of elementsBelow(part, ...unknown))
        if (xmlText(element).trim() !== "") leftOut.add("unknown-element");
    }
    await countEdges(archive, leftOut);
    return {
      title: undefined,
      html: `<html><body>${withNumbers(value)}</body></html>`,
      metadata: {},
      leftOut: leftOut.all(),
    };
  } catch (error) {
    if (error instanceof ExtractionError) throw error;
    const reason = error instanceof RangeError ? "it is nested too deeply" : (error as Error).message;
    throw new ExtractionError("NOT_TEXT", `the file is not a Word document that can be read: ${reason}`, {
      cause: error,
    });
  }
}

/** Parts whose text is read. */
const TEXT_PART = /^w:(?:document|footnotes|endnotes)$/;

/**
 * What the library reads, in place of an archive that it opens itself, without a limit. Its types do not have this
 * form. `parts` are the prepared parts with text, as soon as they were read.
 */
async function inputOf(
  { has, read }: Archive,
  leftOut: LeftOutCounter,
): Promise<{ file: { buffer: Buffer }; parts: XmlElement[] }> {
  const xmlOf = async (name: string) => readXml(new TextDecoder().decode(await read(name)));
  const optional = async (name: string) => (has(name) ? await xmlOf(name) : undefined);
  const styles = readWordStyles(await optional("word/styles.xml"), await optional("word/numbering.xml"));
  const parts: XmlElement[] = [];
  const file = {
    exists: has,
    async read(name: string, encoding?: string) {
      const part = await read(name);
      if (encoding === undefined) return part;
      const text = new TextDecoder().decode(part);
      if (!/<w:(?:document|footnotes|endnotes)[\s>]/.test(text.slice(0, 2_000))) return text;
      const root = readXml(text);
      if (!TEXT_PART.test(root.name)) return text;
      prepareWordXml(root, styles, leftOut);
      parts.push(root);
      return writeXml(root);
    },
  };
  return { file: { file } as unknown as { buffer: Buffer }, parts };
}

const MARKED_ITEM = new RegExp(`<li>((?:<[^>]*>)*)${NUMBER_MARKS[0]}(\\d+)${NUMBER_MARKS[1]}`, "g");
const MARK = new RegExp(`${NUMBER_MARKS[0]}\\d*${NUMBER_MARKS[1]}`, "g");

/** The HTML with the numbers of list items in their attributes. */
const withNumbers = (html: string) => html.replace(MARKED_ITEM, '<li value="$2">$1').replace(MARK, "");

/** Counts the headers and footers with text. */
async function countEdges({ names, read }: Archive, leftOut: LeftOutCounter): Promise<void> {
  for (const name of names.filter((one) => /^word\/(?:header|footer)\d*\.xml$/.test(one))) {
    const part = readXml(new TextDecoder().decode(await read(name)));
    const text = [...elementsBelow(part, "w:t")].map(xmlText).join("");
    if (/\p{L}/u.test(text)) leftOut.add("header-or-footer");
  }
}

/** An element of the library's model of a document. */
interface Element {
  type: string;
  children?: Element[];
  isHeader?: boolean;
}

/**
 * Makes the first of several rows of each table its head: Word does not mark it unless it is repeated on every page.
 */
function withTableHeads(element: Element): Element {
  const { type, children = [] } = element;
  for (const child of children) withTableHeads(child);
  if (type === "table" && children.length > 1 && !children.some(({ isHeader }) => isHeader)) {
    children[0]!.isHeader = true;
  }
  return element;
}

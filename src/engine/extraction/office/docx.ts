// Reads a Word document (.docx) as HTML: headings, lists, tables, links and footnotes; pictures are left out. It is
// imported on demand, because the library takes a moment to load.

import mammoth from "mammoth";
import { ExtractionError } from "../errors.ts";
import type { FileContents } from "./contents.ts";
import { type Archive, openArchive } from "./archive.ts";

/** Reads a document. Throws ExtractionError if it is damaged or too large. */
export async function readDocx(bytes: Uint8Array): Promise<FileContents> {
  try {
    const { value } = await mammoth.convertToHtml(inputOf(await openArchive(bytes)), {
      convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
      externalFileAccess: false,
      styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"],
      transformDocument: withTableHeads,
    });
    return { title: undefined, html: `<html><body>${value}</body></html>`, metadata: {} };
  } catch (error) {
    if (error instanceof ExtractionError) throw error;
    const reason = error instanceof RangeError ? "it is nested too deeply" : (error as Error).message;
    throw new ExtractionError("NOT_TEXT", `the file is not a Word document that can be read: ${reason}`, {
      cause: error,
    });
  }
}

/**
 * What the library reads, in place of an archive that it opens itself, without a limit. Its types do not have this
 * form.
 */
function inputOf({ has, read }: Archive): { buffer: Buffer } {
  const file = {
    exists: has,
    async read(name: string, encoding?: string) {
      const part = await read(name);
      return encoding === undefined ? part : new TextDecoder().decode(part);
    },
  };
  return { file } as unknown as { buffer: Buffer };
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

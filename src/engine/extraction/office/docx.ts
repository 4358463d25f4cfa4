// Reads a Word document (.docx) as HTML: headings, lists, tables, links and footnotes; pictures are left out. It is imported on
// demand, because the library takes a moment to load.

import mammoth from "mammoth";
import { ExtractionError } from "../errors.ts";
import type { OfficeText } from "./pdf.ts";

/** Maximum size of all parts of the archive together: a small archive can contain gigabytes. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;

/** Reads a document. Throws ExtractionError if it is damaged or too large. */
export async function readDocx(bytes: Uint8Array): Promise<OfficeText> {
  if (unpackedBytes(bytes) > MAX_UNPACKED_BYTES) {
    throw new ExtractionError("TOO_LARGE", "the contents of the file are larger than 256 MB");
  }
  try {
    const withoutPictures = mammoth.images.imgElement(async () => ({ src: "" }));
    const input = { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
    const { value } = await mammoth.convertToHtml(input, {
      convertImage: withoutPictures,
      externalFileAccess: false,
      styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"],
    });
    return { title: undefined, html: `<html><body>${withTableHeads(value)}</body></html>`, metadata: {} };
  } catch (error) {
    throw new ExtractionError(
      "NOT_TEXT",
      `the file is not a Word document that can be read: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

/** Makes the first row of each table its head: Word does not mark it unless it is repeated on every page. */
function withTableHeads(html: string): string {
  return html.replace(/<table><tr>(.*?)<\/tr>(?=<tr>)/gs, (_, cells: string) => {
    const head = cells.replace(/<td(?=[ >])/g, "<th").replaceAll("</td>", "</th>");
    return `<table><thead><tr>${head}</tr></thead>`;
  });
}

const CENTRAL_ENTRY = 0x02014b50;

/** The sum of the sizes in the central directory of a ZIP archive (APPNOTE.TXT 4.3.12). */
function unpackedBytes(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let sum = 0;
  for (let at = 0; at + 46 <= bytes.length; at++) {
    if (bytes[at] === 0x50 && view.getUint32(at, true) === CENTRAL_ENTRY)
      sum += view.getUint32(at + 24, true);
  }
  return sum;
}

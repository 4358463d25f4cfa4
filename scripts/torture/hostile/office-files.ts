// Puts PDF and Word files together from compressed parts, so that small files of any unpacked size are made in
// milliseconds.

import { constants, deflateRawSync } from "node:zlib";

/**
 * A part of a stream of deflate (RFC 1951) that refers to nothing before it, so it can be put anywhere and repeated.
 */
interface Block {
  bytes: Uint8Array;
  /** How many bytes it unpacks to. */
  unpackedBytes: number;
}

export function block(text: string): Block {
  const bytes = deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH, level: 9 });
  return { bytes, unpackedBytes: Buffer.byteLength(text) };
}

function joined(parts: readonly Block[]): Block {
  return {
    bytes: Buffer.concat(parts.map(({ bytes }) => bytes)),
    unpackedBytes: parts.reduce((sum, part) => sum + part.unpackedBytes, 0),
  };
}

export const repeated = (part: Block, times: number) => joined(Array<Block>(times).fill(part));

const LAST_BLOCK = new Uint8Array([3, 0]);

/** A PDF whose pages have these contents, all in one list. */
export function pdfOf(pages: readonly Block[]): Uint8Array {
  const text = (source: string) => Buffer.from(source, "latin1");
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(" ");
  const objects = [
    text("<</Type/Catalog/Pages 2 0 R>>"),
    text(`<</Type/Pages/Count ${pages.length}/Kids[${kids}]>>`),
    text("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"),
  ];
  for (const { bytes } of pages) {
    // The header of zlib; PDF.js does not check the sum at the end.
    const stream = Buffer.concat([new Uint8Array([0x78, 0x9c]), bytes, LAST_BLOCK, new Uint8Array(4)]);
    const resources = "/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>";
    objects.push(
      text(`<</Type/Page/Parent 2 0 R${resources}/Contents ${objects.length + 2} 0 R>>`),
      Buffer.concat([
        text(`<</Length ${stream.length}/Filter/FlateDecode>>\nstream\n`),
        stream,
        text("\nendstream"),
      ]),
    );
  }
  const parts = [text("%PDF-1.4\n")];
  const entries = ["0000000000 65535 f \n"];
  let length = parts[0]!.length;
  for (const [index, object] of objects.entries()) {
    entries.push(`${String(length).padStart(10, "0")} 00000 n \n`);
    const part = Buffer.concat([text(`${index + 1} 0 obj\n`), object, text("\nendobj\n")]);
    parts.push(part);
    length += part.length;
  }
  const table = `xref\n0 ${entries.length}\n${entries.join("")}`;
  const trailer = `trailer<</Size ${entries.length}/Root 1 0 R>>\nstartxref\n${length}\n%%EOF`;
  return Buffer.concat([...parts, text(table + trailer)]);
}

const W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const TYPES = `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
const RELATIONSHIPS = `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`;

export const paragraphOf = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

export function tableOf(rows: readonly string[][]): string {
  const cell = (text: string) => `<w:tc>${paragraphOf(text)}</w:tc>`;
  const row = (cells: readonly string[]) => `<w:tr>${cells.map(cell).join("")}</w:tr>`;
  return `<w:tbl>${rows.map(row).join("")}</w:tbl>`;
}

/** A Word file with this body. `stated` is the size that its directory states. */
export function docxOf(body: Block, stated?: number): Uint8Array {
  const start = block(`${XML}<w:document xmlns:w="${W}"><w:body>`);
  const document = joined([start, body, block("</w:body></w:document>")]);
  return zipOf({
    "[Content_Types].xml": block(TYPES),
    "_rels/.rels": block(RELATIONSHIPS),
    "word/document.xml": { ...document, unpackedBytes: stated ?? document.unpackedBytes },
  });
}

/** A ZIP archive (APPNOTE.TXT 4.3): headers and contents of the parts, then a directory of them. Sums are left out. */
function zipOf(parts: Record<string, Block>): Uint8Array {
  const written: Buffer[] = [];
  const directory: Uint8Array[] = [];
  let length = 0;
  for (const [name, { bytes, unpackedBytes }] of Object.entries(parts)) {
    const packed = Buffer.concat([bytes, LAST_BLOCK]);
    // Version, flags, method (deflate), time, date, sum, sizes, length of the name, and that of an extra field.
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(unpackedBytes, 18);
    facts.writeUInt16LE(name.length, 22);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(length, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\0", "latin1"), facts, entry, Buffer.from(name));
    const part = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), facts, Buffer.from(name), packed]);
    written.push(part);
    length += part.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  const count = Object.keys(parts).length;
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(length, 12);
  return Buffer.concat([...written, listed, Buffer.from("PK\x05\x06", "latin1"), end]);
}

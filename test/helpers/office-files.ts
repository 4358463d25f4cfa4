// Puts Word and PDF files together from their source, for tests of what is read from them.

import JSZip from "jszip";

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const OTHERS = [
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
].join(" ");
const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const PART = "application/vnd.openxmlformats-officedocument.wordprocessingml";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** A run with this text, and properties such as `<w:vertAlign …/>`. */
export const run = (text: string, properties = "") =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
/** A paragraph with this content, and properties such as `<w:pStyle …/>`. */
export const paragraph = (content: string, properties = "") =>
  `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`;

/** A Word file with this body, and the content of `word/styles.xml`, `word/numbering.xml` or other parts. */
export async function wordFile(body: string, parts: Record<string, string> = {}): Promise<Uint8Array> {
  const zip = new JSZip();
  const types = ["styles", "numbering"].map(
    (name) => `<Override PartName="/word/${name}.xml" ContentType="${PART}.${name}+xml"/>`,
  );
  zip.file(
    "[Content_Types].xml",
    `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${PART}.document.main+xml"/>${types.join("")}</Types>`,
  );
  const relation = (name: string, target: string, id: number) =>
    `<Relationship Id="r${id}" Type="${RELATIONS}/${name}" Target="${target}"/>`;
  const relations = (all: string) =>
    `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all}</Relationships>`;
  zip.file("_rels/.rels", relations(relation("officeDocument", "word/document.xml", 1)));
  zip.file(
    "word/_rels/document.xml.rels",
    relations(relation("styles", "styles.xml", 1) + relation("numbering", "numbering.xml", 2)),
  );
  zip.file("word/document.xml", `${XML}<w:document ${W} ${OTHERS}><w:body>${body}</w:body></w:document>`);
  for (const name of ["styles", "numbering"])
    zip.file(`word/${name}.xml`, `${XML}<w:${name} ${W}>${parts[name] ?? ""}</w:${name}>`);
  for (const [name, content] of Object.entries(parts))
    if (name.includes("/")) zip.file(name, content.replace("XMLNS", W));
  return zip.generateAsync({ type: "uint8array" });
}

/** A PDF with these pages. The content of each is PDF operators; the font F1 is Helvetica, F2 has `encoding`. */
export function pdfFile(
  pages: readonly string[],
  { encoding = "WinAnsiEncoding", registry = "Japan1", annotations = "" } = {},
): Uint8Array {
  const isComposite = encoding !== "WinAnsiEncoding";
  const descendant = `<</Type/Font/Subtype/CIDFontType0/BaseFont/Any/CIDSystemInfo<</Registry(Adobe)/Ordering(${registry})/Supplement 2>>/DW 1000/FontDescriptor<</Type/FontDescriptor/FontName/Any/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 900/Descent -100/CapHeight 900/StemV 80>>>>`;
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Count ${pages.length}/Kids[${pages.map((_, i) => `${5 + 2 * i} 0 R`).join(" ")}]>>`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    isComposite
      ? `<</Type/Font/Subtype/Type0/BaseFont/Any/Encoding/${encoding}/DescendantFonts[${descendant}]>>`
      : "<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>",
    ...pages.flatMap((content, i) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>/Annots[${annotations}]/Contents ${6 + 2 * i} 0 R>>`,
      `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    ]),
  ];
  const parts = ["%PDF-1.7\n"];
  const entries: number[] = [];
  for (const [index, object] of objects.entries()) {
    entries.push(parts.join("").length);
    parts.push(`${index + 1} 0 obj\n${object}\nendobj\n`);
  }
  const start = parts.join("").length;
  const rows = entries.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`);
  parts.push(`xref\n0 ${rows.length + 1}\n0000000000 65535 f \n${rows.join("")}`);
  parts.push(`trailer\n<</Size ${rows.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF`);
  return new Uint8Array(Buffer.from(parts.join(""), "latin1"));
}

/** Operators that write a text at a place. `font` is F1 or F2; a text in angle brackets is written as bytes. */
export const textAt = (x: number, y: number, text: string, { size = 12, font = "F1" } = {}) =>
  `BT /${font} ${size} Tf 1 0 0 1 ${x} ${y} Tm ${/^<.*>$/.test(text) ? text : `(${text})`} Tj ET\n`;

// Word files: what the library leaves out is read by us, and what is left out is counted.

import { expect, test } from "bun:test";
import { extractFile } from "../../../src/engine/extraction/extract-file.ts";
import { paragraph, run, wordFile } from "../../helpers/office-files.ts";

async function read(body: string, parts: Record<string, string> = {}) {
  return extractFile({ body: await wordFile(body, parts), kind: "docx", url: "file:///a.docx" });
}
const markdownOf = async (body: string, parts?: Record<string, string>) => (await read(body, parts)).markdown;

const math = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;

test("equations become TeX", async () => {
  const power = `<m:sSup><m:e>${math("c")}</m:e><m:sup>${math("2")}</m:sup></m:sSup>`;
  const half = `<m:f><m:num>${math("1")}</m:num><m:den>${math("2")}</m:den></m:f>`;
  const root = `<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>${math("16")}</m:e></m:rad>`;
  const sum = `<m:nary><m:naryPr><m:chr m:val="∑"/><m:limLoc m:val="undOvr"/></m:naryPr><m:sub>${math("i=1")}</m:sub><m:sup>${math("n")}</m:sup><m:e>${math("i")}</m:e></m:nary>`;
  const body = paragraph(`${run("Energy: ")}<m:oMath>${math("E=m")}${power}</m:oMath>${run(" for each.")}`);
  const display = paragraph(`<m:oMathPara><m:oMath>${half}${math("+")}${root}${sum}</m:oMath></m:oMathPara>`);
  expect(await markdownOf(body + display)).toBe(
    "Energy: $E = m c^{2}$ for each.\n\n$$\\frac{1}{2} + \\sqrt{16} \\sum_{i = 1}^{n} i$$",
  );
});

test("simple fields, direction marks, furigana and line breaks keep their text", async () => {
  const field = `<w:fldSimple w:instr="MERGEFIELD Name">${run("Marta")}</w:fldSimple>`;
  const marks = `<w:bdo w:val="rtl">${run("שלום")}</w:bdo>${run(" and ")}<w:dir w:val="rtl">${run("مرحبا")}</w:dir>`;
  const ruby = `<w:r><w:ruby><w:rt><w:r><w:t>みなと</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>港</w:t></w:r></w:rubyBase></w:ruby></w:r>`;
  const lines = "<w:r><w:t>third</w:t><w:cr/><w:t>fourth</w:t></w:r>";
  expect(await markdownOf(paragraph(`${run("Dear ")}${field}${run(", welcome.")}`))).toBe(
    "Dear Marta, welcome.",
  );
  expect(await markdownOf(paragraph(marks))).toBe("שלום and مرحبا");
  expect(await markdownOf(paragraph(`${run("会議は")}${ruby}${run("で。")}`))).toBe("会議は港（みなと）で。");
  expect(await markdownOf(paragraph(lines))).toBe("third  \nfourth");
});

test("check boxes keep their state, also in cells", async () => {
  const box = (isChecked: boolean) =>
    `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="${isChecked ? 1 : 0}"/></w14:checkbox></w:sdtPr><w:sdtContent>${run("☒")}</w:sdtContent></w:sdt>`;
  const row = (...cells: string[]) =>
    `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join("")}</w:tr>`;
  expect(
    await markdownOf(
      paragraph(`${box(true)}${run(" Fenders")}`) + paragraph(`${box(false)}${run(" Vests")}`),
    ),
  ).toBe("[x] Fenders\n\n[ ] Vests");
  const table = `<w:tbl>${row(run("Task"), run("Done"))}${row(run("Oil"), box(true))}${row(run("Rope"), box(false))}</w:tbl>`;
  expect(await markdownOf(table)).toContain("| Oil | [x] |\n| Rope | [ ] |");
});

test("a row that starts late in its table stays in its columns", async () => {
  const cell = (text: string) => `<w:tc>${paragraph(run(text))}</w:tc>`;
  const rows = [
    `<w:tr>${cell("Item")}${cell("Summer")}${cell("Winter")}</w:tr>`,
    `<w:tr><w:trPr><w:gridBefore w:val="2"/></w:trPr>${cell("90")}</w:tr>`,
  ];
  expect(await markdownOf(`<w:tbl>${rows.join("")}</w:tbl>`)).toEndWith("|     |     | 90  |");
});

const NUMBERING = `<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>`;

test("a list that continues after a paragraph continues its numbers", async () => {
  const item = (text: string, list: number) =>
    paragraph(run(text), `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${list}"/></w:numPr>`);
  const body = [
    item("a", 1),
    item("b", 1),
    paragraph(run("between")),
    item("c", 1),
    paragraph(run("x")),
    item("d", 2),
  ];
  expect(await markdownOf(body.join(""), { numbering: NUMBERING })).toBe(
    "1. a\n2. b\n\nbetween\n\n3. c\n\nx\n\n7. d",
  );
});

const STYLES = `<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style><w:style w:type="paragraph" w:styleId="Company"><w:name w:val="Company Heading"/><w:basedOn w:val="H1"/></w:style><w:style w:type="paragraph" w:styleId="Sub"><w:name w:val="Sub"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style><w:style w:type="paragraph" w:styleId="Toc"><w:name w:val="TOC Heading"/><w:basedOn w:val="H1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style><w:style w:type="paragraph" w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style><w:style w:type="paragraph" w:styleId="Pre"><w:name w:val="HTML Preformatted"/></w:style>`;

test("headings are recognised by their outline level and by the style that theirs is based on", async () => {
  const styled = (text: string, style: string) => paragraph(run(text), `<w:pStyle w:val="${style}"/>`);
  const body = [
    styled("Title", "H1"),
    styled("Scope", "Company"),
    styled("Fees", "Sub"),
    styled("Contents", "Toc"),
  ];
  body.push(paragraph(run("Own level"), '<w:outlineLvl w:val="2"/>'), styled("Text", "Loop"));
  expect(await markdownOf(body.join(""), { styles: STYLES })).toBe(
    "# Scope\n\n## Fees\n\nContents\n\n### Own level\n\nText",
  );
});

test("paragraphs of code become one block with its indentation", async () => {
  const line = (text: string) => paragraph(run(text), '<w:pStyle w:val="Pre"/>');
  expect(await markdownOf(line("if a:") + line("    b()"), { styles: STYLES })).toBe(
    "```\nif a:\n    b()\n```",
  );
});

test("raised text stays apart from numbers", async () => {
  const raised = run("6", '<w:vertAlign w:val="superscript"/>');
  expect(await markdownOf(paragraph(`${run("10")}${raised}${run(" litres")}`))).toBe("10^6 litres");
});

test("text boxes are read if there is no form for old programs", async () => {
  const box = `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx><w:txbxContent>${paragraph(run("In the box."))}</w:txbxContent></wps:txbx></w:drawing></mc:Choice></mc:AlternateContent></w:r>`;
  expect(await markdownOf(paragraph(run("Before.") + box))).toContain("In the box.");
});

test("what is left out is counted", async () => {
  const body = paragraph(
    `${run("Text.")}<w:r><w:commentReference w:id="1"/></w:r><w:unknown>${run("lost")}</w:unknown>`,
  );
  const { leftOut } = await read(body, {
    "word/header1.xml": `<w:hdr XMLNS>${paragraph(run("Confidential"))}</w:hdr>`,
    "word/footer1.xml": `<w:ftr XMLNS>${paragraph(run("7"))}</w:ftr>`,
  });
  expect(leftOut).toEqual([
    { kind: "comment", count: 1 },
    { kind: "header-or-footer", count: 1 },
    { kind: "unknown-element", count: 1 },
  ]);
});

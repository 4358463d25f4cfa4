// PDF files: fonts without their own tables, running heads, forms, tables, directions, and what is left out.

import { expect, test } from "bun:test";
import { extractFile } from "../../../src/engine/extraction/extract-file.ts";
import { linesOf, type TextItem } from "../../../src/engine/extraction/office/pdf-lines.ts";
import { pdfFile, textAt } from "../../helpers/office-files.ts";

const read = (...args: Parameters<typeof pdfFile>) =>
  extractFile({ body: pdfFile(...args), kind: "pdf", url: "file:///a.pdf" });
/** The Markdown without the headings of pages. */
const markdownOf = async (...args: Parameters<typeof pdfFile>) =>
  (await read(...args)).markdown.replace(/## Page \d+\n\n/g, "");

test.each([
  ["90ms-RKSJ-H", "Japan1", "<8d6082cc89ef8b63>", "港の会議"],
  ["UniJIS-UTF16-H", "Japan1", "<6e2f306e4f1a8b70>", "港の会議"],
  ["GBK-EUC-H", "GB1", "<bbe1d2e9>", "会议"],
  ["UniGB-UCS2-H", "GB1", "<4f1a8bae>", "会议"],
  ["KSCms-UHC-H", "Korea1", "<c8b8c0c7>", "회의"],
  ["ETen-B5-H", "CNS1", "<a4a4a4e5>", "中文"],
])("text in a font with the predefined encoding %s is read", async (encoding, registry, bytes, text) => {
  const page = textAt(100, 700, "Harbour report") + textAt(100, 600, bytes, { font: "F2" });
  expect(await markdownOf([page], { encoding, registry })).toContain(text);
});

const PAGES = ["North", "South", "East", "West", "Centre"];
const paragraphAt = (name: string, lines = 8) =>
  Array.from({ length: lines }, (_, i) => textAt(72, 650 - 14 * i, `${name} line ${i} has words.`)).join("");

test("one copy of a running head and foot stays; page numbers go", async () => {
  const pages = PAGES.map(
    (name, i) =>
      textAt(72, 760, "Harbour rules 2026") +
      paragraphAt(name) +
      textAt(300, 30, `Page ${i + 1} of 5`) +
      textAt(72, 40, "Keep this paper"),
  );
  const text = await markdownOf(pages);
  expect(text.match(/Harbour rules 2026/g)).toHaveLength(1);
  expect(text.match(/Keep this paper/g)).toHaveLength(1);
  expect(text).not.toContain("Page 1 of 5");
  for (const name of PAGES) expect(text).toContain(`${name} line 7 has words.`);
});

test("pages that consist of equal lines keep them", async () => {
  const vouchers = Array.from({ length: 5 }, () => textAt(72, 700, "Voucher for one tour"));
  expect((await markdownOf(vouchers)).match(/Voucher for one tour/g)).toHaveLength(5);
  const badges = PAGES.map((name) => textAt(72, 700, "Visitor pass") + textAt(72, 600, name));
  expect((await markdownOf(badges)).match(/Visitor pass/g)).toHaveLength(5);
});

test("numbers that differ from page to page are not those of pages", async () => {
  const invoices = [17, 4, 90, 33].map(
    (number) => textAt(72, 760, `Invoice ${number}`) + paragraphAt("Berth"),
  );
  const text = await markdownOf(invoices);
  for (const number of [17, 4, 90, 33]) expect(text).toContain(`Invoice ${number}`);
});

test("values of forms and texts put on the page are read; notes are counted", async () => {
  const annotations = [
    "<</Type/Annot/Subtype/Widget/FT/Tx/T(owner)/V(Marta Lindqvist)/Rect[160 695 360 715]>>",
    "<</Type/Annot/Subtype/Widget/FT/Tx/Ff 8192/T(pin)/V(secret)/Rect[160 595 360 615]>>",
    "<</Type/Annot/Subtype/FreeText/Contents(Keep the key)/Rect[72 300 200 320]/DA(/F1 12 Tf)>>",
    "<</Type/Annot/Subtype/Text/Contents(A note)/Rect[72 200 90 220]>>",
  ].join("");
  const { markdown, leftOut } = await read([textAt(72, 700, "Boat owner:") + textAt(72, 600, "Pin:")], {
    annotations,
  });
  expect(markdown).toContain("Boat owner: Marta Lindqvist");
  expect(markdown).toContain("Keep the key");
  expect(markdown).not.toContain("secret");
  expect(leftOut).toEqual([{ kind: "comment", count: 1 }]);
});

const CELLS = [
  ["Country", "Capital", "People"],
  ["Norland", "Viken", "83,190"],
  ["Sudland", "Marak", "12,004"],
  ["Ostland", "Perin", "7,310"],
];
const cellAt = (row: number, column: number) =>
  textAt(72 + 120 * column, 600 - 20 * row, CELLS[row]![column]!);

test.each(["rows", "columns"])("a clear grid that was drawn by %s is a table", async (order) => {
  const places = CELLS.flatMap((cells, row) => cells.map((_, column) => [row, column] as const));
  if (order === "columns") places.sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  const cells = places.map(([row, column]) => cellAt(row, column)).join("");
  expect(await markdownOf([textAt(72, 660, "All countries:") + cells + textAt(72, 480, "The end.")])).toBe(
    "All countries:\n\n| Country | Capital | People |\n| --- | --- | --- |\n| Norland | Viken | 83,190 |\n| Sudland | Marak | 12,004 |\n| Ostland | Perin | 7,310 |\n\nThe end.",
  );
});

test("two columns of prose are no table", async () => {
  const column = (x: number, name: string) =>
    Array.from({ length: 6 }, (_, i) =>
      textAt(x, 600 - 14 * i, `The ${name} pier is mended in week ${i}`),
    ).join("");
  expect(await markdownOf([column(72, "north") + column(330, "south")])).not.toContain("|");
});

test("raised text stays apart from numbers, and neighbouring texts from each other", async () => {
  const page =
    textAt(72, 700, "It holds 10") + textAt(127.6, 705, "6", { size: 7 }) + textAt(135, 700, "litres");
  expect(await markdownOf([page])).toBe("It holds 10^6 litres");
  const glued = textAt(300, 690, "HARBOUR LANE 82") + textAt(72, 680, "Payment") + textAt(72, 670, "4835 AC");
  expect(await markdownOf([glued])).toBe("HARBOUR LANE 82 Payment 4835 AC");
});

test("lines from right to left: order of words, spaces to the left, drawn forms of letters", () => {
  const item = (str: string, x: number, width: number, dir = "rtl"): TextItem => ({
    str,
    dir,
    transform: [12, 0, 0, 12, x, 700],
    width,
    height: 12,
    hasEOL: false,
  });
  const textOf = (items: TextItem[]) => linesOf(items, 1, () => {}).map(({ text }) => text);
  // Drawn from right to left, and from left to right.
  const [first, second] = [item("اللغة", 400, 40), item("العربية", 350, 45)];
  expect(textOf([first, second])).toEqual(["اللغة العربية"]);
  expect(textOf([second, first])).toEqual(["اللغة العربية"]);
  expect(textOf([item("ﺍﻟﻌﺮﺑﻴﺔ", 400, 40)])).toEqual(["العربية"]);
  expect(textOf([item("لغة", 400, 30), item("R", 385, 8, "ltr"), item("و", 370, 8)])).toEqual(["لغة R و"]);
});

test("pages without text say what they show; the reason of a failure is true", async () => {
  const image = "q 100 0 0 100 72 500 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x80 EI Q";
  const { leftOut } = await read([textAt(72, 700, "Text."), image, "72 500 100 100 re f", ""]);
  expect(leftOut).toEqual([
    { kind: "page-without-text", count: 1 },
    { kind: "scanned-page", count: 1 },
  ]);
  expect(read([image, image])).rejects.toThrow("no text (left out: 2 pages that are scanned images)");
  expect(read([""])).rejects.toThrow("no text (its pages are empty)");
});

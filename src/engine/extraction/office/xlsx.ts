// Reads an Excel workbook (.xlsx, ECMA-376 part 1, section 18): one section with a table for each sheet.

import { countLeftOut } from "../../../kernel/left-out.ts";
import { escapeHtml } from "../shared/text.ts";
import { openArchive, tooMany } from "./archive.ts";
import type { FileContents } from "./contents.ts";
import { pageOf, tableOf } from "./html.ts";
import { openPackage } from "./package.ts";
import { elementAt, elementsBelow, elementsIn, type XmlElement, xmlText } from "./xml.ts";

const MAX_COLUMNS = 200;
const MAX_CELLS = 1_000_000;
const MAX_SHEETS = 1_000;
/** Of all cells: many may refer to one long text. */
const MAX_UNITS = 20_000_000;

/** Reads a workbook. Throws an Error if it is damaged, ExtractionError if it is too large. */
export async function readXlsx(bytes: Uint8Array): Promise<FileContents> {
  const parts = openPackage(await openArchive(bytes), "xl/workbook.xml");
  const leftOut = countLeftOut();
  const workbook = await parts.read("xl/workbook.xml");
  const targets = await parts.relationsOf("xl/workbook.xml");
  const strings = await parts.optional("xl/sharedStrings.xml");
  const shared = strings ? elementsIn(strings, "si").map(textOfString) : [];
  const styles = formatsOf(await parts.optional("xl/styles.xml"));
  const isFrom1904 = /^(?:1|true)$/.test(elementAt(workbook, "workbookPr")?.attributes.date1904 ?? "");
  const sections: string[] = [];
  let [cells, units] = [0, 0];
  const sheets = [...elementsBelow(workbook, "sheet")];
  if (sheets.length > MAX_SHEETS) throw tooMany(MAX_SHEETS, "sheets");
  const seen = new Set<string>();
  for (const sheet of sheets) {
    const target = targets.get(sheet.attributes["r:id"] ?? "");
    const root = target === undefined || seen.has(target) ? undefined : await parts.optional(target);
    seen.add(target ?? "");
    if (!root) {
      leftOut.add("unreadable-part");
      continue;
    }
    const rows = rowsOf(root, (cell) => {
      if (++cells > MAX_CELLS) throw tooMany(MAX_CELLS, "cells");
      const value = elementAt(cell, "v");
      if (elementAt(cell, "f") && (!value || xmlText(value) === "")) leftOut.add("formula");
      const text = textOfCell(cell, { shared, styles, isFrom1904 });
      units += text.length;
      if (units > MAX_UNITS) throw tooMany(MAX_UNITS, "characters");
      return text;
    });
    const name = sheet.attributes.name ?? "";
    if (rows.length > 0) sections.push(`<h2>${escapeHtml(name)}</h2>${tableOf(rows)}`);
  }
  for (const name of parts.names) {
    if (/^xl\/media\//.test(name)) leftOut.add("image");
    else if (/^xl\/charts\/chart\d*\.xml$/.test(name)) leftOut.add("chart");
    else if (/^xl\/(?:comments\/)?comments?\d*\.xml$/.test(name))
      leftOut.add("comment", [...elementsBelow(await parts.read(name), "comment")].length);
  }
  return { title: "", html: pageOf(sections.join("\n")), metadata: {}, leftOut: leftOut.all() };
}

/** The texts of the rows that have some, without empty columns at their ends. */
function rowsOf(sheet: XmlElement, textOf: (cell: XmlElement) => string): string[][] {
  const rows: string[][] = [];
  for (const row of elementsBelow(sheet, "row")) {
    const texts: string[] = [];
    for (const cell of elementsIn(row, "c")) {
      const column = columnOf(cell.attributes.r) ?? texts.length;
      if (column >= MAX_COLUMNS) continue;
      while (texts.length < column) texts.push("");
      texts[column] = textOf(cell);
    }
    while (texts.length > 0 && texts.at(-1) === "") texts.pop();
    if (texts.length > 0) rows.push(texts);
  }
  return rows;
}

/** The column of a reference such as `C7`, from 0. */
function columnOf(reference = ""): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1;
}

/** A text with its formatted parts, without the readings of its characters. */
const textOfString = (string: XmlElement): string =>
  elementsIn(string)
    .filter(({ name }) => name === "t" || name === "r")
    .map((part) => (part.name === "t" ? xmlText(part) : elementsIn(part, "t").map(xmlText).join("")))
    .join("");

type Format = "date" | "time" | "percent" | "other";
interface Book {
  shared: readonly string[];
  styles: readonly Format[];
  isFrom1904: boolean;
}

function textOfCell(cell: XmlElement, { shared, styles, isFrom1904 }: Book): string {
  const value = elementAt(cell, "v");
  const text = value ? xmlText(value) : "";
  switch (cell.attributes.t) {
    case "s":
      return (shared[Number(text)] ?? "").trim();
    case "inlineStr": {
      const inline = elementAt(cell, "is");
      return inline ? textOfString(inline).trim() : "";
    }
    case "b":
      return text === "1" ? "TRUE" : "FALSE";
    case "str":
    case "e":
    case "d":
      return text;
  }
  const number = Number(text);
  if (text === "" || !Number.isFinite(number)) return text;
  const format = styles[Number(cell.attributes.s ?? "0")] ?? "other";
  if (format === "percent") return `${rounded(100 * number)} %`;
  if (format !== "other") return dateOf(number, format, isFrom1904);
  return String(rounded(number));
}

/** Without the digits that doubles add: 0.1 + 0.2 is 0.3. */
const rounded = (number: number) => Number(number.toPrecision(15));

const DAY_MS = 86_400_000;

/** ISO date of a serial number: days since 30 December 1899, or since 1904. */
function dateOf(serial: number, format: Format, isFrom1904: boolean): string {
  const days = serial + (isFrom1904 ? 1_462 : 0);
  const at = new Date(Math.round((days - 25_569) * DAY_MS));
  if (Number.isNaN(at.getTime())) return String(serial);
  const [date = "", time = ""] = at.toISOString().slice(0, 19).split("T");
  if (serial < 1 && format === "time") return time;
  return serial % 1 === 0 ? date : `${date} ${time}`;
}

/** The format of each style of cells. Numbers below 164 are built in (section 18.8.30). */
function formatsOf(styles: XmlElement | undefined): Format[] {
  const named = styles ? elementAt(styles, "numFmts") : undefined;
  const codes = new Map(
    (named ? elementsIn(named, "numFmt") : []).map(({ attributes }) => [
      Number(attributes.numFmtId),
      attributes.formatCode ?? "",
    ]),
  );
  const all = styles ? elementAt(styles, "cellXfs") : undefined;
  return (all ? elementsIn(all, "xf") : []).map(({ attributes }) => {
    const id = Number(attributes.numFmtId ?? "0");
    const code = codes
      .get(id)
      ?.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, "")
      .toLowerCase();
    if (id === 9 || id === 10 || code?.includes("%")) return "percent";
    if ((id >= 14 && id <= 17) || id === 22 || (code && /[yd]/.test(code))) return "date";
    if ((id >= 18 && id <= 21) || (id >= 45 && id <= 47) || (code && /[hs]/.test(code))) return "time";
    return "other";
  });
}

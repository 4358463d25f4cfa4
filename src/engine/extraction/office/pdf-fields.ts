// What is shown on a PDF page outside of its content: values of form fields, and texts that were put on the page.

import type { LeftOutCounter } from "../../../kernel/left-out.ts";
import { escapeHtml } from "../shared/text.ts";
import type { Line } from "./pdf-lines.ts";

/** An annotation of pdf.js, as far as it is used. Lengths in points. */
export interface Annotation {
  subtype?: string;
  fieldType?: string;
  fieldValue?: unknown;
  buttonValue?: unknown;
  exportValue?: unknown;
  checkBox?: boolean;
  radioButton?: boolean;
  password?: boolean;
  hidden?: boolean;
  contentsObj?: { str?: string };
  /** left, bottom, right, top */
  rect?: number[];
}

/** Adds the texts of annotations to the lines of their page: to the line beside which they are, or as own lines. */
export function addFields(
  lines: Line[],
  annotations: readonly Annotation[],
  page: number,
  leftOut: LeftOutCounter,
): void {
  const byPlace = annotations.toSorted((a, b) => (a.rect?.[0] ?? 0) - (b.rect?.[0] ?? 0));
  for (const annotation of byPlace) {
    const text = shownText(annotation, leftOut);
    if (text === "") continue;
    const [left = 0, bottom = 0, right = left, top = bottom] = annotation.rect ?? [];
    const isButton = annotation.fieldType === "Btn";
    const beside =
      annotation.subtype === "Widget" &&
      lines.findLast((line) => line.y >= bottom - 2 && line.y <= top && (isButton || line.x <= left));
    if (beside) {
      // A box may be before its label.
      const [before, after] = isButton && left <= beside.x ? [`${text} `, ""] : ["", ` ${text}`];
      beside.text = before + beside.text + after;
      beside.html = escapeHtml(before) + beside.html + escapeHtml(after);
      beside.cells.push({ text, x: left, right });
      continue;
    }
    const own: Line = {
      text,
      html: escapeHtml(text),
      size: lines[0]?.size ?? 12,
      x: left,
      y: (bottom + top) / 2,
      page,
      cells: [{ text, x: left, right }],
    };
    const next = lines.findIndex((line) => line.y < own.y);
    lines.splice(next < 0 ? lines.length : next, 0, own);
  }
}

/** The text that people see; "" for none. Counts notes and files. */
function shownText(annotation: Annotation, leftOut: LeftOutCounter): string {
  const { subtype, fieldType, fieldValue, checkBox, radioButton, password, hidden } = annotation;
  const contents = (annotation.contentsObj?.str ?? "").replace(/\s+/g, " ").trim();
  if (hidden) return "";
  if (subtype === "FreeText") return contents;
  if (subtype === "FileAttachment") leftOut.add("attachment");
  else if (subtype !== "Widget" && subtype !== "Link" && subtype !== "Popup" && contents !== "")
    leftOut.add("comment");
  if (subtype !== "Widget" || password) return "";
  if (fieldType === "Btn") {
    if (checkBox) return fieldValue === annotation.exportValue && fieldValue !== "Off" ? "[x]" : "[ ]";
    return radioButton ? (fieldValue === annotation.buttonValue ? "[x]" : "[ ]") : "";
  }
  const values = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
  return values
    .filter((value) => typeof value === "string")
    .join(", ")
    .replace(/\s+/g, " ")
    .trim();
}

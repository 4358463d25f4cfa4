// Reads a PowerPoint presentation (.pptx): one section for each slide, with its lists, tables and notes.

import { countLeftOut, type LeftOutCounter } from "../../../kernel/left-out.ts";
import { escapeHtml } from "../shared/text.ts";
import { openArchive, tooMany } from "./archive.ts";
import type { FileContents } from "./contents.ts";
import { equationTex } from "./equations.ts";
import { pageOf, tableOf } from "./html.ts";
import { openPackage } from "./package.ts";
import {
  elementAt,
  elementsBelow,
  elementsIn,
  isElement,
  type XmlElement,
  type XmlNode,
  xmlText,
} from "./xml.ts";

const MAX_SLIDES = 5_000;
const MAIN = "ppt/presentation.xml";

/** Reads a presentation. Throws an Error if it is damaged, ExtractionError if it is too large. */
export async function readPptx(bytes: Uint8Array): Promise<FileContents> {
  const parts = openPackage(await openArchive(bytes), MAIN);
  const leftOut = countLeftOut();
  const targets = await parts.relationsOf(MAIN);
  const slides = [...elementsBelow(await parts.read(MAIN), "p:sldId")];
  if (slides.length > MAX_SLIDES) throw tooMany(MAX_SLIDES, "slides");
  const seen = new Set<string>();
  const sections: string[] = [];
  for (const [index, { attributes }] of slides.entries()) {
    const name = targets.get(attributes["r:id"] ?? "");
    const slide = name === undefined || seen.has(name) ? undefined : await parts.optional(name);
    if (!slide || name === undefined) {
      leftOut.add("unreadable-part");
      continue;
    }
    seen.add(name);
    const related = [...(await parts.relationsOf(name)).values()];
    const notesName = related.find((path) => /\/notesSlides\//.test(path));
    const notes = notesName === undefined ? undefined : await parts.optional(notesName);
    leftOut.add("comment", related.filter((path) => /\/comments\//.test(path)).length);
    sections.push(slideHtml(slide, index + 1, leftOut) + (notes ? notesHtml(notes) : ""));
  }
  return {
    title: "",
    html: pageOf(sections.join("\n")),
    metadata: { pages: slides.length },
    leftOut: leftOut.all(),
  };
}

function slideHtml(slide: XmlElement, number: number, leftOut: LeftOutCounter): string {
  let title = "";
  const blocks: string[] = [];
  for (const shape of elementsBelow(slide, "p:sp", "p:graphicFrame", "p:pic")) {
    if (shape.name === "p:pic") leftOut.add("image");
    else if (shape.name === "p:graphicFrame") {
      const table = elementsBelow(shape, "a:tbl").next().value;
      if (table) blocks.push(tableHtml(table));
      else leftOut.add("chart");
    } else if (/^(?:title|ctrTitle)$/.test(placeholderOf(shape)) && title === "") {
      title = [...elementsBelow(shape, "a:p")].map(textOf).join(" ").trim();
    } else if (!/^(?:dt|ftr|sldNum)$/.test(placeholderOf(shape))) blocks.push(paragraphsHtml(shape));
  }
  return `<h2>${escapeHtml(title || `Slide ${number}`)}</h2>${blocks.join("")}`;
}

/** What a shape is for, such as `title`; "" for an ordinary one. */
const placeholderOf = (shape: XmlElement): string =>
  elementAt(shape, "p:nvSpPr", "p:nvPr", "p:ph")?.attributes.type ?? "";

function notesHtml(notes: XmlElement): string {
  const bodies = [...elementsBelow(notes, "p:sp")].filter((shape) => placeholderOf(shape) === "body");
  const text = bodies.map(paragraphsHtml).join("");
  return text === "" ? "" : `<p><strong>Notes</strong></p>${text}`;
}

/** Paragraphs; several in one shape, or such with a level, are a list. */
function paragraphsHtml(shape: XmlElement): string {
  const paragraphs = [...elementsBelow(shape, "a:p")].flatMap((paragraph) => {
    const text = textOf(paragraph).trim();
    const level = Number(elementAt(paragraph, "a:pPr")?.attributes.lvl ?? "0");
    return text === ""
      ? []
      : [{ text, level: Number.isInteger(level) ? Math.min(Math.max(level, 0), 8) : 0 }];
  });
  const isList = placeholderOf(shape) !== "subTitle" && paragraphs.length > 1;
  if (!isList) return paragraphs.map(({ text }) => `<p>${escapeHtml(text)}</p>`).join("");
  let [html, depth] = ["", -1];
  for (const { text, level } of paragraphs) {
    for (; depth < level; depth++) html += depth < level - 1 ? "<ul><li>" : "<ul>";
    for (; depth > level; depth--) html += "</li></ul>";
    html += `${html.endsWith("<ul>") ? "" : "</li>"}<li>${escapeHtml(text)}`;
  }
  return `${html}${"</li></ul>".repeat(depth + 1)}`;
}

const tableHtml = (table: XmlElement): string =>
  tableOf(
    elementsIn(table, "a:tr").map((row) =>
      elementsIn(row, "a:tc").map((cell) => [...elementsBelow(cell, "a:p")].map(textOf).join("\n").trim()),
    ),
  );

/** The text of a paragraph: runs, fields, breaks and equations. */
function textOf(node: XmlNode): string {
  if (!isElement(node)) return "";
  switch (node.name) {
    case "a:t":
      return xmlText(node);
    case "a:br":
      return " ";
    case "m:oMath":
      return `$${equationTex(node)}$`;
    case "mc:AlternateContent":
      return (elementAt(node, "mc:Choice")?.children ?? []).map(textOf).join("");
  }
  return node.children.map(textOf).join("");
}

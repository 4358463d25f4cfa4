// Changes the XML of a Word document before the library reads it: it ignores equations, simple fields, direction marks,
// furigana, the grid of tables, the numbers of lists, and outline levels.

import type { LeftOutCounter } from "../../../kernel/left-out.ts";
import { equationTex } from "./equations.ts";
import type { WordStyles } from "./word-styles.ts";
import {
  elementAt,
  elementsBelow,
  elementsIn,
  isElement,
  type XmlElement,
  type XmlNode,
  xmlText,
} from "./xml.ts";

/** Style ids that this step writes; `docx.ts` maps them to HTML. */
export const ADDED_STYLE = {
  math: "CtxrepoMath",
  displayMath: "CtxrepoDisplayMath",
  /** With the level, 1 to 6. */
  heading: "CtxrepoHeading",
} as const;

/** Noncharacters around the number of a list item; they are removed from texts. */
export const NUMBER_MARKS = ["\ufdd1", "\ufdd2"] as const;
const MARKS = /[\ufdd1\ufdd2]/g;

const MAX_GRID = 200;

/** Changes the root of a part (document, footnotes, endnotes) in place. Counts what has no text of its own. */
export function prepareWordXml(root: XmlElement, styles: WordStyles, leftOut: LeftOutCounter): void {
  const { numberOf } = styles.openCounters();
  const prepared = (node: XmlNode): XmlNode[] => {
    if (!isElement(node)) return [node.replace(MARKS, "")];
    switch (node.name) {
      case "w:fldSimple":
      case "w:bdo":
      case "w:dir":
        return node.children.flatMap(prepared);
      case "w:cr":
        return [{ ...node, name: "w:br" }];
      case "w:ruby":
        return rubyOf(node);
      case "m:oMathPara":
        return [...elementsBelow(node, "m:oMath")].flatMap((one) => mathOf(one, ADDED_STYLE.displayMath));
      case "m:oMath":
        return mathOf(node, ADDED_STYLE.math);
      case "mc:AlternateContent": {
        // The library reads only what is for old programs.
        const chosen = elementAt(node, "mc:Fallback") ?? elementAt(node, "mc:Choice");
        return chosen?.children.flatMap(prepared) ?? [];
      }
      case "w:drawing":
        return drawingOf(node);
      case "w:commentReference":
        leftOut.add("comment");
        return [];
    }
    node.children = node.children.flatMap(prepared);
    if (node.name === "w:tr") fillGrid(node);
    if (node.name === "w:p") prepareParagraph(node);
    return [node];
  };
  const mathOf = (equation: XmlElement, style: string): XmlNode[] => {
    const tex = equationTex(equation);
    if (tex === "" && xmlText(equation).trim() !== "") leftOut.add("unreadable-equation");
    return tex === "" ? [] : [runOf(tex, style)];
  };
  const drawingOf = (drawing: XmlElement): XmlNode[] => {
    if (!elementsBelow(drawing, "c:chart", "dgm:relIds", "cx:chart").next().done) leftOut.add("chart");
    const boxes = [...elementsBelow(drawing, "w:txbxContent")];
    return boxes.length > 0 ? boxes.flatMap((box) => prepared(box)) : [drawing];
  };
  const prepareParagraph = (paragraph: XmlElement) => {
    const properties = elementAt(paragraph, "w:pPr");
    const level = styles.headingLevelOf(properties);
    if (properties && level !== undefined) setStyle(properties, `${ADDED_STYLE.heading}${level}`);
    const number = numberOf(properties);
    if (number === undefined || !properties) return;
    const mark = runOf(`${NUMBER_MARKS[0]}${number}${NUMBER_MARKS[1]}`);
    paragraph.children.splice(paragraph.children.indexOf(properties) + 1, 0, mark);
  };
  root.children = root.children.flatMap(prepared);
}

const xml = (name: string, attributes: Record<string, string>, children: XmlNode[] = []): XmlElement => ({
  name,
  attributes,
  children,
});

function runOf(text: string, style?: string): XmlElement {
  const properties = style === undefined ? [] : [xml("w:rPr", {}, [xml("w:rStyle", { "w:val": style })])];
  return xml("w:r", {}, [...properties, xml("w:t", { "xml:space": "preserve" }, [text])]);
}

/** The base text, and the reading in brackets. */
function rubyOf(ruby: XmlElement): XmlNode[] {
  const textOf = (name: string) => {
    const part = elementAt(ruby, name);
    return part ? [...elementsBelow(part, "w:t")].map(xmlText).join("").replace(MARKS, "") : "";
  };
  const [base, reading] = [textOf("w:rubyBase"), textOf("w:rt")];
  const text = reading === "" ? base : `${base}（${reading}）`;
  return text === "" ? [] : [xml("w:t", { "xml:space": "preserve" }, [text])];
}

/** Adds empty cells to a row that starts late in the grid of its table. */
function fillGrid(row: XmlElement): void {
  const before = Number(elementAt(row, "w:trPr", "w:gridBefore")?.attributes["w:val"]);
  if (!(before > 0)) return;
  const first = row.children.findIndex((child) => isElement(child) && child.name === "w:tc");
  const count = Math.min(before, MAX_GRID);
  const cells = Array.from({ length: count }, () => xml("w:tc", {}, [xml("w:p", {})]));
  row.children.splice(first < 0 ? row.children.length : first, 0, ...cells);
}

function setStyle(properties: XmlElement, id: string): void {
  const others = elementsIn(properties).filter(({ name }) => name !== "w:pStyle");
  properties.children = [xml("w:pStyle", { "w:val": id }), ...others];
}

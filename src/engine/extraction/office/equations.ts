// Equations of Word (OMML, ECMA-376 part 1, section 22.1) as TeX, by way of MathML.

import { texOf } from "../shared/tex.ts";
import { elementAt, elementsIn, isElement, type XmlElement, type XmlNode, xmlText } from "./xml.ts";

/** The TeX of an <m:oMath>; "" if it has no characters. */
export function equationTex(equation: XmlElement): string {
  return texOf(`<math>${inside(equation)}</math>`);
}

const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const operator = (sign: string) => (sign === "" ? "" : `<mo>${escaped(sign)}</mo>`);
const row = (content: string) => `<mrow>${content}</mrow>`;
const element = (name: string, ...parts: string[]) => `<${name}>${parts.join("")}</${name}>`;

/** The value of a property such as `m:chr`; undefined if it is not set. */
const property = ({ name, children }: XmlElement, key: string): string | undefined => {
  const properties = children.find((child) => isElement(child) && child.name === `${name}Pr`);
  const set = properties && elementAt(properties as XmlElement, key);
  return set && (set.attributes["m:val"] ?? "");
};

const isOn = (value: string | undefined) => value !== undefined && !["0", "off", "false"].includes(value);

/** MathML of what is inside of an element. */
const inside = (one: XmlElement): string => one.children.map(mathml).join("");
/** MathML of the part of an element with this name. */
const part = (one: XmlElement, name: string): string => {
  const found = elementAt(one, name);
  return row(found ? inside(found) : "");
};

const WRITERS: Record<string, (one: XmlElement) => string> = {
  "m:r": (one) => runOf(xmlText(one), isOn(elementAt(one, "m:rPr", "m:nor") && "on")),
  "m:f": (one) => element("mfrac", part(one, "m:num"), part(one, "m:den")),
  "m:sSup": (one) => element("msup", part(one, "m:e"), part(one, "m:sup")),
  "m:sSub": (one) => element("msub", part(one, "m:e"), part(one, "m:sub")),
  "m:sSubSup": (one) => element("msubsup", part(one, "m:e"), part(one, "m:sub"), part(one, "m:sup")),
  "m:sPre": (one) => element("msubsup", row(""), part(one, "m:sub"), part(one, "m:sup")) + part(one, "m:e"),
  "m:rad": (one) => {
    const degree = part(one, "m:deg");
    const hasDegree = degree !== row("") && !isOn(property(one, "m:degHide"));
    return hasDegree ? element("mroot", part(one, "m:e"), degree) : element("msqrt", part(one, "m:e"));
  },
  "m:nary": (one) => {
    const name = property(one, "m:limLoc") === "undOvr" ? "munderover" : "msubsup";
    const sign = operator(property(one, "m:chr") ?? "∫");
    return element(name, sign, part(one, "m:sub"), part(one, "m:sup")) + part(one, "m:e");
  },
  "m:d": (one) => {
    const parts = elementsIn(one, "m:e").map(inside);
    const separator = operator(property(one, "m:sepChr") ?? "|");
    const [start, end] = [property(one, "m:begChr") ?? "(", property(one, "m:endChr") ?? ")"];
    return row(operator(start) + parts.join(separator) + operator(end));
  },
  "m:func": (one) => part(one, "m:fName") + part(one, "m:e"),
  "m:m": (one) => tableOf(elementsIn(one, "m:mr").map((line) => elementsIn(line, "m:e"))),
  "m:eqArr": (one) => tableOf(elementsIn(one, "m:e").map((line) => [line])),
  "m:acc": (one) => element("mover", part(one, "m:e"), operator(property(one, "m:chr") ?? "^")),
  "m:bar": (one) =>
    element(property(one, "m:pos") === "top" ? "mover" : "munder", part(one, "m:e"), operator("¯")),
  "m:groupChr": (one) =>
    element(
      property(one, "m:pos") === "top" ? "mover" : "munder",
      part(one, "m:e"),
      operator(property(one, "m:chr") ?? "⏟"),
    ),
  "m:limLow": (one) => element("munder", part(one, "m:e"), part(one, "m:lim")),
  "m:limUpp": (one) => element("mover", part(one, "m:e"), part(one, "m:lim")),
};

function mathml(node: XmlNode): string {
  if (!isElement(node)) return node.trim() === "" ? "" : runOf(node, false);
  if (node.name.endsWith("Pr")) return "";
  return (WRITERS[node.name] ?? inside)(node);
}

const tableOf = (rows: XmlElement[][]): string =>
  element(
    "mtable",
    ...rows.map((cells) => element("mtr", ...cells.map((cell) => element("mtd", inside(cell))))),
  );

/** A run of characters: numbers, names, operators. `isText` for words that are not mathematics. */
function runOf(text: string, isText: boolean): string {
  if (isText) return element("mtext", escaped(text));
  return [...text.matchAll(/\d+(?:[.,]\d+)*|\p{L}{2,}|\p{L}|\S/gu)]
    .map(([token]) => {
      const name = /^\d/.test(token) ? "mn" : /^\p{L}/u.test(token) ? "mi" : "mo";
      // Letters of one run are variables that are multiplied, unless they are a name such as `sin`.
      if (name === "mi" && !FUNCTIONS.test(token))
        return [...token].map((char) => element("mi", char)).join("");
      return element(name, escaped(token));
    })
    .join("");
}

const FUNCTIONS =
  /^(?:arc)?(?:sin|cos|tan|cot|sec|csc)h?$|^(?:ln|log|exp|lim|max|min|sup|inf|det|dim|gcd|arg|deg|mod)$/;

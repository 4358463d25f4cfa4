// Styles and numbering of a Word document: which paragraphs are headings, and the numbers of list items.

import { elementAt, elementsIn, type XmlElement } from "./xml.ts";

export interface WordStyles {
  /**
   * The level, 1 to 6, of a paragraph that is a heading by its outline level or by a style that its own style is based
   * on; undefined for other paragraphs, and for those whose style is named like a heading.
   */
  headingLevelOf(properties: XmlElement | undefined): number | undefined;
  /** Counters for one part of the document. */
  openCounters(): {
    /** The number of the next paragraph, with these properties; undefined if it has none or a bullet. */
    numberOf(properties: XmlElement | undefined): number | undefined;
  };
}

interface Style {
  name: string;
  basedOn: string | undefined;
  properties: XmlElement | undefined;
}

interface Level {
  start: number;
  isNumbered: boolean;
}

interface List {
  /** Lists with the same one continue each other. */
  abstractId: string;
  levels: Map<number, Level>;
  /** Levels that this list starts again. */
  restarts: Map<number, number>;
}

/** A style may be based on itself, by way of others. */
const MAX_CHAIN = 20;
const NAMED_HEADING = /^heading\s*([1-6])$/i;

const attributeOf = (element: XmlElement | undefined) => element?.attributes["w:val"];
const integerOf = (element: XmlElement | undefined): number | undefined => {
  const number = Number(attributeOf(element) ?? Number.NaN);
  return Number.isInteger(number) ? number : undefined;
};

/** Reads `word/styles.xml` and `word/numbering.xml`; undefined for a part that the document does not have. */
export function readWordStyles(
  stylesXml: XmlElement | undefined,
  numberingXml: XmlElement | undefined,
): WordStyles {
  const styles = new Map<string, Style>();
  for (const style of stylesXml ? elementsIn(stylesXml, "w:style") : []) {
    styles.set(style.attributes["w:styleId"] ?? "", {
      name: attributeOf(elementAt(style, "w:name")) ?? "",
      basedOn: attributeOf(elementAt(style, "w:basedOn")),
      properties: elementAt(style, "w:pPr"),
    });
  }
  const lists = numberingXml ? readLists(numberingXml) : new Map<string, List>();
  /** A paragraph's style and those that it is based on. */
  const chainOf = (properties: XmlElement): Style[] => {
    const chain: Style[] = [];
    let id = attributeOf(elementAt(properties, "w:pStyle"));
    while (id !== undefined && chain.length < MAX_CHAIN) {
      const style = styles.get(id);
      if (!style) break;
      chain.push(style);
      id = style.basedOn;
    }
    return chain;
  };
  return {
    headingLevelOf(properties) {
      if (!properties) return undefined;
      const chain = chainOf(properties);
      if (/^(?:title|heading\b.*)$/i.test(chain[0]?.name ?? "")) return undefined;
      const ofOutline = (place: XmlElement | undefined) =>
        place && integerOf(elementAt(place, "w:outlineLvl"));
      let level = ofOutline(properties);
      for (const { name, properties: ofStyle } of chain) {
        level ??= ofOutline(ofStyle) ?? headingOf(name);
      }
      return level !== undefined && level >= 0 && level < 6 ? level + 1 : undefined;
    },
    openCounters() {
      const counts = new Map<string, number[]>();
      const started = new Set<string>();
      return {
        numberOf(properties) {
          if (!properties) return undefined;
          const places = [properties, ...chainOf(properties).map((style) => style.properties)];
          const numbering = places.map((place) => place && elementAt(place, "w:numPr"));
          const listId = numbering
            .map((one) => one && attributeOf(elementAt(one, "w:numId")))
            .find((id) => id);
          const list = listId === undefined ? undefined : lists.get(listId);
          if (!list) return undefined;
          const depth = numbering.map((one) => one && integerOf(elementAt(one, "w:ilvl")));
          const at = depth.find((level) => level !== undefined) ?? 0;
          const level = list.levels.get(at);
          const count = counts.get(list.abstractId) ?? [];
          counts.set(list.abstractId, count);
          if (!started.has(listId!)) {
            started.add(listId!);
            for (const [restarted, start] of list.restarts) count[restarted] = start - 1;
          }
          count[at] = (count[at] ?? (level?.start ?? 1) - 1) + 1;
          count.length = at + 1;
          return level?.isNumbered ? count[at] : undefined;
        },
      };
    },
  };
}

/** The outline level, from 0, that a style's name says. */
function headingOf(name: string): number | undefined {
  const level = NAMED_HEADING.exec(name)?.[1];
  return level === undefined ? undefined : Number(level) - 1;
}

function readLists(numbering: XmlElement): Map<string, List> {
  const levelsOf = (element: XmlElement) =>
    elementsIn(element, "w:lvl").map((level): [number, Level] => {
      const format = attributeOf(elementAt(level, "w:numFmt"));
      const isNumbered = format !== undefined && format !== "bullet" && format !== "none";
      return [
        Number(level.attributes["w:ilvl"]),
        { start: integerOf(elementAt(level, "w:start")) ?? 1, isNumbered },
      ];
    });
  const abstract = new Map(
    elementsIn(numbering, "w:abstractNum").map((one) => [
      one.attributes["w:abstractNumId"] ?? "",
      levelsOf(one),
    ]),
  );
  return new Map(
    elementsIn(numbering, "w:num").map((list) => {
      const abstractId = attributeOf(elementAt(list, "w:abstractNumId")) ?? "";
      const overrides = elementsIn(list, "w:lvlOverride");
      const restarts = overrides.flatMap((one): [number, number][] => {
        const start = integerOf(elementAt(one, "w:startOverride"));
        return start === undefined ? [] : [[Number(one.attributes["w:ilvl"]), start]];
      });
      const levels = new Map([...(abstract.get(abstractId) ?? []), ...overrides.flatMap(levelsOf)]);
      return [list.attributes["w:numId"] ?? "", { abstractId, levels, restarts: new Map(restarts) }];
    }),
  );
}

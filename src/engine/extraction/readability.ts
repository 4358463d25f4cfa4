// Mozilla's Readability as a witness: which elements of the page it would keep. Its own output, with levels and languages
// lost, is not used.

import { Readability } from "@mozilla/readability";
import type { DomDocument, DomElement } from "./dom.ts";

/** The elements that Readability keeps; empty when it finds no article. */
export function readabilityKeeps(document: DomDocument): Set<DomElement> {
  const numbered = [...document.body.querySelectorAll("*")];
  for (const [index, element] of numbered.entries()) element.setAttribute("data-n", String(index));
  const kept = new Set<DomElement>();
  try {
    const copy: unknown = document.cloneNode(true);
    const article = new Readability<DomElement>(copy as ConstructorParameters<typeof Readability>[0], {
      disableJSONLD: true,
      serializer: (node: unknown) => node as DomElement,
    }).parse();
    for (const element of article?.content?.querySelectorAll("[data-n]") ?? [])
      kept.add(numbered[Number(element.getAttribute("data-n"))]!);
  } finally {
    for (const element of numbered) element.removeAttribute("data-n");
  }
  return kept;
}

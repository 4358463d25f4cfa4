// Finds the address of each heading: the id that generators write to the heading itself, to a link or an empty element
// inside of it, or to the section around it.

import { type DomDocument, type DomElement, plainText } from "../shared/dom.ts";
import { isHeading } from "../shared/elements.ts";

/** Longer ids are ignored. */
const MAX_ID = 200;

/** Sets the attribute `id` of each heading that has an address. Before permalinks are removed. */
export function nameHeadings(document: DomDocument): void {
  for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const id = ownId(heading) || idInside(heading) || idAround(heading);
    if (id !== "" && id.length <= MAX_ID) heading.setAttribute("id", id);
    else heading.removeAttribute("id");
  }
}

const ownId = (element: DomElement) => element.getAttribute("id") ?? "";

function idInside(heading: DomElement): string {
  for (const inner of heading.querySelectorAll("a, [id]")) {
    const named = ownId(inner) || (inner.getAttribute("name") ?? "");
    if (named !== "" && plainText(inner) === "") return named;
    const target = /^#(.+)$/.exec(inner.getAttribute("href") ?? "")?.[1];
    if (target !== undefined) return decoded(target);
  }
  return "";
}

/** The id of a section that begins with the heading. */
function idAround(heading: DomElement): string {
  const section = heading.parentNode;
  if (section?.localName !== "section" && section?.localName !== "div") return "";
  const first = [...section.children].find((child) => plainText(child) !== "");
  return first === heading && isHeading(heading.localName) ? ownId(section) : "";
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Classifies elements by their tag, class, id and role.

import { type DomElement, namesOf } from "./dom.ts";

const BLOCKS = new Set(
  (
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form " +
    "h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option output p pre section summary table " +
    "tbody td tfoot th thead tr ul search caption"
  ).split(" "),
);

/** Whether a tag name is a block element. */
export function isBlock(name: string): boolean {
  return BLOCKS.has(name);
}

/** Whether a tag name is h1 to h6. */
export function isHeading(name: string): boolean {
  return /^h[1-6]$/.test(name);
}

const CALLOUT =
  /(?:^|\s)(?:admonition|callout|markdown-alert|alert-box|theme-admonition|custom-block|notecard|starlight-aside)(?:\s|$)/;

/** Whether an element is a note, warning or tip that belongs to the text. */
export function isCallout(element: DomElement): boolean {
  if (element.getAttribute("role") === "note") return true;
  if (element.localName !== "div" && element.localName !== "aside") return false;
  const names = namesOf(element);
  if (CALLOUT.test(names)) return true;
  const alert = names.search(/(?:^|\s)alert\s/);
  return alert >= 0 && /\salert-/.test(names.slice(alert + 1));
}

const CAPTION = /(?:^|[\s_-])(?:caption|photo-?credit|image-?credit)(?:$|[\s_-])/;

/** Whether an element is the caption of a picture. */
export function isCaption(element: DomElement): boolean {
  return element.localName === "figcaption" || CAPTION.test(namesOf(element));
}

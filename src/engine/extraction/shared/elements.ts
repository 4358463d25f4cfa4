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

/** The list of versions that Read the Docs adds to each page. */
const VERSIONS = /(?:^|\s)rst-versions(?:\s|$)/;

const CALLOUTS = (
  "admonition callout markdown-alert alert-box theme-admonition custom-block notecard starlight-aside " +
  "confluence-information-macro"
).split(" ");
const CALLOUT = new RegExp(`(?:^|\\s)(?:${CALLOUTS.join("|")})(?:\\s|$)`);

/** Marks the name of the file that a code block shows. */
export const CODE_TITLE = "data-code-title";

/** Whether an element is a note, warning or tip that belongs to the text. */
export function isCallout(element: DomElement): boolean {
  if (element.getAttribute("role") === "note") return !VERSIONS.test(namesOf(element));
  if (element.localName !== "div" && element.localName !== "aside") return false;
  const names = namesOf(element);
  if (CALLOUT.test(names)) return true;
  return isOfKind(names, "alert") || isOfKind(names, "hint");
}

/** Whether classes are a word and, after it, the word with a kind: `alert alert-danger`. Linear. */
function isOfKind(names: string, word: string): boolean {
  const at = ` ${names} `.indexOf(` ${word} `);
  return at >= 0 && ` ${names}`.includes(` ${word}-`, at);
}

const CAPTION = /(?:^|[\s_-])(?:caption|photo-?credit|image-?credit)(?:$|[\s_-])/;

/** Whether an element is the caption of a picture. */
export function isCaption(element: DomElement): boolean {
  return element.localName === "figcaption" || CAPTION.test(namesOf(element));
}

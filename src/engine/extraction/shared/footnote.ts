// Footnotes, as passed from the cleaning step to the writing steps.

import type { DomElement } from "./dom.ts";

/** A footnote that was removed from the page. */
export interface Footnote {
  label: string;
  content: DomElement;
}

/** The attribute of a footnote's mark; its value is the label. */
export const FOOTNOTE = "data-footnote";

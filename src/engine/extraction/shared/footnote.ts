// What a footnote is between the step that finds it and the steps that write it.

import type { DomElement } from "./dom.ts";

export interface Footnote {
  label: string;
  content: DomElement;
}

/** The attribute that a mark carries from now on; its value is the label. */
export const FOOTNOTE = "data-footnote";

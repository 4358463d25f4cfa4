// Counts what a page embeds from elsewhere: its text is not part of the page.

import type { DomDocument, DomElement } from "../shared/dom.ts";
import type { LeftOutCounter } from "../../../kernel/left-out.ts";

const EMBEDDED = "iframe, video, audio, object, embed";
const HIDDEN = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

/** Counts the visible frames and players of the main part of a page, or of all of it if it declares no main part. */
export function countFrames(document: DomDocument, leftOut: LeftOutCounter): void {
  const declared = [...document.querySelectorAll("main, article, [role=main]")];
  const all = [...document.body.querySelectorAll(EMBEDDED)];
  const inside = (frame: DomElement) =>
    declared.length === 0 || frame.closest("main, article, [role=main]") !== null;
  leftOut.add("frame", all.filter((frame) => inside(frame) && isVisible(frame)).length);
}

function isVisible(frame: DomElement): boolean {
  const sizes = [frame.getAttribute("width"), frame.getAttribute("height")];
  const isTiny = sizes.some((size) => size === "0" || size === "1");
  return !isTiny && !frame.hasAttribute("hidden") && !HIDDEN.test(frame.getAttribute("style") ?? "");
}

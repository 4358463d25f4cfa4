// Captions of pictures, moved to the picture they describe: as its title, or as its text where it has none. The prose then
// reads on without them, and nothing is lost. It knows no addresses and chooses nothing.

import { type DomDocument, type DomElement, plainText } from "../shared/dom.ts";
import { isCaption } from "../shared/elements.ts";
import { sourceOf } from "../shared/image-source.ts";

/** A longer caption is a text of its own. */
const LONGEST_CAPTION = 600;

/** Levels from a caption to the box that it shares with its picture. */
const BOX_LEVELS = 3;

/** Moves the caption of every box that holds one picture, its caption and nothing else to read. */
export function settleFigures(document: DomDocument): void {
  const lengths = new Map<DomElement, number>();
  for (const caption of [...document.querySelectorAll("figcaption, [class*=caption], [class*=credit]")]) {
    if (!isCaption(caption)) continue;
    if (/^(?:caption|table|body|main|article)$/.test(caption.localName)) continue;
    const text = plainText(caption);
    if (
      text === "" ||
      text.length > LONGEST_CAPTION ||
      caption.querySelector("p + p, ul, ol, pre, table, h1, h2, h3")
    )
      continue;
    const image = pictureOf(caption, text.length, lengths);
    if (!image) continue;
    caption.remove();
    describe(image, text);
  }
}

/**
 * The only picture in the smallest box around the caption that has one; null where others or other text stand there. Lengths of
 * boxes are counted once: many captions may share one.
 */
function pictureOf(caption: DomElement, length: number, lengths: Map<DomElement, number>): DomElement | null {
  let box = caption.parentNode;
  for (let level = 0; level < BOX_LEVELS && box && box.localName !== "body"; level++, box = box.parentNode) {
    const known = lengths.get(box) ?? plainText(box).length;
    lengths.set(box, known);
    if (known > length) return null;
    const images = [...box.querySelectorAll("img")].filter((image) => !caption.contains(image));
    if (images.length > 1) return null;
    if (images.length === 1) return /^(?!data:)./i.test(sourceOf(images[0]!)) ? images[0]! : null;
  }
  return null;
}

function describe(image: DomElement, caption: string): void {
  const alt = plainAttribute(image, "alt");
  if (alt === "" || caption.includes(alt)) image.setAttribute("alt", caption);
  else image.setAttribute("data-caption", `${plainAttribute(image, "data-caption")} ${caption}`.trim());
}

function plainAttribute(element: DomElement, name: string): string {
  return (element.getAttribute(name) ?? "").replace(/\s+/g, " ").trim();
}

// Moves captions to the picture that they describe, so that they do not interrupt the prose: to its alternative text if
// it has none, otherwise to its title.

import { type DomDocument, type DomElement, plainText } from "../shared/dom.ts";
import { isCaption } from "../shared/elements.ts";
import { sourceOf } from "../shared/image-source.ts";

/** A longer caption is not moved. */
const MAX_CAPTION = 600;

/** Maximum levels from a caption to the box that also contains its picture. */
const MAX_BOX_LEVELS = 3;

/** Moves the caption in every box that contains one picture, its caption and no other text. */
export function moveCaptions(document: DomDocument): void {
  const lengths = new Map<DomElement, number>();
  for (const caption of [...document.querySelectorAll("figcaption, [class*=caption], [class*=credit]")]) {
    if (!isCaption(caption)) continue;
    if (/^(?:caption|table|body|main|article)$/.test(caption.localName)) continue;
    const text = plainText(caption);
    if (
      text === "" ||
      text.length > MAX_CAPTION ||
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
 * The only picture in the smallest box around the caption with a picture; null if the box contains other pictures or
 * text. `lengths` caches the text lengths of boxes: many captions may share one.
 */
function pictureOf(caption: DomElement, length: number, lengths: Map<DomElement, number>): DomElement | null {
  let box = caption.parentNode;
  for (
    let level = 0;
    level < MAX_BOX_LEVELS && box && box.localName !== "body";
    level++, box = box.parentNode
  ) {
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

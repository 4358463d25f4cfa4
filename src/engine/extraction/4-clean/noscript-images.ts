// Images that pages repeat in <noscript> for readers without scripts.

import type { DomDocument, DomElement } from "../shared/dom.ts";

/** Replaces placeholders by the image in the <noscript> after them. */
export function restoreNoscriptImages(document: DomDocument): void {
  for (const noscript of [...document.querySelectorAll("noscript")]) {
    const inside = noscript.textContent.includes("<img") ? noscript.textContent : noscript.innerHTML;
    if (!/<img/i.test(inside) || inside.length > 20_000) continue;
    const holder = document.createElement("div");
    holder.innerHTML = inside;
    const image = holder.querySelector("img");
    if (!image || holder.textContent.trim() !== "") continue;
    const before = elementBefore(noscript);
    if (before?.localName === "img") {
      if (!image.getAttribute("alt")) image.setAttribute("alt", before.getAttribute("alt") ?? "");
      before.replaceWith(image);
      noscript.remove();
    } else noscript.replaceWith(image);
  }
}

function elementBefore(element: DomElement): DomElement | null {
  for (let node = element.previousSibling; node; node = node.previousSibling) {
    if (node.nodeType === 1) return node as DomElement;
    if (node.textContent.trim() !== "") return null;
  }
  return null;
}

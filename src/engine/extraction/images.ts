// Which file an image really shows: pages leave a placeholder in `src` and the true address elsewhere. It resolves nothing.

import type { DomDocument, DomElement } from "./dom.ts";

const LAZY = [
  "data-src",
  "data-lazy-src",
  "data-original",
  "data-lazy",
  "data-hi-res-src",
  "data-full-src",
  "data-url",
];
const LAZY_SETS = ["data-srcset", "data-lazy-srcset", "srcset"];
const PLACEHOLDER =
  /^data:|(?:placeholder|blank|spacer|transparent|pixel|loading|lazy)[\w-]*\.(?:gif|png|svg|jpe?g|webp)/i;

/** Puts back the images that wait in <noscript> for readers without scripts, in place of the placeholder before them. */
export function restoreNoscriptImages(document: DomDocument): void {
  for (const noscript of [...document.querySelectorAll("noscript")]) {
    const inside = noscript.textContent.includes("<img") ? noscript.textContent : noscript.innerHTML;
    if (!/<img/i.test(inside) || inside.length > 20_000) continue;
    const holder = document.createElement("div");
    holder.innerHTML = inside;
    const image = holder.querySelector("img");
    if (!image || holder.textContent.trim() !== "") continue;
    const before = neighbour(noscript);
    if (before?.localName === "img") {
      if (!image.getAttribute("alt")) image.setAttribute("alt", before.getAttribute("alt") ?? "");
      before.replaceWith(image);
      noscript.remove();
    } else noscript.replaceWith(image);
  }
}

/** The address that a browser would end up showing, as written; "" if there is none. */
export function sourceOf(image: DomElement): string {
  const src = image.getAttribute("src") ?? "";
  const sets = LAZY_SETS.map((name) => image.getAttribute(name) ?? "");
  const picture = image.parentNode?.localName === "picture" ? image.parentNode : null;
  if (picture) {
    for (const source of picture.querySelectorAll("source"))
      sets.push(source.getAttribute("srcset") ?? source.getAttribute("data-srcset") ?? "");
  }
  for (const name of LAZY) {
    const lazy = image.getAttribute(name) ?? "";
    if (/^\S+$/.test(lazy.trim()) && !lazy.startsWith("{")) return lazy.trim();
  }
  const largest = sets.map(largestOf).find((address) => address !== "" && !PLACEHOLDER.test(address));
  if (largest !== undefined) return largest;
  return src;
}

/** The candidate of a srcset with the largest width or density. */
function largestOf(set: string): string {
  let best = "";
  let bestSize = -1;
  for (const candidate of set.matchAll(/(\S*[^,\s])(?:\s+([\d.]+)([wx]))?\s*(?:,|$)/g)) {
    const size = Number(candidate[2] ?? 1);
    if (size > bestSize) [best, bestSize] = [candidate[1]!, size];
  }
  return best;
}

function neighbour(element: DomElement): DomElement | null {
  for (let node = element.previousSibling; node; node = node.previousSibling) {
    if (node.nodeType === 1) return node as DomElement;
    if (node.textContent.trim() !== "") return null;
  }
  return null;
}

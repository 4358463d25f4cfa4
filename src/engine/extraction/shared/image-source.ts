// The address of the file that an image shows: `src` is often only a placeholder. Addresses are not resolved here.

import type { DomElement } from "./dom.ts";
import { trimCharacters } from "./text.ts";

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
  /^data:|(?:placeholder|blank|spacer|transparent|pixel|loading|lazy)[\w-]{0,100}\.(?:gif|png|svg|jpe?g|webp)/i;

/** The address of the file that a browser would show, as written; "" if there is none. */
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
  for (const { address, size } of candidatesOf(set)) {
    if (size > bestSize) [best, bestSize] = [address, size];
  }
  return best;
}

/** The valid candidates of a srcset with their width or density, parsed as in the HTML standard. */
function* candidatesOf(set: string): Generator<{ address: string; size: number }> {
  const words = /\S+/g;
  for (let word = words.exec(set)?.[0]; word !== undefined; word = words.exec(set)?.[0]) {
    const address = trimCharacters(word, ",");
    if (address === "") continue;
    if (word.endsWith(",")) {
      yield { address, size: 1 };
      continue;
    }
    const comma = set.indexOf(",", words.lastIndex);
    const end = comma < 0 ? set.length : comma;
    const descriptor = set.slice(words.lastIndex, end).trim();
    const size = descriptor === "" ? "1" : /^([\d.]+)[wx]$/.exec(descriptor)?.[1];
    if (size !== undefined) yield { address, size: Number(size) };
    words.lastIndex = end;
  }
}

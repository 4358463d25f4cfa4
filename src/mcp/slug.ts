// Readable names for URIs and prompts.

import { cutUnits } from "../kernel/text.ts";

const MAX_SLUG_CHARACTERS = 48;

/** A title in lower case with hyphens, followed by a hyphen; "" if it has no letters and digits. */
export function slugOf(title: string): string {
  const words = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-/, "");
  const slug = cutUnits(words, MAX_SLUG_CHARACTERS).replace(/-$/, "");
  return slug === "" ? "" : `${slug}-`;
}

// File names from titles: unique in a folder and safe on Linux, macOS and Windows.

import { cutBytes } from "../../kernel/text.ts";

/** Leaves room for a suffix and an extension in the 255 bytes of a name. */
const MAX_BYTES = 160;
/** Names that Windows reserves, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;
/** Separators, characters that Windows rejects, controls, and marks that change the direction of text. */
const UNSAFE = /[/\\:*?"<>|\p{Cc}\p{Cf}\u2028\u2029]+/gu;
/** Characters of an id that tell records with one title apart. */
const SUFFIX = 6;

/**
 * The name without an extension that a title suggests.
 *
 * @testOnly
 */
export function safeName(title: string): string {
  const clean = title.toWellFormed().normalize("NFC").replace(UNSAFE, "-").replace(/\s+/g, " ");
  const cut = cutBytes(clean, MAX_BYTES).replace(/^[. -]+|[. -]+$/g, "");
  if (cut === "") return "untitled";
  return RESERVED.test(cut) ? `_${cut}` : cut;
}

/**
 * Gives every record a name that no other has, also where letter case does not count. Records that share a name all get the
 * end of their id, so that a name does not depend on which records are newer.
 */
export function uniqueNames(records: readonly { id: string; title: string }[]): Map<string, string> {
  const key = (name: string) => name.normalize("NFKC").toLowerCase();
  const counts = new Map<string, number>();
  for (const { title } of records) {
    const name = key(safeName(title));
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const taken = new Set<string>();
  const names = new Map<string, string>();
  for (const { id, title } of records) {
    const plain = safeName(title);
    let name = counts.get(key(plain)) === 1 ? plain : `${plain} ${id.slice(-SUFFIX)}`;
    if (taken.has(key(name))) name = `${plain} ${id}`;
    taken.add(key(name));
    names.set(id, name);
  }
  return names;
}

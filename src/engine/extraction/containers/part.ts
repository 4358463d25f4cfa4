// The documents that a file of several contains, and how they are named.

import { createHash } from "node:crypto";
import type { LeftOut } from "../../../kernel/left-out.ts";
import { normalized } from "../../../kernel/text.ts";

/** One document of a file, still in its own format, which the ending of its path names. */
export interface Part {
  /** Its place in the file, with slashes. The same in a later export, as far as the file says what is the same. */
  path: string;
  body: Uint8Array;
  tags?: string[];
  /** The name of the thread that it belongs to, if others do, too. */
  thread?: string;
  /** What is not in the body, but was in the file. */
  leftOut?: LeftOut[];
}

/** What is in such a file. */
export interface UnpackedFile {
  parts: Part[];
  /** Paths of what is of no known kind. */
  others: string[];
}

/** Maximum number of parts; a file with more fails. */
export const MAX_PARTS = 20_000;
/** The reason of an archive that is none of those that are read. */
export const NO_EXPORT = "is no export of Notion, ChatGPT or Claude";
const MAX_NAME = 60;

/** Gives each part a path of its own: a readable name, a mark of what the part is, and an ending. */
export function namer(): (name: string, identity: string, ending: string) => string {
  const used = new Map<string, number>();
  return (name, identity, ending) => {
    const words = normalized(name, "NFC")
      .replace(/[^\p{L}\p{M}\p{N} ._-]+/gu, " ")
      .replace(/\s+/g, " ")
      .replace(/^[ .]+/, "")
      .slice(0, MAX_NAME)
      .trim();
    const mark = createHash("sha256").update(identity).digest("hex").slice(0, 8);
    const base = words === "" ? mark : `${words} ${mark}`;
    const count = (used.get(base) ?? 0) + 1;
    used.set(base, count);
    return `${count === 1 ? base : `${base}-${count}`}.${ending}`;
  };
}

/** Front matter of texts; each is written so that it reads as the same text. */
export function frontMatterOf(members: Record<string, string | undefined>): string {
  const lines = Object.entries(members).filter(([, value]) => value !== undefined && value !== "");
  const written = lines.map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return written.length === 0 ? "" : `---\n${written.join("\n")}\n---\n`;
}

// The words by which a document is found besides its text: other names, tags, metadata and where it comes from.

import { cutUnits } from "../../kernel/text.ts";
import type { DocumentRow } from "../documents/store.ts";

/** What a document is called. */
export interface Named {
  title: string;
  /** Other names, whose words are searched in each chunk like those of the title. */
  names: readonly string[];
  /** What is searched once for the document; see labelsOf. */
  labels: string;
}

/** Aliases are names for people: more of them, or longer ones, are content that belongs in the text. */
const MAX_ALIASES = 20;
const MAX_ALIAS_UNITS = 200;

/**
 * The name of the imported file without its ending, and the `aliases` of its front matter, if they differ from the
 * title.
 */
export function otherNames({ title, metadata }: Pick<DocumentRow, "title" | "metadata">): string[] {
  const { importPath, aliases } = metadata;
  const file = typeof importPath === "string" ? (/([^/\\]+?)(\.\w+)?$/.exec(importPath)?.[1] ?? "") : "";
  const given = (Array.isArray(aliases) ? aliases : [aliases]).slice(0, MAX_ALIASES);
  const texts = [file, ...given.filter((alias) => typeof alias === "string")];
  const names = new Set(texts.map((text) => cutUnits(text, MAX_ALIAS_UNITS).trim()));
  return [...names].filter((name) => name !== "" && name !== title);
}

/** Longer metadata is content that belongs in the text. */
const MAX_LABEL_UNITS = 8_000;
const MAX_METADATA_DEPTH = 4;
/** What the program itself notes; the path and the URL are taken from elsewhere. */
const OWN_METADATA = new Set(["importPath", "importRoot", "importNotes", "finalUrl", "aliases"]);

/** Tags, the URL, the path below the imported folder, and the texts and numbers in the metadata; one on each line. */
export function labelsOf({
  tags,
  sourceUrl,
  metadata,
}: Pick<DocumentRow, "tags" | "sourceUrl" | "metadata">): string {
  const { importPath, importRoot } = metadata;
  const isInRoot =
    typeof importPath === "string" && typeof importRoot === "string" && importPath.startsWith(importRoot);
  const path = isInRoot ? importPath.slice(importRoot.length) : "";
  const own = Object.entries(metadata).filter(([name]) => !OWN_METADATA.has(name));
  const labels = [...tags, sourceUrl ?? "", path, ...textsIn(Object.fromEntries(own), MAX_METADATA_DEPTH)];
  return cutUnits(labels.filter((label) => label !== "").join("\n"), MAX_LABEL_UNITS);
}

function textsIn(value: unknown, depth: number): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  if (depth === 0 || typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((member) => textsIn(member, depth - 1));
}

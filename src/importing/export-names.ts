// File names of an export, from titles and from the paths of imported files: unique, and safe on Linux, macOS and
// Windows.

import { FOLDER_OF } from "./export-layout.ts";
import { isLeftOut } from "./file-types.ts";
import type { RecordKind } from "./record.ts";
import { importPathOf } from "../kernel/import-members.ts";
import { cutBytes, normalized, utf8Length } from "../kernel/text.ts";

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
  const clean = normalized(title.toWellFormed(), "NFC").replace(UNSAFE, "-").replace(/\s+/g, " ");
  const cut = cutBytes(clean, MAX_BYTES).replace(/^[. -]+|[. -]+$/g, "");
  if (cut === "") return "untitled";
  return RESERVED.test(cut) ? `_${cut}` : cut;
}

/** More folders, or a longer path, are those of no person. */
const MAX_FOLDERS = 32;
const MAX_PATH_BYTES = 1_024;

/** A record to be named. */
export interface Nameable {
  id: string;
  kind: RecordKind;
  title: string;
  metadata: Record<string, unknown>;
}

/** The name of a folder: one that is imported, and that no file of an export can have. */
function safeFolder(given: string): string {
  const name = safeName(given);
  if (isLeftOut(name)) return `_${name}`;
  return /\.(md|html|json)$/i.test(name) ? `${name}_` : name;
}

/**
 * The folders and the name that a record has in an export, without an extension: those of the file that it was imported
 * from, below the name of the imported folder, or its title alone. A record that was imported from an export keeps its
 * place there.
 */
function placeOf({ kind, title, metadata }: Nameable): string[] {
  const path = importPathOf(metadata);
  if (path === undefined) return [safeName(title)];
  const root = typeof metadata.importRoot === "string" ? partsOf(metadata.importRoot) : undefined;
  const parts = partsOf(path);
  const file = (parts.pop() ?? "").replace(/(?<=.)\.[^.]*$/s, "");
  const isInside =
    root !== undefined && root.length <= parts.length && root.every((part, at) => part === parts[at]);
  const inside = isInside ? parts.slice(Math.max(0, root.length - 1)) : [];
  const [, first] = inside;
  const folders =
    first === FOLDER_OF[kind] ? inside.slice(2) : inside[0] === FOLDER_OF[kind] ? inside.slice(1) : inside;
  const place = [...folders.map(safeFolder), safeName(file)];
  return place.length <= MAX_FOLDERS && utf8Length(place.join("/")) <= MAX_PATH_BYTES
    ? place
    : [safeName(title)];
}

/** The folders and the name of a path of any platform. */
const partsOf = (path: string) => path.split(/[/\\]/).filter((part) => part !== "");

/**
 * Gives every record of a kind a path inside the folder of the kind, with slashes and without an extension, that no
 * other has, also where letter case does not count. Records that share a path all get the end of their id, so that a
 * path does not depend on which records are newer.
 */
export function uniqueNames(records: readonly Nameable[]): Map<string, string> {
  const key = (name: string) => normalized(name, "NFKC").toLowerCase();
  const counts = new Map<string, number>();
  const places = records.map((record) => ({ id: record.id, plain: placeOf(record).join("/") }));
  for (const { plain } of places) counts.set(key(plain), (counts.get(key(plain)) ?? 0) + 1);
  const taken = new Set<string>();
  const names = new Map<string, string>();
  for (const { id, plain } of places) {
    let name = counts.get(key(plain)) === 1 ? plain : `${plain} ${id.slice(-SUFFIX)}`;
    if (taken.has(key(name))) name = `${plain} ${id}`;
    taken.add(key(name));
    names.set(id, name);
  }
  return names;
}

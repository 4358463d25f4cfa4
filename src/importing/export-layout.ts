// The layout of an exported folder: Markdown files with front matter, and an index of collections. Must run in a browser, too.

import { Failure } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";

/** The file with the collections and their items. */
export const EXPORT_INDEX = "collections.json";
/** The largest index that is read, in bytes: 200,000 records in three collections each. */
export const MAX_INDEX_BYTES = 64 * 1024 * 1024;
/** The largest part of a record, in bytes. */
export const MAX_PART_BYTES = LIMITS.document.textBytes;
/** The folder of the records of a kind. */
export const FOLDER_OF = { document: "documents", prompt: "prompts" } as const;
/**
 * Folders of an export that contain no records of their own: earlier versions, and parts of records, which are HTML and front
 * matter that is too large to be YAML.
 */
export const EXPORT_ONLY_FOLDERS = new Set(["versions", "html", "front-matter"]);
/** The value of the member `ctxrepo` in exported front matter and in the index. */
export const EXPORT_FORMAT = 1;

/** A collection in the index. */
export interface ExportedCollection {
  id: string;
  name: string;
  description?: string;
  color?: string;
  icon?: string;
  isPublic?: boolean;
  tags?: string[];
  workspaceId?: string;
  /** The id of the parent in the index. */
  parent?: string;
  /** Paths of files relative to the exported folder, in the collection's order. */
  items: string[];
}

export interface ExportIndex {
  ctxrepo: number;
  collections: ExportedCollection[];
}

/** The members of front matter that name a part, and the paths of parts inside the exported folder. */
const PARTS = {
  contentHtml: /^html\/[^/\\\0]+\.content\.html$/,
  rawHtml: /^html\/[^/\\\0]+\.raw\.html$/,
  members: /^front-matter\/(?:documents|prompts)\/[^/\\\0]+\.json$/,
};
/** A part is named relative to the folder of its record. */
const TO_EXPORT = "../";

/** A member of front matter that names a part of an exported record. */
export type PartMember = keyof typeof PARTS;

/** The value of a member that names the part at this path inside the exported folder. */
export const partName = (path: string) => `${TO_EXPORT}${path}`;

/**
 * The path of a part inside the exported folder, from the value of the member that names it. Throws `unprocessable` if
 * `export` does not write that part there: a record names no other file.
 */
export function partPath(member: PartMember, name: string): string {
  const path = name.startsWith(TO_EXPORT) ? name.slice(TO_EXPORT.length) : "";
  if (PARTS[member].test(path)) return path;
  throw new Failure("unprocessable", `${member} names a file that no export contains`);
}

/**
 * The index in the text of a file EXPORT_INDEX; undefined if `export` has not written it. Throws `unprocessable` if it is
 * damaged.
 */
export function parseExportIndex(text: string): ExportIndex | undefined {
  let index: Partial<ExportIndex> | null;
  try {
    index = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (index?.ctxrepo !== EXPORT_FORMAT || !Array.isArray(index.collections)) return undefined;
  if (index.collections.every(isCollection)) return index as ExportIndex;
  throw new Failure("unprocessable", "is no index of collections as `ctxrepo export` writes it");
}

function isCollection(value: unknown): boolean {
  const { id, name, parent, items } = (value ?? {}) as Partial<ExportedCollection>;
  return (
    typeof id === "string" &&
    typeof name === "string" &&
    (parent === undefined || typeof parent === "string") &&
    Array.isArray(items) &&
    items.every((item) => typeof item === "string")
  );
}

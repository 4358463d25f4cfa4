// The layout of an exported folder: Markdown files with front matter, and an index of collections. Must run in a
// browser, too.

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
 * Folders of an export that contain no records of their own: earlier versions, and parts of records, which are HTML and
 * front matter that is too large to be YAML.
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

/** The folders of a path, none of which leads upwards. */
const FOLDERS = String.raw`(?:(?!\.\.?/)[^/\\\0]+/)*`;
/** The members of front matter that name a part, and the paths of parts inside the exported folder. */
const PARTS = {
  contentHtml: new RegExp(String.raw`^html/${FOLDERS}[^/\\\0]+\.content\.html$`),
  rawHtml: new RegExp(String.raw`^html/${FOLDERS}[^/\\\0]+\.raw\.html$`),
  members: new RegExp(String.raw`^front-matter/(?:documents|prompts)/${FOLDERS}[^/\\\0]+\.json$`),
};

/** A member of front matter that names a part of an exported record. */
export type PartMember = keyof typeof PARTS;

/**
 * The value of a member that names the part at `part`, of the record at `file`: both are paths inside the exported
 * folder.
 */
export const partName = (part: string, file: string) => "../".repeat(file.split("/").length - 1) + part;

/**
 * The path of a part inside the exported folder, from the value of the member that names it. Throws `unprocessable` if
 * `export` does not write that part there: a record names no other file.
 */
export function partPath(member: PartMember, name: string): string {
  const path = /^(?:\.\.\/)+/.test(name) ? name.replace(/^(?:\.\.\/)+/, "") : "";
  if (PARTS[member].test(path)) return path;
  throw new Failure("unprocessable", `${member} names a file that no export contains`);
}

const RECORD_FOLDERS: readonly string[] = Object.values(FOLDER_OF);

/** The folders whose export a record at this path, with slashes, may belong to; the innermost first. */
export function exportFoldersOf(path: string): string[] {
  const parts = path.split("/");
  const folders = parts.flatMap((part, at) =>
    RECORD_FOLDERS.includes(part) && at < parts.length - 1 ? [parts.slice(0, at).join("/")] : [],
  );
  return folders.reverse();
}

/**
 * The index in the text of a file EXPORT_INDEX; undefined if `export` has not written it. Throws `unprocessable` if it
 * is damaged.
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

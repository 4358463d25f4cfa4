// The layout of an exported folder: Markdown files with front matter, and an index of collections. Must run in a browser, too.

/** The file with the collections and their items. */
export const EXPORT_INDEX = "collections.json";
/** Folders of an export that contain no records of their own: earlier versions, and HTML that belongs to documents. */
export const EXPORT_ONLY_FOLDERS = new Set(["versions", "html"]);
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

/** The index in the text of a file EXPORT_INDEX; undefined if `export` has not written it. */
export function parseExportIndex(text: string): ExportIndex | undefined {
  try {
    const index = JSON.parse(text) as Partial<ExportIndex>;
    const isOurs = index?.ctxrepo === EXPORT_FORMAT && Array.isArray(index.collections);
    return isOurs ? (index as ExportIndex) : undefined;
  } catch {
    return undefined;
  }
}

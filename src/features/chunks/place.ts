// Where a found text is: the path of the imported file or the URL of the page, the headings above it, their address in
// the page, and its line.

import { dirname, relative } from "node:path";
import type { Store } from "../../db/store.ts";
import { anchorOf } from "../../engine/extraction/anchors.ts";
import { chunkPlace, documentPlace, pageHtml } from "./store.ts";

/** The member `source` of results. What is not known is absent. */
export interface Place {
  /** Relative to the folder that was imported; absolute if that is not known. */
  path?: string;
  url?: string;
  /** The headings above the text, joined with ` > `. */
  heading?: string;
  /** The id of the innermost heading in the page: `url#anchor` leads to it. */
  anchor?: string;
  /** The line of the document's content on which the text starts, from 1. */
  line?: number;
}

interface Found {
  documentId: string;
  /** The chunk that was found, if it was one. */
  chunkId?: string;
}

/** Where a document, or a chunk of it, is; undefined if nothing is known about that. */
export function placeOf(store: Pick<Store, "tables">, { documentId, chunkId }: Found): Place | undefined {
  const {
    path = null,
    root = null,
    url = null,
    contentHtmlHash = null,
  } = documentPlace(store, documentId) ?? {};
  const { sectionPath = [], line = null } = (chunkId && chunkPlace(store, chunkId)) || {};
  const html = url === null || sectionPath.length === 0 ? null : pageHtml(store, documentId, contentHtmlHash);
  const anchor = html === null ? undefined : anchorOf(html, sectionPath);
  const place: Place = {
    ...(path !== null && { path: pathIn(root, path) }),
    ...(url !== null && { url }),
    ...(sectionPath.length > 0 && { heading: sectionPath.join(" > ") }),
    ...(anchor !== undefined && { anchor }),
    ...(line !== null && { line }),
  };
  return Object.keys(place).length > 0 ? place : undefined;
}

/**
 * The path relative to the folder that was imported, with slashes. A file that was named itself is in its own folder.
 */
function pathIn(root: string | null, path: string): string {
  if (root === null) return path;
  const inside = relative(root === path ? dirname(path) : root, path);
  return inside.startsWith("..") ? path : inside.replaceAll("\\", "/");
}

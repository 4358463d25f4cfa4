// What results say of a document: title, id, where it comes from, its state and when it was changed last, so that
// documents with one title are told apart.

import type { DocumentFacts } from "../store.ts";
import { bold, day, facts, oneLine } from "./markdown.ts";

/** Where a document comes from: the path of an imported file or the URL of a page. */
export interface Place {
  path?: string;
  url?: string;
  /** The fragment that leads to the heading of the text. */
  anchor?: string;
  /** The line on which the text starts, from 1. */
  line?: number;
}

interface Described {
  documentId: string;
  title: string;
  source?: Place;
  known: DocumentFacts | undefined;
}

/** States that need no word. */
const USUAL = new Set(["published", "completed"]);

/** The state of a document, if a reader must know it. */
export const stateFact = (status: string | undefined) => status !== undefined && !USUAL.has(status) && status;

/** Title and facts of a document on one line; `more` follows. */
export function documentHeading(
  { documentId, title, source, known }: Described,
  ...more: (string | undefined | false)[]
): string {
  return `${bold(title)}${facts(
    `documentId: ${documentId}`,
    placeText(source),
    stateFact(known?.status),
    known && day(known.changedAt),
    ...more,
  )}`;
}

/** The file with its line, or the page. */
function placeText({ path, url, anchor, line }: Place = {}): string | false {
  if (path !== undefined) return `path: ${oneLine(path)}${line === undefined ? "" : `:${line}`}`;
  return url !== undefined && `url: ${oneLine(anchor === undefined ? url : `${url}#${anchor}`)}`;
}

// Reads the archives (.zip) that Notion, ChatGPT and Claude export: conversations, or the files of a workspace.

import { ExtractionError } from "../errors.ts";
import { type Archive, openArchive } from "../office/archive.ts";
import { decodeText } from "../shared/charset.ts";
import { readConversations } from "./conversations.ts";
import { MAX_PARTS, NO_EXPORT, type UnpackedFile } from "./part.ts";

const MB = 1024 ** 2;
/** Of all parts together, also those in archives inside. */
const MAX_BYTES = 96 * MB;
/** A workspace of Notion may be divided into archives inside of one. */
const MAX_INNER = 20;

const CONVERSATIONS = /(?:^|\/)conversations\.json$/;
/** Notion adds an id of 32 digits to each name. */
const NOTION_PAGE = /[ -][0-9a-f]{32}(?:_all)?\.(?:md|html|csv)$/i;
const NOTION_ID = /[ -][0-9a-f]{32}(?:_all)?(?=[./]|$)/gi;
const NOTION_ARCHIVE = /(?:^|\/)(?:Export|ExportBlock)-[\w-]+\.zip$/i;

/**
 * Reads an archive. `isKnown` says which files are read. Throws ExtractionError NOT_TEXT if it is of another kind, and
 * TOO_LARGE if it unpacks to too much.
 */
export async function unpackExport(
  bytes: Uint8Array,
  isKnown: (name: string) => boolean,
): Promise<UnpackedFile> {
  const archive = await openArchive(bytes);
  const named = archive.names.find((name) => CONVERSATIONS.test(name));
  const conversations = named && readConversations(decodeText(await archive.read(named), "utf-8"));
  if (conversations) return { parts: conversations, others: [] };
  const isNotion = archive.names.some((name) => NOTION_PAGE.test(name) || NOTION_ARCHIVE.test(name));
  if (!isNotion) throw new ExtractionError("NOT_TEXT", NO_EXPORT);
  const found: UnpackedFile = { parts: [], others: [] };
  const budget = { bytes: MAX_BYTES };
  const paths = new Set<string>();
  await readFiles(archive, { found, budget, paths, isKnown });
  const inner = archive.names.filter((name) => NOTION_ARCHIVE.test(name));
  for (const name of inner.slice(0, MAX_INNER))
    await readFiles(await openArchive(await archive.read(name)), { found, budget, paths, isKnown });
  found.others.push(...inner.slice(MAX_INNER));
  return found;
}

interface Reading {
  found: UnpackedFile;
  /** What may still be unpacked. */
  budget: { bytes: number };
  /** The paths of the parts. */
  paths: Set<string>;
  isKnown(name: string): boolean;
}

/** Adds the files of known kinds. */
async function readFiles(archive: Archive, { found, budget, paths, isKnown }: Reading): Promise<void> {
  for (const name of archive.names) {
    const path = safePath(name);
    if (path === undefined || !archive.has(name) || NOTION_ARCHIVE.test(name)) continue;
    // The same table as another file, with the rows that its view hides.
    const isRepeated = archive.has(name.replace(/\.csv$/i, "_all.csv"));
    if (isRepeated && !/_all\.csv$/i.test(name) && /\.csv$/i.test(name)) continue;
    if (!isKnown(path)) {
      found.others.push(path);
      continue;
    }
    if (found.parts.length >= MAX_PARTS)
      throw new ExtractionError("TOO_LARGE", `the archive has more than ${MAX_PARTS} files`);
    const body = await archive.read(name);
    budget.bytes -= body.length;
    if (budget.bytes < 0)
      throw new ExtractionError("TOO_LARGE", `the file unpacks to more than ${MAX_BYTES / MB} MB`);
    const readable = path.replace(NOTION_ID, "");
    const place = paths.has(readable) ? path : readable;
    if (paths.has(place)) continue;
    paths.add(place);
    found.parts.push({ path: place, body });
  }
}

/** A path inside of the archive; undefined for folders, hidden files, and names that lead out of it. */
function safePath(name: string): string | undefined {
  if (/[\u0000-\u001f\\]|^\/|^[a-z]:/i.test(name) || name.endsWith("/")) return undefined;
  const steps = name.split("/");
  const isSafe = steps.every((step) => step !== "" && !step.startsWith(".") && step !== "__MACOSX");
  return isSafe ? steps.join("/") : undefined;
}

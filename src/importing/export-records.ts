// Writes documents and prompts as Markdown files with front matter, and their earlier versions. Must run in a browser,
// too.

import { dataOf, type Requests } from "../requests/reply.ts";
import { EXPORT_FORMAT, FOLDER_OF, partName } from "./export-layout.ts";
import { isFrontMatter, writeFrontMatter } from "./front-matter.ts";
import { COLLECTION_OF } from "./known.ts";
import type { RecordKind } from "./record.ts";
import { LIMITS } from "../kernel/limits.ts";
import { utf8Length } from "../kernel/text.ts";
import { withoutImportMembers } from "../kernel/import-members.ts";
import { walk } from "../requests/walk.ts";

export interface RecordToExport {
  kind: RecordKind;
  id: string;
  /** Its path inside the folder of its kind, with slashes and without an extension. */
  name: string;
  /** Names of the collections that contain it. */
  collections: readonly string[];
}

/** The path of a record's file inside the exported folder. */
export const fileOf = ({ kind, name }: RecordToExport) => `${FOLDER_OF[kind]}/${name}.md`;

/** Writes a file of the export; `path` is relative to its folder, with slashes. */
export type WriteFile = (path: string, text: string) => void;

/** Writes one record. Returns false if it no longer exists. */
export async function exportRecord(
  client: Requests,
  record: RecordToExport,
  write: WriteFile,
): Promise<boolean> {
  const { kind, id, name, collections } = record;
  const path = `${COLLECTION_OF[kind]}/${id}`;
  const reply = await client.request("GET", path);
  if (reply.status === 404) return false;
  const data = dataOf(reply);
  const times = {
    collections,
    createdAt: new Date(data.createdAt).toISOString(),
    updatedAt: new Date(data.updatedAt).toISOString(),
  };
  const { title, tags, workspaceId } = data;
  const shared = { ctxrepo: EXPORT_FORMAT, id, title, tags };
  const metadata = withoutImportMembers(data.metadata);
  if (kind === "prompt") {
    const { description, variables, parameters, isPublic } = data;
    const members = { ...shared, type: "prompt", description, variables, parameters, isPublic };
    writeRecord(write, record, {
      members: { ...members, ...times, workspaceId, metadata },
      content: data.content,
    });
    return true;
  }
  const texts = await wholeTexts(client, path, data);
  const htmlOf = (text: string | undefined, suffix: string) => {
    if (text === undefined) return undefined;
    const part = `html/${name}.${suffix}.html`;
    write(part, text);
    return partName(part, fileOf(record));
  };
  const { status, sourceUrl, sourceType } = data;
  const members = {
    ...shared,
    ...times,
    // A fetched page is a document like any other after an import.
    status: ["draft", "archived"].includes(status) ? status : undefined,
    sourceType,
    sourceUrl,
    contentHtml: htmlOf(texts.contentHtml, "content"),
    rawHtml: htmlOf(texts.rawHtml, "raw"),
    workspaceId,
    metadata,
  };
  writeRecord(write, record, { members, content: texts.content });
  return true;
}

/** Writes the file of a record, and the members that front matter cannot hold as JSON beside it. */
function writeRecord(
  write: WriteFile,
  record: RecordToExport,
  { members, content }: { members: Record<string, unknown>; content: string },
): void {
  const file = fileOf(record);
  const all = present(members);
  if (isFrontMatter(all)) {
    write(file, writeFrontMatter(all, content));
    return;
  }
  const { ctxrepo, id, title, ...others } = all;
  const part = `front-matter/${file.replace(/\.md$/, ".json")}`;
  write(part, `${JSON.stringify(others, null, 2)}\n`);
  write(file, writeFrontMatter({ ctxrepo, id, title, members: partName(part, file) }, content));
}

interface Texts {
  content: string;
  contentHtml: string | undefined;
  rawHtml: string | undefined;
}

/** A GET returns longer texts in pieces, which may end up to a character earlier. */
const MAX_PIECE_BYTES = LIMITS.document.wireTextBytes - 4;

/** The texts of a document, of which a GET returns at most 2 MB: reads on until a piece is empty. */
async function wholeTexts(client: Requests, path: string, first: Texts): Promise<Texts> {
  const whole = { content: first.content, contentHtml: first.contentHtml, rawHtml: first.rawHtml };
  for (const name of ["content", "contentHtml", "rawHtml"] as const) {
    const isComplete = utf8Length(whole[name] ?? "") < MAX_PIECE_BYTES;
    for (let piece = whole[name]; piece !== undefined && piece !== "" && !isComplete; ) {
      const query = { textFrom: whole[name]!.length };
      piece = dataOf(await client.request("GET", path, { query }))[name] as string | undefined;
      whole[name] = whole[name]! + (piece ?? "");
    }
  }
  return whole;
}

/** Writes the earlier versions of a record, one file each. Versions are not imported. */
export async function exportVersions(
  client: Requests,
  { kind, id, name }: RecordToExport,
  write: WriteFile,
): Promise<void> {
  const path = `${COLLECTION_OF[kind]}/${id}/versions`;
  for await (const row of walk(client, path)) {
    const { version, title, changeLog, createdBy, origin } = row;
    const createdAt = new Date(row.createdAt).toISOString();
    const members = present({ version, id: row.versionId, title, changeLog, createdBy, origin, createdAt });
    const file = `${String(version).padStart(5, "0")}.md`;
    write(`versions/${FOLDER_OF[kind]}/${name}/${file}`, writeFrontMatter(members, row.content));
  }
}

/** The members that have a value. */
function present(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

// Reads one file for an import. The server reads all but Markdown and text.

import { decodeText } from "../../../../importing/decode.ts";
import { EXPORT_INDEX, exportFoldersOf, MAX_PART_BYTES } from "../../../../importing/export-layout.ts";
import { isExtracted, maxBytesOf, tooLarge, typeOf } from "../../../../importing/file-types.ts";
import type { FileText } from "../../../../importing/record.ts";
import { dataOf, type Requests } from "../../../../requests/reply.ts";
import type { Gathered } from "./gather.ts";

/** In base64, a file of this size fits into the body of a request. */
const MAX_SENT_BYTES = 28 * 1024 * 1024;

/** The text of a file with these bytes. Throws if it cannot be read; the message says why. */
export async function readText(
  client: Requests,
  { path, file }: Gathered,
  { bytes, all }: { bytes: ArrayBuffer; all: ReadonlyMap<string, Gathered> },
): Promise<FileText> {
  const type = typeOf(path);
  const readPart = async (part: string) => {
    const folder = exportFoldersOf(path).find((one) => all.has(`${one}/${EXPORT_INDEX}`));
    if (folder === undefined) throw new Error("is read only in a folder that ctxrepo export has written");
    const other = all.get(`${folder}/${part}`);
    if (!other) throw new Error("is missing");
    if (other.file.size > MAX_PART_BYTES) throw tooLarge(MAX_PART_BYTES);
    return decodeText(await other.file.arrayBuffer());
  };
  const { name } = file;
  if (type !== "html" && !isExtracted(type)) {
    return { name, text: decodeText(bytes), readPart };
  }
  if (bytes.byteLength > MAX_SENT_BYTES) {
    throw new Error("is larger than 28 MB: import it with `ctxrepo import`");
  }
  const body = { name, type, base64: base64Of(new Uint8Array(bytes)) };
  const page = dataOf(await client.request("POST", "/console/api/file", { body }));
  return { name, text: page.rawHtml ?? "", page, readPart };
}

/** Throws if a file is larger than one of its type can be. */
export function requireSize({ path, file }: Gathered): void {
  const maximum = maxBytesOf(typeOf(path));
  if (file.size > maximum) throw tooLarge(maximum);
}

function base64Of(bytes: Uint8Array): string {
  const PART = 0x8000;
  let binary = "";
  for (let at = 0; at < bytes.length; at += PART) {
    binary += String.fromCharCode(...bytes.subarray(at, at + PART));
  }
  return btoa(binary);
}

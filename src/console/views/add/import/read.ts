// Reads one file for an import. The server reads HTML, PDF and Word files.

import { decodeText } from "../../../../importing/decode.ts";
import { sizeProblem, typeOf } from "../../../../importing/file-types.ts";
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
  const readBeside = async (relative: string) => {
    const other = all.get(besideOf(path, relative));
    if (!other) throw new Error(`${relative} is missing`);
    return decodeText(await other.file.arrayBuffer());
  };
  const { name } = file;
  if (type !== "html" && type !== "pdf" && type !== "docx") {
    return { name, text: decodeText(bytes), readBeside };
  }
  const text = type === "html" ? decodeText(bytes) : "";
  if (bytes.byteLength > MAX_SENT_BYTES) {
    throw new Error("is larger than 28 MB: import it with `ctxrepo import`");
  }
  const body = { name, type, base64: base64Of(new Uint8Array(bytes)) };
  return {
    name,
    text,
    page: dataOf(await client.request("POST", "/console/api/file", { body })),
    readBeside,
  };
}

/** What is wrong with the size of a file; undefined if it can be imported. */
export const problemOf = ({ path, file }: Gathered) => sizeProblem(typeOf(path), file.size);

/** The path of a file by its path relative to another one. */
function besideOf(path: string, relative: string): string {
  const names = path.split("/").slice(0, -1);
  for (const name of relative.split("/")) {
    if (name === "..") names.pop();
    else if (name !== ".") names.push(name);
  }
  return names.join("/");
}

function base64Of(bytes: Uint8Array): string {
  const PART = 0x8000;
  let binary = "";
  for (let at = 0; at < bytes.length; at += PART) {
    binary += String.fromCharCode(...bytes.subarray(at, at + PART));
  }
  return btoa(binary);
}

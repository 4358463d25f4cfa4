// Reads files of models, which executables store compressed with zstd if they are large, and in parts if two models
// have one in common.

import { join } from "node:path";

/** The bytes of a file, decompressed if its name ends in .zst. */
export async function readPossiblyCompressed(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await Bun.file(path).bytes();
  return path.endsWith(".zst") ? (Bun.zstdDecompressSync(bytes) as Uint8Array<ArrayBuffer>) : bytes;
}

/** One part of a file: its path from the folder of the model, and its length when it is decompressed. */
export interface FilePart {
  path: string;
  bytes: number;
}

/** What a file that is stored in parts has at its end; its content is the list of them. */
export const PARTS_ENDING = ".parts.json";

/**
 * The bytes of a file in a model's folder, or of the same file with .zst at its end, or of its parts; undefined if
 * there is none of them. Throws RangeError if a part has another length than it should have.
 */
export async function readModelFile(
  directory: string,
  name: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  for (const file of [name, `${name}.zst`].map((one) => join(directory, one)))
    if (await Bun.file(file).exists()) return readPossiblyCompressed(file);
  const parts = Bun.file(join(directory, name + PARTS_ENDING));
  return (await parts.exists()) ? readParts(directory, await parts.json()) : undefined;
}

async function readParts(directory: string, parts: readonly FilePart[]): Promise<Uint8Array<ArrayBuffer>> {
  const all = new Uint8Array(parts.reduce((sum, { bytes }) => sum + bytes, 0));
  let at = 0;
  for (const { path, bytes } of parts) {
    const part = await readPossiblyCompressed(join(directory, path));
    if (part.length !== bytes) throw new RangeError(`${path} does not have ${bytes} bytes`);
    all.set(part, at);
    at += bytes;
  }
  return all;
}

/** The content of a JSON file in a model's folder; undefined if there is none. Throws SyntaxError if malformed. */
export async function readModelJson(directory: string, name: string): Promise<unknown> {
  const bytes = await readModelFile(directory, name);
  return bytes && JSON.parse(new TextDecoder().decode(bytes));
}
